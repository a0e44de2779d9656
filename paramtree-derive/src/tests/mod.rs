//! What is emitted: one small input for each file in `expected/`.
//!
//! `BLESS=1 cargo test -p paramtree-derive` rewrites the files.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

fn expanded(input: TokenStream) -> String {
    let input: DeriveInput = syn::parse2(input).expect("the input of a test is an item");
    let file = syn::parse2(crate::expand::module(&input, || None)).expect("the output is a file");
    prettyplease::unparse(&file)
}

#[track_caller]
fn check(name: &str, input: TokenStream) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("src/tests/expected")
        .join(name)
        .with_extension("rs");
    let actual = expanded(input);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, actual).expect("the expansion can be written");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "{} differs, BLESS=1 rewrites it. Now it is:\n{actual}",
        path.display()
    );
}

#[test]
fn named_struct() {
    let input = quote! {
        struct Kernel {
            weights: Array1<f64>,
            bias: f64,
            #[frozen]
            period: f64,
            #[param(transform = Positive)]
            tau: f64,
            inner: Option<Box<Rbf>>,
        }
    };
    check("named", input.clone());
    if let Some(formatted) = rustfmt(&expanded(input)) {
        let lines = formatted.lines().count();
        assert!(lines <= 25, "five fields take {lines} lines:\n{formatted}");
    }
}

/// As a reader would see it, if rustfmt is installed: prettyplease breaks more lines.
fn rustfmt(code: &str) -> Option<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    rustfmt.stdin.take()?.write_all(code.as_bytes()).ok()?;
    let output = rustfmt.wait_with_output().ok()?;
    output.status.success().then_some(())?;
    String::from_utf8(output.stdout).ok()
}

#[test]
fn tuple_struct() {
    check(
        "tuple",
        quote! {
            struct Pair(f64, #[param(skip)] Rng, #[frozen] usize, #[param(rename = "last")] f64);
        },
    );
}

#[test]
fn unit_struct() {
    check(
        "unit",
        quote!(
            struct Relu;
        ),
    );
}

#[test]
fn enum_of_all_shapes() {
    check(
        "enum",
        quote! {
            enum Act {
                Relu,
                Prelu { slope: f64, #[param(skip)] seen: u64 },
                #[param(rename = "poly")]
                Poly(Vec<f64>),
                Two(f64, #[param(skip)] Rng, #[frozen] &'static [f64]),
            }
        },
    );
}

#[test]
fn enum_without_variants() {
    check(
        "never",
        quote!(
            enum Never {}
        ),
    );
}

#[test]
fn generics() {
    check(
        "generics",
        quote! {
            struct Net<'a, T: Clone = f64, U, const N: usize = 3>
            where
                U: Copy,
            {
                weights: [T; N],
                again: [T; N],
                #[frozen]
                data: &'a [U],
                #[param(transform = Positive)]
                scale: T,
                #[param(skip)]
                cache: Cache<U>,
                next: Vec<(U, Option<Box<Net<'a, T, U, N>>>)>,
                plain: f64,
            }
        },
    );
}

/// Only what stands beside the enum is bounded, and `nn::Tree` is another type.
#[test]
fn recursion() {
    check(
        "recursion",
        quote! {
            #[allow(non_camel_case_types)]
            enum tree<'v, K, V, S> {
                Leaf(&'v mut V),
                Map(HashMap<K, (V, Box<Self>), S>),
                Other(nn::tree<V>),
            }
        },
    );
}

#[test]
fn attributes() {
    check(
        "attributes",
        quote! {
            #[module(crate = facade::paramtree, bound = "T: Module")]
            struct All<T> {
                #[param(tag = "kernel", rename = "θ")]
                theta: T,
                #[frozen]
                #[param(transform = Interval::new(0.0, self.upper))]
                x: f64,
                #[param(transform = Exp + Shift(1.0), tag = "kernel")]
                r#type: f64,
                #[param(skip)]
                upper: f64,
                #[deprecated]
                #[frozen]
                name: &'static str,
            }
        },
    );
}

#[test]
fn transparent() {
    check(
        "transparent",
        quote! {
            #[module(transparent)]
            struct Meters<T>(#[param(tag = "length")] T, #[param(skip)] PhantomData<T>);
        },
    );
}

#[test]
fn mistakes() {
    check(
        "mistakes",
        quote! {
            #[module(crate = "facade", bound = "T: Module")]
            struct Wrong<T> {
                #[param(transfrom = "Positive", skip)]
                a: T,
                #[frozen]
                #[frozen]
                b: f64,
            }
        },
    );
}

/// Not tried out: prettyplease turns on that part of syn.
#[test]
fn constants_that_syn_cannot_read() {
    let span = proc_macro2::Span::call_site();
    let error = |message: &str| crate::expand::unread(&syn::Error::new(span, message)).to_string();
    let told = error("unsupported expression; enable syn's features=[\"full\"]");
    assert!(
        told.ends_with("give it a name, as `const N: usize = …`"),
        "{told}"
    );
    assert_eq!(error("expected `>`"), "expected `>`");
}

#[test]
fn packages_without_the_runtime() {
    let lacks_runtime = || Some("say where it is".to_owned());
    let of = |input| crate::expand::module(&syn::parse2(input).expect("an item"), lacks_runtime);
    let lost = of(quote!(
        struct Net;
    ))
    .to_string();
    assert!(
        lost.contains("say where it is") && !lost.contains("impl"),
        "{lost}"
    );
    let found = of(quote!(
        #[module(crate = pt)]
        struct Net;
    ))
    .to_string();
    assert!(
        found.contains("impl") && !found.contains("error"),
        "{found}"
    );
}
