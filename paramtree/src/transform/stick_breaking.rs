//! Shares, each of what those before it have left.

use super::count;
use super::event::{Event, event_transform, total};
use super::logistic::{log_ratio, logistic, softplus};
use super::simplex::{check_simplex, simplex_len};
use super::twice::Twice;
use crate::real::Real;
use crate::refusal::Refusal;

/// Vectors of positive numbers whose sum is one, each a share of what those before it have left.
///
/// | | |
/// |---|---|
/// | value | yₖ = sₖ logistic uₖ, sₖ₊₁ = sₖ logistic(-uₖ), s₀ = 1, uₖ = xₖ - ln(K - 1 - k); the last is what is left |
/// | inverse | xₖ = ln(yₖ / Σ yⱼ over j > k) + ln(K - 1 - k) |
/// | domain | yₖ > 0, Σ yₖ = 1 within 8 K ε for K elements of a type with spacing ε |
/// | unconstrained length | K - 1 for the shape \[…, K\], per vector of the last axis |
/// | log-det | Σ ln yₖ, with respect to all but the last of y |
///
/// Saturation as for [`Simplex`](super::Simplex). Source: Stan Reference Manual, "Constraint
/// Transforms", unit simplex, up to version 2.36; torch's and numpyro's `StickBreakingTransform`.
///
/// ```
/// use paramtree::transform::{SimplexStickBreaking, Transform};
///
/// let (mut y, mut x) = ([0.0; 3], [0.0; 2]);
/// SimplexStickBreaking.constrain(&[40.0, 0.0], &mut y, &[3]);
/// assert_eq!(y[0], 1.0);
/// SimplexStickBreaking.unconstrain(&y, &mut x, &[3])?;
/// assert_eq!(x, [40.0, 0.0]);
/// # Ok::<(), paramtree::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimplexStickBreaking;

/// One break of the stick.
struct Break<T> {
    k: usize,
    /// The share that is taken, and that which is left.
    taken: T,
    left: T,
    /// How many elements share what is left.
    after: T,
}

fn breaks<T: Real>(x: &[T]) -> impl DoubleEndedIterator<Item = Break<T>> {
    let len = x.len();
    x.iter().enumerate().map(move |(k, &x)| {
        // Far below zero the logistic is an exponential: the digits that u lacks are those of it.
        let Twice { high: u, low: rest } = Twice::sum(x, -log::<T>(len - k));
        let (taken, left) = (logistic(u), logistic(-u));
        Break {
            k,
            taken: taken + taken * left * rest,
            left: left - left * taken * rest,
            after: count(len - k),
        }
    })
}

fn log<T: Real>(n: usize) -> T {
    T::from_f64(count::<f64>(n).ln())
}

impl<T: Real> Event<T> for SimplexStickBreaking {
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
        let (zero, infinity) = (T::from_f64(0.0), T::from_f64(f64::INFINITY));
        let mut left = T::from_f64(1.0);
        for part in breaks(x) {
            y[part.k] = (left * part.taken).clamp_open(zero, infinity);
            left = left * part.left;
        }
        y[x.len()] = left.clamp_open(zero, infinity);
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        check_simplex(y)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        let mut after = y[x.len()];
        for (k, (x, &y)) in (1..).zip(x.iter_mut().zip(y).rev()) {
            *x = log_ratio(y, after, y - after) + log(k);
            after = after + y;
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        let mut left = T::from_f64(1.0);
        for part in breaks(x) {
            x_bar[part.k] = left * part.taken * part.left;
            left = left * part.left;
        }
        let mut left_bar = y_bar[x.len()];
        for part in breaks(x).rev() {
            let y_bar = y_bar[part.k];
            x_bar[part.k] = x_bar[part.k] * (y_bar - left_bar);
            left_bar = part.taken * y_bar + part.left * left_bar;
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], _event: &[usize]) -> T {
        total(0..x.len(), &|k| {
            let after = x.len() - k;
            let u = x[k] - log(after);
            -(softplus(-u) + count::<T>(after) * softplus(u))
        })
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], _event: &[usize]) {
        for part in breaks(x) {
            grad[part.k] = grad[part.k] + (part.left - part.after * part.taken);
        }
    }
}

event_transform!(SimplexStickBreaking);
