const _: () = {
    use facade::paramtree as __p;
    #[automatically_derived]
    #[allow(deprecated)]
    impl<T> __p::Module for All<T>
    where
        T: Module,
    {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {
            <T as __p::Module>::visit(
                &self.theta,
                __at.field("θ").tagged("kernel"),
                __v,
            );
            <f64 as __p::Param>::visit_param(
                &self.x,
                &Interval::new(0.0, self.upper),
                __at.field("x").frozen(),
                __v,
            );
            <f64 as __p::Param>::visit_param(
                &self.r#type,
                &(Exp + Shift(1.0)),
                __at.field("type").tagged("kernel"),
                __v,
            );
            <str as __p::Constant>::visit_frozen(
                self.name,
                __at.field("name").shared(),
                __v,
            );
        }
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {
            let __1: &dyn __p::Transform<<f64 as __p::Param>::Elem> = &Interval::new(
                0.0,
                self.upper,
            );
            <T as __p::Module>::visit_mut(
                &mut self.theta,
                __at.field("θ").tagged("kernel"),
                __v,
            );
            <f64 as __p::Param>::visit_param_mut(
                &mut self.x,
                __1,
                __at.field("x").frozen(),
                __v,
            );
            <f64 as __p::Param>::visit_param_mut(
                &mut self.r#type,
                &(Exp + Shift(1.0)),
                __at.field("type").tagged("kernel"),
                __v,
            );
            <str as __p::Constant>::visit_shared(
                self.name,
                __at.field("name").shared(),
                __v,
            );
        }
    }
};
