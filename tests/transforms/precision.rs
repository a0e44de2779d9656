//! The two precisions that leaves have, as the tests measure them.

use std::fmt::Debug;

use paramtree::Real;

/// `f32` or `f64`, with the distance between two of its numbers.
pub(crate) trait Precision: Real {
    const NAME: &str;
    const EPSILON: f64;

    /// How many numbers of this type lie between the two, the second included; 0 for two NaN.
    fn ulps(self, other: Self) -> u64;
}

macro_rules! impl_precision {
    ($($float:ident $name:literal)*) => {$(
        impl Precision for $float {
            const NAME: &str = $name;
            const EPSILON: f64 = $float::EPSILON as f64;

            fn ulps(self, other: Self) -> u64 {
                // Numbers in order: the magnitude's bits, mirrored below zero, with -0 = 0.
                let rank = |x: $float| {
                    let magnitude = i128::from(x.abs().to_bits());
                    if x.is_sign_negative() { -magnitude } else { magnitude }
                };
                match (self.is_nan(), other.is_nan()) {
                    (true, true) => 0,
                    (false, false) => (rank(self) - rank(other)).unsigned_abs().try_into().unwrap(),
                    _ => u64::MAX,
                }
            }
        }
    )*};
}

impl_precision!(f32 "f32" f64 "f64");

/// Panics unless at most `most` numbers lie between the two.
#[track_caller]
pub(crate) fn assert_close<T: Precision>(got: T, expected: T, most: u64, what: impl Debug) {
    let ulps = got.ulps(expected);
    assert!(
        ulps <= most,
        "{what:?}: {got:?} is {ulps} ulp from {expected:?}"
    );
}

#[test]
fn neighbours_are_one_apart() {
    assert_eq!(1.0_f64.ulps(1.0_f64.next_up()), 1);
    assert_eq!(0.0_f64.ulps(-0.0), 0);
    assert_eq!((-5e-324_f64).ulps(5e-324), 2);
    assert_eq!(f32::MAX.ulps(f32::INFINITY), 1);
}
