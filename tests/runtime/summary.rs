//! The table of what trains, and why not.

use std::collections::BTreeMap;
use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayD, Axis, array};
use paramtree::transform::{Affine, Chain, CholeskyCorr, Interval, Positive, Simplex};
use paramtree::{Frozen, Layout, Leaf, Mask, Module, Summarize, Summary, leaves};

#[derive(Module)]
struct Full {
    weight: Array2<f64>,
    #[param(transform = Positive, tag = "noise")]
    sigma: f32,
    #[frozen]
    table: Array1<f64>,
    #[frozen]
    shared: Arc<Vec<f64>>,
    seen: u64,
    bad: Vec<f64>,
}

fn full() -> Full {
    Full {
        weight: Array2::zeros((2, 3)),
        sigma: 1.0,
        table: Array1::zeros(4),
        shared: Arc::new(vec![1.0]),
        seen: 3,
        bad: vec![1.0, f64::NAN],
    }
}

#[test]
fn every_leaf_has_its_reason() {
    let model = full();
    let mut mask = Mask::of(&model);
    mask.freeze("sigma").unwrap();
    let summary = Summary::of(&model, &mask).unwrap();
    let expected = "\
path    shape   type  trains            transform  tag    elements
weight  [2, 3]  f64   yes               -          -             6
sigma   []      f32   no (mask)         Positive   noise         1
table   [4]     f64   no (declared)     -          -             4
shared  [1]     f64   no (shared)       -          -             1
seen    []      u64   no (not inexact)  -          -             1
bad!    [2]     f64   yes               -          -             2
6 leaves with 15 elements, of which 2 leaves with 8 elements train
! holds a number that is not finite: bad
";
    assert_eq!(summary.to_string(), expected);
    assert_eq!((summary.leaves(), summary.elements()), (6, 15));
    let trained = (summary.trained_leaves(), summary.trained_elements());
    assert_eq!(trained, (2, 8));
}

#[test]
fn without_a_mask_all_trains_that_can() {
    let model = full();
    let of_all = Summary::of(&model, &Mask::of(&model)).unwrap();
    assert_eq!(model.summary(), of_all);
    assert_eq!(of_all.trained_elements(), 9);
    let text = 1.0_f64.summary().to_string();
    assert!(text.ends_with("1 leaf with 1 element, of which 1 leaf with 1 element train\n"));
    let text = ().summary().to_string();
    let none = "0 leaves with 0 elements, of which 0 leaves with 0 elements train\n";
    assert!(text.ends_with(none), "{text}");
}

#[test]
fn numbers_that_are_not_finite_are_marked_wherever_they_stand() {
    #[derive(Module)]
    struct Bad {
        fine: Vec<f64>,
        held: Frozen<f32>,
        columns: Array2<f64>,
        strided: Array1<f32>,
        count: i64,
        #[frozen]
        shared: Arc<f64>,
    }
    let mut columns = Array2::zeros((2, 2)).reversed_axes();
    columns[[1, 0]] = f64::NEG_INFINITY;
    let mut strided = array![0.0, 1.0, f32::NAN];
    strided.invert_axis(Axis(0));
    let model = Bad {
        fine: vec![f64::MAX, -f64::MAX, 0.0, 5e-324],
        held: Frozen::new(f32::INFINITY),
        columns,
        strided,
        count: i64::MAX,
        shared: Arc::new(f64::NAN),
    };
    let summary = model.summary();
    let bad: Vec<_> = summary.non_finite().map(Leaf::path).collect();
    assert_eq!(bad, ["held", "columns", "strided", "shared"]);
    let text = summary.to_string();
    assert!(text.ends_with("! holds a number that is not finite: held and 3 more\n"));
    let first_words = text.lines().filter_map(|line| line.split(' ').next());
    let marked: Vec<_> = first_words
        .filter(|word| word.len() > 1 && word.ends_with('!'))
        .collect();
    assert_eq!(marked, ["held!", "columns!", "strided!", "shared!"]);
}

fn assert_fits(summary: &Summary) {
    for line in summary.to_string().lines() {
        assert!(line.chars().count() <= 100, "{line}");
        assert!(!line.ends_with(' ') && !line.contains('\x1b'), "{line}");
    }
}

#[derive(Module)]
struct Wide {
    #[param(
        transform = Chain(Chain(Positive, Affine::new(1.234_567_8, 2.345_678_9)), Affine::new(-1e-300, 0.1)),
        tag = "a tag that says a great deal more than anybody wants to read in a table of this kind"
    )]
    x: BTreeMap<String, ArrayD<f64>>,
    #[param(transform = Interval::new(-1.234_567_890_123, 4.567_890_123_456))]
    y: f64,
    n: usize,
}

#[test]
fn the_table_fits_a_hundred_columns() {
    let long = "layer.".repeat(30) + "end";
    let shape = [1; 40];
    let model = Wide {
        x: BTreeMap::from([
            (long, ArrayD::from_elem(&shape[..], f64::NAN)),
            ("short".to_owned(), ArrayD::zeros(&[2][..])),
        ]),
        y: 0.0,
        n: usize::MAX,
    };
    let summary = model.summary();
    assert_fits(&summary);
    let text = summary.to_string();
    let rows: Vec<_> = text.lines().collect();
    // The end of a path tells leaves apart; so does the beginning of a transform.
    assert!(
        rows[1].starts_with('…') && rows[1].contains("end\"!"),
        "{text}"
    );
    assert!(rows[1].contains("Chain("), "{text}");
    assert!(
        rows[3].starts_with("y ") && rows[3].contains("Interval"),
        "{text}"
    );
    let mark = "! holds a number that is not finite: …";
    assert!(
        rows[6].starts_with(mark) && rows[6].ends_with("end\""),
        "{text}"
    );
}

#[test]
fn the_note_on_many_leaves_fits_too() {
    let key = |i: u32| format!("{i:0>70}");
    let many: BTreeMap<String, f64> = (0..1_200).map(|i| (key(i), f64::NAN)).collect();
    let summary = many.summary();
    assert!(summary.to_string().ends_with("and 1199 more\n"));
    assert_fits(&summary);
}

#[test]
fn a_row_is_one_line_whatever_the_key() {
    let map = BTreeMap::from([("two\nlines", 1.0), ("a\ttab", 2.0), ("\x1b[31mred", 3.0)]);
    let text = map.summary().to_string();
    // The header, three rows, the totals.
    assert_eq!(text.lines().count(), 5, "{text}");
    assert!(!text.contains(['\x1b', '\t']), "{text}");
}

#[test]
fn coordinates_are_counted_where_they_are_fewer() {
    #[derive(Module)]
    struct Mixture {
        #[param(transform = Simplex)]
        shares: Array2<f64>,
        #[param(transform = CholeskyCorr)]
        factor: Array2<f64>,
        weight: f64,
    }
    let model = Mixture {
        shares: array![[0.5, 0.5], [0.25, 0.75]],
        factor: Array2::eye(3),
        weight: 0.0,
    };
    // 2 rows of 2 - 1, 3 · 2 / 2 below the diagonal, and 1.
    let summary = model.summary();
    assert_eq!(summary.trained_coordinates(), 2 + 3 + 1);
    let last =
        "3 leaves with 14 elements, of which 3 leaves with 14 elements train by 6 coordinates";
    assert!(summary.to_string().trim_end().ends_with(last), "{summary}");
    assert_eq!(Layout::of(&model).unwrap().len(), 6);

    let empty = Mixture {
        factor: Array2::zeros((2, 3)),
        ..model
    };
    let refused = leaves(&empty).remove(1);
    assert_eq!(refused.coordinates(), None);
}
