//! What a transform costs beside a plain loop over its formula.
//!
//! `cargo bench --bench transforms` prints nanoseconds per value of `constrain` and `vjp`, those
//! of the loop beside them and the ratio, each the best of several runs that take turns; then what
//! a layout allocates for leaves with a transform.
//!
//! The formulas are those that the transforms compute with, and document. The loops leave out only
//! what a transform adds to its formula: the check of the lengths, the next number inside for what
//! rounds to a bound, and zero for the product of no gradient with an infinite slope.

use std::hint::black_box;
use std::time::Instant;

use ndarray::Array1;
use paramtree::transform::{
    Affine, Chain, Correlation, Elementwise, Interval, Lower, Positive, Simplex, SimplexSoftmax,
    SimplexStickBreaking, Softplus, Transform, UnitInterval, Upper,
};
use paramtree::{Layout, Module, Real};

/// Values in a leaf.
const LEN: usize = 10_000_000;
/// Runs of which the best counts.
const RUNS: usize = 7;

/// Coordinates between -4 and 4 in no order, so that branches are not foreseen.
fn coordinates<T: Real>(len: usize) -> Vec<T> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        T::from_f64(f64::from(state >> 8) / 2.0_f64.powi(21) - 4.0)
    };
    (0..len).map(|_| next()).collect()
}

/// Nanoseconds per value, the best of several runs in turn.
fn best_of_two(len: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64) {
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..RUNS {
        best.0 = best.0.min(nanoseconds(&mut a));
        best.1 = best.1.min(nanoseconds(&mut b));
    }
    let len = f64::from(u32::try_from(len).unwrap());
    (best.0 / len, best.1 / len)
}

fn nanoseconds(work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

/// The loop over a formula.
#[inline(never)]
fn plain_values<T: Real>(x: &[T], y: &mut [T], value: impl Fn(T) -> T) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = value(x);
    }
}

/// The loop over the formula of the derivative.
#[inline(never)]
fn plain_vjp<T: Real>(x: &[T], y_bar: &[T], x_bar: &mut [T], slope: impl Fn(T) -> T) {
    for ((x_bar, &y_bar), &x) in x_bar.iter_mut().zip(y_bar).zip(x) {
        *x_bar = y_bar * slope(x);
    }
}

/// Room for one leaf.
struct Leaf<T> {
    x: Vec<T>,
    y_bar: Vec<T>,
    out: Vec<T>,
}

impl<T: Real> Leaf<T> {
    fn new() -> Self {
        let x = coordinates(LEN);
        Self {
            y_bar: x.iter().rev().copied().collect(),
            out: vec![T::from_f64(1.0); LEN],
            x,
        }
    }

    fn row(
        &mut self,
        map: &impl Transform<T>,
        value: impl Fn(T) -> T + Copy,
        slope: impl Fn(T) -> T + Copy,
    ) {
        let Self { x, y_bar, out } = self;
        let (out, plain) = out.split_at_mut(LEN);
        let shape = [LEN];
        let _ = plain;
        let out = std::cell::RefCell::new(out);
        let values = best_of_two(
            LEN,
            || map.constrain(black_box(x), &mut out.borrow_mut(), &shape),
            || plain_values(black_box(x), &mut out.borrow_mut(), value),
        );
        let vjp = best_of_two(
            LEN,
            || map.vjp(black_box(x), y_bar, &mut out.borrow_mut(), &shape),
            || plain_vjp(black_box(x), y_bar, &mut out.borrow_mut(), slope),
        );
        print!("{:32}", map.name());
        for (ours, plain) in [values, vjp] {
            print!("{ours:8.2} {plain:8.2} {:6.2}", ours / plain);
        }
        println!();
    }
}

/// The formulas, for one type of float.
macro_rules! measured {
    ($module:ident $float:ident) => {
        mod $module {
            use super::*;

            fn logistic(x: $float) -> $float {
                let tail = (-x.abs()).exp();
                if x < 0.0 {
                    tail / (1.0 + tail)
                } else {
                    1.0 / (1.0 + tail)
                }
            }

            fn logistic_slope(x: $float) -> $float {
                let tail = (-x.abs()).exp();
                tail / ((1.0 + tail) * (1.0 + tail))
            }

            fn tanh_half(x: $float) -> $float {
                let fall = (-x.abs()).exp_m1();
                (-fall / (2.0 + fall)).copysign(x)
            }

            fn softplus(x: $float) -> $float {
                let rest = (-x.abs()).exp().ln_1p();
                if x < 0.0 { rest } else { x + rest }
            }

            fn interval(x: $float, lower: $float, upper: $float) -> $float {
                let width = upper - lower;
                if x.abs() < 1.0 {
                    return 0.5 * (lower + upper) + width * (0.5 * tanh_half(x));
                }
                let step = width * logistic(-x.abs());
                if x < 0.0 { lower + step } else { upper - step }
            }

            pub(crate) fn table() {
                let mut leaf = Leaf::<$float>::new();
                println!(stringify!($float));
                leaf.row(&Positive, |x| x.exp(), |x| x.exp());
                leaf.row(&Softplus, softplus, logistic);
                leaf.row(&Lower::new(-1), |x| -1.0 + x.exp(), |x| x.exp());
                leaf.row(&Lower::softplus(-1), |x| -1.0 + softplus(x), logistic);
                leaf.row(&Upper::new(2.5), |x| 2.5 - x.exp(), |x| -x.exp());
                leaf.row(
                    &Upper::softplus(2.5),
                    |x| 2.5 - softplus(x),
                    |x| -logistic(x),
                );
                leaf.row(&UnitInterval, logistic, logistic_slope);
                leaf.row(
                    &Interval::new(-1, 4),
                    |x| interval(x, -1.0, 4.0),
                    |x| 5.0 * logistic_slope(x),
                );
                leaf.row(&Affine::new(1, -2), |x| 1.0 - 2.0 * x, |_| -2.0);
                leaf.row(
                    &Correlation,
                    |x| tanh_half(x + x),
                    |x| 4.0 * logistic_slope(x + x),
                );
                leaf.row(
                    &Chain(Affine::new(1, 2), UnitInterval),
                    |x| logistic(1.0 + 2.0 * x),
                    |x| 2.0 * logistic_slope(1.0 + 2.0 * x),
                );
                leaf.row(
                    &Chain(Positive, Softplus),
                    |x| softplus(x.exp()),
                    |x| logistic(x.exp()) * x.exp(),
                );
                leaf.row(
                    &Chain(UnitInterval, Affine::new(-1, 2)),
                    |x| 2.0 * logistic(x) - 1.0,
                    |x| 2.0 * logistic_slope(x),
                );
            }
        }
    };
}

measured!(single f32);
measured!(double f64);

fn main() {
    double::table();
    single::table();
}
