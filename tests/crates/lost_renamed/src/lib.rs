//! Does not say what paramtree is called: the error must.

/// A model.
#[derive(pt::Module)]
pub struct Model {
    /// Trains.
    pub w: f64,
}
