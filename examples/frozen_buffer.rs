//! A buffer that stays put while the parameter beside it trains.
//!
//! ```sh
//! cargo run --example frozen_buffer
//! ```
//!
//! The model is y = param · x + buffer, and `AdamW` fits it to y = 3x + 1, where the buffer is
//! right from the start. In JAX one would write `stop_gradient(buffer)`, which makes the
//! buffer's gradient zero. That does not hold it: `AdamW`'s step is
//!
//! ```text
//! p = p - lr · (Adam's step + weight_decay · p)
//! ```
//!
//! and with a zero gradient the decay is still there. At Optax's default of 1e-4 and a learning
//! rate of 0.1 the buffer loses a hundred-thousandth of itself in each step, and the parameter
//! learns to make up for it. Here `#[frozen]` says that the buffer is no parameter: no optimiser
//! is given it, so nothing can decay.

use std::error::Error;

use paramtree::optim::AdamW;
use paramtree::{Mask, Module};

#[derive(Module)]
struct Line {
    param: f64,
    #[frozen]
    buffer: f64,
}

const X: [f64; 3] = [-1.0, 0.0, 2.0];

impl Line {
    fn at(&self, x: f64) -> f64 {
        self.param * x + self.buffer
    }

    /// The derivative of the mean squared error. Nobody will look at the buffer's.
    fn gradient(&self) -> Self {
        let slope = |x: f64| 2.0 * (self.at(x) - (3.0 * x + 1.0)) * x;
        Self {
            param: X.map(slope).iter().sum::<f64>() / 3.0,
            buffer: f64::NAN,
        }
    }
}

/// After so many steps of Optax 0.2.8: the buffer under `stop_gradient`, and the parameter when
/// the buffer is kept out of the optimiser.
const OPTAX: [(u64, f64, f64); 3] = [
    (1, 0.99999, 1.099_989_999_85),
    (10, 0.999_900_004_499_88, 1.975_273_276_779_205_2),
    (100, 0.999_000_494_838_339, 3.008_259_259_027_240_3),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut line = Line {
        param: 1.0,
        buffer: 1.0,
    };
    let before = line.buffer.to_bits();
    let mut opt = AdamW::new(1e-1)
        .weight_decay(1e-4)
        .build(&line, &Mask::of(&line))?;

    println!(
        "steps  buffer  its bits            under stop_gradient  param (Optax, buffer kept out)"
    );
    for (steps, decayed, param) in OPTAX {
        while opt.steps() < steps {
            let gradient = line.gradient();
            opt.step(&mut line, &gradient)?;
        }
        let bits = line.buffer.to_bits();
        println!(
            "{steps:>5}  {:<6?}  {bits:#x}  {decayed:<19}  {} ({param})",
            line.buffer, line.param
        );
        if bits != before {
            return Err("the buffer has moved".into());
        }
        if (line.param - param).abs() > 1e-12 {
            return Err("the parameter is not where Optax has it".into());
        }
    }
    println!("not a bit of the buffer has changed");
    Ok(())
}
