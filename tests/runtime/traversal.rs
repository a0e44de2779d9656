//! The walk: every leaf once, in a fixed order, to read and to write.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use ndarray::{Array0, Array1, Array2, arr0, array};
use paramtree::transform::Transform;
use paramtree::{
    At, Element, Layout, LeafMut, Mask, Module, Standing, Summarize, VisitorMut, leaves,
};

use crate::{bits, paths};

/// Adds one to every `f64`.
struct AddOne;

impl<'a> VisitorMut<'a> for AddOne {
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, _: At<'_>, _: Option<&dyn Transform<T>>) {
        let add = |value: &mut T| {
            let any: &mut dyn Any = value;
            if let Some(value) = any.downcast_mut::<f64>() {
                *value += 1.0;
            }
        };
        match leaf {
            LeafMut::Array(array) => array.array_view_mut().iter_mut().for_each(add),
            other => other.into_values().into_iter().flatten().for_each(add),
        }
    }
}

fn add_one(model: &mut impl Module) {
    model.visit_mut(At::root(), &mut AddOne);
}

#[derive(Module)]
struct Bag {
    h: HashMap<String, Array1<f64>>,
    v: Vec<Array1<f64>>,
    o: Option<Box<Array1<f64>>>,
    t: (Array1<f64>, f64),
    n: Vec<HashMap<String, Array1<f64>>>,
}

#[test]
fn leaves_inside_every_container_are_read_and_written() {
    let mut bag = Bag {
        h: HashMap::from([("k".to_owned(), array![1.0, 2.0])]),
        v: vec![array![3.0], array![4.0]],
        o: Some(Box::new(array![5.0])),
        t: (array![6.0], 7.0),
        n: vec![HashMap::from([("z".to_owned(), array![8.0, 9.0])])],
    };
    let names = ["h.k", "v.0", "v.1", "o", "t.0", "t.1", "n.0.z"];
    assert_eq!(paths(&bag), names);
    let layout = Layout::of(&bag).unwrap();
    let flat: Vec<f64> = layout.flatten(&bag).unwrap();
    assert_eq!(flat, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);

    add_one(&mut bag);
    assert_eq!(bag.h["k"], array![2.0, 3.0]);
    assert_eq!(bag.v, [array![4.0], array![5.0]]);
    assert_eq!(bag.o.as_deref(), Some(&array![6.0]));
    assert_eq!(bag.t, (array![7.0], 8.0));
    assert_eq!(bag.n[0]["z"], array![9.0, 10.0]);
}

#[test]
fn scalars_and_rank_zero_arrays_are_leaves() {
    #[derive(Module)]
    struct S {
        a: f64,
        b: f32,
        z: Array0<f64>,
        w: Array1<f64>,
    }
    let mut s = S {
        a: 1.0,
        b: 2.0,
        z: arr0(3.0),
        w: array![4.0, 5.0],
    };
    let all = leaves(&s);
    assert_eq!(all.len(), 4);
    assert!(all[0].shape().is_empty() && all[2].shape().is_empty());
    let counts: Vec<_> = all.iter().map(paramtree::Leaf::elements).collect();
    assert_eq!(counts, [1, 1, 1, 2]);

    let layout = Layout::of(&s).unwrap();
    let mut x: Vec<f64> = layout.flatten(&s).unwrap();
    assert_eq!(x, [1.0, 2.0, 3.0, 4.0, 5.0]);
    // A step of gradient descent, rate 0.5, gradients 1.
    for x in &mut x {
        *x -= 0.5;
    }
    layout.unflatten(&mut s, &x).unwrap();
    assert_eq!(
        (s.a, s.b, s.z, s.w),
        (0.5, 1.5, arr0(2.5), array![3.5, 4.5])
    );
}

#[test]
fn sequences_of_numbers_are_one_leaf() {
    #[derive(Module)]
    struct S {
        v: Vec<f64>,
        a: [f32; 3],
        b: Box<[f64]>,
        m: [[f64; 2]; 2],
        q: VecDeque<f64>,
        i: Vec<u16>,
    }
    let s = S {
        v: vec![1.0, 2.0],
        a: [3.0; 3],
        b: Box::new([4.0]),
        m: [[5.0, 6.0], [7.0, 8.0]],
        q: VecDeque::from([9.0, 10.0]),
        i: vec![1, 2, 3],
    };
    // A deque is not contiguous, so each of its numbers is a leaf.
    assert_eq!(paths(&s), ["v", "a", "b", "m.0", "m.1", "q.0", "q.1", "i"]);
    assert_eq!(leaves(&s)[1].shape(), [3]);
    let flat: Vec<f64> = Layout::of(&s).unwrap().flatten(&s).unwrap();
    let expected = [1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
    assert_eq!(flat, expected);
}

#[test]
fn shared_storage_is_listed_and_never_written() {
    #[derive(Module)]
    struct Tied<'r> {
        #[frozen]
        arc: Arc<Array1<f64>>,
        #[frozen]
        rc: Rc<Vec<f64>>,
        #[frozen]
        by_reference: &'r f64,
        w: f64,
    }
    let (handle, number) = (Arc::new(array![1.0, 2.0]), 4.0);
    let mut tied = Tied {
        arc: handle.clone(),
        rc: Rc::new(vec![3.0]),
        by_reference: &number,
        w: 5.0,
    };
    let standing: Vec<_> = leaves(&tied)
        .iter()
        .map(paramtree::Leaf::standing)
        .collect();
    let shared = Standing::Shared;
    assert_eq!(standing, [shared, shared, shared, Standing::Open]);

    let layout = Layout::of(&tied).unwrap();
    assert_eq!(layout.names(), ["w"]);
    layout.unflatten(&mut tied, &[6.0]).unwrap();
    add_one(&mut tied);
    assert_eq!(tied.w, 7.0);
    assert_eq!(*tied.arc, array![1.0, 2.0]);
    assert_eq!((tied.rc[0], *tied.by_reference), (3.0, 4.0));
    assert!(Arc::ptr_eq(&tied.arc, &handle));
}

#[test]
fn mutable_walks_reach_the_owner() {
    #[derive(Debug, PartialEq, Module)]
    enum Side {
        L(f64),
        R { x: f64 },
    }
    #[derive(Debug, PartialEq, Module)]
    struct D {
        b: Option<Box<f64>>,
        h: HashMap<String, f64>,
        v: Vec<(f64, f64)>,
        s: Side,
    }
    let of = |x: f64, s| D {
        b: Some(Box::new(x)),
        h: HashMap::from([("a".to_owned(), x), ("b".to_owned(), x)]),
        v: vec![(x, x), (x, x)],
        s,
    };
    let mut left = of(0.25, Side::L(0.25));
    let mut right = of(-1.0, Side::R { x: -1.0 });
    for _ in 0..2 {
        add_one(&mut left);
        add_one(&mut right);
    }
    assert_eq!(left, of(2.25, Side::L(2.25)));
    assert_eq!(right, of(1.0, Side::R { x: 1.0 }));
}

#[test]
fn leaves_and_elements_are_counted() {
    #[derive(Module)]
    struct C {
        w: Array2<f64>,
        e: Array2<f64>,
        s: f64,
        #[frozen]
        k: Array1<f64>,
    }
    let mut c = C {
        w: Array2::zeros((2, 3)),
        e: Array2::zeros((0, 3)),
        s: 1.0,
        k: Array1::zeros(4),
    };
    let summary = c.summary();
    assert_eq!((summary.leaves(), summary.elements()), (4, 11));
    let trained = (summary.trained_leaves(), summary.trained_elements());
    assert_eq!(trained, (3, 7));

    // The empty leaf is listed, and takes a step.
    let layout = Layout::of(&c).unwrap();
    assert_eq!(layout.range("e"), Some(6..6));
    layout.unflatten(&mut c, &[2.0; 7]).unwrap();
    assert_eq!(c.e.shape(), [0, 3]);
    assert_eq!(c.s, 2.0);
}

#[derive(Debug, Module)]
struct Chain {
    w: f64,
    next: Option<Box<Chain>>,
}

#[test]
fn a_deep_chain_needs_no_deep_stack() {
    const DEPTH: u32 = 2000;
    let walk = || {
        let mut chain = None;
        for w in (0..DEPTH).rev() {
            let w = f64::from(w);
            chain = Some(Box::new(Chain { w, next: chain }));
        }
        let mut chain = *chain.unwrap();
        let all = paths(&chain);
        assert_eq!(all.len(), 2000);
        assert_eq!(all[0], "w");
        assert_eq!(all[1999], "next.".repeat(1999) + "w");

        let layout = Layout::of(&chain).unwrap();
        let mut x: Vec<f64> = layout.flatten(&chain).unwrap();
        assert!(x.iter().copied().eq((0..DEPTH).map(f64::from)));
        for x in &mut x {
            *x += 0.5;
        }
        layout.unflatten(&mut chain, &x).unwrap();
        let last = std::iter::successors(Some(&chain), |chain| chain.next.as_deref()).last();
        assert_eq!(last.unwrap().w, 1999.5);
        let slopes: Vec<f64> = layout.pullback(&chain, &chain).unwrap();
        assert_eq!(slopes, x);

        let mut mask = Mask::of(&chain);
        mask.freeze_at(&chain, |chain| chain.next.as_ref().unwrap())
            .unwrap();
        let (params, rest) = paramtree::partition(chain, &mask).unwrap();
        assert_eq!(params.len(), 1);
        let chain = rest.combine([params]).unwrap();
        assert_eq!(chain.w, 0.5);
    };
    let stack = thread::Builder::new().stack_size(8 << 20);
    stack.spawn(walk).unwrap().join().unwrap();
}

#[test]
fn an_enum_without_variants_is_walked() {
    #[derive(Module)]
    enum Nothing {}
    #[derive(Module)]
    struct Uses {
        o: Option<Box<Nothing>>,
        v: Vec<Nothing>,
        w: f64,
    }
    let (o, v) = (None, Vec::new());
    let uses = Uses { o, v, w: 1.0 };
    assert_eq!(bits(&uses).len(), 1);
    let flat: Vec<f64> = Layout::of(&uses).unwrap().flatten(&uses).unwrap();
    assert_eq!(flat, [1.0]);
}
