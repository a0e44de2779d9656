//! Values that are functions of trained parameters.

use std::cell::Cell;

use ndarray::{Array1, Array2, Ix2, array};
use paramtree::transform::{Positive, Softplus};
use paramtree::{
    Constrained, Error, Frozen, Layout, Mask, Module, Parameterization, Reparam, WeightNorm,
    partition,
};

use crate::{bits, paths, trained};

thread_local! {
    static COMPUTED: Cell<u32> = const { Cell::new(0) };
}

/// The square of a number, which counts how often it is taken.
#[derive(Clone, Debug, Default, Module)]
struct Square {
    #[param(transform = Positive)]
    root: f64,
}

impl Parameterization for Square {
    type Value = f64;

    fn value(&self) -> f64 {
        COMPUTED.set(COMPUTED.get() + 1);
        self.root * self.root
    }

    fn pullback(&self, value_bar: &f64) -> Self {
        let root = 2.0 * self.root * value_bar;
        Self { root }
    }
}

#[derive(Clone, Debug, Module)]
struct Model {
    energy: Reparam<Square>,
    shift: f64,
}

fn model() -> Model {
    Model {
        energy: Reparam::new(Square { root: 3.0 }),
        shift: 1.0,
    }
}

#[test]
fn the_value_is_computed_once_per_update() {
    COMPUTED.set(0);
    let mut model = model();
    assert_eq!(COMPUTED.get(), 0, "nobody has read it");
    for _ in 0..3 {
        assert_eq!(*model.energy, 9.0);
    }
    assert_eq!(COMPUTED.get(), 1);

    let layout = Layout::of(&model).unwrap();
    let _: Vec<f64> = layout.flatten(&model).unwrap();
    assert_eq!(*model.energy, 9.0);
    assert_eq!(COMPUTED.get(), 1, "a walk that reads changes nothing");

    layout.unflatten(&mut model, &[0.0, 1.0]).unwrap();
    for _ in 0..3 {
        assert_eq!(*model.energy, 1.0);
    }
    assert_eq!(COMPUTED.get(), 2);

    model.energy.params_mut().root = 5.0;
    assert_eq!(*model.energy, 25.0);
    assert_eq!(model.energy.into_params().root, 5.0);
}

#[test]
fn the_parameters_stand_in_its_place() {
    let model = model();
    assert_eq!(paths(&model), ["energy.root", "shift"]);
    let mut mask = Mask::of(&model);
    mask.freeze_at(&model, |model| &model.energy).unwrap();
    assert_eq!(trained(&mask), ["shift"]);
}

#[test]
fn gradients_go_through_the_map_and_the_transforms_of_its_parameters() {
    let model = model();
    let gradient = Model {
        energy: model.energy.pullback(&10.0),
        shift: 4.0,
    };
    // d energy / d root = 2 · 3, d root / d x = root = 3
    assert_eq!(gradient.energy.params().root, 60.0);
    let layout = Layout::of(&model).unwrap();
    let x = [3.0_f64.ln(), 1.0];
    let mut slopes = [0.0; 2];
    layout
        .pullback_into(&model, &x, &gradient, &mut slopes)
        .unwrap();
    assert!((slopes[0] - 180.0).abs() < 1e-12);
    assert_eq!(slopes[1], 4.0);
}

/// exp of its content, which may itself be computed.
#[derive(Clone, Debug, Module)]
struct Exp<M> {
    of: M,
}

impl<M> Parameterization for Exp<Reparam<M>>
where
    M: Parameterization<Value = f64>,
{
    type Value = f64;

    fn value(&self) -> f64 {
        self.of.exp()
    }

    fn pullback(&self, value_bar: &f64) -> Self {
        let of = self.of.pullback(&(self.of.exp() * value_bar));
        Self { of }
    }
}

#[test]
fn the_innermost_is_resolved_first() {
    // exp(2²) = e⁴, as paramax resolves exp(square(2)); its slope is 2 · 2 · e⁴.
    let root = Square { root: 2.0 };
    let mut nested = Reparam::new(Exp {
        of: Reparam::new(root),
    });
    assert_eq!(*nested, 4.0_f64.exp());
    assert_eq!(paths(&nested), ["of.root"]);
    let slope = nested.pullback(&1.0);
    assert_eq!(slope.params().of.params().root, 2.0 * 2.0 * 4.0_f64.exp());

    let layout = Layout::of(&nested).unwrap();
    layout.unflatten(&mut nested, &[0.0]).unwrap();
    assert_eq!(*nested, 1.0_f64.exp());
}

/// A scale that keeps its coordinate, within a computed value.
#[derive(Clone, Debug, Module)]
struct Scaled {
    scale: Constrained<f64, Softplus>,
    shape: Frozen<Array1<f64>>,
}

impl Parameterization for Scaled {
    type Value = Array1<f64>;

    fn value(&self) -> Array1<f64> {
        &*self.shape * *self.scale
    }

    fn pullback(&self, value_bar: &Array1<f64>) -> Self {
        Self {
            scale: Constrained::unchecked(self.shape.dot(value_bar), Softplus),
            shape: Frozen::new(array![]),
        }
    }
}

#[test]
fn wrappers_nest_in_any_order() {
    let mut scaled = Reparam::new(Scaled {
        scale: Constrained::new(2.0, Softplus).unwrap(),
        shape: Frozen::new(array![1.0, 2.0]),
    });
    assert_eq!(*scaled, array![2.0, 4.0]);
    let layout = Layout::of(&scaled).unwrap();
    layout.unflatten(&mut scaled, &[-800.0]).unwrap();
    assert_eq!(scaled[0].to_bits(), scaled.params().scale.to_bits());
    assert_eq!(layout.flatten::<f64>(&scaled).unwrap(), [-800.0]);
    layout.unflatten(&mut scaled, &[1000.0]).unwrap();
    assert_eq!(*scaled, array![1000.0, 2000.0]);
    let slope = scaled.pullback(&array![1.0, 1.0]);
    assert_eq!(layout.pullback::<f64, _>(&scaled, &slope).unwrap(), [3.0]);

    let frozen = Frozen::new(scaled);
    assert!(Layout::of(&frozen).unwrap().is_empty());
    assert_eq!(**frozen, array![1000.0, 2000.0]);
}

#[test]
fn a_mask_over_it_keeps_its_bits() {
    let mut model = Net {
        weight: WeightNorm::of(array![[0.1, 0.7], [0.3, -0.9]]).unwrap(),
        bias: 1.0,
    };
    let (before, value) = (bits(&model), model.weight.clone());
    let mut mask = Mask::of(&model);
    mask.freeze("weight").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    layout.unflatten(&mut model, &[2.0]).unwrap();
    assert_eq!(bits(&model)[..2], before[..2]);
    assert!(
        model
            .weight
            .iter()
            .zip(value.iter())
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
}

#[derive(Clone, Debug, Module)]
struct Net {
    weight: Reparam<WeightNorm<f64, Ix2>>,
    bias: f64,
}

#[test]
fn partition_takes_the_parameters() {
    let mut net = Net {
        weight: WeightNorm::of(array![[3.0, 4.0]]).unwrap(),
        bias: 0.0,
    };
    let mask = Mask::of(&net);
    let (params, rest) = partition(net, &mask).unwrap();
    assert_eq!(paths(&params), ["weight.direction", "weight.scale", "bias"]);
    net = rest.combine([params]).unwrap();
    assert_eq!(*net.weight, array![[3.0, 4.0]]);
}

#[test]
fn a_weight_keeps_its_value_when_it_is_wrapped() {
    // Lengths that are no whole numbers, and some whose squares would overflow or vanish.
    let weight = array![
        [0.1_f64, -0.7, 1e-3],
        [1e200, 3e200, -2e200],
        [1e-200, 3e-200, -2e-200],
        [0.0, 0.0, -5e-324],
    ];
    let wrapped = WeightNorm::of(weight.clone()).unwrap();
    assert!(
        wrapped
            .iter()
            .zip(&weight)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
    let single = array![[0.1_f32, -0.7, 1e-3]];
    assert_eq!(*WeightNorm::of(single.clone()).unwrap(), single);
}

#[test]
fn a_row_without_length_is_refused_with_its_place() {
    let refusal = WeightNorm::of(array![[1.0, 2.0], [0.0, 0.0]]).unwrap_err();
    assert_eq!(refusal.to_string(), "the norm 0 is not above 0");
    assert_eq!(refusal.index(), Some(2));
    let refusal = WeightNorm::of(array![1.0, f64::NAN]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "NaN is outside the open interval (0, inf)"
    );
    let refusal = WeightNorm::of(array![f64::MAX, f64::MAX]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "inf is outside the open interval (0, inf)"
    );
    let scalar = ndarray::arr0(1.0_f64).into_dyn();
    assert!(WeightNorm::of(scalar).is_err());
}

#[test]
fn the_gradient_of_a_row() {
    // v̂ = [0.6, 0.8]; ḡ = ⟨w̄, v̂⟩ = 2.2; v̄ = 5 (w̄ - v̂ ḡ) / 5 = [-0.32, 0.24]
    let weight = WeightNorm::of(array![[3.0_f64, 4.0]]).unwrap();
    let bar = weight.pullback(&array![[1.0, 2.0]]).into_params();
    assert!((bar.scale[0] - 2.2).abs() < 1e-15);
    assert!((bar.direction[[0, 0]] + 0.32).abs() < 1e-15);
    assert!((bar.direction[[0, 1]] - 0.24).abs() < 1e-15);
}

#[test]
fn a_row_that_became_zero_is_zero_and_not_nan() {
    let mut weight = WeightNorm::of(array![[3.0, 4.0]]).unwrap();
    weight.params_mut().direction.fill(0.0);
    assert_eq!(*weight, Array2::<f64>::zeros((1, 2)));
    let bar = weight.pullback(&array![[1.0, 2.0]]).into_params();
    assert_eq!(bar.direction, Array2::<f64>::zeros((1, 2)));
    assert_eq!(bar.scale, array![0.0]);
}

#[test]
fn a_gradient_of_another_shape_is_refused_by_path() {
    let net = Net {
        weight: WeightNorm::of(array![[3.0, 4.0]]).unwrap(),
        bias: 0.0,
    };
    let gradient = Net {
        weight: net.weight.pullback(&array![[1.0], [2.0]]),
        bias: 0.0,
    };
    let layout = Layout::of(&net).unwrap();
    let error = layout.pullback::<f64, _>(&net, &gradient).unwrap_err();
    assert!(
        matches!(&error, Error::Shape { path, .. } if path == "weight.direction"),
        "{error}"
    );
}
