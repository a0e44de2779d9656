//! What was written: `#[module]`, `#[frozen]` and `#[param]`.

mod key;
mod list;
mod nearest;
mod value;

use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Meta, Path, Token, WherePredicate};

pub(crate) use self::value::Transform;
use crate::ctxt::Ctxt;

/// A value and the key in front of it, which is where errors point.
pub(crate) struct Keyed<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

pub(crate) type Predicates = Punctuated<WherePredicate, Token![,]>;

/// The attributes of a struct, enum or union.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) krate: Option<Keyed<Path>>,
    pub(crate) bound: Option<Keyed<Predicates>>,
    pub(crate) transparent: Option<Keyed<()>>,
}

/// The attributes of a field. Those of a variant are read as such, too: the checks
/// refuse what does not belong there.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) frozen: Option<Attribute>,
    pub(crate) transform: Option<Keyed<Transform>>,
    pub(crate) skip: Option<Keyed<()>>,
    pub(crate) rename: Option<Keyed<LitStr>>,
    pub(crate) tag: Option<Keyed<LitStr>>,
}

impl Container {
    pub(crate) fn from_attrs(cx: &mut Ctxt, attrs: &[Attribute]) -> Self {
        let mut this = Self::default();
        for attr in attrs {
            if attr.path().is_ident("module") {
                this.parse_module(cx, attr);
            } else if attr.path().is_ident("param") {
                cx.error(attr, "`#[param(…)]` belongs on a field");
            } else if attr.path().is_ident("frozen") {
                cx.error(attr, "`#[frozen]` belongs on a field");
            }
        }
        this
    }

    fn parse_module(&mut self, cx: &mut Ctxt, attr: &Attribute) {
        list::parse(cx, attr, &key::MODULE, |cx, key, input| {
            match key.spelling.name {
                "crate" => {
                    let path = value::parse_path(cx, &key, input)?;
                    set(cx, &mut self.krate, key.ident, path);
                }
                "bound" => {
                    let predicates = value::parse_predicates(&key, input)?;
                    set(cx, &mut self.bound, key.ident, predicates);
                }
                _ => {
                    value::parse_nothing(&key, input)?;
                    set(cx, &mut self.transparent, key.ident, ());
                }
            }
            Ok(())
        });
    }
}

impl Field {
    pub(crate) fn from_attrs(cx: &mut Ctxt, attrs: &[Attribute]) -> Self {
        let mut this = Self::default();
        for attr in attrs {
            if attr.path().is_ident("frozen") {
                this.parse_frozen(cx, attr);
            } else if attr.path().is_ident("param") {
                this.parse_param(cx, attr);
            } else if attr.path().is_ident("module") {
                cx.error(attr, "`#[module(…)]` belongs on the struct or enum");
            }
        }
        this
    }

    fn parse_frozen(&mut self, cx: &mut Ctxt, attr: &Attribute) {
        if !matches!(attr.meta, Meta::Path(_)) {
            cx.error(attr, "`#[frozen]` takes no value, write just `#[frozen]`");
        }
        if self.frozen.is_some() {
            cx.error(attr, "`#[frozen]` is given twice, keep one");
        }
        self.frozen = Some(attr.clone());
    }

    fn parse_param(&mut self, cx: &mut Ctxt, attr: &Attribute) {
        list::parse(cx, attr, &key::PARAM, |cx, key, input| {
            match key.spelling.name {
                "transform" => {
                    let transform = Transform::parse(&key, input)?;
                    set(cx, &mut self.transform, key.ident, transform);
                }
                "rename" => {
                    let name = value::parse_name(&key, input)?;
                    set(cx, &mut self.rename, key.ident, name);
                }
                "tag" => {
                    let tag = value::parse_name(&key, input)?;
                    set(cx, &mut self.tag, key.ident, tag);
                }
                _ => {
                    value::parse_nothing(&key, input)?;
                    set(cx, &mut self.skip, key.ident, ());
                }
            }
            Ok(())
        });
    }
}

fn set<T>(cx: &mut Ctxt, slot: &mut Option<Keyed<T>>, key: Ident, value: T) {
    if slot.is_some() {
        cx.error(&key, format_args!("`{key}` is given twice, keep one"));
    }
    *slot = Some(Keyed { key, value });
}
