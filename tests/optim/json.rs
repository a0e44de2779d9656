//! The reference values: what Optax computes, one file for each way to use it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::exact_json::quote_numbers;

/// A value of a file, its numbers exact.
#[derive(Clone)]
pub(crate) struct Json(Value);

/// The content of a file.
pub(crate) fn read(name: &str) -> Json {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/optim");
    let text = fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
    Json(serde_json::from_str(&quote_numbers(&text)).unwrap())
}

impl Json {
    /// The member of an object.
    pub(crate) fn at(&self, key: &str) -> Self {
        self.find(key).unwrap_or_else(|| panic!("no `{key}`"))
    }

    pub(crate) fn find(&self, key: &str) -> Option<Self> {
        self.0.get(key).cloned().map(Self)
    }

    pub(crate) fn list(&self) -> Vec<Self> {
        self.0
            .as_array()
            .unwrap()
            .iter()
            .cloned()
            .map(Self)
            .collect()
    }

    pub(crate) fn number(&self) -> f64 {
        self.0.as_str().unwrap().parse().unwrap()
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.as_str().unwrap().parse().unwrap()
    }

    /// The numbers of an array of any rank, in row-major order.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        match &self.0 {
            Value::Array(_) => self.list().iter().flat_map(Self::numbers).collect(),
            _ => vec![self.number()],
        }
    }
}

#[test]
fn numbers_are_read_to_the_last_digit() {
    let quoted = quote_numbers(r#"{"adam(1e-1)":[[-2e-05,1],[798.9013877113318]]}"#);
    let root = Json(serde_json::from_str(&quoted).unwrap());
    let numbers = root.at("adam(1e-1)").numbers();
    assert_eq!(numbers, [-2e-5, 1.0, 798.901_387_711_331_8]);
}
