//! The list of keys in an attribute.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, Meta, Result, Token};

use super::key::{Spelling, Vocabulary};
use crate::ctxt::Ctxt;

/// A key that stands in an attribute, perhaps misspelt.
pub(super) struct Key {
    pub(super) ident: Ident,
    pub(super) spelling: &'static Spelling,
}

/// Hands every key to `read`, which takes the value; goes on behind a mistake.
pub(super) fn parse(
    cx: &mut Ctxt,
    attr: &Attribute,
    vocabulary: &Vocabulary,
    mut read: impl FnMut(&mut Ctxt, Key, ParseStream) -> Result<()>,
) {
    let tokens = match &attr.meta {
        Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
        meta => {
            return cx.error(
                meta,
                format_args!("the attribute is empty, expected {vocabulary}"),
            );
        }
    };
    let parser = |input: ParseStream| {
        while !input.is_empty() {
            let entry = parse_key(cx, vocabulary, input).and_then(|key| match key {
                Some(key) => read(cx, key, input).and_then(|()| expect_comma(input)),
                None => Ok(()),
            });
            if let Err(error) = entry {
                cx.syn_error(error);
            }
            // Behind a mistake is what is left of its value.
            while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
                input.parse::<TokenTree>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        cx.syn_error(error);
    }
}

/// A misspelt key is reported and then taken for the one that was meant, so that
/// its value is read, too.
fn parse_key(cx: &mut Ctxt, vocabulary: &Vocabulary, input: ParseStream) -> Result<Option<Key>> {
    if !input.peek(Ident::peek_any) {
        return Err(Error::new_spanned(
            next(input)?,
            format_args!("expected a key, {vocabulary}"),
        ));
    }
    let ident = Ident::parse_any(input)?;
    let name = ident.to_string();
    let known = vocabulary.find(&name);
    if known.is_none() {
        cx.error(&ident, vocabulary.unknown(&ident));
    }
    Ok(known
        .or_else(|| vocabulary.nearest(&name))
        .map(|spelling| Key { ident, spelling }))
}

fn expect_comma(input: ParseStream) -> Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(Error::new_spanned(next(input)?, "expected `,`"))
}

/// The next token, without taking it. A caller has seen that there is one.
pub(super) fn next(input: ParseStream) -> Result<TokenStream> {
    Ok(input.fork().parse::<TokenTree>()?.into_token_stream())
}
