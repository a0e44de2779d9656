//! What is checked before the first write.

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::layout::scratch::{Scratch, gathered};
use crate::layout::{Layout, Select, Trained, check_width, refused};
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::structure::leaves;
use crate::transform::Transform;

/// The choices of a walk, and the shapes of the trained leaves alone: what a gradient
/// must share with its model.
struct TrainedFingerprint<'m> {
    trained: Trained<'m>,
    print: Fingerprint,
}

impl<'a> Visitor<'a> for TrainedFingerprint<'_> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if self.trained.next::<T>(at) {
            self.print.leaf(leaf, at, transform);
        }
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        Visitor::choice(&mut self.print, value);
    }
}

#[inline]
pub(super) fn trained_fingerprint<M: Module + ?Sized>(model: &M, flags: Option<&[bool]>) -> u64 {
    let trained = Trained::new(flags);
    let mut visitor = TrainedFingerprint {
        trained,
        print: Fingerprint::default(),
    };
    model.visit(At::root(), &mut visitor);
    visitor.print.get()
}

impl Layout {
    /// Checks that a gradient has the model's leaves, and the trained ones its shapes.
    #[inline]
    pub(super) fn check_gradient<M: Module + ?Sized>(&self, gradient: &M) -> Result<(), Error> {
        if trained_fingerprint(gradient, self.flags.as_deref()) == self.trained_fingerprint {
            return Ok(());
        }
        self.compare_gradient(gradient)
    }

    #[cold]
    fn compare_gradient<M: Module + ?Sized>(&self, gradient: &M) -> Result<(), Error> {
        let trained = self.slots.iter().map(|slot| slot.leaf);
        self.structure
            .compare_gradient(&leaves(gradient), trained, false)
    }

    /// Checks the transforms' parameters, and what else `rule` asks of each leaf that has one.
    #[inline]
    pub(super) fn check_transforms<M, F>(
        &self,
        model: &M,
        flat: &[F],
        rule: Rule,
    ) -> Result<(), Error>
    where
        M: Module + ?Sized,
        F: Inexact,
    {
        if self.has_transforms {
            self.walk_transforms(model, flat, rule)
        } else {
            Ok(())
        }
    }

    fn walk_transforms<M, F>(&self, model: &M, flat: &[F], rule: Rule) -> Result<(), Error>
    where
        M: Module + ?Sized,
        F: Inexact,
    {
        let mut check = Check {
            trained: self.trained(),
            widths: self.widths(),
            flat,
            offset: 0,
            rule,
            scratch: Scratch::default(),
            error: None,
        };
        model.visit(At::root(), &mut check);
        check.error.map_or(Ok(()), Err)
    }
}

/// What is asked of a leaf with a transform.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// Its natural values lie in the transform's domain.
    Domain,
    /// The flat vector holds finite numbers for it.
    Finite,
}

struct Check<'m, 'f, F, W> {
    trained: Trained<'m>,
    widths: W,
    flat: &'f [F],
    offset: usize,
    rule: Rule,
    scratch: Scratch,
    error: Option<Error>,
}

impl<'a, F: Inexact, W: Iterator<Item = usize>> Visitor<'a> for Check<'_, '_, F, W> {
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !self.trained.next::<T>(at) || self.error.is_some() {
            return;
        }
        let width = self.widths.next().unwrap_or(0);
        if let Some(transform) = transform {
            self.error = self.check(leaf, at, transform, width).err();
        }
        self.offset += width;
    }
}

impl<F: Inexact, W> Check<'_, '_, F, W> {
    fn check<T: Element>(
        &mut self,
        leaf: LeafRef<'_, T>,
        at: At<'_>,
        transform: &dyn Transform<T>,
        width: usize,
    ) -> Result<(), Error> {
        check_width(leaf, at, transform, width)?;
        match self.rule {
            Rule::Domain if leaf.coordinates().is_some() => Ok(()),
            Rule::Domain => {
                let Some(room) = T::pick(&mut self.scratch) else {
                    return Ok(());
                };
                room.x.resize(width, T::ZERO);
                let y = gathered(leaf, &mut room.natural);
                leaf.with_shape(|shape| transform.unconstrain(y, &mut room.x, shape))
                    .map_err(|refusal| refused(leaf, at, transform, refusal))
            }
            Rule::Finite => {
                let x = self
                    .flat
                    .get(self.offset..self.offset + width)
                    .unwrap_or_default();
                match x.iter().position(|x| !x.is_finite_number()) {
                    None => Ok(()),
                    Some(i) => {
                        let (path, index) = (at.to_string(), self.offset + i);
                        Err(Error::NotFinite {
                            path,
                            index,
                            value: x[i].to_f64(),
                        })
                    }
                }
            }
        }
    }
}
