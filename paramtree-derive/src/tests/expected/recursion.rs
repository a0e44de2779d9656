const _: () = {
    use ::paramtree as __p;
    #[automatically_derived]
    #[allow(non_camel_case_types)]
    impl<'v, K, V, S> __p::Module for tree<'v, K, V, S>
    where
        &'v mut V: __p::Module,
        K: ::core::cmp::Ord + ::core::fmt::Display,
        V: __p::Module,
        nn::tree<V>: __p::Module,
    {
        #[inline]
        fn visit<'v_>(
            &'v_ self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::Visitor<'v_>,
        ) {
            match self {
                Self::Leaf(__0) => {
                    __v.choice(0);
                    <&'v mut V as __p::Module>::visit(__0, __at.variant("Leaf"), __v);
                }
                Self::Map(__0) => {
                    __v.choice(1);
                    <HashMap<
                        K,
                        (V, Box<Self>),
                        S,
                    > as __p::Module>::visit(__0, __at.variant("Map"), __v);
                }
                Self::Other(__0) => {
                    __v.choice(2);
                    <nn::tree<V> as __p::Module>::visit(__0, __at.variant("Other"), __v);
                }
            }
        }
        #[inline]
        fn visit_mut<'v_>(
            &'v_ mut self,
            ref __at: __p::At<'_>,
            __v: &mut impl __p::VisitorMut<'v_>,
        ) {
            match self {
                Self::Leaf(__0) => {
                    __v.choice(0);
                    <&'v mut V as __p::Module>::visit_mut(
                        __0,
                        __at.variant("Leaf"),
                        __v,
                    );
                }
                Self::Map(__0) => {
                    __v.choice(1);
                    <HashMap<
                        K,
                        (V, Box<Self>),
                        S,
                    > as __p::Module>::visit_mut(__0, __at.variant("Map"), __v);
                }
                Self::Other(__0) => {
                    __v.choice(2);
                    <nn::tree<
                        V,
                    > as __p::Module>::visit_mut(__0, __at.variant("Other"), __v);
                }
            }
        }
    }
};
