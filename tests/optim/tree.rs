//! Random trees, and random gradients for them.

use std::collections::{BTreeSet, HashMap};

use ndarray::{Array1, Array2, Slice};
use paramtree::transform::{Ordered, Positive, Simplex, Transform, UnitInterval};
use paramtree::{At, Constrained, Element, Frozen, LeafMut, Mask, Module, VisitorMut};
use proptest::collection::{hash_map, vec};
use proptest::prelude::*;

#[derive(Clone, Debug, Module)]
pub(crate) enum Tree {
    Nothing,
    Wide(f64),
    Narrow {
        x: f32,
    },
    Singles(Vec<f32>),
    Matrix(Array2<f64>),
    Scales {
        #[param(transform = Positive)]
        scales: Array2<f64>,
    },
    Shares(#[param(transform = Simplex)] Vec<f32>),
    Cuts(#[param(transform = Ordered)] Array1<f64>),
    Rate(Constrained<f64, UnitInterval>),
    Held(#[frozen] Array1<f64>, Frozen<f32>),
    HeldScale {
        #[frozen]
        #[param(transform = Positive)]
        scale: f64,
    },
    Count(i64, Vec<bool>),
    Maybe(Option<Box<Tree>>),
    Many(Vec<Tree>),
    Hashed(HashMap<u8, Tree>),
    Half {
        open: Box<Tree>,
        #[frozen]
        held: Box<Tree>,
    },
}

/// Any number at all, seldom; else one of no great size.
fn wide() -> impl Strategy<Value = f64> {
    let any_bits = any::<u64>().prop_map(f64::from_bits);
    prop_oneof![1 => any_bits, 9 => -10.0..10.0]
}

/// Any but NaN, whose payload may change on its way through `f64`.
fn narrow() -> impl Strategy<Value = f32> {
    wide().prop_map(|x| if x.is_nan() { -0.0 } else { rounded(x) })
}

#[allow(clippy::cast_possible_truncation)] // a random number, whichever
fn rounded(x: f64) -> f32 {
    x as f32
}

/// A positive number, or seldom one that is not.
fn scale() -> impl Strategy<Value = f64> {
    prop_oneof![30 => 0.01..10.0, 1 => Just(-1.0), 1 => Just(f64::NAN), 1 => Just(1e-310)]
}

/// A matrix in standard order, column after column, or backwards with holes.
fn matrix(number: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Array2<f64>> {
    let shape = (0..=3_usize, 0..=3_usize);
    let wide = shape.prop_flat_map(move |(rows, columns)| {
        let numbers = vec(number.clone(), 4 * rows * columns);
        numbers.prop_map(move |numbers| {
            Array2::from_shape_vec((2 * rows, 2 * columns), numbers).unwrap()
        })
    });
    (wide, 0..3).prop_map(|(wide, order)| match order {
        0 => wide,
        1 => wide.reversed_axes(),
        _ => {
            let mut strided = wide;
            strided.slice_each_axis_inplace(|_| Slice::new(0, None, -2));
            strided
        }
    })
}

/// Shares of 1.
fn shares() -> impl Strategy<Value = Vec<f32>> {
    vec(0.1..1.0_f32, 1..5).prop_map(|mut parts| {
        let sum: f32 = parts.iter().sum();
        for part in &mut parts {
            *part /= sum;
        }
        parts
    })
}

fn cuts() -> impl Strategy<Value = Array1<f64>> {
    let steps = vec(0.1..3.0, 0..5);
    (-5.0..5.0, steps).prop_map(|(first, steps): (f64, Vec<f64>)| {
        let sums = steps.iter().scan(first, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        sums.collect()
    })
}

/// A probability with its coordinate, which may be beyond what its digits can say.
fn rate() -> impl Strategy<Value = Tree> {
    (-50.0..50.0).prop_map(|x| {
        let mut rate = Constrained::new(0.5, UnitInterval).unwrap();
        rate.set_unconstrained(&[x]).unwrap();
        Tree::Rate(rate)
    })
}

fn leaf() -> impl Strategy<Value = Tree> {
    let singles = vec(narrow(), 0..5);
    prop_oneof![
        Just(Tree::Nothing),
        wide().prop_map(Tree::Wide),
        narrow().prop_map(|x| Tree::Narrow { x }),
        singles.prop_map(Tree::Singles),
        matrix(wide().boxed()).prop_map(Tree::Matrix),
        matrix(scale().boxed()).prop_map(|scales| Tree::Scales { scales }),
        shares().prop_map(Tree::Shares),
        cuts().prop_map(Tree::Cuts),
        rate(),
        (vec(wide(), 0..4), narrow())
            .prop_map(|(table, x)| Tree::Held(table.into(), Frozen::new(x))),
        wide().prop_map(|scale| Tree::HeldScale { scale }),
        any::<(i64, Vec<bool>)>().prop_map(|(n, flags)| Tree::Count(n, flags)),
    ]
}

pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let branch = leaf().prop_recursive(3, 20, 4, |tree| {
        prop_oneof![
            proptest::option::of(tree.clone().prop_map(Box::new)).prop_map(Tree::Maybe),
            vec(tree.clone(), 1..5).prop_map(Tree::Many),
            hash_map(any::<u8>(), tree.clone(), 0..4).prop_map(Tree::Hashed),
            (tree.clone(), tree).prop_map(|(open, held)| Tree::Half {
                open: Box::new(open),
                held: Box::new(held),
            }),
        ]
    });
    vec(branch, 1..6).prop_map(Tree::Many)
}

/// A mask that trains the leaves that the flags say, in turn.
pub(crate) fn masked(tree: &Tree, flags: &[bool]) -> Mask {
    let mut mask = Mask::of(tree);
    let mut flags = flags.iter().cycle();
    mask.freeze_if(|_| !flags.next().copied().unwrap_or(true));
    mask
}

/// What frozen leaves are offered.
const BAD: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300];

/// A gradient: random numbers for the leaves that train, bad ones for those that do not. If
/// `spoilt`, all are bad.
pub(crate) fn gradient(tree: &Tree, mask: &Mask, numbers: &[f64], spoilt: bool) -> Tree {
    let trained = mask.trained().map(|leaf| leaf.path().to_owned());
    let mut fill = Fill {
        trained: trained.collect(),
        numbers: numbers.iter().copied().cycle(),
        bad: BAD.into_iter().cycle(),
        spoilt,
    };
    let mut gradient = tree.clone();
    gradient.visit_mut(At::root(), &mut fill);
    gradient
}

struct Fill<N, B> {
    trained: BTreeSet<String>,
    numbers: N,
    bad: B,
    spoilt: bool,
}

impl<'a, N, B> VisitorMut<'a> for Fill<N, B>
where
    N: Iterator<Item = f64>,
    B: Iterator<Item = f64>,
{
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        let good = self.trained.contains(&at.to_string()) && !self.spoilt;
        let mut next = || {
            if good {
                self.numbers.next()
            } else {
                self.bad.next()
            }
        };
        match leaf {
            LeafMut::Scalar(value) => write(value, next()),
            LeafMut::Vector(values) => values.iter_mut().for_each(|v| write(v, next())),
            LeafMut::Vec(values) => values.iter_mut().for_each(|v| write(v, next())),
            LeafMut::Array(array) => array
                .array_view_mut()
                .iter_mut()
                .for_each(|v| write(v, next())),
            LeafMut::Shared(_) => {}
        }
    }
}

/// Writes a number, if the element is one that can train.
fn write<T: Element>(element: &mut T, number: Option<f64>) {
    let element: &mut dyn std::any::Any = element;
    if let Some(wide) = element.downcast_mut::<f64>() {
        *wide = number.unwrap();
    } else if let Some(narrow) = element.downcast_mut::<f32>() {
        *narrow = rounded(number.unwrap());
    }
}
