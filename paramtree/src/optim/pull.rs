//! Coordinates of the leaves with a transform, and their gradients.

use super::collected::{Collected, Given, Side, Source};
use super::finite::all_finite;
use super::optimizer::Optimizer;
use super::slot::{InStep, Slot};
use super::trainable::Trainable;
use crate::at::At;
use crate::element::{ComputeVisitor, Inexact};
use crate::error::Error;
use crate::layout::{check_width, gathered, inconsistent, refused};
use crate::leaf::LeafRef;
use crate::module::Module;
use crate::transform::Transform;

/// Walks the model, if need be.
pub(super) fn pull<R, M: Module + ?Sized>(
    optimizer: &Optimizer<R>,
    model: &M,
    collected: &mut Collected<'_>,
    given: Given,
) -> Result<(), Error> {
    if !optimizer.pulls {
        return Ok(());
    }
    collected.rewind();
    let mut pull = Pull {
        slots: InStep::new(&optimizer.slots),
        collected,
        given,
        looks: optimizer.options.looks(),
        error: None,
    };
    model.visit(At::root(), &mut Trainable(&mut pull));
    pull.error.map_or(Ok(()), Err)
}

struct Pull<'s, 'c, 'g> {
    slots: InStep<'s>,
    collected: &'c mut Collected<'g>,
    given: Given,
    looks: bool,
    error: Option<Error>,
}

impl<'a> ComputeVisitor<'a> for Pull<'_, '_, '_> {
    #[inline]
    fn inexact<T: Inexact>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        let slot = T::pick(&mut self.slots).and_then(Iterator::next);
        let (Some(slot), Some(side)) = (slot, T::pick(self.collected)) else {
            return;
        };
        if !slot.trains {
            return;
        }
        let number = side.leaf;
        side.leaf += 1;
        if self.error.is_some() {
            return;
        }
        if transform.is_some() != slot.has_transform {
            let path = at.to_string();
            self.error = Some(Error::Declaration { path });
        } else if let Some(transform) = transform {
            let start = side.x_bars.len();
            self.error = one(leaf, at, transform, slot, side, number, self.given).err();
            let finite = !self.looks || all_finite(&side.x_bars[start..]);
            self.collected.not_finite |= !finite;
        }
    }
}

fn one<T: Inexact>(
    leaf: LeafRef<'_, T>,
    at: At<'_>,
    transform: &dyn Transform<T>,
    slot: &Slot<T>,
    side: &mut Side<'_, T>,
    number: usize,
    given: Given,
) -> Result<(), Error> {
    check_width(leaf, at, transform, slot.width)?;
    let start = side.xs.len();
    side.xs.resize(start + slot.width, T::ZERO);
    let Side {
        sources,
        gathered: ordered,
        xs,
        x_bars,
        natural,
        again,
        ..
    } = side;
    let x = &mut xs[start..];
    if !known(leaf, transform, slot, x, natural, again) {
        let y = gathered(leaf, natural);
        leaf.with_shape(|shape| transform.unconstrain(y, x, shape))
            .map_err(|refusal| refused(leaf, at, transform, refusal))?;
    }
    let Some(source) = sources.get_mut(number) else {
        return Err(inconsistent());
    };
    if given == Given::Flat {
        return Ok(());
    }
    let start = x_bars.len();
    x_bars.resize(start + slot.width, T::ZERO);
    let (_, x_bar) = x_bars.split_at_mut(start);
    if let Some(y_bar) = source.get(ordered, &[]) {
        leaf.with_shape(|shape| transform.vjp(x, y_bar, x_bar, shape));
        let natural = match *source {
            Source::Given(natural) => Some(natural),
            _ => None,
        };
        *source = Source::Pulled(start..start + slot.width, natural);
    }
    Ok(())
}

/// Takes the coordinates from where they are kept: with the leaf, or in its state, where they
/// hold as long as they still make the leaf's natural values, bit for bit.
fn known<T: Inexact>(
    leaf: LeafRef<'_, T>,
    transform: &dyn Transform<T>,
    slot: &Slot<T>,
    x: &mut [T],
    natural: &mut Vec<T>,
    again: &mut Vec<T>,
) -> bool {
    let is_whole = |kept: &&[T]| kept.len() == x.len();
    if let Some(kept) = leaf.coordinates().filter(is_whole) {
        x.copy_from_slice(kept);
        return true;
    }
    let last = slot.extra.as_deref().map(|extra| &extra.x[..]);
    let Some(last) = last.filter(is_whole) else {
        return false;
    };
    let y = gathered(leaf, natural);
    again.resize(y.len(), T::ZERO);
    leaf.with_shape(|shape| transform.constrain(last, again, shape));
    let bits = |value: &T| value.to_f64().to_bits();
    let holds = y.iter().zip(&*again).all(|(a, b)| bits(a) == bits(b));
    if holds {
        x.copy_from_slice(last);
    }
    holds
}
