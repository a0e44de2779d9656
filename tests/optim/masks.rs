//! Masks of other models.

use std::collections::HashMap;

use paramtree::optim::{AdamW, Sgd};
use paramtree::{Error, Mask, Module};

use crate::{all, bits, refused};

#[derive(Clone, Debug, Module)]
struct Net {
    layers: Vec<f64>,
    heads: HashMap<String, f64>,
}

fn net(layers: usize, head: &str) -> Net {
    Net {
        layers: vec![1.0; layers],
        heads: HashMap::from([(head.to_owned(), 1.0)]),
    }
}

fn other_heads() -> Error {
    Error::Structure {
        missing: Some("heads.x".to_owned()),
        surplus: Some("heads.y".to_owned()),
    }
}

#[test]
fn a_mask_of_another_model_builds_nothing() {
    let mask = Mask::of(&net(2, "x"));
    let other = net(3, "y");
    let error = AdamW::new(0.1).build(&other, &mask).unwrap_err();
    assert_eq!(error, other_heads());
    assert_eq!(
        error.to_string(),
        "the value has another structure than expected: `heads.x` is missing, \
         `heads.y` is surplus"
    );
}

#[test]
fn nor_can_it_be_set() {
    let mut other = net(3, "y");
    let mut optimizer = all(&other, AdamW::new(0.1));
    optimizer.step(&mut other, &net(3, "y")).unwrap();
    let before = bits(&optimizer);
    let mut foreign = Mask::of(&net(2, "x"));
    foreign.freeze("heads.x").unwrap();
    let error = optimizer.set_mask(&foreign).unwrap_err();
    assert_eq!(error, other_heads());
    assert_eq!(bits(&optimizer), before);
    assert!(optimizer.mask().trains("heads.y").unwrap());
}

#[test]
fn a_model_that_has_grown_is_refused() {
    let mut model = net(2, "x");
    let mut optimizer = all(&model, Sgd::new(0.1));
    let mut grown = net(3, "y");
    let error = refused(&mut optimizer, &mut grown, &net(3, "y"));
    assert_eq!(error, other_heads());
    let mut longer = net(3, "x");
    let error = refused(&mut optimizer, &mut longer, &net(3, "x"));
    let expected = Error::Shape {
        path: "layers".to_owned(),
        expected: vec![2],
        got: vec![3],
    };
    assert_eq!(error, expected);
    // A gradient of the model as it was does not help.
    refused(&mut optimizer, &mut longer, &net(2, "x"));
    optimizer.step(&mut model, &net(2, "x")).unwrap();
    assert_eq!(model.layers, [0.9, 0.9]);
}

#[test]
fn a_decay_mask_of_another_model_is_refused() {
    let (model, other) = (net(2, "y"), Mask::of(&net(2, "x")));
    let builder = AdamW::new(0.1).builder().decay_mask(&other);
    let error = builder.build(&model, &Mask::of(&model)).unwrap_err();
    assert_eq!(error, other_heads());
}

#[test]
fn the_errors_of_a_path() {
    let model = net(2, "x");
    let mut optimizer = all(&model, Sgd::new(0.1));
    let text = |error: Error| error.to_string();
    let nearest = "`layer` matches no leaf, the nearest path is `layers`";
    assert_eq!(text(optimizer.count("layer").unwrap_err()), nearest);
    assert_eq!(text(optimizer.group_of("layer").unwrap_err()), nearest);
    assert_eq!(text(optimizer.forget("layer").unwrap_err()), nearest);
    let inside = optimizer.forget("layers.0").unwrap_err();
    assert!(matches!(inside, Error::InsideLeaf { .. }));
}
