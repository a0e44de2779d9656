//! The derive at work: what it accepts, and which leaves its walk shows.

mod attributes;
mod bounds;
mod configured;
mod enums;
mod expressions;
mod functions;
mod generics;
mod macros;
mod names;
mod recursion;
mod shapes;

use paramtree::{Layout, Module, leaves};

/// The paths of the leaves, in the order of the walk.
fn paths(model: &impl Module) -> Vec<String> {
    let leaves = leaves(model);
    leaves.iter().map(|leaf| leaf.path().to_owned()).collect()
}

/// The flat vector of what trains.
fn flat(model: &impl Module) -> Vec<f64> {
    let layout = Layout::of(model).expect("the layout");
    layout.flatten(model).expect("the flat vector")
}

/// Multiplies the flat vector of what trains by two.
fn double(model: &mut impl Module) {
    let layout = Layout::of(model).expect("the layout");
    let mut x: Vec<f64> = layout.flatten(model).expect("the flat vector");
    for x in &mut x {
        *x *= 2.0;
    }
    layout.unflatten(model, &x).expect("the values fit");
}

/// Compiles if the type is a module.
fn is_module<M: Module + ?Sized>() {}

/// No module: it has no derive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct NoModule;
