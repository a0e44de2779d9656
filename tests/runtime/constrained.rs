//! Leaves that keep their own unconstrained coordinates.

use ndarray::{Array1, Array2, ShapeBuilder, array};
use paramtree::transform::{Interval, Positive, Simplex, Softplus, UnitInterval};
use paramtree::{
    Constrained, Error, Frozen, Layout, Mask, Module, Refusal, leaves, partition, zeros_like,
};

use crate::{bits, paths, trained};

#[derive(Clone, Debug, Module)]
struct Coin {
    heads: Constrained<f64, UnitInterval>,
    shares: Constrained<Array2<f64>, Simplex>,
    weight: f32,
}

fn coin() -> Coin {
    Coin {
        heads: Constrained::new(0.5, UnitInterval).unwrap(),
        shares: Constrained::new(array![[0.5, 0.5], [0.25, 0.75]], Simplex).unwrap(),
        weight: 2.0,
    }
}

#[test]
fn it_stands_in_the_tree_as_a_field_with_a_transform() {
    let coin = coin();
    assert_eq!(paths(&coin), ["heads", "shares", "weight"]);
    let leaves = leaves(&coin);
    assert_eq!(leaves[0].shape(), [0; 0]);
    assert_eq!(leaves[1].shape(), [2, 2]);
    assert_eq!(leaves[1].transform(), Some("Simplex"));
    let names = Layout::of(&coin).unwrap().names();
    assert_eq!(names, ["heads", "shares(0)", "shares(1)", "weight"]);
}

#[test]
fn saturation_loses_nothing() {
    let mut coin = coin();
    let layout = Layout::of(&coin).unwrap();
    let x = [800.0, -900.0, 0.125, 1.0];
    layout.unflatten(&mut coin, &x).unwrap();
    assert!(0.0 < *coin.heads && *coin.heads < 1.0);
    assert_eq!(layout.flatten::<f64>(&coin).unwrap(), x);

    // At a point where the logistic function has no slope left, the pull-back has the exact one:
    // exp(-800) underflows to 0, as it does at the flat vector's own point.
    let mut slope = coin.clone();
    *slope.heads = 1.0;
    slope.weight = 1.0;
    let slopes: Vec<f64> = layout.pullback(&coin, &slope).unwrap();
    assert_eq!((slopes[0], slopes[3]), (0.0, 1.0));
}

#[test]
fn a_wrapped_value_keeps_its_bits() {
    for value in [1e-300, 0.1, 0.7, 1.0 - f64::EPSILON / 2.0] {
        let wrapped = Constrained::new(value, UnitInterval).unwrap();
        assert_eq!(wrapped.to_bits(), value.to_bits());
        assert_eq!(wrapped.into_inner(), value);
    }
}

#[test]
fn a_value_outside_is_refused_at_once() {
    let refusal = Constrained::new(array![0.5, -1.0], Positive).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "-1 is outside the open interval (0, inf)"
    );
    assert_eq!(refusal.index(), Some(1));
}

#[test]
fn a_natural_write_becomes_the_truth() {
    let mut coin = coin();
    let layout = Layout::of(&coin).unwrap();
    layout
        .unflatten(&mut coin, &[800.0, 0.0, 0.0, 1.0])
        .unwrap();
    *coin.heads = 0.5;
    assert_eq!(layout.flatten::<f64>(&coin).unwrap()[0], 0.0);
    assert_eq!(*coin.heads.unconstrained().unwrap(), [0.0]);

    // It is checked as any leaf with a transform is: with its path, and nothing written.
    coin.shares[[1, 0]] = 0.75;
    let mut x = [7.0; 4];
    let error = layout.flatten_into(&coin, &mut x).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`shares[1, 0]`: Simplex refuses it: the sum 1.25 is not 1 within 3.552713678800501e-15"
    );
    assert_eq!(x, [7.0; 4]);
    assert!(coin.shares.unconstrained().is_err());
}

#[test]
fn coordinates_can_be_set_by_hand() {
    let mut shares = Constrained::new(array![0.5, 0.5], Simplex).unwrap();
    shares.set_unconstrained(&[0.0]).unwrap();
    assert_eq!(*shares, array![0.5, 0.5]);
    let refusal = shares.set_unconstrained(&[1.0, 2.0]).unwrap_err();
    assert_eq!(refusal.to_string(), "there are 1 coordinates, not 2");
    let refusal = shares.set_unconstrained(&[f64::NAN]).unwrap_err();
    assert!(matches!(refusal, Refusal::OutOfDomain { index: 0, .. }));
    assert_eq!(*shares.unconstrained().unwrap(), [0.0]);
    assert_eq!(shares.transform(), &Simplex);
}

#[derive(Clone, Debug, Module)]
struct Both {
    outer: Frozen<Constrained<Array1<f64>, Softplus>>,
    inner: Constrained<Frozen<f64>, Interval>,
    free: Constrained<f64, Positive>,
}

fn both() -> Both {
    Both {
        outer: Frozen::new(Constrained::new(array![0.1, 2.0], Softplus).unwrap()),
        inner: Constrained::new(Frozen::new(0.3), Interval::new(0, 1)).unwrap(),
        free: Constrained::new(0.7, Positive).unwrap(),
    }
}

#[test]
fn frozen_outside_or_inside_is_declared_frozen() {
    let mut both = both();
    let mask = Mask::of(&both);
    assert_eq!(trained(&mask), ["free"]);
    let before = bits(&both);
    let layout = Layout::of(&both).unwrap();
    for x in [1.0, -800.0, 800.0] {
        layout.unflatten(&mut both, &[x]).unwrap();
    }
    assert_eq!(bits(&both)[..2], before[..2]);
    assert_eq!(**both.inner, 0.3);
    assert_eq!(leaves(&both)[1].transform(), Some("Interval(0, 1)"));
    for path in ["outer", "inner"] {
        let error = Mask::of(&both).thaw(path).unwrap_err();
        assert!(matches!(error, Error::DeclaredFrozen { .. }), "{error}");
    }
}

#[test]
fn a_mask_over_it_keeps_its_bits() {
    let mut coin = coin();
    *coin.heads = 0.1;
    let before = bits(&coin);
    let mut mask = Mask::of(&coin);
    mask.freeze(["heads", "shares"]).unwrap();
    let layout = Layout::new(&coin, &mask).unwrap();
    for _ in 0..100 {
        let x: Vec<f64> = layout.flatten(&coin).unwrap();
        layout.unflatten(&mut coin, &[x[0] + 1.0]).unwrap();
    }
    assert_eq!(bits(&coin)[..2], before[..2]);
}

#[test]
fn partition_and_combine_keep_the_coordinates() {
    let mut coin = coin();
    let layout = Layout::of(&coin).unwrap();
    let x = [800.0, 0.5, -900.0, 1.0];
    layout.unflatten(&mut coin, &x).unwrap();
    let before = bits(&coin);

    let mask = Mask::of(&coin);
    let (params, rest) = partition(coin, &mask).unwrap();
    assert_eq!(bits(&params), before);
    let coin = rest.combine([params]).unwrap();
    assert_eq!(bits(&coin), before);
    assert_eq!(layout.flatten::<f64>(&coin).unwrap(), x);
}

#[test]
fn parts_of_another_model_replace_the_coordinates() {
    let mut one = coin();
    let layout = Layout::of(&one).unwrap();
    layout.unflatten(&mut one, &[800.0, 0.5, 0.5, 1.0]).unwrap();
    let mut other = coin();
    *other.heads = 0.5;
    let mask = Mask::of(&one);
    let (params, _) = partition(other, &mask).unwrap();
    let (_, rest) = partition(one, &mask).unwrap();
    let one = rest.combine([params]).unwrap();
    assert_eq!(layout.flatten::<f64>(&one).unwrap()[0], 0.0);
}

#[test]
fn zeros_make_a_gradient() {
    let zeros = zeros_like(&coin());
    assert_eq!(*zeros.heads, 0.0);
    assert_eq!(*zeros.shares, Array2::<f64>::zeros((2, 2)));
}

#[test]
fn a_gradient_may_be_written_as_it_is() {
    let coin = coin();
    let gradient = Coin {
        heads: Constrained::unchecked(-8.0, UnitInterval),
        shares: Constrained::unchecked(Array2::zeros((2, 2)), Simplex),
        weight: 0.5,
    };
    let layout = Layout::of(&coin).unwrap();
    let slopes: Vec<f64> = layout.pullback(&coin, &gradient).unwrap();
    assert_eq!(slopes, [-2.0, 0.0, 0.0, 0.5]); // the slope of the logistic function at 0 is 1/4
}

#[test]
fn column_major_arrays_keep_their_order() {
    let columns = Array2::<f64>::from_shape_vec((2, 2).f(), vec![0.5, 0.25, 0.5, 0.75]).unwrap();
    let mut shares = Constrained::new(columns, Simplex).unwrap();
    let x = shares.unconstrained().unwrap().into_owned();
    assert_eq!(x[0], 0.0); // [0.5, 0.5]
    shares.set_unconstrained(&[x[1], x[0]]).unwrap();
    assert!((shares[[0, 1]] - 0.75).abs() < 1e-15);
    assert_eq!(shares[[1, 1]], 0.5);
    assert!(!shares.is_standard_layout());
}

#[test]
fn precisions_mix() {
    #[derive(Module)]
    struct Single {
        scale: Constrained<f32, Positive>,
    }
    let scale = Constrained::new(1.0_f32, Positive).unwrap();
    let mut model = Single { scale };
    let layout = Layout::of(&model).unwrap();
    layout.unflatten(&mut model, &[200.0_f64]).unwrap();
    assert_eq!(*model.scale, f32::MAX);
    assert_eq!(layout.flatten::<f64>(&model).unwrap(), [200.0]);
}
