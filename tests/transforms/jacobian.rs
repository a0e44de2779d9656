//! Every derivative of the maps of vectors and matrices against the Jacobian that dual numbers give.

use std::iter::zip;

use paramtree::transform::{
    Affine, Chain, ColumnStochastic, Ordered, Positive, PositiveOrdered, RowStochastic, Simplex,
    SimplexSoftmax, SimplexStickBreaking, SumToZero, SumToZeroMatrix, Transform, UnitInterval,
    UnitVector,
};

use crate::dual::Dual;

/// What the log-det is with respect to.
enum Measure {
    /// These natural values.
    Free(Vec<usize>),
    /// The surface that the natural values lie on.
    Surface,
    /// Nothing that follows from the map.
    Other,
}

use Measure::{Free, Other, Surface};

#[track_caller]
fn assert_near(got: f64, expected: f64, what: &str) {
    let allowed = 1e-13 * expected.abs().max(1.0);
    assert!(
        (got - expected).abs() <= allowed,
        "{what}: {got:?}, not {expected:?}"
    );
}

/// Coordinates without a pattern.
fn coordinates(len: usize) -> Vec<f64> {
    (1..=len)
        .map(|i| (2.1 * f64::from(u32::try_from(i).unwrap())).sin() * 1.3)
        .collect()
}

fn check<E: Transform<f64> + Transform<Dual>>(map: &E, shape: &[usize], measure: &Measure) {
    let name = Transform::<f64>::name(map);
    let at = |what: &str| format!("{name} {shape:?}, {what}");
    let len = Transform::<f64>::unconstrained_len(map, shape).unwrap();
    let (x, size) = (coordinates(len), shape.iter().product());
    let y_bar: Vec<f64> = coordinates(size).iter().map(|y| 0.4 - y).collect();

    let (mut x_bar, mut grad) = (vec![0.0; len], vec![0.0; len]);
    map.vjp(&x, &y_bar, &mut x_bar, shape);
    map.add_log_abs_det_jacobian_grad(&x, &mut grad, shape);
    let mut columns = Vec::new();
    for j in 0..len {
        let mut seeded: Vec<Dual> = x.iter().map(|&x| Dual(x, 0.0)).collect();
        seeded[j].1 = 1.0;
        let mut y = vec![Dual(0.0, 0.0); size];
        map.constrain(&seeded, &mut y, shape);
        let column: Vec<f64> = y.iter().map(|y| y.1).collect();
        let pulled = zip(&column, &y_bar).map(|(y, y_bar)| y * y_bar).sum();
        assert_near(x_bar[j], pulled, &at("vjp"));
        let logdet = map.log_abs_det_jacobian(&seeded, shape);
        assert_near(logdet.1, grad[j], &at("log-det gradient"));
        columns.push(column);
        check_inverse(map, &y, j, shape);
    }

    let logdet = map.log_abs_det_jacobian(&x, shape);
    let select = |rows: &[usize], column: &Vec<f64>| rows.iter().map(|&i| column[i]).collect();
    let dot = |a: &Vec<f64>, b: &Vec<f64>| zip(a, b).map(|(a, b)| a * b).sum();
    let expected = match measure {
        Other => return,
        Free(rows) => log_abs_det(columns.iter().map(|column| select(rows, column)).collect()),
        Surface => {
            let row = |a| columns.iter().map(|b| dot(a, b)).collect();
            log_abs_det(columns.iter().map(row).collect()) / 2.0
        }
    };
    assert_near(logdet, expected, &at("log-det"));
}

/// The way back undoes the derivative of the way there.
fn check_inverse<E: Transform<f64> + Transform<Dual>>(
    map: &E,
    y: &[Dual],
    j: usize,
    shape: &[usize],
) {
    let name = Transform::<f64>::name(map);
    if name == "UnitVector" {
        return;
    }
    let len = Transform::<f64>::unconstrained_len(map, shape).unwrap();
    let mut back = vec![Dual(0.0, 0.0); len];
    map.unconstrain(y, &mut back, shape).unwrap();
    for (i, x) in back.iter().enumerate() {
        assert_near(x.1, if i == j { 1.0 } else { 0.0 }, &name);
    }
}

/// By elimination with pivots.
fn log_abs_det(mut rows: Vec<Vec<f64>>) -> f64 {
    let mut sum = 0.0;
    for k in 0..rows.len() {
        let largest = |&a: &usize, &b: &usize| rows[a][k].abs().total_cmp(&rows[b][k].abs());
        let pivot = (k..rows.len()).max_by(largest).unwrap();
        rows.swap(k, pivot);
        let (head, rest) = rows.split_at_mut(k + 1);
        let top = &head[k];
        sum += top[k].abs().ln();
        for row in rest {
            let factor = row[k] / top[k];
            for (a, b) in zip(&mut row[k..], &top[k..]) {
                *a -= factor * b;
            }
        }
    }
    sum
}

#[test]
fn derivatives_are_those_of_the_map() {
    let first = |n: usize| Free((0..n).collect());
    for n in 1..6 {
        check(&Ordered, &[n], &first(n));
        check(&PositiveOrdered, &[n], &first(n));
        check(&Chain(Ordered, Positive), &[n], &first(n));
        check(
            &Chain(Chain(Ordered, Affine::new(1, -2)), UnitInterval),
            &[n],
            &first(n),
        );
        check(&Simplex, &[n], &first(n - 1));
        check(&SimplexSoftmax, &[n], &first(n - 1));
        check(&SimplexStickBreaking, &[n], &first(n - 1));
        check(&SumToZero, &[n], &Surface);
        check(&UnitVector, &[n], &Other);
    }
    check(&SumToZeroMatrix, &[3, 4], &Surface);
    check(&RowStochastic, &[2, 3], &Free(vec![0, 1, 3, 4]));
    check(&ColumnStochastic, &[3, 2], &first(4));
    check(
        &Chain(Chain(Affine::new(0.1, 0.3), UnitInterval), Positive),
        &[5],
        &first(5),
    );
    check(&Chain(Affine::new(0, 0.01), Positive), &[150], &first(150));
}

#[test]
fn leading_axes_are_independent() {
    check(&Ordered, &[2, 2, 2], &Free((0..8).collect()));
    check(&Simplex, &[2, 3], &Free(vec![0, 1, 3, 4]));
    check(&SumToZero, &[2, 3], &Surface);
    check(&SumToZeroMatrix, &[2, 2, 3], &Surface);
    check(&ColumnStochastic, &[2, 2, 2], &Free(vec![0, 1, 4, 5]));
}
