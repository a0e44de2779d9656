//! Orthogonal matrices.

mod cayley;
mod exponential;
mod haar;
mod logarithm;
mod turn;

use ndarray::{CowArray, Ix2};

use super::dense::Square;
use super::event::{Event, event_transform};
use super::matrix::{check_finite, is_within, slack, square};
use super::number::Number;
use super::packing::{strictly_lower, strictly_lower_len};
use super::twice::Twice;
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Orthogonal matrices around a stored base, which is the image of x = 0.
///
/// With A the skew-symmetric matrix of x (Aᵢⱼ = xᵢⱼ for j < i, row by row) and B the base:
///
/// | | [`cayley`](Self::cayley) | [`exp`](Self::exp) |
/// |---|---|---|
/// | value | Q = (1 - A/2)⁻¹ (1 + A/2) B | Q = exp(A) B |
/// | inverse | A = 2 (R + 1)⁻¹ (R - 1), R = Q Bᵀ | A = log R, the one of least angles |
/// | log-det | -((K - 1) / 2) ln det(1 - A²/4) | Σ over the roots ±μ of 2 ln \|sin(μ/2) / (μ/2)\| |
/// | reaches | R with angles below a half turn | all R, each more than once |
///
/// Unconstrained length: K (K - 1) / 2 for the shape \[…, K, K\]. R is a rotation: without a base,
/// so is Q, and Q with a determinant of -1 needs a base of that kind. The log-det is with respect
/// to Haar's measure, that is to the entries of Qᵀ dQ below the diagonal; it is the same around
/// every base. If ±iθ are the eigenvalues of A, then μ are the sums and differences of two θ and,
/// for odd K, each θ: where a μ is a multiple of 2π, exp folds and its log-det is -∞.
///
/// The inverse refuses rows whose products differ from those of the identity by more than 16 K ε,
/// and R within 8 K ε of a half turn in some plane, or with a reflection, which is one of -1 on a
/// line. What would come so close is stored at that distance: the Cayley map shrinks A to a norm
/// of 1 / (16 K ε). The values are orthogonal to the last digits for all x; near a half turn R
/// loses digits of A, and never those of Q.
///
/// The base may be a view, an array or a reference to one; it stays `f64` whatever the leaf.
/// A base that is not square, not of the leaf's size or not orthogonal within 8 K ε is reported
/// where the transform is used. Other scalars than `f32` and `f64` pass through, up to their first
/// derivatives; the log-det of exp is computed in `f64`, and its gradient is a constant for them.
///
/// Not in Stan. Sources: `PyTorch`, `orthogonal`, with `cayley` or `matrix_exp` and its base, there
/// on the left; Lezcano-Casado and Martínez-Rubio, "Cheap orthogonal constraints in neural
/// networks" (2019); Helgason, "Differential Geometry, Lie Groups, and Symmetric Spaces", for the
/// derivative of exp.
///
/// ```
/// use paramtree::transform::{Orthogonal, Transform};
///
/// // x = 2 tan(θ/2) turns by θ.
/// let mut q = [0.0; 4];
/// Orthogonal::cayley().constrain(&[2.0], &mut q, &[2, 2]);
/// assert_eq!(q, [0.0, -1.0, 1.0, 0.0]);
///
/// let mut x = [0.0];
/// Orthogonal::exp().unconstrain(&q, &mut x, &[2, 2])?;
/// assert!((x[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// # Ok::<(), paramtree::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Orthogonal<'b> {
    map: Map,
    base: Option<CowArray<'b, f64, Ix2>>,
}

/// How a rotation follows from a skew-symmetric matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Map {
    Cayley,
    Exp,
}

impl Orthogonal<'static> {
    /// The Cayley map, around the identity.
    ///
    /// ```
    /// use paramtree::transform::{Orthogonal, Transform};
    ///
    /// assert_eq!(Transform::<f64>::unconstrained_len(&Orthogonal::cayley(), &[4, 4]), Ok(6));
    /// ```
    #[must_use]
    pub fn cayley() -> Self {
        Self {
            map: Map::Cayley,
            base: None,
        }
    }

    /// The matrix exponential, around the identity.
    ///
    /// ```
    /// use paramtree::transform::{Orthogonal, Transform};
    ///
    /// let mut q = [0.0; 4];
    /// Orthogonal::exp().constrain(&[0.5], &mut q, &[2, 2]);
    /// assert!((q[2] - 0.5_f64.sin()).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn exp() -> Self {
        Self {
            map: Map::Exp,
            base: None,
        }
    }
}

impl<'b> Orthogonal<'b> {
    /// The Cayley map around a base, on which it acts from the left.
    ///
    /// ```
    /// use ndarray::{arr2, aview2};
    /// use paramtree::transform::{Orthogonal, Transform};
    ///
    /// const REFLECTION: [[f64; 2]; 2] = [[0.0, 1.0], [1.0, 0.0]];
    ///
    /// let mut q = [0.0; 4];
    /// Orthogonal::cayley_around(aview2(&REFLECTION)).constrain(&[0.0], &mut q, &[2, 2]);
    /// assert_eq!(q, [0.0, 1.0, 1.0, 0.0]);
    ///
    /// let map = Orthogonal::cayley_around(arr2(&[[1.0, 2.0]]));
    /// let refusal = Transform::<f64>::unconstrained_len(&map, &[2, 2]).unwrap_err();
    /// assert_eq!(refusal.to_string(), "a base of shape [1, 2] fits no leaf of shape [2, 2]");
    /// ```
    #[must_use]
    pub fn cayley_around(base: impl Into<CowArray<'b, f64, Ix2>>) -> Self {
        Self {
            map: Map::Cayley,
            base: Some(base.into()),
        }
    }

    /// The matrix exponential around a base, on which it acts from the left.
    ///
    /// ```
    /// use ndarray::Array2;
    /// use paramtree::transform::{Orthogonal, Transform};
    ///
    /// let base = Array2::eye(3);
    /// let mut q = [0.0; 9];
    /// Orthogonal::exp_around(&base).constrain(&[0.0; 3], &mut q, &[3, 3]);
    /// assert_eq!(q.as_slice(), base.as_slice().unwrap());
    /// ```
    #[must_use]
    pub fn exp_around(base: impl Into<CowArray<'b, f64, Ix2>>) -> Self {
        Self {
            map: Map::Exp,
            base: Some(base.into()),
        }
    }

    /// The right factor times the base's transpose.
    fn without_base<N: Number>(&self, right: Square<N>) -> Square<N> {
        match &self.base {
            None => right,
            Some(base) => {
                let transposed = Square::from_fn(right.len(), |i, j| N::constant(base[(j, i)]));
                &right * &transposed
            }
        }
    }

    fn check_base<T: Real>(&self, shape: &[usize], n: usize) -> Result<(), Refusal> {
        let Some(base) = &self.base else {
            return Ok(());
        };
        if base.shape() != [n, n] {
            let base = base.shape();
            return Err(Refusal::parameter(format!(
                "a base of shape {base:?} fits no leaf of shape {shape:?}"
            )));
        }
        let tolerance = slack::<T>(8.0, n).to_f64();
        check_rows(n, tolerance, |i, j| base[(i, j)])
            .map_err(|refusal| Refusal::parameter(format!("the base is not orthogonal: {refusal}")))
    }

    /// A, or how near the rotation is to having none.
    fn skew<T: Real>(&self, y: &[T], n: usize) -> Result<Square<T>, Refusal> {
        let natural = Square::from_fn(n, |i, j| Twice::new(y[i * n + j]));
        // What rounding made of it is orthogonal to half of the digits.
        let turn = self.without_base(natural);
        let turn = turn.orthogonalised().orthogonalised();
        let skew = match self.map {
            Map::Cayley => turn::tangents(&turn, slack::<T>(8.0, n).to_f64()),
            Map::Exp => logarithm::of(&turn, slack::<T>(8.0, n).to_f64()),
        };
        skew.map(|skew| skew.map(Twice::rounded))
            .map_err(|distance| Refusal::NotAbove {
                index: 0,
                quantity: Quantity::HalfTurn,
                value: distance,
                tolerance: slack::<T>(8.0, n).to_f64(),
            })
    }
}

impl<T: Real> Event<T> for Orthogonal<'_> {
    fn name(&self) -> String {
        match self.map {
            Map::Cayley => "Orthogonal(Cayley)".to_owned(),
            Map::Exp => "Orthogonal(exp)".to_owned(),
        }
    }

    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        let n = square(shape)?;
        self.check_base::<T>(shape, n)?;
        Ok(strictly_lower_len(n))
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let skew = skew_symmetric(x, shape[0]);
        let turn = match self.map {
            Map::Cayley => cayley::turn(&skew),
            Map::Exp => exponential::turn(&skew),
        };
        let value = match &self.base {
            None => turn,
            Some(base) => {
                let base = Square::from_fn(turn.len(), |i, j| T::from_f64(base[(i, j)]));
                &turn * &base
            }
        };
        y.copy_from_slice(value.entries());
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let n = shape[0];
        check_finite(y)?;
        let tolerance = slack::<T>(16.0, n);
        check_rows(n, tolerance, |i, j| y[i * n + j])?;
        self.skew(y, n).map(|_| ())
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let n = shape[0];
        let Ok(skew) = self.skew(y, n) else {
            return;
        };
        let half = T::from_f64(0.5);
        for ((i, j), x) in strictly_lower(n).zip(x) {
            *x = (skew[(i, j)] - skew[(j, i)]) * half;
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let n = shape[0];
        let skew = skew_symmetric(x, n);
        let turn_bar = self.without_base(Square::from_fn(n, |i, j| y_bar[i * n + j]));
        let skew_bar = match self.map {
            Map::Cayley => cayley::pull(&skew, &turn_bar),
            Map::Exp => exponential::pull(&skew, &turn_bar),
        };
        for ((i, j), x_bar) in strictly_lower(n).zip(x_bar) {
            *x_bar = skew_bar[(i, j)] - skew_bar[(j, i)];
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
        let n = shape[0];
        match self.map {
            Map::Cayley => cayley::log_det(&skew_symmetric(x, n)),
            Map::Exp => haar::log_det(x, n),
        }
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]) {
        let n = shape[0];
        let slope = match self.map {
            Map::Cayley => cayley::log_det_slope(&skew_symmetric(x, n)),
            Map::Exp => haar::log_det_slope(x, n).map(T::from_f64),
        };
        for ((i, j), grad) in strictly_lower(n).zip(grad) {
            *grad = *grad + slope[(i, j)];
        }
    }
}

/// A of its coordinates.
fn skew_symmetric<T: Real>(x: &[T], n: usize) -> Square<T> {
    let mut skew = Square::diagonal(n, 0.0);
    for ((i, j), &x) in strictly_lower(n).zip(x) {
        skew[(i, j)] = x;
        skew[(j, i)] = -x;
    }
    skew
}

/// Refuses rows that are not of length one or not at right angles.
fn check_rows<T: Real>(
    n: usize,
    tolerance: T,
    entry: impl Fn(usize, usize) -> T,
) -> Result<(), Refusal> {
    let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
    for i in 0..n {
        for j in 0..=i {
            let terms = (0..n).map(|k| entry(i, k) * entry(j, k));
            let product = terms.fold(zero, |sum, term| sum + term);
            let (quantity, expected) = if i == j {
                (Quantity::SquaredNorm, one)
            } else {
                (Quantity::RowProduct, zero)
            };
            if !is_within(product, expected, tolerance) {
                return Err(Refusal::Mismatch {
                    index: i * n,
                    quantity,
                    value: product.to_f64(),
                    expected: expected.to_f64(),
                    tolerance: tolerance.to_f64(),
                });
            }
        }
    }
    Ok(())
}

event_transform!(Orthogonal<'_>);
