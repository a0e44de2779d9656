//! Looks for names in tokens, also inside the type macros that nobody else can read.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// What stands in front of an identifier.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Front {
    Nothing,
    /// `self::`.
    OwnModule,
    /// `::`, alone or behind another name.
    Path,
}

/// Whether an identifier passes the test.
pub(crate) fn ident(tokens: &TokenStream, test: &dyn Fn(&Ident, Front) -> bool) -> bool {
    any(tokens, &|token| match token {
        Name::Ident(ident, front) => test(ident, front),
        Name::Lifetime(_) => false,
    })
}

/// Whether a lifetime has this name, which is without its apostrophe.
pub(crate) fn lifetime(tokens: &TokenStream, name: &str) -> bool {
    any(
        tokens,
        &|token| matches!(token, Name::Lifetime(ident) if ident == name),
    )
}

enum Name<'a> {
    Ident(&'a Ident, Front),
    Lifetime(&'a Ident),
}

fn any(tokens: &TokenStream, test: &dyn Fn(Name) -> bool) -> bool {
    let mut before = [None, None];
    let mut is_self = false;
    tokens.clone().into_iter().any(|token| {
        let is_qualified = before == [Some(':'), Some(':')];
        let is_lifetime = before[1] == Some('\'');
        before = [before[1], None];
        match token {
            TokenTree::Group(group) => any(&group.stream(), test),
            TokenTree::Ident(ident) if is_lifetime => test(Name::Lifetime(&ident)),
            TokenTree::Ident(ident) => {
                let front = match (is_qualified, is_self) {
                    (false, _) => Front::Nothing,
                    (true, true) => Front::OwnModule,
                    (true, false) => Front::Path,
                };
                is_self = ident == "self";
                test(Name::Ident(&ident, front))
            }
            TokenTree::Punct(punct) => {
                before[1] = Some(punct.as_char());
                is_self &= punct.as_char() == ':';
                false
            }
            TokenTree::Literal(_) => false,
        }
    })
}
