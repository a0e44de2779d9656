//! The attributes of the derive.

use paramtree::transform::{Interval, Positive};
use paramtree::{Mask, Module, Standing, leaves};

use crate::{NoModule, flat, paths};

#[derive(Module)]
struct Renamed {
    #[param(rename = "weight")]
    w: f64,
    #[param(skip)]
    #[allow(dead_code)]
    weight: NoModule,
    #[param(rename = "a.b")]
    dotted: f64,
    #[param(rename = "θ ä")]
    letters: f64,
}

#[derive(Module)]
struct RenamedTuple(
    #[param(rename = "first")] f64,
    #[param(skip)] NoModule,
    #[param(rename = "1")] f64,
);

#[derive(Module)]
enum RenamedVariants {
    #[param(rename = "B")]
    A(f64),
    #[param(rename = "A")]
    B(#[param(rename = "only")] f64),
}

#[test]
fn a_new_name_stands_in_the_path() {
    let renamed = Renamed {
        w: 1.0,
        weight: NoModule,
        dotted: 2.0,
        letters: 3.0,
    };
    // What would not be one segment is quoted.
    assert_eq!(paths(&renamed), ["weight", r#""a.b""#, r#""θ ä""#]);
    assert_eq!(paths(&RenamedTuple(1.0, NoModule, 2.0)), ["first", "1"]);
    assert_eq!(paths(&RenamedVariants::A(1.0)), ["B"]);
    assert_eq!(paths(&RenamedVariants::B(1.0)), ["A.only"]);
}

#[derive(Module)]
struct Tagged {
    #[param(tag = "outer")]
    inner: Inner,
    #[param(tag = "outer", transform = Positive)]
    scale: f64,
    free: f64,
}

#[derive(Module)]
struct Inner {
    plain: f64,
    #[param(tag = "inner")]
    #[frozen]
    marked: f64,
}

#[test]
fn the_innermost_tag_wins() {
    let tagged = Tagged {
        inner: Inner {
            plain: 1.0,
            marked: 2.0,
        },
        scale: 3.0,
        free: 4.0,
    };
    let leaves = leaves(&tagged);
    let tags: Vec<_> = leaves.iter().map(paramtree::Leaf::tag).collect();
    assert_eq!(tags, [Some("outer"), Some("inner"), Some("outer"), None]);
}

#[derive(Module)]
#[module(transparent)]
struct Wrapper<T> {
    #[param(tag = "wrapped")]
    #[frozen]
    only: T,
    #[param(skip)]
    _skipped: NoModule,
}

#[derive(Module)]
#[module(transparent)]
struct Positively(#[param(transform = Positive)] f64);

#[derive(Module)]
struct Holds {
    wrapper: Wrapper<Vec<Positively>>,
    positive: Option<Positively>,
}

#[test]
fn a_transparent_struct_is_its_field() {
    let holds = Holds {
        wrapper: Wrapper {
            only: vec![Positively(1.0)],
            _skipped: NoModule,
        },
        positive: Some(Positively(1.0)),
    };
    assert_eq!(paths(&holds), ["wrapper.0", "positive"]);
    let leaf = &leaves(&holds)[0];
    assert_eq!(leaf.tag(), Some("wrapped"));
    assert_eq!(leaf.standing(), Standing::Declared);
    // ln 1 = 0.
    assert_eq!(flat(&holds), [0.0]);
}

#[derive(Module)]
struct Orders {
    #[frozen]
    #[param(transform = Positive)]
    a: f64,
    #[param(transform = Positive)]
    #[frozen]
    b: f64,
    #[param(tag = "t")]
    #[param(transform = Interval::new(0, 2))]
    #[param(rename = "d")]
    c: f64,
}

#[test]
fn attributes_stand_in_any_order() {
    let orders = Orders {
        a: 1.0,
        b: 1.0,
        c: 1.0,
    };
    let leaves = leaves(&orders);
    for leaf in &leaves[..2] {
        assert_eq!(leaf.standing(), Standing::Declared);
        assert_eq!(leaf.transform(), Some("Positive"));
    }
    assert_eq!((leaves[2].path(), leaves[2].tag()), ("d", Some("t")));
    // 1 is the middle of (0, 2).
    assert_eq!(flat(&orders), [0.0]);
}

#[derive(Module)]
struct DeclaredFrozen {
    #[frozen]
    tree: Option<Vec<Inner>>,
    w: f64,
}

#[test]
fn frozen_holds_for_all_below() {
    let inner = Inner {
        plain: 1.0,
        marked: 2.0,
    };
    let model = DeclaredFrozen {
        tree: Some(vec![inner]),
        w: 3.0,
    };
    let mut mask = Mask::of(&model);
    mask.thaw_all();
    let trained: Vec<_> = mask.trained().map(paramtree::Leaf::path).collect();
    assert_eq!(trained, ["w"]);
    let error = mask.thaw("tree.0.plain").unwrap_err().to_string();
    assert!(error.starts_with("`tree.0.plain` is declared frozen"));
}

#[test]
fn text_needs_no_attribute() {
    #[derive(Module)]
    struct Named<'n> {
        name: &'n str,
        weight: f64,
    }
    let named = Named {
        name: "n",
        weight: 1.0,
    };
    let listed = paramtree::leaves(&named);
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].path(), named.name), ("weight", "n"));
}
