//! The reference values: correctly rounded results of 200-digit arithmetic, one file for each map.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::exact_json::quote_numbers;

/// One choice of parameters, with all that is known about it.
pub(crate) struct Group(Value);

/// An unconstrained coordinate, and what the transform makes of it.
pub(crate) struct Case {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) y_bar: f64,
    pub(crate) vjp: f64,
    pub(crate) logdet: f64,
    pub(crate) logdet_grad: f64,
}

/// Unconstrained coordinates of a vector or matrix, and what the transform makes of them.
#[derive(Clone)]
pub(crate) struct EventCase {
    pub(crate) tag: String,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) y_bar: Vec<f64>,
    pub(crate) vjp: Vec<f64>,
    /// NaN where the file has none.
    pub(crate) logdet: f64,
    /// Empty where the file has none.
    pub(crate) logdet_grad: Vec<f64>,
}

/// A natural value and its coordinate.
pub(crate) struct Inverse {
    pub(crate) y: f64,
    pub(crate) x: f64,
}

pub(crate) fn groups(file: &str) -> Vec<Group> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transforms");
    let text = fs::read_to_string(folder.join(file).with_extension("json")).unwrap();
    let Value::Object(mut root) = serde_json::from_str(&quote_numbers(&text)).unwrap() else {
        panic!("{file} holds no object");
    };
    let groups = root.remove("groups").unwrap();
    groups
        .as_array()
        .unwrap()
        .iter()
        .cloned()
        .map(Group)
        .collect()
}

impl Group {
    pub(crate) fn parameter(&self, name: &str) -> f64 {
        number(&self.0["params"][name])
    }

    /// `cases` or `cases_f32`.
    pub(crate) fn cases(&self, key: &str) -> Vec<Case> {
        let case = |case: &Value| Case {
            x: number(&case["x"]),
            y: number(&case["y"]),
            y_bar: number(&case["ct"]),
            vjp: number(&case["vjp"]),
            logdet: number(&case["logdet"]),
            logdet_grad: number(&case["logdet_grad"]),
        };
        self.list(key).iter().map(case).collect()
    }

    pub(crate) fn inverses(&self) -> Vec<Inverse> {
        let inverse = |case: &Value| Inverse {
            y: number(&case["y"]),
            x: number(&case["x"]),
        };
        self.list("inverse").iter().map(inverse).collect()
    }

    /// Natural values outside the domain.
    pub(crate) fn invalid(&self) -> Vec<f64> {
        self.list("invalid")
            .iter()
            .map(|case| number(&case["y"]))
            .collect()
    }

    /// The shape of a natural value.
    pub(crate) fn shape(&self) -> Vec<usize> {
        let shape = self.0["shape"].as_array().unwrap();
        shape.iter().map(length).collect()
    }

    pub(crate) fn unconstrained_len(&self) -> usize {
        length(&self.0["n_unconstrained"])
    }

    /// `cases` or `cases_f32`, for vectors and matrices.
    pub(crate) fn event_cases(&self, key: &str) -> Vec<EventCase> {
        let case = |case: &Value| EventCase {
            tag: case["tag"].as_str().unwrap_or_default().to_owned(),
            x: numbers(&case["x"]),
            y: numbers(&case["y"]),
            y_bar: numbers(&case["ct"]),
            vjp: numbers(&case["vjp"]),
            logdet: case.get("logdet").map_or(f64::NAN, number),
            logdet_grad: case.get("logdet_grad").map_or(Vec::new(), numbers),
        };
        self.list(key).iter().map(case).collect()
    }

    /// Natural values with their coordinates.
    pub(crate) fn event_inverses(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        let inverse = |case: &Value| (numbers(&case["y"]), numbers(&case["x"]));
        self.list("inverse").iter().map(inverse).collect()
    }

    /// Natural values outside the domain.
    pub(crate) fn event_invalid(&self) -> Vec<Vec<f64>> {
        // Two variables may have any correlation.
        let is_valid = |case: &Value| {
            self.shape() == [2, 2] && case["math"].as_str() == Some("indefinite for K>=3")
        };
        let invalid = self.list("invalid").iter().filter(|case| !is_valid(case));
        invalid.map(|case| numbers(&case["y"])).collect()
    }

    fn list(&self, key: &str) -> &[Value] {
        self.0[key].as_array().unwrap()
    }
}

/// Infinities and NaN are strings in the files, and so is everything after [`quote_numbers`].
fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn length(value: &Value) -> usize {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn numbers_are_read_to_the_last_digit() {
    let quoted = quote_numbers(r#"{"x-1":[-2e-05,"inf"],"y":798.9013877113318}"#);
    assert_eq!(
        quoted,
        r#"{"x-1":["-2e-05","inf"],"y":"798.9013877113318"}"#
    );
    let root: Value = serde_json::from_str(&quoted).unwrap();
    assert_eq!(
        number(&root["y"]).to_bits(),
        798.901_387_711_331_8_f64.to_bits()
    );
    assert!(number(&root["x-1"][1]).is_infinite());
}
