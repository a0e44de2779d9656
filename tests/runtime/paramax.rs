//! What paramax promises by its own tests, restated (`tests/test_wrappers.py` and
//! `tests/test_utils.py` of paramax 0.0.5).

use std::ops::Range;

use ndarray::{Array, Array1, Array2, ArrayD, ArrayView1, Axis, Dimension, IxDyn, array};
use paramtree::transform::{Positive, Softplus, Transform};
use paramtree::{Frozen, Layout, Module, Parameterization, Reparam, WeightNorm};

/// `softplus`, and its inverse.
#[test]
fn inv_softplus() {
    let (x, mut y, mut back) = ([1.0_f64, 2.0, 3.0], [0.0; 3], [0.0; 3]);
    Softplus.constrain(&x, &mut y, &[3]);
    Softplus.unconstrain(&y, &mut back, &[3]).unwrap();
    for (back, x) in back.iter().zip(x) {
        assert!((back - x).abs() < 1e-15);
    }
}

/// `Parameterize(jnp.diag, …)`, as a map of the last axis, so that it may be stacked.
#[derive(Module)]
struct Diagonal {
    of: ArrayD<f64>,
}

impl Parameterization for Diagonal {
    type Value = ArrayD<f64>;

    fn value(&self) -> ArrayD<f64> {
        let rank = self.of.ndim();
        let n = self.of.shape()[rank - 1];
        let mut value = ArrayD::zeros([self.of.shape(), &[n]].concat());
        for (k, mut column) in value.axis_iter_mut(Axis(rank)).enumerate() {
            let mut entries = column.index_axis_mut(Axis(rank - 1), k);
            entries.assign(&self.of.index_axis(Axis(rank - 1), k));
        }
        value
    }

    fn pullback(&self, bar: &ArrayD<f64>) -> Self {
        let rank = self.of.ndim();
        let mut of = self.of.clone();
        for (k, column) in bar.axis_iter(Axis(rank)).enumerate() {
            let entries = column.index_axis(Axis(rank - 1), k);
            of.index_axis_mut(Axis(rank - 1), k).assign(&entries);
        }
        Self { of }
    }
}

#[test]
fn parameterize() {
    let of = ArrayD::ones(vec![3]);
    let diagonal = Reparam::new(Diagonal { of });
    assert_eq!(*diagonal, Array2::<f64>::eye(3).into_dyn());
}

#[derive(Module)]
struct Square<M> {
    of: M,
}

impl Parameterization for Square<f64> {
    type Value = f64;
    fn value(&self) -> f64 {
        self.of * self.of
    }
    fn pullback(&self, bar: &f64) -> Self {
        Self {
            of: 2.0 * self.of * bar,
        }
    }
}

impl<M: Parameterization<Value = f64>> Parameterization for Square<Reparam<M>> {
    type Value = f64;
    fn value(&self) -> f64 {
        *self.of * *self.of
    }
    fn pullback(&self, bar: &f64) -> Self {
        Self {
            of: self.of.pullback(&(2.0 * *self.of * bar)),
        }
    }
}

#[test]
fn nested_unwrap() {
    let one = Reparam::new(Square { of: 2.0 });
    let two = Reparam::new(Square { of: one });
    let three = Reparam::new(Square { of: two });
    assert_eq!(*three, 256.0); // ((2²)²)²
}

#[test]
fn non_trainable() {
    #[derive(Module)]
    struct Model(Frozen<Array1<f64>>, Frozen<i64>);
    let model = Model(Frozen::new(Array1::ones(3)), Frozen::new(1));
    // The gradient of the sum is one in each place; nothing of it comes through.
    let gradient = Model(Frozen::new(Array1::ones(3)), Frozen::new(0));
    let layout = Layout::of(&model).unwrap();
    assert_eq!(layout.pullback::<f64, _>(&model, &gradient).unwrap(), []);
}

/// Numbers without order, from a linear congruence.
fn scattered(shape: &[usize]) -> ArrayD<f64> {
    let mut state = 12_345_u32;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / f64::from(u32::MAX) - 0.5
    })
}

#[test]
fn weight_normalization() {
    let weight = scattered(&[10, 3]);
    let mut wrapped = WeightNorm::of(weight.clone()).unwrap();
    // What paramax does not promise, and changes: the weight is what it was.
    assert_eq!(*wrapped, weight);
    for factor in [1.0, 0.25, 3.0] {
        wrapped.params_mut().scale *= factor;
        let norms = wrapped.map_axis(Axis(1), |row| row.dot(&row).sqrt());
        for (norm, scale) in norms.iter().zip(&wrapped.params().scale) {
            assert!((norm - scale).abs() <= 4.0 * f64::EPSILON * scale);
        }
    }
}

/// Points that increase over an interval, from the softmax of their distances.
#[derive(Module)]
struct Increasing {
    widths: ArrayD<f64>,
    #[frozen]
    interval: (f64, f64),
    #[frozen]
    min_width: f64,
    #[param(skip)]
    ends: Ends,
}

#[derive(Clone, Copy)]
enum Ends {
    Both,
    Lower,
    Upper,
    Neither,
}

impl Increasing {
    /// The number of distances.
    fn count(&self) -> usize {
        self.widths.shape()[self.widths.ndim() - 1]
    }

    /// What the softmax has to share out.
    fn spare(&self) -> f64 {
        let (low, high) = self.interval;
        high - low - self.min_width * f64::from(u32::try_from(self.count()).unwrap())
    }

    /// Which of the points, the ends included, are given.
    fn given(&self) -> Range<usize> {
        let n = self.count();
        match self.ends {
            Ends::Both => 0..n + 1,
            Ends::Lower => 0..n,
            Ends::Upper => 1..n + 1,
            Ends::Neither => 1..n,
        }
    }
}

fn softmax(row: &ArrayView1<'_, f64>) -> Vec<f64> {
    let total: f64 = row.iter().map(|x| x.exp()).sum();
    row.iter().map(|x| x.exp() / total).collect()
}

impl Parameterization for Increasing {
    type Value = ArrayD<f64>;

    fn value(&self) -> ArrayD<f64> {
        let (low, high) = self.interval;
        let (n, last) = (self.count(), Axis(self.widths.ndim() - 1));
        let mut shape = self.widths.shape().to_vec();
        shape[last.index()] = self.given().len();
        let mut value = ArrayD::zeros(shape);
        let rows = self.widths.lanes(last).into_iter();
        for (row, mut out) in rows.zip(value.lanes_mut(last)) {
            let mut points = vec![low];
            for share in softmax(&row) {
                points.push(points[points.len() - 1] + self.min_width + self.spare() * share);
            }
            points[n] = high;
            let given = &points[self.given()];
            out.iter_mut()
                .zip(given)
                .for_each(|(out, point)| *out = *point);
        }
        value
    }

    fn pullback(&self, bar: &ArrayD<f64>) -> Self {
        let (n, last) = (self.count(), Axis(self.widths.ndim() - 1));
        let mut widths = self.widths.clone();
        let rows = self.widths.lanes(last).into_iter().zip(bar.lanes(last));
        for ((row, bar), mut out) in rows.zip(widths.lanes_mut(last)) {
            let shares = softmax(&row);
            // A share moves all points behind it but the end, which stays.
            let behind = |i: usize| {
                let moved = self.given().zip(&bar).filter(|(j, _)| i < *j && *j < n);
                self.spare() * moved.map(|(_, bar)| bar).sum::<f64>()
            };
            let mean: f64 = (0..n).map(|i| shares[i] * behind(i)).sum();
            for (i, out) in out.iter_mut().enumerate() {
                *out = shares[i] * (behind(i) - mean);
            }
        }
        Self { widths, ..*self }
    }
}

/// The pull-back of a gradient beside central differences, whose error is about 1e-9.
fn pulls_back<P>(x: &ArrayD<f64>, wrap: impl Fn(ArrayD<f64>) -> P, of: impl Fn(&P) -> &ArrayD<f64>)
where
    P: Parameterization<Value = ArrayD<f64>>,
{
    let here = wrap(x.clone());
    let bar = scattered(here.value().shape());
    let along = |x: ArrayD<f64>| (wrap(x).value() * &bar).sum();
    let slopes = here.pullback(&bar);
    for (place, slope) in of(&slopes).indexed_iter() {
        let (mut left, mut right) = (x.clone(), x.clone());
        left[&place] -= 1e-5;
        right[&place] += 1e-5;
        let expected = (along(right) - along(left)) / 2e-5;
        assert!((slope - expected).abs() < 1e-8, "{slope}, not {expected}");
    }
}

#[test]
fn gradients() {
    let x = scattered(&[2, 4]);
    pulls_back(&x, |of| Diagonal { of }, |diagonal| &diagonal.of);
    pulls_back(&x, Exponential, |exponential| &exponential.0);
    for ends in [Ends::Both, Ends::Lower, Ends::Upper, Ends::Neither] {
        let (interval, min_width) = ((-1.0, 2.0), 0.1);
        let wrap = |widths| Increasing {
            widths,
            interval,
            min_width,
            ends,
        };
        pulls_back(&x, wrap, |increasing| &increasing.widths);
    }
}

#[test]
fn real_to_increasing_on_interval() {
    let cases: [(_, _, &[f64]); 5] = [
        (array![0.0, 0.0], Ends::Both, &[-1.0, 0.5, 2.0]),
        (array![0.0, 0.0], Ends::Lower, &[-1.0, 0.5]),
        (array![0.0, 0.0], Ends::Upper, &[0.5, 2.0]),
        (array![0.0, 0.0], Ends::Neither, &[0.5]),
        (array![-100.0, 0.0], Ends::Both, &[-1.0, -0.9, 2.0]),
    ];
    for (widths, ends, expected) in cases {
        let (widths, interval) = (widths.into_dyn(), (-1.0, 2.0));
        let points = Reparam::new(Increasing {
            widths,
            interval,
            min_width: 0.1,
            ends,
        });
        assert_eq!(points.len(), expected.len());
        for (point, expected) in points.iter().zip(expected) {
            assert!((point - expected).abs() < 1e-12, "{point}, not {expected}");
        }
    }
}

/// A stack of wrapped values is the wrapped stack: each part is what it is by itself.
fn stacks<V, D: Dimension>(event: &[usize], wrap: impl Fn(ArrayD<f64>) -> V)
where
    V: std::ops::Deref<Target = Array<f64, D>>,
{
    for shape in [&[][..], &[2], &[5, 2, 4]] {
        let stacked = scattered(&[shape, event].concat());
        let mut first = stacked.view();
        for _ in shape {
            first = first.index_axis_move(Axis(0), 0);
        }
        let (one, all) = (wrap(first.to_owned()), wrap(stacked));
        let mut zeroth = all.view().into_dyn();
        for _ in shape {
            zeroth = zeroth.index_axis_move(Axis(0), 0);
        }
        assert_eq!(one.view().into_dyn(), zeroth);
    }
}

#[derive(Module)]
struct Exponential(ArrayD<f64>);

impl Parameterization for Exponential {
    type Value = ArrayD<f64>;
    fn value(&self) -> ArrayD<f64> {
        let mut y = self.0.clone();
        let shape = y.shape().to_vec();
        let x: Vec<f64> = self.0.iter().copied().collect();
        Positive.constrain(&x, y.as_slice_mut().unwrap(), &shape);
        y
    }
    fn pullback(&self, bar: &ArrayD<f64>) -> Self {
        Self(bar * &self.value())
    }
}

#[test]
fn vectorization_invariance() {
    stacks(&[10], Frozen::new);
    stacks(&[10], |x| Reparam::new(Exponential(x)));
    stacks(&[10, 2], |x| WeightNorm::of(x).unwrap());
    stacks(&[3], |of| Reparam::new(Diagonal { of }));
    stacks(&[10], |widths| {
        let (interval, ends) = ((-7.0, 5.0), Ends::Upper);
        Reparam::new(Increasing {
            widths,
            interval,
            min_width: 0.2,
            ends,
        })
    });
}
