//! What paramax promises by its own tests, restated (`tests/test_wrappers.py` and
//! `tests/test_utils.py` of paramax 0.0.5).

use ndarray::{Array, Array1, Array2, ArrayD, Axis, Dimension, IxDyn, array};
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

    fn pullback(&self, _: &ArrayD<f64>) -> Self {
        unimplemented!("no gradient is asked for")
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

impl Parameterization for Increasing {
    type Value = ArrayD<f64>;

    fn value(&self) -> ArrayD<f64> {
        let (low, high) = self.interval;
        let rank = self.widths.ndim();
        let mut shape = self.widths.shape().to_vec();
        let n = shape[rank - 1];
        let spare = high - low - self.min_width * f64::from(u32::try_from(n).unwrap());
        let (first, last) = match self.ends {
            Ends::Both => (0, n + 1),
            Ends::Lower => (0, n),
            Ends::Upper => (1, n + 1),
            Ends::Neither => (1, n),
        };
        shape[rank - 1] = last - first;
        let mut value = ArrayD::zeros(shape);
        let rows = self.widths.lanes(Axis(rank - 1)).into_iter();
        for (row, mut out) in rows.zip(value.lanes_mut(Axis(rank - 1))) {
            let total: f64 = row.iter().map(|x| x.exp()).sum();
            let mut points = vec![low];
            for x in row {
                points.push(points[points.len() - 1] + self.min_width + spare * x.exp() / total);
            }
            points[n] = high;
            out.iter_mut()
                .zip(&points[first..last])
                .for_each(|(out, point)| *out = *point);
        }
        value
    }

    fn pullback(&self, _: &ArrayD<f64>) -> Self {
        unimplemented!("no gradient is asked for")
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
