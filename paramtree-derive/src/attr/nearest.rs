//! Which word was meant.

/// The word with the fewest edits, if these are at most a third of its letters.
pub(super) fn of(written: &str, words: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    words
        .map(|word| (distance(written, word), word))
        .filter(|(edits, word)| 3 * edits <= word.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// Letters to insert, drop, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut edits = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits = edits.min(before[j - 2] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, of};

    #[test]
    fn counts_edits() {
        for (a, b, edits) in [
            ("", "tag", 3),
            ("skip", "skip", 0),
            ("transfrom", "transform", 1),
            ("renam", "rename", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
            assert_eq!(distance(b, a), edits, "{b} {a}");
        }
    }

    #[test]
    fn names_only_what_is_near() {
        let words = || ["transform", "skip", "tag"].into_iter();
        assert_eq!(of("transfrom", words()), Some("transform"));
        assert_eq!(of("skipp", words()), Some("skip"));
        assert_eq!(of("constraint", words()), None);
    }
}
