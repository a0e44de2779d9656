//! Cholesky factors, one after the other, in the same memory.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::{Col, ColRef, Mat, MatMut, MatRef, Par, Spec};

/// faer's `Mat::llt` and `Llt::inverse` allocate anew at each call; getting the memory from the
/// system and giving it back would be nearly half of the fit.
pub(crate) struct Cholesky {
    /// The factor, below the diagonal and on it.
    factor: Mat<f64>,
    inverse: Mat<f64>,
    memory: MemBuffer,
}

impl Cholesky {
    /// Room for matrices of so many rows.
    pub(crate) fn with_rows(rows: usize) -> Self {
        let factor = llt::factor::cholesky_in_place_scratch::<f64>(rows, Par::Seq, Spec::default());
        let inverse = llt::inverse::inverse_scratch::<f64>(rows, Par::Seq);
        Self {
            factor: Mat::zeros(rows, rows),
            inverse: Mat::zeros(rows, rows),
            memory: MemBuffer::new(factor.or(inverse)),
        }
    }

    /// Where the next matrix goes, before it is factored: below the diagonal and on it.
    pub(crate) fn lower_half(&mut self) -> MatMut<'_, f64> {
        self.factor.as_mut()
    }

    /// Replaces the matrix by its factor.
    pub(crate) fn factor(&mut self) -> Result<(), LltError> {
        llt::factor::cholesky_in_place(
            self.factor.as_mut(),
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut self.memory),
            Spec::default(),
        )?;
        Ok(())
    }

    /// Half the logarithm of the matrix's determinant.
    pub(crate) fn half_log_det(&self) -> f64 {
        let diagonal = self.factor.diagonal().column_vector();
        diagonal.iter().map(|pivot| pivot.ln()).sum()
    }

    /// The matrix's inverse times a vector.
    pub(crate) fn solve(&self, vector: &[f64]) -> Col<f64> {
        let mut solution = ColRef::from_slice(vector).to_owned();
        self.factor
            .solve_lower_triangular_in_place(solution.as_mat_mut());
        self.factor
            .transpose()
            .solve_upper_triangular_in_place(solution.as_mat_mut());
        solution
    }

    /// The factor's inverse times a matrix.
    pub(crate) fn whiten(&self, matrix: &mut Mat<f64>) {
        self.factor.solve_lower_triangular_in_place(matrix);
    }

    /// The matrix's inverse, below the diagonal and on it.
    pub(crate) fn inverse(&mut self) -> MatRef<'_, f64> {
        llt::inverse::inverse(
            self.inverse.as_mut(),
            self.factor.as_ref(),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
        self.inverse.as_ref()
    }
}
