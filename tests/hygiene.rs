//! Generated code names everything by its full path: it compiles where the prelude, and all
//! that could be imported, is absent or means something else.

#![no_implicit_prelude]

use ::core::assert_eq;

#[allow(dead_code, unreachable_pub)]
mod shadow {
    //! Names of the prelude, taken by the user.

    pub type Result = ::core::result::Result<(), ()>;
    pub struct Option;
    pub struct Vec;
    pub struct Box;
    pub struct String;
    pub trait Clone {}
    pub trait Iterator {}
    pub trait Default {}
    pub trait ToString {}
    pub trait Into {}
    pub trait Module {}
    pub trait Sized {}
    pub trait Ord {}
    pub trait Display {}
    #[allow(unused_macros)]
    macro_rules! vec {
        () => {
            compile_error!("the derive used it")
        };
    }
    #[allow(unused_macros)]
    macro_rules! format {
        () => {
            compile_error!("the derive used it")
        };
    }
    #[derive(::paramtree::Module)]
    pub struct S {
        pub a: f64,
        pub b: ::std::vec::Vec<f64>,
        pub c: ::core::option::Option<::std::boxed::Box<f64>>,
        #[frozen]
        pub d: ::std::sync::Arc<f64>,
        #[param(transform = ::paramtree::transform::Positive)]
        pub e: f64,
        #[param(transform = ::paramtree::transform::Interval::new(0, self.a))]
        pub f: f64,
    }
    #[derive(::paramtree::Module)]
    pub enum E {
        Some(f64),
        None,
        Ok(#[param(transform = ::paramtree::transform::Positive)] f64),
        Err { error: f64 },
    }
    #[derive(::paramtree::Module)]
    pub struct Trie<K, V> {
        pub value: V,
        pub kids: ::std::collections::HashMap<K, Trie<K, V>>,
    }
}

#[allow(unreachable_pub)]
mod bare {
    //! No prelude, and primitive types that the user has taken.

    #[derive(::paramtree::Module)]
    pub struct S {
        pub w: f64,
        pub o: ::std::option::Option<f64>,
        pub v: ::std::vec::Vec<f64>,
        pub h: ::std::collections::HashMap<::std::string::String, f64>,
    }
    #[derive(::paramtree::Module)]
    pub enum E {
        A(f64),
        B { x: ::std::boxed::Box<f64> },
        C,
    }
    #[derive(::paramtree::Module)]
    pub enum Never {}
    #[derive(::paramtree::Module)]
    pub struct Generic<'a, T, const N: usize> {
        #[frozen]
        pub data: &'a [T],
        pub w: [T; N],
    }

    #[allow(non_camel_case_types, dead_code)]
    mod primitive {
        pub struct str;
        pub struct usize;
        pub struct u64;
        pub struct bool;
        #[derive(::paramtree::Module)]
        pub struct f64(pub ::core::primitive::f64);
        #[derive(::paramtree::Module)]
        pub(super) enum Own {
            A(f64, ::core::primitive::f64),
            #[param(rename = "b")]
            B {
                #[param(tag = "tag")]
                w: f64,
            },
        }
    }

    #[::core::prelude::v1::test]
    fn primitive_types_may_be_taken() {
        let own = primitive::Own::A(primitive::f64(1.0), 2.0);
        super::assert_eq!(super::flat(&own), [1.0, 2.0]);
    }
}

#[allow(dead_code, unreachable_pub)]
mod ambient {
    //! Traits in scope whose methods apply to everything.

    pub trait Everything {
        fn visit(&self) {}
        fn visit_mut(&mut self) {}
        fn visit_frozen(&self) {}
        fn visit_param(&self) {}
        fn field(&self) {}
        fn index(&self) {}
        fn variant(&self) {}
        fn frozen(&self) {}
        fn tagged(&self) {}
        fn choice(&self) {}
        fn borrow(&self) {}
        fn clone(&self) {}
        fn into(&self) {}
    }
    impl<T: ?::core::marker::Sized> Everything for T {}

    /// These are found at an earlier step.
    pub trait ByValue: ::core::marker::Sized {
        fn visit(self) {}
        fn field(self, _: &str) {}
        fn index(self, _: usize) {}
        fn variant(self, _: &str) {}
        fn frozen(self) {}
        fn shared(self) {}
        fn tagged(self, _: &str) {}
        fn choice(self, _: u64) {}
    }
    impl<T> ByValue for T {}

    #[derive(::paramtree::Module)]
    pub struct S {
        #[param(tag = "t")]
        pub w: f64,
        #[frozen]
        #[param(transform = ::paramtree::transform::Positive)]
        pub k: f64,
        pub e: E,
    }
    #[derive(::paramtree::Module)]
    pub enum E {
        A(f64, #[frozen] f64),
        B {
            #[param(tag = "t")]
            x: f64,
        },
        C(#[param(tag = "t")] T<f64>),
    }
    #[derive(::paramtree::Module)]
    #[module(transparent)]
    pub struct T<P>(
        #[frozen]
        #[param(tag = "t")]
        pub P,
    );
}

fn flat(model: &impl ::paramtree::Module) -> ::std::vec::Vec<f64> {
    let layout = ::paramtree::Layout::of(model);
    let x = layout.and_then(|layout| layout.flatten(model));
    x.expect("the flat vector")
}

#[::core::prelude::v1::test]
fn prelude_names_may_be_taken() {
    let model = shadow::S {
        a: 2.0,
        b: ::std::vec![3.0],
        c: ::core::option::Option::None,
        d: ::std::sync::Arc::new(4.0),
        e: 1.0,
        f: 1.0,
    };
    // ln 1 = 0, and 1 is the middle of (0, 2).
    assert_eq!(flat(&model), [2.0, 3.0, 0.0, 0.0]);
    assert_eq!(flat(&shadow::E::Some(1.0)), [1.0]);
    assert_eq!(flat(&shadow::E::Ok(1.0)), [0.0]);
    assert_eq!(flat(&shadow::E::Err { error: 1.0 }), [1.0]);
    assert_eq!(flat(&shadow::E::None), [0.0; 0]);
    let trie = shadow::Trie {
        value: 1.0,
        kids: ::std::collections::HashMap::<u8, _>::new(),
    };
    assert_eq!(flat(&trie), [1.0]);
}

#[::core::prelude::v1::test]
fn the_prelude_may_be_absent() {
    let model = bare::S {
        w: 1.0,
        o: ::core::option::Option::Some(2.0),
        v: ::std::vec![3.0],
        h: ::std::collections::HashMap::new(),
    };
    assert_eq!(flat(&model), [1.0, 2.0, 3.0]);
    let boxed = ::std::boxed::Box::new(1.0);
    assert_eq!(flat(&bare::E::A(1.0)), [1.0]);
    assert_eq!(flat(&bare::E::B { x: boxed }), [1.0]);
    assert_eq!(flat(&bare::E::C), [0.0; 0]);
    let none: ::core::option::Option<bare::Never> = ::core::option::Option::None;
    assert_eq!(flat(&none), [0.0; 0]);
    let generic = bare::Generic {
        data: &[1.0],
        w: [2.0],
    };
    assert_eq!(flat(&generic), [2.0]);
}

#[::core::prelude::v1::test]
fn methods_in_scope_are_not_called() {
    let model = ambient::S {
        w: 1.0,
        k: 2.0,
        e: ambient::E::A(3.0, 4.0),
    };
    assert_eq!(flat(&model), [1.0, 3.0]);
}
