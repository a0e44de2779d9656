//! A framework on paramtree, whose users know neither it nor ndarray.

pub use paramtree;
pub use paramtree::Module;

/// The framework's matrix.
pub type Matrix = ndarray::Array2<f64>;

/// Derives for those who do not want to say where.
#[macro_export]
macro_rules! model {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* }) => {
        $(#[$meta])*
        #[derive($crate::Module)]
        #[module(crate = $crate::paramtree)]
        $vis struct $name { $($body)* }
    };
}
