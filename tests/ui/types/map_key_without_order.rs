//! Entries are walked in the order of their keys.

use std::collections::HashMap;
use std::fmt;

use paramtree::Module;

#[derive(PartialEq, Eq, Hash)]
struct Key(u64);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Module)]
struct Net {
    heads: HashMap<Key, f64>,
}

fn main() {}
