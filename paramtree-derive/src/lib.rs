//! The derive macro of [paramtree](https://docs.rs/paramtree), which re-exports and
//! documents it.

mod ast;
mod attr;
mod bound;
mod check;
mod codegen;
mod ctxt;
mod expand;
mod manifest;
mod mentions;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

// Documented where it is re-exported, in `paramtree`.
#[allow(missing_docs)]
#[proc_macro_derive(Module, attributes(frozen, module, param))]
pub fn derive_module(input: TokenStream) -> TokenStream {
    expand::derive(input.into()).into()
}
