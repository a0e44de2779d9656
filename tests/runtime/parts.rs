//! Freezing the part of a model that a closure returns.

use std::collections::BTreeMap;

use ndarray::{Array1, array};
use paramtree::{Error, Frozen, Mask, Module};

use crate::{frozen, trained};

#[derive(Clone, Module)]
struct Dense {
    weight: Array1<f64>,
    bias: f64,
}

#[derive(Clone, Module)]
enum Act {
    Relu,
    Prelu { slope: f64 },
}

#[derive(Clone, Module)]
struct Encoder {
    layers: Vec<Dense>,
    act: Act,
}

#[derive(Clone, Module)]
struct Net {
    encoder: Encoder,
    head: Option<Box<Dense>>,
    heads: BTreeMap<u8, f64>,
    mix: Vec<f64>,
    name: String,
    empty: Vec<Dense>,
    #[frozen]
    period: f64,
    fixed: Frozen<f64>,
}

fn net() -> Net {
    let dense = || Dense {
        weight: array![1.0],
        bias: 2.0,
    };
    Net {
        encoder: Encoder {
            layers: vec![dense(), dense(), dense()],
            act: Act::Prelu { slope: 0.1 },
        },
        head: Some(Box::new(dense())),
        heads: BTreeMap::from([(1, 1.0), (2, 2.0)]),
        mix: vec![1.0, 2.0],
        name: "net".into(),
        empty: Vec::new(),
        period: 1.0,
        fixed: Frozen::new(1.0),
    }
}

/// What `freeze_at` freezes beside what is declared frozen.
fn at<P: Module + ?Sized>(part: impl FnOnce(&Net) -> &P) -> Vec<String> {
    let net = net();
    let mut mask = Mask::of(&net);
    mask.freeze_at(&net, part).unwrap();
    let mut paths: Vec<_> = frozen(&mask).into_iter().map(str::to_owned).collect();
    let declared = paths.split_off(paths.len() - 2);
    assert_eq!(declared, ["period", "fixed"]);
    paths
}

#[test]
fn the_part_is_found_by_address() {
    let layer1 = ["encoder.layers.1.weight", "encoder.layers.1.bias"];
    assert_eq!(at(|net| &net.encoder.layers[1]), layer1);
    assert_eq!(at(|net| &net.encoder.layers[1].bias), layer1[1..]);
    assert_eq!(at(|net| &net.encoder.layers[1].weight), layer1[..1]);
    assert_eq!(at(|net| &net.heads[&2]), ["heads.2"]);
    assert_eq!(at(|net| &net.heads), ["heads.1", "heads.2"]);
    assert_eq!(at(|net| &net.mix), ["mix"]);
    assert_eq!(at(|net| &net.encoder.act), ["encoder.act.Prelu.slope"]);
    assert_eq!(
        at(|net| net.head.as_deref().unwrap()),
        ["head.weight", "head.bias"]
    );
    assert_eq!(at(|net| &net.encoder).len(), 7);
    assert_eq!(at(|net| net).len(), 12);
}

#[test]
fn a_slice_of_modules_is_a_part() {
    let last_two = [
        "encoder.layers.1.weight",
        "encoder.layers.1.bias",
        "encoder.layers.2.weight",
        "encoder.layers.2.bias",
    ];
    assert_eq!(at(|net| &net.encoder.layers[1..]), last_two);
}

#[test]
fn what_is_no_part_is_refused() {
    let net = net();
    // The closure's type leaves only what lives for ever.
    let other: &'static Net = Box::leak(Box::new(net.clone()));
    let mut mask = Mask::of(&net);
    mask.freeze("mix").unwrap();
    let before = mask.clone();
    let constant: &'static f64 = &1.0;
    let errors = [
        mask.freeze_at(&net, |_| &other.encoder).err(),
        mask.freeze_at(&net, |_| &other.mix).err(),
        mask.thaw_at(&net, |_| &other.mix).err(),
        mask.freeze_at(&net, |_| constant).err(),
        // Masks go by leaf, and this is but an element of one.
        mask.freeze_at(&net, |net| &net.mix[0]).err(),
        mask.freeze_at(&net, |net| &net.mix[1..]).err(),
    ];
    assert!(
        errors
            .into_iter()
            .all(|error| error == Some(Error::NotAPart))
    );
    assert_eq!(mask, before);
}

#[test]
fn a_part_without_a_leaf_is_refused() {
    let mut net = net();
    net.encoder.act = Act::Relu;
    let mut mask = Mask::of(&net);
    let before = mask.clone();
    let errors = [
        mask.freeze_at(&net, |net| &net.name).err(),
        mask.freeze_at(&net, |net| &net.empty).err(),
        mask.freeze_at(&net, |net| &net.encoder.act).err(),
        mask.thaw_at(&net, |net| &net.encoder.layers[..0]).err(),
    ];
    assert!(
        errors
            .into_iter()
            .all(|error| error == Some(Error::NotAPart))
    );
    assert_eq!(mask, before);
}

#[test]
fn a_model_of_another_structure_is_refused() {
    let net = net();
    let mut other = net.clone();
    other.encoder.layers.pop();
    let mut mask = Mask::of(&net);
    let error = Error::Structure {
        missing: Some("encoder.layers.2.weight".into()),
        surplus: None,
    };
    let got = mask.freeze_at(&other, |other| &other.mix).unwrap_err();
    assert_eq!(got, error);
    assert_eq!(mask, Mask::of(&net));
}

#[test]
fn a_part_is_thawed_but_for_what_is_declared() {
    let net = net();
    let mut mask = Mask::of(&net);
    mask.freeze_all();
    mask.thaw_at(&net, |net| &net.encoder.layers[0]).unwrap();
    let layer0 = ["encoder.layers.0.weight", "encoder.layers.0.bias"];
    assert_eq!(trained(&mask), layer0);

    let path = "fixed".to_owned();
    let error = mask.thaw_at(&net, |net| &net.fixed).unwrap_err();
    assert_eq!(error, Error::DeclaredFrozen { path });
    let path = "period".to_owned();
    let error = mask.thaw_at(&net, |net| &net.period).unwrap_err();
    assert_eq!(error, Error::DeclaredFrozen { path });
    assert_eq!(trained(&mask), layer0);
    mask.thaw_at(&net, |net| net).unwrap();
    assert_eq!(mask, Mask::of(&net));
}

#[test]
fn leaves_without_elements_are_never_taken_for_each_other() {
    #[derive(Module)]
    struct Empty {
        a: Vec<f64>,
        b: Vec<f64>,
        c: Array1<f64>,
        d: Array1<f64>,
    }
    let model = Empty {
        a: Vec::new(),
        b: Vec::new(),
        c: array![],
        d: array![],
    };
    let mut mask = Mask::of(&model);
    mask.freeze_at(&model, |model| &model.d).unwrap();
    assert_eq!(frozen(&mask), ["d"]);
    // Empty vectors have no address of their own: either is found, or none.
    let found = mask.freeze_at(&model, |model| &model.b).is_ok();
    assert_eq!(frozen(&mask), if found { &["b", "d"][..] } else { &["d"] });
}
