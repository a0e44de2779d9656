//! The orthonormal basis of the vectors whose sum is zero.
//!
//! Its n-th vector, n = 1, 2, …, has 1/√(n(n+1)) in the elements before n, -n/√(n(n+1)) in
//! element n and zeros behind.

use std::sync::LazyLock;

use super::count;
use super::room::Room;
use super::twice::Twice;
use crate::real::Real;

/// √(n(n+1))
#[inline]
pub(super) fn root<T: Real>(n: usize) -> T {
    let n: f64 = count(n);
    T::from_f64((n * (n + 1.0)).sqrt())
}

/// How many of the [`inverse_root`]s are computed once.
const KNOWN: usize = 64;

static INVERSE_ROOTS: LazyLock<[Twice<f64>; KNOWN]> =
    LazyLock::new(|| std::array::from_fn(computed_inverse_root));

/// 1 / √(n(n+1))
#[inline]
fn inverse_root<T: Real>(n: usize) -> Twice<T> {
    let Twice { high: root, low } = match INVERSE_ROOTS.get(n) {
        Some(&known) => known,
        None => computed_inverse_root(n),
    };
    let high = T::from_f64(root);
    Twice {
        high,
        low: T::from_f64((root - high.to_f64()) + low),
    }
}

/// The rounded root, and one step of Newton's method for the rest.
fn computed_inverse_root(n: usize) -> Twice<f64> {
    let n: f64 = count(n);
    let square = n * (n + 1.0);
    let root = 1.0 / square.sqrt();
    let inverse = Twice::product(root, root);
    let one = Twice::product(square, inverse.high);
    let missing = root * 0.5 * ((1.0 - one.high) - one.low - square * inverse.low);
    Twice {
        high: root,
        low: missing,
    }
}

/// A coordinate, or the largest of which a vector like this has only finite elements.
#[inline]
fn reachable<T: Real>(x: T, len: usize) -> T {
    let reach = T::largest() / count(4 * len);
    x.clamp_open(-reach, reach)
}

/// The vector with these coordinates, its last element first.
#[inline]
pub(super) fn descending<T: Real>(x: &[T]) -> impl Iterator<Item = T> {
    let zero = T::from_f64(0.0);
    let step = |above: &mut T, n: usize| {
        if n == 0 {
            return Some(*above);
        }
        let weight = reachable(x[n - 1], x.len()) / root(n);
        let element = *above - count::<T>(n) * weight;
        *above = *above + weight;
        Some(element)
    };
    (0..=x.len()).rev().scan(zero, step)
}

/// [`descending`], with twice the digits.
#[inline]
pub(super) fn descending_pairs<T: Real>(x: &[T]) -> impl Iterator<Item = Twice<T>> {
    let step = |above: &mut Twice<T>, n: usize| {
        if n == 0 {
            return Some(*above);
        }
        let weight = inverse_root(n).times(reachable(x[n - 1], x.len()));
        let element = *above - weight.times(count(n));
        *above = *above + weight;
        Some(element)
    };
    (0..=x.len()).rev().scan(Twice::new(T::from_f64(0.0)), step)
}

/// The vector with these coordinates.
#[inline]
pub(super) fn spread<T: Real>(x: &[T], y: &mut [T]) {
    for (y, element) in y.iter_mut().rev().zip(descending(x)) {
        *y = element;
    }
}

/// The coordinates of a vector, less its mean; the adjoint of [`spread`].
#[inline]
pub(super) fn project<T: Real>(y: &[T], x: &mut [T]) {
    let Some(&first) = y.first() else { return };
    let mut before = first;
    for (n, (x, &y)) in (1..).zip(x.iter_mut().zip(&y[1..])) {
        *x = (before - count::<T>(n) * y) / root(n);
        before = before + y;
    }
}

/// [`project`] in place: the elements behind the first become the coordinates.
#[inline]
pub(super) fn project_rest<T: Real>(first: T, rest: &mut [T]) {
    let mut before = first;
    for (n, element) in (1..).zip(rest) {
        let y = *element;
        *element = (before - count::<T>(n) * y) / root(n);
        before = before + y;
    }
}

/// [`spread`] of each column in place: the coordinates stand in all rows but the first.
pub(super) fn spread_columns<T: Real>(y: &mut [T], columns: usize) {
    for column in 0..columns {
        let mut above = T::from_f64(0.0);
        for row in (1..y.len() / columns).rev() {
            let y = &mut y[row * columns + column];
            let weight = *y / root(row);
            *y = above - count::<T>(row) * weight;
            above = above + weight;
        }
        y[column] = above;
    }
}

/// [`project`] of each row, then of each column of what that gives.
pub(super) fn project_columns<T: Real>(y: &[T], x: &mut [T], columns: usize) {
    if x.is_empty() {
        return;
    }
    let free = columns - 1;
    let (first, rest) = y.split_at(columns);
    let mut before = Room::new(free);
    project(first, &mut before);
    for (n, (row, x)) in (1..).zip(rest.chunks_exact(columns).zip(x.chunks_exact_mut(free))) {
        project(row, x);
        for (before, x) in before.iter_mut().zip(x) {
            let projected = *x;
            *x = (*before - count::<T>(n) * projected) / root(n);
            *before = *before + projected;
        }
    }
}
