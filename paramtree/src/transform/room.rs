//! Room for intermediate values.

use std::ops::{Deref, DerefMut};

use crate::real::Real;

/// As many elements as a matrix of 8 rows and columns has.
const STACK: usize = 64;

/// A slice to work in: on the stack while it is small.
#[derive(Clone)]
pub(super) struct Room<T> {
    stack: [T; STACK],
    heap: Vec<T>,
    len: usize,
}

impl<T: Real> Room<T> {
    /// Of zeros.
    #[inline]
    pub(super) fn new(len: usize) -> Self {
        Self::filled(T::from_f64(0.0), len)
    }
}

impl<T: Copy> Room<T> {
    #[inline]
    pub(super) fn filled(value: T, len: usize) -> Self {
        let heap = if len > STACK {
            vec![value; len]
        } else {
            Vec::new()
        };
        Self {
            stack: [value; STACK],
            heap,
            len,
        }
    }
}

impl<T> Deref for Room<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        if self.len > STACK {
            &self.heap
        } else {
            &self.stack[..self.len]
        }
    }
}

impl<T> DerefMut for Room<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.len > STACK {
            &mut self.heap
        } else {
            &mut self.stack[..self.len]
        }
    }
}
