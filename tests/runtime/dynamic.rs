//! Trait objects as parts of a model.

use std::thread;

use ndarray::{Array1, array};
use paramtree::transform::Positive;
use paramtree::{
    By, DynModule, Layout, Mask, Module, Summarize, dyn_module, partition, partition_by,
};

use crate::{bits, paths, trained};

trait Layer: DynModule {
    fn forward(&self, x: f64) -> f64;

    fn weight(&self) -> &Array1<f64>;
}

dyn_module!(dyn Layer);
dyn_module!(dyn Layer + Send);

macro_rules! layer {
    ($name:ident, |$self:ident, $x:ident| $forward:expr, $(#[$on_weight:meta])?) => {
        #[derive(Debug, Module)]
        struct $name {
            $(#[$on_weight])?
            weight: Array1<f64>,
            bias: f64,
        }

        impl Layer for $name {
            fn forward(&self, $x: f64) -> f64 {
                let $self = self;
                $forward
            }

            fn weight(&self) -> &Array1<f64> {
                &self.weight
            }
        }
    };
}

// All of one shape, with leaves of one name.
layer!(Dense, |layer, x| layer.weight.sum() * x + layer.bias,);
layer!(Shift, |layer, x| x + layer.weight.sum() + layer.bias,);
layer!(Gain, |layer, x| layer.weight.product() * x + layer.bias, #[param(transform = Positive)]);
layer!(Held, |layer, x| layer.weight[0] * x + layer.bias, #[frozen]);

#[derive(Module)]
struct Net {
    layers: Vec<Box<dyn Layer>>,
    #[param(tag = "last")]
    last: Box<dyn Layer + Send>,
}

fn net() -> Net {
    let (weight, bias) = (array![1.0, 2.0], 0.5);
    let layers: Vec<Box<dyn Layer>> = vec![
        Box::new(Dense { weight, bias }),
        Box::new(Gain {
            weight: array![1.0, 1.0],
            bias,
        }),
    ];
    let last = Box::new(Held {
        weight: array![4.0, 4.0],
        bias,
    });
    Net { layers, last }
}

impl Net {
    fn forward(&self, x: f64) -> f64 {
        let x = self.layers.iter().fold(x, |x, layer| layer.forward(x));
        self.last.forward(x)
    }
}

const PATHS: [&str; 6] = [
    "layers.0.weight",
    "layers.0.bias",
    "layers.1.weight",
    "layers.1.bias",
    "last.weight",
    "last.bias",
];

#[test]
fn layers_of_ones_own_trait_are_walked() {
    let mut net = net();
    assert_eq!(paths(&net), PATHS);
    let layout = Layout::of(&net).unwrap();
    // `layers.1.weight` by its logarithm; `last.weight` is declared frozen.
    let x: Vec<f64> = layout.flatten(&net).unwrap();
    assert_eq!(x, [1.0, 2.0, 0.5, 0.0, 0.0, 0.5, 0.5]);
    layout
        .unflatten(&mut net, &[3.0, 4.0, 0.0, 0.0, 0.0, 1.0, 0.25])
        .unwrap();
    // (7 · 2 + 0), then · 1 + 1, then · 4 + 0.25
    assert_eq!(net.forward(2.0), 60.25);
    let summary = net.summary().to_string();
    assert!(summary.contains("Positive") && summary.contains("no (declared)"));
}

#[test]
fn gradients_of_trait_objects_are_pulled_back() {
    let layout = Layout::of(&net()).unwrap();
    let flat: Vec<f64> = layout.pullback(&net(), &net()).unwrap();
    // Where y = exp x = 1, x̄ = ȳ.
    assert_eq!(flat, [1.0, 2.0, 0.5, 1.0, 1.0, 0.5, 0.5]);
    let value: f64 = layout.log_abs_det_jacobian(&net(), &flat).unwrap();
    assert_eq!(value, 2.0); // Σ x over the positive leaf
}

#[test]
fn masks_and_partitions_reach_through_trait_objects() {
    let net = net();
    let mut mask = Mask::of(&net);
    mask.freeze_at(&net, |net| &net.layers[1]).unwrap();
    assert_eq!(trained(&mask), [PATHS[0], PATHS[1], PATHS[5]]);
    mask.freeze_at(&net, |net| &*net.last).unwrap();
    mask.freeze("layers.*.bias").unwrap();
    assert_eq!(trained(&mask), PATHS[..1]);

    let before = bits(&net);
    let address = net.layers[0].weight().as_ptr();
    let Ok((params, rest)) = partition(net, &mask) else {
        panic!("the mask is of this model");
    };
    assert_eq!(paths(&params), PATHS[..1]);
    let Ok(net) = rest.combine([params]) else {
        panic!("all is given back");
    };
    assert_eq!(bits(&net), before);
    assert_eq!(net.layers[0].weight().as_ptr(), address);

    let groups = [By::Tag("last"), By::Pattern("layers")];
    let Ok((parts, _)) = partition_by(net, &mask.thaw_all().clone(), &groups) else {
        panic!("the groups are total and disjoint");
    };
    assert_eq!(paths(&parts[0]), PATHS[5..]);
}

/// Checks that the layout of `net()` refuses a net with another first layer.
fn assert_swap_is_refused(layer: Box<dyn Layer>) {
    let layout = Layout::of(&net()).unwrap();
    let x: Vec<f64> = layout.flatten(&net()).unwrap();
    let mut swapped = net();
    swapped.layers[0] = layer;
    let before = bits(&swapped);
    let doubled: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
    assert!(layout.flatten::<f64>(&swapped).is_err());
    assert!(layout.unflatten(&mut swapped, &doubled).is_err());
    assert!(layout.pullback::<f64, _>(&swapped, &net()).is_err());
    assert!(layout.pullback::<f64, _>(&net(), &swapped).is_err());
    assert_eq!(bits(&swapped), before);
}

#[test]
fn a_layer_that_trains_less_is_refused_by_an_old_layout() {
    let (weight, bias) = (array![1.0, 2.0], 0.5);
    assert_swap_is_refused(Box::new(Held { weight, bias }));
}

#[test]
fn a_layer_with_another_transform_is_refused_by_an_old_layout() {
    let (weight, bias) = (array![1.0, 2.0], 0.5);
    assert_swap_is_refused(Box::new(Gain { weight, bias }));
}

#[test]
fn a_layer_of_another_type_is_as_good_if_its_leaves_are_the_same() {
    // The structure is the leaves: their paths, types, shapes and declarations.
    let layout = Layout::of(&net()).unwrap();
    let mut other = net();
    let (weight, bias) = (array![7.0, 8.0], 9.0);
    other.layers[0] = Box::new(Shift { weight, bias });
    let x: Vec<f64> = layout.flatten(&other).unwrap();
    assert_eq!(x[..3], [7.0, 8.0, 9.0]);
}

#[test]
fn a_layer_of_the_same_type_is_as_good() {
    let layout = Layout::of(&net()).unwrap();
    let mut other = net();
    let (weight, bias) = (array![7.0, 8.0], 9.0);
    other.layers[0] = Box::new(Dense { weight, bias });
    let x: Vec<f64> = layout.flatten(&other).unwrap();
    assert_eq!(x[..3], [7.0, 8.0, 9.0]);
}

#[test]
fn layers_that_can_be_sent_are_trained_on_another_thread() {
    #[derive(Module)]
    struct Sent {
        layers: Vec<Box<dyn Layer + Send>>,
    }
    let (weight, bias) = (array![1.0, 2.0], 0.5);
    let mut sent = Sent {
        layers: vec![Box::new(Dense { weight, bias })],
    };
    let train = move || {
        let layout = Layout::of(&sent).unwrap();
        layout.unflatten(&mut sent, &[1.0, 1.0, 1.0]).unwrap();
        sent.layers[0].forward(3.0)
    };
    assert_eq!(thread::spawn(train).join().unwrap(), 7.0);
}

#[test]
fn a_layer_may_hold_layers() {
    #[derive(Module)]
    struct Stack {
        inner: Vec<Box<dyn Layer>>,
        own: Array1<f64>,
    }
    impl Layer for Stack {
        fn forward(&self, x: f64) -> f64 {
            self.inner.iter().fold(x, |x, layer| layer.forward(x))
        }

        fn weight(&self) -> &Array1<f64> {
            &self.own
        }
    }
    let mut outer = net();
    outer.layers[0] = Box::new(Stack {
        inner: net().layers,
        own: array![1.0],
    });
    assert_eq!(paths(&outer)[3], "layers.0.inner.1.bias");
    assert_eq!(paths(&outer)[4], "layers.0.own");
    // Of the 7 numbers, 3 went with the layer that stood there; two layers of 3 and 1 came.
    assert_eq!(Layout::of(&outer).unwrap().len(), 7 - 3 + 6 + 1);
    assert_eq!(outer.layers[0].forward(0.0), 1.0);
}
