//! Parameters of types: where clauses, defaults, lifetimes, constants.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::marker::PhantomData;

use ndarray::{Array, Array1, ArrayD, Dimension, Ix2, array};
use paramtree::{Element, Inexact, Mask, Module, partition};

use crate::{NoModule, double, flat, is_module, paths};

#[derive(Module)]
struct Target<T> {
    live: T,
    #[frozen]
    lagged: T,
}

#[test]
fn one_parameter_trains_in_one_field_and_not_in_another() {
    let mut target = Target {
        live: array![1.0, 2.0],
        lagged: array![1.0, 2.0],
    };
    double(&mut target);
    assert_eq!(target.live, array![2.0, 4.0]);
    assert_eq!(target.lagged, array![1.0, 2.0]);

    // A `String` has no leaf, and thus nothing that must train.
    let names = Target {
        live: String::from("a"),
        lagged: String::from("b"),
    };
    assert!(paths(&names).is_empty());
}

#[derive(Module)]
struct Trailing<T>
where
    T: Clone,
    Vec<T>: Sized,
{
    a: T,
}

// rustfmt would take the empty clause away.
#[rustfmt::skip]
#[derive(Module)]
struct Empty<T> where { b: T }

#[derive(Module)]
struct Behind<T>(T)
where
    T: Clone;

#[derive(Module)]
struct OfSelf<T>
where
    Self: Sized,
    for<'r> &'r T: Copy,
{
    a: T,
}

#[derive(Module)]
enum Chosen<T>
where
    T: Copy,
    [T; 1]: Sized,
{
    One(T),
}

#[test]
fn where_clauses_stand_as_people_write_them() {
    assert_eq!(flat(&Trailing { a: 1.0 }), [1.0]);
    assert_eq!(flat(&Empty { b: 1.0 }), [1.0]);
    assert_eq!(flat(&Behind(1.0)), [1.0]);
    assert_eq!(flat(&OfSelf { a: 1.0 }), [1.0]);
    assert_eq!(flat(&Chosen::One(1.0)), [1.0]);
}

#[derive(Module)]
struct Defaults<T = f64, const N: usize = 3> {
    w: [T; N],
}

#[derive(Module)]
struct Nested<D: Dimension + 'static = Ix2, T: Element = f64, M = Defaults<T>> {
    array: Array<T, D>,
    more: M,
}

#[derive(Module)]
struct Computed<const N: usize = { 1 + 2 }, const F: bool = true, const C: char = 'c'> {
    w: [f64; N],
}

#[test]
fn parameters_have_defaults() {
    let defaults: Defaults = Defaults { w: [1.0; 3] };
    assert_eq!(flat(&defaults), [1.0; 3]);
    let defaults: Defaults<f32> = Defaults { w: [1.0; 3] };
    assert_eq!(flat(&defaults), [1.0; 3]);
    let defaults: Defaults<f32, 0> = Defaults { w: [] };
    assert_eq!(flat(&defaults), [0.0; 0]);
    let nested: Nested = Nested {
        array: array![[1.0]],
        more: defaults_of(2.0),
    };
    assert_eq!(flat(&nested), [1.0, 2.0, 2.0, 2.0]);
    let computed: Computed = Computed { w: [1.0; 3] };
    assert_eq!(flat(&computed), [1.0; 3]);
}

fn defaults_of<T: Copy>(value: T) -> Defaults<T> {
    Defaults { w: [value; 3] }
}

#[derive(Debug, Module)]
struct View<'a, T: 'a> {
    #[frozen]
    name: &'a str,
    #[frozen]
    data: &'a [T],
    w: f64,
}

#[derive(Module)]
struct Exclusive<'a, 'b: 'a, T> {
    w: &'a mut T,
    v: &'b mut [f64],
    #[param(skip)]
    _cache: &'a mut Vec<NoModule>,
}

#[test]
fn borrowed_data_stays_where_it_is() {
    let (name, data) = (String::from("n"), vec![1.0_f32, 2.0]);
    let mut view = View {
        name: &name,
        data: &data,
        w: 3.0,
    };
    assert_eq!(paths(&view), ["data", "w"]);
    double(&mut view);
    let mask = Mask::of(&view);
    let (params, rest) = partition(view, &mask).expect("the mask fits");
    let view = rest.combine([params]).expect("the halves fit");
    assert!((view.w - 6.0).abs() < f64::EPSILON);
    assert!(std::ptr::eq(view.name, name.as_str()));
    assert!(std::ptr::eq(view.data, data.as_slice()));
}

#[test]
fn mutable_borrows_train_what_they_point_at() {
    let (mut w, mut v, mut cache) = (1.0, [2.0, 3.0], vec![NoModule]);
    double(&mut Exclusive {
        w: &mut w,
        v: &mut v,
        _cache: &mut cache,
    });
    assert_eq!((w, v), (2.0, [4.0, 6.0]));
}

trait Kernel {
    type Hyper;
    type Data: ?Sized;
}

struct Rbf;

impl Kernel for Rbf {
    type Hyper = Vec<f64>;
    type Data = str;
}

#[derive(Module)]
struct Gp<'d, K: Kernel> {
    hyper: K::Hyper,
    more: Option<<K as Kernel>::Hyper>,
    #[frozen]
    data: &'d K::Data,
    #[frozen]
    kernel: PhantomData<K>,
}

#[test]
fn associated_types_are_bounded_and_their_owner_is_not() {
    let gp = Gp::<Rbf> {
        hyper: vec![1.0, 2.0],
        more: Some(vec![3.0]),
        data: "data",
        kernel: PhantomData,
    };
    assert_eq!(paths(&gp), ["hyper", "more"]);
    assert_eq!(flat(&gp), [1.0, 2.0, 3.0]);
}

trait Parts {
    type Part;
}

#[derive(Module)]
struct Whole<T> {
    parts: <Self as Parts>::Part,
    one: Box<<Whole<T> as Parts>::Part>,
    phantom: PhantomData<T>,
}

impl<T> Parts for Whole<T> {
    type Part = [Option<T>; 2];
}

#[test]
fn associated_types_of_the_struct_itself_are_bounded() {
    let whole = Whole {
        parts: [Some(1.0), None],
        one: Box::new([None, Some(2.0)]),
        phantom: PhantomData,
    };
    assert_eq!(paths(&whole), ["parts.0", "one.1"]);
    assert_eq!(flat(&whole), [1.0, 2.0]);
}

#[derive(Module)]
struct Hashed<V, S = std::hash::RandomState> {
    map: HashMap<String, V, S>,
}

#[test]
fn maps_take_any_hasher() {
    fn check<S: BuildHasher + Default>() {
        let map = [("b".to_owned(), 2.0), ("a".to_owned(), 1.0)];
        let hashed = Hashed::<f64, S> {
            map: map.into_iter().collect(),
        };
        assert_eq!(paths(&hashed), ["map.a", "map.b"]);
    }
    check::<std::hash::RandomState>();
    check::<BuildHasherDefault<DefaultHasher>>();
    is_module::<Hashed<f64, NoModule>>();
}

#[derive(Module)]
struct Loose<M: ?Sized> {
    bias: f64,
    rest: M,
}

#[test]
fn the_last_field_may_have_no_size() {
    let loose: Box<Loose<[f64]>> = Box::new(Loose {
        bias: 1.0,
        rest: [2.0, 3.0],
    });
    assert_eq!(flat(&loose), [1.0, 2.0, 3.0]);
    is_module::<Loose<str>>();
}

#[derive(Module)]
struct Dynamic<'a> {
    w: f64,
    #[param(skip)]
    link: Box<dyn Fn(f64) -> f64 + Send + 'a>,
    #[param(skip)]
    any: Box<dyn std::any::Any>,
}

#[test]
fn trait_objects_may_be_skipped() {
    let shift = 1.0;
    let model = Dynamic {
        w: 1.0,
        link: Box::new(|x| x + shift),
        any: Box::new(NoModule),
    };
    assert_eq!(flat(&model), [1.0]);
    assert!((model.link)(1.0) > 1.0 && model.any.is::<NoModule>());
}

type Layer<T> = (Array1<T>, Option<T>);
type Net<T, const N: usize = 2> = [Layer<T>; N];

#[derive(Module)]
struct Aliased<T: Inexact, const N: usize> {
    net: Net<T, N>,
    plain: Net<f64>,
    last: Layer<T>,
    any: ArrayD<T>,
}

#[test]
fn aliases_stand_for_their_types() {
    let layer = || (array![1.0], None);
    let aliased = Aliased {
        net: [layer()],
        plain: [layer(), layer()],
        last: (array![2.0], Some(3.0)),
        any: array![4.0].into_dyn(),
    };
    assert_eq!(flat(&aliased), [1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
}

#[derive(Module)]
struct Blocks<const N: usize> {
    #[allow(unused_braces)]
    plain: [f64; { N }],
    sum: [f64; 1 + 2],
    wrapped: Wrap<{ N }>,
    fixed: Wrap<{ 2 - 1 }>,
    nested: [[f64; N]; 2],
    cast: [f64; 'c' as usize - 'a' as usize],
    called: [f64; usize::pow(2, 1) % LAST],
    called_within: Option<Wrap<{ usize::pow(LAST, 1) - 1 }>>,
}

const LAST: usize = 3;

#[derive(Module)]
struct Wrap<const N: usize> {
    w: [f64; N],
}

#[test]
fn lengths_are_any_expression() {
    let blocks = Blocks::<1> {
        plain: [1.0],
        sum: [2.0; 3],
        wrapped: Wrap { w: [3.0] },
        fixed: Wrap { w: [4.0] },
        nested: [[5.0]; 2],
        cast: [6.0; 2],
        called: [7.0; 2],
        called_within: Some(Wrap { w: [8.0; 2] }),
    };
    let numbers = [
        1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 6.0, 7.0, 7.0, 8.0, 8.0,
    ];
    assert_eq!(flat(&blocks), numbers);
}
