//! The volume that exp gives to skew-symmetric matrices, by Haar's measure on the rotations.
//!
//! With eigenvalues ±iθ of A, exp has the factors sin(μ/2) / (μ/2), each twice, for the sums and
//! differences μ of two θ and, in odd dimensions, for each θ.

use super::skew_symmetric;
use crate::real::Real;
use crate::transform::dense::Square;

/// Its value; other scalars get their first derivatives by the gradient.
pub(super) fn log_det<T: Real>(x: &[T], n: usize) -> T {
    let angles = Angles::of(x, n);
    let slope = angles.slope();
    let mut sum = T::from_f64(angles.volume());
    for ((i, j), &x) in super::strictly_lower(n).zip(x) {
        sum = sum + T::from_f64(slope[(i, j)]) * (x - T::from_f64(x.to_f64()));
    }
    sum
}

/// The gradient of `log_det` in A's entries below the diagonal.
pub(super) fn log_det_slope<T: Real>(x: &[T], n: usize) -> Square<f64> {
    Angles::of(x, n).slope()
}

/// A and its planes of rotation.
struct Angles {
    skew: Square<f64>,
    /// Two columns span the plane of each angle.
    planes: Square<f64>,
    thetas: Vec<f64>,
}

impl Angles {
    fn of<T: Real>(x: &[T], n: usize) -> Self {
        let skew = skew_symmetric(x, n).map(Real::to_f64);
        let most = skew
            .entries()
            .iter()
            .fold(0.0, |most: f64, entry| most.max(entry.abs()));
        let scaled = skew.scaled(if most > 0.0 { 1.0 / most } else { 0.0 });
        let mut square = &scaled.transposed() * &scaled;
        let planes = eigenvectors(&mut square);
        // Of more digits than the roots of the eigenvalues.
        let turned = &scaled * &planes;
        let squared = |j: usize| (0..n).map(|i| turned[(i, j)].powi(2)).sum::<f64>();
        let angle = |k: usize| most * (0.5 * (squared(2 * k) + squared(2 * k + 1))).sqrt();
        Self {
            thetas: (0..n / 2).map(angle).collect(),
            skew,
            planes,
        }
    }

    fn is_odd(&self) -> bool {
        self.skew.len() % 2 == 1
    }

    fn volume(&self) -> f64 {
        let mut sum = 0.0;
        for (k, a) in self.thetas.iter().enumerate() {
            for b in &self.thetas[..k] {
                sum += log_sinc(0.5 * (a - b)) + log_sinc(0.5 * (a + b));
            }
            if self.is_odd() {
                sum += log_sinc(0.5 * a);
            }
        }
        2.0 * sum
    }

    /// Σ over k of (∂ volume / ∂θₖ) / θₖ times A on the plane of θₖ.
    fn slope(&self) -> Square<f64> {
        let n = self.skew.len();
        let mut weights = vec![0.0; n];
        for (k, a) in self.thetas.iter().enumerate() {
            let others = self.thetas.iter().enumerate().filter(|(l, _)| *l != k);
            let mut slope: f64 = others
                .map(|(_, b)| log_sinc_slope(0.5 * (a - b)) + log_sinc_slope(0.5 * (a + b)))
                .sum();
            if self.is_odd() {
                slope += log_sinc_slope(0.5 * a);
            }
            let weight = if *a > 0.0 { slope / a } else { 0.0 };
            weights[2 * k..2 * k + 2].fill(weight);
        }
        let weighted = Square::from_fn(n, |i, j| weights[j] * self.planes[(i, j)]);
        &self.skew * &(&weighted * &self.planes.transposed())
    }
}

/// ln |sin z / z|
fn log_sinc(z: f64) -> f64 {
    if z == 0.0 {
        0.0
    } else {
        (z.sin() / z).abs().ln()
    }
}

/// 1 / tan z - 1 / z = (z cos z - sin z) / (z sin z)
fn log_sinc_slope(z: f64) -> f64 {
    if z.abs() >= 1.0 {
        return 1.0 / z.tan() - 1.0 / z;
    }
    if z == 0.0 {
        return 0.0;
    }
    // z cos z - sin z = Σ (-1)^k 2k z^(2k+1) / (2k+1)!
    let (mut power, mut sum) = (z, 0.0);
    for k in 1..12 {
        let k = f64::from(k);
        power *= -z * z / (2.0 * k * (2.0 * k + 1.0));
        sum += 2.0 * k * power;
    }
    sum / (z * z.sin())
}

/// The eigenvectors of a symmetric matrix as columns, those of large eigenvalues first, by
/// Jacobi's rotations.
fn eigenvectors(matrix: &mut Square<f64>) -> Square<f64> {
    let n = matrix.len();
    let mut vectors = Square::diagonal(n, 1.0);
    for _ in 0..60 {
        let mut is_diagonal = true;
        for p in 0..n {
            for q in p + 1..n {
                let scale = matrix[(p, p)].abs() + matrix[(q, q)].abs();
                if matrix[(p, q)].abs() > 1e-18 * scale {
                    is_diagonal = false;
                    rotate(matrix, &mut vectors, p, q);
                }
            }
        }
        if is_diagonal {
            break;
        }
    }
    let mut order: Vec<_> = (0..n).collect();
    order.sort_by(|&a, &b| matrix[(b, b)].total_cmp(&matrix[(a, a)]));
    Square::from_fn(n, |i, j| vectors[(i, order[j])])
}

/// Makes one entry zero.
fn rotate(matrix: &mut Square<f64>, vectors: &mut Square<f64>, p: usize, q: usize) {
    let half = 0.5 * (matrix[(q, q)] - matrix[(p, p)]) / matrix[(p, q)];
    let tangent = half.signum() / (half.abs() + half.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for k in 0..matrix.len() {
        let (a, b) = (matrix[(k, p)], matrix[(k, q)]);
        matrix[(k, p)] = cosine * a - sine * b;
        matrix[(k, q)] = sine * a + cosine * b;
        let (a, b) = (vectors[(k, p)], vectors[(k, q)]);
        vectors[(k, p)] = cosine * a - sine * b;
        vectors[(k, q)] = sine * a + cosine * b;
    }
    for k in 0..matrix.len() {
        let (a, b) = (matrix[(p, k)], matrix[(q, k)]);
        matrix[(p, k)] = cosine * a - sine * b;
        matrix[(q, k)] = sine * a + cosine * b;
    }
}
