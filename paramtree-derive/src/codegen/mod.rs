//! The impl around the walk.

mod call;
mod visit;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Generics, Token};

use self::call::Walk;
use crate::ast::{self, Container};
use crate::bound;

/// The impl, for an input without errors.
pub(crate) fn module(container: &Container) -> TokenStream {
    let visit = visit::body(container, Walk::Shared);
    let visit_mut = visit::body(container, Walk::Mut);
    wrap(
        container,
        &bound::where_clause(container),
        &visit,
        &visit_mut,
    )
}

/// The errors, and an impl that does nothing: without it every use of the type would
/// be an error, too.
pub(crate) fn stub(container: &Container, errors: &Error) -> TokenStream {
    let errors = errors.to_compile_error();
    let nothing = TokenStream::new();
    let stub = wrap(container, &bound::declared(container), &nothing, &nothing);
    quote!(#errors #stub)
}

fn wrap(
    container: &Container,
    where_clause: &TokenStream,
    visit: &TokenStream,
    visit_mut: &TokenStream,
) -> TokenStream {
    let krate = container.krate.as_ref().map(ToTokens::to_token_stream);
    let krate = krate.unwrap_or_else(|| quote!(::paramtree));
    let generics = relocated_generics(container.generics);
    let (impl_generics, ty_generics, _) = generics.split_for_impl();
    let ident = relocated(container.ident);
    let allow = container
        .allows_deprecated
        .then(|| quote!(#[allow(deprecated)]));
    quote! {
        const _: () = {
            use #krate as __p;
            #[automatically_derived]
            #allow
            impl #impl_generics __p::Module for #ident #ty_generics #where_clause {
                #[inline]
                fn visit<'__>(&'__ self, __at: __p::At<'_>, __v: &mut impl __p::Visitor<'__>) {
                    #visit
                }
                #[inline]
                fn visit_mut<'__>(&'__ mut self, __at: __p::At<'_>, __v: &mut impl __p::VisitorMut<'__>) {
                    #visit_mut
                }
            }
        };
    }
}

/// A name of the input as generated code has it: the compiler does not warn that it
/// is deprecated.
fn relocated(ident: &Ident) -> Ident {
    let mut ident = ident.clone();
    ident.set_span(ast::located(&ident.to_token_stream()));
    ident
}

/// The brackets tell lints that the impl's parameters and bounds are generated.
fn relocated_generics(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    generics.lt_token = Some(Token![<](Span::call_site()));
    generics.gt_token = Some(Token![>](Span::call_site()));
    generics
}
