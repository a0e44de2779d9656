//! The product of a lower triangular matrix and its transpose, and the way back.

use super::count;
use super::dense::Square;
use super::matrix::slack;
use super::packing::{lower, strictly_lower};
use super::twice::Twice;
use crate::real::Real;

/// A lower triangular factor, and what its rows have been divided by.
pub(super) struct Factor<T> {
    unit: Square<Twice<T>>,
    scales: Square<T>,
}

/// A diagonal entry, in units of the matrix's own, from which the entries to its left leave
/// nothing.
pub(super) struct Singular {
    pub(super) row: usize,
    pub(super) rest: f64,
}

impl<T: Real> Factor<T> {
    /// Of a symmetric matrix with a positive diagonal, whose lower triangle is read. It is refused
    /// where a diagonal entry leaves no more than n ε of itself.
    ///
    /// The matrix is scaled to a unit diagonal, so that nothing overflows, and factored with twice
    /// the digits: the factor is that of the matrix as it stands, to the last digit, even where
    /// the pivots are small differences.
    pub(super) fn of(y: &[T], n: usize) -> Result<Self, Singular> {
        let tolerance = slack::<T>(1.0, n);
        let zero = Twice::new(T::from_f64(0.0));
        let scales = Square::from_fn(n, |i, j| {
            if i == j {
                y[i * n + i].sqrt()
            } else {
                T::from_f64(0.0)
            }
        });
        let mut unit = Square::from_fn(n, |_, _| zero);
        for (i, j) in lower(n, n) {
            let (a, b) = (Twice::new(scales[(i, i)]), Twice::new(scales[(j, j)]));
            let entry = Twice::new(y[i * n + j]) / a / b;
            let terms = unit.row(i)[..j].iter().zip(unit.row(j));
            let rest = terms.fold(entry, |rest, (&a, &b)| rest - a * b);
            if i != j {
                unit[(i, j)] = rest / unit[(j, j)];
            } else if rest.rounded() > tolerance {
                unit[(i, i)] = rest.sqrt();
            } else {
                let rest = rest.rounded().to_f64();
                return Err(Singular { row: i, rest });
            }
        }
        Ok(Self { unit, scales })
    }

    /// An entry of the factor of the matrix scaled to a unit diagonal.
    pub(super) fn unit(&self, i: usize, j: usize) -> T {
        self.unit[(i, j)].rounded()
    }

    pub(super) fn entry(&self, i: usize, j: usize) -> T {
        self.scales[(i, i)] * self.unit(i, j)
    }
}

/// What the diagonal of a product is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Diagonal {
    /// The squares of the lengths of the rows.
    Squares,
    /// Ones, because that is how long the rows are.
    Ones,
}

/// Writes L Lᵀ, where `fill` writes L: a matrix that [`Factor::of`] takes, whatever has
/// saturated.
pub(super) fn write_product<T: Real>(
    y: &mut [T],
    n: usize,
    diagonal: Diagonal,
    fill: impl Fn(&mut [T]),
) {
    fill(y);
    let is_safe = is_safe(y, n);
    square_rows(y, n, diagonal);
    if is_safe {
        return;
    }
    let (lowest, highest) = reach();
    let has_digits = |i: usize| lowest <= y[i * n + i] && y[i * n + i] <= highest;
    if (0..n).all(has_digits) && Factor::of(y, n).is_ok() {
        return;
    }
    fill(y);
    if y.iter().any(|y| y.is_nan()) {
        square_rows(y, n, Diagonal::Squares);
    } else {
        saturate(y, n, diagonal);
    }
}

/// Between which diagonal entries a product neither loses digits nor overflows.
fn reach<T: Real>() -> (T, T) {
    (
        T::smallest_normal() / T::epsilon(),
        T::largest() / T::from_f64(4.0),
    )
}

/// Whether rounding cannot make the product singular.
///
/// Scaled to a unit diagonal, its least eigenvalue is above the product of its pivots over e, for
/// the others have a product below e; and rounding moves it by less than n² ε.
fn is_safe<T: Real>(y: &[T], n: usize) -> bool {
    let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
    let (lowest, highest) = reach();
    let mut determinant = one;
    for i in 0..n {
        let row = &y[i * n..=i * n + i];
        let norm = row.iter().fold(zero, |sum, &y| sum + y * y);
        let pivot = row[i] * row[i];
        if pivot < lowest || norm > highest {
            return false;
        }
        determinant = determinant * (pivot / norm);
    }
    determinant > slack::<T>(8.0, n) * count(n)
}

/// From the last row to the first, and each from its diagonal on, so that nothing is overwritten
/// before it is used.
fn square_rows<T: Real>(y: &mut [T], n: usize, diagonal: Diagonal) {
    let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
    for i in (0..n).rev() {
        for j in (0..=i).rev() {
            let (a, b) = (&y[i * n..=i * n + j], &y[j * n..=j * n + j]);
            let sum = a.iter().zip(b).fold(zero, |sum, (&a, &b)| sum + a * b);
            let is_one = i == j && diagonal == Diagonal::Ones;
            y[i * n + j] = if is_one { one } else { sum };
        }
    }
    mirror(y, n);
}

fn mirror<T: Real>(y: &mut [T], n: usize) {
    for (i, j) in strictly_lower(n) {
        y[j * n + i] = y[i * n + j];
    }
}

/// Makes L Lᵀ of L. The product of its rows scaled to length one is a correlation matrix. That gets
/// its scales back, so far as the type reaches, and its correlations shrink until it can be
/// factored.
fn saturate<T: Real>(y: &mut [T], n: usize, diagonal: Diagonal) {
    let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
    let scales = Square::from_fn(n, |i, j| {
        if i == j {
            length(&y[i * n..=i * n + i])
        } else {
            zero
        }
    });
    for (i, j) in lower(n, n) {
        y[i * n + j] = y[i * n + j] / scales[(i, i)];
    }
    square_rows(y, n, Diagonal::Ones);
    let (lowest, highest) = reach::<T>();
    let scale = |i: usize| match diagonal {
        Diagonal::Squares => scales[(i, i)].clamp_open(lowest.sqrt(), highest.sqrt()),
        Diagonal::Ones => one,
    };
    for (i, j) in lower(n, n) {
        y[i * n + j] = y[i * n + j] * scale(i) * scale(j);
    }
    let mut shrink = slack::<T>(4.0, n);
    while shrink < one && Factor::of(y, n).is_err() {
        for (i, j) in strictly_lower(n) {
            y[i * n + j] = y[i * n + j] * (one - shrink);
        }
        shrink = shrink + shrink;
    }
    mirror(y, n);
}

/// The length of a row whose squares may overflow.
fn length<T: Real>(row: &[T]) -> T {
    let zero = T::from_f64(0.0);
    let most = row
        .iter()
        .fold(zero, |most, &y| if y.abs() > most { y.abs() } else { most });
    let ratios = row.iter().map(|&y| y / most);
    most * ratios.fold(zero, |sum, ratio| sum + ratio * ratio).sqrt()
}

/// The gradient of Lᵢⱼ from that of L Lᵀ: the sum of (ȳᵢₖ + ȳₖᵢ) Lₖⱼ over those k ≥ j that count,
/// where `factor` gives Lₖⱼ.
pub(super) fn pull_entry<T: Real>(
    y_bar: &[T],
    n: usize,
    (i, j): (usize, usize),
    counts: impl Fn(usize) -> bool,
    factor: impl Fn(usize) -> T,
) -> T {
    let rows = (j..n).filter(|&k| counts(k));
    rows.fold(T::from_f64(0.0), |sum, k| {
        sum + (y_bar[i * n + k] + y_bar[k * n + i]) * factor(k)
    })
}
