//! What a walk costs beside the loop that one would write by hand.
//!
//! `cargo bench --bench walk` prints times as ratios; `benches/instructions.sh` counts
//! instructions and allocations, which do not depend on what else the machine does.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2};
use paramtree::{Layout, Mask, Module, partition};

#[derive(Debug, Module)]
struct Dense {
    weight: Array2<f64>,
    bias: Array1<f64>,
}

/// 1,000 small arrays, 10,000 numbers.
#[derive(Debug, Module)]
struct Arrays {
    layers: Vec<Dense>,
}

#[derive(Debug, Module)]
struct Cell {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
}

/// 1,000 numbers.
#[derive(Debug, Module)]
struct Scalars {
    cells: Vec<Cell>,
}

/// 1,000 large arrays, 10 M numbers.
#[derive(Debug, Module)]
struct Large {
    blocks: Vec<Array1<f32>>,
}

fn arrays() -> Arrays {
    let dense = |_| Dense {
        weight: Array2::ones((4, 4)),
        bias: Array1::ones(4),
    };
    Arrays {
        layers: (0..500).map(dense).collect(),
    }
}

fn scalars() -> Scalars {
    let cell = |n: u32| {
        let v = f64::from(n);
        Cell {
            a: v,
            b: v,
            c: v,
            d: v,
            e: v,
            f: v,
            g: v,
            h: v,
            i: v,
            j: v,
        }
    };
    Scalars {
        cells: (0..100).map(cell).collect(),
    }
}

// What `instructions.sh` counts: each in a function of its own.

#[inline(never)]
fn flatten_arrays_hand(model: &Arrays, flat: &mut [f64]) {
    let mut at = 0;
    for layer in &model.layers {
        let (weight, bias) = (layer.weight.as_slice(), layer.bias.as_slice());
        for values in [weight.unwrap(), bias.unwrap()] {
            flat[at..at + values.len()].copy_from_slice(values);
            at += values.len();
        }
    }
}

#[inline(never)]
fn flatten_arrays_tree(layout: &Layout, model: &Arrays, flat: &mut [f64]) {
    layout.flatten_into(model, flat).unwrap();
}

#[inline(never)]
fn unflatten_arrays_hand(model: &mut Arrays, flat: &[f64]) {
    let mut at = 0;
    for layer in &mut model.layers {
        let (weight, bias) = (layer.weight.as_slice_mut(), layer.bias.as_slice_mut());
        for values in [weight.unwrap(), bias.unwrap()] {
            let n = values.len();
            values.copy_from_slice(&flat[at..at + n]);
            at += n;
        }
    }
}

#[inline(never)]
fn unflatten_arrays_tree(layout: &Layout, model: &mut Arrays, flat: &[f64]) {
    layout.unflatten(model, flat).unwrap();
}

#[inline(never)]
fn flatten_scalars_hand(model: &Scalars, flat: &mut [f64]) {
    let mut at = 0;
    for cell in &model.cells {
        let Cell {
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            i,
            j,
        } = cell;
        for value in [a, b, c, d, e, f, g, h, i, j] {
            flat[at] = *value;
            at += 1;
        }
    }
}

#[inline(never)]
fn flatten_scalars_tree(layout: &Layout, model: &Scalars, flat: &mut [f64]) {
    layout.flatten_into(model, flat).unwrap();
}

#[inline(never)]
fn unflatten_scalars_hand(model: &mut Scalars, flat: &[f64]) {
    let mut at = 0;
    for cell in &mut model.cells {
        let Cell {
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            i,
            j,
        } = cell;
        for value in [a, b, c, d, e, f, g, h, i, j] {
            *value = flat[at];
            at += 1;
        }
    }
}

#[inline(never)]
fn unflatten_scalars_tree(layout: &Layout, model: &mut Scalars, flat: &[f64]) {
    layout.unflatten(model, flat).unwrap();
}

/// Runs one case `times` times, for the counters.
fn count(case: &str, times: usize) {
    let (mut a, mut s) = (arrays(), scalars());
    let (of_a, of_s) = (Layout::of(&a).unwrap(), Layout::of(&s).unwrap());
    let mask = Mask::of(&a);
    let (mut flat_a, mut flat_s) = (vec![0.0; of_a.len()], vec![0.0; of_s.len()]);
    for _ in 0..times {
        match case {
            "flatten_arrays_hand" => flatten_arrays_hand(black_box(&a), &mut flat_a),
            "flatten_arrays_tree" => flatten_arrays_tree(&of_a, black_box(&a), &mut flat_a),
            "unflatten_arrays_hand" => unflatten_arrays_hand(black_box(&mut a), &flat_a),
            "unflatten_arrays_tree" => unflatten_arrays_tree(&of_a, black_box(&mut a), &flat_a),
            "flatten_scalars_hand" => flatten_scalars_hand(black_box(&s), &mut flat_s),
            "flatten_scalars_tree" => flatten_scalars_tree(&of_s, black_box(&s), &mut flat_s),
            "unflatten_scalars_hand" => unflatten_scalars_hand(black_box(&mut s), &flat_s),
            "unflatten_scalars_tree" => unflatten_scalars_tree(&of_s, black_box(&mut s), &flat_s),
            "halves" => a = there_and_back(a, &mask),
            _ => panic!("no such case: {case}"),
        }
        black_box((&flat_a, &flat_s));
    }
}

/// The best of several runs.
fn best(mut run: impl FnMut() -> Duration) -> Duration {
    (0..30).map(|_| run()).min().unwrap_or_default()
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn large() {
    let block = |_| Array1::<f32>::ones(10_000);
    let mut model = Large {
        blocks: (0..1000).map(block).collect(),
    };
    let layout = Layout::of(&model).unwrap();
    let mut flat = vec![0.0_f32; layout.len()];
    let hand = best(|| {
        timed(|| {
            for (block, flat) in black_box(&model).blocks.iter().zip(flat.chunks_mut(10_000)) {
                flat.copy_from_slice(block.as_slice().unwrap());
            }
        })
    });
    let tree = best(|| timed(|| layout.flatten_into(black_box(&model), &mut flat).unwrap()));
    report("flatten 10 M f32 in 1,000 leaves", tree, hand);
    let hand = best(|| {
        timed(|| {
            let blocks = black_box(&mut model).blocks.iter_mut();
            for (block, flat) in blocks.zip(flat.chunks(10_000)) {
                block.as_slice_mut().unwrap().copy_from_slice(flat);
            }
        })
    });
    let tree = best(|| timed(|| layout.unflatten(black_box(&mut model), &flat).unwrap()));
    report("unflatten 10 M f32 in 1,000 leaves", tree, hand);
}

#[inline(never)]
fn there_and_back(model: Arrays, mask: &Mask) -> Arrays {
    let (params, rest) = partition(model, mask).unwrap();
    rest.combine([params]).unwrap()
}

fn halves() {
    let mut model = Some(arrays());
    let mask = Mask::of(model.as_ref().unwrap());
    let time = best(|| {
        let whole = model.take().unwrap();
        timed(|| model = Some(there_and_back(whole, &mask)))
    });
    println!("partition + combine of 1,000 leaves: {time:.1?}");
}

fn report(what: &str, tree: Duration, hand: Duration) {
    let ratio = tree.as_secs_f64() / hand.as_secs_f64();
    println!("{what}: {tree:.1?}, by hand {hand:.1?}, ratio {ratio:.2}");
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match &args[1..] {
        [flag, case, times] if flag == "--count" => count(case, times.parse().unwrap()),
        _ => {
            large();
            halves();
        }
    }
}
