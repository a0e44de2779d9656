//! A crate that knows the runtime crate by another name: it says so, once on each type.

use pt::transform::{Interval, Positive};
use pt::{Layout, leaves};

#[derive(pt::Module)]
#[module(crate = pt)]
struct Model<T> {
    w: Vec<T>,
    #[frozen]
    k: T,
    #[param(transform = Positive)]
    s: T,
    #[param(transform = Interval::new(0, self.upper))]
    p: Option<f64>,
    #[param(skip)]
    upper: f64,
    next: Option<Box<Model<T>>>,
}

#[derive(pt::Module)]
#[module(crate = ::pt)]
enum Act {
    Relu,
    Prelu(f64),
}

#[derive(pt::Module)]
#[module(crate = pt, transparent)]
struct Wrapper(Act);

mod facade {
    //! What a framework re-exports.

    pub(crate) use pt as paramtree;
    pub(crate) use pt::Module;

    pub(crate) mod prelude {
        pub(crate) use super::Module;
    }
}

mod client {
    use super::facade::prelude::*;

    #[derive(Module)]
    #[module(crate = crate::facade::paramtree)]
    pub(super) struct Absolute {
        pub(super) w: f64,
    }

    #[derive(Module)]
    #[module(crate = super::facade::paramtree)]
    pub(super) enum Relative {
        Only(f64),
    }
}

fn flat(model: &impl pt::Module) -> Vec<f64> {
    let x = Layout::of(model).and_then(|layout| layout.flatten(model));
    x.expect("the flat vector")
}

#[test]
fn a_renamed_crate_is_found() {
    let model = Model {
        w: vec![2.0],
        k: 3.0,
        s: 1.0,
        p: Some(1.0),
        upper: 2.0,
        next: None,
    };
    // ln 1 = 0, and 1 is the middle of (0, 2).
    assert_eq!(flat(&model), [2.0, 0.0, 0.0]);
    assert_eq!(flat(&Wrapper(Act::Prelu(4.0))), [4.0]);
    assert!(leaves(&Act::Relu).is_empty());
}

#[test]
fn a_crate_is_found_through_a_facade() {
    assert_eq!(flat(&client::Absolute { w: 1.0 }), [1.0]);
    assert_eq!(flat(&client::Relative::Only(1.0)), [1.0]);
}
