//! Groups of leaves, and that each leaf is in one of them.

use std::fmt;

use crate::error::Error;
use crate::mask::Mask;
use crate::pattern::select;
use crate::structure::{Leaf, Shapes};

/// What selects the leaves of a group.
///
/// ```
/// use paramtree::{By, Mask, Module, partition_by};
///
/// #[derive(Module)]
/// struct Model {
///     #[param(tag = "kernel")]
///     lengthscale: f64,
///     noise: f64,
///     weight: Vec<f64>,
/// }
///
/// let model = Model { lengthscale: 1.0, noise: 0.1, weight: vec![0.0; 3] };
/// let mask = Mask::of(&model);
/// let vectors = |leaf: &paramtree::Leaf| leaf.shape().len() == 1;
/// let groups = [By::Tag("kernel"), By::Pattern("noise"), By::If(&vectors)];
/// let (parts, _) = partition_by(model, &mask, &groups)?;
/// assert_eq!(parts[2].leaves().next().unwrap().path(), "weight");
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum By<'s> {
    /// The leaves that a pattern selects.
    Pattern(&'s str),
    /// The leaves below a field with this `#[param(tag = "…")]`.
    Tag(&'s str),
    /// The leaves for which a predicate holds.
    If(&'s dyn Fn(&Leaf) -> bool),
    /// The leaves that train under a mask: that of [`Mask::train_only_at`] selects a part of a
    /// model by a closure, `|m| &m.encoder`.
    Mask(&'s Mask),
}

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(pattern) => f.write_str(pattern),
            Self::Tag(tag) => write!(f, "tag {tag:?}"),
            Self::If(_) => f.write_str("a predicate"),
            Self::Mask(_) => f.write_str("a mask"),
        }
    }
}

impl fmt::Debug for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "By({self})")
    }
}

impl By<'_> {
    /// The leaves of the group. There is at least one.
    fn members(&self, leaves: &[Leaf]) -> Result<Vec<usize>, Error> {
        let where_true = |holds: &dyn Fn(usize) -> bool| {
            let found: Vec<_> = (0..leaves.len()).filter(|&i| holds(i)).collect();
            if found.is_empty() {
                let (pattern, nearest) = (self.to_string(), None);
                return Err(Error::NoMatch { pattern, nearest });
            }
            Ok(found)
        };
        match self {
            Self::Pattern(pattern) => select(pattern, leaves),
            Self::Tag(tag) => where_true(&|i| leaves[i].tag() == Some(tag)),
            Self::If(predicate) => where_true(&|i| predicate(&leaves[i])),
            Self::Mask(mask) => {
                mask.structure.compare(leaves, Shapes::Any)?;
                where_true(&|i| mask.trains[i])
            }
        }
    }
}

/// For each leaf, the groups that claim it. Those that matter are in one at most.
pub(crate) fn claims<'s>(
    groups: impl Iterator<Item = (String, By<'s>)>,
    leaves: &[Leaf],
    matters: impl Fn(usize) -> bool,
) -> Result<Vec<Option<usize>>, Error> {
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); leaves.len()];
    let mut names = Vec::new();
    for (group, (name, by)) in groups.enumerate() {
        for leaf in by.members(leaves)? {
            claims[leaf].push(group);
        }
        names.push(name);
    }
    let doubled = (0..leaves.len()).filter(|&i| matters(i) && claims[i].len() > 1);
    let doubled: Vec<_> = doubled
        .map(|i| {
            let names = claims[i].iter().map(|&group| names[group].clone());
            (leaves[i].path.clone(), names.collect())
        })
        .collect();
    if !doubled.is_empty() {
        return Err(Error::Overlap { paths: doubled });
    }
    Ok(claims.iter().map(|of| of.first().copied()).collect())
}
