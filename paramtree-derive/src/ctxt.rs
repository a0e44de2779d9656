//! Collects errors, so that one build shows them all.

use std::fmt::Display;

use quote::ToTokens;
use syn::Error;

/// The errors of one derive input.
#[derive(Default)]
pub(crate) struct Ctxt {
    errors: Option<Error>,
}

impl Ctxt {
    /// Notes an error that underlines `tokens`, from the first to the last.
    pub(crate) fn error(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.syn_error(Error::new_spanned(tokens, message));
    }

    /// Notes an error that knows its place.
    pub(crate) fn syn_error(&mut self, error: Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// The errors, in the order in which they were found.
    pub(crate) fn finish(self) -> Result<(), Error> {
        self.errors.map_or(Ok(()), Err)
    }
}
