//! Paths: unique, and selected by patterns of whole segments.

use std::collections::{BTreeMap, HashMap};

use ndarray::{Array1, array};
use paramtree::{Error, Layout, Mask, Module, leaves};

use crate::{frozen, paths, trained};

#[derive(Module)]
struct Keyed {
    t: HashMap<String, HashMap<String, f64>>,
}

fn entry(key: &str, inner: &str, value: f64) -> (String, HashMap<String, f64>) {
    let inner = HashMap::from([(inner.to_owned(), value)]);
    (key.to_owned(), inner)
}

#[test]
fn keys_that_hold_the_separator_keep_their_own_leaf() {
    let mut model = Keyed {
        t: HashMap::from([entry("a", "b.c", 1.0), entry("a.b", "c", 2.0)]),
    };
    let (first, second) = (r#"t.a."b.c""#, r#"t."a.b".c"#);
    assert_eq!(paths(&model), [first, second]);

    for (frozen, trained, left) in [(first, second, 2.0), (second, first, 1.0)] {
        let mut mask = Mask::of(&model);
        mask.freeze(frozen).unwrap();
        assert_eq!(mask.trains(frozen), Ok(false));
        assert_eq!(mask.trains(trained), Ok(true));
        let layout = Layout::new(&model, &mask).unwrap();
        assert_eq!(layout.flatten::<f64>(&model).unwrap(), [left]);
    }
    let mut mask = Mask::of(&model);
    mask.freeze(second).unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    layout.unflatten(&mut model, &[7.0]).unwrap();
    assert_eq!(model.t["a"]["b.c"], 7.0);
    assert_eq!(model.t["a.b"]["c"], 2.0);
}

#[test]
fn every_key_has_a_path_that_selects_it_alone() {
    let keys = [
        "", " ", "*", "**", "a", "a.b", "\"", "\\", "\"a\"", "a\\", "[0]", "a[0]", "0", "é.ö",
        "\n", "\\\"", "a b",
    ];
    let map: BTreeMap<&str, f64> = keys.into_iter().zip((0..).map(f64::from)).collect();
    let mask = Mask::of(&map);
    let mut seen = paths(&map);
    assert_eq!(seen.len(), keys.len());
    for path in &seen {
        let mut mask = mask.clone();
        mask.freeze(path).unwrap();
        assert_eq!(frozen(&mask), [path.as_str()]);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), keys.len());
}

#[test]
fn keys_are_walked_in_their_own_order() {
    let numbers = HashMap::from([(10_u32, 3.0), (2, 2.0), (1, 1.0)]);
    assert_eq!(paths(&numbers), ["1", "2", "10"]);
    let layout = Layout::of(&numbers).unwrap();
    assert_eq!(layout.flatten::<f64>(&numbers).unwrap(), [1.0, 2.0, 3.0]);
}

#[derive(Module)]
struct Lin {
    w: f64,
    b: f64,
}

#[derive(Module)]
struct Deep {
    enc: Vec<Lin>,
    dec: HashMap<String, Vec<Lin>>,
    w: f64,
}

fn deep() -> Deep {
    let lin = || Lin { w: 1.0, b: 2.0 };
    Deep {
        enc: vec![lin(), lin()],
        dec: HashMap::from([("x.y".to_owned(), vec![lin()])]),
        w: 3.0,
    }
}

fn selects(pattern: &str) -> Vec<String> {
    let model = deep();
    let mut mask = Mask::of(&model);
    mask.train_only(pattern).unwrap();
    trained(&mask).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_star_is_one_segment() {
    assert_eq!(selects("enc.*.w"), ["enc.0.w", "enc.1.w"]);
    assert_eq!(selects("*.0.b"), ["enc.0.b"]);
    assert_eq!(selects("*.*.0.b"), [r#"dec."x.y".0.b"#]);
    assert_eq!(selects("enc.*").len(), 4);
    assert_eq!(selects("*").len(), 7);
}

#[test]
fn two_stars_are_any_number_of_segments() {
    let all_w = ["enc.0.w", "enc.1.w", r#"dec."x.y".0.w"#, "w"];
    assert_eq!(selects("**.w"), all_w);
    assert_eq!(selects("enc.**.w"), all_w[..2]);
    assert_eq!(selects("**.0.**.w"), [all_w[0], all_w[2]]);
    assert_eq!(selects("**").len(), 7);
    assert_eq!(selects("w.**"), ["w"]);
}

#[test]
fn a_quoted_key_is_one_segment() {
    let both = [r#"dec."x.y".0.w"#, r#"dec."x.y".0.b"#];
    assert_eq!(selects(r#"dec."x.y""#), both);
    assert_eq!(selects(r#""dec".*.*.b"#), both[1..]);
    let mut mask = Mask::of(&deep());
    assert!(matches!(mask.freeze("dec.x.y"), Err(Error::NoMatch { .. })));
    // In quotes, a star is a star.
    assert!(matches!(mask.freeze("\"*\""), Err(Error::NoMatch { .. })));
}

#[test]
fn what_is_no_pattern_says_so() {
    let model = deep();
    let mut mask = Mask::of(&model);
    for bad in [
        "", "enc.", ".enc", "enc..w", "en*", "enc.\"0", "enc[0", "w\"x\"",
    ] {
        let error = mask.freeze(bad).unwrap_err();
        assert!(
            matches!(&error, Error::Pattern { pattern, .. } if pattern == bad),
            "{bad}: {error}"
        );
    }
    assert_eq!(mask, Mask::of(&model));
}

#[test]
fn variants_and_names_are_segments() {
    #[derive(Module)]
    enum Act {
        Relu,
        Prelu { slope: f64 },
        Poly(Vec<f64>),
        Two(f64, #[frozen] f64, Array1<f64>),
    }
    #[derive(Module)]
    struct Model {
        r#type: Act,
        #[param(rename = "Weight")]
        w: f64,
    }
    let of = |act| {
        paths(&Model {
            r#type: act,
            w: 1.0,
        })
    };
    assert_eq!(of(Act::Relu), ["Weight"]);
    assert_eq!(
        of(Act::Prelu { slope: 0.1 }),
        ["type.Prelu.slope", "Weight"]
    );
    assert_eq!(of(Act::Poly(vec![1.0])), ["type.Poly", "Weight"]);
    let two = Act::Two(1.0, 2.0, array![3.0]);
    let names = ["type.Two.0", "type.Two.1", "type.Two.2", "Weight"];
    assert_eq!(of(two), names);
}

#[test]
fn a_leaf_alone_has_the_empty_path() {
    let mut mask = Mask::of(&1.0_f64);
    assert_eq!(paths(&1.0_f64), [""]);
    assert_eq!(leaves(&1.0_f64)[0].depth(), 0);
    assert_eq!(mask.trains(""), Ok(true));
    mask.freeze("**").unwrap();
    assert_eq!(mask.trains(""), Ok(false));
}
