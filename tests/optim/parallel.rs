//! A large leaf is stepped as its parts would be, bit for bit, on however many cores.
//!
//! `cargo test --test optim --features rayon` runs this on all of them.

use ndarray::Array1;
use paramtree::optim::{Builder, Rule};
use paramtree::{Mask, Module};

/// Enough for several halves of halves, and no power of two.
const LEN: usize = 200_003;
/// Of parts that are too small to be shared out.
const PART: usize = 1009;

#[derive(Module)]
struct Whole {
    wide: Array1<f64>,
    narrow: Array1<f32>,
}

#[derive(Module)]
struct Parts {
    wide: Vec<Array1<f64>>,
    narrow: Vec<Array1<f32>>,
}

/// Numbers without order between -1 and 1, from a linear congruence.
#[allow(clippy::cast_possible_truncation)] // some number of `f32` will do
fn whole(seed: u32) -> Whole {
    let mut state = seed;
    let wide = Array1::from_shape_simple_fn(LEN, || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0
    });
    let narrow = wide.mapv(|x| x as f32);
    Whole { wide, narrow }
}

fn parts(whole: &Whole) -> Parts {
    fn cut<T: Copy>(all: &Array1<T>) -> Vec<Array1<T>> {
        let parts = all.as_slice().unwrap().chunks(PART);
        parts.map(|part| part.iter().copied().collect()).collect()
    }
    Parts {
        wide: cut(&whole.wide),
        narrow: cut(&whole.narrow),
    }
}

fn assert_same(whole: &Whole, parts: &Parts) {
    let wide = parts.wide.iter().flatten();
    assert!(
        whole
            .wide
            .iter()
            .zip(wide)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
    let narrow = parts.narrow.iter().flatten();
    assert!(
        whole
            .narrow
            .iter()
            .zip(narrow)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
}

#[test]
fn a_large_leaf_is_its_parts() {
    fn check<R: Rule>(rule: R) {
        let mut model = whole(1);
        let mut split = parts(&model);
        let builder = || Builder::new(rule.clone()).clip_global_norm(1e9);
        let mut one = builder().build(&model, &Mask::of(&model)).unwrap();
        let mut many = builder().build(&split, &Mask::of(&split)).unwrap();
        for seed in 2..5 {
            let gradient = whole(seed);
            one.step(&mut model, &gradient).unwrap();
            many.step(&mut split, &parts(&gradient)).unwrap();
        }
        assert_same(&model, &split);
        assert!(model.wide[0] != whole(1).wide[0]);
    }
    each_rule!(check);
}

#[test]
fn limits_of_each_number_too() {
    let mut model = whole(1);
    let mut split = parts(&model);
    let rule = paramtree::optim::Adam::new(0.1).clip_value(0.25);
    let mut one = rule.clone().build(&model, &Mask::of(&model)).unwrap();
    let mut many = rule.build(&split, &Mask::of(&split)).unwrap();
    let gradient = whole(2);
    one.step(&mut model, &gradient).unwrap();
    many.step(&mut split, &parts(&gradient)).unwrap();
    assert_same(&model, &split);
}
