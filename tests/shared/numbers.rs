//! Numbers, compared bit for bit and to a relative error.

use std::any::Any;

use paramtree::Element;

pub(crate) fn element_bits<T: Element>(value: &T) -> String {
    let any: &dyn Any = value;
    if let Some(value) = any.downcast_ref::<f64>() {
        format!("{:016x}", value.to_bits())
    } else if let Some(value) = any.downcast_ref::<f32>() {
        format!("{:08x}", value.to_bits())
    } else {
        value.to_string()
    }
}

/// Whether two numbers agree to a relative error.
#[track_caller]
pub(crate) fn assert_near(got: f64, expected: f64, relative: f64) {
    let error = (got - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(error <= relative, "{got} is not {expected}: off by {error}");
}
