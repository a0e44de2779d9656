//! Matrices of shares.

use super::event::{self, Event, event_transform, total};
use super::room::Room;
use super::simplex::{Simplex, check_simplex, simplex_len};
use crate::real::Real;
use crate::refusal::Refusal;

/// Matrices whose rows are simplexes, as the transition probabilities of a Markov chain.
///
/// | | |
/// |---|---|
/// | value | [`Simplex`] of each row |
/// | domain | that of [`Simplex`] for each row |
/// | unconstrained length | R (C - 1) for the shape \[…, R, C\], per matrix of the last two axes |
/// | log-det | the sum of the rows', with respect to all but the last column |
///
/// x is the coordinates of the rows, one after the other. Source: Stan Reference Manual,
/// "Constraint Transforms", stochastic matrix (`row_stochastic_matrix`).
///
/// ```
/// use paramtree::transform::{RowStochastic, Transform};
///
/// let mut y = [0.0; 4];
/// RowStochastic.constrain(&[0.0, 800.0], &mut y, &[2, 2]);
/// assert_eq!(y, [0.5, 0.5, 1.0, 5e-324]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowStochastic;

/// Matrices whose columns are simplexes.
///
/// | | |
/// |---|---|
/// | value | [`Simplex`] of each column |
/// | domain | that of [`Simplex`] for each column |
/// | unconstrained length | (R - 1) C for the shape \[…, R, C\], per matrix of the last two axes |
/// | log-det | the sum of the columns', with respect to all but the last row |
///
/// x is the coordinates of the columns, one after the other. Source: Stan Reference Manual,
/// "Constraint Transforms", stochastic matrix (`column_stochastic_matrix`).
///
/// ```
/// use paramtree::transform::{ColumnStochastic, Transform};
///
/// let mut y = [0.0; 4];
/// ColumnStochastic.constrain(&[0.0, 800.0], &mut y, &[2, 2]);
/// assert_eq!(y, [0.5, 1.0, 0.5, 5e-324]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnStochastic;

// The rows of one matrix are vectors along its leading axis.
impl<T: Real> Event<T> for RowStochastic {
    fn rank(&self) -> usize {
        2
    }

    fn range(&self) -> (f64, f64) {
        Event::<T>::range(&Simplex)
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        event::unconstrained_len::<T>(&Simplex, event)
    }

    fn constrain(&self, x: &[T], y: &mut [T], event: &[usize]) {
        event::constrain(&Simplex, x, y, event);
    }

    fn check(&self, y: &[T], event: &[usize]) -> Result<(), Refusal> {
        event::check(&Simplex, y, event)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], event: &[usize]) {
        event::unconstrain_checked(&Simplex, y, x, event);
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], event: &[usize]) {
        event::vjp(&Simplex, x, y_bar, x_bar, event);
    }

    fn log_abs_det_jacobian(&self, x: &[T], event: &[usize]) -> T {
        event::log_abs_det_jacobian(&Simplex, x, event)
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], event: &[usize]) {
        event::add_log_abs_det_jacobian_grad(&Simplex, x, grad, event);
    }
}

impl<T: Real> Event<T> for ColumnStochastic {
    fn rank(&self) -> usize {
        2
    }

    fn range(&self) -> (f64, f64) {
        Event::<T>::range(&Simplex)
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        let (column, columns) = event.split_at(1);
        Ok(simplex_len(column)? * columns.iter().product::<usize>())
    }

    fn constrain(&self, x: &[T], y: &mut [T], event: &[usize]) {
        let (free, rows, columns) = sizes(event);
        let mut column = Room::new(rows);
        for j in 0..columns {
            Simplex.constrain(&x[j * free..][..free], &mut column, &[rows]);
            for (y, &share) in y[j..].iter_mut().step_by(columns).zip(&*column) {
                *y = share;
            }
        }
    }

    fn check(&self, y: &[T], event: &[usize]) -> Result<(), Refusal> {
        let (_, rows, columns) = sizes(event);
        let mut column = Room::new(rows);
        for j in 0..columns {
            gather(&y[j..], columns, &mut column);
            check_simplex(&column).map_err(|refusal| refusal.reindexed(|row| row * columns + j))?;
        }
        Ok(())
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], event: &[usize]) {
        let (free, rows, columns) = sizes(event);
        let mut column = Room::new(rows);
        for j in 0..columns {
            gather(&y[j..], columns, &mut column);
            Simplex.unconstrain(&column, &mut x[j * free..][..free], &[rows]);
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], event: &[usize]) {
        let (free, rows, columns) = sizes(event);
        let mut column = Room::new(rows);
        for j in 0..columns {
            gather(&y_bar[j..], columns, &mut column);
            let (x, x_bar) = (&x[j * free..][..free], &mut x_bar[j * free..][..free]);
            Simplex.vjp(x, &column, x_bar, &[rows]);
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], event: &[usize]) -> T {
        let (free, rows, columns) = sizes(event);
        total(0..columns, &|j| {
            Simplex.log_abs_det_jacobian(&x[j * free..][..free], &[rows])
        })
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], event: &[usize]) {
        let (free, rows, columns) = sizes(event);
        for j in 0..columns {
            let (x, grad) = (&x[j * free..][..free], &mut grad[j * free..][..free]);
            Simplex.add_log_abs_det_jacobian_grad(x, grad, &[rows]);
        }
    }
}

event_transform!(RowStochastic);
event_transform!(ColumnStochastic);

/// Coordinates of a column, rows, columns.
fn sizes(event: &[usize]) -> (usize, usize, usize) {
    (event[0] - 1, event[0], event[1])
}

/// Every so many elements.
fn gather<T: Real>(from: &[T], stride: usize, to: &mut [T]) {
    for (to, &from) in to.iter_mut().zip(from.iter().step_by(stride)) {
        *to = from;
    }
}
