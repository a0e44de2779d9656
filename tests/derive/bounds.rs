//! The where clause: what the derive asks of parameters, and no more.

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use ndarray::{Array1, array};
use paramtree::transform::{Elementwise, Positive, Transform};
use paramtree::{Element, Module, Param};

use crate::{NoModule, flat, is_module, paths};

#[derive(Module)]
struct Skips<T, U> {
    #[param(skip)]
    _first: T,
    #[param(skip)]
    _second: Vec<Option<U>>,
    third: PhantomData<(T, U)>,
    fourth: fn(T) -> U,
}

#[test]
fn what_is_skipped_or_has_no_leaf_asks_for_nothing() {
    is_module::<Skips<NoModule, NoModule>>();
    is_module::<Skips<Rc<f64>, NoModule>>();
}

#[derive(Module)]
struct Shared<T, U: ?Sized> {
    #[frozen]
    arc: Arc<T>,
    #[frozen]
    rc: Rc<U>,
    #[frozen]
    any: T,
}

#[test]
fn shared_storage_asks_of_what_it_holds() {
    let shared = Shared {
        arc: Arc::new(array![1.0]),
        rc: Rc::from([2.0, 3.0]) as Rc<[f64]>,
        any: array![4.0],
    };
    assert_eq!(paths(&shared), ["arc", "rc", "any"]);
    assert_eq!(flat(&shared), [0.0; 0]);
    is_module::<Shared<Arc<f64>, str>>();
}

#[derive(Module)]
struct Constrained<P, T: Element> {
    #[param(transform = Positive)]
    scale: P,
    free: Array1<T>,
}

#[test]
fn a_transform_asks_for_a_param() {
    let model = Constrained {
        scale: vec![1.0, 1.0],
        free: array![2.0],
    };
    // ln 1 = 0.
    assert_eq!(flat(&model), [0.0, 0.0, 2.0]);
    // An integer array is a module, though nothing to train.
    is_module::<Constrained<f32, i64>>();
}

/// A transform that its user chooses.
#[derive(Module)]
struct Chosen<P, T>
where
    P: Param,
    T: Transform<P::Elem> + Default,
{
    #[param(transform = T::default())]
    scale: P,
    #[frozen]
    transform: PhantomData<T>,
}

#[derive(Default)]
struct Doubled;

impl Elementwise<f64> for Doubled {
    fn domain(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    fn value(&self, x: f64) -> f64 {
        2.0 * x
    }

    fn inverse(&self, y: f64) -> f64 {
        y / 2.0
    }

    fn derivative(&self, _: f64) -> f64 {
        2.0
    }

    fn log_derivative(&self, _: f64) -> f64 {
        std::f64::consts::LN_2
    }

    fn log_derivative_slope(&self, _: f64) -> f64 {
        0.0
    }
}

#[test]
fn a_transform_may_be_a_parameter() {
    let chosen = Chosen::<_, Doubled> {
        scale: [6.0, 8.0],
        transform: PhantomData,
    };
    assert_eq!(flat(&chosen), [3.0, 4.0]);
}

#[derive(Module)]
#[module(bound = "M: Module, T: Copy, [M; 2]: Sized")]
struct Declared<T, M> {
    pair: [M; 2],
    #[param(skip)]
    _key: T,
}

#[derive(Module)]
#[module(bound = "")]
struct Unbounded<T> {
    w: f64,
    link: fn(T) -> T,
}

#[test]
fn declared_bounds_replace_the_inferred_ones() {
    is_module::<Declared<NoModule, f64>>();
    is_module::<Unbounded<NoModule>>();
    let declared = Declared {
        pair: [1.0, 2.0],
        _key: NoModule,
    };
    assert_eq!(flat(&declared), [1.0, 2.0]);
}

#[derive(Module)]
struct Tuples<A, B: Clone, const N: usize>(A, #[frozen] (B, [A; N]), #[param(skip)] B);

#[test]
fn every_field_bounds_its_own_type() {
    let tuples = Tuples(1.0, ('b', [2.0, 3.0]), 'c');
    assert_eq!(paths(&tuples), ["0", "1.1"]);
    assert_eq!(flat(&tuples), [1.0]);
}
