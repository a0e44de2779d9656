//! The where clause of the impl.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericArgument, Path, PathArguments, Type};

use crate::ast::{self, Container, Kind, Shape};

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
        let fields: Vec<_> = match &container.shape {
            Shape::Struct(fields) => fields.iter().collect(),
            Shape::Enum(variants) => variants.iter().flat_map(|it| &it.fields).collect(),
        };
        for field in fields {
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
        if !self.mentions_param(&tokens) {
            return;
        }
        if self.mentions_self(&tokens) {
            self.bound_parts(ty);
            return;
        }
        let span = ast::located(&tokens);
        let name = Ident::new(name, span);
        let predicate = quote_spanned!(span=> #tokens: __p::#name);
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

    fn bound_arguments(&mut self, path: &Path) {
        for segment in &path.segments {
            let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                continue;
            };
            for argument in &arguments.args {
                if let GenericArgument::Type(ty) = argument {
                    self.bound(ty, "Module");
                }
            }
        }
    }

    /// Whether the path is surely the struct's. `base::Net<T>` may be another `Net`.
    fn is_self(&self, path: &Path) -> bool {
        let mut segments = path
            .segments
            .iter()
            .map(|segment| &segment.ident)
            .peekable();
        segments.next_if(|ident| *ident == "self");
        segments.next().is_some_and(|ident| ident == self.ident) && segments.next().is_none()
    }

    fn mentions_param(&self, tokens: &TokenStream) -> bool {
        mentions(tokens, &|ident, is_qualified| {
            !is_qualified && self.params.contains(&ident)
        })
    }

    fn mentions_self(&self, tokens: &TokenStream) -> bool {
        mentions(tokens, &|ident, _| ident == "Self" || ident == self.ident)
    }
}

/// Looks for an identifier, also inside the type macros that nobody else can read.
/// The test hears whether a `::` stands in front.
fn mentions(tokens: &TokenStream, test: &dyn Fn(&Ident, bool) -> bool) -> bool {
    let mut before = [None, None];
    tokens.clone().into_iter().any(|token| {
        let is_qualified = before == [Some(':'), Some(':')];
        let is_lifetime = before[1] == Some('\'');
        before = [before[1], None];
        match token {
            TokenTree::Group(group) => mentions(&group.stream(), test),
            TokenTree::Ident(ident) => !is_lifetime && test(&ident, is_qualified),
            TokenTree::Punct(punct) => {
                before[1] = Some(punct.as_char());
                false
            }
            TokenTree::Literal(_) => false,
        }
    })
}
