//! What the compiler says to whoever misuses the derive: one misuse for each file in `ui/`,
//! in the folder of the attribute or else of the thing that is misused.
//!
//! `TRYBUILD=overwrite cargo test --test ui` rewrites the `.stderr` files, which are meant to
//! be read: one error, at the token to change, that says the way out.

#[test]
fn ui() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}
