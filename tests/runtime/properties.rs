//! What holds for every tree.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ndarray::{Array1, Array2};
use paramtree::transform::Positive;
use paramtree::{Frozen, Layout, Mask, Module, partition};
use proptest::collection::{btree_map, hash_map, vec};
use proptest::prelude::*;

use crate::{bits, paths};

#[derive(Clone, Debug, Module)]
enum Tree {
    Nothing,
    Wide(f64),
    Narrow {
        x: f32,
    },
    Rows(Array2<f64>),
    Columns(Array2<f32>),
    Singles(Vec<f32>),
    Count(i64, Vec<bool>),
    Held(#[frozen] Array1<f64>, Frozen<f32>),
    Domain {
        #[frozen]
        #[param(transform = Positive)]
        scale: f64,
    },
    Maybe(Option<Box<Tree>>),
    Many(Vec<Tree>),
    Named(BTreeMap<String, Tree>),
    Hashed(HashMap<u8, Tree>),
    Half {
        open: Box<Tree>,
        #[frozen]
        held: Box<Tree>,
    },
}

fn wide() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits)
}

/// Any but NaN, whose payload may change on its way through `f64`.
fn narrow() -> impl Strategy<Value = f32> {
    let all = any::<u32>().prop_map(f32::from_bits);
    all.prop_map(|x| if x.is_nan() { -0.0 } else { x })
}

/// A matrix of up to 3 by 3, its columns one behind another in memory.
fn columns<T: Clone + std::fmt::Debug>(
    number: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Array2<T>> {
    (0..=3_usize, 0..=3_usize)
        .prop_flat_map(move |(rows, columns)| {
            (vec(number.clone(), rows * columns), Just((columns, rows)))
        })
        .prop_map(|(data, shape)| Array2::from_shape_vec(shape, data).unwrap().reversed_axes())
}

fn numbers() -> impl Strategy<Value = Tree> {
    let wide = || any::<u64>().prop_map(f64::from_bits as fn(u64) -> f64);
    prop_oneof![
        Just(Tree::Nothing),
        wide().prop_map(Tree::Wide),
        narrow().prop_map(|x| Tree::Narrow { x }),
        columns(wide()).prop_map(|array| Tree::Rows(array.as_standard_layout().into_owned())),
        columns(any::<i16>().prop_map(f32::from)).prop_map(Tree::Columns),
        vec(narrow(), 0..4).prop_map(Tree::Singles),
        any::<(i64, Vec<bool>)>().prop_map(|(n, flags)| Tree::Count(n, flags)),
        (vec(wide(), 0..4), narrow())
            .prop_map(|(table, x)| Tree::Held(table.into(), Frozen::new(x))),
        wide().prop_map(|scale| Tree::Domain { scale }),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    numbers().prop_recursive(4, 40, 4, |tree| {
        prop_oneof![
            proptest::option::of(tree.clone().prop_map(Box::new)).prop_map(Tree::Maybe),
            vec(tree.clone(), 0..4).prop_map(Tree::Many),
            btree_map("[a-c.\"*\\\\\\[ ]{0,3}", tree.clone(), 0..4).prop_map(Tree::Named),
            hash_map(any::<u8>(), tree.clone(), 0..4).prop_map(Tree::Hashed),
            (tree.clone(), tree).prop_map(|(open, held)| Tree::Half {
                open: Box::new(open),
                held: Box::new(held),
            }),
        ]
    })
}

/// A mask that trains the leaves that the flags say, in turn.
fn masked(tree: &Tree, flags: &[bool]) -> Mask {
    let mut mask = Mask::of(tree);
    let mut flags = flags.iter().cycle();
    mask.freeze_if(|_| !flags.next().copied().unwrap_or(true));
    mask
}

/// The positions of the leaves that a mask does not train.
fn held(mask: &Mask) -> BTreeSet<usize> {
    let all = mask.iter().enumerate();
    all.filter(|(_, (_, trains))| !trains)
        .map(|(i, _)| i)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn flatten_and_unflatten_are_inverse(tree in tree(), flags in vec(any::<bool>(), 0..8)) {
        let mask = masked(&tree, &flags);
        let layout = Layout::new(&tree, &mask).unwrap();
        let flat: Vec<f64> = layout.flatten(&tree).unwrap();
        prop_assert_eq!(flat.len(), mask.trained().map(paramtree::Leaf::elements).sum::<usize>());
        let mut other = tree.clone();
        layout.unflatten(&mut other, &vec![0.5; flat.len()]).unwrap();
        layout.unflatten(&mut other, &flat).unwrap();
        prop_assert_eq!(bits(&other), bits(&tree));
        let again: Vec<f64> = layout.flatten(&other).unwrap();
        let same = again.iter().zip(&flat).all(|(a, b)| a.to_bits() == b.to_bits());
        prop_assert!(same);
    }

    #[test]
    fn partition_and_combine_are_inverse(tree in tree(), flags in vec(any::<bool>(), 0..8)) {
        let (mask, before) = (masked(&tree, &flags), bits(&tree));
        let (params, rest) = partition(tree, &mask).unwrap();
        let taken: Vec<_> = mask.trained().map(|leaf| leaf.path().to_owned()).collect();
        prop_assert_eq!(&paths(&params), &taken);
        let held: Vec<_> = bits(&params);
        prop_assert!(held.iter().all(|leaf| before.contains(leaf)));
        prop_assert_eq!(bits(&rest.combine([params]).unwrap()), before);
    }

    #[test]
    fn what_is_frozen_keeps_its_bits(
        tree in tree(),
        flags in vec(any::<bool>(), 0..8),
        numbers in vec(wide(), 1..16),
    ) {
        let mask = masked(&tree, &flags);
        let layout = Layout::new(&tree, &mask).unwrap();
        let mut written = tree.clone();
        for start in 0..4 {
            let numbers = numbers.iter().cycle().skip(start);
            let flat: Vec<f64> = numbers.copied().take(layout.len()).collect();
            layout.unflatten(&mut written, &flat).unwrap();
        }
        let (before, after) = (bits(&tree), bits(&written));
        prop_assert_eq!(before.len(), after.len());
        for i in held(&mask) {
            prop_assert_eq!(&before[i], &after[i]);
        }
    }

    #[test]
    fn every_leaf_has_a_path_of_its_own(tree in tree()) {
        let paths = paths(&tree);
        let distinct: BTreeSet<_> = paths.iter().collect();
        prop_assert_eq!(distinct.len(), paths.len());
        // And the path selects the leaf, and no other.
        for path in paths.iter().filter(|path| !path.is_empty()) {
            let mut mask = !&Mask::of(&tree);
            let trainable = Mask::of(&tree).trains(path).unwrap();
            prop_assert_eq!(mask.thaw(path).is_ok(), trainable);
            prop_assert_eq!(mask.trained().count(), usize::from(trainable));
        }
    }
}
