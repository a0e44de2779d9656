//! What it means: a container as the generators see it.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::{Data, DataEnum, DeriveInput, Fields, Generics, Index, Member, Meta, Path, Type};

use crate::attr::{self, Predicates, Transform};
use crate::check;
use crate::ctxt::Ctxt;

pub(crate) struct Container<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    /// Where the runtime crate is, if not at `::paramtree`.
    pub(crate) krate: Option<Path>,
    /// The bounds that replace the inferred ones.
    pub(crate) bound: Option<Predicates>,
    /// The lints that the input allows, or expects.
    pub(crate) allows: Vec<&'a TokenStream>,
    /// Whether it, or a part of it, is deprecated: the impl does not warn of that.
    pub(crate) is_deprecated: bool,
    pub(crate) shape: Shape<'a>,
}

pub(crate) enum Shape<'a> {
    Struct(Vec<Field<'a>>),
    Enum(Vec<Variant<'a>>),
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) name: String,
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field<'a>>,
}

/// How a variant is written.
pub(crate) enum Style {
    Named,
    Tuple,
    Unit,
}

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    pub(crate) place: Place,
    pub(crate) tag: Option<String>,
    pub(crate) kind: Kind<'a>,
}

/// What a field adds to the path.
pub(crate) enum Place {
    Name(String),
    Index(Index),
    /// Nothing: the field of a transparent struct, or the only one of a tuple variant.
    Parent,
}

/// How a field is walked.
pub(crate) enum Kind<'a> {
    /// As any module.
    Module,
    /// `#[frozen]`.
    Frozen,
    /// `#[frozen]` on a `&'a X`, by its `X`.
    Borrowed(&'a Type),
    /// With a transform, frozen or not.
    Param { transform: Transform, frozen: bool },
    /// Not at all.
    Skipped,
}

impl<'a> Container<'a> {
    pub(crate) fn from_input(cx: &mut Ctxt, input: &'a DeriveInput) -> Self {
        let attrs = attr::Container::from_attrs(cx, &input.attrs);
        let all = all_attrs(input);
        let shape = match &input.data {
            Data::Struct(data) => Shape::Struct(struct_fields(cx, &attrs, &data.fields)),
            Data::Enum(data) => {
                check::check_enum(cx, &attrs);
                Shape::Enum(variants(cx, data))
            }
            Data::Union(data) => {
                check::check_union(cx, &data.union_token);
                Shape::Struct(Vec::new())
            }
        };
        Self {
            ident: &input.ident,
            generics: &input.generics,
            krate: attrs.krate.map(|it| it.value),
            bound: attrs.bound.map(|it| it.value),
            allows: allows(&all),
            is_deprecated: all.iter().any(|attr| attr.path().is_ident("deprecated")),
            shape,
        }
    }
}

impl<'a> Container<'a> {
    /// The fields, of all variants.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        let (fields, variants): (&[_], &[_]) = match &self.shape {
            Shape::Struct(fields) => (fields, &[]),
            Shape::Enum(variants) => (&[], variants),
        };
        fields
            .iter()
            .chain(variants.iter().flat_map(|it| &it.fields))
    }
}

fn struct_fields<'a>(
    cx: &mut Ctxt,
    container: &attr::Container,
    fields: &'a Fields,
) -> Vec<Field<'a>> {
    let attrs = field_attrs(cx, fields);
    check::check_transparent(cx, container, &attrs);
    let is_transparent = container.transparent.is_some();
    Field::all(cx, fields, attrs, is_transparent)
}

fn variants<'a>(cx: &mut Ctxt, data: &'a DataEnum) -> Vec<Variant<'a>> {
    let read = |variant: &syn::Variant| {
        let attrs = attr::Field::from_attrs(cx, &variant.attrs);
        check::check_variant(cx, &attrs);
        attrs
    };
    let attrs: Vec<_> = data.variants.iter().map(read).collect();
    let idents = data
        .variants
        .iter()
        .map(|variant| Member::Named(variant.ident.clone()));
    let names = names(cx, idents, &attrs);
    let variant = |(variant, name): (&'a syn::Variant, String)| {
        let syn::Variant {
            attrs: _,
            ident,
            fields,
            discriminant: _,
        } = variant;
        let attrs = field_attrs(cx, fields);
        for attrs in &attrs {
            check::check_variant_field(cx, attrs);
        }
        let style = match fields {
            Fields::Named(_) => Style::Named,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        let is_alone = matches!(style, Style::Tuple) && fields.len() == 1;
        let fields = Field::all(cx, fields, attrs, is_alone);
        Variant {
            ident,
            name,
            style,
            fields,
        }
    };
    data.variants.iter().zip(names).map(variant).collect()
}

/// The names in the path, by attribute or as declared.
fn names(
    cx: &mut Ctxt,
    members: impl Iterator<Item = Member>,
    attrs: &[attr::Field],
) -> Vec<String> {
    let name = |(member, attrs): (Member, &attr::Field)| match (&attrs.rename, member) {
        (Some(rename), _) => rename.value.value(),
        (None, Member::Named(ident)) => ident.unraw().to_string(),
        (None, Member::Unnamed(index)) => index.index.to_string(),
    };
    let names: Vec<_> = members.zip(attrs).map(name).collect();
    let renames = attrs
        .iter()
        .map(|attrs| attrs.rename.as_ref().map(|it| &it.value));
    let is_walked = attrs.iter().map(|attrs| attrs.skip.is_none());
    let walked = names.iter().zip(renames).zip(is_walked);
    let walked: Vec<_> = walked
        .filter_map(|(name, is_walked)| is_walked.then_some(name))
        .collect();
    check::check_names(cx, &walked);
    names
}

fn field_attrs(cx: &mut Ctxt, fields: &Fields) -> Vec<attr::Field> {
    let attrs = |field: &syn::Field| {
        let attrs = attr::Field::from_attrs(cx, &field.attrs);
        check::check_field(cx, &attrs);
        attrs
    };
    fields.iter().map(attrs).collect()
}

impl<'a> Field<'a> {
    /// A struct's or a variant's fields; those `at_parent` add nothing to the path,
    /// if not renamed.
    fn all(
        cx: &mut Ctxt,
        fields: &'a Fields,
        attrs: Vec<attr::Field>,
        at_parent: bool,
    ) -> Vec<Self> {
        let names = names(cx, fields.members(), &attrs);
        let field = |((member, name), (field, attrs)): ((Member, _), (&'a syn::Field, _))| {
            let attrs: attr::Field = attrs;
            let place = match &member {
                _ if attrs.rename.is_some() => Place::Name(name),
                _ if at_parent => Place::Parent,
                Member::Named(_) => Place::Name(name),
                Member::Unnamed(index) => Place::Index(index.clone()),
            };
            let tag = attrs.tag.as_ref().map(|it| it.value.value());
            Self {
                member,
                ty: &field.ty,
                place,
                tag,
                kind: Kind::from_attrs(attrs, &field.ty),
            }
        };
        fields
            .members()
            .zip(names)
            .zip(fields.iter().zip(attrs))
            .map(field)
            .collect()
    }
}

impl<'a> Kind<'a> {
    fn from_attrs(attrs: attr::Field, ty: &'a Type) -> Self {
        let frozen = attrs.frozen.is_some();
        match (attrs.skip, attrs.transform) {
            (Some(_), _) => Kind::Skipped,
            (None, Some(transform)) => Kind::Param {
                transform: transform.value,
                frozen,
            },
            (None, None) if frozen => borrowed(ty).map_or(Kind::Frozen, Kind::Borrowed),
            (None, None) => Kind::Module,
        }
    }
}

/// The `X` of a type that is written `&'a X`, perhaps in invisible groups, which the
/// `$t:ty` of a macro makes.
fn borrowed(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_none() => Some(&reference.elem),
        Type::Group(group) => borrowed(&group.elem),
        Type::Paren(paren) => borrowed(&paren.elem),
        _ => None,
    }
}

/// The place of some tokens for generated code: errors point there, and lints know
/// that nobody wrote it.
pub(crate) fn located(tokens: &TokenStream) -> Span {
    let first = tokens.clone().into_iter().next();
    let call_site = Span::call_site();
    first.map_or(call_site, |token| call_site.located_at(token.span()))
}

/// The attributes of the input and of everything in it.
fn all_attrs(input: &DeriveInput) -> Vec<&syn::Attribute> {
    let (fields, variants): (Vec<_>, Vec<_>) = match &input.data {
        Data::Struct(data) => (data.fields.iter().collect(), Vec::new()),
        Data::Enum(data) => {
            let fields = data.variants.iter().flat_map(|it| &it.fields).collect();
            (fields, data.variants.iter().collect())
        }
        Data::Union(_) => (Vec::new(), Vec::new()),
    };
    let variants = variants.into_iter().flat_map(|it| &it.attrs);
    let fields = fields.into_iter().flat_map(|it| &it.attrs);
    input.attrs.iter().chain(variants).chain(fields).collect()
}

/// The lints to allow at the impl, which repeats names, types and bounds of the input:
/// those that are allowed, or expected, there, each once.
fn allows<'a>(attrs: &[&'a syn::Attribute]) -> Vec<&'a TokenStream> {
    let mut seen = HashSet::new();
    let lints = |attr: &&'a syn::Attribute| match &attr.meta {
        Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => {
            seen.insert(list.tokens.to_string()).then_some(&list.tokens)
        }
        _ => None,
    };
    attrs.iter().filter_map(lints).collect()
}
