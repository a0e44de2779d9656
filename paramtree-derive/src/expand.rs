//! From the input to the output.

use proc_macro2::{Span, TokenStream};
use syn::{DeriveInput, Error};

use crate::ast::Container;
use crate::ctxt::Ctxt;
use crate::{codegen, manifest};

/// `#[derive(Module)]` as the compiler calls it.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(input) => module(&input, manifest::lacks_runtime),
        Err(error) => unread(&error).to_compile_error(),
    }
}

/// `#[derive(Module)]`, where it may lack the runtime crate.
pub(crate) fn module(input: &DeriveInput, lacks_runtime: fn() -> Option<String>) -> TokenStream {
    let mut cx = Ctxt::default();
    let container = Container::from_input(&mut cx, input);
    if container.krate.is_none()
        && let Some(message) = lacks_runtime()
    {
        cx.syn_error(Error::new(Span::call_site(), message));
        return cx
            .finish()
            .map_or_else(|it| it.to_compile_error(), |()| TokenStream::new());
    }
    match cx.finish() {
        Ok(()) => codegen::module(&container),
        Err(errors) => codegen::stub(&container, &errors),
    }
}

/// Without its `full` part, syn reads no constant in a type that has a block or an `if`.
pub(crate) fn unread(error: &Error) -> Error {
    if !error.to_string().starts_with("unsupported expression") {
        return error.clone();
    }
    let message = "the derive cannot read this expression, give it a name, as `const N: usize = …`";
    Error::new(error.span(), message)
}
