//! Solves by substitution, in place, with a lower triangular matrix of a few rows.

use ndarray::{ArrayRef1, ArrayRef2};

/// Replaces b by A⁻¹ b.
pub(crate) fn solve(matrix: &ArrayRef2<f64>, vector: &mut ArrayRef1<f64>) {
    for row in 0..vector.len() {
        let known: f64 = (0..row).map(|j| matrix[[row, j]] * vector[j]).sum();
        vector[row] = (vector[row] - known) / matrix[[row, row]];
    }
}

/// Replaces b by A⁻ᵀ b.
pub(crate) fn solve_transposed(matrix: &ArrayRef2<f64>, vector: &mut ArrayRef1<f64>) {
    for row in (0..vector.len()).rev() {
        let known: f64 = (row + 1..vector.len())
            .map(|j| matrix[[j, row]] * vector[j])
            .sum();
        vector[row] = (vector[row] - known) / matrix[[row, row]];
    }
}
