//! The where clause of the impl.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{GenericArgument, Path, PathArguments, Type};

use crate::ast::{self, Container, Kind};
use crate::mentions::{self, Front};

/// The bounds of the input, and those of `#[module(bound = "…")]` or else one for
/// each field that needs it.
///
/// ```text
/// struct Net<T> { w: Vec<T>, #[frozen] k: T, n: f64, next: Option<Box<Net<T>>> }
/// impl<T> Module for Net<T> where Vec<T>: Module, T: Constant
/// ```
pub(crate) fn where_clause(container: &Container) -> TokenStream {
    match &container.bound {
        Some(_) => declared(container),
        None => clause(container, &Bounds::of(container).predicates),
    }
}

/// Only the bounds that were written.
pub(crate) fn declared(container: &Container) -> TokenStream {
    let bound: Vec<_> = container
        .bound
        .iter()
        .flatten()
        .map(ToTokens::to_token_stream)
        .collect();
    clause(container, &bound)
}

fn clause(container: &Container, added: &[TokenStream]) -> TokenStream {
    let written = container
        .generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let predicates: Vec<_> = written.map(ToTokens::to_token_stream).collect();
    if predicates.is_empty() && added.is_empty() {
        return TokenStream::new();
    }
    quote!(where #(#predicates,)* #(#added,)*)
}

/// Collects one predicate for each type.
struct Bounds<'a> {
    ident: &'a Ident,
    params: Vec<&'a Ident>,
    seen: HashSet<String>,
    predicates: Vec<TokenStream>,
}

impl<'a> Bounds<'a> {
    fn of(container: &'a Container) -> Self {
        let mut this = Self {
            ident: container.ident,
            params: container
                .generics
                .type_params()
                .map(|param| &param.ident)
                .collect(),
            seen: HashSet::new(),
            predicates: Vec::new(),
        };
        for field in container.fields() {
            match &field.kind {
                Kind::Module => this.bound(field.ty, "Module"),
                Kind::Frozen => this.bound(field.ty, "Constant"),
                Kind::Borrowed(ty) => this.bound(ty, "Constant"),
                Kind::Param { .. } => this.bound(field.ty, "Param"),
                Kind::Skipped => {}
            }
        }
        this
    }

    /// A type that mentions the struct itself gets no bound: the solver would have to
    /// prove `Net<T>: Module` to prove `Net<T>: Module`. But what stands beside the
    /// struct in such a type does, as `A` in `Vec<(A, Net<A, B>)>`.
    fn bound(&mut self, ty: &Type, name: &str) {
        let tokens = ty.to_token_stream();
        let (param, this) = (self.mentions_param(&tokens), self.mentions_self(&tokens));
        // What `Self` projects to is another type, and may depend on a parameter.
        let is_projection = matches!(ty, Type::Path(path) if path.qself.is_some());
        if !(param || this) || self.params.is_empty() {
            return;
        }
        if this && !is_projection {
            self.bound_parts(ty);
            return;
        }
        let span = ast::located(&tokens);
        let name = Ident::new(name, span);
        self.push(quote_spanned!(span=> #tokens: __p::#name));
    }

    /// What the walk over a map needs of its keys.
    fn bound_key(&mut self, ty: &Type) {
        let tokens = ty.to_token_stream();
        if self.mentions_param(&tokens) && !self.mentions_self(&tokens) {
            let span = ast::located(&tokens);
            self.push(quote_spanned!(span=> #tokens: ::core::cmp::Ord + ::core::fmt::Display));
        }
    }

    fn push(&mut self, predicate: TokenStream) {
        if self.seen.insert(predicate.to_string()) {
            self.predicates.push(predicate);
        }
    }

    /// The parts of a type that mentions the struct, but not those of the struct.
    fn bound_parts(&mut self, ty: &Type) {
        match ty {
            Type::Array(array) => self.bound(&array.elem, "Module"),
            Type::Group(group) => self.bound(&group.elem, "Module"),
            Type::Paren(paren) => self.bound(&paren.elem, "Module"),
            Type::Reference(reference) => self.bound(&reference.elem, "Module"),
            Type::Slice(slice) => self.bound(&slice.elem, "Module"),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.bound(ty, "Module")),
            Type::Path(path) if !self.is_self(&path.path) => self.bound_arguments(&path.path),
            _ => {}
        }
    }

    /// All are taken for modules, as in `Option<T>` and whatever the user has. Only the
    /// name tells that a map's key and hasher are not.
    fn bound_arguments(&mut self, path: &Path) {
        for segment in &path.segments {
            let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                continue;
            };
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            let is_map = segment.ident == "HashMap" || segment.ident == "BTreeMap";
            for (i, ty) in types.enumerate() {
                match i {
                    0 if is_map => self.bound_key(ty),
                    2 if is_map => {}
                    _ => self.bound(ty, "Module"),
                }
            }
        }
    }

    /// Whether the path is the struct's, also as `self::Net<T>`.
    fn is_self(&self, path: &Path) -> bool {
        let mut idents = path.segments.iter().map(|it| &it.ident).peekable();
        idents.next_if(|ident| *ident == "self");
        let is_self = |ident: &Ident| ident == "Self" || same(ident, self.ident);
        idents.next().is_some_and(is_self) && idents.next().is_none()
    }

    fn mentions_param(&self, tokens: &TokenStream) -> bool {
        mentions::ident(tokens, &|ident, front| {
            front == Front::Nothing && self.params.iter().any(|param| same(param, ident))
        })
    }

    /// Whether the struct is named, by its name or as `Self`. `nn::Net<T>` is another `Net`.
    fn mentions_self(&self, tokens: &TokenStream) -> bool {
        mentions::ident(tokens, &|ident, front| {
            front != Front::Path && (ident == "Self" || same(ident, self.ident))
        })
    }
}

fn same(a: &Ident, b: &Ident) -> bool {
    a == b || a.unraw() == b.unraw()
}
