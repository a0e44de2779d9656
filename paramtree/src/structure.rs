//! The leaves of a model, as masks, layouts and halves remember them.

use std::any::type_name;
use std::sync::Arc;

use crate::at::{At, Standing};
use crate::element::{Dtype, Element};
use crate::error::Error;
use crate::fingerprint::fingerprint;
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::refusal::Refusal;
use crate::transform::Transform;

/// What is known of a leaf without its values.
///
/// ```
/// use paramtree::{Mask, Module};
///
/// #[derive(Module)]
/// struct Gp {
///     #[param(tag = "kernel")]
///     lengthscale: f64,
///     noise: f64,
/// }
///
/// let mut mask = Mask::of(&Gp { lengthscale: 1.0, noise: 0.1 });
/// mask.freeze_if(|leaf| leaf.tag() == Some("kernel"));
/// assert!(!mask.trains("lengthscale")?);
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    pub(crate) path: String,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<usize>,
    pub(crate) depth: usize,
    pub(crate) standing: Standing,
    pub(crate) tag: Option<String>,
    pub(crate) transform: Option<String>,
    /// The number of its coordinates, or why the transform has none for it.
    coordinates: Result<usize, Refusal>,
    /// Whether each coordinate is that of one element.
    pub(crate) elementwise: bool,
}

impl Leaf {
    /// The path, as `encoder.layers.0.weight`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The element type.
    #[must_use]
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The lengths of the axes: none for a scalar.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// The number of its unconstrained coordinates, which is that of the elements where there
    /// is no transform. `None` if the transform refuses its shape, or its own parameters.
    #[must_use]
    pub fn coordinates(&self) -> Option<usize> {
        self.coordinates.as_ref().ok().copied()
    }

    /// The number of its coordinates, or the refusal.
    pub(crate) fn width(&self) -> Result<usize, Error> {
        self.coordinates.clone().map_err(|refusal| Error::Refused {
            path: self.path.clone(),
            shape: self.shape.clone(),
            transform: self.transform.clone().unwrap_or_default(),
            refusal: Box::new(refusal),
        })
    }

    /// The number of segments in the path.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether it is declared frozen, or in shared storage.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The group of `#[param(tag = "…")]`.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// The name of its transform.
    #[must_use]
    pub fn transform(&self) -> Option<&str> {
        self.transform.as_deref()
    }

    /// Whether a mask may train it: inexact and not declared frozen.
    #[must_use]
    pub fn is_trainable(&self) -> bool {
        self.dtype.is_inexact() && self.standing == Standing::Open
    }
}

/// The leaves of a model in the order of the walk.
///
/// ```
/// use ndarray::Array2;
/// use paramtree::{Module, leaves};
///
/// #[derive(Module)]
/// struct Dense {
///     weight: Array2<f64>,
///     #[frozen]
///     scale: f64,
/// }
///
/// let all = leaves(&Dense { weight: Array2::zeros((2, 3)), scale: 1.0 });
/// let paths: Vec<_> = all.iter().map(|leaf| leaf.path()).collect();
/// assert_eq!(paths, ["weight", "scale"]);
/// assert_eq!(all[0].shape(), [2, 3]);
/// ```
#[must_use]
pub fn leaves<M: Module + ?Sized>(model: &M) -> Vec<Leaf> {
    let mut list = List(Vec::new());
    model.visit(At::root(), &mut list);
    list.0
}

struct List(Vec<Leaf>);

impl<'a> Visitor<'a> for List {
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        self.0.push(Leaf {
            path: at.to_string(),
            dtype: T::DTYPE,
            shape: leaf.shape(),
            depth: at.depth(),
            standing: at.standing(),
            tag: at.tag().map(str::to_owned),
            transform: transform.map(Transform::name),
            elementwise: transform.is_none_or(Transform::is_elementwise),
            coordinates: transform.map_or(Ok(leaf.len()), |transform| {
                leaf.with_shape(|shape| transform.unconstrained_len(shape))
            }),
        });
    }
}

/// The structure of a model, to tell whether another value has the same.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) type_name: &'static str,
    fingerprint: u64,
    pub(crate) leaves: Vec<Leaf>,
}

/// Whether shapes must agree.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shapes {
    Same,
    Any,
}

impl Structure {
    pub(crate) fn of<M: Module + ?Sized>(model: &M) -> Arc<Self> {
        Arc::new(Self {
            type_name: type_name::<M>(),
            fingerprint: fingerprint(model),
            leaves: leaves(model),
        })
    }

    /// Checks that `model` has these leaves.
    #[inline]
    pub(crate) fn check<M: Module + ?Sized>(&self, model: &M, shapes: Shapes) -> Result<(), Error> {
        let same_type =
            std::ptr::eq(self.type_name, type_name::<M>()) || self.type_name == type_name::<M>();
        if same_type && self.fingerprint == fingerprint(model) {
            return Ok(());
        }
        self.compare(&leaves(model), shapes)
    }

    /// Compares leaf by leaf.
    #[cold]
    pub(crate) fn compare(&self, other: &[Leaf], shapes: Shapes) -> Result<(), Error> {
        let absent = |from: &[Leaf], list: &[Leaf]| {
            let there: std::collections::HashSet<_> = from.iter().map(|leaf| &leaf.path).collect();
            list.iter()
                .find(|leaf| !there.contains(&leaf.path))
                .map(|leaf| leaf.path.clone())
        };
        let in_order = self.leaves.len() == other.len()
            && self.leaves.iter().zip(other).all(|(a, b)| a.path == b.path);
        if !in_order {
            let (missing, surplus) = (absent(other, &self.leaves), absent(&self.leaves, other));
            return Err(Error::Structure { missing, surplus });
        }
        for (leaf, other) in self.leaves.iter().zip(other) {
            if leaf.dtype != other.dtype {
                let (path, expected) = (leaf.path.clone(), leaf.dtype);
                return Err(Error::Dtype {
                    path,
                    expected,
                    got: other.dtype,
                });
            }
            if leaf.standing != other.standing
                || leaf.transform.is_some() != other.transform.is_some()
            {
                let path = leaf.path.clone();
                return Err(Error::Declaration { path });
            }
            if shapes == Shapes::Same && leaf.shape != other.shape {
                let (path, expected) = (leaf.path.clone(), leaf.shape.clone());
                return Err(Error::Shape {
                    path,
                    expected,
                    got: other.shape.clone(),
                });
            }
        }
        Ok(())
    }

    /// Compares the leaves of a gradient: those of the trained ones have their shapes, or are
    /// empty where that is allowed.
    #[cold]
    pub(crate) fn compare_gradient(
        &self,
        given: &[Leaf],
        trained: impl Iterator<Item = usize>,
        allow_missing: bool,
    ) -> Result<(), Error> {
        self.compare(given, Shapes::Any)?;
        for i in trained {
            let (leaf, given) = (&self.leaves[i], &given[i]);
            let missing = given.elements() == 0 && leaf.elements() != 0;
            if given.shape == leaf.shape || missing && allow_missing {
                continue;
            }
            let (path, expected) = (leaf.path.clone(), leaf.shape.clone());
            return Err(if missing {
                Error::MissingGradient { path, expected }
            } else {
                let got = given.shape.clone();
                Error::Shape {
                    path,
                    expected,
                    got,
                }
            });
        }
        Ok(())
    }
}
