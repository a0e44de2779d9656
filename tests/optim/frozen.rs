//! What a step, a decay, a moment or a limit may do to a leaf that does not train: nothing.

use ndarray::{Array1, Array2, array};
use paramtree::optim::{Adam, AdamW, Builder, Optimizer, Rule, Sgd};
use paramtree::{Mask, Module};

use crate::{all, all_but, assert_near, bits, values};

#[derive(Clone, Debug, Module)]
struct Encoder {
    w: Array1<f64>,
    #[frozen]
    table: Array1<f64>,
}

fn encoder() -> Encoder {
    Encoder {
        w: array![1.0],
        table: array![0.5, -0.25],
    }
}

#[test]
fn a_constant_table_does_not_decay() {
    let mut model = encoder();
    let mut optimizer = all(&model, AdamW::new(0.1).weight_decay(0.1));
    let gradient = Encoder {
        w: array![0.0],
        table: array![0.0, 0.0],
    };
    for _ in 0..100 {
        optimizer.step(&mut model, &gradient).unwrap();
    }
    // 0.99^100: the leaf that trains does decay.
    assert_near(model.w[0], 0.366_032_341_273_229_2, 1e-12);
    assert_eq!(bits(&model)[1], bits(&encoder())[1]);
}

#[test]
fn a_constant_table_stands_still_under_every_rule() {
    fn check(rule: impl Rule) {
        let mut model = encoder();
        let mut optimizer = all(&model, rule);
        // What stands in the gradient of the table is not read.
        for table in [array![], array![f64::NAN, 1e308], array![1.0, 2.0, 3.0]] {
            let w = array![1.0];
            optimizer.step(&mut model, &Encoder { w, table }).unwrap();
        }
        assert!(model.w[0] < 1.0);
        assert_eq!(bits(&model)[1], bits(&encoder())[1]);
    }
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct One {
    p: f64,
}

/// Three steps with a gradient of 1, then five with the leaf frozen: where it stood.
fn freeze_in_mid_run(rule: impl Rule) -> f64 {
    let mut model = One { p: 1.0 };
    let mut mask = Mask::of(&model);
    let mut optimizer = all(&model, rule);
    for _ in 0..3 {
        optimizer.step(&mut model, &One { p: 1.0 }).unwrap();
    }
    optimizer.set_mask(mask.freeze("p").unwrap()).unwrap();
    let held = model.clone();
    for _ in 0..5 {
        optimizer.step(&mut model, &One { p: 0.0 }).unwrap();
        assert_eq!(bits(&model), bits(&held));
    }
    assert_eq!((optimizer.steps(), optimizer.count("p").unwrap()), (8, 3));
    model.p
}

#[test]
fn momentum_that_is_still_loaded_moves_nothing() {
    fn check(rule: impl Rule) {
        freeze_in_mid_run(rule);
    }
    // Velocities 1, 1.9, 2.71: 1 - 0.1 · 5.61.
    assert_near(freeze_in_mid_run(Sgd::new(0.1).momentum(0.9)), 0.439, 1e-12);
    freeze_in_mid_run(AdamW::new(0.1).weight_decay(0.1));
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct Line {
    kernel: f64,
    bias: f64,
}

#[test]
fn what_a_mask_leaves_out_is_not_passed_through() {
    fn step<R: Rule>(rule: R) -> Line {
        let mut line = Line {
            kernel: 0.0,
            bias: 0.0,
        };
        let mut mask = Mask::of(&line);
        mask.train_only("kernel").unwrap();
        let mut optimizer = Builder::new(rule).build(&line, &mask).unwrap();
        let gradient = Line {
            kernel: 1.0,
            bias: 1.0,
        };
        optimizer.step(&mut line, &gradient).unwrap();
        line
    }
    fn check(rule: impl Rule) {
        let line = step(rule);
        assert!(line.kernel < 0.0);
        assert_eq!(line.bias.to_bits(), 0.0_f64.to_bits());
    }
    assert_eq!(step(Sgd::new(0.1)).kernel, -0.1);
    each_rule!(check);
}

#[test]
fn what_trains_is_what_the_last_mask_says() {
    fn check(rule: impl Rule) {
        let mut line = Line {
            kernel: 1.0,
            bias: 1.0,
        };
        let ones = line.clone();
        let mut mask = Mask::of(&line);
        let mut optimizer = all(&line, rule);
        optimizer.set_mask(mask.freeze("bias").unwrap()).unwrap();
        assert!(!optimizer.mask().trains("bias").unwrap());
        optimizer.step(&mut line, &ones).unwrap();
        assert!(line.kernel < 1.0 && line.bias == 1.0);
        optimizer.set_mask(mask.thaw("bias").unwrap()).unwrap();
        assert!(optimizer.mask().trains("bias").unwrap());
        let kernel = line.kernel;
        optimizer.step(&mut line, &ones).unwrap();
        assert!(line.kernel < kernel && line.bias < 1.0);
    }
    each_rule!(check);
}

#[test]
fn moments_sleep() {
    let mut model = One { p: 1.0 };
    let mut mask = Mask::of(&model);
    let mut optimizer: Optimizer<Adam> = all(&model, Adam::new(0.1));
    optimizer.step(&mut model, &One { p: 1.0 }).unwrap();
    optimizer.set_mask(mask.freeze("p").unwrap()).unwrap();
    for _ in 0..50 {
        optimizer.step(&mut model, &One { p: 0.0 }).unwrap();
    }
    let state = values(&optimizer);
    assert_near(state["leaves.p.mu"][0], 0.1, 1e-15);
    assert_near(state["leaves.p.nu"][0], 0.001, 1e-15);
    optimizer.set_mask(mask.thaw("p").unwrap()).unwrap();
    optimizer.step(&mut model, &One { p: 1.0 }).unwrap();
    // Each step is 0.1 · 1 / (1 + 1e-8).
    assert_near(model.p, 0.800_000_002, 1e-12);
}

#[derive(Clone, Debug, Module)]
struct Dense {
    w: Array2<f64>,
    bias: Array1<f64>,
}

#[test]
fn trained_but_exempt_from_decay() {
    let start = Dense {
        w: array![[1.0, -2.0]],
        bias: array![3.0],
    };
    let gradient = |g: f64| Dense {
        w: array![[g, g]],
        bias: array![g],
    };
    let mask = Mask::of(&start);
    let mut decays = mask.clone();
    decays.freeze_if(|leaf| leaf.shape().len() != 2);
    let builder = AdamW::new(0.1).weight_decay(0.1).builder();
    let mut optimizer = builder.decay_mask(&decays).build(&start, &mask).unwrap();
    let mut model = start.clone();
    optimizer.step(&mut model, &gradient(0.0)).unwrap();
    assert_near(model.w[[0, 0]], 0.99, 1e-15);
    assert_near(model.w[[0, 1]], -1.98, 1e-15);
    assert_eq!(bits(&model)[1], bits(&start)[1]);

    optimizer.step(&mut model, &gradient(1.0)).unwrap();
    // μ = 0.1, ν = 0.001: 0.1 · (0.1 / 0.19) / (√(0.001 / 0.001999) + 1e-8), and w decays by 1 %.
    let step = 0.074_413_681_304_593;
    assert_near(model.bias[0], 3.0 - step, 1e-14);
    assert_near(model.w[[0, 0]], 0.99 * 0.99 - step, 1e-14);
}

#[derive(Clone, Debug, Module)]
struct Held {
    w: f64,
    #[frozen]
    k: f64,
}

#[test]
fn coupled_decay_is_decay_too() {
    fn check(rule: impl Rule) {
        let mut held = Held { w: 7.0, k: 7.0 };
        let decays = rule.settings().weight_decay > 0.0;
        let mut optimizer = all(&held, rule);
        optimizer.step(&mut held, &Held { w: 0.0, k: 0.0 }).unwrap();
        assert_eq!(held.w < 7.0, decays);
        assert_eq!(held.k.to_bits(), 7.0_f64.to_bits());
    }
    each_rule!(check);
}

#[test]
fn a_leaf_that_a_mask_holds_may_be_no_number_at_all() {
    let mut line = Line {
        kernel: 1.0,
        bias: f64::from_bits(0x7ff4_0000_dead_beef),
    };
    let held = bits(&line);
    let mut optimizer = all_but(&line, "bias", Sgd::new(0.1));
    let gradient = Line {
        kernel: 1.0,
        bias: f64::INFINITY,
    };
    optimizer.step(&mut line, &gradient).unwrap();
    assert_eq!(line.kernel, 0.9);
    assert_eq!(bits(&line)[1], held[1]);
}
