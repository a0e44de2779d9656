//! Names that a generated name could meet.

use ndarray::{Array1, array};
use paramtree::transform::Positive;
use paramtree::{Mask, Module, leaves};

use crate::{flat, is_module, paths};

#[derive(Module)]
struct Names {
    path: f64,
    visitor: f64,
    f: f64,
    mask: f64,
    out: f64,
    index: f64,
    value: f64,
    values: f64,
    name: f64,
    state: f64,
    i: f64,
    n: f64,
    acc: f64,
    grads: f64,
    leaf: f64,
    this: f64,
    other: f64,
    prefix: f64,
    cursor: f64,
    result: f64,
    context: f64,
    flat: f64,
    offset: f64,
    __self: f64,
    _0: f64,
}

#[test]
fn fields_may_be_named_like_locals() {
    let mut names = Names {
        path: 0.0,
        visitor: 1.0,
        f: 2.0,
        mask: 3.0,
        out: 4.0,
        index: 5.0,
        value: 6.0,
        values: 7.0,
        name: 8.0,
        state: 9.0,
        i: 10.0,
        n: 11.0,
        acc: 12.0,
        grads: 13.0,
        leaf: 14.0,
        this: 15.0,
        other: 16.0,
        prefix: 17.0,
        cursor: 18.0,
        result: 19.0,
        context: 20.0,
        flat: 21.0,
        offset: 22.0,
        __self: 23.0,
        _0: 24.0,
    };
    let order: Vec<f64> = (0..25).map(f64::from).collect();
    assert_eq!(flat(&names), order);
    let mut paths = paths(&names);
    assert_eq!(paths[23..], ["__self", "_0"]);
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 25);
    crate::double(&mut names);
    assert_eq!(flat(&names)[24..], [48.0]);
}

/// The names that the derive itself uses.
#[derive(Module)]
enum Generated {
    #[allow(non_camel_case_types)]
    __p {
        __p: f64,
        __at: f64,
        __v: f64,
        __0: f64,
        __1: f64,
    },
    #[allow(non_camel_case_types)]
    __v(f64, f64),
}

#[test]
fn fields_and_variants_may_be_named_like_generated_ones() {
    let model = Generated::__p {
        __p: 0.0,
        __at: 1.0,
        __v: 2.0,
        __0: 3.0,
        __1: 4.0,
    };
    assert_eq!(flat(&model), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(paths(&model)[1], "__p.__at");
    assert_eq!(paths(&Generated::__v(1.0, 2.0)), ["__v.0", "__v.1"]);
}

#[derive(Module)]
struct Kw {
    r#type: f64,
    r#match: Array1<f64>,
    #[frozen]
    r#impl: u8,
    r#fn: f64,
}

#[derive(Module)]
#[allow(non_camel_case_types)]
enum r#enum {
    r#type(f64),
    r#struct { r#where: r#dyn<f64> },
}

#[derive(Module)]
#[allow(non_camel_case_types)]
struct r#dyn<r#loop> {
    r#in: r#loop,
    r#box: Option<Box<r#dyn<r#loop>>>,
}

#[test]
fn raw_identifiers_lose_their_prefix() -> Result<(), paramtree::Error> {
    let kw = Kw {
        r#type: 1.0,
        r#match: array![2.0],
        r#impl: 3,
        r#fn: 4.0,
    };
    assert_eq!(paths(&kw), ["type", "match", "impl", "fn"]);
    let mut mask = Mask::of(&kw);
    mask.freeze("type")?;
    assert!(!mask.trains("type")? && mask.trains("match")?);
    let error = mask.thaw("impl").unwrap_err().to_string();
    assert!(error.starts_with("`impl` is declared frozen"), "{error}");
    let error = mask.freeze("mtch").unwrap_err().to_string();
    assert!(error.ends_with("the nearest path is `match`"), "{error}");

    assert_eq!(paths(&r#enum::r#type(1.0)), ["type"]);
    let inner = r#dyn {
        r#in: 1.0,
        r#box: None,
    };
    let model = r#enum::r#struct { r#where: inner };
    assert_eq!(paths(&model), ["struct.where.in"]);
    Ok(())
}

/// Declared raw, used plain.
#[derive(Module)]
struct r#Node<r#T> {
    w: T,
    next: Option<Box<Node<T>>>,
}

#[test]
fn a_raw_name_is_the_plain_name() {
    let end = Box::new(Node { w: 2.0, next: None });
    let node = Node {
        w: 1.0,
        next: Some(end),
    };
    assert_eq!(flat(&node), [1.0, 2.0]);
}

#[derive(Module)]
#[allow(non_camel_case_types, non_upper_case_globals)]
struct Params<'a, 'visitor, V, A, M, Module, Visitor, At, visitor, const at: usize, const x: bool> {
    v: V,
    a: A,
    m: M,
    module: Module,
    more: (Visitor, At),
    visitor: visitor,
    at: [f64; at],
    #[frozen]
    borrowed: (&'a mut [f64], &'visitor mut f64),
}

#[test]
fn parameters_may_have_unusual_names() {
    let (mut slice, mut value) = ([8.0], 9.0);
    let model = Params::<_, _, _, _, _, _, _, 1, true> {
        v: 1.0,
        a: 2.0,
        m: 3.0,
        module: 4.0,
        more: (5.0, 6.0),
        visitor: 7.0,
        at: [8.0],
        borrowed: (&mut slice, &mut value),
    };
    assert_eq!(flat(&model), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(leaves(&model).len(), 10);
}

#[derive(Module)]
struct Lifetimes<'v, 'v_, 'r#fn, '__, T> {
    #[frozen]
    first: &'v [T],
    second: &'v_ mut T,
    #[frozen]
    third: &'r#fn str,
    #[frozen]
    fourth: &'__ str,
}

#[derive(Module)]
struct HigherRanked<'a> {
    call: for<'v> fn(&'v f64) -> f64,
    #[param(transform = by_reference(first as for<'v, 'v_> fn(&'v [f64], &'v_ [f64]) -> f64))]
    w: &'a mut f64,
}

fn first(numbers: &[f64], _: &[f64]) -> f64 {
    numbers[0]
}

fn by_reference(_: impl Fn(&[f64], &[f64]) -> f64) -> Positive {
    Positive
}

#[test]
fn lifetimes_may_be_named_like_generated_ones() {
    let mut second = 2.0;
    let model = Lifetimes {
        first: &[1.0],
        second: &mut second,
        third: "third",
        fourth: "fourth",
    };
    assert_eq!(paths(&model), ["first", "second"]);
    assert_eq!(flat(&model), [2.0]);
    second = 1.0;
    let model = HigherRanked {
        call: |x| *x,
        w: &mut second,
    };
    // ln 1 = 0.
    assert_eq!(flat(&model), [0.0]);
}

mod shadowed {
    //! Items that hide those of the library and of the prelude.

    use ::paramtree::Module as Derive;

    pub(super) struct Module;
    pub(super) struct At;
    pub(super) trait Visitor {}
    pub(super) trait Param {}
    pub(super) mod paramtree {}
    pub(super) mod core {}

    #[derive(Derive)]
    pub(super) struct Model {
        pub(super) w: f64,
        #[param(transform = ::paramtree::transform::Positive)]
        pub(super) s: Option<f64>,
        #[param(skip)]
        pub(super) _skipped: (Module, At),
    }

    impl Visitor for At {}
    impl Param for At {}

    pub(super) fn both(_: impl Visitor + Param) {}
}

#[test]
fn names_of_the_library_may_be_taken() {
    use shadowed::{At, Model, Module, both};
    both(At);
    let model = Model {
        w: 1.0,
        s: Some(1.0),
        _skipped: (Module, At),
    };
    // ln 1 = 0.
    assert_eq!(flat(&model), [1.0, 0.0]);
    is_module::<Model>();
}

/// Methods that a call by name would find first.
#[derive(Module)]
struct Methods {
    w: Loud,
}

#[derive(Module)]
struct Loud(f64);

impl Loud {
    #[allow(dead_code, clippy::unused_self)]
    fn visit(&self) -> ! {
        panic!("the derive calls by full path")
    }

    #[allow(dead_code, clippy::unused_self)]
    fn visit_mut(&mut self) -> ! {
        panic!("the derive calls by full path")
    }
}

#[test]
fn methods_of_the_same_name_are_not_called() {
    let mut model = Methods { w: Loud(1.0) };
    crate::double(&mut model);
    assert_eq!(paths(&model), ["w.0"]);
    assert_eq!(flat(&model), [2.0]);
}
