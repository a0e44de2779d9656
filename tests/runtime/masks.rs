//! Which leaves train: by name, by predicate, by combination.

use std::collections::HashMap;
use std::sync::Arc;

use ndarray::{Array1, Array2, array};
use paramtree::{Dtype, Error, Frozen, Layout, Mask, Module, Summary, leaves, partition};

use crate::{bits, frozen, trained};

#[derive(Module)]
struct Lin {
    w: f64,
    b: f64,
}

fn lin() -> Lin {
    Lin { w: 1.0, b: 2.0 }
}

#[derive(Module)]
struct Pair {
    enc: Lin,
    dec: Lin,
}

fn pair() -> Pair {
    Pair {
        enc: lin(),
        dec: lin(),
    }
}

#[test]
fn a_prefix_is_a_path_not_a_string() {
    #[derive(Module)]
    struct Net {
        layer1: Lin,
        layer10: Lin,
        out: Lin,
        output_scale: f64,
    }
    let net = Net {
        layer1: lin(),
        layer10: lin(),
        out: lin(),
        output_scale: 1.0,
    };
    let mut mask = Mask::of(&net);
    mask.freeze("layer1").unwrap();
    assert_eq!(frozen(&mask), ["layer1.w", "layer1.b"]);
    let mut mask = Mask::of(&net);
    mask.freeze("out").unwrap();
    assert_eq!(frozen(&mask), ["out.w", "out.b"]);
}

#[test]
fn a_name_that_matches_nothing_leaves_the_mask_as_it_was() {
    for patterns in [["encodr.w", "dec.w"], ["dec.w", "encodr.w"]] {
        let mut mask = Mask::of(&pair());
        mask.freeze("enc.b").unwrap();
        let before = mask.clone();
        let no_match = Error::NoMatch {
            pattern: "encodr.w".into(),
            nearest: Some("enc.w".into()), // three deletions; no path is nearer
        };
        assert_eq!(mask.freeze(patterns).unwrap_err(), no_match);
        assert_eq!(mask.thaw(patterns).unwrap_err(), no_match);
        assert_eq!(mask.train_only(patterns).unwrap_err(), no_match);
        assert_eq!(mask, before);
        assert_eq!(frozen(&mask), ["enc.b"]);
    }
}

#[test]
fn thawing_everything_leaves_what_is_declared_frozen() {
    #[derive(Module)]
    struct S {
        w: f64,
        #[frozen]
        stats: f64,
    }
    let mut mask = Mask::of(&S { w: 1.0, stats: 2.0 });
    mask.freeze("w").unwrap().thaw_all();
    assert_eq!(trained(&mask), ["w"]);

    let error = mask.thaw("stats").unwrap_err();
    let path = "stats".to_owned();
    assert_eq!(error, Error::DeclaredFrozen { path });
    assert!(error.to_string().contains("`stats` is declared frozen"));
    assert!(mask.train_only(["w", "stats"]).is_err());
    assert_eq!(trained(&mask), ["w"]);

    // A subtree with something to thaw in it is no error: the rest stays frozen.
    mask.freeze_all().thaw("**").unwrap();
    assert_eq!(trained(&mask), ["w"]);
}

#[test]
fn what_cannot_train_says_why() {
    #[derive(Module)]
    struct S {
        count: u32,
        #[frozen]
        table: Arc<Vec<f64>>,
        fixed: Frozen<f32>,
        w: f64,
    }
    let s = S {
        count: 1,
        table: Arc::new(vec![1.0]),
        fixed: Frozen::new(1.0),
        w: 1.0,
    };
    let mut mask = Mask::of(&s);
    assert_eq!(trained(&mask), ["w"]);
    let refusals = [
        Error::NotInexact {
            path: "count".into(),
            dtype: Dtype::U32,
        },
        Error::SharedStorage {
            path: "table".into(),
        },
        Error::DeclaredFrozen {
            path: "fixed".into(),
        },
    ];
    for (name, refusal) in ["count", "table", "fixed"].into_iter().zip(refusals) {
        assert_eq!(mask.thaw(name).unwrap_err(), refusal);
        assert_eq!(mask.train_only(name).unwrap_err(), refusal);
    }
    mask.thaw_if(|_| true).thaw_all();
    assert_eq!(trained(&mask), ["w"]);
    // Freezing what does not train anyway is no error.
    mask.freeze(["count", "table", "fixed"]).unwrap();
    assert_eq!(trained(&mask), ["w"]);
}

#[derive(Debug, PartialEq, Module)]
struct Net {
    layers: Vec<f64>,
    heads: HashMap<String, f64>,
}

fn net(layers: &[f64], head: &str) -> Net {
    Net {
        layers: layers.to_vec(),
        heads: HashMap::from([(head.to_owned(), 5.0)]),
    }
}

#[test]
fn a_mask_of_another_structure_is_refused_by_all_that_take_one() {
    let mut mask = Mask::of(&net(&[1.0, 2.0], "x"));
    mask.freeze("layers").unwrap();
    let other = net(&[1.0, 2.0, 3.0], "y");
    let before = bits(&other);
    let error = Error::Structure {
        missing: Some("heads.x".into()),
        surplus: Some("heads.y".into()),
    };
    let text = error.to_string();
    assert!(text.ends_with("`heads.x` is missing, `heads.y` is surplus"));

    assert_eq!(mask.check(&other).unwrap_err(), error);
    assert_eq!(Layout::new(&other, &mask).unwrap_err(), error);
    assert_eq!(Summary::of(&other, &mask).unwrap_err(), error);
    let at = mask.clone().freeze_at(&other, |net| &net.layers).err();
    assert_eq!(at, Some(error.clone()));
    let rejected = partition(other, &mask).unwrap_err();
    assert_eq!(rejected.error, error);
    assert_eq!(bits(&rejected.value), before);
}

#[test]
fn a_mask_is_about_leaves_not_shapes() {
    let mut mask = Mask::of(&net(&[1.0, 2.0], "x"));
    mask.freeze("heads").unwrap();
    let longer = net(&[1.0, 2.0, 3.0], "x");
    let flat: Vec<f64> = Layout::new(&longer, &mask)
        .unwrap()
        .flatten(&longer)
        .unwrap();
    assert_eq!(flat, [1.0, 2.0, 3.0]);
}

#[test]
fn a_mask_never_trains_what_another_type_declares_frozen() {
    #[derive(Module)]
    struct Open<P> {
        w: P,
        v: Array1<f64>,
    }
    let open = Open {
        w: 1.0,
        v: array![2.0, 3.0],
    };
    let held = Open {
        w: Frozen::new(1.0),
        v: array![2.0, 3.0],
    };
    let mask = Mask::of(&open);
    // Refused, or obeyed but for what is declared: never anything else.
    if let Ok(layout) = Layout::new(&held, &mask) {
        let names: Vec<_> = layout.names();
        assert_eq!(names, ["v[0]", "v[1]"]);
        assert_eq!(layout.range("v"), Some(0..2));
    }
    if let Ok(summary) = Summary::of(&held, &mask) {
        assert_eq!(summary.trained_leaves(), 1);
    }
    if let Ok((params, _)) = partition(held, &mask) {
        let held: Vec<_> = params.leaves().map(paramtree::Leaf::path).collect();
        assert_eq!(held, ["v"]);
        assert_eq!(crate::paths(&params), ["v"]);
    }
}

#[test]
fn masks_go_by_leaf() {
    #[derive(Module)]
    struct M {
        w: Array1<f64>,
    }
    let mut mask = Mask::of(&M {
        w: array![1.0, 2.0],
    });
    for pattern in ["w.0", "w[0]", "w[0, 1]"] {
        let error = mask.freeze(pattern).unwrap_err();
        let (pattern, path) = (pattern.to_owned(), "w".to_owned());
        assert_eq!(error, Error::InsideLeaf { pattern, path });
        assert!(error.to_string().contains("masks go by leaf"));
        assert_eq!(trained(&mask), ["w"]);
    }
}

#[test]
fn predicates_see_what_a_leaf_is() {
    #[derive(Module)]
    struct Kernel {
        #[param(tag = "scale")]
        ls: f64,
        var: f32,
    }
    #[derive(Module)]
    struct M {
        kernel: Kernel,
        w: Array2<f64>,
        #[param(tag = "head")]
        head: Kernel,
        n: u8,
    }
    let kernel = || Kernel { ls: 1.0, var: 2.0 };
    let m = M {
        kernel: kernel(),
        w: Array2::zeros((2, 3)),
        head: kernel(),
        n: 1,
    };
    let mut mask = Mask::of(&m);
    mask.freeze_if(|leaf| leaf.dtype() == Dtype::F32);
    assert_eq!(trained(&mask), ["kernel.ls", "w", "head.ls"]);
    mask.thaw_all().freeze_if(|leaf| leaf.shape().len() == 2);
    assert_eq!(frozen(&mask), ["w", "n"]);
    mask.thaw_all().freeze_if(|leaf| leaf.depth() == 1);
    assert_eq!(frozen(&mask), ["w", "n"]);
    // The innermost tag wins: `head.ls` is in "scale".
    mask.freeze_all().thaw_if(|leaf| leaf.tag() == Some("head"));
    assert_eq!(trained(&mask), ["head.var"]);
    mask.freeze_all()
        .thaw_if(|leaf| leaf.path().ends_with("ls"));
    assert_eq!(trained(&mask), ["kernel.ls", "head.ls"]);
    mask.thaw_all().freeze_if(|leaf| leaf.elements() > 6);
    assert_eq!(frozen(&mask), ["n"]);
    assert_eq!(leaves(&m)[2].elements(), 6);
}

#[test]
fn masks_combine_leaf_by_leaf() {
    #[derive(Module)]
    struct Four {
        a: f64,
        b: f64,
        c: f64,
        d: f64,
        #[frozen]
        k: f64,
    }
    let model = Four {
        a: 0.0,
        b: 0.0,
        c: 0.0,
        d: 0.0,
        k: 0.0,
    };
    let (mut left, mut right) = (Mask::of(&model), Mask::of(&model));
    left.train_only(["a", "b"]).unwrap();
    right.train_only(["a", "c"]).unwrap();
    assert_eq!(trained(&(&left & &right).unwrap()), ["a"]);
    assert_eq!(trained(&(&left | &right).unwrap()), ["a", "b", "c"]);
    // What could train and does not: the declared leaf cannot.
    assert_eq!(trained(&!&left), ["c", "d"]);
    assert_eq!(!&!&left, left);
    assert_ne!(left, right);

    let other = Mask::of(&pair());
    let error = Error::Structure {
        missing: Some("a".into()),
        surplus: Some("enc.w".into()),
    };
    assert_eq!((&left & &other).unwrap_err(), error);
    assert_eq!((&left | &other).unwrap_err(), error);
    assert_ne!(left, other);
}

#[test]
fn patterns_come_one_by_one_or_many_at_once() {
    let names = vec![String::from("enc.w"), String::from("dec.w")];
    let mut mask = Mask::of(&pair());
    mask.freeze(&names).unwrap();
    assert_eq!(trained(&mask), ["enc.b", "dec.b"]);
    mask.thaw(&names[..1]).unwrap();
    assert_eq!(trained(&mask), ["enc.w", "enc.b", "dec.b"]);
    mask.train_only(names[1].as_str()).unwrap();
    assert_eq!(trained(&mask), ["dec.w"]);
    mask.train_only([] as [&str; 0]).unwrap();
    assert!(trained(&mask).is_empty());
}

#[test]
fn a_mask_tells_of_a_path_whether_it_trains() {
    let mut mask = Mask::of(&pair());
    mask.freeze("enc.w").unwrap();
    assert_eq!(mask.trains("enc.w"), Ok(false));
    assert_eq!(mask.trains("enc.b"), Ok(true));
    for (path, nearest) in [("enc", "enc"), ("dec.bb", "dec.b")] {
        let error = Error::NoMatch {
            pattern: path.into(),
            nearest: Some(nearest.into()),
        };
        assert_eq!(mask.trains(path), Err(error));
    }
}
