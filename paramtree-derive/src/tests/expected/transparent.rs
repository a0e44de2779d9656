const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl<T> __p::Module for Meters<T>
    where
        T: __p::Module,
    {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {
            <T as __p::Module>::visit(&self.0, (*__at).tagged("length"), __v);
        }
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {
            <T as __p::Module>::visit_mut(&mut self.0, (*__at).tagged("length"), __v);
        }
    }
};
