::core::compile_error! {
    "write it without quotes, `crate = facade`"
}
::core::compile_error! {
    "unknown key `transfrom`, expected `transform` (or `skip`, `rename`, `tag`)"
}
::core::compile_error! {
    "write it without quotes, `transform = Positive`"
}
::core::compile_error! {
    "`#[frozen]` is given twice, keep one"
}
const _: () = {
    use facade as __p;
    #[automatically_derived]
    impl<T> __p::Module for Wrong<T>
    where
        T: Module,
    {
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
