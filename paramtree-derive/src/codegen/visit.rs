//! The bodies of `visit` and `visit_mut`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Index, Member};

use super::call::{self, Source, Walk};
use super::relocated;
use crate::ast::{Container, Field, Kind, Shape, Style, Variant};

pub(super) fn body(container: &Container, walk: Walk) -> TokenStream {
    match &container.shape {
        Shape::Struct(fields) => structure(fields, walk),
        Shape::Enum(variants) if variants.is_empty() => quote!(match *self {}),
        Shape::Enum(variants) => {
            let arms = variants
                .iter()
                .enumerate()
                .map(|(i, variant)| arm(i, variant, walk));
            quote!(match self { #(#arms)* })
        }
    }
}

/// ```text
/// <f64 as __p::Module>::visit(&self.w, __at.field("w"), __v);
/// <f64 as __p::Param>::visit_param(&self.s, &Positive, __at.field("s"), __v);
/// ```
///
/// A transform that reads `self` is made before the mutable walk borrows a field.
fn structure(fields: &[Field], walk: Walk) -> TokenStream {
    let mut transforms = TokenStream::new();
    let mut calls = TokenStream::new();
    for (i, field) in fields.iter().enumerate() {
        let member = relocated_member(&field.member);
        let reference = match walk {
            Walk::Shared => quote!(&self.#member),
            Walk::Mut => quote!(&mut self.#member),
        };
        let transform = match &field.kind {
            Kind::Param { transform, .. } => match walk {
                Walk::Mut if transform.reads_self => {
                    let local = local(i);
                    transforms.extend(call::hoist(&local, field.ty, transform));
                    quote!(#local)
                }
                Walk::Mut | Walk::Shared => call::borrow(transform),
            },
            Kind::Module | Kind::Frozen | Kind::Borrowed(_) | Kind::Skipped => TokenStream::new(),
        };
        let source = Source {
            reference,
            value: quote!(self.#member),
            at: quote!((*__at)),
            at_ref: quote!(__at),
            transform,
        };
        calls.extend(call::call(field, walk, &source));
    }
    quote!(#transforms #calls)
}

/// ```text
/// Self::Relu => __v.choice(0),
/// Self::Prelu { slope: __0 } => {
///     __v.choice(1);
///     <f64 as __p::Module>::visit(__0, (&__at.variant("Prelu")).field("slope"), __v);
/// }
/// ```
fn arm(position: usize, variant: &Variant, walk: Walk) -> TokenStream {
    let ident = relocated(variant.ident);
    let pattern = pattern(variant);
    let position = Literal::usize_unsuffixed(position);
    let name = &variant.name;
    let mut calls = TokenStream::new();
    for (i, field) in variant.fields.iter().enumerate() {
        let local = local(i);
        let transform = match &field.kind {
            Kind::Param { transform, .. } => call::borrow(transform),
            Kind::Module | Kind::Frozen | Kind::Borrowed(_) | Kind::Skipped => TokenStream::new(),
        };
        let source = Source {
            reference: quote!(#local),
            value: quote!(*#local),
            at: quote!(__at.variant(#name)),
            at_ref: quote!((&__at.variant(#name))),
            transform,
        };
        calls.extend(call::call(field, walk, &source));
    }
    if calls.is_empty() {
        return quote!(Self::#ident #pattern => __v.choice(#position),);
    }
    quote!(Self::#ident #pattern => { __v.choice(#position); #calls })
}

/// Binds the fields that are walked: `{ slope: __0, .. }`, `(__0, _)`.
fn pattern(variant: &Variant) -> TokenStream {
    let is_walked = |field: &Field| !matches!(field.kind, Kind::Skipped);
    let fields = variant.fields.iter().enumerate();
    match variant.style {
        Style::Named => {
            let bindings = fields
                .filter(|(_, field)| is_walked(field))
                .map(|(i, field)| {
                    let (member, local) = (relocated_member(&field.member), local(i));
                    quote!(#member: #local)
                });
            let rest = (!variant.fields.iter().all(is_walked)).then(|| quote!(..));
            let parts = bindings.chain(rest);
            quote!({ #(#parts),* })
        }
        Style::Tuple => {
            let bindings = fields.map(|(i, field)| {
                let local = local(i);
                if is_walked(field) {
                    quote!(#local)
                } else {
                    quote!(_)
                }
            });
            quote!((#(#bindings),*))
        }
        Style::Unit => TokenStream::new(),
    }
}

fn local(i: usize) -> Ident {
    format_ident!("__{i}")
}

fn relocated_member(member: &Member) -> Member {
    match member {
        Member::Named(ident) => Member::Named(relocated(ident)),
        Member::Unnamed(index) => Member::Unnamed(Index::from(index.index as usize)),
    }
}
