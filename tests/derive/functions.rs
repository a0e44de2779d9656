//! Types inside functions, blocks and other places without a path.

use paramtree::Module;

use crate::{flat, is_module, paths};

fn one() -> Vec<f64> {
    const K: usize = 2;
    #[derive(Module)]
    struct Inner {
        w: f64,
    }
    #[derive(Module)]
    struct InFn {
        w: [f64; K],
        l: Inner,
    }
    is_module::<InFn>();
    flat(&InFn {
        w: [1.0; K],
        l: Inner { w: 2.0 },
    })
}

fn two() -> Vec<f64> {
    #[derive(Module)]
    struct InFn(f64);
    is_module::<InFn>();
    flat(&InFn(3.0))
}

#[test]
fn functions_may_have_types_of_one_name() {
    assert_eq!(one(), [1.0, 1.0, 2.0]);
    assert_eq!(two(), [3.0]);
}

#[test]
#[allow(clippy::items_after_statements)]
fn a_type_stands_behind_its_use_and_in_a_closure() {
    let closure = || {
        let late = Late {
            w: Some(Box::new(Late { w: None, v: 1.0 })),
            v: 2.0,
        };
        #[derive(Module)]
        struct Late {
            w: Option<Box<Late>>,
            v: f64,
        }
        paths(&late)
    };
    assert_eq!(closure(), ["w.v", "v"]);
}

trait Made {
    fn made() -> Vec<f64>;
}

impl Made for f64 {
    fn made() -> Vec<f64> {
        use paramtree::transform::Interval;

        const UPPER: f64 = 2.0;
        fn interval(lower: f64) -> Interval {
            Interval::new(lower, UPPER)
        }
        #[derive(Module)]
        enum Local<T> {
            Only(#[param(transform = interval(0.0))] T),
        }
        // 1 is the middle of (0, 2).
        flat(&Local::Only(1.0))
    }
}

const CONSTANT: fn() -> Vec<String> = {
    #[derive(Module)]
    struct InConst {
        w: f64,
    }
    || paths(&InConst { w: 1.0 })
};

#[test]
fn types_may_stand_in_methods_and_constants() {
    assert_eq!(f64::made(), [0.0]);
    assert_eq!(CONSTANT(), ["w"]);
}
