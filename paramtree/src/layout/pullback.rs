//! From a gradient in natural space to one of the flat vector.

use crate::at::At;
use crate::element::{Element, Inexact, PerInexact, Plain};
use crate::error::Error;
use crate::layout::check::Rule;
use crate::layout::scratch::{Scratch, coordinates, filled};
use crate::layout::{Layout, Select, Trained, inconsistent};
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::transform::Transform;

impl Layout {
    /// The gradient of the flat vector at the model's own point.
    ///
    /// `gradient` holds the derivatives in natural space as a value of the model's type,
    /// a leaf for a leaf. Where a leaf does not train, its gradient is not read, and may
    /// be an empty array. If you have the flat vector, [`pullback_into`](Self::pullback_into)
    /// takes the point from there, and is exact where a stored value has come so near to a
    /// bound that its coordinate is lost.
    ///
    /// # Errors
    ///
    /// As [`flatten`](Self::flatten), and if the gradient has another structure than the
    /// model, or a trained leaf's gradient another shape, or none.
    pub fn pullback<F: Inexact, M: Module + ?Sized>(
        &self,
        model: &M,
        gradient: &M,
    ) -> Result<Vec<F>, Error> {
        let x: Vec<F> = self.flatten(model)?;
        let mut flat_gradient = vec![F::ZERO; self.len];
        self.pullback_into(model, &x, gradient, &mut flat_gradient)?;
        Ok(flat_gradient)
    }

    /// The gradient of the flat vector at the point `x`, into a slice.
    ///
    /// `model` gives the transforms; its values are not read.
    ///
    /// # Errors
    ///
    /// The model or the gradient has another structure than the layout, a trained leaf's
    /// gradient another shape or none, a slice another length; or `x` holds an infinite
    /// number or NaN for a leaf with a transform. `flat_gradient` is then as it was.
    pub fn pullback_into<F: Inexact, M: Module + ?Sized>(
        &self,
        model: &M,
        x: &[F],
        gradient: &M,
        flat_gradient: &mut [F],
    ) -> Result<(), Error> {
        self.check_model(model)?;
        self.check_gradient(gradient)?;
        self.check_len(x.len())?;
        self.check_len(flat_gradient.len())?;
        self.check_transforms(model, x, Rule::Finite)?;

        let mut copy = Copy {
            trained: self.trained(),
            widths: self.widths(),
            flat: &mut *flat_gradient,
            natural: Natural::default(),
            transformed: self.transformed,
        };
        gradient.visit(At::root(), &mut copy);
        let (left, natural) = (copy.flat.len(), copy.natural);
        if left != 0 {
            return Err(inconsistent());
        }
        if self.has_transforms {
            let mut pull = Pull {
                trained: self.trained(),
                widths: self.widths(),
                x,
                flat: flat_gradient,
                natural,
                scratch: Scratch::default(),
            };
            model.visit(At::root(), &mut pull);
        }
        Ok(())
    }
}

/// The natural gradients of the leaves with a transform, one behind another.
#[derive(Default)]
struct Natural {
    f32s: Queue<f32>,
    f64s: Queue<f64>,
}

#[derive(Default)]
struct Queue<T> {
    values: Vec<T>,
    /// How many have been taken.
    taken: usize,
}

impl PerInexact for Natural {
    type Of<T: Plain> = Queue<T>;

    fn for_f32(&mut self) -> &mut Queue<f32> {
        &mut self.f32s
    }

    fn for_f64(&mut self) -> &mut Queue<f64> {
        &mut self.f64s
    }
}

/// Walks the gradient: copies what has no transform, and keeps the rest.
struct Copy<'m, 'f, F, W> {
    trained: Trained<'m>,
    widths: W,
    flat: &'f mut [F],
    natural: Natural,
    /// How many elements there are to be kept, of both precisions.
    transformed: usize,
}

impl<'a, F: Inexact, W: Iterator<Item = usize>> Visitor<'a> for Copy<'_, '_, F, W> {
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
        let Some(flat) = self.flat.split_off_mut(..width) else {
            return;
        };
        match (leaf.values(), transform) {
            (Some(values), None) => T::store(values, flat),
            (None, None) => {
                for (value, flat) in leaf.array_view().iter().zip(flat) {
                    T::store(std::slice::from_ref(value), std::slice::from_mut(flat));
                }
            }
            (values, Some(_)) => {
                let Some(queue) = T::pick(&mut self.natural) else {
                    return;
                };
                if queue.values.is_empty() {
                    queue.values.reserve_exact(self.transformed);
                }
                match values {
                    Some(values) => queue.values.extend_from_slice(values),
                    None => queue.values.extend(leaf.array_view().iter().copied()),
                }
            }
        }
    }
}

/// Walks the model: pulls back through the transforms.
struct Pull<'m, 'f, F, W> {
    trained: Trained<'m>,
    widths: W,
    x: &'f [F],
    flat: &'f mut [F],
    natural: Natural,
    scratch: Scratch,
}

impl<'a, F: Inexact, W: Iterator<Item = usize>> Visitor<'a> for Pull<'_, '_, F, W> {
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
        let (Some(x), Some(flat)) = (self.x.split_off(..width), self.flat.split_off_mut(..width))
        else {
            return;
        };
        let Some(transform) = transform else { return };
        let (Some(queue), Some(room)) = (T::pick(&mut self.natural), T::pick(&mut self.scratch))
        else {
            return;
        };
        let Some(y_bar) = queue.values[queue.taken..].get(..leaf.len()) else {
            return;
        };
        queue.taken += y_bar.len();
        let x = coordinates(x, &mut room.x);
        leaf.with_shape(|shape| {
            filled(flat, &mut room.out, |x_bar| {
                transform.vjp(x, y_bar, x_bar, shape);
            });
        });
    }
}
