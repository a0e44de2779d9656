//! One map after another.

use std::ops::Range;

use super::elementwise::{
    Elementwise, PIECE, check_bounds, check_inside, check_usable, keep_inside, pull_back_finite,
};
use super::event::total;
use super::room::Room;
use super::{Transform, ends, rounded};
use crate::real::Real;
use crate::refusal::Refusal;

/// Two maps in a row: `constrain` applies the first, then the second.
///
/// | | |
/// |---|---|
/// | value | y = second(first(x)) |
/// | domain | what the second makes of the first's domain |
/// | unconstrained length | the first's |
/// | log-det | the first's at x + Σ of the second's at first(x) |
///
/// The first may be any transform; the second is applied to each element. A longer chain stands
/// on the left: `Chain(Chain(a, b), c)` applies a, then b, then c. Source: Stan Reference Manual,
/// "Constraint Transforms", affinely transformed bounded scalars; the order is that of torch's
/// `ComposeTransform` and flowjax's `Chain`.
///
/// ```
/// use paramtree::Refusal;
/// use paramtree::transform::{Affine, Chain, Ordered, Positive, Transform};
///
/// let above_one = Chain(Positive, Affine::new(1, 2));
/// let mut y = [0.0];
/// above_one.constrain(&[0.0], &mut y, &[]);
/// assert_eq!(y, [3.0], "1 + 2 exp 0");
///
/// let refusal = above_one.unconstrain(&[0.5], &mut [0.0], &[]).unwrap_err();
/// assert_eq!(refusal.to_string(), "0.5 is outside the open interval (1, inf)");
///
/// let mut rates = [0.0; 2];
/// Chain(Ordered, Positive).constrain(&[-1.0, 0.0], &mut rates, &[2]);
/// assert_eq!(rates, [(-1.0_f64).exp(), 1.0], "exp of -1 and of -1 + exp 0");
/// ```
///
/// Where the first map refuses, the refusal's values are those between the two maps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain<First, Second>(
    /// Applied first: it takes the unconstrained coordinates.
    pub First,
    /// Applied second, to each element: it gives the natural values.
    pub Second,
);

/// A part of a leaf that the first map takes by itself.
struct Piece {
    x: Range<usize>,
    y: Range<usize>,
    /// The shape of the part, if not that of the leaf.
    shape: Option<[usize; 1]>,
}

impl Piece {
    fn shape<'s>(&'s self, whole: &'s [usize]) -> &'s [usize] {
        self.shape.as_ref().map_or(whole, |shape| &shape[..])
    }
}

impl<First, Second> Chain<First, Second> {
    /// The ends of what the second map makes of the first's range.
    fn image<T: Real>(&self) -> (f64, f64)
    where
        First: Transform<T>,
        Second: Elementwise<T>,
    {
        let (start, stop) = ends(&self.0);
        let (lower, upper) = self.1.domain();
        let image = |end: T, limit: f64| {
            if end.is_finite() {
                self.1.value(end).to_f64()
            } else {
                limit
            }
        };
        if self.1.increasing() {
            (image(start, lower), image(stop, upper))
        } else {
            (image(stop, lower), image(start, upper))
        }
    }

    /// The values between the maps.
    fn invert_second<T: Real>(
        &self,
        y: &[T],
        between: &mut [T],
        shape: &[usize],
    ) -> Result<(), Refusal>
    where
        First: Transform<T>,
        Second: Elementwise<T>,
    {
        // Values that differ as they must may not after the inverse's rounding. Others are left to
        // the first map to refuse.
        let image = rounded(self.image::<T>());
        between.copy_from_slice(y);
        self.0.part(between, shape, self.1.increasing(), image);
        let differ = between == y;

        let (lower, upper) = ends(&self.0);
        for (index, (between, &y)) in between.iter_mut().zip(y).enumerate() {
            // Inside the image only rounding leads out of the first map's domain.
            *between = self.1.inverse(y).clamp_open(lower, upper);
            if !between.is_finite() {
                return Err(Refusal::NoCoordinate {
                    index,
                    value: y.to_f64(),
                });
            }
        }
        if differ {
            self.0.part(between, shape, true, (lower, upper));
        }
        Ok(())
    }

    /// How many pieces the leaf has, and each of them.
    fn pieces<T: Real>(&self, x: usize, y: usize) -> (usize, impl Fn(usize) -> Piece)
    where
        First: Transform<T>,
    {
        let split = self.0.is_elementwise() && x > PIECE;
        let count = if split { x.div_ceil(PIECE) } else { 1 };
        let piece = move |i| {
            if !split {
                let (x, y) = (0..x, 0..y);
                return Piece { x, y, shape: None };
            }
            let range = i * PIECE..x.min((i + 1) * PIECE);
            Piece {
                shape: Some([range.len()]),
                x: range.clone(),
                y: range,
            }
        };
        (count, piece)
    }
}

#[diagnostic::do_not_recommend]
impl<T, First, Second> Transform<T> for Chain<First, Second>
where
    T: Real,
    First: Transform<T>,
    Second: Elementwise<T>,
{
    fn name(&self) -> String {
        format!("Chain({}, {})", self.0.name(), self.1.name())
    }

    fn event_rank(&self) -> usize {
        self.0.event_rank()
    }

    fn is_elementwise(&self) -> bool {
        self.0.is_elementwise()
    }

    fn range(&self) -> (f64, f64) {
        self.image::<T>()
    }

    fn unconstrained_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        let len = self.0.unconstrained_len(shape)?;
        check_usable(&self.1)?;
        check_bounds::<T>(self.image())?;
        Ok(len)
    }

    #[inline]
    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let (lower, upper) = rounded(self.image::<T>());
        let (count, piece) = self.pieces(x.len(), y.len());
        for i in 0..count {
            let piece = piece(i);
            let y = &mut y[piece.y.clone()];
            self.0.constrain(&x[piece.x.clone()], y, piece.shape(shape));
            for y in &mut *y {
                *y = self.1.value(*y);
            }
            keep_inside(y, (lower, upper));
        }
        self.0.part(y, shape, self.1.increasing(), (lower, upper));
    }

    fn part(&self, values: &mut [T], shape: &[usize], rising: bool, ends: (T, T)) {
        let rising = rising == self.1.increasing();
        self.0.part(values, shape, rising, ends);
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) -> Result<(), Refusal> {
        self.unconstrained_len(shape)?;
        check_inside(y, self.image::<T>())?;
        let (count, piece) = self.pieces(x.len(), y.len());
        let mut room = Room::new(piece(0).y.len());
        for i in 0..count {
            let piece = piece(i);
            let start = piece.y.start;
            let between = &mut room[..piece.y.len()];
            self.invert_second(&y[piece.y.clone()], between, piece.shape(shape))
                .and_then(|()| {
                    let x = &mut x[piece.x.clone()];
                    self.0.unconstrain(between, x, piece.shape(shape))
                })
                .map_err(|refusal| refusal.reindexed(|index| start + index))?;
        }
        Ok(())
    }

    #[inline]
    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        self.0.vjp_from(x, x_bar, shape, |piece, between, bar| {
            pull_back_finite(&self.1, between, &y_bar[piece], bar);
        });
    }

    #[inline]
    fn vjp_from(
        &self,
        x: &[T],
        x_bar: &mut [T],
        shape: &[usize],
        pull: impl Fn(Range<usize>, &[T], &mut [T]),
    ) {
        let ends: (T, T) = rounded(self.image::<T>());
        self.0.vjp_from(x, x_bar, shape, |piece, between, bar| {
            let (mut y, mut y_bar) = ([ends.0; PIECE], [ends.0; PIECE]);
            let (y, y_bar) = (&mut y[..bar.len()], &mut y_bar[..bar.len()]);
            for (y, &between) in y.iter_mut().zip(between) {
                *y = self.1.value(between);
            }
            keep_inside(y, ends);
            pull(piece, y, y_bar);
            pull_back_finite(&self.1, between, y_bar, bar);
        });
    }

    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
        let (count, piece) = self.pieces(x.len(), shape.iter().product());
        total(0..count, &|i| {
            let piece = piece(i);
            let mut between = Room::new(piece.y.len());
            let x = &x[piece.x.clone()];
            self.0.constrain(x, &mut between, piece.shape(shape));
            let second = total(0..between.len(), &|i| self.1.log_derivative(between[i]));
            self.0.log_abs_det_jacobian(x, piece.shape(shape)) + second
        })
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]) {
        self.0.add_log_abs_det_jacobian_grad(x, grad, shape);
        let (count, piece) = self.pieces(x.len(), shape.iter().product());
        let mut room = Room::new(piece(0).y.len());
        let mut pulled = Room::new(piece(0).x.len());
        for i in 0..count {
            let piece = piece(i);
            let between = &mut room[..piece.y.len()];
            let x = &x[piece.x.clone()];
            self.0.constrain(x, between, piece.shape(shape));
            for between in between.iter_mut() {
                *between = self.1.log_derivative_slope(*between);
            }
            let pulled = &mut pulled[..x.len()];
            self.0.vjp(x, between, pulled, piece.shape(shape));
            for (grad, &pulled) in grad[piece.x.clone()].iter_mut().zip(&*pulled) {
                *grad = *grad + pulled;
            }
        }
    }
}
