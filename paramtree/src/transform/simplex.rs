//! Shares: positive numbers whose sum is one.

use super::count;
use super::event::{Event, event_transform, total};
use super::helmert::{descending, descending_pairs, project, project_rest, root};
use super::logistic::log_ratio;
use super::room::Room;
use super::softmax::{peak, peak_with, pull, share_out, weight};
use super::twice::Twice;
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Vectors of positive numbers whose sum is one.
///
/// | | |
/// |---|---|
/// | value | y = softmax z, with z the vector of zero sum that [`SumToZero`](super::SumToZero) makes of x |
/// | inverse | Hᵀ ln y |
/// | domain | yₖ > 0, Σ yₖ = 1 within 8 K ε for K elements of a type with spacing ε |
/// | unconstrained length | K - 1 for the shape \[…, K\], per vector of the last axis |
/// | log-det | ½ ln K + Σ ln yₖ = ½ ln K - K ln Σ exp zₖ, with respect to all but the last of y |
///
/// What underflows is stored as the smallest number of the type, and what rounds to 1 as 1: both
/// can be taken back. y is exact to a few of each element's last digits, an element of the vjp to
/// those of the largest: where nearly equal numbers cancel in one, it has no digits of its own.
/// Source: Stan Reference Manual, "Constraint Transforms", unit simplex (the
/// isometric log-ratio, since version 2.37). [`SimplexStickBreaking`](super::SimplexStickBreaking)
/// and [`SimplexSoftmax`] are other maps onto the same vectors.
///
/// ```
/// use paramtree::transform::{Simplex, Transform};
///
/// let mut y = [0.0; 4];
/// Simplex.constrain(&[0.0; 3], &mut y, &[4]);
/// assert_eq!(y, [0.25; 4]);
///
/// let refusal = Simplex.unconstrain(&[0.5, 0.501], &mut [0.0], &[2]).unwrap_err();
/// assert_eq!(
///     refusal.to_string(),
///     "the sum 1.001 is not 1 within 3.552713678800501e-15"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplex;

/// Vectors of positive numbers whose sum is one, each against the last.
///
/// | | |
/// |---|---|
/// | value | y = softmax \[x, 0\] |
/// | inverse | xₖ = ln(yₖ / yₗ), with yₗ the last |
/// | domain | yₖ > 0, Σ yₖ = 1 within 8 K ε for K elements of a type with spacing ε |
/// | unconstrained length | K - 1 for the shape \[…, K\], per vector of the last axis |
/// | log-det | Σ ln yₖ, with respect to all but the last of y |
///
/// Saturation and digits as for [`Simplex`]. Source: TensorFlow Probability, `SoftmaxCentered`, whose log-det
/// has ½ ln K more.
///
/// ```
/// use paramtree::transform::{SimplexSoftmax, Transform};
///
/// let mut x = [0.0; 2];
/// SimplexSoftmax.unconstrain(&[0.25, 0.25, 0.5], &mut x, &[3])?;
/// assert_eq!(x, [-(2.0_f64.ln()); 2]);
/// # Ok::<(), paramtree::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimplexSoftmax;

impl<T: Real> Event<T> for Simplex {
    fn rank(&self) -> usize {
        1
    }

    fn range(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        simplex_len(event)
    }

    fn constrain(&self, x: &[T], y: &mut [T], _event: &[usize]) {
        weigh(x, y);
        share_out(y);
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        check_simplex(y)
    }

    // The sum of ln(yᵢ / yₙ) over i < n, from one n to the next.
    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        let mut sum = T::from_f64(0.0);
        for (n, (x, pair)) in (1..).zip(x.iter_mut().zip(y.windows(2))) {
            let step = log_ratio(pair[0], pair[1], pair[0] - pair[1]);
            sum = sum + count::<T>(n) * step;
            *x = sum / root(n);
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        let [first_bar, rest_bar @ ..] = y_bar else {
            return;
        };
        let (peak, at) = summit(x);
        let mut z = descending_pairs(x).map(|z| weight(z, peak));
        for (x_bar, weight) in x_bar.iter_mut().rev().zip(&mut z) {
            *x_bar = weight;
        }
        let mut first = z.next().unwrap_or(T::from_f64(1.0));
        pull((&mut first, *first_bar), x_bar, rest_bar, y_bar[at]);
        project_rest(first, x_bar);
    }

    fn log_abs_det_jacobian(&self, x: &[T], _event: &[usize]) -> T {
        let (peak, _) = summit(x);
        let sum = descending_pairs(x).fold(T::from_f64(0.0), |sum, z| sum + weight(z, peak));
        let len: f64 = count(x.len() + 1);
        T::from_f64(0.5 * len.ln()) - T::from_f64(len) * (peak.high + (peak.low + sum.ln()))
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], _event: &[usize]) {
        let len = x.len() + 1;
        let (mut y, mut slope) = (Room::new(len), Room::new(x.len()));
        weigh(x, &mut y);
        share_out(&mut y);
        project(&y, &mut slope);
        for (grad, &slope) in grad.iter_mut().zip(&*slope) {
            *grad = *grad - count::<T>(len) * slope;
        }
    }
}

/// The largest element of the vector of zero sum, and where it stands.
///
/// What is only near the largest will do, unless the rounding error of one is much to its
/// exponential.
fn summit<T: Real>(x: &[T]) -> (Twice<T>, usize) {
    let places = || (0..=x.len()).rev();
    let (plain, at) = peak_with(descending(x).map(Twice::new), places(), 0);
    if plain.high.abs() * T::epsilon() < T::from_f64(1e-3) {
        return (plain, at);
    }
    peak_with(descending_pairs(x), places(), 0)
}

/// The weights of the shares, with all the digits that exp takes from a large exponent.
fn weigh<T: Real>(x: &[T], weights: &mut [T]) {
    let (peak, _) = summit(x);
    for (to, z) in weights.iter_mut().rev().zip(descending_pairs(x)) {
        *to = weight(z, peak);
    }
}

impl<T: Real> Event<T> for SimplexSoftmax {
    fn rank(&self) -> usize {
        1
    }

    fn range(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        simplex_len(event)
    }

    fn constrain(&self, x: &[T], y: &mut [T], _event: &[usize]) {
        let peak = peak(against_last(x));
        for (y, z) in y.iter_mut().zip(against_last(x)) {
            *y = weight(z, peak);
        }
        share_out(y);
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        check_simplex(y)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        let Some(&last) = y.last() else { return };
        for (x, &y) in x.iter_mut().zip(y) {
            *x = log_ratio(y, last, y - last);
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        let [rest_bar @ .., last_bar] = y_bar else {
            return;
        };
        let (peak, peak_bar) = peak_with(against_last(x), y_bar.iter().copied(), *last_bar);
        for (x_bar, &x) in x_bar.iter_mut().zip(x) {
            *x_bar = weight(Twice::new(x), peak);
        }
        let mut last = weight(Twice::new(T::from_f64(0.0)), peak);
        pull((&mut last, *last_bar), x_bar, rest_bar, peak_bar);
    }

    // Each term is negative: nothing cancels.
    fn log_abs_det_jacobian(&self, x: &[T], _event: &[usize]) -> T {
        let (peak, sum) = peak_and_sum(x);
        let log_sum = sum.ln();
        let rest = total(0..x.len(), &|k| x[k] - peak.high - log_sum);
        rest - peak.high - log_sum
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], _event: &[usize]) {
        let (peak, sum) = peak_and_sum(x);
        let len = count::<T>(x.len() + 1);
        for (grad, &x) in grad.iter_mut().zip(x) {
            *grad = *grad + (T::from_f64(1.0) - len * (weight(Twice::new(x), peak) / sum));
        }
    }
}

/// The largest of \[x, 0\], and the sum of the weights.
fn peak_and_sum<T: Real>(x: &[T]) -> (Twice<T>, T) {
    let peak = peak(against_last(x));
    let add = |sum, z| sum + weight(z, peak);
    (peak, against_last(x).fold(T::from_f64(0.0), add))
}

event_transform!(Simplex);
event_transform!(SimplexSoftmax);

fn against_last<T: Real>(x: &[T]) -> impl Iterator<Item = Twice<T>> {
    x.iter().copied().chain([T::from_f64(0.0)]).map(Twice::new)
}

pub(super) fn simplex_len(event: &[usize]) -> Result<usize, Refusal> {
    match event.iter().product() {
        0 => Err(Refusal::shape(event, "a simplex has at least one element")),
        len => Ok(len - 1),
    }
}

pub(super) fn check_simplex<T: Real>(y: &[T]) -> Result<(), Refusal> {
    for (index, y) in y.iter().enumerate() {
        let value = y.to_f64();
        if !(value > 0.0 && value.is_finite()) {
            return Err(Refusal::OutOfDomain {
                index,
                value,
                lower: 0.0,
                upper: 1.0,
            });
        }
    }
    let value = total(0..y.len(), &|k| y[k]).to_f64();
    let tolerance = 8.0 * count::<f64>(y.len()) * T::epsilon().to_f64();
    if (value - 1.0).abs() <= tolerance {
        return Ok(());
    }
    Err(Refusal::Mismatch {
        index: 0,
        quantity: Quantity::Sum,
        value,
        expected: 1.0,
        tolerance,
    })
}
