//! What stands behind a key.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::parse::ParseStream;
use syn::{Error, Expr, Lit, LitStr, Path, Result, Token, token};

use super::Predicates;
use super::list::{Key, next};
use crate::ctxt::Ctxt;

/// The expression of a transform.
#[derive(Clone)]
pub(crate) struct Transform {
    pub(crate) tokens: TokenStream,
    /// Whether `&` in front takes the whole of it.
    pub(crate) is_atom: bool,
    pub(crate) reads_self: bool,
}

impl Transform {
    pub(super) fn parse(key: &Key, input: ParseStream) -> Result<Self> {
        parse_equals(key, input)?;
        if let Some(literal) = input.fork().parse::<Option<LitStr>>()? {
            let message = match literal.parse::<Expr>() {
                Ok(_) => format!("write it without quotes, `transform = {}`", literal.value()),
                Err(_) => "a string is no transform, expected `transform = Positive`".to_owned(),
            };
            return Err(Error::new_spanned(literal, message));
        }
        let (is_atom, tokens) = match input.fork().parse::<Expr>() {
            Ok(_) => {
                let expr: Expr = input.parse()?;
                (is_atom(&expr), expr.into_token_stream())
            }
            // `if`, `match`, arrays: for the compiler to judge.
            Err(error) if error.to_string().starts_with("unsupported expression") => {
                (false, parse_until_comma(input)?)
            }
            // At the end of the attribute there is no token to point at.
            Err(error) if error.to_string().starts_with("unexpected end of input") => {
                let message = "expected an expression, as `transform = Positive`";
                return Err(Error::new_spanned(parse_until_comma(input)?, message));
            }
            Err(error) => return Err(error),
        };
        let reads_self = mentions_self(&tokens);
        Ok(Self {
            tokens: own_self(tokens, false),
            is_atom,
            reads_self,
        })
    }
}

/// Makes `self` the receiver of the generated methods. It is not by itself in what a
/// macro, which made the struct, was handed as `$e:expr` and gave on in an invisible group.
fn own_self(tokens: TokenStream, is_handed: bool) -> TokenStream {
    let own = |token| match token {
        TokenTree::Group(group) => {
            let is_handed = is_handed || group.delimiter() == Delimiter::None;
            let mut own = Group::new(group.delimiter(), own_self(group.stream(), is_handed));
            own.set_span(group.span());
            own.into()
        }
        TokenTree::Ident(mut ident) if is_handed && ident == "self" => {
            ident.set_span(Span::call_site().located_at(ident.span()));
            ident.into()
        }
        other => other,
    };
    tokens.into_iter().map(own).collect()
}

fn mentions_self(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions_self(&group.stream()),
        TokenTree::Ident(ident) => ident == "self",
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn is_atom(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Struct(_)
    )
}

/// Takes the tokens up to a comma that is not inside `::<…>`.
fn parse_until_comma(input: ParseStream) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    let mut depth = 0_usize;
    while !input.is_empty() && (depth > 0 || !input.peek(Token![,])) {
        if input.peek(Token![::]) && input.peek3(Token![<]) {
            depth += 1;
        } else if input.peek(Token![>]) {
            depth = depth.saturating_sub(1);
        }
        tokens.append(input.parse::<TokenTree>()?);
    }
    Ok(tokens)
}

/// A key that has no value.
pub(super) fn parse_nothing(key: &Key, input: ParseStream) -> Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    let name = key.spelling.name;
    let message = format!("`{name}` takes no value, write just `{name}`");
    Err(Error::new_spanned(parse_until_comma(input)?, message))
}

pub(super) fn parse_name(key: &Key, input: ParseStream) -> Result<LitStr> {
    parse_equals(key, input)?;
    let literal = parse_string(key, input)?;
    if literal.value().is_empty() {
        let name = key.spelling.name;
        return Err(Error::new_spanned(
            literal,
            format_args!("`{name}` needs at least one letter"),
        ));
    }
    Ok(literal)
}

pub(super) fn parse_predicates(key: &Key, input: ParseStream) -> Result<Predicates> {
    parse_equals(key, input)?;
    let literal = parse_string(key, input)?;
    literal
        .parse_with(Predicates::parse_terminated)
        .map_err(|error| Error::new(error.span(), format_args!("{error}, as in `T: Trait`")))
}

/// A path in quotes is reported and then read: the stub needs the crate.
pub(super) fn parse_path(cx: &mut Ctxt, key: &Key, input: ParseStream) -> Result<Path> {
    parse_equals(key, input)?;
    let at = next(input)?;
    if let Some(literal) = input.parse::<Option<LitStr>>()? {
        let path = literal.value();
        cx.error(
            &literal,
            format_args!("write it without quotes, `crate = {path}`"),
        );
        return literal.parse_with(Path::parse_mod_style);
    }
    Path::parse_mod_style(input)
        .map_err(|_| Error::new_spanned(at, "expected a path, as `crate = path::to::paramtree`"))
}

fn parse_equals(key: &Key, input: ParseStream) -> Result<()> {
    let Key { ident, spelling } = key;
    let example = spelling.example;
    if input.peek(token::Paren) {
        let written = next(input)?;
        return Err(Error::new_spanned(
            written,
            format_args!("expected `=`, as `{example}`"),
        ));
    }
    let equals = input.parse::<Option<Token![=]>>()?;
    if equals.is_none() && !(input.is_empty() || input.peek(Token![,])) {
        return Err(Error::new_spanned(
            next(input)?,
            format_args!("expected `=`, as `{example}`"),
        ));
    }
    if input.is_empty() || input.peek(Token![,]) {
        let mut written = ident.to_token_stream();
        equals.to_tokens(&mut written);
        let message = format!("`{}` needs a value, `{example}`", spelling.name);
        return Err(Error::new_spanned(written, message));
    }
    Ok(())
}

fn parse_string(key: &Key, input: ParseStream) -> Result<LitStr> {
    let at = next(input)?;
    match input.parse::<Lit>() {
        Ok(Lit::Str(literal)) => Ok(literal),
        _ => Err(Error::new_spanned(
            at,
            format_args!("expected a string, as `{}`", key.spelling.example),
        )),
    }
}
