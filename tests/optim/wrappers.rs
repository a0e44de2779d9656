//! Wrapped values, computed values, trait objects and halves of models.

use ndarray::{Array1, Array2, Ix2, array};
use paramtree::optim::{Adam, Rule, Sgd};
use paramtree::transform::{Positive, Simplex, UnitInterval};
use paramtree::{
    Constrained, DynModule, Frozen, Mask, Module, Parameterization, Reparam, WeightNorm,
    dyn_module, partition,
};

use crate::{all, all_but, assert_near, bits};

#[derive(Clone, Debug, Module)]
struct Wrapped {
    rate: Constrained<f32, UnitInterval>,
    shares: Constrained<Array2<f64>, Simplex>,
    held: Frozen<Array1<f64>>,
}

#[test]
fn constrained_values_train() {
    let mut model = Wrapped {
        rate: Constrained::new(0.5, UnitInterval).unwrap(),
        shares: Constrained::new(array![[0.5, 0.25, 0.25]], Simplex).unwrap(),
        held: Frozen::new(array![1.0]),
    };
    let target = array![[0.125, 0.25, 0.625]];
    let mut optimizer = all(&model, Adam::new(0.05));
    for _ in 0..2000 {
        let gradient = Wrapped {
            rate: Constrained::unchecked(*model.rate - 0.875, UnitInterval),
            shares: Constrained::unchecked(&*model.shares - &target, Simplex),
            held: Frozen::new(array![]),
        };
        optimizer.step(&mut model, &gradient).unwrap();
    }
    assert!((*model.rate - 0.875).abs() < 1e-4);
    assert!(
        (&*model.shares - &target)
            .iter()
            .all(|rest| rest.abs() < 1e-4)
    );
    assert_eq!(*model.held, array![1.0]);
    // They keep their coordinates themselves: 2 moments of 1 · 4 and 2 · 8 bytes are all.
    assert!(optimizer.bytes() < 2 * 4 * (4 + 8) + 1);
}

#[test]
fn a_frozen_one_keeps_its_coordinates() {
    fn check<R: Rule>(rule: R) {
        let mut model = Wrapped {
            rate: Constrained::new(0.5, UnitInterval).unwrap(),
            shares: Constrained::new(array![[0.5, 0.5]], Simplex).unwrap(),
            held: Frozen::new(array![1.0]),
        };
        model.shares.set_unconstrained(&[900.0]).unwrap();
        let before = bits(&model);
        let mut optimizer = all_but(&model, "shares", rule);
        let mut gradient = model.clone();
        gradient.shares[[0, 0]] = f64::NAN;
        optimizer.step(&mut model, &gradient).unwrap();
        assert!(*model.rate < 0.5);
        assert_eq!(bits(&model)[1..], before[1..]);
        assert_eq!(*model.shares.unconstrained().unwrap(), [900.0]);
    }
    each_rule!(check);
}

/// The square of a number.
#[derive(Clone, Debug, Module)]
struct Square {
    #[param(transform = Positive)]
    root: f64,
}

impl Parameterization for Square {
    type Value = f64;

    fn value(&self) -> f64 {
        self.root * self.root
    }

    fn pullback(&self, value_bar: &f64) -> Self {
        let root = 2.0 * self.root * value_bar;
        Self { root }
    }
}

#[derive(Clone, Debug, Module)]
struct Computed {
    energy: Reparam<Square>,
    weight: Reparam<WeightNorm<f64, Ix2>>,
}

#[test]
fn computed_values_train_through_their_parameters() {
    let mut model = Computed {
        energy: Reparam::new(Square { root: 2.0 }),
        weight: WeightNorm::of(array![[3.0, 4.0], [0.0, 2.0]]).unwrap(),
    };
    let gradient = Computed {
        energy: model.energy.pullback(&1.0),
        weight: model.weight.pullback(&Array2::zeros((2, 2))),
    };
    let mut optimizer = all(&model, Sgd::new(0.125));
    assert_eq!(*model.energy, 4.0);
    optimizer.step(&mut model, &gradient).unwrap();
    // By the coordinate x = ln root, the slope of e^2x is 2 · 4: x = ln 2 - 1, and 4 / e².
    assert_near(*model.energy, 4.0 * (-2.0_f64).exp(), 1e-14);

    let target = array![[1.0, 2.0], [-2.0, 1.0]];
    let mut optimizer = all(&model, Adam::new(0.02));
    for _ in 0..3000 {
        let gradient = Computed {
            energy: model.energy.pullback(&(*model.energy - 9.0)),
            weight: model.weight.pullback(&(&*model.weight - &target)),
        };
        optimizer.step(&mut model, &gradient).unwrap();
    }
    assert_near(*model.energy, 9.0, 1e-4);
    assert!(
        (&*model.weight - &target)
            .iter()
            .all(|rest| rest.abs() < 1e-3)
    );
}

#[test]
fn the_norm_alone_may_train() {
    let weight = WeightNorm::of(array![[3.0, 4.0]]).unwrap();
    let mut optimizer = all_but(&weight, "direction", Sgd::new(1.0));
    let mut model = weight.clone();
    // ḡ = ⟨w̄, v⟩ / |v| = (1 · 3 + 0 · 4) / 5
    let gradient = weight.pullback(&array![[1.0, 0.0]]);
    optimizer.step(&mut model, &gradient).unwrap();
    assert_eq!(model.params().direction, array![[3.0, 4.0]]);
    assert_near(model.params().scale[0], 5.0 - 0.6, 1e-15);
    assert_near(model[[0, 0]], 4.4 * 0.6, 1e-15);
}

trait Layer: DynModule {
    fn weight(&self) -> &[f64];
}

dyn_module!(dyn Layer);

#[derive(Debug, Module)]
struct Plain {
    weight: Vec<f64>,
}

#[derive(Debug, Module)]
struct Gain {
    #[param(transform = Positive)]
    weight: Vec<f64>,
}

#[derive(Debug, Module)]
struct Held {
    #[frozen]
    weight: Vec<f64>,
}

macro_rules! layers {
    ($($layer:ident),*) => {$(
        impl Layer for $layer {
            fn weight(&self) -> &[f64] {
                &self.weight
            }
        }
    )*};
}

layers!(Plain, Gain, Held);

#[derive(Module)]
struct Stack {
    layers: Vec<Box<dyn Layer>>,
}

fn stack(x: f64) -> Stack {
    let weight = vec![x];
    let layers: Vec<Box<dyn Layer>> = vec![
        Box::new(Plain {
            weight: weight.clone(),
        }),
        Box::new(Gain {
            weight: weight.clone(),
        }),
        Box::new(Held { weight }),
    ];
    Stack { layers }
}

#[test]
fn trait_objects_train() {
    let mut model = stack(2.0);
    let mut optimizer = all(&model, Sgd::new(0.25));
    optimizer.step(&mut model, &stack(2.0)).unwrap();
    let weights = model.layers.iter().map(|layer| layer.weight()[0]);
    let weights: Vec<f64> = weights.collect();
    // 2 - 0.25 · 2; e to the power of ln 2 - 0.25 · 2 · 2; and as it was.
    assert_eq!((weights[0], weights[2]), (1.5, 2.0));
    assert_near(weights[1], 2.0 * (-1.0_f64).exp(), 1e-15);

    // A gradient of layers in another order is none.
    let mut other = stack(2.0);
    other.layers.swap(0, 2);
    crate::refused(&mut optimizer, &mut model, &other);

    let mut optimizer = all_but(&model, "layers.0", Adam::new(0.1));
    optimizer.step(&mut model, &stack(1.0)).unwrap();
    assert_eq!(model.layers[0].weight(), [1.5]);
    assert_eq!(optimizer.count("layers.1.weight").unwrap(), 1);
}

#[derive(Clone, Debug, Module)]
struct Halves {
    encoder: Array1<f64>,
    head: f64,
}

#[test]
fn a_part_that_was_taken_out_trains_by_itself() {
    let model = Halves {
        encoder: array![1.0, 2.0],
        head: 3.0,
    };
    let mut mask = Mask::of(&model);
    mask.freeze("encoder").unwrap();
    let gradient = model.clone();
    let (mut params, rest) = partition(model, &mask).unwrap();
    let (slopes, _) = partition(gradient, &mask).unwrap();
    let mut optimizer = all(&params, Sgd::new(0.5));
    optimizer.step(&mut params, &slopes).unwrap();
    let model = rest.combine([params]).unwrap();
    assert_eq!((model.encoder, model.head), (array![1.0, 2.0], 1.5));
}
