//! The flat vector: which numbers, in which order, and with the same bits.

use std::collections::{BTreeMap, HashMap};

use ndarray::{ArcArray1, Array1, Array2, ArrayViewMut2, Axis, CowArray, Ix1, Slice, array};
use paramtree::{Frozen, Layout, Mask, Module};

use crate::bits;

#[derive(Module)]
struct Orders {
    w: Array2<f64>,
    s: Array1<f64>,
}

#[test]
fn numbers_stand_in_logical_order_whatever_the_memory_order() {
    let columns: Array2<f64> = array![[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]];
    let mut s = Array1::range(0.0, 6.0, 1.0);
    s.slice_axis_inplace(Axis(0), Slice::new(0, None, 2));
    s.invert_axis(Axis(0));
    let mut model = Orders {
        w: columns.reversed_axes(),
        s,
    };
    let layout = Layout::of(&model).unwrap();
    let flat: Vec<f64> = layout.flatten(&model).unwrap();
    assert_eq!(flat, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 4.0, 2.0, 0.0]);

    let tens: Vec<f64> = (1..=9).map(|i| f64::from(10 * i)).collect();
    layout.unflatten(&mut model, &tens).unwrap();
    assert_eq!(model.w, array![[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]);
    assert_eq!(model.s, array![70.0, 80.0, 90.0]);
    assert_eq!(layout.flatten::<f64>(&model).unwrap(), tens);
    let gradient: Vec<f64> = layout.pullback(&model, &model).unwrap();
    assert_eq!(gradient, tens);
    assert_eq!(layout.names()[4], "w[1, 1]");
    assert_eq!(layout.range("s"), Some(6..9));
}

#[test]
fn the_vector_holds_what_trains_and_nothing_else() {
    #[derive(Module)]
    struct F {
        a: Array1<f64>,
        #[frozen]
        k: Array1<f64>,
        b: f64,
        fixed: Vec<Frozen<f64>>,
        count: i32,
    }
    let mut model = F {
        a: array![1.0, 2.0],
        k: array![3.0, 4.0, 5.0],
        b: 6.0,
        fixed: vec![Frozen::new(7.0)],
        count: 8,
    };
    let layout = Layout::of(&model).unwrap();
    let old: Vec<f64> = layout.flatten(&model).unwrap();
    assert_eq!(old, [1.0, 2.0, 6.0]);
    assert_eq!(layout.names(), ["a[0]", "a[1]", "b"]);

    let mut mask = Mask::of(&model);
    mask.freeze("a").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    assert_eq!((layout.len(), layout.range("a")), (1, None));
    assert_eq!(layout.range("b"), Some(0..1));
    let before = bits(&model);
    let error = layout.unflatten(&mut model, &old).unwrap_err();
    assert!(error.to_string().ends_with("expected 1, got 3"));
    assert_eq!(bits(&model), before);

    mask.freeze_all();
    let layout = Layout::new(&model, &mask).unwrap();
    assert!(layout.is_empty());
    assert!(layout.flatten::<f64>(&model).unwrap().is_empty());
    layout.unflatten::<f64>(&mut model, &[]).unwrap();
    assert_eq!(bits(&model), before);
}

#[derive(Module)]
struct Mixed {
    a: f64,
    b: f32,
    c: Array1<f32>,
    d: Vec<f64>,
}

#[test]
fn precisions_are_cast_to_the_nearest() {
    let mut model = Mixed {
        a: 0.1,
        b: 0.1,
        c: array![0.2, 0.3],
        d: vec![1e300],
    };
    let layout = Layout::of(&model).unwrap();
    let wide: Vec<f64> = layout.flatten(&model).unwrap();
    // f32 to f64 is exact.
    let of = f64::from;
    assert_eq!(wide, [0.1, of(0.1_f32), of(0.2_f32), of(0.3_f32), 1e300]);
    let narrow: Vec<f32> = layout.flatten(&model).unwrap();
    assert_eq!(narrow, [0.1, 0.1, 0.2, 0.3, f32::INFINITY]);

    // 1 + 2⁻²⁵ is less than half a step of f32 above 1.
    let above = 1.0 + 2.0_f64.powi(-25);
    layout.unflatten(&mut model, &[above; 5]).unwrap();
    assert_eq!((model.a, model.b), (above, 1.0));
    assert_eq!((model.c, model.d), (array![1.0, 1.0], vec![above]));
}

#[derive(Module)]
struct Same<T> {
    array: Array1<T>,
    vec: Vec<T>,
    scalar: T,
    columns: Array2<T>,
}

#[test]
fn the_bits_of_a_leaf_without_transform_survive() {
    // Signalling and quiet NaN with a payload, negative zero, infinities, subnormals.
    let wide = [
        0x7ff0_0000_0000_0001_u64,
        0xfff8_0000_dead_beef,
        0x8000_0000_0000_0000,
        0xfff0_0000_0000_0000,
        0x0000_0000_0000_0001,
    ];
    let narrow = [0x7f80_0001_u32, 0xffc0_beef, 0x8000_0000, 0xff80_0000, 1];
    let of_wide = |bits: u64| Same {
        array: Array1::from_elem(2, f64::from_bits(bits)),
        vec: vec![f64::from_bits(bits)],
        scalar: f64::from_bits(bits),
        columns: Array2::from_elem((2, 2), f64::from_bits(bits)).reversed_axes(),
    };
    for pattern in wide {
        let (from, mut to) = (of_wide(pattern), of_wide(0));
        let layout = Layout::of(&from).unwrap();
        let flat: Vec<f64> = layout.flatten(&from).unwrap();
        assert!(flat.iter().all(|x| x.to_bits() == pattern));
        layout.unflatten(&mut to, &flat).unwrap();
        assert_eq!(bits(&to), bits(&from));
    }
    for pattern in narrow {
        let of_narrow = |bits: u32| Same {
            array: Array1::from_elem(2, f32::from_bits(bits)),
            vec: vec![f32::from_bits(bits)],
            scalar: f32::from_bits(bits),
            columns: Array2::from_elem((2, 2), f32::from_bits(bits)).reversed_axes(),
        };
        let (from, mut to) = (of_narrow(pattern), of_narrow(0));
        let layout = Layout::of(&from).unwrap();
        let flat: Vec<f32> = layout.flatten(&from).unwrap();
        assert!(flat.iter().all(|x| x.to_bits() == pattern));
        layout.unflatten(&mut to, &flat).unwrap();
        assert_eq!(bits(&to), bits(&from));
    }
}

#[test]
fn shared_and_borrowed_arrays_are_written_through_their_owner() {
    #[derive(Module)]
    struct Kinds<'k> {
        arc: ArcArray1<f64>,
        cow: CowArray<'k, f64, Ix1>,
        view: ArrayViewMut2<'k, f64>,
        by_mut: &'k mut Vec<f64>,
    }
    let arc = ArcArray1::from(vec![1.0, 2.0]);
    let borrowed = array![3.0];
    let mut backing = array![[4.0, 5.0], [6.0, 7.0]];
    let mut vec = vec![8.0];
    let mut model = Kinds {
        arc: arc.clone(),
        cow: borrowed.view().into(),
        view: backing.view_mut().reversed_axes(),
        by_mut: &mut vec,
    };
    let layout = Layout::of(&model).unwrap();
    let flat: Vec<f64> = layout.flatten(&model).unwrap();
    assert_eq!(flat, [1.0, 2.0, 3.0, 4.0, 6.0, 5.0, 7.0, 8.0]);
    let negated: Vec<f64> = flat.iter().map(|x| -x).collect();
    layout.unflatten(&mut model, &negated).unwrap();
    assert_eq!(layout.flatten::<f64>(&model).unwrap(), negated);
    drop(model);
    assert_eq!(backing, array![[-4.0, -5.0], [-6.0, -7.0]]);
    assert_eq!(vec, [-8.0]);
    // Copies on write: the other handles see nothing.
    assert_eq!((arc[0], borrowed[0]), (1.0, 3.0));
}

#[test]
fn one_layout_serves_every_value_of_the_structure() {
    let of = |x: f64| {
        let inner = BTreeMap::from([(1, vec![x]), (2, vec![x, x])]);
        (inner, Some(x), HashMap::from([("k".to_owned(), x)]))
    };
    let layout = Layout::of(&of(1.0)).unwrap();
    let mut other = of(2.0);
    assert_eq!(layout.flatten::<f64>(&other).unwrap(), [2.0; 5]);
    layout.unflatten(&mut other, &[3.0; 5]).unwrap();
    assert_eq!(other, of(3.0));
}

#[test]
fn a_leaf_that_a_mask_freezes_is_neither_checked_nor_written() {
    let mut model = Mixed {
        a: f64::from_bits(0x7ff0_0000_0000_0001),
        b: 2.0,
        c: array![f32::NAN, -0.0],
        d: vec![1.0],
    };
    let mut mask = Mask::of(&model);
    mask.train_only("b").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    let before = bits(&model);
    layout.unflatten(&mut model, &[5.0]).unwrap();
    assert_eq!(model.b, 5.0);
    let after = bits(&model);
    assert_eq!(
        [&after[0], &after[2], &after[3]],
        [&before[0], &before[2], &before[3]]
    );
}
