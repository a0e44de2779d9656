//! Structs and attributes that macros write.

use std::fmt::Debug;

use ndarray::{Array1, array};
use paramtree::transform::{Interval, Positive};
use paramtree::{Module, leaves};

use crate::{double, flat, paths};

macro_rules! make {
    ($n:ident, $t:ty, $u:ty) => {
        #[derive(Module)]
        struct $n {
            a: $t,
            b: $u,
            #[frozen]
            c: $t,
        }
    };
}

make!(Gen, Option<Array1<f64>>, [f64; 3]);

#[test]
fn types_may_come_through_a_macro() {
    let model = Gen {
        a: Some(array![1.0]),
        b: [2.0, 3.0, 4.0],
        c: None,
    };
    assert_eq!(flat(&model), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(paths(&model), ["a", "b"]);
    let model = Gen {
        c: Some(array![5.0]),
        ..model
    };
    assert_eq!(paths(&model), ["a", "b", "c"]);
}

macro_rules! generic {
    ($n:ident<$l:lifetime, $p:ident>, $r:ty, $own:ty, $param:ty, $length:expr) => {
        #[derive(Module)]
        struct $n<$l, $p> {
            #[frozen]
            borrowed: $r,
            next: Option<Box<$own>>,
            w: Vec<$param>,
            #[param(transform = Positive)]
            s: $param,
            array: [f64; $length],
        }
    };
}

generic!(Node<'a, T>, &'a [f64], Node<'a, T>, T, 1 + 1);

#[test]
fn generic_types_may_come_through_a_macro() {
    let node = |w, next| Node {
        borrowed: &[7.0],
        next,
        w: vec![w],
        s: 1.0,
        array: [w; 2],
    };
    let model = node(1.0, Some(Box::new(node(2.0, None))));
    // The inner node stands before the outer's own numbers, and ln 1 = 0.
    let inner = [2.0, 0.0, 2.0, 2.0];
    let outer = [1.0, 0.0, 1.0, 1.0];
    assert_eq!(flat(&model), [inner, outer].concat());
}

macro_rules! number {
    () => {
        f64
    };
    ($t:ty) => {
        $t
    };
}

#[derive(Module)]
struct TypeMacro {
    w: number!(),
    v: Vec<number!()>,
    #[param(transform = Positive)]
    s: number!(),
}

#[derive(Module)]
struct GenericTypeMacro<T> {
    w: number!(T),
    v: Vec<number!(T)>,
    plain: number!(),
    #[param(transform = Positive)]
    s: number!(Option<T>),
    next: Option<Box<number!(GenericTypeMacro<T>)>>,
}

#[test]
fn macros_may_stand_for_types() {
    let model = TypeMacro {
        w: 1.0,
        v: vec![2.0, 3.0],
        s: 1.0,
    };
    assert_eq!(flat(&model), [1.0, 2.0, 3.0, 0.0]);
    let end = |next| GenericTypeMacro {
        w: 1.0,
        v: vec![2.0],
        plain: 3.0,
        s: Some(1.0),
        next,
    };
    let model = end(Some(Box::new(end(None))));
    assert_eq!(flat(&model), [1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0]);
}

macro_rules! model {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
        }
    };
}

model! {
    /// Documented.
    #[derive(Debug, Clone, Module)]
    #[module(bound = "")]
    struct Through {
        /// Documented.
        w: f64,
        #[frozen]
        k: f64,
        #[param(transform = Interval::new(0.0, self.upper), tag = "scales")]
        #[doc(hidden)]
        s: f64,
        #[param(skip)]
        upper: f64,
        #[param(rename = "type")]
        kind: f64,
        #[cfg_attr(all(), frozen)]
        late: f64,
        #[cfg_attr(any(), frozen)]
        never: f64,
    }
}

#[test]
fn attributes_may_come_through_a_macro() {
    let model = Through {
        w: 1.0,
        k: 2.0,
        s: 1.0,
        upper: 2.0,
        kind: 3.0,
        late: 4.0,
        never: 5.0,
    };
    assert_eq!(paths(&model), ["w", "k", "s", "type", "late", "never"]);
    // 1 is the middle of (0, 2).
    assert_eq!(flat(&model), [1.0, 0.0, 3.0, 5.0]);
    assert_eq!(leaves(&model)[2].tag(), Some("scales"));
    let _: &dyn Debug = &model.clone();
}

macro_rules! with {
    ($name:ident, $expr:expr, $path:path, $ident:ident, $rename:literal, $tag:expr) => {
        #[derive(Module)]
        struct $name {
            #[param(transform = $expr)]
            by_expr: f64,
            #[param(transform = $path)]
            by_path: f64,
            #[param(transform = $ident, rename = $rename, tag = $tag)]
            by_ident: f64,
            #[param(transform = Interval::new(self.low, $crate::macros::ONE))]
            by_macro: f64,
            #[frozen]
            low: f64,
        }
    };
}

const ONE: f64 = 1.0;

with!(
    FromOutside,
    Interval::new(self.low, 2.0 * ONE),
    paramtree::transform::Positive,
    Positive,
    "named",
    "tagged"
);

#[test]
fn transforms_may_come_through_a_macro() {
    let mut model = FromOutside {
        by_expr: 0.5,
        by_path: 1.0,
        by_ident: 1.0,
        by_macro: 0.0,
        low: -1.0,
    };
    // The middle of (-1, 2), ln 1 twice, and the middle of (-1, 1).
    assert_eq!(flat(&model), [0.0; 4]);
    double(&mut model);
    assert_eq!(flat(&model), [0.0; 4]);
    let leaf = &leaves(&model)[2];
    assert_eq!((leaf.path(), leaf.tag()), ("named", Some("tagged")));
}

macro_rules! forward {
    ($($tokens:tt)*) => {
        with!($($tokens)*);
    };
}

forward!(
    TwiceRemoved,
    match ONE {
        1.0 => Interval::new(self.low, { ONE } + 0.0),
        upper => Interval::new(0, upper),
    },
    Positive,
    Positive,
    "a",
    "b"
);

#[test]
fn macros_may_call_macros() {
    let model = TwiceRemoved {
        by_expr: 0.0,
        by_path: 1.0,
        by_ident: 1.0,
        by_macro: 0.0,
        low: -1.0,
    };
    assert_eq!(flat(&model), [0.0; 4]);
}

macro_rules! variants {
    ($name:ident { $($variant:ident($($type:ty),*)),* } $extra:ident) => {
        #[derive(Module)]
        enum $name {
            $($variant($($type),*),)*
            $extra { w: f64 },
        }
    };
}

variants!(Act { Relu(), Prelu(f64), Poly(Vec<f64>, number!()) } Last);

#[test]
fn variants_may_come_through_a_macro() {
    assert!(paths(&Act::Relu()).is_empty());
    assert_eq!(paths(&Act::Prelu(1.0)), ["Prelu"]);
    assert_eq!(paths(&Act::Poly(vec![1.0], 2.0)), ["Poly.0", "Poly.1"]);
    assert_eq!(paths(&Act::Last { w: 1.0 }), ["Last.w"]);
}

/// A facade whose own macro derives for those that know neither it nor the library.
mod facade {
    pub(crate) use ::paramtree;

    macro_rules! module {
        ($name:ident { $($field:ident: $type:ty),* }) => {
            #[derive($crate::macros::facade::paramtree::Module)]
            #[module(crate = $crate::macros::facade::paramtree)]
            struct $name {
                $($field: $type,)*
            }
        };
    }
    pub(crate) use module;
}

mod client {
    super::facade::module!(Client { w: f64, v: Vec<f64> });

    #[test]
    fn the_crate_may_be_found_through_a_macro() {
        let client = Client {
            w: 1.0,
            v: vec![2.0],
        };
        assert_eq!(crate::flat(&client), [1.0, 2.0]);
    }
}
