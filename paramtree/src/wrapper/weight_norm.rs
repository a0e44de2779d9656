//! `WeightNorm`: a weight as directions and lengths.

use ndarray::{Array, ArrayView1, ArrayViewMut1, Axis, Dimension, RemoveAxis};

use super::reparam::{Parameterization, Reparam};
use crate::at::At;
use crate::element::Inexact;
use crate::module::{Module, Visitor, VisitorMut};
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// A weight whose rows have a length of their own: g v / |v|.
///
/// A row runs along the last axis. `direction`, v, has the shape of the weight, `scale`, g,
/// that without the last axis. Both train, without constraint, as in the paper and in PyTorch:
/// the length of v is of no effect, and a negative g turns the row around.
///
/// A weight that is wrapped keeps its value bit for bit, but for rows at the ends of the range
/// of the number type. A row of v that has become zero has no direction: the value is then
/// zero, and so is its gradient with respect to v and g.
///
/// Source: Salimans and Kingma, "Weight Normalization", NIPS 2016, equations 2 and 3.
///
/// ```
/// use ndarray::{Array2, Ix2, array};
/// use paramtree::{Layout, Module, Reparam, WeightNorm};
///
/// #[derive(Module)]
/// struct Dense {
///     weight: Reparam<WeightNorm<f64, Ix2>>,
/// }
///
/// let mut dense = Dense { weight: WeightNorm::of(array![[3.0, 4.0], [0.0, 2.0]])? };
/// assert_eq!(*dense.weight, array![[3.0, 4.0], [0.0, 2.0]]); // a row of length 5 stays so
/// assert_eq!(dense.weight.params().scale, array![5.0, 2.0]);
///
/// let layout = Layout::of(&dense)?;
/// assert_eq!(layout.range("weight.scale"), Some(4..6));
/// layout.unflatten(&mut dense, &[3.0, 4.0, 0.0, 1.0, 10.0, 7.0])?;
/// assert_eq!(*dense.weight, array![[6.0, 8.0], [0.0, 7.0]]);
///
/// assert_eq!(
///     WeightNorm::of(Array2::<f64>::zeros((1, 2))).unwrap_err().to_string(),
///     "the norm 0 is not above 0",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WeightNorm<T, D: RemoveAxis> {
    /// v, of the weight's shape.
    pub direction: Array<T, D>,
    /// g, of the weight's shape without its last axis.
    pub scale: Array<T, D::Smaller>,
}

impl<T: Inexact, D: RemoveAxis + 'static> WeightNorm<T, D>
where
    D::Smaller: 'static,
{
    /// Wraps a weight.
    ///
    /// # Errors
    ///
    /// A row is zero, or its length infinite or NaN, or there is no axis (a weight of rank 0
    /// that was not known at compile time).
    pub fn of(weight: Array<T, D>) -> Result<Reparam<Self>, Refusal> {
        if weight.ndim() == 0 {
            return Err(Refusal::shape(&[], "a weight has at least one axis"));
        }
        let row_len = weight.shape()[weight.ndim() - 1];
        let rows = weight.lanes(last(&weight)).into_iter();
        let scale = rows.zip(0..).map(|(row, number)| {
            let length = Length::of(&row).map_or(T::ZERO, |length| length.unit * length.norm);
            check_length(length, number * row_len)
        });
        let scale = scale.collect::<Result<Vec<T>, Refusal>>()?;
        let shape = weight.raw_dim().remove_axis(last(&weight));
        let scale = Array::from_shape_vec(shape, scale)
            .map_err(|error| Refusal::shape(weight.shape(), error.to_string()))?;
        Ok(Reparam::new(Self {
            direction: weight,
            scale,
        }))
    }
}

fn last<T, D: Dimension>(array: &Array<T, D>) -> Axis {
    Axis(array.ndim().saturating_sub(1))
}

impl<T: Inexact, D: RemoveAxis + 'static> Parameterization for WeightNorm<T, D>
where
    D::Smaller: 'static,
{
    type Value = Array<T, D>;

    fn value(&self) -> Array<T, D> {
        let mut value = self.direction.clone();
        let axis = last(&value);
        for (row, scale) in value.lanes_mut(axis).into_iter().zip(&self.scale) {
            scale_row(row, *scale);
        }
        value
    }

    /// ḡ = ⟨w̄, v⟩ / |v|, v̄ = g (w̄ - v ⟨w̄, v⟩ / |v|²) / |v|.
    ///
    /// A gradient of another shape comes back as that of `direction`: whoever takes the result
    /// refuses it with the path and both shapes.
    fn pullback(&self, value_bar: &Array<T, D>) -> Self {
        if value_bar.shape() != self.direction.shape() {
            let (direction, scale) = (value_bar.clone(), self.scale.clone());
            return Self { direction, scale };
        }
        let mut bar = self.clone();
        let axis = last(&self.direction);
        let rows = self.direction.lanes(axis).into_iter();
        let bars = value_bar.lanes(axis).into_iter();
        let outs = bar.direction.lanes_mut(axis).into_iter();
        for (((row, row_bar), out), scale) in rows.zip(bars).zip(outs).zip(&mut bar.scale) {
            *scale = pull_row(&row, &row_bar, *scale, out);
        }
        bar
    }
}

fn check_length<T: Inexact>(length: T, index: usize) -> Result<T, Refusal> {
    if length.is_finite_number() && length > T::ZERO {
        return Ok(length);
    }
    let value = length.to_f64();
    Err(if value == 0.0 {
        let (quantity, tolerance) = (Quantity::Norm, 0.0);
        Refusal::NotAbove {
            index,
            quantity,
            value,
            tolerance,
        }
    } else {
        let (lower, upper) = (0.0, f64::INFINITY);
        Refusal::OutOfDomain {
            index,
            value,
            lower,
            upper,
        }
    })
}

fn scale_row<T: Inexact>(mut row: ArrayViewMut1<'_, T>, scale: T) {
    match Length::of(&row.view()) {
        Some(Length { unit, norm }) => {
            // Where `scale` is the length, the factor is `unit` exactly, and so v / unit · unit = v.
            let factor = scale / norm;
            row.mapv_inplace(|v| v / unit * factor);
        }
        None => row.fill(T::ZERO),
    }
}

/// Fills v̄ and returns ḡ.
fn pull_row<T: Inexact>(
    row: &ArrayView1<'_, T>,
    row_bar: &ArrayView1<'_, T>,
    scale: T,
    mut out: ArrayViewMut1<'_, T>,
) -> T {
    let Some(Length { unit, norm }) = Length::of(row) else {
        out.fill(T::ZERO);
        return T::ZERO;
    };
    let direction = |v: T| v / unit / norm;
    let along = row.iter().zip(row_bar).map(|(v, bar)| direction(*v) * *bar);
    let along = T::from_f64(along.map(Real::to_f64).sum());
    for ((out, v), bar) in out.iter_mut().zip(row).zip(row_bar) {
        *out = scale / norm * (*bar - direction(*v) * along) / unit;
    }
    along
}

/// The length of a row, in two parts so that squares neither vanish nor overflow.
struct Length<T> {
    /// A power of two near the largest magnitude: dividing by it is exact.
    unit: T,
    /// The length in units of it.
    norm: T,
}

impl<T: Inexact> Length<T> {
    /// `None` of a row of zeros.
    fn of(row: &ArrayView1<'_, T>) -> Option<Self> {
        let largest = row.iter().map(|v| Real::to_f64(*v).abs());
        let largest = largest.fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) });
        if largest == 0.0 {
            return None;
        }
        let unit = 2_f64.powf(largest.log2().floor().min(1023.0));
        let squares = row.iter().map(|v| {
            let part = Real::to_f64(*v) / unit;
            part * part
        });
        Some(Self {
            unit: T::from_f64(unit),
            norm: T::from_f64(squares.sum::<f64>().sqrt()),
        })
    }
}

impl<T: Inexact, D: RemoveAxis + 'static> Module for WeightNorm<T, D>
where
    D::Smaller: 'static,
{
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        self.direction.visit(at.field("direction"), visitor);
        self.scale.visit(at.field("scale"), visitor);
    }

    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        self.direction.visit_mut(at.field("direction"), visitor);
        self.scale.visit_mut(at.field("scale"), visitor);
    }
}
