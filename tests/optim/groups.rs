//! Groups of leaves with rules of their own.

use paramtree::optim::{AdamW, Builder, Optimizer, Sgd};
use paramtree::{By, Error, Leaf, Mask, Module};

use crate::bits;

#[derive(Clone, Debug, Module)]
struct Lin {
    w: f64,
    b: f64,
}

#[derive(Clone, Debug, Module)]
struct Net {
    enc: Lin,
    #[param(tag = "head")]
    dec: Lin,
    #[frozen]
    scale: f64,
}

fn net(x: f64) -> Net {
    Net {
        enc: Lin { w: x, b: x },
        dec: Lin { w: x, b: x },
        scale: x,
    }
}

/// One step from 0 with gradients of -1: the learning rates of enc.w, enc.b, dec.w, dec.b.
fn rates(mut optimizer: Optimizer<Sgd>) -> [f64; 4] {
    let mut model = net(0.0);
    optimizer.step(&mut model, &net(-1.0)).unwrap();
    assert_eq!(model.scale, 0.0);
    [model.enc.w, model.enc.b, model.dec.w, model.dec.b]
}

fn build(builder: Builder<'_, Sgd>) -> Result<Optimizer<Sgd>, Error> {
    let model = net(0.0);
    builder.build(&model, &Mask::of(&model))
}

fn sgd<'g>() -> Builder<'g, Sgd> {
    Sgd::new(1.0).builder()
}

#[test]
fn each_way_to_select() {
    let biases = |leaf: &Leaf| leaf.path().split('.').next_back() == Some("b");
    let model = net(0.0);
    let mut encoder = Mask::of(&model);
    encoder.train_only_at(&model, |net| &net.enc).unwrap();
    let ways = [
        (By::Tag("head"), [1.0, 1.0, 2.0, 2.0]),
        (By::Pattern("*.w"), [2.0, 1.0, 2.0, 1.0]),
        (By::If(&biases), [1.0, 2.0, 1.0, 2.0]),
        (By::Mask(&encoder), [2.0, 2.0, 1.0, 1.0]),
    ];
    for (by, expected) in ways {
        let optimizer = build(sgd().group("fast", by, |rule| rule.lr(2.0))).unwrap();
        for (path, rate) in ["enc.w", "enc.b", "dec.w", "dec.b"].iter().zip(expected) {
            let group = if rate == 2.0 { "fast" } else { "default" };
            assert_eq!(optimizer.group_of(path).unwrap(), group, "{by}");
        }
        assert_eq!(rates(optimizer), expected, "{by}");
    }
}

#[test]
fn several_groups_and_the_rest() {
    let builder = sgd()
        .group("head", By::Tag("head"), |rule| rule.lr(2.0))
        .group("bias", By::Pattern("enc.b"), |rule| rule.lr(4.0));
    assert_eq!(rates(build(builder).unwrap()), [1.0, 4.0, 2.0, 2.0]);
}

#[test]
fn an_overlap_names_the_leaf_and_both_groups() {
    let overlapping = || {
        sgd()
            .group("weights", By::Pattern("*.w"), |rule| rule.lr(0.1))
            .group("encoder", By::Pattern("enc"), |rule| rule.lr(0.01))
    };
    let error = build(overlapping()).unwrap_err();
    let groups = vec!["weights".to_owned(), "encoder".to_owned()];
    let paths = vec![("enc.w".to_owned(), groups)];
    assert_eq!(error, Error::Overlap { paths });
    assert_eq!(
        error.to_string(),
        "in more than one group: `enc.w` (weights and encoder)"
    );
    // Whether the leaf trains at first is no matter: it may be thawed.
    let model = net(0.0);
    let mut mask = Mask::of(&model);
    mask.freeze("enc.w").unwrap();
    assert_eq!(overlapping().build(&model, &mask).unwrap_err(), error);

    let apart = sgd()
        .group("weights", By::Pattern("*.w"), |rule| rule.lr(0.1))
        .group("encoder", By::Pattern("enc.b"), |rule| rule.lr(0.01));
    let optimizer = build(apart).unwrap();
    assert_eq!(optimizer.group_of("dec.b").unwrap(), "default");
    assert_eq!(rates(optimizer), [0.1, 0.01, 0.1, 1.0]);
}

#[test]
fn every_overlap_is_told() {
    let builder = sgd()
        .group("one", By::Pattern("**"), |rule| rule)
        .group("two", By::Tag("head"), |rule| rule)
        .group("three", By::Pattern("*.b"), |rule| rule);
    assert_eq!(
        build(builder).unwrap_err().to_string(),
        "in more than one group: `enc.b` (one and three), `dec.w` (one and two), \
         `dec.b` (one and two and three)"
    );
}

#[test]
fn a_group_of_nothing_is_an_error() {
    let nothing = !&Mask::of(&net(0.0));
    let ways = [
        (
            By::Pattern("enc.ww"),
            "`enc.ww` matches no leaf, the nearest path is `enc.w`",
        ),
        (
            By::Tag("tail"),
            "`tag \"tail\"` matches no leaf: the model has none",
        ),
        (
            By::If(&|_| false),
            "`a predicate` matches no leaf: the model has none",
        ),
        (
            By::Mask(&nothing),
            "`a mask` matches no leaf: the model has none",
        ),
    ];
    for (by, expected) in ways {
        let error = build(sgd().group("g", by, |rule| rule)).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn the_rule_of_a_group_is_made_of_the_default_one() {
    let model = net(1.0);
    let builder = AdamW::new(0.5).weight_decay(0.5).builder();
    let builder = builder.group("head", By::Tag("head"), |rule| {
        rule.betas(0.0, 0.0).eps(1.0)
    });
    let mut optimizer = builder.build(&model, &Mask::of(&model)).unwrap();
    let mut model = model;
    optimizer.step(&mut model, &net(1.0)).unwrap();
    // Decay 0.25 of 1; then lr · 1 / (1 + 1e-8), and lr · 1 / (1 + 1).
    assert!((model.enc.w - (1.0 - 0.25 - 0.5)).abs() < 1e-8);
    assert_eq!(model.dec.w, 1.0 - 0.25 - 0.25);
}

#[test]
fn a_group_alone_can_be_changed() {
    let mut optimizer = build(sgd().group("head", By::Tag("head"), |rule| rule.lr(2.0))).unwrap();
    optimizer
        .configure_group("head", |rule| rule.lr(8.0))
        .unwrap();
    optimizer
        .configure_group("default", |rule| rule.lr(0.5))
        .unwrap();
    assert_eq!(rates(optimizer.clone()), [0.5, 0.5, 8.0, 8.0]);
    let error = optimizer.configure_group("haed", |rule| rule).unwrap_err();
    let expected = "no group is named `haed`, there are `default`, `head`";
    assert_eq!(error.to_string(), expected);
    optimizer.configure(|rule| rule.lr(3.0)).unwrap();
    assert_eq!(rates(optimizer), [3.0; 4]);
}

#[test]
fn a_change_that_makes_no_sense_changes_no_group() {
    let mut optimizer = build(sgd().group("head", By::Tag("head"), |rule| rule.lr(2.0))).unwrap();
    let before = bits(&optimizer);
    // It is right for the first group, not for the second.
    let halve = |rule: Sgd| {
        let momentum = if format!("{rule:?}").contains("lr: 2") {
            2.0
        } else {
            0.5
        };
        rule.lr(7.0).momentum(momentum)
    };
    let error = optimizer.configure(halve).unwrap_err();
    assert_eq!(error.to_string(), "`momentum` is 2, and must be in [0, 1)");
    assert_eq!(bits(&optimizer), before);
    optimizer
        .configure_group("head", |rule| rule.lr(-1.0))
        .unwrap_err();
    assert_eq!(rates(optimizer), [1.0, 1.0, 2.0, 2.0]);
}

#[test]
fn two_groups_of_one_name_are_refused() {
    let twice = sgd().group("fast", By::Pattern("enc"), |rule| rule).group(
        "fast",
        By::Pattern("dec"),
        |rule| rule,
    );
    let told = build(twice).unwrap_err().to_string();
    assert_eq!(told, "two groups are named `fast`");
    let told = build(sgd().group("default", By::Pattern("enc"), |rule| rule)).unwrap_err();
    assert_eq!(told.to_string(), "two groups are named `default`");
}
