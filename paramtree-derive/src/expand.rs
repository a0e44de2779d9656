//! From the input to the output.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::ast::Container;
use crate::codegen;
use crate::ctxt::Ctxt;

/// `#[derive(Module)]`.
pub(crate) fn module(input: &DeriveInput) -> TokenStream {
    let mut cx = Ctxt::default();
    let container = Container::from_input(&mut cx, input);
    match cx.finish() {
        Ok(()) => codegen::module(&container),
        Err(errors) => codegen::stub(&container, &errors),
    }
}
