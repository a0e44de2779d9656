//! Leaves and gradients in any order of memory.

use ndarray::{Array0, Array2, Array3, ArrayD, ArrayViewMut1, Axis, Slice, arr0};
use paramtree::Module;
use paramtree::optim::{Rule, Sgd};
use paramtree::transform::{Positive, Simplex};

use crate::{all, bits};

#[derive(Clone, Debug, Module)]
struct Arrays {
    plain: Array2<f64>,
    #[param(transform = Positive)]
    scale: Array2<f64>,
    #[param(transform = Simplex)]
    shares: Array2<f32>,
    cube: Array3<f32>,
    point: Array0<f64>,
    dynamic: ArrayD<f64>,
}

/// Positive numbers that differ, rows of which sum to 1.
fn arrays(seed: u16) -> Arrays {
    let number = |i: usize, j: usize| {
        let steps = u16::try_from(3 * i + j).unwrap();
        f32::from(seed + steps) + 0.5
    };
    let matrix = Array2::from_shape_fn((3, 4), |(i, j)| number(i, j));
    let plain = matrix.mapv(f64::from);
    let mut shares = matrix;
    for mut row in shares.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    Arrays {
        scale: &plain + 0.25,
        shares,
        cube: Array3::from_shape_fn((2, 3, 2), |(i, j, k)| number(i + j, k)),
        point: arr0(number(1, 1).into()),
        dynamic: (&plain * 2.0).into_dyn(),
        plain,
    }
}

/// The same, each matrix column after column.
fn columns(arrays: &Arrays) -> Arrays {
    fn turn<T: Copy>(matrix: &Array2<T>) -> Array2<T> {
        let turned = matrix.t().as_standard_layout().into_owned();
        turned.reversed_axes()
    }
    Arrays {
        plain: turn(&arrays.plain),
        scale: turn(&arrays.scale),
        shares: turn(&arrays.shares),
        cube: arrays
            .cube
            .t()
            .as_standard_layout()
            .into_owned()
            .reversed_axes(),
        point: arrays.point.clone(),
        dynamic: arrays
            .dynamic
            .t()
            .as_standard_layout()
            .into_owned()
            .reversed_axes(),
    }
}

/// The same, each matrix backwards and with holes.
fn strided(arrays: &Arrays) -> Arrays {
    fn spread<T: Copy>(matrix: &Array2<T>) -> Array2<T> {
        let (rows, columns) = matrix.dim();
        let shape = (2 * rows, 3 * columns);
        let mut wide = Array2::from_shape_fn(shape, |(i, j)| {
            matrix[[rows - 1 - i / 2, columns - 1 - j / 3]]
        });
        wide.slice_each_axis_inplace(|axis| match axis.axis {
            Axis(0) => Slice::new(0, None, -2),
            _ => Slice::new(0, None, -3),
        });
        wide
    }
    let plain = spread(&arrays.plain);
    assert!(!plain.is_standard_layout());
    Arrays {
        plain,
        scale: spread(&arrays.scale),
        shares: spread(&arrays.shares),
        ..arrays.clone()
    }
}

#[test]
fn the_order_of_memory_is_nothing_to_a_step() {
    fn check<R: Rule>(rule: R) {
        let (start, gradient) = (arrays(0), arrays(2));
        let mut expected = start.clone();
        let mut optimizer = all(&expected, rule.clone());
        for _ in 0..3 {
            optimizer.step(&mut expected, &gradient).unwrap();
        }
        assert!(bits(&expected) != bits(&start));
        for lay in [columns, strided, Arrays::clone] {
            for lay_gradient in [columns, strided, Arrays::clone] {
                let (mut model, gradient) = (lay(&start), lay_gradient(&gradient));
                assert_eq!(bits(&model), bits(&start));
                let strides = model.plain.strides().to_vec();
                let mut optimizer = all(&model, rule.clone());
                for _ in 0..3 {
                    optimizer.step(&mut model, &gradient).unwrap();
                }
                assert_eq!(bits(&model), bits(&expected));
                assert_eq!(model.plain.strides(), strides);
            }
        }
    }
    each_rule!(check);
}

#[derive(Module)]
struct Window<'v> {
    view: ArrayViewMut1<'v, f64>,
}

#[test]
fn a_view_is_stepped_where_it_looks() {
    let mut numbers = [1.0, 2.0, 3.0, 4.0];
    let mut slopes = [1.0; 2];
    let gradient = Window {
        view: ArrayViewMut1::from(&mut slopes),
    };
    let mut view = ArrayViewMut1::from(&mut numbers);
    view.slice_axis_inplace(Axis(0), Slice::new(0, None, 2));
    let mut model = Window { view };
    all(&model, Sgd::new(0.5))
        .step(&mut model, &gradient)
        .unwrap();
    assert_eq!(numbers, [0.5, 2.0, 2.5, 4.0]);
}
