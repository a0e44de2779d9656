//! Taking the trained leaves out of a model, and putting them back.

mod params;
mod walk;

use std::fmt;
use std::sync::Arc;

use crate::error::Error;
use crate::mask::Mask;
use crate::module::Module;
use crate::pattern::select;
use crate::structure::{Leaf, Shapes, Structure};

pub use self::params::{Params, Rest};

/// Moves the leaves that train out of a model. Buffers are moved, only bare numbers (and
/// built-in arrays and views, which cannot be moved from) are copied.
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
    let group = walk::Group::One(trainable_flags(mask));
    let (mut parts, rest) = walk::take(model, &mask.structure, group, 1);
    Ok((parts.remove(0), rest))
}

/// One group of a partition into several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By<'s> {
    /// The leaves that a pattern selects.
    Pattern(&'s str),
    /// The leaves below a field with this `#[param(tag = "…")]`.
    Tag(&'s str),
}

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(pattern) => f.write_str(pattern),
            Self::Tag(tag) => write!(f, "tag {tag:?}"),
        }
    }
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

/// Of the trainable leaves, which train.
fn trainable_flags(mask: &Mask) -> Vec<bool> {
    mask.iter()
        .filter(|(leaf, _)| leaf.is_trainable())
        .map(|(_, trains)| trains)
        .collect()
}

/// For each trainable leaf, its group if it trains.
fn assign(mask: &Mask, groups: &[By<'_>]) -> Result<Vec<Option<usize>>, Error> {
    let leaves = &mask.structure.leaves;
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); leaves.len()];
    for (group, by) in groups.iter().enumerate() {
        for leaf in members(by, leaves)? {
            claims[leaf].push(group);
        }
    }
    let trained = || (0..leaves.len()).filter(|&i| mask.trains[i]);
    let path = |i: usize| leaves[i].path.clone();
    let names = |i: usize| {
        claims[i]
            .iter()
            .map(|&group| groups[group].to_string())
            .collect()
    };
    let doubled: Vec<_> = trained()
        .filter(|&i| claims[i].len() > 1)
        .map(|i| (path(i), names(i)))
        .collect();
    if !doubled.is_empty() {
        return Err(Error::Overlap { paths: doubled });
    }
    let unassigned: Vec<_> = trained()
        .filter(|&i| claims[i].is_empty())
        .map(path)
        .collect();
    if !unassigned.is_empty() {
        return Err(Error::Unassigned { paths: unassigned });
    }
    let trainable = (0..leaves.len()).filter(|&i| leaves[i].is_trainable());
    Ok(trainable
        .map(|i| claims[i].first().copied().filter(|_| mask.trains[i]))
        .collect())
}

fn members(by: &By<'_>, leaves: &[Leaf]) -> Result<Vec<usize>, Error> {
    match by {
        By::Pattern(pattern) => select(pattern, leaves),
        By::Tag(tag) => {
            let found: Vec<_> = (0..leaves.len())
                .filter(|&i| leaves[i].tag.as_deref() == Some(tag))
                .collect();
            if found.is_empty() {
                return Err(Error::NoMatch {
                    pattern: by.to_string(),
                    nearest: None,
                });
            }
            Ok(found)
        }
    }
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
