//! JSON that is read to the last digit of its numbers.

/// The same JSON with its numbers as strings: `serde_json` by itself may miss the last digit of a
/// number, and the last digit is what is tested.
pub(crate) fn quote_numbers(text: &str) -> String {
    let mut quoted = String::new();
    let (mut in_string, mut in_number) = (false, false);
    for c in text.chars() {
        let starts = !in_string && (c == '-' || c.is_ascii_digit());
        let continues = in_number && matches!(c, '+' | '.' | 'e' | 'E');
        if in_number != (starts || continues) {
            quoted.push('"');
        }
        in_number = starts || continues;
        in_string ^= c == '"';
        quoted.push(c);
    }
    quoted
}
