//! How far a result is from its reference, and how far it may be.

use std::fmt;

use crate::precision::Precision;
use crate::table::epsilons;

pub(crate) const NORM_EPSILONS: f64 = 16.0;
pub(crate) const ELEMENT_ULPS: u64 = 64;
pub(crate) const LOGDET_EPSILONS: f64 = 4.0;
pub(crate) const INVERSE_EPSILONS: f64 = 16.0;

/// What no form reaches within the tolerance, with the error measured there. The bound in epsilons
/// of the largest element holds there too.
pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        transform: "Simplex",
        precision: "f64",
        quantity: "vjp of each",
        len: 9,
        first: 20.0,
        most: f64::INFINITY,
        why: "2e-18 where the largest element is 0.16",
    },
    Exception {
        transform: "SimplexSoftmax",
        precision: "f64",
        quantity: "vjp of each",
        len: 9,
        first: -0.424_804_687_5,
        most: 693.0,
        why: "nearly equal numbers cancel",
    },
    Exception {
        transform: "SimplexSoftmax",
        precision: "f32",
        quantity: "vjp of each",
        len: 9,
        first: -0.424_804_687_5,
        most: 912.0,
        why: "nearly equal numbers cancel",
    },
];

pub(crate) struct Exception {
    pub(crate) transform: &'static str,
    pub(crate) precision: &'static str,
    pub(crate) quantity: &'static str,
    pub(crate) len: usize,
    pub(crate) first: f64,
    pub(crate) most: f64,
    pub(crate) why: &'static str,
}

/// Whether each element has its own digits, or only the largest ones.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Digits {
    OfEach,
    OfLargest,
}

/// The largest error met of each quantity, exceptions apart: ulps of an element, epsilons of the largest element,
/// of max(1, |reference|) for log-dets and inverses.
#[derive(Default)]
pub(crate) struct Worst {
    pub(crate) value: f64,
    pub(crate) value_norm: f64,
    pub(crate) vjp: f64,
    pub(crate) vjp_norm: f64,
    pub(crate) logdet: f64,
    pub(crate) logdet_grad: f64,
    pub(crate) inverse: f64,
    pub(crate) has_exceptions: bool,
}

impl Worst {
    /// Values, vjp and log-det, as the table has them.
    pub(crate) fn cells(&self, value: Digits, vjp: Digits) -> Vec<String> {
        let cell = |digits, ulps, norm| match digits {
            Digits::OfEach => format!("{ulps:.0} ulp, {} ε", epsilons(norm)),
            Digits::OfLargest => format!("{} ε", epsilons(norm)),
        };
        vec![
            cell(value, self.value, self.value_norm),
            cell(vjp, self.vjp, self.vjp_norm),
            epsilons(self.logdet),
        ]
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "value {:.3e} ulp {:.2} eps, vjp {:.3e} ulp {:.2} eps, log-det {:.2} eps, \
             gradient {:.2} eps, inverse {:.2} eps",
            self.value,
            self.value_norm,
            self.vjp,
            self.vjp_norm,
            self.logdet,
            self.logdet_grad,
            self.inverse
        )
    }
}

pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| value.abs().max(most))
}

/// What was measured where.
pub(crate) struct Place<'c> {
    pub(crate) transform: String,
    pub(crate) precision: &'static str,
    pub(crate) quantity: &'static str,
    pub(crate) tag: &'c str,
    pub(crate) x: &'c [f64],
}

impl Place<'_> {
    /// The largest error, in epsilons of `size`.
    pub(crate) fn norm<T: Precision>(
        &self,
        got: &[T],
        expected: &[f64],
        size: f64,
        most: f64,
        worst: &mut f64,
    ) {
        for (got, &expected) in got.iter().zip(expected) {
            let error = (got.to_f64() - expected).abs();
            let least = T::smallest_normal().to_f64();
            let epsilons = error / T::EPSILON / size.max(least);
            let same = expected.is_nan() || got.ulps(T::from_f64(expected)) == 0;
            let epsilons = if same { 0.0 } else { epsilons };
            self.check(epsilons, most, (got, expected), worst);
        }
    }

    /// The largest error of an element, in its own last digits.
    #[allow(clippy::cast_precision_loss, reason = "a printed error")]
    pub(crate) fn ulps<T: Precision>(&self, got: &[T], expected: &[f64], worst: &mut f64) {
        for (got, &expected) in got.iter().zip(expected) {
            let ulps = got.ulps(T::from_f64(expected)) as f64;
            self.check(ulps, ELEMENT_ULPS as f64, (got, expected), worst);
        }
    }

    fn check<T: Precision>(&self, error: f64, most: f64, what: (&T, f64), worst: &mut f64) {
        let allowed = self.exception().unwrap_or(most);
        assert!(error <= allowed, "{self}: {what:?} errs by {error}");
        if self.exception().is_none() {
            *worst = error.max(*worst);
        }
    }

    pub(crate) fn is_exception(&self) -> bool {
        self.exception().is_some()
    }

    fn exception(&self) -> Option<f64> {
        let same = |known: &&Exception| {
            known.transform == self.transform
                && known.precision == self.precision
                && known.quantity == self.quantity
                && known.len == self.x.len()
                && known.first.to_bits() == self.x[0].to_bits()
        };
        EXCEPTIONS.iter().find(same).map(|known| known.most)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            transform,
            precision,
            quantity,
            tag,
            x,
        } = self;
        write!(f, "{transform} {precision}, {quantity} at {x:?} ({tag})")
    }
}
