const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl __p::Module for Pair {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {
            <f64 as __p::Module>::visit(&self.0, __at.index(0), __v);
            <usize as __p::Constant>::visit_frozen(&self.2, __at.index(2), __v);
            <f64 as __p::Module>::visit(&self.3, __at.field("last"), __v);
        }
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {
            <f64 as __p::Module>::visit_mut(&mut self.0, __at.index(0), __v);
            <usize as __p::Constant>::visit_frozen_mut(&mut self.2, __at.index(2), __v);
            <f64 as __p::Module>::visit_mut(&mut self.3, __at.field("last"), __v);
        }
    }
};
