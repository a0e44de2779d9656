//! The keys of `#[module(…)]` and `#[param(…)]`.

use std::fmt;

use proc_macro2::Ident;

use super::nearest;

/// The keys of one attribute.
pub(super) struct Vocabulary {
    /// Where the attribute belongs, as errors say it.
    place: &'static str,
    attribute: &'static str,
    keys: &'static [Spelling],
}

/// A key and how it is written out.
pub(super) struct Spelling {
    pub(super) name: &'static str,
    pub(super) example: &'static str,
}

pub(super) const MODULE: Vocabulary = Vocabulary {
    place: "the struct or enum",
    attribute: "module",
    keys: &[
        Spelling {
            name: "crate",
            example: "crate = path::to::paramtree",
        },
        Spelling {
            name: "bound",
            example: "bound = \"T: Trait\"",
        },
        Spelling {
            name: "transparent",
            example: "transparent",
        },
    ],
};

pub(super) const PARAM: Vocabulary = Vocabulary {
    place: "a field",
    attribute: "param",
    keys: &[
        Spelling {
            name: "transform",
            example: "transform = Positive",
        },
        Spelling {
            name: "skip",
            example: "skip",
        },
        Spelling {
            name: "rename",
            example: "rename = \"name\"",
        },
        Spelling {
            name: "tag",
            example: "tag = \"group\"",
        },
    ],
};

impl Vocabulary {
    pub(super) fn find(&self, name: &str) -> Option<&'static Spelling> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The key that was meant, if it is nearly spelt.
    pub(super) fn nearest(&self, name: &str) -> Option<&'static Spelling> {
        nearest::of(name, self.keys.iter().map(|key| key.name)).and_then(|name| self.find(name))
    }

    /// What to do about a key that is not in this vocabulary.
    pub(super) fn unknown(&self, key: &Ident) -> String {
        let name = key.to_string();
        for other in [&MODULE, &PARAM] {
            if let Some(Spelling { example, .. }) = other.find(&name) {
                let Vocabulary {
                    place, attribute, ..
                } = other;
                return format!("`{name}` belongs on {place}, as `#[{attribute}({example})]`");
            }
        }
        if name == "frozen" {
            return "`frozen` is an attribute of its own, `#[frozen]`".to_owned();
        }
        match self.nearest(&name) {
            Some(near) => {
                let others = self.keys.iter().filter(|key| key.name != near.name);
                let others: Vec<_> = others.map(|key| format!("`{}`", key.name)).collect();
                let others = others.join(", ");
                format!(
                    "unknown key `{name}`, expected `{}` (or {others})",
                    near.name
                )
            }
            None => format!("unknown key `{name}`, expected {self}"),
        }
    }
}

/// The keys as a list: `` `skip`, `rename` or `tag` ``.
impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, key) in self.keys.iter().enumerate() {
            let separator = match i {
                0 => "",
                _ if i + 1 == self.keys.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}`{}`", key.name)?;
        }
        Ok(())
    }
}
