//! The library over the walk: masks, paths, traversal, partitions, layouts, gradients, summaries.

#![allow(clippy::float_cmp)] // what is compared is exact: copied, or computed without rounding

mod constrained;
mod dynamic;
mod gradient;
mod layout;
mod masks;
#[path = "../shared/numbers.rs"]
mod numbers;
mod paramax;
mod partition;
mod parts;
mod paths;
mod properties;
mod refused;
mod reparam;
mod spaces;
mod storage;
mod summary;
mod traversal;

use paramtree::transform::Transform;
use paramtree::{At, Element, LeafRef, Mask, Module, Visitor, leaves};

use numbers::{assert_near, element_bits};

/// The paths of a model's leaves, in the order of the walk.
fn paths<M: Module + ?Sized>(model: &M) -> Vec<String> {
    let all = leaves(model);
    all.iter().map(|leaf| leaf.path().to_owned()).collect()
}

/// The paths of the leaves that a mask does not train.
fn frozen(mask: &Mask) -> Vec<&str> {
    mask.iter()
        .filter(|(_, trains)| !trains)
        .map(|(leaf, _)| leaf.path())
        .collect()
}

/// The paths of the leaves that a mask trains.
fn trained(mask: &Mask) -> Vec<&str> {
    mask.trained().map(paramtree::Leaf::path).collect()
}

/// Every leaf with the bits of its elements, in logical order.
fn bits<M: Module + ?Sized>(model: &M) -> Vec<(String, Vec<String>)> {
    struct Bits(Vec<(String, Vec<String>)>);
    impl<'a> Visitor<'a> for Bits {
        fn leaf<T: Element>(
            &mut self,
            leaf: LeafRef<'a, T>,
            at: At<'_>,
            _: Option<&dyn Transform<T>>,
        ) {
            let elements = leaf.array_view().iter().map(element_bits).collect();
            self.0.push((at.to_string(), elements));
        }
    }
    let mut bits = Bits(Vec::new());
    model.visit(At::root(), &mut bits);
    bits.0
}
