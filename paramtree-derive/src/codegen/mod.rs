//! The impl around the walk.

mod call;
mod visit;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Generics, Lifetime, Token};

use self::call::Walk;
use crate::ast::{self, Container, Kind};
use crate::{bound, mentions};

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
    let life = fresh_lifetime(container);
    let allows = &container.allows;
    let deprecated = container
        .is_deprecated
        .then(|| quote!(#[allow(deprecated)]));
    quote! {
        const _: () = {
            use #krate as __p;
            #[automatically_derived]
            #(#[allow(#allows)])*
            #deprecated
            impl #impl_generics __p::Module for #ident #ty_generics #where_clause {
                #[inline]
                fn visit<#life>(&#life self, ref __at: __p::At<'_>, __v: &mut impl __p::Visitor<#life>) {
                    #visit
                }
                #[inline]
                fn visit_mut<#life>(&#life mut self, ref __at: __p::At<'_>, __v: &mut impl __p::VisitorMut<#life>) {
                    #visit_mut
                }
            }
        };
    }
}

/// A lifetime that is named nowhere else in the impl.
fn fresh_lifetime(container: &Container) -> Lifetime {
    let mut tokens = container.generics.params.to_token_stream();
    for field in container.fields() {
        field.ty.to_tokens(&mut tokens);
        if let Kind::Param { transform, .. } = &field.kind {
            tokens.extend(transform.tokens.clone());
        }
    }
    let mut name = "'v".to_owned();
    while mentions::lifetime(&tokens, &name[1..]) {
        name.push('_');
    }
    Lifetime::new(&name, Span::call_site())
}

/// A name of the input as generated code has it: the compiler does not warn that it
/// is deprecated.
fn relocated(ident: &Ident) -> Ident {
    let span = ast::located(&ident.to_token_stream());
    // There it is of the derive's edition, of which these are keywords.
    for keyword in ["async", "await", "dyn", "gen", "try"] {
        if ident == keyword {
            return Ident::new_raw(keyword, span);
        }
    }
    let mut ident = ident.clone();
    ident.set_span(span);
    ident
}

/// The brackets tell lints that the impl's parameters and bounds are generated.
fn relocated_generics(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    generics.lt_token = Some(Token![<](Span::call_site()));
    generics.gt_token = Some(Token![>](Span::call_site()));
    generics
}
