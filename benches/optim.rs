//! What a step costs beside the fused loop that one would write by hand.
//!
//! `cargo bench --bench optim` prints times as ratios, taken in turn in one run, and the
//! allocations of a step; with `--features rayon`, large leaves are stepped on all cores.

use std::alloc::System;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ndarray::Array1;
use paramtree::optim::{AdamW, NonFinite, Optimizer};
use paramtree::{Mask, Module};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[derive(Debug, Module)]
struct Blocks {
    blocks: Vec<Array1<f32>>,
}

impl Blocks {
    fn new(leaves: usize, len: usize, value: f32) -> Self {
        let block = |_| Array1::from_elem(len, value);
        Self {
            blocks: (0..leaves).map(block).collect(),
        }
    }
}

/// By hand: the same numbers, and the same formula.
struct Hand {
    params: Vec<Vec<f32>>,
    mu: Vec<Vec<f32>>,
    nu: Vec<Vec<f32>>,
    trains: Vec<bool>,
    count: i32,
}

impl Hand {
    fn new(leaves: usize, len: usize, trains: impl Fn(usize) -> bool) -> Self {
        let zeros = || vec![vec![0.0; len]; leaves];
        Self {
            params: vec![vec![1.0; len]; leaves],
            mu: zeros(),
            nu: zeros(),
            trains: (0..leaves).map(trains).collect(),
            count: 0,
        }
    }

    /// `AdamW` in one pass, with its defaults.
    #[allow(clippy::cast_possible_truncation)] // rounded once, as in the library
    #[inline(never)]
    fn step(&mut self, gradient: &Blocks) {
        self.count += 1;
        let left1 = (1.0 - 0.9_f64.powf(self.count.into())) as f32;
        let left2 = (1.0 - 0.999_f64.powf(self.count.into())) as f32;
        let (b1, new1, b2, new2) = (0.9_f32, 0.1_f32, 0.999_f32, 0.001_f32);
        for (leaf, gradient) in gradient.blocks.iter().enumerate() {
            if !self.trains[leaf] {
                continue;
            }
            let gradient = gradient.as_slice().unwrap();
            let moments = self.mu[leaf].iter_mut().zip(&mut self.nu[leaf]);
            let elements = self.params[leaf].iter_mut().zip(gradient).zip(moments);
            for ((p, &g), (m, v)) in elements {
                *m = new1 * g + b1 * *m;
                *v = new2 * (g * g) + b2 * *v;
                let step = (*m / left1) / ((*v / left2).sqrt() + 1e-8) + 0.01 * *p;
                *p += -1e-3 * step;
            }
        }
    }

    /// As a careful user would: no step with a gradient that is not finite.
    #[inline(never)]
    fn checked_step(&mut self, gradient: &Blocks) {
        for (block, trains) in gradient.blocks.iter().zip(&self.trains) {
            let values = block.as_slice().unwrap();
            if *trains {
                let finite = values.iter().fold(true, |ok, g| ok & g.is_finite());
                assert!(finite);
            }
        }
        self.step(gradient);
    }
}

#[inline(never)]
fn step(optimizer: &mut Optimizer<AdamW>, model: &mut Blocks, gradient: &Blocks) {
    optimizer.step(model, gradient).unwrap();
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn case(name: &str, leaves: usize, len: usize, rounds: usize, trains: impl Fn(usize) -> bool) {
    let (mut model, gradient) = (Blocks::new(leaves, len, 1.0), Blocks::new(leaves, len, 0.5));
    let mut mask = Mask::of(&model);
    for leaf in (0..leaves).filter(|leaf| !trains(*leaf)) {
        mask.freeze(format!("blocks.{leaf}").as_str()).unwrap();
    }
    let builder = || AdamW::new(1e-3).builder();
    let mut optimizer = builder().build(&model, &mask).unwrap();
    let allow = builder().non_finite(NonFinite::Allow);
    let mut unchecked = allow.build(&model, &mask).unwrap();
    let mut other = Blocks::new(leaves, len, 1.0);
    let mut plain = Hand::new(leaves, len, &trains);
    let mut careful = Hand::new(leaves, len, &trains);
    step(&mut optimizer, &mut model, &gradient);

    let region = Region::new(ALLOCATOR);
    step(&mut optimizer, &mut model, &gradient);
    let allocations = region.change().allocations;

    let [mut allowing, mut fused, mut refusing, mut checked] = [const { Vec::new() }; 4];
    for _ in 0..rounds {
        allowing.push(timed(|| {
            step(&mut unchecked, black_box(&mut other), &gradient);
        }));
        fused.push(timed(|| plain.step(black_box(&gradient))));
        refusing.push(timed(|| {
            step(&mut optimizer, black_box(&mut model), &gradient);
        }));
        checked.push(timed(|| careful.checked_step(black_box(&gradient))));
    }
    let [allowing, fused, refusing, checked] = [allowing, fused, refusing, checked].map(median);
    let ratio = |of: Duration, by: Duration| of.as_secs_f64() / by.as_secs_f64();
    println!(
        "{name:<28} {allowing:>8.1?} {fused:>8.1?} {:>6.2} {refusing:>8.1?} {checked:>8.1?} \
         {:>6.2} {:>6.2} {allocations:>6}",
        ratio(allowing, fused),
        ratio(refusing, checked),
        ratio(refusing, fused),
    );
}

fn main() {
    println!("AdamW, f32: gradients as they are | none that is not finite | that beside no check");
    println!(
        "{:<28} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6} {:>6} {:>6}",
        "", "step", "by hand", "ratio", "step", "by hand", "ratio", "ratio", "allocs"
    );
    case("1,000 x 10,000, all train", 1000, 10_000, 25, |_| true);
    case("1,000 x 10,000, half frozen", 1000, 10_000, 25, |i| {
        i % 2 == 0
    });
    case("2 x 5,000,000, all train", 2, 5_000_000, 25, |_| true);
    case("1,000 x 10, all train", 1000, 10, 2000, |_| true);
    case("1,000 x 10, half frozen", 1000, 10, 2000, |i| i % 2 == 0);
}
