const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    impl __p::Module for Act {
        #[inline]
        fn visit<'v>(&'v self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<'v>) {
            match self {
                Self::Relu => __v.choice(0),
                Self::Prelu { slope: __0, .. } => {
                    __v.choice(1);
                    <f64 as __p::Module>::visit(
                        __0,
                        (&__at.variant("Prelu")).field("slope"),
                        __v,
                    );
                }
                Self::Poly(__0) => {
                    __v.choice(2);
                    <Vec<f64> as __p::Module>::visit(__0, __at.variant("poly"), __v);
                }
                Self::Two(__0, _, __2) => {
                    __v.choice(3);
                    <f64 as __p::Module>::visit(
                        __0,
                        (&__at.variant("Two")).index(0),
                        __v,
                    );
                    <[f64] as __p::Constant>::visit_frozen(
                        *__2,
                        (&__at.variant("Two")).index(2).shared(),
                        __v,
                    );
                }
            }
        }
        #[inline]
        fn visit_mut<'v>(
            &'v mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v>,
        ) {
            match self {
                Self::Relu => __v.choice(0),
                Self::Prelu { slope: __0, .. } => {
                    __v.choice(1);
                    <f64 as __p::Module>::visit_mut(
                        __0,
                        (&__at.variant("Prelu")).field("slope"),
                        __v,
                    );
                }
                Self::Poly(__0) => {
                    __v.choice(2);
                    <Vec<f64> as __p::Module>::visit_mut(__0, __at.variant("poly"), __v);
                }
                Self::Two(__0, _, __2) => {
                    __v.choice(3);
                    <f64 as __p::Module>::visit_mut(
                        __0,
                        (&__at.variant("Two")).index(0),
                        __v,
                    );
                    <[f64] as __p::Constant>::visit_shared(
                        *__2,
                        (&__at.variant("Two")).index(2).shared(),
                        __v,
                    );
                }
            }
        }
    }
};
