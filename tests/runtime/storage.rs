//! A foreign array type, walked, trained and moved by impls written by hand.

use ndarray::{
    Array2, ArrayD, ArrayView2, ArrayViewD, ArrayViewMut2, ArrayViewMutD, Ix2, ShapeBuilder, array,
};
use paramtree::transform::Positive;
use paramtree::{
    At, Error, Layout, LeafMut, LeafRef, Mask, Module, Param, Storage, Visitor, VisitorMut,
    partition,
};

use crate::{assert_near, bits, paths, trained};

/// Stands for a matrix of another crate: column after column, as LAPACK has them.
#[derive(Clone, Debug, PartialEq)]
struct Columns {
    shape: [usize; 2],
    data: Vec<f32>,
}

impl Storage<f32> for Columns {
    fn dims(&self) -> &[usize] {
        &self.shape
    }

    fn values(&self) -> Option<&[f32]> {
        None
    }

    fn array_view(&self) -> ArrayViewD<'_, f32> {
        let view = ArrayView2::from_shape(self.shape.f(), &self.data);
        view.unwrap().into_dyn()
    }

    fn values_mut(&mut self) -> Option<&mut [f32]> {
        None
    }

    fn array_view_mut(&mut self) -> ArrayViewMutD<'_, f32> {
        let view = ArrayViewMut2::from_shape(self.shape.f(), &mut self.data);
        view.unwrap().into_dyn()
    }

    fn take_array(&mut self) -> ArrayD<f32> {
        let empty = Self {
            shape: [0, 0],
            data: Vec::new(),
        };
        let Self { shape, data } = std::mem::replace(self, empty);
        Array2::from_shape_vec(shape.f(), data).unwrap().into_dyn()
    }

    fn put_array(&mut self, array: ArrayD<f32>) -> Result<(), ArrayD<f32>> {
        let &[rows, columns] = array.shape() else {
            return Err(array);
        };
        let array = array.into_dimensionality::<Ix2>().unwrap();
        let in_order = array.t().is_standard_layout();
        let data = if in_order {
            array.into_raw_vec_and_offset().0
        } else {
            array.t().iter().copied().collect()
        };
        let shape = [rows, columns];
        *self = Self { shape, data };
        Ok(())
    }
}

impl Module for Columns {
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        visitor.leaf::<f32>(LeafRef::Array(self), at, None);
    }

    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        visitor.leaf::<f32>(LeafMut::Array(self), at, None);
    }
}

impl Param for Columns {
    type Elem = f32;
}

#[derive(Clone, Debug, PartialEq, Module)]
struct Model {
    plain: Columns,
    #[param(transform = Positive)]
    scales: Columns,
    #[frozen]
    held: Columns,
    more: Vec<Columns>,
}

/// `[[a, b], [c, d]]`
fn columns([a, b, c, d]: [f32; 4]) -> Columns {
    Columns {
        shape: [2, 2],
        data: vec![a, c, b, d],
    }
}

fn model() -> Model {
    Model {
        plain: columns([1.0, 2.0, 3.0, 4.0]),
        scales: columns([1.0, 1.0, 1.0, 2.0]),
        held: columns([9.0; 4]),
        more: vec![columns([0.0; 4])],
    }
}

#[test]
fn a_foreign_array_is_trained_through_a_layout() {
    let mut model = model();
    assert_eq!(paths(&model), ["plain", "scales", "held", "more.0"]);
    let layout = Layout::of(&model).unwrap();
    let mut x: Vec<f64> = layout.flatten(&model).unwrap();
    let ln_2 = f64::from(2.0_f32.ln());
    assert_eq!(
        x,
        [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, ln_2, 0.0, 0.0, 0.0, 0.0]
    );

    // Minimise ½ Σ (y - target)² by gradient descent: the gradient is y - target.
    let target = [5.0_f32, 3.0, 0.5, 2.0];
    for _ in 0..2000 {
        let mut gradient = model.clone();
        for part in [
            &mut gradient.plain,
            &mut gradient.scales,
            &mut gradient.more[0],
        ] {
            let target = columns(target);
            part.data
                .iter_mut()
                .zip(&target.data)
                .for_each(|(y, t)| *y -= t);
        }
        let slopes: Vec<f64> = layout.pullback(&model, &gradient).unwrap();
        x.iter_mut()
            .zip(&slopes)
            .for_each(|(x, slope)| *x -= 0.05 * slope);
        layout.unflatten(&mut model, &x).unwrap();
        assert!(model.scales.data.iter().all(|y| *y > 0.0));
    }
    let fitted = [&model.plain, &model.scales, &model.more[0]];
    for part in fitted {
        for (got, expected) in part.data.iter().zip(columns(target).data) {
            assert_near(f64::from(*got), f64::from(expected), 1e-3);
        }
    }
    assert_eq!(model.held, columns([9.0; 4]));
}

#[test]
fn a_foreign_array_is_moved_out_and_back() {
    let model = model();
    let (before, address) = (bits(&model), model.plain.data.as_ptr());
    let mut mask = Mask::of(&model);
    mask.freeze_at(&model, |model| &model.more[0]).unwrap();
    assert_eq!(trained(&mask), ["plain", "scales"]);
    let (params, rest) = partition(model, &mask).unwrap();
    assert_eq!(paths(&params), ["plain", "scales"]);
    assert_eq!(bits(&params), before[..2]);
    let model = rest.combine([params]).unwrap();
    assert_eq!(bits(&model), before);
    assert_eq!(model.plain.data.as_ptr(), address);
}

#[test]
fn a_foreign_array_is_checked_as_any_other() {
    let (model, mut wrong) = (self::model(), self::model());
    let layout = Layout::of(&model).unwrap();
    wrong.plain.shape = [4, 1];
    let shape = Error::Shape {
        path: "plain".into(),
        expected: vec![2, 2],
        got: vec![4, 1],
    };
    assert_eq!(layout.flatten::<f32>(&wrong), Err(shape.clone()));
    assert_eq!(layout.pullback::<f32, _>(&model, &wrong), Err(shape));
    wrong = self::model();
    wrong.scales = columns([1.0, 0.0, 1.0, 1.0]);
    let error = layout.flatten::<f32>(&wrong).unwrap_err();
    assert!(error.to_string().starts_with("`scales[0, 1]`: Positive"));
    assert_eq!(
        wrong.scales.array_view(),
        array![[1.0, 0.0], [1.0, 1.0]].into_dyn()
    );
}
