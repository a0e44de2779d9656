const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl __p::Module for Relu {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {}
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {}
    }
};
