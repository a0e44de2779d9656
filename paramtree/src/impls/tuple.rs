//! Tuples, of up to ten members.

use crate::at::At;
use crate::module::{Module, Visitor, VisitorMut};

macro_rules! tuple {
    ($($member:ident $i:tt),*) => {
        impl<$($member: Module),*> Module for ($($member,)*) {
            #[inline]
            fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
                $(self.$i.visit(at.index($i), visitor);)*
            }

            #[inline]
            fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                $(self.$i.visit_mut(at.index($i), visitor);)*
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
