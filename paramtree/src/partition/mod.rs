//! Taking the trained leaves out of a model, and putting them back.

mod params;
mod walk;

use std::fmt;
use std::sync::Arc;

use crate::by::{By, claims};
use crate::error::Error;
use crate::mask::Mask;
use crate::module::Module;
use crate::structure::{Shapes, Structure};

pub use self::params::{Params, Rest};

/// Moves the leaves that train out of a model. Buffers are moved, only bare numbers (and
/// built-in arrays and views, which cannot be moved from, and a `Constrained`, which must be
/// able to tell what has changed) are copied.
///
/// ```
/// use ndarray::{Array1, array};
/// use paramtree::{Mask, Module, partition};
///
/// #[derive(Module)]
/// struct Model {
///     weight: Array1<f64>,
///     bias: f64,
///     #[frozen]
///     name: String,
/// }
///
/// let model = Model { weight: array![1.0, 2.0], bias: 3.0, name: "m".into() };
/// let address = model.weight.as_ptr();
/// let mut mask = Mask::of(&model);
/// mask.freeze("bias")?;
///
/// let (params, rest) = partition(model, &mask)?;
/// assert_eq!(params.leaves().map(|leaf| leaf.path()).collect::<Vec<_>>(), ["weight"]);
/// assert_eq!(rest.missing().map(|leaf| leaf.path()).collect::<Vec<_>>(), ["weight"]);
///
/// let model = rest.combine([params])?;
/// assert_eq!(model.weight.as_ptr(), address);
/// # Ok::<(), paramtree::Error>(())
/// ```
///
/// # Errors
///
/// The mask is of a model of another structure. The model comes back in the error.
pub fn partition<M: Module>(model: M, mask: &Mask) -> Result<(Params, Rest<M>), Rejected<M>> {
    if let Err(error) = mask.check(&model) {
        return Err(Rejected {
            error,
            value: model,
        });
    }
    let group = walk::Group::One(mask.trains.clone());
    let (mut parts, rest) = walk::take(model, &mask.structure, group, 1);
    Ok((parts.remove(0), rest))
}

/// Moves the leaves that train out of a model, into several groups. Every leaf that
/// trains is in one of them.
///
/// ```
/// use paramtree::{By, Mask, Module, partition_by};
///
/// #[derive(Module)]
/// struct Model {
///     #[param(tag = "kernel")]
///     lengthscale: f64,
///     noise: f64,
/// }
///
/// let model = Model { lengthscale: 1.0, noise: 0.1 };
/// let groups = [By::Tag("kernel"), By::Pattern("noise")];
/// let mask = Mask::of(&model);
/// let (parts, rest) = partition_by(model, &mask, &groups)?;
/// assert_eq!(parts.len(), 2);
///
/// let model = rest.combine(parts)?;
/// assert_eq!(model.noise, 0.1);
/// # Ok::<(), paramtree::Error>(())
/// ```
///
/// # Errors
///
/// The mask is of a model of another structure; a group selects no leaf; leaves that
/// train are in no group or in two, all of which are listed. The model comes back in
/// the error.
pub fn partition_by<M: Module>(
    model: M,
    mask: &Mask,
    groups: &[By<'_>],
) -> Result<(Vec<Params>, Rest<M>), Rejected<M>> {
    match mask.check(&model).and_then(|()| assign(mask, groups)) {
        Ok(owners) => {
            let group = walk::Group::Many(owners);
            Ok(walk::take(model, &mask.structure, group, groups.len()))
        }
        Err(error) => Err(Rejected {
            error,
            value: model,
        }),
    }
}

/// What was refused, with the reason.
///
/// The value has not changed. `?` turns this into the [`Error`] and drops the value.
#[derive(Clone, PartialEq)]
pub struct Rejected<T> {
    /// The reason.
    pub error: Error,
    /// What was given.
    pub value: T,
}

impl<T> From<Rejected<T>> for Error {
    fn from(rejected: Rejected<T>) -> Self {
        rejected.error
    }
}

impl<T> fmt::Display for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

/// The reason alone: the value need not be `Debug`.
impl<T> fmt::Debug for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<T> std::error::Error for Rejected<T> {}

/// For each leaf, its group if it trains.
fn assign(mask: &Mask, groups: &[By<'_>]) -> Result<Vec<Option<usize>>, Error> {
    let leaves = &mask.structure.leaves;
    let named = groups.iter().map(|by| (by.to_string(), *by));
    let claims = claims(named, leaves, |i| mask.trains[i])?;
    let unassigned = (0..leaves.len()).filter(|&i| mask.trains[i] && claims[i].is_none());
    let unassigned: Vec<_> = unassigned.map(|i| leaves[i].path.clone()).collect();
    if !unassigned.is_empty() {
        return Err(Error::Unassigned { paths: unassigned });
    }
    let claims = claims.into_iter().zip(&mask.trains);
    Ok(claims
        .map(|(claim, trains)| claim.filter(|_| *trains))
        .collect())
}

/// Whether a part can stand in for one of a model: taken from the same type, so that each
/// leaf is stored as it was, with the same leaves.
fn check_part(model: &Arc<Structure>, part: &Arc<Structure>) -> Result<(), Error> {
    if Arc::ptr_eq(model, part) {
        return Ok(());
    }
    let (expected, got) = (model.type_name, part.type_name);
    if expected != got {
        return Err(Error::OtherType { expected, got });
    }
    model.compare(&part.leaves, Shapes::Same)
}
