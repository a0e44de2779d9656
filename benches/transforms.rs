//! What a transform costs beside a plain loop over its formula.
//!
//! `cargo bench --bench transforms` prints nanoseconds per value of `constrain` and `vjp`, those
//! of the loop beside them and the ratio, each the best of several runs that take turns; then the
//! maps onto shares; then what a layout allocates for many leaves and for few, counted by valgrind.
//!
//! The formulas are those that the transforms document and compute with, underflow included. The
//! loops leave out what a transform adds to its formula: the next number inside for what rounds to
//! a bound, and zero for the product of no gradient with an infinite slope.

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use ndarray::Array1;
use paramtree::transform::{
    Affine, Chain, Correlation, Interval, Lower, Positive, Simplex, SimplexSoftmax,
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

fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

fn per_value(nanoseconds: f64, values: usize) -> f64 {
    nanoseconds / f64::from(u32::try_from(values).unwrap())
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

/// A leaf, and room for what is made of it.
struct Leaf<T> {
    x: Vec<T>,
    y_bar: Vec<T>,
    made: Vec<T>,
}

impl<T: Real> Leaf<T> {
    fn new() -> Self {
        let x = coordinates(LEN);
        let y_bar = x.iter().rev().copied().collect();
        let made = vec![T::from_f64(1.0); LEN];
        Self { x, y_bar, made }
    }

    /// A row of the table: values and vjp, each by the transform, by the loop, and their ratio.
    fn row(
        &mut self,
        map: &impl Transform<T>,
        value: impl Fn(T) -> T + Copy,
        slope: impl Fn(T) -> T + Copy,
    ) {
        let Self { x, y_bar, made } = self;
        let mut best = [f64::INFINITY; 4];
        for _ in 0..RUNS {
            let times = [
                nanoseconds(|| map.constrain(black_box(x), made, &[LEN])),
                nanoseconds(|| plain_values(black_box(x), made, value)),
                nanoseconds(|| map.vjp(black_box(x), y_bar, made, &[LEN])),
                nanoseconds(|| plain_vjp(black_box(x), y_bar, made, slope)),
            ];
            black_box(&made);
            for (best, time) in best.iter_mut().zip(times) {
                *best = time.min(*best);
            }
        }
        print!("{:34}", map.name());
        for pair in best.map(|time| per_value(time, LEN)).chunks(2) {
            print!("{:8.2} {:6.2} {:6.2}", pair[0], pair[1], pair[0] / pair[1]);
        }
        println!();
    }

    /// A row of the table of maps onto shares, in vectors of `len`.
    fn shares_row(&mut self, map: &impl Transform<T>, len: usize) {
        let Self { x, y_bar, made } = self;
        let (count, mut best) = (LEN / 10 / len, [f64::INFINITY; 2]);
        let shape = [count, len];
        let (x, y_bar) = (&x[..count * (len - 1)], &y_bar[..count * len]);
        for _ in 0..RUNS {
            let made = &mut made[..count * len];
            let constrain = nanoseconds(|| map.constrain(black_box(x), made, &shape));
            let x_bar = &mut made[..x.len()];
            let vjp = nanoseconds(|| map.vjp(black_box(x), y_bar, x_bar, &shape));
            best = [constrain.min(best[0]), vjp.min(best[1])];
        }
        let [constrain, vjp] = best.map(|time| per_value(time, count * len));
        println!("{:34}{len:8} {constrain:10.2} {vjp:10.2}", map.name());
    }
}

/// The formulas, for one type of float.
macro_rules! measured {
    ($module:ident $float:ident) => {
        mod $module {
            use super::{
                Affine, Chain, Correlation, Interval, Leaf, Lower, Positive, Softplus,
                UnitInterval, Upper, black_box,
            };

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

            /// Where the slope loses digits to underflow, in two factors that do not.
            fn interval_slope(x: $float, width: $float) -> $float {
                let slope = logistic_slope(x);
                if slope >= $float::MIN_POSITIVE {
                    return width * slope;
                }
                far_slope(x, width)
            }

            #[cold]
            #[inline(never)]
            fn far_slope(x: $float, width: $float) -> $float {
                let root = (-0.5 * x.abs()).exp();
                width * root * root
            }

            pub(crate) fn table(leaf: &mut Leaf<$float>) {
                println!(
                    "\n{:34}{:^22}{:^22}",
                    stringify!($float),
                    "constrain",
                    "vjp"
                );
                println!(
                    "{:34}{:>22}{:>22}",
                    "", "ns   loop  ratio", "ns   loop  ratio"
                );
                let (minus_one, two, four, half): ($float, $float, $float, $float) =
                    black_box((-1.0, 2.0, 4.0, 2.5));
                leaf.row(&Positive, |x| x.exp(), |x| x.exp());
                leaf.row(&Softplus, softplus, logistic);
                leaf.row(&Lower::new(-1), |x| minus_one + x.exp(), |x| x.exp());
                leaf.row(&Lower::softplus(-1), |x| minus_one + softplus(x), logistic);
                leaf.row(&Upper::new(2.5), |x| half - x.exp(), |x| -x.exp());
                leaf.row(
                    &Upper::softplus(2.5),
                    |x| half - softplus(x),
                    |x| -logistic(x),
                );
                leaf.row(&UnitInterval, logistic, logistic_slope);
                leaf.row(
                    &Interval::new(-1, 4),
                    |x| interval(x, minus_one, four),
                    |x| interval_slope(x, four - minus_one),
                );
                leaf.row(&Affine::new(-1, 2), |x| minus_one + two * x, |_| two);
                leaf.row(
                    &Correlation,
                    |x| tanh_half(x + x),
                    |x| 4.0 * logistic_slope(x + x),
                );
                leaf.row(
                    &Chain(Affine::new(-1, 2), UnitInterval),
                    |x| logistic(minus_one + two * x),
                    |x| two * logistic_slope(minus_one + two * x),
                );
                leaf.row(
                    &Chain(Positive, Softplus),
                    |x| softplus(x.exp()),
                    |x| logistic(x.exp()) * x.exp(),
                );
                leaf.row(
                    &Chain(UnitInterval, Affine::new(-1, 2)),
                    |x| minus_one + two * logistic(x),
                    |x| two * logistic_slope(x),
                );
            }
        }
    };
}

measured!(single f32);
measured!(double f64);

fn shares(leaf: &mut Leaf<f64>) {
    println!(
        "\n{:34}{:>8} {:>10} {:>10}",
        "f64, ns per value", "length", "constrain", "vjp"
    );
    for len in [4, 32] {
        leaf.shares_row(&Simplex, len);
        leaf.shares_row(&SimplexSoftmax, len);
        leaf.shares_row(&SimplexStickBreaking, len);
    }
}

#[derive(Clone, Debug, Module)]
struct Scale {
    #[param(transform = Positive)]
    values: Array1<f64>,
}

#[derive(Clone, Debug, Module)]
struct Scales {
    all: Vec<Scale>,
}

/// Uses a layout of `leaves` leaves of 10 values `times` times, for the counter.
fn count(case: &str, leaves: usize, times: usize) {
    let values = Array1::ones(10);
    let mut model = Scales {
        all: vec![Scale { values }; leaves],
    };
    let layout = Layout::of(&model).unwrap();
    let gradient = model.clone();
    let mut flat: Vec<f64> = layout.flatten(&model).unwrap();
    let x = flat.clone();
    for _ in 0..times {
        match case {
            "flatten_into" => layout.flatten_into(&model, &mut flat).unwrap(),
            "unflatten" => layout.unflatten(&mut model, &x).unwrap(),
            "pullback_into" => layout
                .pullback_into(&model, &x, &gradient, &mut flat)
                .unwrap(),
            _ => panic!("no such case: {case}"),
        }
    }
    black_box((model, flat));
}

/// The allocations of a run of this program under valgrind.
fn allocations(case: &str, leaves: usize, times: usize) -> Option<i64> {
    let program = env::current_exe().ok()?;
    let numbers = [leaves.to_string(), times.to_string()];
    let mut valgrind = Command::new("valgrind");
    let run = valgrind.arg(program).args(["--count", case]).args(numbers);
    let said = String::from_utf8(run.output().ok()?.stderr).ok()?;
    let (_, usage) = said.split_once("total heap usage: ")?;
    usage.split(' ').next()?.replace(',', "").parse().ok()
}

/// What each further call allocates.
fn allocated() {
    println!(
        "\n{:34}{:>12} {:>12}",
        "allocations of a call", "10 leaves", "1000 leaves"
    );
    for case in ["flatten_into", "unflatten", "pullback_into"] {
        print!("{case:34}");
        for leaves in [10, 1000] {
            let runs = [11, 1].map(|times| allocations(case, leaves, times));
            match runs {
                [Some(many), Some(one)] => print!("{:>12} ", (many - one) / 10),
                _ => print!("{:>12} ", "no valgrind"),
            }
        }
        println!();
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    if let [flag, case, leaves, times] = &args[1..]
        && flag == "--count"
    {
        return count(case, leaves.parse().unwrap(), times.parse().unwrap());
    }
    let mut leaf = Leaf::new();
    double::table(&mut leaf);
    shares(&mut leaf);
    drop(leaf);
    single::table(&mut Leaf::new());
    allocated();
}
