//! Rules across attributes and fields.

use quote::ToTokens;
use syn::LitStr;

use crate::attr;
use crate::ctxt::Ctxt;

/// A field that is skipped has no path, no group and nothing to transform.
pub(crate) fn check_field(cx: &mut Ctxt, attrs: &attr::Field) {
    let attr::Field {
        frozen,
        transform,
        skip,
        rename,
        tag,
    } = attrs;
    if skip.is_none() {
        return;
    }
    let why = "a skipped field is not in the tree, remove this or `skip`";
    if let Some(attr) = frozen {
        cx.error(attr, why);
    }
    let keys = [
        transform.as_ref().map(|it| &it.key),
        rename.as_ref().map(|it| &it.key),
        tag.as_ref().map(|it| &it.key),
    ];
    for key in keys.into_iter().flatten() {
        cx.error(key, why);
    }
}

/// A variant can be renamed, all else belongs on its fields.
pub(crate) fn check_variant(cx: &mut Ctxt, attrs: &attr::Field) {
    let attr::Field {
        frozen,
        transform,
        skip,
        rename: _,
        tag,
    } = attrs;
    if let Some(attr) = frozen {
        cx.error(attr, "`#[frozen]` belongs on a field of the variant");
    }
    let keys = [
        transform.as_ref().map(|it| &it.key),
        skip.as_ref().map(|it| &it.key),
        tag.as_ref().map(|it| &it.key),
    ];
    for key in keys.into_iter().flatten() {
        let message = format!("`{key}` belongs on a field of the variant, which takes `rename`");
        cx.error(key, message);
    }
}

/// While a variant is walked, `self` is borrowed.
pub(crate) fn check_variant_field(cx: &mut Ctxt, attrs: &attr::Field) {
    if let Some(attr::Keyed { value, .. }) = &attrs.transform
        && value.reads_self
    {
        let message = "a transform in an enum cannot read `self`, put a struct into the variant";
        cx.error(&value.tokens, message);
    }
}

/// A transparent struct stands for its only field, which therefore has no name.
pub(crate) fn check_transparent(
    cx: &mut Ctxt,
    container: &attr::Container,
    fields: &[attr::Field],
) {
    let attr::Container {
        krate: _,
        bound: _,
        transparent,
    } = container;
    let Some(transparent) = transparent else {
        return;
    };
    let walked = fields.iter().filter(|field| field.skip.is_none());
    for rename in walked.clone().filter_map(|field| field.rename.as_ref()) {
        cx.error(
            &rename.key,
            "a transparent struct gives its field no name, remove `rename`",
        );
    }
    let key = &transparent.key;
    match walked.count() {
        1 => {}
        0 => cx.error(key, "`transparent` needs a field that is not skipped"),
        n => cx.error(
            key,
            format_args!("`transparent` needs one field, not {n}: `#[param(skip)]` the others"),
        ),
    }
}

/// An enum's variants are part of the path.
pub(crate) fn check_enum(cx: &mut Ctxt, container: &attr::Container) {
    let attr::Container {
        krate: _,
        bound: _,
        transparent,
    } = container;
    if let Some(transparent) = transparent {
        cx.error(
            &transparent.key,
            "`transparent` belongs on a struct, a variant is part of the path",
        );
    }
}

/// Paths are unique: no two walked fields of a struct, and no two variants, have one
/// name. The declared ones differ, or the compiler says so.
pub(crate) fn check_names(cx: &mut Ctxt, names: &[(&String, Option<&LitStr>)]) {
    for (i, (name, rename)) in names.iter().enumerate() {
        let is_taken = |(j, (other, renamed)): (usize, &(&String, Option<&LitStr>))| {
            other == name && (renamed.is_none() || j < i)
        };
        if let Some(rename) = rename
            && names.iter().enumerate().any(is_taken)
        {
            cx.error(
                rename,
                format_args!("the name `{name}` is taken, choose another"),
            );
        }
    }
}

pub(crate) fn check_union(cx: &mut Ctxt, keyword: &impl ToTokens) {
    cx.error(
        keyword,
        "`Module` cannot be derived for a union, which does not know its live field: use an enum",
    );
}
