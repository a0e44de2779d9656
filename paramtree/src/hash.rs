//! Hashes that are the same in every process.

use std::fmt::{self, Display, Write};

/// A hash of what a key prints, the same in every process.
pub(crate) fn hash(key: &(impl Display + ?Sized)) -> u64 {
    struct Fnv(u64);
    impl fmt::Write for Fnv {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut fnv = Fnv(0xcbf2_9ce4_8422_2325);
    // Writing into a number never fails; a key whose `Display` does is cut there.
    let _ = write!(fnv, "{key}");
    fnv.0
}
