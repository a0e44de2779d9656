//! The log-Jacobian that a density in unconstrained space needs.

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::Error;
use crate::layout::check::Rule;
use crate::layout::scratch::{Scratch, coordinates};
use crate::layout::{Layout, Select, Trained, cast};
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::transform::Transform;

impl Layout {
    /// The logarithm of the absolute Jacobian determinant of the map from the flat vector
    /// to the trained leaves, at the point `x`.
    ///
    /// Add it to the log-density of the natural values to get that of the flat vector
    /// (Stan Reference Manual, "Constraint transforms"). `model` gives the transforms.
    ///
    /// ```
    /// use paramtree::transform::Positive;
    /// use paramtree::{Layout, Module};
    ///
    /// #[derive(Module)]
    /// struct Scale(#[param(transform = Positive)] f64);
    ///
    /// let model = Scale(1.0);
    /// let layout = Layout::of(&model)?;
    /// // y = exp(x), so ln |dy/dx| = x, whose slope is 1.
    /// assert_eq!(layout.log_abs_det_jacobian(&model, &[0.5])?, 0.5);
    /// let mut gradient = [10.0];
    /// layout.add_log_abs_det_jacobian_grad(&model, &[0.5], &mut gradient)?;
    /// assert_eq!(gradient, [11.0]);
    /// # Ok::<(), paramtree::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The model has another structure or shape than the layout; `x` has another length,
    /// or an infinite number or NaN for a leaf with a transform.
    pub fn log_abs_det_jacobian<F: Inexact>(
        &self,
        model: &(impl Module + ?Sized),
        x: &[F],
    ) -> Result<F, Error> {
        self.jacobian(model, x, &mut [])
    }

    /// Adds the gradient of [`log_abs_det_jacobian`](Self::log_abs_det_jacobian) to a
    /// slice, and returns the value.
    ///
    /// # Errors
    ///
    /// As there, or the slice has another length than the layout. It is then as it was.
    pub fn add_log_abs_det_jacobian_grad<F: Inexact>(
        &self,
        model: &(impl Module + ?Sized),
        x: &[F],
        gradient: &mut [F],
    ) -> Result<F, Error> {
        self.check_len(gradient.len())?;
        self.jacobian(model, x, gradient)
    }

    fn jacobian<F: Inexact>(
        &self,
        model: &(impl Module + ?Sized),
        x: &[F],
        gradient: &mut [F],
    ) -> Result<F, Error> {
        self.check_model(model)?;
        self.check_len(x.len())?;
        self.check_transforms(model, x, Rule::Finite)?;
        let mut jacobian = Jacobian {
            trained: self.trained(),
            widths: self.widths(),
            x,
            gradient: (!gradient.is_empty()).then_some(gradient),
            sum: F::ZERO,
            scratch: Scratch::default(),
        };
        if self.has_transforms {
            model.visit(At::root(), &mut jacobian);
        }
        Ok(jacobian.sum)
    }
}

struct Jacobian<'m, 'f, F, W> {
    trained: Trained<'m>,
    widths: W,
    x: &'f [F],
    gradient: Option<&'f mut [F]>,
    sum: F,
    scratch: Scratch,
}

impl<'a, F: Inexact, W: Iterator<Item = usize>> Visitor<'a> for Jacobian<'_, '_, F, W> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !self.trained.next::<T>(at) {
            return;
        }
        let width = self.widths.next().unwrap_or(0);
        let Some(x) = self.x.split_off(..width) else {
            return;
        };
        let gradient = self
            .gradient
            .as_mut()
            .and_then(|rest| rest.split_off_mut(..width));
        let (Some(transform), Some(room)) = (transform, T::pick(&mut self.scratch)) else {
            return;
        };
        let x = coordinates(x, &mut room.x);
        leaf.with_shape(|shape| {
            self.sum = self.sum + cast(transform.log_abs_det_jacobian(x, shape));
            let Some(gradient) = gradient else {
                return;
            };
            if let Some(same) = T::same_slice_mut(gradient) {
                return transform.add_log_abs_det_jacobian_grad(x, same, shape);
            }
            // In the leaf's precision, then added in that of the vector, which may be wider.
            room.out.clear();
            room.out.resize(width, T::ZERO);
            transform.add_log_abs_det_jacobian_grad(x, &mut room.out, shape);
            for (sum, term) in gradient.iter_mut().zip(&room.out) {
                *sum = *sum + cast(*term);
            }
        });
    }
}
