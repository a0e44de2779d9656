//! `Module` for the types that models are made of.

mod array;
mod collection;
mod nothing;
mod number;
mod pointer;
mod tuple;
