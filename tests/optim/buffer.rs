//! A buffer that is no parameter, and the decay that moves it all the same where only its
//! gradient is stopped.

use paramtree::Module;
use paramtree::optim::AdamW;

use crate::json::read;
use crate::{all, assert_near};

/// y = param · x + buffer.
#[derive(Clone, Debug, Module)]
struct Line {
    param: f64,
    #[frozen]
    buffer: f64,
}

/// The same, the buffer a parameter like any other.
#[derive(Clone, Debug, Module)]
struct Open {
    param: f64,
    buffer: f64,
}

/// The slope of the mean square error by the parameter.
fn slope(param: f64, buffer: f64) -> f64 {
    let data = read("seed_scenario").at("data");
    let (x, y) = (data.at("x").numbers(), data.at("y").numbers());
    let each = x.iter().zip(&y);
    let sum: f64 = each.map(|(x, y)| 2.0 * (param * x + buffer - y) * x).sum();
    sum / 3.0
}

fn adamw() -> AdamW {
    AdamW::new(0.1).weight_decay(1e-4)
}

#[test]
fn declared_frozen_it_keeps_its_bits() {
    let rows = read("seed_scenario")
        .at("wrapped_partition_with_is_leaf")
        .at("rows");
    let mut line = Line {
        param: 1.0,
        buffer: 1.0,
    };
    let mut optimizer = all(&line, adamw());
    for row in rows.list() {
        while optimizer.steps() < row.at("step").count() {
            // Even a gradient of the buffer is nothing to it.
            let gradient = Line {
                param: slope(line.param, line.buffer),
                buffer: f64::NAN,
            };
            optimizer.step(&mut line, &gradient).unwrap();
            assert_eq!(line.buffer.to_bits(), 1.0_f64.to_bits());
        }
        assert_near(line.param, row.at("param").number(), 1e-12);
    }
}

#[test]
fn with_its_gradient_stopped_it_decays() {
    let file = read("seed_scenario");
    let mut open = Open {
        param: 1.0,
        buffer: 1.0,
    };
    let mut optimizer = all(&open, adamw());
    for row in file.at("stop_gradient_only").list() {
        while optimizer.steps() < row.at("step").count() {
            let gradient = Open {
                param: slope(open.param, open.buffer),
                buffer: 0.0,
            };
            optimizer.step(&mut open, &gradient).unwrap();
        }
        assert_near(open.param, row.at("param").number(), 1e-12);
        assert_near(open.buffer, row.at("buffer").number(), 1e-12);
        let closed = file.at("closed_form_buffer");
        let closed = closed.at(&optimizer.steps().to_string()).number();
        assert_near(open.buffer, closed, 1e-12);
    }
}
