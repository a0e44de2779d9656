//! A leaf with its unconstrained coordinates beside it.

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD};

use crate::element::Inexact;
use crate::leaf::{Storage, constrain_array};
use crate::transform::Transform;

/// Natural values, and the coordinates that they were computed from.
#[derive(Clone, Debug)]
pub(super) struct Kept<A, E> {
    pub(super) natural: A,
    pub(super) x: Vec<E>,
    /// Whether `natural` is still what `x` made of it. It is not once it was written itself.
    pub(super) holds: bool,
}

impl<A, E> Kept<A, E> {
    /// The natural values, to be written: they are the truth from here on.
    pub(super) fn natural_mut(&mut self) -> &mut A {
        self.holds = false;
        &mut self.natural
    }
}

impl<E: Inexact, A: Storage<E>> Storage<E> for Kept<A, E> {
    #[inline]
    fn dims(&self) -> &[usize] {
        self.natural.dims()
    }

    #[inline]
    fn values(&self) -> Option<&[E]> {
        self.natural.values()
    }

    fn array_view(&self) -> ArrayViewD<'_, E> {
        self.natural.array_view()
    }

    fn values_mut(&mut self) -> Option<&mut [E]> {
        self.natural_mut().values_mut()
    }

    fn array_view_mut(&mut self) -> ArrayViewMutD<'_, E> {
        self.natural_mut().array_view_mut()
    }

    /// A copy: what stays tells `put_array` whether the coordinates still hold.
    fn take_array(&mut self) -> ArrayD<E> {
        self.natural.array_view().to_owned()
    }

    fn put_array(&mut self, array: ArrayD<E>) -> Result<(), ArrayD<E>> {
        let bits = |value: &E| value.to_f64().to_bits();
        let own = self.natural.array_view();
        let same =
            own.shape() == array.shape() && own.iter().zip(&array).all(|(a, b)| bits(a) == bits(b));
        if same {
            return Ok(());
        }
        self.natural.put_array(array)?;
        self.holds = false;
        Ok(())
    }

    #[inline]
    fn coordinates(&self) -> Option<&[E]> {
        self.holds.then_some(&self.x)
    }

    fn put_coordinates(&mut self, x: &[E], transform: &dyn Transform<E>) -> bool {
        self.x.clear();
        self.x.extend_from_slice(x);
        constrain_array(transform, x, &mut self.natural, &mut Vec::new());
        self.holds = true;
        true
    }
}
