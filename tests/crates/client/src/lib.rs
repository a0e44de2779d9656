//! Depends on the framework alone, and is of the edition 2021.

#![deny(warnings, missing_docs, rust_2021_compatibility)]
#![forbid(unsafe_code)]

use facade::paramtree::transform::Positive;
use facade::{model, Matrix, Module};

/// A layer.
#[derive(Debug, Clone, Module)]
#[module(crate = facade::paramtree)]
pub struct Layer {
    /// Has a name that is a keyword since.
    pub gen: Matrix,
    /// In the half-line.
    #[param(transform = Positive)]
    pub s: f64,
}

/// An activation.
#[derive(Debug, Clone, Module)]
#[module(crate = facade::paramtree)]
pub enum Act {
    /// Without a parameter.
    Relu,
    /// With one.
    Prelu {
        /// Has a name that is a keyword since.
        gen: f64,
    },
}

model! {
    /// A network, through the framework's macro.
    #[derive(Debug, Clone)]
    pub struct Net {
        /// Branches.
        pub layers: Vec<Layer>,
        /// Has a name that is a keyword since.
        pub gen: Option<Act>,
        /// Does not train.
        #[frozen]
        pub k: f64,
    }
}

/// The number of leaves.
pub fn leaves(net: &Net) -> usize {
    facade::paramtree::leaves(net).len()
}
