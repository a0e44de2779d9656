//! The measurements, and the times between them.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Monthly means of the CO₂ concentration, as deviations from their mean.
pub(crate) struct Record {
    /// Months since the year 0, in order.
    months: Vec<usize>,
    /// Deviations from `mean`, ppm.
    pub(crate) deviations: Vec<f64>,
    /// ppm.
    pub(crate) mean: f64,
}

impl Record {
    /// Reads a file of lines `year,ppm` under one heading.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut months = Vec::new();
        let mut deviations = Vec::new();
        for (number, line) in text.lines().enumerate().skip(1) {
            let (month, ppm) = parse_line(line)
                .ok_or_else(|| format!("{}:{}: {line:?}", path.display(), number + 1))?;
            months.push(month);
            deviations.push(ppm);
        }
        if !months.is_sorted() || months.is_empty() {
            return Err(format!("{}: empty, or not in order of time", path.display()).into());
        }
        let mean = deviations.iter().sum::<f64>() / count(&deviations);
        for value in &mut deviations {
            *value -= mean;
        }
        Ok(Self {
            months,
            deviations,
            mean,
        })
    }

    /// How many measurements there are.
    pub(crate) fn len(&self) -> usize {
        self.months.len()
    }

    /// The same, to divide by.
    pub(crate) fn count(&self) -> f64 {
        count(&self.deviations)
    }

    /// When each measurement was made.
    pub(crate) fn years(&self) -> impl DoubleEndedIterator<Item = f64> {
        self.months.iter().map(|&month| years(month))
    }

    /// The times between measurements that can occur, in years: 0, 1, 2… months.
    ///
    /// The record is monthly, so 521 measurements have 526 of them, where there are 135,981 pairs
    /// of measurements. A covariance is a function of the lag alone.
    pub(crate) fn lags(&self) -> impl Iterator<Item = f64> {
        (0..=self.lag(self.len() - 1, 0)).map(years)
    }

    /// Which of [`Self::lags`] lies between a measurement and an earlier one, or itself.
    pub(crate) fn lag(&self, later: usize, earlier: usize) -> usize {
        self.months[later] - self.months[earlier]
    }
}

fn parse_line(line: &str) -> Option<(usize, f64)> {
    let (year, ppm) = line.split_once(',')?;
    let month = 12.0 * year.parse::<f64>().ok()?;
    // A year that is no whole number of months is not in this record.
    let month = (month.is_finite() && (month - month.round()).abs() < 1e-6).then_some(month)?;
    let month = format!("{month:.0}").parse().ok()?;
    Some((month, ppm.parse().ok().filter(|ppm: &f64| ppm.is_finite())?))
}

#[expect(clippy::cast_precision_loss, reason = "months, far below 2^52")]
fn years(months: usize) -> f64 {
    months as f64 / 12.0
}

#[expect(clippy::cast_precision_loss, reason = "measurements, far below 2^52")]
fn count(values: &[f64]) -> f64 {
    values.len() as f64
}
