//! Trees of every form take steps.

use std::thread;

use ndarray::{Array0, Array1, Array2, arr0, array};
use paramtree::optim::{AdamW, Builder, Rule, Sgd};
use paramtree::{Error, Mask, Module, Summarize, leaves};

use crate::{all, refused};

#[derive(Clone, Debug, Module)]
struct Scalars {
    a: f64,
    b: f32,
    z: Array0<f64>,
    w: Array1<f64>,
}

#[test]
fn scalars_are_leaves() {
    fn check(rule: impl Rule) {
        let mut model = Scalars {
            a: 1.0,
            b: 1.0,
            z: arr0(1.0),
            w: array![1.0, 1.0],
        };
        let gradient = model.clone();
        all(&model, rule).step(&mut model, &gradient).unwrap();
        // All of them go alike, as far as their precision goes.
        assert!(model.a < 1.0);
        assert_eq!(
            (model.z[[]], &model.w),
            (model.a, &array![model.a, model.a])
        );
        assert!((f64::from(model.b) - model.a).abs() < 1e-6);
    }
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct Counted {
    w: Array2<f64>,
    e: Array2<f64>,
    s: f64,
    #[frozen]
    k: Array1<f64>,
}

#[test]
fn an_empty_leaf_takes_a_step() {
    fn check(rule: impl Rule) {
        let mut model = Counted {
            w: Array2::ones((2, 3)),
            e: Array2::ones((0, 3)),
            s: 1.0,
            k: Array1::ones(4),
        };
        let gradient = model.clone();
        let mut optimizer = Builder::new(rule)
            .clip_global_norm(1.0)
            .build(&model, &Mask::of(&model))
            .unwrap();
        optimizer.step(&mut model, &gradient).unwrap();
        assert_eq!(optimizer.count("e").unwrap(), 1);
        assert_eq!(model.e.shape(), [0, 3]);
        assert!(model.s < 1.0 && model.w.iter().all(|w| *w == model.s));
        // Of another empty shape it is none of its gradients.
        let mut other = gradient.clone();
        other.e = Array2::ones((3, 0));
        let error = refused(&mut optimizer, &mut model, &other);
        assert!(matches!(error, Error::Shape { .. }));
    }
    each_rule!(check);
}

#[derive(Module)]
struct Chain {
    w: f64,
    next: Option<Box<Chain>>,
}

fn chain(depth: u32, w: impl Fn(u32) -> f64) -> Chain {
    let mut chain = None;
    for k in (0..depth).rev() {
        chain = Some(Box::new(Chain {
            w: w(k),
            next: chain,
        }));
    }
    *chain.unwrap()
}

#[test]
fn a_chain_of_2000_takes_a_step() {
    let deep = || {
        let mut model = chain(2000, f64::from);
        let gradient = chain(2000, |k| f64::from(k % 7));
        let mut optimizer = all(&model, AdamW::new(0.5).weight_decay(0.0));
        optimizer.step(&mut model, &gradient).unwrap();
        let mut link = Some(&model);
        let mut k = 0;
        while let Some(chain) = link {
            let step = if k % 7 == 0 { 0.0 } else { 0.5 };
            assert!((chain.w - (f64::from(k) - step)).abs() < 1e-6);
            (link, k) = (chain.next.as_deref(), k + 1);
        }
        assert_eq!(k, 2000);
    };
    let stack = thread::Builder::new().stack_size(8 << 20);
    stack.spawn(deep).unwrap().join().unwrap();
}

#[derive(Clone, Debug, Module)]
enum Act {
    Relu,
    Tanh,
    Prelu { slope: f64 },
    Poly(Vec<f64>),
}

#[derive(Clone, Debug, Module)]
struct Net {
    act: Act,
    w: f64,
}

#[test]
fn another_variant_is_another_model() {
    let mut net = Net {
        act: Act::Prelu { slope: 1.0 },
        w: 1.0,
    };
    let mut optimizer = all(&net, AdamW::new(0.1));
    let ones = net.clone();
    optimizer.step(&mut net, &ones).unwrap();
    net.act = Act::Poly(vec![1.0; 3]);
    let gradient = net.clone();
    let error = refused(&mut optimizer, &mut net, &gradient);
    let expected = Error::Structure {
        missing: Some("act.Prelu.slope".to_owned()),
        surplus: Some("act.Poly".to_owned()),
    };
    assert_eq!(error, expected);
    // An optimiser of its own starts afresh.
    let mut afresh = all(&net, AdamW::new(0.1));
    afresh.step(&mut net, &gradient).unwrap();
    assert_eq!(afresh.count("act.Poly").unwrap(), 1);
}

#[test]
fn a_choice_that_has_no_leaf_is_free() {
    let mut net = Net {
        act: Act::Relu,
        w: 1.0,
    };
    let mut optimizer = all(&net, Sgd::new(0.5));
    net.act = Act::Tanh;
    for act in [Act::Relu, Act::Tanh] {
        optimizer.step(&mut net, &Net { act, w: 0.5 }).unwrap();
    }
    assert_eq!(net.w, 0.5);
}

#[test]
fn the_summary_of_what_trains() {
    let net = Net {
        act: Act::Relu,
        w: 1.0,
    };
    let optimizer = all(&net, AdamW::new(0.1));
    // The state of an optimiser is listed, and nobody trains it.
    let state = leaves(&optimizer);
    assert!(state.iter().all(|leaf| !leaf.is_trainable()));
    assert!(optimizer.summary().to_string().contains("mu"));
}

/// A struct of the same leaves as [`Net`] without its variants.
#[derive(Clone, Debug, Module)]
struct Alike {
    w: f64,
}

#[test]
fn a_model_of_another_type_with_the_same_leaves_will_do() {
    let net = Net {
        act: Act::Relu,
        w: 1.0,
    };
    let mut alike = Alike { w: 1.0 };
    let mut optimizer = all(&net, Sgd::new(0.5));
    optimizer.step(&mut alike, &Alike { w: 1.0 }).unwrap();
    assert_eq!(alike.w, 0.5);
}
