//! Knows paramtree by another name, and is of the edition 2018.

#![deny(warnings, missing_docs, rust_2018_idioms)]

use pt::Module;

/// A model.
#[derive(Debug, Clone, Module)]
#[module(crate = pt)]
pub struct Model<T> {
    /// Trains.
    pub w: Vec<T>,
    /// Does not.
    #[frozen]
    pub k: Option<f64>,
    /// Has a name that is a keyword since.
    pub r#async: f64,
    /// Itself.
    pub next: Option<Box<Model<T>>>,
}
