//! Structs of every shape and fields of every kind.

use std::collections::{BTreeMap, HashMap, VecDeque};

use ndarray::{Array0, Array1, Array2, array};
use paramtree::transform::Positive;
use paramtree::{Mask, Module, Standing, leaves};

use crate::{double, flat, paths};

#[derive(Module)]
struct Tup(
    f64,
    Array1<f64>,
    #[frozen] usize,
    #[param(transform = Positive)] f64,
);

#[test]
fn unnamed_fields_are_named_by_their_index() -> Result<(), paramtree::Error> {
    let mut tup = Tup(2.0, array![3.0], 4, 1.0);
    assert_eq!(paths(&tup), ["0", "1", "2", "3"]);
    assert_eq!(leaves(&tup)[2].standing(), Standing::Declared);
    assert_eq!(leaves(&tup)[3].transform(), Some("Positive"));
    let mut mask = Mask::of(&tup);
    mask.freeze("0")?;
    assert!(!mask.trains("0")? && mask.trains("1")? && mask.trains("3")?);
    // ln 1 = 0.
    assert_eq!(flat(&tup), [2.0, 3.0, 0.0]);
    double(&mut tup);
    assert_eq!((tup.0, tup.2, tup.3), (4.0, 4, 1.0));
    Ok(())
}

#[derive(Module)]
struct Unit;

#[derive(Module)]
struct NoFields {}

#[derive(Module)]
struct NoUnnamed();

#[derive(Module)]
struct OfNothing<const N: usize> {
    unit: Unit,
    more: (NoFields, NoUnnamed, ()),
    many: [Unit; N],
}

#[test]
fn structs_without_leaves_are_modules() {
    let mut nothing = OfNothing {
        unit: Unit,
        more: (NoFields {}, NoUnnamed(), ()),
        many: [Unit, Unit],
    };
    assert!(leaves(&nothing).is_empty());
    double(&mut nothing);
}

#[derive(Module)]
struct Plain {
    name: String,
    cb: fn(f64) -> f64,
    w: f64,
}

#[test]
fn what_cannot_train_needs_no_attribute() {
    let mut plain = Plain {
        name: String::from("plain"),
        cb: f64::sqrt,
        w: 2.0,
    };
    assert_eq!(paths(&plain), ["w"]);
    double(&mut plain);
    assert_eq!((plain.name.as_str(), plain.w), ("plain", 4.0));
    assert!((plain.cb)(4.0) > 1.9);
}

#[derive(Module)]
struct Bag {
    h: HashMap<String, Array1<f64>>,
    v: Vec<Array1<f64>>,
    o: Option<Box<Array1<f64>>>,
    t: (Array1<f64>, f64),
    n: Vec<HashMap<String, Array1<f64>>>,
}

#[test]
fn containers_are_walked_through() {
    let mut bag = Bag {
        h: HashMap::from([("k".to_owned(), array![1.0, 2.0])]),
        v: vec![array![3.0], array![4.0]],
        o: Some(Box::new(array![5.0])),
        t: (array![6.0], 7.0),
        n: vec![HashMap::from([("z".to_owned(), array![8.0, 9.0])])],
    };
    assert_eq!(
        paths(&bag),
        ["h.k", "v.0", "v.1", "o", "t.0", "t.1", "n.0.z"]
    );
    let numbers: Vec<f64> = (1..10).map(f64::from).collect();
    assert_eq!(flat(&bag), numbers);
    double(&mut bag);
    let doubled: Vec<f64> = (1..10).map(|i| f64::from(2 * i)).collect();
    assert_eq!(flat(&bag), doubled);
}

#[derive(Module)]
struct Numbers {
    z: Array0<f64>,
    single: f32,
    count: u64,
    flag: bool,
    labels: Array2<i32>,
    queue: VecDeque<f64>,
    fixed: [[f64; 2]; 1],
    ordered: BTreeMap<u8, f64>,
    slice: Box<[f32]>,
}

#[test]
fn numbers_of_every_type_are_leaves() {
    let numbers = Numbers {
        z: ndarray::arr0(1.0),
        single: 2.0,
        count: 3,
        flag: true,
        labels: array![[4]],
        queue: VecDeque::from([5.0]),
        fixed: [[6.0, 7.0]],
        ordered: BTreeMap::from([(1, 8.0)]),
        slice: Box::new([9.0]),
    };
    let inexact: Vec<_> = leaves(&numbers)
        .iter()
        .map(paramtree::Leaf::is_trainable)
        .collect();
    let expected = [true, true, false, false, false, true, true, true, true];
    assert_eq!(inexact, expected);
    assert_eq!(flat(&numbers), [1.0, 2.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
}

mod visibility {
    //! Fields that only this module sees.

    use paramtree::Module;

    #[derive(Module, Default)]
    pub(crate) struct Sealed {
        private: f64,
        pub(super) inner: f64,
        pub(crate) wide: f64,
    }
}

#[test]
fn private_fields_are_walked() {
    let sealed = visibility::Sealed::default();
    assert_eq!(paths(&sealed), ["private", "inner", "wide"]);
    assert!(sealed.inner + sealed.wide < 1.0);
}

#[derive(Module)]
#[repr(C, align(64))]
struct Aligned {
    w: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Module)]
#[must_use]
#[non_exhaustive]
#[doc(alias = "other")]
struct Decorated {
    #[doc = "Documented."]
    w: f64,
    #[doc(hidden)]
    v: f64,
}

#[test]
fn other_attributes_and_derives_stand_beside() {
    assert_eq!(paths(&Aligned { w: 1.0 }), ["w"]);
    assert_eq!(paths(&Decorated { w: 1.0, v: 2.0 }), ["w", "v"]);
}
