//! Summaries: what is in a model, what trains, and why not.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write as _};

use crate::at::{At, Standing};
use crate::element::Element;
use crate::error::Error;
use crate::leaf::LeafRef;
use crate::mask::Mask;
use crate::module::{Module, Visitor};
use crate::structure::{Leaf, leaves};
use crate::transform::Transform;

/// A table of a model's leaves: path, shape, element type, whether it trains or why not,
/// transform, tag and number of elements, with totals. Leaves that hold a number that is
/// not finite are marked.
///
/// It is plain text of at most 100 columns: longer paths lose their beginning, longer
/// transforms and tags their end. [`print`](Self::print) adds colour on a terminal.
///
/// ```
/// use ndarray::Array2;
/// use paramtree::transform::Positive;
/// use paramtree::{Module, Summarize};
///
/// #[derive(Module)]
/// struct Model {
///     weight: Array2<f64>,
///     #[param(transform = Positive, tag = "noise")]
///     sigma: f64,
///     #[frozen]
///     seen: u64,
/// }
///
/// let model = Model { weight: Array2::zeros((2, 3)), sigma: f64::NAN, seen: 7 };
/// let summary = model.summary();
/// assert_eq!((summary.trained_leaves(), summary.trained_elements()), (2, 7));
/// assert_eq!(
///     summary.to_string(),
///     "\
/// path    shape   type  trains         transform  tag    elements
/// weight  [2, 3]  f64   yes            -          -             6
/// sigma!  []      f64   yes            Positive   noise         1
/// seen    []      u64   no (declared)  -          -             1
/// 3 leaves with 8 elements, of which 2 leaves with 7 elements train
/// ! holds a number that is not finite: sigma
/// "
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    leaf: Leaf,
    trains: bool,
    finite: bool,
}

/// `model.summary()`, for every module.
pub trait Summarize: Module {
    /// The summary of what trains if no mask is given.
    fn summary(&self) -> Summary {
        let leaves = leaves(self);
        let trains: Vec<bool> = leaves.iter().map(Leaf::is_trainable).collect();
        Summary::new(leaves, &trains, finite(self))
    }
}

impl<M: Module + ?Sized> Summarize for M {}

impl Summary {
    /// The summary of a model under a mask.
    ///
    /// # Errors
    ///
    /// The mask is of a model of another structure.
    pub fn of<M: Module + ?Sized>(model: &M, mask: &Mask) -> Result<Self, Error> {
        mask.check(model)?;
        Ok(Self::new(leaves(model), &mask.trains, finite(model)))
    }

    fn new(leaves: Vec<Leaf>, trains: &[bool], finite: Vec<bool>) -> Self {
        let rows = leaves.into_iter().zip(trains).zip(finite);
        let row = |((leaf, trains), finite): ((Leaf, &bool), bool)| Row {
            leaf,
            trains: *trains,
            finite,
        };
        Self {
            rows: rows.map(row).collect(),
        }
    }

    /// The number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.rows.len()
    }

    /// The number of elements of all leaves.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.rows.iter().map(|row| row.leaf.elements()).sum()
    }

    /// The number of leaves that train.
    #[must_use]
    pub fn trained_leaves(&self) -> usize {
        self.trained().count()
    }

    /// The number of elements of the leaves that train.
    #[must_use]
    pub fn trained_elements(&self) -> usize {
        self.trained().map(|row| row.leaf.elements()).sum()
    }

    /// The number of coordinates of the leaves that train: the length of their flat vector.
    #[must_use]
    pub fn trained_coordinates(&self) -> usize {
        self.trained()
            .filter_map(|row| row.leaf.coordinates())
            .sum()
    }

    /// The leaves that hold an infinite number or NaN.
    pub fn non_finite(&self) -> impl Iterator<Item = &Leaf> {
        self.rows
            .iter()
            .filter(|row| !row.finite)
            .map(|row| &row.leaf)
    }

    fn trained(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.trains)
    }

    /// Prints the table to the standard output: in colour if that is a terminal and
    /// `NO_COLOR` is not set.
    ///
    /// # Errors
    ///
    /// Those of the standard output.
    pub fn print(&self) -> io::Result<()> {
        let mut out = io::stdout();
        let colour = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let mut text = String::new();
        // Writing into a string never fails.
        let _ = self.write(&mut text, colour);
        out.write_all(text.as_bytes())
    }

    fn write(&self, out: &mut impl fmt::Write, colour: bool) -> fmt::Result {
        let header = [
            "path",
            "shape",
            "type",
            "trains",
            "transform",
            "tag",
            "elements",
        ];
        let header = header.map(str::to_owned);
        let rows: Vec<Cells> = self.rows.iter().map(Row::cells).collect();
        let widths = widths(std::iter::once(&header).chain(&rows));
        write_line(out, &header, &widths, if colour { "1" } else { "" })?;
        for (row, cells) in self.rows.iter().zip(&rows) {
            let style = match (colour, row.finite, row.trains) {
                (false, ..) | (true, true, true) => "",
                (true, false, _) => "31",
                (true, true, false) => "2",
            };
            write_line(out, cells, &widths, style)?;
        }
        write!(
            out,
            "{} with {}, of which {} with {} train",
            count(self.leaves(), "leaf", "leaves"),
            count(self.elements(), "element", "elements"),
            count(self.trained_leaves(), "leaf", "leaves"),
            count(self.trained_elements(), "element", "elements"),
        )?;
        match self.trained_coordinates() {
            n if n == self.trained_elements() => writeln!(out)?,
            n => writeln!(out, " by {}", count(n, "coordinate", "coordinates"))?,
        }
        let bad: Vec<&str> = self.non_finite().map(Leaf::path).collect();
        match bad.as_slice() {
            [] => Ok(()),
            [only] => writeln!(
                out,
                "! holds a number that is not finite: {}",
                fit(only, 60)
            ),
            [first, rest @ ..] => writeln!(
                out,
                "! holds a number that is not finite: {} and {} more",
                fit(first, 40),
                rest.len()
            ),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

const COLUMNS: usize = 7;
type Cells = [String; COLUMNS];

impl Row {
    fn cells(&self) -> Cells {
        let leaf = &self.leaf;
        let dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
        [
            format!("{}{}", leaf.path, if self.finite { "" } else { "!" }),
            format!("{:?}", leaf.shape),
            leaf.dtype.to_string(),
            self.why().to_owned(),
            dash(leaf.transform()),
            dash(leaf.tag()),
            leaf.elements().to_string(),
        ]
    }

    fn why(&self) -> &'static str {
        match (self.trains, self.leaf.standing) {
            (true, _) => "yes",
            (false, Standing::Declared) => "no (declared)",
            (false, Standing::Shared) => "no (shared)",
            (false, Standing::Open) if self.leaf.dtype.is_inexact() => "no (mask)",
            (false, Standing::Open) => "no (not inexact)",
        }
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The widths of the columns: what does not fit 100 is taken from the widest of those that
/// may be cut (path, shape, transform, tag).
fn widths<'c>(lines: impl Iterator<Item = &'c Cells>) -> [usize; COLUMNS] {
    let mut widths = [0; COLUMNS];
    for cells in lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let room = 100 - 2 * (COLUMNS - 1);
    while widths.iter().sum::<usize>() > room {
        let widest = [0, 1, 4, 5]
            .into_iter()
            .max_by_key(|&i| (widths[i], COLUMNS - i));
        match widest {
            Some(i) if widths[i] > 8 => widths[i] -= 1,
            _ => break,
        }
    }
    widths
}

fn write_line(
    out: &mut impl fmt::Write,
    cells: &Cells,
    widths: &[usize; COLUMNS],
    style: &str,
) -> fmt::Result {
    let mut line = String::new();
    for (i, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let cell = if i == 0 {
            fit(cell, *width)
        } else {
            cut(cell, *width)
        };
        match i {
            0 => write!(line, "{cell:width$}")?,
            6 => write!(line, "  {cell:>width$}")?,
            _ => write!(line, "  {cell:width$}")?,
        }
    }
    match style {
        "" => writeln!(out, "{}", line.trim_end()),
        style => writeln!(out, "\x1b[{style}m{}\x1b[0m", line.trim_end()),
    }
}

/// The text, or as much of its end as fits.
fn fit(text: &str, width: usize) -> String {
    let n = text.chars().count();
    if n <= width {
        return text.to_owned();
    }
    std::iter::once('…')
        .chain(text.chars().skip(n + 1 - width))
        .collect()
}

/// The text, or as much of its beginning as fits.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars()
        .take(width.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// Whether each leaf holds finite numbers only.
fn finite<M: Module + ?Sized>(model: &M) -> Vec<bool> {
    struct Finite(Vec<bool>);
    impl<'a> Visitor<'a> for Finite {
        fn leaf<T: Element>(
            &mut self,
            leaf: LeafRef<'a, T>,
            _: At<'_>,
            _: Option<&dyn Transform<T>>,
        ) {
            self.0.push(match leaf.values() {
                Some(values) => values.iter().all(|value| value.is_finite_number()),
                None => leaf
                    .array_view()
                    .iter()
                    .all(|value| value.is_finite_number()),
            });
        }
    }
    let mut finite = Finite(Vec::new());
    model.visit(At::root(), &mut finite);
    finite.0
}
