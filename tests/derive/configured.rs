//! Fields, variants, parameters and attributes under `cfg`.

use paramtree::Module;

use crate::{flat, paths};

#[derive(Module)]
struct Fields {
    w: f64,
    #[cfg(any())]
    gone: NoSuchType,
    #[cfg(not(any()))]
    here: f64,
}

#[derive(Module)]
enum Variants {
    A(f64),
    #[cfg(any())]
    B(NoSuchType),
    #[cfg(not(any()))]
    D {
        x: f64,
        #[cfg(any())]
        y: NoSuchType,
    },
}

#[derive(Module)]
struct Tuple(f64, #[cfg(any())] NoSuchType, f64);

#[test]
fn what_is_configured_out_is_not_named() {
    let fields = Fields { w: 1.0, here: 2.0 };
    assert_eq!(paths(&fields), ["w", "here"]);
    assert_eq!(paths(&Tuple(1.0, 2.0)), ["0", "1"]);
    assert_eq!(paths(&Variants::A(1.0)), ["A"]);
    assert_eq!(paths(&Variants::D { x: 1.0 }), ["D.x"]);
}

#[derive(Module)]
struct Parameters<#[cfg(any())] T, #[cfg(not(any()))] U, #[cfg(any())] const N: usize> {
    u: U,
}

#[test]
fn parameters_may_be_configured_out() {
    assert_eq!(flat(&Parameters { u: 1.0 }), [1.0]);
}

#[cfg_attr(all(), derive(Module))]
#[cfg_attr(all(), module(transparent))]
struct Attributes {
    #[cfg_attr(all(), param(tag = "t"))]
    #[cfg_attr(any(), frozen)]
    w: f64,
    #[cfg_attr(all(), param(skip))]
    #[allow(dead_code)]
    skipped: f64,
}

#[test]
fn attributes_may_depend_on_the_configuration() {
    let model = Attributes {
        w: 1.0,
        skipped: 2.0,
    };
    assert_eq!(flat(&model), [1.0]);
    assert_eq!(paths(&model), [""]);
}
