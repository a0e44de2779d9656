//! Every reference value of the maps of vectors and matrices, in both precisions, alone and stacked.
//!
//! `cargo test --test transforms structured -- --nocapture` prints the worst errors.

use paramtree::transform::{
    Chain, ColumnStochastic, Ordered, Positive, PositiveOrdered, RowStochastic, Simplex,
    SimplexSoftmax, SimplexStickBreaking, SumToZero, SumToZeroMatrix, Transform, UnitVector,
};

use crate::fixture::{EventCase, Group, groups};
use crate::measure::Digits::{self, OfEach, OfLargest};
use crate::measure::{INVERSE_EPSILONS, LOGDET_EPSILONS, NORM_EPSILONS, Place, Worst, largest};
use crate::precision::Precision;
use crate::table::{Row, measured, title};

measured! {
    ordered: check("ordered", |_| Ordered, OfEach, OfEach);
    positive_ordered: check("positive_ordered", |_| PositiveOrdered, OfEach, OfEach);
    simplex: check("simplex_ilr", |_| Simplex, OfEach, OfEach);
    simplex_stick_breaking: check("simplex_stick_breaking", |_| SimplexStickBreaking, OfEach, OfEach);
    simplex_softmax: check("simplex_softmax_centered", |_| SimplexSoftmax, OfEach, OfEach);
    sum_to_zero: check("sum_to_zero", |_| SumToZero, OfLargest, OfLargest);
    sum_to_zero_matrix: check("sum_to_zero_matrix", |_| SumToZeroMatrix, OfLargest, OfLargest);
    unit_vector: check("unit_vector", |_| UnitVector, OfEach, OfLargest);
    row_stochastic: check("row_stochastic", |_| RowStochastic, OfEach, OfEach);
    column_stochastic: check("column_stochastic", |_| ColumnStochastic, OfEach, OfEach);
    exp_of_ordered: check("chain_ordered_exp", |_| Chain(Ordered, Positive), OfEach, OfLargest);
}

pub(crate) fn check<E>(
    file: &str,
    transform: impl Fn(&Group) -> E,
    value: Digits,
    vjp: Digits,
) -> Row
where
    E: Transform<f32> + Transform<f64>,
{
    let (mut single, mut double) = (Worst::default(), Worst::default());
    let mut name = String::new();
    for group in groups(file) {
        let transform = transform(&group);
        name = title(&Transform::<f64>::name(&transform));
        check_precision::<f64>(&transform, &group, "cases", (value, vjp), &mut double);
        check_precision::<f32>(&transform, &group, "cases_f32", (value, vjp), &mut single);
        for (y, x) in group.event_inverses() {
            check_inverse(&transform, &group.shape(), &y, &x, &mut double);
        }
    }
    println!("{file:24} f64: {double}");
    println!("{file:24} f32: {single}");
    Row {
        transform: name,
        has_exceptions: double.has_exceptions || single.has_exceptions,
        cells: [double.cells(value, vjp), single.cells(value, vjp)].concat(),
    }
}

fn check_precision<T: Precision>(
    transform: &impl Transform<T>,
    group: &Group,
    key: &str,
    digits: (Digits, Digits),
    worst: &mut Worst,
) {
    let (shape, len) = (group.shape(), group.unconstrained_len());
    assert_eq!(transform.unconstrained_len(&shape), Ok(len));
    let cases = group.event_cases(key);
    for case in &cases {
        check_case(transform, case, &shape, digits, worst);
        check_taken_back(transform, &narrow(&case.x), &shape);
    }
    check_stacked(transform, &cases, &shape);
    for y in group.event_invalid() {
        check_refused(transform, &narrow(&y), &shape, len);
    }
}

fn narrow<T: Precision>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&value| T::from_f64(value)).collect()
}

/// What a transform makes of some coordinates.
#[derive(Debug, PartialEq)]
struct Made<T> {
    y: Vec<T>,
    x_bar: Vec<T>,
    logdet: T,
    logdet_grad: Vec<T>,
}

fn make<T: Precision>(
    transform: &impl Transform<T>,
    x: &[T],
    y_bar: &[T],
    shape: &[usize],
) -> Made<T> {
    let zero = T::from_f64(0.0);
    let mut made = Made {
        y: vec![zero; y_bar.len()],
        x_bar: vec![zero; x.len()],
        logdet: transform.log_abs_det_jacobian(x, shape),
        logdet_grad: vec![zero; x.len()],
    };
    transform.constrain(x, &mut made.y, shape);
    transform.vjp(x, y_bar, &mut made.x_bar, shape);
    transform.add_log_abs_det_jacobian_grad(x, &mut made.logdet_grad, shape);
    made
}

fn check_case<T: Precision>(
    transform: &impl Transform<T>,
    case: &EventCase,
    shape: &[usize],
    (value, vjp): (Digits, Digits),
    worst: &mut Worst,
) {
    let made = make(transform, &narrow(&case.x), &narrow(&case.y_bar), shape);
    let at = |quantity| Place {
        transform: transform.name(),
        precision: T::NAME,
        quantity,
        tag: &case.tag,
        x: &case.x,
    };
    let size = largest(&case.y);
    at("value").norm(&made.y, &case.y, size, NORM_EPSILONS, &mut worst.value_norm);
    if value == OfEach {
        at("value of each").ulps(&made.y, &case.y, &mut worst.value);
    }
    let size = largest(&case.vjp);
    let place = at("vjp");
    let norm = &mut worst.vjp_norm;
    place.norm(&made.x_bar, &case.vjp, size, NORM_EPSILONS, norm);
    if vjp == OfEach {
        let place = at("vjp of each");
        worst.has_exceptions |= place.is_exception();
        place.ulps(&made.x_bar, &case.vjp, &mut worst.vjp);
    }
    let (logdet, place) = ([case.logdet], at("log-det"));
    let size = case.logdet.abs().max(1.0);
    place.norm(
        &[made.logdet],
        &logdet,
        size,
        LOGDET_EPSILONS,
        &mut worst.logdet,
    );
    let (grad, place) = (&case.logdet_grad, at("log-det gradient"));
    let size = largest(grad).max(1.0);
    place.norm(
        &made.logdet_grad,
        grad,
        size,
        LOGDET_EPSILONS,
        &mut worst.logdet_grad,
    );
}

fn check_inverse(
    transform: &impl Transform<f64>,
    shape: &[usize],
    y: &[f64],
    expected: &[f64],
    worst: &mut Worst,
) {
    let mut x = vec![f64::NAN; expected.len()];
    transform.unconstrain(y, &mut x, shape).unwrap();
    for (got, &expected) in x.iter().zip(expected) {
        let place = Place {
            transform: transform.name(),
            precision: "f64",
            quantity: "inverse",
            tag: "",
            x: &[expected],
        };
        let size = expected.abs().max(1.0);
        place.norm(
            &[*got],
            &[expected],
            size,
            INVERSE_EPSILONS,
            &mut worst.inverse,
        );
    }
}

/// What `constrain` returns, `unconstrain` takes back, saturated or not.
fn check_taken_back<T: Precision>(transform: &impl Transform<T>, x: &[T], shape: &[usize]) {
    let mut y = vec![T::from_f64(0.0); shape.iter().product()];
    let mut back = x.to_vec();
    transform.constrain(x, &mut y, shape);
    if let Err(refusal) = transform.unconstrain(&y, &mut back, shape) {
        panic!("{} of {x:?}: {y:?}: {refusal}", transform.name());
    }
    assert!(back.iter().all(|x| x.is_finite()), "{x:?}: {y:?}: {back:?}");
}

/// All cases as one leaf with two more axes in front.
fn check_stacked<T: Precision>(
    transform: &impl Transform<T>,
    cases: &[EventCase],
    shape: &[usize],
) {
    let stacked = [&[1, cases.len()], shape].concat();
    let column = |get: fn(&EventCase) -> &[f64]| -> Vec<T> {
        cases.iter().flat_map(|case| narrow(get(case))).collect()
    };
    let (x, y_bar) = (column(|case| &case.x), column(|case| &case.y_bar));
    let made = make(transform, &x, &y_bar, &stacked);
    let apart: Vec<Made<T>> = cases
        .iter()
        .map(|case| make(transform, &narrow(&case.x), &narrow(&case.y_bar), shape))
        .collect();
    let join = |get: fn(&Made<T>) -> &[T]| -> Vec<T> {
        apart.iter().flat_map(|made| get(made).to_vec()).collect()
    };
    assert_eq!(made.y, join(|made| &made.y));
    assert_eq!(made.x_bar, join(|made| &made.x_bar));
    assert_eq!(made.logdet_grad, join(|made| &made.logdet_grad));
    let sum: f64 = apart.iter().map(|made| made.logdet.to_f64()).sum();
    let size: f64 = apart.iter().map(|made| made.logdet.to_f64().abs()).sum();
    let allowed = 16.0 * T::EPSILON * size.max(1.0);
    assert!((made.logdet.to_f64() - sum).abs() <= allowed || sum.is_infinite());
    assert_eq!(transform.unconstrained_len(&stacked), Ok(x.len()));
}

/// Refused alone and behind a value that is none, with its place, and nothing is written.
fn check_refused<T: Precision>(
    transform: &impl Transform<T>,
    y: &[T],
    shape: &[usize],
    len: usize,
) {
    let (zero, untouched) = (T::from_f64(0.0), T::from_f64(7.0));
    let mut inside = vec![zero; y.len()];
    transform.constrain(&vec![T::from_f64(0.25); len], &mut inside, shape);
    let stacked = [&[2], shape].concat();
    let mut x = vec![untouched; 2 * len];
    let refusal = transform
        .unconstrain(&[&inside, y].concat(), &mut x, &stacked)
        .unwrap_err();
    let index = refusal.index().unwrap();
    assert!((y.len()..2 * y.len()).contains(&index), "{refusal:?}");
    assert!(x.iter().all(|&x| x == untouched), "{x:?}");
}
