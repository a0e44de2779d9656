//! Small square matrices, and elimination.

use std::ops::{Add, Index, IndexMut, Mul, Sub};

use super::number::Number;
use super::room::Room;

/// A square matrix.
#[derive(Clone)]
pub(super) struct Square<N> {
    n: usize,
    /// In row-major order.
    entries: Room<N>,
}

impl<N: Number> Square<N> {
    pub(super) fn from_fn(n: usize, entry: impl Fn(usize, usize) -> N) -> Self {
        let entries = Room::filled(N::constant(0.0), n * n);
        let mut this = Self { n, entries };
        for i in 0..n {
            for (j, slot) in this.row_mut(i).iter_mut().enumerate() {
                *slot = entry(i, j);
            }
        }
        this
    }

    /// A multiple of the identity.
    pub(super) fn diagonal(n: usize, value: f64) -> Self {
        let (value, zero) = (N::constant(value), N::constant(0.0));
        Self::from_fn(n, |i, j| if i == j { value } else { zero })
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    pub(super) fn row(&self, i: usize) -> &[N] {
        &self.entries[i * self.n..(i + 1) * self.n]
    }

    pub(super) fn row_mut(&mut self, i: usize) -> &mut [N] {
        let n = self.n;
        &mut self.entries[i * n..(i + 1) * n]
    }

    pub(super) fn entries(&self) -> &[N] {
        &self.entries
    }

    pub(super) fn map<M: Number>(&self, f: impl Fn(N) -> M) -> Square<M> {
        Square::from_fn(self.n, |i, j| f(self[(i, j)]))
    }

    pub(super) fn scaled(&self, by: f64) -> Self {
        let by = N::constant(by);
        self.map(|entry| by * entry)
    }

    pub(super) fn transposed(&self) -> Self {
        Self::from_fn(self.n, |i, j| self[(j, i)])
    }

    /// The sum of the squared entries.
    pub(super) fn squared_norm(&self) -> f64 {
        self.entries().iter().map(|it| it.value().powi(2)).sum()
    }

    /// This matrix's inverse times `right`, by elimination with row exchanges, which leaves the
    /// pivots on the diagonal of what it returns first. None if a pivot is zero or NaN.
    pub(super) fn solve(mut self, mut right: Self) -> Option<(Self, Self)> {
        let n = self.n;
        for k in 0..n {
            let size = |i: usize| self[(i, k)].value().abs();
            let pivot = (k..n).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
            let size = size(pivot);
            if size.is_nan() || size <= 0.0 {
                return None;
            }
            self.exchange(k, pivot);
            right.exchange(k, pivot);
            for i in k + 1..n {
                let factor = self[(i, k)] / self[(k, k)];
                self.subtract(i, factor, k);
                right.subtract(i, factor, k);
            }
        }
        for k in (0..n).rev() {
            for i in k + 1..n {
                let factor = self[(k, i)];
                right.subtract(k, factor, i);
            }
            let pivot = self[(k, k)];
            for entry in right.row_mut(k) {
                *entry = *entry / pivot;
            }
        }
        Some((self, right))
    }

    fn exchange(&mut self, a: usize, b: usize) {
        for j in 0..self.n {
            let n = self.n;
            self.entries.swap(a * n + j, b * n + j);
        }
    }

    /// row i - factor · row k
    fn subtract(&mut self, i: usize, factor: N, k: usize) {
        for j in 0..self.n {
            self[(i, j)] = self[(i, j)] - factor * self[(k, j)];
        }
    }

    /// One step towards the orthogonal matrix next to this one, which is nearly orthogonal.
    pub(super) fn orthogonalised(&self) -> Self {
        let three = Self::diagonal(self.n, 3.0);
        (self * &(&three - &(&self.transposed() * self))).scaled(0.5)
    }
}

impl<N> Index<(usize, usize)> for Square<N> {
    type Output = N;

    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &N {
        &self.entries[i * self.n + j]
    }
}

impl<N> IndexMut<(usize, usize)> for Square<N> {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut N {
        &mut self.entries[i * self.n + j]
    }
}

impl<N: Number> Add for &Square<N> {
    type Output = Square<N>;

    fn add(self, other: Self) -> Square<N> {
        Square::from_fn(self.n, |i, j| self[(i, j)] + other[(i, j)])
    }
}

impl<N: Number> Sub for &Square<N> {
    type Output = Square<N>;

    fn sub(self, other: Self) -> Square<N> {
        Square::from_fn(self.n, |i, j| self[(i, j)] - other[(i, j)])
    }
}

impl<N: Number> Mul for &Square<N> {
    type Output = Square<N>;

    fn mul(self, other: Self) -> Square<N> {
        let zero = N::constant(0.0);
        Square::from_fn(self.n, |i, j| {
            let terms = self.row(i).iter().enumerate();
            terms.fold(zero, |sum, (k, &entry)| sum + entry * other[(k, j)])
        })
    }
}
