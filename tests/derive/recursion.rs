//! Types that hold themselves.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::marker::PhantomData;

use ndarray::{Array1, Array2, array};
use paramtree::Module;

use crate::{NoModule, double, flat, is_module, paths};

#[derive(Module)]
enum Tree<T> {
    Leaf(T),
    Fork(Box<Tree<T>>, Box<Tree<T>>),
}

fn fork<T>(left: Tree<T>, right: Tree<T>) -> Tree<T> {
    Tree::Fork(Box::new(left), Box::new(right))
}

#[test]
fn a_generic_enum_holds_itself_in_boxes() {
    let tree = fork(Tree::Leaf(1.0), fork(Tree::Leaf(2.0), Tree::Leaf(3.0)));
    assert_eq!(flat(&tree), [1.0, 2.0, 3.0]);
    assert_eq!(
        paths(&tree),
        ["Fork.0.Leaf", "Fork.1.Fork.0.Leaf", "Fork.1.Fork.1.Leaf"]
    );
    let tree: Tree<Array2<f32>> = fork(Tree::Leaf(array![[1.0]]), Tree::Leaf(array![[2.0, 3.0]]));
    assert_eq!(flat(&tree), [1.0, 2.0, 3.0]);
}

#[derive(Module)]
struct Rec<A, N> {
    kids: Vec<(A, Rec<A, N>)>,
    #[frozen]
    tag: PhantomData<N>,
}

#[test]
fn what_stands_beside_the_struct_is_bounded_and_a_phantom_parameter_is_not() {
    is_module::<Rec<f64, NoModule>>();
    let end = |kids| Rec::<f64, NoModule> {
        kids,
        tag: PhantomData,
    };
    let rec = end(vec![(1.0, end(vec![(2.0, end(Vec::new()))]))]);
    assert_eq!(paths(&rec), ["kids.0.0", "kids.0.1.kids.0.0"]);
    assert_eq!(flat(&rec), [1.0, 2.0]);
}

#[derive(Module)]
struct Ring {
    w: [f64; Self::N],
    next: Option<Box<Self>>,
    kin: Vec<Self>,
    #[frozen]
    mark: PhantomData<Self>,
}

impl Ring {
    const N: usize = 4;
}

#[test]
fn self_stands_for_the_struct() {
    let ring = |w: f64, next| Ring {
        w: [w; Ring::N],
        next,
        kin: Vec::new(),
        mark: PhantomData,
    };
    let mut rings = ring(1.0, Some(Box::new(ring(2.0, None))));
    assert_eq!(paths(&rings), ["w", "next.w"]);
    assert_eq!(flat(&rings), [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]);
    double(&mut rings);
    assert_eq!(flat(&rings)[4..], [4.0; 4]);
}

#[derive(Module)]
struct Own<T> {
    value: T,
    kin: VecDeque<(T, Self)>,
    pair: Option<Box<(Self, [T; 2])>>,
}

#[test]
fn self_stands_for_a_generic_struct() {
    let end = |value| Own {
        value,
        kin: VecDeque::new(),
        pair: None,
    };
    let own = Own {
        value: 1.0,
        kin: VecDeque::from([(2.0, end(3.0))]),
        pair: Some(Box::new((end(4.0), [5.0, 6.0]))),
    };
    assert_eq!(flat(&own), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[derive(Module)]
struct Chain<T> {
    w: T,
    next: Option<Box<self::Chain<T>>>,
}

#[test]
fn self_may_be_named_by_a_path() {
    let end = Box::new(Chain { w: 2.0, next: None });
    let chain = Chain {
        w: 1.0,
        next: Some(end),
    };
    assert_eq!(flat(&chain), [1.0, 2.0]);
}

mod nn {
    use ndarray::Array1;
    use paramtree::{Element, Module};

    #[derive(Module)]
    pub(super) struct Linear<T: Element> {
        pub(super) w: Array1<T>,
    }

    #[derive(Module)]
    pub(super) struct Bag<T> {
        pub(super) w: T,
    }
}

#[derive(Module)]
struct Linear<T: paramtree::Element> {
    inner: nn::Linear<T>,
    again: Option<crate::recursion::nn::Linear<T>>,
    bias: Array1<T>,
}

#[derive(Module)]
struct Bag<T> {
    inner: nn::Bag<Vec<T>>,
}

#[test]
fn another_type_of_the_same_name_is_another_type() {
    let linear = Linear {
        inner: nn::Linear { w: array![1.0] },
        again: Some(nn::Linear { w: array![2.0] }),
        bias: array![3.0],
    };
    assert_eq!(paths(&linear), ["inner.w", "again.w", "bias"]);
    assert_eq!(flat(&linear), [1.0, 2.0, 3.0]);
    let bag = Bag {
        inner: nn::Bag { w: vec![1.0, 2.0] },
    };
    assert_eq!(flat(&bag), [1.0, 2.0]);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key(char);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// No module either, and no hasher to trust.
#[derive(Default)]
struct Sum(u64);

impl Hasher for Sum {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    }
}

#[derive(Module)]
struct Trie<K, V, S> {
    value: V,
    kids: HashMap<K, Trie<K, V, S>, S>,
}

#[derive(Module)]
struct Ordered<K, V> {
    kids: BTreeMap<K, (V, Ordered<K, V>)>,
}

#[test]
fn keys_and_hashers_of_recursive_maps_need_not_be_modules() {
    type Map = HashMap<Key, Trie<Key, f64, BuildHasherDefault<Sum>>, BuildHasherDefault<Sum>>;
    let end = |value| Trie {
        value,
        kids: Map::default(),
    };
    let kids = Map::from_iter([(Key('b'), end(3.0)), (Key('a'), end(2.0))]);
    let trie = Trie { value: 1.0, kids };
    assert_eq!(paths(&trie), ["value", "kids.a.value", "kids.b.value"]);
    assert_eq!(flat(&trie), [1.0, 2.0, 3.0]);

    let end = Ordered {
        kids: BTreeMap::new(),
    };
    let ordered = Ordered {
        kids: BTreeMap::from([(Key('z'), (4.0, end))]),
    };
    assert_eq!(paths(&ordered), ["kids.z.0"]);
    assert_eq!(flat(&ordered), [4.0]);
}

#[derive(Module)]
#[module(bound = "T: Module")]
struct Even<T> {
    value: T,
    next: Option<Box<Odd<T>>>,
}

#[derive(Module)]
#[module(bound = "T: Module")]
struct Odd<T> {
    value: T,
    next: Option<Box<Even<T>>>,
}

#[test]
fn two_types_that_hold_each_other_say_their_bounds() {
    let odd = Odd {
        value: 2.0,
        next: None,
    };
    let even = Even {
        value: 1.0,
        next: Some(Box::new(odd)),
    };
    assert_eq!(flat(&even), [1.0, 2.0]);
}

#[derive(Module)]
struct Expr {
    bias: f64,
    op: Op,
}

#[derive(Module)]
enum Op {
    Const,
    Scale(Box<Expr>, f64),
    Sum(Vec<Expr>),
}

#[test]
fn plain_types_that_hold_each_other_need_no_bounds() {
    let end = |bias| Expr {
        bias,
        op: Op::Const,
    };
    let scaled = Expr {
        bias: 2.0,
        op: Op::Scale(Box::new(end(3.0)), 4.0),
    };
    let expr = Expr {
        bias: 1.0,
        op: Op::Sum(vec![scaled, end(5.0)]),
    };
    assert_eq!(flat(&expr), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(paths(&expr)[2], "op.Sum.0.op.Scale.0.bias");
}
