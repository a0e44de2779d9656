const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl<T> __p::Module for Meters<T>
    where
        T: __p::Module,
    {
        #[inline]
        fn visit<'__>(&'__ self, __at: __p::At<'_>, __v: &mut impl __p::Visitor<'__>) {
            <T as __p::Module>::visit(&self.0, __at.tagged("length"), __v);
        }
        #[inline]
        fn visit_mut<'__>(
            &'__ mut self,
            __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'__>,
        ) {
            <T as __p::Module>::visit_mut(&mut self.0, __at.tagged("length"), __v);
        }
    }
};
