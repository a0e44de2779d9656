//! What scikit-learn computes from the same file.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// `examples/data/mauna_loa_reference.json`, written by `benches/mauna_loa_sklearn.py`.
pub(crate) struct Reference {
    pub(crate) start: f64,
    /// By the logarithms of the hyperparameters, as all of scikit-learn's gradients.
    pub(crate) start_gradient: Vec<f64>,
    pub(crate) optimum: f64,
    pub(crate) optimum_log_theta: Vec<f64>,
    /// The kernel at the optimum, as it prints it.
    pub(crate) optimum_kernel: String,
    pub(crate) seconds: f64,
}

impl Reference {
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let json = serde_json::from_str(&text)?;
        let optimum_kernel = json_at(&json, "optimum_kernel", Value::as_str)?;
        Ok(Self {
            start: number(&json, "initial_log_marginal_likelihood")?,
            start_gradient: numbers(&json, "initial_gradient_log_theta")?,
            optimum: number(&json, "optimum_log_marginal_likelihood")?,
            optimum_log_theta: numbers(&json, "optimum_log_theta")?,
            optimum_kernel: optimum_kernel.to_owned(),
            seconds: number(&json, "sklearn_seconds")?,
        })
    }
}

fn json_at<'a, T>(
    json: &'a Value,
    key: &str,
    read: impl Fn(&'a Value) -> Option<T>,
) -> Result<T, String> {
    json.get(key)
        .and_then(read)
        .ok_or_else(|| format!("the reference has no `{key}` of the right type"))
}

fn number(json: &Value, key: &str) -> Result<f64, String> {
    json_at(json, key, Value::as_f64)
}

fn numbers(json: &Value, key: &str) -> Result<Vec<f64>, String> {
    json_at(json, key, |value| {
        value.as_array()?.iter().map(Value::as_f64).collect()
    })
}
