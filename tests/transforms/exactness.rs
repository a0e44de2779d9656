//! Every reference value, in both precisions, through the slice interface.
//!
//! `cargo test --test transforms exactness -- --nocapture` prints the worst errors.

use std::fmt;

use paramtree::Refusal;
use paramtree::transform::{
    Affine, Correlation, Elementwise, Interval, Lower, Positive, Softplus, Transform, UnitInterval,
    Upper,
};

use crate::fixture::{Case, Group, groups};
use crate::precision::{Precision, assert_close};
use crate::table::{Row, epsilons, measured, title};

pub(crate) const VALUE_ULPS: u64 = 4;
pub(crate) const LOGDET_EPSILONS: f64 = 4.0;
const INVERSE_EPSILONS: f64 = 16.0;

/// What no known form reaches within the tolerance, with the error measured there.
pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        transform: "Upper(2.5)",
        precision: "f64",
        quantity: "value",
        x: 1.0,
        ulps: 5,
    },
    Exception {
        transform: "Upper(2.5)",
        precision: "f32",
        quantity: "value",
        x: 1.0,
        ulps: 6,
    },
];

pub(crate) struct Exception {
    pub(crate) transform: &'static str,
    pub(crate) precision: &'static str,
    pub(crate) quantity: &'static str,
    pub(crate) x: f64,
    pub(crate) ulps: u64,
}

/// The largest error met of each quantity: ulps, or epsilons of max(1, |reference|).
#[derive(Default)]
struct Worst {
    value: u64,
    vjp: u64,
    logdet: f64,
    logdet_grad: f64,
    inverse: f64,
    has_exceptions: bool,
}

impl Worst {
    /// Values, vjp and log-det, as the table has them.
    fn cells(&self) -> Vec<String> {
        vec![
            self.value.to_string(),
            self.vjp.to_string(),
            epsilons(self.logdet),
        ]
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "value {} ulp, vjp {} ulp, log-det {:.2} eps, gradient {:.2} eps, inverse {:.2} eps",
            self.value, self.vjp, self.logdet, self.logdet_grad, self.inverse
        )
    }
}

measured! {
    positive: check("exp", |_| Positive);
    softplus: check("softplus", |_| Softplus);
    lower: check("lower_exp", |group| Lower::new(group.parameter("lower")));
    lower_softplus: check("lower_softplus", |group| Lower::softplus(group.parameter("lower")));
    upper: check("upper_exp", |group| Upper::new(group.parameter("upper")));
    unit_interval: check("unit_interval", |_| UnitInterval);
    interval: check("interval", |group| {
        Interval::new(group.parameter("lower"), group.parameter("upper"))
    });
    correlation: check("tanh", |_| Correlation);
    affine: check("affine", |group| Affine::new(group.parameter("loc"), group.parameter("scale")));
}

fn check<E>(file: &str, transform: impl Fn(&Group) -> E) -> Row
where
    E: Elementwise<f32> + Elementwise<f64>,
{
    let (mut single, mut double) = (Worst::default(), Worst::default());
    let mut name = String::new();
    for group in groups(file) {
        let transform = transform(&group);
        name = title(&Elementwise::<f64>::name(&transform));
        check_precision::<f64>(&transform, &group, "cases", &mut double);
        if !group.cases("cases_f32").is_empty() {
            check_precision::<f32>(&transform, &group, "cases_f32", &mut single);
        }
        for inverse in group.inverses() {
            check_inverse(&transform, inverse.y, inverse.x, &mut double);
        }
    }
    println!("{file:14} f64: {double}");
    println!("{file:14} f32: {single}");
    Row {
        transform: name,
        has_exceptions: double.has_exceptions || single.has_exceptions,
        cells: [double.cells(), single.cells()].concat(),
    }
}

fn check_precision<T: Precision>(
    transform: &(impl Elementwise<T> + Transform<T>),
    group: &Group,
    key: &str,
    worst: &mut Worst,
) {
    assert_eq!(transform.unconstrained_len(&[2, 3]), Ok(6));
    let cases = group.cases(key);
    check_cases(transform, &cases, worst);
    for case in cases {
        check_taken_back(transform, T::from_f64(case.x));
    }
    for y in group.invalid() {
        check_refused(transform, T::from_f64(y));
    }
    for y in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        check_refused(transform, T::from_f64(y));
    }
}

/// All cases of a group as one leaf.
fn check_cases<T: Precision>(
    transform: &(impl Elementwise<T> + Transform<T>),
    cases: &[Case],
    worst: &mut Worst,
) {
    let column = |get: fn(&Case) -> f64| -> Vec<T> {
        cases.iter().map(|case| T::from_f64(get(case))).collect()
    };
    let (x, shape) = (column(|case| case.x), [cases.len()]);
    let zero = T::from_f64(0.0);
    let mut y = vec![zero; x.len()];
    let mut x_bar = vec![zero; x.len()];
    let mut grad = vec![T::from_f64(0.0); x.len()];
    transform.constrain(&x, &mut y, &shape);
    transform.vjp(&x, &column(|case| case.y_bar), &mut x_bar, &shape);
    transform.add_log_abs_det_jacobian_grad(&x, &mut grad, &shape);

    let (lower, upper) = transform.domain();
    for (i, case) in cases.iter().enumerate() {
        let expected = T::from_f64(case.y).clamp_open(T::from_f64(lower), T::from_f64(upper));
        let at = |quantity| Place {
            transform: Transform::name(transform),
            quantity,
            precision: T::NAME,
            x: case.x,
        };
        let exceptions = &mut worst.has_exceptions;
        at("value").check_ulps(y[i], expected, &mut worst.value, exceptions);
        let expected = T::from_f64(case.vjp);
        at("vjp").check_ulps(x_bar[i], expected, &mut worst.vjp, exceptions);
        let logdet = transform.log_abs_det_jacobian(&x[i..=i], &[]);
        at("log-det").check_epsilons::<T>(logdet, case.logdet, LOGDET_EPSILONS, &mut worst.logdet);
        at("log-det gradient").check_epsilons::<T>(
            grad[i],
            case.logdet_grad,
            LOGDET_EPSILONS,
            &mut worst.logdet_grad,
        );
    }
}

fn check_inverse(transform: &impl Elementwise<f64>, y: f64, expected: f64, worst: &mut Worst) {
    let mut x = [f64::NAN];
    transform.unconstrain(&[y], &mut x, &[]).unwrap();
    let place = Place {
        transform: Transform::name(transform),
        quantity: "inverse",
        precision: "f64",
        x: expected,
    };
    place.check_epsilons(x[0], expected, INVERSE_EPSILONS, &mut worst.inverse);
}

/// What `constrain` returns, `unconstrain` takes back, saturated or not.
fn check_taken_back<T: Precision>(transform: &(impl Elementwise<T> + Transform<T>), x: T) {
    let (mut y, mut back) = ([x], [x]);
    transform.constrain(&[x], &mut y, &[]);
    transform.unconstrain(&y, &mut back, &[]).unwrap();
    assert!(back[0].is_finite(), "{x:?}: {y:?}");
}

/// The second of three values is refused, with its place and the bounds, and nothing is written.
fn check_refused<T: Precision>(transform: &(impl Elementwise<T> + Transform<T>), y: T) {
    let inside = transform.value(T::from_f64(0.0));
    let untouched = T::from_f64(7.0);
    let mut x = [untouched; 3];
    let refusal = transform
        .unconstrain(&[inside, y, inside], &mut x, &[3])
        .unwrap_err();
    let Refusal::OutOfDomain {
        index,
        value,
        lower,
        upper,
    } = refusal
    else {
        panic!("{y:?}: {refusal:?}");
    };
    let (low, high) = transform.domain();
    assert_eq!(index, 1);
    assert_close(value, y.to_f64(), 0, "the refused value");
    assert_eq!(
        (lower, upper),
        (T::from_f64(low).to_f64(), T::from_f64(high).to_f64())
    );
    assert_eq!(x, [untouched; 3]);
}

/// What was measured where.
struct Place {
    transform: String,
    quantity: &'static str,
    precision: &'static str,
    x: f64,
}

impl Place {
    /// What is worst leaves out the exceptions.
    fn check_ulps<T: Precision>(
        &self,
        got: T,
        expected: T,
        worst: &mut u64,
        has_exceptions: &mut bool,
    ) {
        let ulps = got.ulps(expected);
        let exception = self.exception();
        let allowed = exception.unwrap_or(VALUE_ULPS);
        assert!(
            ulps <= allowed,
            "{self}: {got:?} is {ulps} ulp from {expected:?}"
        );
        match exception {
            None => *worst = ulps.max(*worst),
            Some(_) => *has_exceptions = true,
        }
    }

    fn check_epsilons<T: Precision>(&self, got: T, expected: f64, most: f64, worst: &mut f64) {
        let error = (got.to_f64() - expected).abs();
        let epsilons = error / T::EPSILON / expected.abs().max(1.0);
        assert!(
            epsilons <= most,
            "{self}: {got:?} is {epsilons} epsilons from {expected:?}"
        );
        *worst = epsilons.max(*worst);
    }

    fn exception(&self) -> Option<u64> {
        let same = |known: &&Exception| {
            known.transform == self.transform
                && known.precision == self.precision
                && known.quantity == self.quantity
                && known.x.to_bits() == self.x.to_bits()
        };
        EXCEPTIONS.iter().find(same).map(|known| known.ulps)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            transform,
            quantity,
            precision,
            x,
        } = self;
        write!(f, "{transform} {precision}, {quantity} at {x:?}")
    }
}
