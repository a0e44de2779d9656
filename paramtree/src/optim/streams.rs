//! Reading a slice from four places at once: memory gives more to several streams than to one.

/// Shows the slice by lanes, four at a time, and returns what is left at its end.
#[inline]
pub(super) fn in_four<const LANES: usize, T>(
    values: &[T],
    mut see: impl FnMut([&[T; LANES]; 4]),
) -> &[T] {
    let quarter = values.len() / (4 * LANES) * LANES;
    let (front, rest) = values.split_at(4 * quarter);
    let (left, right) = front.split_at(2 * quarter);
    let ((a, b), (c, d)) = (left.split_at(quarter), right.split_at(quarter));
    let [a, b, c, d] = [a, b, c, d].map(|part| part.as_chunks::<LANES>().0);
    for ((a, b), (c, d)) in a.iter().zip(b).zip(c.iter().zip(d)) {
        see([a, b, c, d]);
    }
    rest
}
