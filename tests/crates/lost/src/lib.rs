//! Does not say where paramtree is: the error must.

/// A layer.
#[derive(facade::Module)]
pub struct Layer {
    /// Trains.
    pub w: facade::Matrix,
}
