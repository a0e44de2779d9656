//! The call that walks one field.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use crate::ast::{self, Field, Kind, Place};
use crate::attr::Transform;

/// Which of the two walks is written.
#[derive(Clone, Copy)]
pub(super) enum Walk {
    Shared,
    Mut,
}

/// Where a field is found.
pub(super) struct Source {
    /// A reference to the field.
    pub(super) reference: TokenStream,
    /// The field, for one that is a reference itself.
    pub(super) value: TokenStream,
    /// The `At` of the struct or variant.
    pub(super) at: TokenStream,
    /// A reference to that: on it, `field` and `index` are found before methods of these
    /// names that the user has for all types.
    pub(super) at_ref: TokenStream,
    /// A reference to the transform.
    pub(super) transform: TokenStream,
}

/// For a field that is walked:
///
/// ```text
/// <f64 as __p::Module>::visit(&self.w, __at.field("w"), __v);
/// <f64 as __p::Param>::visit_param(&self.s, &Positive, __at.field("s"), __v);
/// ```
pub(super) fn call(field: &Field, walk: Walk, source: &Source) -> Option<TokenStream> {
    let Source {
        reference,
        value,
        at,
        at_ref,
        transform,
    } = source;
    let mut at = match &field.place {
        Place::Name(name) => quote!(#at_ref.field(#name)),
        Place::Index(index) => quote!(#at_ref.index(#index)),
        Place::Parent => at.clone(),
    };
    if let Some(tag) = &field.tag {
        at = quote!(#at.tagged(#tag));
    }
    let ty = field.ty.to_token_stream();
    let span = ast::located(&ty);
    let method = |shared, mutable| {
        let name = match walk {
            Walk::Shared => shared,
            Walk::Mut => mutable,
        };
        Ident::new(name, span)
    };
    Some(match &field.kind {
        Kind::Module => {
            let visit = method("visit", "visit_mut");
            quote_spanned!(span=> <#ty as __p::Module>::#visit(#reference, #at, __v);)
        }
        Kind::Frozen => {
            let visit = method("visit_frozen", "visit_frozen_mut");
            quote_spanned!(span=> <#ty as __p::Constant>::#visit(#reference, #at, __v);)
        }
        Kind::Borrowed(ty) => {
            let visit = method("visit_frozen", "visit_shared");
            let at = quote!(#at.shared());
            quote_spanned!(span=> <#ty as __p::Constant>::#visit(#value, #at, __v);)
        }
        Kind::Param {
            transform: _,
            frozen,
        } => {
            let visit = method("visit_param", "visit_param_mut");
            let at = if *frozen { quote!(#at.frozen()) } else { at };
            quote_spanned!(span=> <#ty as __p::Param>::#visit(#reference, #transform, #at, __v);)
        }
        Kind::Skipped => return None,
    })
}

/// The reference to a transform. It stands where the expression stands: errors
/// underline all of that, and the compiler shows the equal ones of the two walks once.
pub(super) fn borrow(transform: &Transform) -> TokenStream {
    let tokens = transform.tokens.clone();
    let (first, last) = ends(&tokens);
    if transform.is_atom {
        return quote_spanned!(first=> &#tokens);
    }
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(last);
    quote_spanned!(first=> &#group)
}

/// ```text
/// let __1: &dyn __p::Transform<<f64 as __p::Param>::Elem> = &Interval::new(0.0, self.upper);
/// ```
///
/// The type says the element, as the call in the other walk does, and stands where the
/// field's type stands: thus the errors of the two are equal.
pub(super) fn hoist(local: &Ident, ty: &Type, transform: &Transform) -> TokenStream {
    let ty = ty.to_token_stream();
    let (first, last) = ends(&ty);
    let elem = quote_spanned!(last=> Elem>);
    // The space keeps two tokens of one place each.
    let ty = quote_spanned!(first=> &dyn __p::Transform< <#ty as __p::Param>::#elem);
    let made = borrow(transform);
    quote!(let #local: #ty = #made;)
}

/// The places of the first and of the last token.
fn ends(tokens: &TokenStream) -> (Span, Span) {
    let span = |token: Option<TokenTree>| token.map_or_else(Span::call_site, |it| it.span());
    (
        span(tokens.clone().into_iter().next()),
        span(tokens.clone().into_iter().last()),
    )
}
