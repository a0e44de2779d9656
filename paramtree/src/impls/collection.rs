//! `Option`, sequences and maps: branches, unless they are sequences of numbers.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Display;

use crate::at::At;
use crate::hash::hash;
use crate::module::{Module, Param, Visitor, VisitorMut};

impl<M: Module> Module for Option<M> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        visitor.choice(u64::from(self.is_some()));
        if let Some(inner) = self {
            inner.visit(at, visitor);
        }
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        visitor.choice(u64::from(self.is_some()));
        if let Some(inner) = self {
            inner.visit_mut(at, visitor);
        }
    }
}

impl<M: Module> Module for [M] {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        M::visit_slice(self, at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        M::visit_slice_mut(self, at, visitor);
    }
}

impl<M: Module, const N: usize> Module for [M; N] {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        M::visit_slice(self, at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        M::visit_slice_mut(self, at, visitor);
    }
}

impl<M: Module> Module for Vec<M> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        M::visit_slice(self, at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        M::visit_vec_mut(self, at, visitor);
    }
}

/// Not contiguous: every element is a place of its own, numbers too.
impl<M: Module> Module for VecDeque<M> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        visitor.choice(self.len() as u64);
        for (i, item) in self.iter().enumerate() {
            item.visit(at.index(i), visitor);
        }
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        visitor.choice(self.len() as u64);
        for (i, item) in self.iter_mut().enumerate() {
            item.visit_mut(at.index(i), visitor);
        }
    }
}

impl<K: Ord + Display, M: Module> Module for BTreeMap<K, M> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        visitor.choice(self.len() as u64);
        for (key, item) in self {
            visitor.choice(hash(key));
            item.visit(at.entry(key), visitor);
        }
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        visitor.choice(self.len() as u64);
        for (key, item) in self {
            visitor.choice(hash(key));
            item.visit_mut(at.entry(key), visitor);
        }
    }
}

/// Walked in the order of the keys, which are sorted on every walk.
impl<K: Ord + Display, M: Module, S> Module for HashMap<K, M, S> {
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_unstable_by_key(|&(key, _)| key);
        visitor.choice(entries.len() as u64);
        for (key, item) in entries {
            visitor.choice(hash(key));
            item.visit(at.entry(key), visitor);
        }
    }

    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        let mut entries: Vec<_> = self.iter_mut().collect();
        entries.sort_unstable_by(|a, b| a.0.cmp(b.0));
        visitor.choice(entries.len() as u64);
        for (key, item) in entries {
            visitor.choice(hash(key));
            item.visit_mut(at.entry(key), visitor);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<P: Param> Param for Option<P> {
    type Elem = P::Elem;
}

#[diagnostic::do_not_recommend]
impl<P: Param> Param for [P] {
    type Elem = P::Elem;
}

#[diagnostic::do_not_recommend]
impl<P: Param, const N: usize> Param for [P; N] {
    type Elem = P::Elem;
}

#[diagnostic::do_not_recommend]
impl<P: Param> Param for Vec<P> {
    type Elem = P::Elem;
}

#[diagnostic::do_not_recommend]
impl<P: Param> Param for VecDeque<P> {
    type Elem = P::Elem;
}

#[diagnostic::do_not_recommend]
impl<K: Ord + Display, P: Param> Param for BTreeMap<K, P> {
    type Elem = P::Elem;
}

#[diagnostic::do_not_recommend]
impl<K: Ord + Display, P: Param, S> Param for HashMap<K, P, S> {
    type Elem = P::Elem;
}
