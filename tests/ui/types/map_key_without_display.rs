//! A key is a part of the path.

use std::collections::BTreeMap;

use paramtree::Module;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

#[derive(Module)]
struct Net {
    heads: BTreeMap<Key, f64>,
}

fn main() {}
