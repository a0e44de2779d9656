//! The derive macro of [paramtree](https://docs.rs/paramtree), which re-exports and
//! documents it.

mod ast;
mod attr;
mod bound;
mod check;
mod codegen;
mod ctxt;
mod expand;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

// Documented where it is re-exported, in `paramtree`.
#[allow(missing_docs)]
#[proc_macro_derive(Module, attributes(frozen, module, param))]
pub fn derive_module(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::module(&input).into()
}
