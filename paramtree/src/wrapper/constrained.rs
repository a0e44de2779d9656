//! `Constrained<A, T>`: a leaf that keeps its own unconstrained coordinates.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use super::kept::Kept;
use crate::at::{At, Standing};
use crate::element::Element;
use crate::leaf::{LeafMut, LeafRef, Storage};
use crate::module::{Module, Param, Visitor, VisitorMut};
use crate::real::Real;
use crate::refusal::Refusal;
use crate::transform::Transform;

/// A number or an array whose truth is its unconstrained coordinates.
///
/// In the tree it is what a field with `#[param(transform = …)]` is: one leaf, in natural
/// space, with a transform. But where that field's coordinate is computed anew from the
/// natural value whenever it is asked for, and is lost where the value has come so near to a
/// bound that its digits run out, this keeps the coordinates that were last written: a
/// [`Layout`](crate::Layout) takes them as they are, so that saturation loses nothing. The
/// natural value is computed once per update, not once per read, and is reached by deref.
///
/// ```
/// use paramtree::transform::UnitInterval;
/// use paramtree::{Constrained, Layout, Module};
///
/// #[derive(Module)]
/// struct Coin {
///     heads: Constrained<f64, UnitInterval>,
/// }
///
/// let mut coin = Coin { heads: Constrained::new(0.5, UnitInterval)? };
/// let layout = Layout::of(&coin)?;
/// layout.unflatten(&mut coin, &[100.0])?;
/// assert_eq!(*coin.heads, 1.0 - f64::EPSILON / 2.0); // the greatest number below 1
/// assert_eq!(layout.flatten::<f64>(&coin)?, [100.0]); // and not 36.7
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Whoever writes the natural value itself, through the deref or a mutable walk, makes it the
/// truth until coordinates are next written. It is then checked when they are asked for, as
/// any field with a transform is.
///
/// `Constrained<Frozen<A>, T>` is declared frozen, as `Frozen<Constrained<A, T>>` is.
#[derive(Clone, Debug)]
pub struct Constrained<A: Param, T> {
    leaf: Kept<A, A::Elem>,
    transform: T,
}

impl<A, T> Constrained<A, T>
where
    A: Param + Storage<A::Elem>,
    T: Transform<A::Elem>,
{
    /// Wraps a value, which keeps its bits.
    ///
    /// # Errors
    ///
    /// The value is not in the transform's domain.
    pub fn new(natural: A, transform: T) -> Result<Self, Refusal> {
        let mut this = Self::unchecked(natural, transform);
        this.leaf.x = this.computed()?;
        this.leaf.holds = true;
        Ok(this)
    }

    /// Wraps a value that need not lie in the transform's domain: a gradient in natural space.
    pub fn unchecked(natural: A, transform: T) -> Self {
        let leaf = Kept {
            natural,
            x: Vec::new(),
            holds: false,
        };
        Self { leaf, transform }
    }

    /// The unconstrained coordinates.
    ///
    /// # Errors
    ///
    /// The natural value was written since they were, and is not in the transform's domain.
    pub fn unconstrained(&self) -> Result<Cow<'_, [A::Elem]>, Refusal> {
        match self.leaf.coordinates() {
            Some(x) => Ok(Cow::Borrowed(x)),
            None => self.computed().map(Cow::Owned),
        }
    }

    fn computed(&self) -> Result<Vec<A::Elem>, Refusal> {
        let (natural, shape) = (&self.leaf.natural, self.leaf.natural.dims());
        let mut x = vec![A::Elem::ZERO; self.transform.unconstrained_len(shape)?];
        let values = natural.values().map_or_else(
            || Cow::Owned(natural.array_view().iter().copied().collect()),
            Cow::Borrowed,
        );
        self.transform.unconstrain(&values, &mut x, shape)?;
        Ok(x)
    }

    /// Writes the unconstrained coordinates, and so the natural value.
    ///
    /// # Errors
    ///
    /// There is another number of them than the transform asks for, or one is infinite or
    /// NaN. Nothing has then changed.
    pub fn set_unconstrained(&mut self, x: &[A::Elem]) -> Result<(), Refusal> {
        let expected = self.transform.unconstrained_len(self.leaf.dims())?;
        if x.len() != expected {
            let got = x.len();
            return Err(Refusal::Shape {
                reason: format!("there are {expected} coordinates, not {got}").into(),
            });
        }
        if let Some(index) = x.iter().position(|x| !x.is_finite_number()) {
            return Err(Refusal::OutOfDomain {
                index,
                value: x[index].to_f64(),
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
            });
        }
        self.leaf.put_coordinates(x, &self.transform);
        Ok(())
    }
}

impl<A: Param, T> Constrained<A, T> {
    /// The transform.
    pub fn transform(&self) -> &T {
        &self.transform
    }

    /// The natural value.
    #[must_use]
    pub fn into_inner(self) -> A {
        self.leaf.natural
    }
}

impl<A: Param, T> Deref for Constrained<A, T> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.leaf.natural
    }
}

/// Makes the natural value the truth.
impl<A: Param, T> DerefMut for Constrained<A, T> {
    fn deref_mut(&mut self) -> &mut A {
        self.leaf.natural_mut()
    }
}

/// Where `natural` would stand: it may itself be declared frozen.
fn place<'p, A: Module>(natural: &A, at: At<'p>) -> At<'p> {
    let mut standing = Stands(at.standing());
    natural.visit(at, &mut standing);
    match standing.0 {
        Standing::Open => at,
        Standing::Declared => at.frozen(),
        Standing::Shared => at.shared(),
    }
}

struct Stands(Standing);

impl<'a> Visitor<'a> for Stands {
    #[inline]
    fn leaf<E: Element>(&mut self, _: LeafRef<'a, E>, at: At<'_>, _: Option<&dyn Transform<E>>) {
        self.0 = at.standing();
    }
}

impl<A, T> Module for Constrained<A, T>
where
    A: Param + Storage<A::Elem>,
    T: Transform<A::Elem>,
{
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        let at = place(&self.leaf.natural, at);
        visitor.leaf(LeafRef::Array(&self.leaf), at, Some(&self.transform));
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        let at = place(&self.leaf.natural, at);
        visitor.leaf(LeafMut::Array(&mut self.leaf), at, Some(&self.transform));
    }
}
