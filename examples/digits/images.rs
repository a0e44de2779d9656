//! Scanned digits: reading them, setting some aside, turning them.

use std::error::Error;
use std::fs;
use std::path::Path;

use ndarray::{Array2, Axis};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Pixels along an image's side.
const SIDE: usize = 8;
pub(crate) const PIXELS: usize = SIDE * SIDE;
/// The digits are 0 to 9.
pub(crate) const CLASSES: usize = 10;

/// Images, each with the digit that it shows.
#[derive(Clone)]
pub(crate) struct Digits {
    /// An image a row, its pixels from the upper left on, from 0 to 16.
    pub(crate) images: Array2<f64>,
    pub(crate) labels: Vec<usize>,
}

/// Images to learn from, and others to see what was learnt.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    pub(crate) train: Digits,
    pub(crate) held_out: Digits,
}

impl Digits {
    /// Reads a file of lines of 64 pixels and a digit.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let (mut pixels, mut labels) = (Vec::new(), Vec::new());
        for (number, line) in text.lines().enumerate() {
            let label = parse_line(line, &mut pixels)
                .ok_or_else(|| format!("{}:{}: {line:?}", path.display(), number + 1))?;
            labels.push(label);
        }
        let images = Array2::from_shape_vec((labels.len(), PIXELS), pixels)?;
        Ok(Self { images, labels })
    }

    /// How many there are, to divide by.
    #[expect(clippy::cast_precision_loss, reason = "images, far below 2^52")]
    pub(crate) fn count(&self) -> f64 {
        self.labels.len() as f64
    }

    /// Those at some places.
    fn select(&self, places: &[usize]) -> Self {
        Self {
            images: self.images.select(Axis(0), places),
            labels: places.iter().map(|&place| self.labels[place]).collect(),
        }
    }

    /// All of them in random order, some at a time.
    pub(crate) fn batches(&self, size: usize, random: &mut Pcg64) -> impl Iterator<Item = Self> {
        let places = shuffled(self.labels.len(), random);
        let starts = (0..places.len()).step_by(size);
        starts.map(move |start| self.select(&places[start..places.len().min(start + size)]))
    }

    /// The same, turned clockwise by a quarter.
    fn turned(&self) -> Self {
        let from = |pixel| (SIDE - 1 - pixel % SIDE) * SIDE + pixel / SIDE;
        let from: Vec<usize> = (0..PIXELS).map(from).collect();
        Self {
            images: self.images.select(Axis(1), &from),
            labels: self.labels.clone(),
        }
    }
}

impl Task {
    /// Holds out a fifth, by chance.
    pub(crate) fn upright(digits: &Digits, random: &mut Pcg64) -> Self {
        let places = shuffled(digits.labels.len(), random);
        let (held_out, train) = places.split_at(places.len() / 5);
        Self {
            name: "upright",
            train: digits.select(train),
            held_out: digits.select(held_out),
        }
    }

    /// The same pages, laid on the scanner sideways.
    pub(crate) fn turned(&self) -> Self {
        Self {
            name: "turned",
            train: self.train.turned(),
            held_out: self.held_out.turned(),
        }
    }
}

fn parse_line(line: &str, pixels: &mut Vec<f64>) -> Option<usize> {
    let (image, label) = line.rsplit_once(',')?;
    let before = pixels.len();
    for pixel in image.split(',') {
        pixels.push(pixel.parse().ok().filter(|p| (0.0..=16.0).contains(p))?);
    }
    let label = label.parse().ok().filter(|&label| label < CLASSES)?;
    (pixels.len() - before == PIXELS).then_some(label)
}

fn shuffled(count: usize, random: &mut Pcg64) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by_cached_key(|_| random.next_u64());
    places
}
