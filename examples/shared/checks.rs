//! The facts that the example promises, said as they are found.

use std::error::Error;

/// Prints each fact; what does not hold is counted, so that one run shows all that is wrong.
#[derive(Default)]
pub(crate) struct Checks {
    failed: usize,
}

impl Checks {
    pub(crate) fn expect(&mut self, holds: bool, fact: &str) {
        self.failed += usize::from(!holds);
        println!("{} {fact}", if holds { "  ok  " } else { "FAILED" });
    }

    pub(crate) fn finish(self) -> Result<(), Box<dyn Error>> {
        match self.failed {
            0 => Ok(()),
            failed => Err(format!("{failed} of the facts above do not hold").into()),
        }
    }
}
