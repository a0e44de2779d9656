//! What is remembered of a leaf while it is frozen, and what is forgotten.

use ndarray::Array1;
use paramtree::optim::{Adam, Builder, Optimizer, Sgd};
use paramtree::transform::Positive;
use paramtree::{Error, Mask, Module};

use crate::{all, all_but, assert_near, bits, values};

#[derive(Clone, Debug, Module)]
struct Two {
    a: f64,
    b: f64,
}

fn two(x: f64) -> Two {
    Two { a: x, b: x }
}

fn steps(optimizer: &mut Optimizer<Adam>, model: &mut Two, n: u32) {
    for _ in 0..n {
        optimizer.step(model, &two(1.0)).unwrap();
    }
}

#[test]
fn a_leaf_thawed_late_counts_from_its_own_start() {
    let mut model = two(0.0);
    let mut mask = Mask::of(&model);
    let mut optimizer = all_but(&model, "b", Adam::new(0.1));
    steps(&mut optimizer, &mut model, 10);
    optimizer.set_mask(mask.thaw_all()).unwrap();
    assert_eq!(optimizer.count("b").unwrap(), 0);
    steps(&mut optimizer, &mut model, 1);
    // Corrected as a first step: 0.1 · 1 / (1 + 1e-8). As an eleventh it would be 0.316 of that.
    assert_near(model.b, -0.1, 1.1e-8);
    assert_eq!(optimizer.count("a").unwrap(), 11);
    assert_eq!(optimizer.count("b").unwrap(), 1);
}

#[test]
fn what_is_forgotten_starts_anew() {
    let mut model = two(0.0);
    let mut optimizer = all(&model, Adam::new(0.1));
    // A gradient as great as that is long felt.
    optimizer.step(&mut model, &two(1e6)).unwrap();
    optimizer.forget("b").unwrap();
    let held = model.clone();
    optimizer.step(&mut model, &two(1.0)).unwrap();
    assert_near(held.b - model.b, 0.1, 1.1e-8);
    // μ = 9e4 + 0.1, ν = 999 · 1e6 + 0.001, each corrected: 0.0670… in all.
    let (mu, nu) = (90_000.1_f64, 999_000_000.001_f64);
    let step = 0.1 * (mu / 0.19) / (nu / 0.001_999).sqrt();
    assert_near(held.a - model.a, step, 1e-9);
    assert_eq!(optimizer.count("a").unwrap(), 2);
    assert_eq!(optimizer.count("b").unwrap(), 1);

    optimizer.forget(["a", "b"]).unwrap();
    assert_eq!(values(&optimizer)["leaves.a.mu"], [0.0]);
    assert_eq!((optimizer.steps(), optimizer.count("a").unwrap()), (2, 0));
}

#[test]
fn what_is_forgotten_while_it_sleeps_is_gone_when_it_wakes() {
    let mut model = two(0.0);
    let mut mask = Mask::of(&model);
    let mut optimizer = all(&model, Adam::new(0.1));
    steps(&mut optimizer, &mut model, 5);
    optimizer.set_mask(mask.freeze("b").unwrap()).unwrap();
    assert_eq!(optimizer.count("b").unwrap(), 5);
    let held = optimizer.bytes();
    optimizer.forget("b").unwrap();
    assert!(optimizer.bytes() < held);
    optimizer.set_mask(mask.thaw("b").unwrap()).unwrap();
    assert_eq!(optimizer.bytes(), held);
    let before = model.b;
    steps(&mut optimizer, &mut model, 1);
    assert_near(before - model.b, 0.1, 1.1e-8);
}

#[test]
fn a_pattern_that_matches_nothing_forgets_nothing() {
    let mut model = two(0.0);
    let mut optimizer = all(&model, Adam::new(0.1));
    steps(&mut optimizer, &mut model, 1);
    let before = bits(&optimizer);
    let error = optimizer.forget(["a", "c"]).unwrap_err();
    assert!(matches!(error, Error::NoMatch { .. }));
    assert_eq!(bits(&optimizer), before);
}

#[test]
fn on_and_off_is_as_if_the_pauses_were_not() {
    let (mut through, mut paused) = (two(0.0), two(0.0));
    let mut straight = all(&through, Adam::new(0.1));
    let mut broken = all(&paused, Adam::new(0.1));
    let mut mask = Mask::of(&paused);
    let gradient = |k: u32| two(f64::from(k % 3) - 0.5);
    for k in 0..20 {
        straight.step(&mut through, &gradient(k)).unwrap();
        broken.set_mask(mask.freeze("b").unwrap()).unwrap();
        broken.step(&mut paused, &two(7.0)).unwrap();
        broken.set_mask(mask.thaw("b").unwrap()).unwrap();
        broken.set_mask(mask.freeze("a").unwrap()).unwrap();
        broken.step(&mut paused, &gradient(k)).unwrap();
        broken.set_mask(mask.thaw("a").unwrap()).unwrap();
    }
    assert_eq!(paused.b.to_bits(), through.b.to_bits());
    assert_eq!((broken.steps(), straight.steps()), (40, 20));
    assert_eq!(
        values(&broken)["leaves.b.nu"],
        values(&straight)["leaves.b.nu"]
    );
}

#[derive(Clone, Debug, Module)]
struct Sizes {
    big: Array1<f64>,
    narrow: Vec<f32>,
    #[param(transform = Positive)]
    scale: Array1<f64>,
    #[frozen]
    held: Array1<f64>,
    count: Vec<u8>,
}

fn sizes() -> Sizes {
    Sizes {
        big: Array1::ones(10),
        narrow: vec![1.0; 12],
        scale: Array1::ones(4),
        held: Array1::ones(1000),
        count: vec![1; 1000],
    }
}

#[test]
fn bytes_are_of_what_trains() {
    // Two moments: of 10 numbers of 8 bytes, 12 of 4 and 4 of 8.
    const BIG: usize = 2 * 10 * 8;
    const NARROW: usize = 2 * 12 * 4;
    const SCALE: usize = 2 * 4 * 8;
    let mut model = sizes();
    assert_eq!(all(&model, Sgd::new(0.1)).bytes(), 0);
    let momentum = Sgd::new(0.1).momentum(0.9);
    assert_eq!(all(&model, momentum).bytes(), (BIG + NARROW + SCALE) / 2);

    let mut optimizer = all_but(&model, "big", Adam::new(0.1));
    assert_eq!(optimizer.bytes(), NARROW + SCALE);
    optimizer.step(&mut model, &sizes()).unwrap();
    // And the coordinates of the scale.
    assert_eq!(optimizer.bytes(), NARROW + SCALE + 4 * 8);
    optimizer.set_mask(&Mask::of(&model)).unwrap();
    assert_eq!(optimizer.bytes(), BIG + NARROW + SCALE + 4 * 8);
    // Asleep, they are kept.
    let mut mask = Mask::of(&model);
    optimizer.set_mask(mask.freeze_all()).unwrap();
    assert_eq!(optimizer.bytes(), BIG + NARROW + SCALE + 4 * 8);
    optimizer.forget("**").unwrap();
    assert_eq!(optimizer.bytes(), 0);
}

#[test]
fn gradients_that_wait_take_up_bytes() {
    let mut model = sizes();
    let builder = Builder::new(Sgd::new(0.1)).accumulate(2);
    let mut optimizer = builder.build(&model, &Mask::of(&model)).unwrap();
    assert_eq!(optimizer.bytes(), 0);
    optimizer.step(&mut model, &sizes()).unwrap();
    assert_eq!(optimizer.bytes(), 10 * 8 + 12 * 4 + 4 * 8);
}

#[test]
fn scalars_take_up_their_own_bytes() {
    let optimizer = all(&two(0.0), Adam::new(0.1));
    // Two leaves, two moments of 8 bytes.
    assert_eq!(optimizer.bytes(), 2 * 2 * 8);
}

#[test]
fn the_mask_is_as_it_was_set() {
    let model = sizes();
    let mut mask = Mask::of(&model);
    mask.freeze("narrow").unwrap();
    let mut optimizer = Adam::new(0.1).build(&model, &mask).unwrap();
    let trained = |optimizer: &Optimizer<Adam>| {
        let mask = optimizer.mask();
        let paths = mask.trained().map(|leaf| leaf.path().to_owned());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(trained(&optimizer), ["big", "scale"]);
    optimizer.set_mask(&!&mask).unwrap();
    assert_eq!(trained(&optimizer), ["narrow"]);
    optimizer.set_mask(mask.freeze_all()).unwrap();
    assert!(trained(&optimizer).is_empty());
    let mut stepped = model.clone();
    optimizer.step(&mut stepped, &sizes()).unwrap();
    assert_eq!(bits(&stepped), bits(&model));
}
