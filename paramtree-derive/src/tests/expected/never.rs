const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl __p::Module for Never {
        #[inline]
        fn visit<'__>(&'__ self, __at: __p::At<'_>, __v: &mut impl __p::Visitor<'__>) {
            match *self {}
        }
        #[inline]
        fn visit_mut<'__>(
            &'__ mut self,
            __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'__>,
        ) {
            match *self {}
        }
    }
};
