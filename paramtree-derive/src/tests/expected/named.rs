const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl __p::Module for Kernel {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {
            <Array1<
                f64,
            > as __p::Module>::visit(&self.weights, __at.field("weights"), __v);
            <f64 as __p::Module>::visit(&self.bias, __at.field("bias"), __v);
            <f64 as __p::Constant>::visit_frozen(
                &self.period,
                __at.field("period"),
                __v,
            );
            <f64 as __p::Param>::visit_param(
                &self.tau,
                &Positive,
                __at.field("tau"),
                __v,
            );
            <Option<
                Box<Rbf>,
            > as __p::Module>::visit(&self.inner, __at.field("inner"), __v);
        }
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {
            <Array1<
                f64,
            > as __p::Module>::visit_mut(&mut self.weights, __at.field("weights"), __v);
            <f64 as __p::Module>::visit_mut(&mut self.bias, __at.field("bias"), __v);
            <f64 as __p::Constant>::visit_frozen_mut(
                &mut self.period,
                __at.field("period"),
                __v,
            );
            <f64 as __p::Param>::visit_param_mut(
                &mut self.tau,
                &Positive,
                __at.field("tau"),
                __v,
            );
            <Option<
                Box<Rbf>,
            > as __p::Module>::visit_mut(&mut self.inner, __at.field("inner"), __v);
        }
    }
};
