const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl<'a, T: Clone, U, const N: usize> __p::Module for Net<'a, T, U, N>
    where
        U: Copy,
        [T; N]: __p::Module,
        [U]: __p::Constant,
        T: __p::Param,
        U: __p::Module,
    {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {
            <[T; N] as __p::Module>::visit(&self.weights, __at.field("weights"), __v);
            <[T; N] as __p::Module>::visit(&self.again, __at.field("again"), __v);
            <[U] as __p::Constant>::visit_frozen(
                self.data,
                __at.field("data").shared(),
                __v,
            );
            <T as __p::Param>::visit_param(
                &self.scale,
                &Positive,
                __at.field("scale"),
                __v,
            );
            <Vec<
                (U, Option<Box<Net<'a, T, U, N>>>),
            > as __p::Module>::visit(&self.next, __at.field("next"), __v);
            <f64 as __p::Module>::visit(&self.plain, __at.field("plain"), __v);
        }
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {
            <[T; N] as __p::Module>::visit_mut(
                &mut self.weights,
                __at.field("weights"),
                __v,
            );
            <[T; N] as __p::Module>::visit_mut(
                &mut self.again,
                __at.field("again"),
                __v,
            );
            <[U] as __p::Constant>::visit_shared(
                self.data,
                __at.field("data").shared(),
                __v,
            );
            <T as __p::Param>::visit_param_mut(
                &mut self.scale,
                &Positive,
                __at.field("scale"),
                __v,
            );
            <Vec<
                (U, Option<Box<Net<'a, T, U, N>>>),
            > as __p::Module>::visit_mut(&mut self.next, __at.field("next"), __v);
            <f64 as __p::Module>::visit_mut(&mut self.plain, __at.field("plain"), __v);
        }
    }
};
