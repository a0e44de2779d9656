//! Cholesky factors of covariance matrices.

use super::elementwise::product;
use super::event::{Event, event_transform};
use super::logistic::{logistic, softplus, softplus_inverse};
use super::matrix::{
    check_diagonal_positive, check_finite, check_zeros_above, clamp_finite, clamp_positive, matrix,
};
use super::packing::{lower, lower_len};
use crate::real::Real;
use crate::refusal::Refusal;

/// Cholesky factors of covariance matrices: lower triangular with a positive diagonal.
///
/// | | `CholeskyCov::new()` | `CholeskyCov::softplus()` |
/// |---|---|---|
/// | diagonal | Lᵢᵢ = exp xᵢᵢ | Lᵢᵢ = softplus xᵢᵢ |
/// | below | Lᵢⱼ = xᵢⱼ | Lᵢⱼ = xᵢⱼ |
/// | log-det | Σ xᵢᵢ | -Σ softplus(-xᵢᵢ) |
///
/// Unconstrained length: K (K + 1) / 2 for the shape \[…, K, K\], and N (N + 1) / 2 + (M - N) N for
/// \[…, M, N\] with M ≥ N, the factor of a singular M × M matrix. x is row by row with the diagonal
/// inline. The log-det is with respect to the entries that are free. What underflows or overflows on
/// the diagonal is stored as the smallest or the largest positive number. Entries above the diagonal
/// must be exactly zero.
///
/// Source: Stan Reference Manual, "Constraint Transforms", Cholesky factors of covariance
/// matrices; the softplus is that of `numpyro` and TFP.
///
/// ```
/// use paramtree::transform::{CholeskyCov, Transform};
///
/// let mut factor = [0.0; 4];
/// CholeskyCov::new().constrain(&[0.0, 0.5, -1000.0], &mut factor, &[2, 2]);
/// assert_eq!(factor, [1.0, 0.0, 0.5, 5e-324]);
///
/// let refusal = CholeskyCov::new().unconstrain(&[1.0, 0.0, 0.5, 0.0], &mut [0.0; 3], &[2, 2]);
/// assert_eq!(refusal.unwrap_err().to_string(), "0 is outside the open interval (0, inf)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CholeskyCov {
    diagonal: Diagonal,
}

/// How the diagonal follows from x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Diagonal {
    #[default]
    Exp,
    Softplus,
}

impl CholeskyCov {
    /// The map whose diagonal is the exponential of its coordinates, as in Stan.
    ///
    /// ```
    /// use paramtree::transform::{CholeskyCov, Transform};
    ///
    /// assert_eq!(Transform::<f64>::unconstrained_len(&CholeskyCov::new(), &[4, 2]), Ok(7));
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The map whose diagonal is the softplus of its coordinates: large ones grow linearly.
    ///
    /// ```
    /// use paramtree::transform::{CholeskyCov, Transform};
    ///
    /// let mut factor = [0.0];
    /// CholeskyCov::softplus().constrain(&[1000.0], &mut factor, &[1, 1]);
    /// assert_eq!(factor, [1000.0]);
    /// ```
    #[must_use]
    pub fn softplus() -> Self {
        Self {
            diagonal: Diagonal::Softplus,
        }
    }
}

impl<T: Real> Event<T> for CholeskyCov {
    fn name(&self) -> String {
        match self.diagonal {
            Diagonal::Exp => "CholeskyCov".to_owned(),
            Diagonal::Softplus => "CholeskyCov(softplus)".to_owned(),
        }
    }

    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        match matrix(shape)? {
            (rows, columns) if rows >= columns => Ok(lower_len(rows, columns)),
            _ => Err(Refusal::shape(
                shape,
                "a matrix with no more columns than rows",
            )),
        }
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let (rows, columns) = (shape[0], shape[1]);
        y.fill(T::from_f64(0.0));
        for ((i, j), &x) in lower(rows, columns).zip(x) {
            y[i * columns + j] = match self.diagonal {
                _ if i != j => clamp_finite(x),
                Diagonal::Exp => clamp_positive(x.exp()),
                Diagonal::Softplus => clamp_positive(softplus(x)),
            };
        }
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let (rows, columns) = (shape[0], shape[1]);
        check_zeros_above(y, columns)?;
        check_diagonal_positive(&y[..columns.min(rows) * columns], columns)?;
        check_finite(y)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let (rows, columns) = (shape[0], shape[1]);
        for ((i, j), x) in lower(rows, columns).zip(x) {
            let y = y[i * columns + j];
            *x = match self.diagonal {
                _ if i != j => y,
                Diagonal::Exp => y.ln(),
                Diagonal::Softplus => softplus_inverse(y),
            };
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let (rows, columns) = (shape[0], shape[1]);
        for (((i, j), &x), x_bar) in lower(rows, columns).zip(x).zip(x_bar) {
            let y_bar = y_bar[i * columns + j];
            *x_bar = match self.diagonal {
                _ if i != j => y_bar,
                Diagonal::Exp => product(y_bar, x.exp()),
                Diagonal::Softplus => product(y_bar, logistic(x)),
            };
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
        let terms = lower(shape[0], shape[1]).zip(x);
        terms.fold(T::from_f64(0.0), |sum, ((i, j), &x)| match self.diagonal {
            _ if i != j => sum,
            Diagonal::Exp => sum + x,
            Diagonal::Softplus => sum - softplus(-x),
        })
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]) {
        for (((i, j), &x), grad) in lower(shape[0], shape[1]).zip(x).zip(grad) {
            *grad = match self.diagonal {
                _ if i != j => *grad,
                Diagonal::Exp => *grad + T::from_f64(1.0),
                Diagonal::Softplus => *grad + logistic(-x),
            };
        }
    }
}

event_transform!(CholeskyCov);
