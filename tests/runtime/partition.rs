//! Taking a model apart and putting it together again.

use ndarray::{ArcArray1, Array0, Array1, Array2, Array3, ArrayD, ArrayViewMut1, CowArray, Ix1};
use ndarray::{Axis, Slice, array};
use paramtree::transform::Positive;
use paramtree::{By, Error, Leaf, Mask, Module, Params, Rejected, partition, partition_by};

use crate::{bits, paths};

/// Has leaves, and neither `Default` nor `Clone`.
#[derive(Debug, PartialEq, Module)]
struct Table(Vec<f64>);

#[derive(Debug, Module)]
struct P {
    w: Array1<f64>,
    #[frozen]
    name: String,
    #[frozen]
    act: fn(f64) -> f64,
    #[frozen]
    table: Table,
}

#[test]
fn fields_that_are_no_parameters_come_back() {
    let mut model = P {
        w: array![1.0, -2.0],
        name: "p".into(),
        act: f64::abs,
        table: Table(vec![5.0]),
    };
    let layout = paramtree::Layout::of(&model).unwrap();
    let mut x: Vec<f64> = layout.flatten(&model).unwrap();
    for x in &mut x {
        *x *= 2.0;
    }
    layout.unflatten(&mut model, &x).unwrap();

    let mask = Mask::of(&model);
    let (params, rest) = partition(model, &mask).unwrap();
    let model = rest.combine([params]).unwrap();
    assert_eq!(model.w, array![2.0, -4.0]);
    assert_eq!(model.name, "p");
    assert_eq!((model.act)(-3.0), 3.0);
    assert_eq!(model.table, Table(vec![5.0]));
}

#[derive(Clone, Debug, Module)]
struct O {
    b: Option<Array1<f64>>,
    w: f64,
    v: Vec<f32>,
    k: f64,
}

fn o() -> O {
    O {
        b: None,
        w: 1.0,
        v: vec![2.0, 3.0],
        k: 4.0,
    }
}

fn names<'l>(leaves: impl Iterator<Item = &'l Leaf>) -> Vec<&'l str> {
    leaves.map(Leaf::path).collect()
}

#[test]
fn the_halves_know_what_they_hold() {
    let mut mask = Mask::of(&o());
    mask.freeze("k").unwrap();
    let (params, rest) = partition(o(), &mask).unwrap();
    assert_eq!(names(params.leaves()), ["w", "v"]);
    assert_eq!(names(rest.missing()), ["w", "v"]);
    assert_eq!((params.len(), params.is_empty()), (2, false));
    // What was taken out is a module itself.
    assert_eq!(paths(&params), ["w", "v"]);
    let back = rest.combine([params]).unwrap();
    assert_eq!(bits(&back), bits(&o()));
    assert!(back.b.is_none());
}

fn two_parts() -> (Vec<Params>, paramtree::Rest<O>) {
    let mut mask = Mask::of(&o());
    mask.freeze("k").unwrap();
    partition_by(o(), &mask, &[By::Pattern("w"), By::Pattern("v")]).unwrap()
}

#[test]
fn the_order_of_the_parts_is_free() {
    for reversed in [false, true] {
        let (mut parts, rest) = two_parts();
        if reversed {
            parts.reverse();
        }
        assert_eq!(bits(&rest.combine(parts).unwrap()), bits(&o()));
    }
}

#[test]
fn a_missing_leaf_is_named_and_everything_comes_back() {
    let (mut parts, rest) = two_parts();
    let last = parts.pop().unwrap();
    let error = Error::MissingLeaf { path: "v".into() };
    let Rejected { error: got, value } = rest.combine(parts).unwrap_err();
    assert_eq!(got, error);
    let (rest, mut parts) = value;
    assert_eq!(names(rest.missing()), ["w", "v"]);
    let Rejected { error: got, value } = rest.combine([]).unwrap_err();
    assert_eq!(got, Error::MissingLeaf { path: "w".into() });
    parts.push(last);
    assert_eq!(bits(&value.0.combine(parts).unwrap()), bits(&o()));
}

#[test]
fn a_doubled_leaf_is_named() {
    let (mut parts, rest) = two_parts();
    parts.push(parts[1].clone());
    let rejected = rest.combine(parts).unwrap_err();
    assert_eq!(rejected.error, Error::DoubledLeaf { path: "v".into() });
    assert_eq!(rejected.value.1.len(), 3);

    // A half that brings what the other half has kept.
    let mask = Mask::of(&o());
    let (all, _) = partition(o(), &mask).unwrap();
    let (_, rest) = two_parts();
    let rejected = rest.combine([all]).unwrap_err();
    assert_eq!(rejected.error, Error::DoubledLeaf { path: "k".into() });
}

#[test]
fn a_half_of_another_model_of_the_same_structure_fits() {
    let mut other = o();
    (other.w, other.v, other.k) = (-1.0, vec![-2.0, -3.0], -4.0);
    let mut mask = Mask::of(&other);
    mask.freeze("k").unwrap();
    let (params, _) = partition(other, &mask).unwrap();
    let (_, rest) = two_parts();
    let mixed = rest.combine([params]).unwrap();
    assert_eq!((mixed.w, mixed.v, mixed.k), (-1.0, vec![-2.0, -3.0], 4.0));
}

#[test]
fn a_half_of_another_structure_is_refused() {
    let part_of = |model: O| partition(model.clone(), &Mask::of(&model)).unwrap();
    let mut longer = o();
    longer.v.push(0.0);
    let mut some = o();
    some.b = Some(array![1.0]);

    let (_, rest) = part_of(o());
    let rejected = rest.combine([part_of(longer).0]).unwrap_err();
    let shape = Error::Shape {
        path: "v".into(),
        expected: vec![2],
        got: vec![3],
    };
    assert_eq!(rejected.error, shape);
    let rejected = rejected.value.0.combine([part_of(some).0]).unwrap_err();
    let surplus = Error::Structure {
        missing: None,
        surplus: Some("b".into()),
    };
    assert_eq!(rejected.error, surplus);
    let (params, _) = partition(Table(vec![1.0]), &Mask::of(&Table(vec![1.0]))).unwrap();
    let rejected = rejected.value.0.combine([params]).unwrap_err();
    assert!(matches!(rejected.error, Error::OtherType { .. }));
    // Nothing was lost on the way.
    let (params, _) = part_of(o());
    assert_eq!(
        bits(&rejected.value.0.combine([params]).unwrap()),
        bits(&o())
    );
}

#[derive(Debug, Module)]
struct Buffers<'b> {
    one: Array1<f64>,
    two: Array2<f32>,
    three: Array3<f64>,
    any: ArrayD<f64>,
    arc: ArcArray1<f64>,
    cow: CowArray<'b, f64, Ix1>,
    vec: Vec<f64>,
    zero: Array0<f64>,
    tuple: (f64, [f32; 2]),
    view: ArrayViewMut1<'b, f64>,
    boxed: Box<[f64]>,
}

impl Buffers<'_> {
    fn addresses(&self) -> [usize; 7] {
        [
            self.one.as_ptr().addr(),
            self.two.as_ptr().addr(),
            self.three.as_ptr().addr(),
            self.any.as_ptr().addr(),
            self.arc.as_ptr().addr(),
            self.cow.as_ptr().addr(),
            self.vec.as_ptr().addr(),
        ]
    }
}

#[test]
fn buffers_are_moved_not_copied() {
    let mut storage = [1.0, 2.0];
    let model = Buffers {
        one: array![1.0, 2.0],
        two: array![[1.0, 2.0], [3.0, 4.0]],
        three: Array3::zeros((2, 1, 2)),
        any: ArrayD::ones(&[2, 3][..]),
        arc: ArcArray1::from(vec![7.0]),
        cow: array![8.0, 9.0].into(),
        vec: vec![1.0, 2.0, 3.0],
        zero: Array0::from_elem((), 3.0),
        tuple: (4.0, [5.0, 6.0]),
        view: ArrayViewMut1::from(&mut storage[..]),
        boxed: Box::new([1.0]),
    };
    let (before, addresses) = (bits(&model), model.addresses());
    let mask = Mask::of(&model);
    let (params, rest) = partition(model, &mask).unwrap();
    assert_eq!(bits(&params), before);
    let model = rest.combine([params]).unwrap();
    assert_eq!(bits(&model), before);
    assert_eq!(model.addresses(), addresses);
}

#[test]
fn the_memory_order_of_an_array_survives() {
    #[derive(Debug, Module)]
    struct Orders {
        fortran: Array2<f64>,
        strided: Array1<f64>,
        three: Array3<f64>,
    }
    let mut strided = Array1::range(0.0, 6.0, 1.0);
    strided.slice_axis_inplace(Axis(0), Slice::new(0, None, 2));
    strided.invert_axis(Axis(0));
    let mut three = Array3::from_shape_fn((2, 3, 2), |(i, j, k)| {
        f64::from(u8::try_from(6 * i + 2 * j + k).unwrap())
    });
    three.swap_axes(0, 2);
    let model = Orders {
        fortran: array![[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]].reversed_axes(),
        strided,
        three,
    };
    let before = bits(&model);
    let memory_order = model.fortran.strides().to_vec();
    let address = model.fortran.as_ptr();
    let mask = Mask::of(&model);
    let (params, rest) = partition(model, &mask).unwrap();
    assert_eq!(bits(&params), before);
    let model = rest.combine([params]).unwrap();
    assert_eq!(bits(&model), before);
    assert_eq!(model.strided, array![4.0, 2.0, 0.0]);
    assert_eq!(model.fortran.strides(), memory_order);
    assert_eq!(model.fortran.as_ptr(), address);
}

#[test]
fn a_leaf_without_elements_is_taken_and_given_back() {
    let model = || (Array2::<f64>::zeros((0, 3)), Vec::<f64>::new(), 1.0_f64);
    let (params, rest) = partition(model(), &Mask::of(&model())).unwrap();
    assert_eq!(names(params.leaves()), ["0", "1", "2"]);
    let back = rest.combine([params]).unwrap();
    assert_eq!(back, model());
}

#[derive(Debug, PartialEq, Module)]
struct Lin {
    w: f64,
    b: f64,
}

#[derive(Debug, PartialEq, Module)]
struct Net {
    enc: Lin,
    #[param(tag = "head")]
    dec: Lin,
    #[frozen]
    k: f64,
    n: u8,
}

fn net() -> Net {
    let lin = |w| Lin { w, b: w + 1.0 };
    let (enc, dec) = (lin(1.0), lin(3.0));
    Net {
        enc,
        dec,
        k: 5.0,
        n: 6,
    }
}

#[test]
fn groups_by_tag_and_by_pattern() {
    let mask = Mask::of(&net());
    let groups = [By::Tag("head"), By::Pattern("enc.w"), By::Pattern("*.b")];
    let (parts, rest) = partition_by(net(), &(&mask & &head_or_w(&mask)).unwrap(), &groups[..2])
        .expect("`enc.b` does not train, and needs no group");
    assert_eq!(names(parts[0].leaves()), ["dec.w", "dec.b"]);
    assert_eq!(names(parts[1].leaves()), ["enc.w"]);
    assert_eq!(names(rest.missing()), ["enc.w", "dec.w", "dec.b"]);
    assert_eq!(rest.combine(parts).unwrap(), net());
}

fn head_or_w(mask: &Mask) -> Mask {
    let mut mask = mask.clone();
    mask.freeze("enc.b").unwrap();
    mask
}

#[test]
fn leaves_in_no_group_are_listed() {
    let rejected = partition_by(net(), &Mask::of(&net()), &[By::Pattern("dec.w")]).unwrap_err();
    let paths = ["enc.w", "enc.b", "dec.b"].map(str::to_owned).to_vec();
    assert_eq!(rejected.error, Error::Unassigned { paths });
    assert_eq!(rejected.value, net());
    let text = rejected.to_string();
    assert_eq!(text, "in no group: `enc.w`, `enc.b`, `dec.b`");
}

#[test]
fn leaves_in_two_groups_are_listed_with_both() {
    let groups = [By::Pattern("**.w"), By::Pattern("enc"), By::Tag("head")];
    let rejected = partition_by(net(), &Mask::of(&net()), &groups).unwrap_err();
    let text = rejected.error.to_string();
    let listed = "in more than one group: `enc.w` (**.w and enc), `dec.w` (**.w and tag \"head\")";
    assert_eq!(text, listed);
    assert_eq!(rejected.value, net());
}

#[test]
fn an_overlap_is_named_even_where_leaves_are_in_no_group() {
    // `enc.w` is in both, `dec.b` in neither.
    let groups = [By::Pattern("**.w"), By::Pattern("enc")];
    let rejected = partition_by(net(), &Mask::of(&net()), &groups).unwrap_err();
    let text = rejected.error.to_string();
    for named in ["`enc.w`", "**.w", "enc"] {
        assert!(text.contains(named), "{text}");
    }
}

#[test]
fn a_group_that_selects_nothing_is_refused() {
    let mask = Mask::of(&net());
    for group in [
        By::Tag("haed"),
        By::Pattern("encoder"),
        By::Pattern("enc.w.0"),
    ] {
        let rejected = partition_by(net(), &mask, &[By::Pattern("**"), group]).unwrap_err();
        let named = format!("`{group}`");
        assert!(rejected.to_string().contains(&named), "{rejected}");
        assert_eq!(rejected.value, net());
    }
}

#[test]
fn halves_hold_natural_values() {
    #[derive(Debug, Module)]
    struct Scale(#[param(transform = Positive)] f64);
    let (params, rest) = partition(Scale(0.1), &Mask::of(&Scale(0.1))).unwrap();
    let flat: Vec<f64> = paramtree::Layout::of(&params)
        .unwrap()
        .flatten(&params)
        .unwrap();
    assert_eq!(flat, [0.1]);
    // A value outside the domain is none of their business.
    assert_eq!(rest.combine([params]).unwrap().0, 0.1);
}
