//! Enums: the variant is part of the path.

use ndarray::{Array1, array};
use paramtree::transform::Positive;
use paramtree::{Error, Layout, Mask, Module, Standing, leaves};

use crate::{NoModule, double, flat, paths};

#[derive(Module)]
enum Nothing {}

#[derive(Module)]
struct Uses {
    o: Option<Box<Nothing>>,
    v: Vec<Nothing>,
    w: f64,
}

#[derive(Module)]
enum Either<T> {
    Live(f64),
    #[allow(dead_code)]
    Dead(Nothing, T),
    #[allow(dead_code)]
    Never(Infallible),
}

#[derive(Module)]
enum Infallible {}

#[test]
fn enums_without_variants_are_modules() {
    let mut uses = Uses {
        o: None,
        v: Vec::new(),
        w: 1.0,
    };
    assert_eq!(flat(&uses), [1.0]);
    double(&mut uses);
    assert_eq!(paths(&uses), ["w"]);
    let either: Either<Infallible> = Either::Live(1.0);
    assert_eq!(paths(&either), ["Live"]);
}

#[derive(Module)]
enum Act {
    Relu,
    Prelu { slope: f64 },
    Poly(Vec<f64>),
    Two(f64, #[frozen] f64, Array1<f64>),
}

#[derive(Module)]
struct Net {
    act: Act,
    w: f64,
}

#[test]
fn masks_and_vectors_of_one_variant_do_not_fit_another() -> Result<(), Error> {
    let slope = Act::Prelu { slope: 0.25 };
    let mut net = Net { act: slope, w: 1.0 };
    assert_eq!(paths(&net), ["act.Prelu.slope", "w"]);
    let (mask, layout) = (Mask::of(&net), Layout::of(&net)?);
    let x: Vec<f64> = layout.flatten(&net)?;
    assert_eq!(x, [0.25, 1.0]);

    net.act = Act::Poly(vec![2.0, 3.0, 4.0]);
    assert_eq!(flat(&net), [2.0, 3.0, 4.0, 1.0]);
    let expected = Error::Structure {
        missing: Some("act.Prelu.slope".to_owned()),
        surplus: Some("act.Poly".to_owned()),
    };
    assert_eq!(mask.check(&net), Err(expected.clone()));
    assert_eq!(layout.unflatten(&mut net, &x), Err(expected));
    assert_eq!(flat(&net), [2.0, 3.0, 4.0, 1.0]);

    // A variant without leaves is another structure, too.
    net.act = Act::Relu;
    assert!(mask.check(&net).is_err() && Layout::new(&net, &mask).is_err());
    Ok(())
}

#[test]
fn every_variant_trains_what_it_holds() {
    let mut two = Act::Two(1.0, 2.0, array![3.0]);
    assert_eq!(paths(&two), ["Two.0", "Two.1", "Two.2"]);
    assert_eq!(leaves(&two)[1].standing(), Standing::Declared);
    double(&mut two);
    assert!(matches!(two, Act::Two(2.0, 2.0, rest) if rest == array![6.0]));
    assert_eq!(paths(&Act::Poly(vec![1.0])), ["Poly"]);
    assert!(paths(&Act::Relu).is_empty());
}

#[derive(Module)]
enum Shapes<'a> {
    Unit,
    NoFields {},
    NoUnnamed(),
    Skipped(#[param(skip)] NoModule),
    AllSkipped(#[param(skip)] NoModule, #[param(skip)] NoModule),
    OneOfTwo(#[param(skip)] NoModule, f64),
    SomeNamed {
        #[param(skip)]
        _cache: NoModule,
        #[param(transform = Positive)]
        scale: f64,
        #[frozen]
        data: &'a [f64],
    },
}

#[test]
fn variants_have_every_shape() {
    let skipped = NoModule;
    let empty = [
        Shapes::Unit,
        Shapes::NoFields {},
        Shapes::NoUnnamed(),
        Shapes::Skipped(skipped),
        Shapes::AllSkipped(skipped, skipped),
    ];
    for shape in &empty {
        assert!(leaves(shape).is_empty());
    }
    assert_eq!(paths(&Shapes::OneOfTwo(skipped, 1.0)), ["OneOfTwo.1"]);
    let mut named = Shapes::SomeNamed {
        _cache: skipped,
        scale: 1.0,
        data: &[2.0],
    };
    assert_eq!(paths(&named), ["SomeNamed.scale", "SomeNamed.data"]);
    assert_eq!(leaves(&named)[1].standing(), Standing::Shared);
    // ln 1 = 0.
    assert_eq!(flat(&named), [0.0]);
    double(&mut named);
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Module)]
#[repr(i8)]
enum Discriminants {
    #[default]
    A = -1,
    B = { 1 + 2 },
    C = Self::LAST,
    D = if cfg!(all()) { 5 } else { 6 },
}

impl Discriminants {
    const LAST: i8 = 4;
}

#[test]
fn discriminants_are_any_expression() {
    for value in [
        Discriminants::A,
        Discriminants::B,
        Discriminants::C,
        Discriminants::D,
    ] {
        assert!(leaves(&value).is_empty());
    }
}
