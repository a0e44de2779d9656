//! Where the coordinates of a triangle stand in its matrix.

/// Rows and columns of the lower triangle with its diagonal, row by row; rows below the last
/// column are full.
pub(super) fn lower(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |i| (0..columns.min(i + 1)).map(move |j| (i, j)))
}

/// Rows and columns below the diagonal, row by row.
pub(super) fn strictly_lower(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// How many entries `lower` gives.
pub(super) fn lower_len(rows: usize, columns: usize) -> usize {
    (0..rows).map(|i| columns.min(i + 1)).sum()
}

/// How many entries `strictly_lower` gives.
pub(super) fn strictly_lower_len(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}
