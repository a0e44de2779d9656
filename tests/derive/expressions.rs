//! `#[param(transform = …)]` takes any expression.

// Odd ones too, which nobody would write alone.
#![allow(
    clippy::diverging_sub_expression,
    clippy::init_numbered_fields,
    clippy::redundant_closure,
    clippy::redundant_closure_call
)]

use paramtree::transform::{Affine, Chain, Interval, Lower, Positive, Transform};
use paramtree::{Layout, Module};

use crate::{double, flat};

const UNIT: Interval2 = Interval2 { upper: 2.0 };

/// Makes intervals from zero.
#[derive(Clone, Copy)]
struct Interval2 {
    upper: f64,
}

impl Interval2 {
    fn make(self) -> Interval {
        Interval::new(0.0, self.upper)
    }
}

fn made(make: impl Fn(f64, f64) -> Interval) -> Interval {
    make(0.0, 2.0)
}

fn of<T: Into<f64> + Default>(upper: T) -> Interval {
    Interval::new(T::default(), upper)
}

macro_rules! interval {
    ($low:expr, $high:expr) => {
        Interval::new($low, $high)
    };
}

#[derive(Module)]
struct Expressions {
    #[param(transform = UNIT.make())]
    method: f64,
    #[param(transform = interval!(0, 2))]
    by_macro: f64,
    #[param(transform = (Interval::new(0, 2)))]
    paren: f64,
    #[param(transform = { let upper = 2.0; Interval::new(0, upper) }, tag = "behind")]
    block: f64,
    #[param(transform = if UNIT.upper > 1.0 { Interval::new(0, 2) } else { Interval::new(0, 1) })]
    branch: f64,
    #[param(transform = match 2 { 2 => Interval::new(0, 2), n => Interval::new(0, n) }, tag = "b")]
    matched: f64,
    #[param(transform = made(|low, high| Interval::new(low, high)))]
    closure: f64,
    #[param(transform = (|| Interval::new(0, 2))())]
    called: f64,
    #[param(transform = of::<f32>(2.0))]
    turbofish: f64,
    #[param(transform = Chain::<Positive, Affine>(Positive, Affine::new(0, 1)), tag = "c")]
    generic: f64,
    #[param(transform = Chain { 0: Positive, 1: Affine::new(0, 1) })]
    literal: f64,
    #[param(transform = &Positive)]
    reference: f64,
    #[param(transform = [Interval::new(0, 2), Interval::new(0, 4)][usize::from(false)])]
    indexed: f64,
    #[param(transform = *Box::new(Positive))]
    boxed: f64,
    #[param(transform = unsafe_free::<{ 1 + 1 }>())]
    constant: f64,
    #[param(transform = <Interval as Default2>::default2())]
    qualified: f64,
    #[param(transform = 'a: { break 'a Interval::new(0, 2) })]
    labelled: f64,
}

fn unsafe_free<const N: i32>() -> Interval {
    Interval::new(0, N)
}

trait Default2 {
    fn default2() -> Self;
}

impl Default2 for Interval {
    fn default2() -> Self {
        Interval::new(0, 2)
    }
}

#[test]
fn every_kind_of_expression_will_do() {
    let mut model = Expressions {
        method: 1.0,
        by_macro: 1.0,
        paren: 1.0,
        block: 1.0,
        branch: 1.0,
        matched: 1.0,
        closure: 1.0,
        called: 1.0,
        turbofish: 1.0,
        generic: 1.0,
        literal: 1.0,
        reference: 1.0,
        indexed: 1.0,
        boxed: 1.0,
        constant: 1.0,
        qualified: 1.0,
        labelled: 1.0,
    };
    // The middle of (0, 2), and ln 1.
    assert_eq!(flat(&model), [0.0; 17]);
    double(&mut model);
    assert_eq!(flat(&model), [0.0; 17]);
}

#[derive(Module)]
struct Mine<T: Clone> {
    #[param(transform = Bound::<T>::new(self.low).make(self))]
    x: f64,
    #[param(transform = Self::upper(self))]
    y: Vec<f64>,
    #[param(transform = Interval::new(self.low, self.high()), tag = "z")]
    #[frozen]
    z: f64,
    #[param(transform = Self::POSITIVE)]
    w: f64,
    #[frozen]
    low: f64,
    #[param(skip)]
    _marker: Option<T>,
}

impl<T: Clone> Mine<T> {
    const POSITIVE: Positive = Positive;

    fn upper(&self) -> impl Transform<f64> + use<T> {
        Lower::new(self.low)
    }

    fn high(&self) -> f64 {
        self.low + 2.0
    }
}

struct Bound<T>(f64, Option<T>);

impl<T: Clone> Bound<T> {
    fn new(low: f64) -> Self {
        Self(low, None)
    }

    fn make(&self, mine: &Mine<T>) -> Interval {
        Interval::new(self.0, mine.high())
    }
}

#[test]
fn an_expression_reads_self_and_names_parameters() -> Result<(), paramtree::Error> {
    let mut mine = Mine::<NotCopy> {
        x: 2.0,
        y: vec![2.0, 2.0],
        z: 1.5,
        w: 1.0,
        low: 1.0,
        _marker: None,
    };
    // The middle of (1, 3), ln(2 - 1) twice, and ln 1.
    assert_eq!(flat(&mine), [0.0; 4]);
    // With x = 0, y = 1 + exp(0) = 2.
    let layout = Layout::of(&mine)?;
    layout.unflatten(&mut mine, &[0.0; 4])?;
    assert_eq!((mine.x, mine.y, mine.w), (2.0, vec![2.0, 2.0], 1.0));
    Ok(())
}

#[derive(Clone)]
struct NotCopy;
