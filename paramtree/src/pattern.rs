//! Patterns over paths: whole segments, `*` for one, `**` for any number.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::structure::Leaf;

/// One pattern, or several: `"encoder"`, `["encoder", "head.bias"]`, `&names[..]`.
pub trait Patterns {
    /// Calls `each` with every pattern, and stops at the first error.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error>;
}

impl Patterns for str {
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        each(self)
    }
}

impl Patterns for String {
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        each(self)
    }
}

impl<P: Patterns> Patterns for [P] {
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.iter().try_for_each(|patterns| patterns.try_each(each))
    }
}

impl<P: Patterns, const N: usize> Patterns for [P; N] {
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.as_slice().try_each(each)
    }
}

impl<P: Patterns> Patterns for Vec<P> {
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.as_slice().try_each(each)
    }
}

impl<P: Patterns + ?Sized> Patterns for &P {
    fn try_each(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        (**self).try_each(each)
    }
}

#[derive(Debug, PartialEq)]
enum Segment {
    Name(String),
    /// `*`
    One,
    /// `**`
    Any,
    /// `[3]`: an element of an array, which no path has.
    Element,
}

/// The positions of the leaves that a pattern selects: those at it and below it.
///
/// # Errors
///
/// The pattern cannot be read, reaches into a leaf, or matches nothing.
pub(crate) fn select(pattern: &str, leaves: &[Leaf]) -> Result<Vec<usize>, Error> {
    let parsed = parse(pattern).map_err(|reason| {
        let pattern = pattern.to_owned();
        Error::Pattern { pattern, reason }
    })?;
    if parsed.is_empty() {
        let (pattern, reason) = (pattern.to_owned(), "it is empty, `**` selects every leaf");
        return Err(Error::Pattern { pattern, reason });
    }
    let paths: Vec<Vec<Segment>> = leaves
        .iter()
        .map(|leaf| parse(&leaf.path).unwrap_or_default())
        .collect();
    let selected: Vec<usize> = (0..leaves.len())
        .filter(|&i| matches(&parsed, &paths[i], Below::Too))
        .collect();
    if !selected.is_empty() {
        return Ok(selected);
    }
    let pattern = pattern.to_owned();
    match (0..leaves.len()).find(|&i| reaches_into(&parsed, &paths[i])) {
        Some(i) => Err(Error::InsideLeaf {
            pattern,
            path: leaves[i].path.clone(),
        }),
        None => Err(Error::NoMatch {
            nearest: nearest(&pattern, leaves),
            pattern,
        }),
    }
}

/// Whether what stands below the pattern is meant too.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    Too,
    Not,
}

fn matches(pattern: &[Segment], path: &[Segment], below: Below) -> bool {
    match (pattern, path) {
        ([], []) => true,
        ([], _) => below == Below::Too,
        ([Segment::Any, rest @ ..], _) => {
            (0..=path.len()).any(|n| matches(rest, &path[n..], below))
        }
        ([Segment::One, rest @ ..], [_, path @ ..]) => matches(rest, path, below),
        ([name, rest @ ..], [segment, path @ ..]) => name == segment && matches(rest, path, below),
        (_, []) => false,
    }
}

/// Whether the pattern is a leaf's path with indices behind it.
fn reaches_into(pattern: &[Segment], path: &[Segment]) -> bool {
    let is_index = |segment: &Segment| match segment {
        Segment::Element => true,
        Segment::Name(name) => name.parse::<usize>().is_ok(),
        Segment::One | Segment::Any => false,
    };
    (1..pattern.len()).any(|n| {
        let (leaf, rest) = pattern.split_at(n);
        rest.iter().all(is_index) && matches(leaf, path, Below::Not)
    })
}

/// Splits at dots, outside quotes.
fn parse(text: &str) -> Result<Vec<Segment>, &'static str> {
    let mut segments = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let segment;
        (segment, rest) = if let Some(quoted) = rest.strip_prefix('"') {
            unquote(quoted)?
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            (plain(name)?, rest)
        };
        segments.push(segment);
        while let Some(element) = rest.strip_prefix('[') {
            let (_, after) = element.split_once(']').ok_or("a `[` is not closed")?;
            segments.push(Segment::Element);
            rest = after;
        }
        rest = match rest.strip_prefix('.') {
            Some("") => return Err("it ends with a dot"),
            Some(after) => after,
            None if rest.is_empty() => rest,
            None => return Err("a dot is missing between two segments"),
        };
    }
    Ok(segments)
}

fn plain(name: &str) -> Result<Segment, &'static str> {
    match name {
        "" => Err("a segment is empty, an empty key is written `\"\"`"),
        "*" => Ok(Segment::One),
        "**" => Ok(Segment::Any),
        _ if name.contains('*') => {
            Err("`*` stands for a whole segment, quote a key that holds one")
        }
        _ if name.contains('"') => Err("a quote stands inside a segment, quote the whole key"),
        _ => Ok(Segment::Name(name.to_owned())),
    }
}

/// Reads a quoted segment, from behind its opening quote.
fn unquote(text: &str) -> Result<(Segment, &str), &'static str> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Ok((Segment::Name(name), &text[i + 1..])),
            '\\' => match chars.next() {
                Some((_, 'u')) => {
                    let code: String = chars
                        .by_ref()
                        .map(|(_, c)| c)
                        .take_while(|c| *c != '}')
                        .collect();
                    let code = u32::from_str_radix(code.trim_start_matches('{'), 16);
                    let c = code.ok().and_then(char::from_u32);
                    name.push(c.ok_or("a `\\u{…}` is no character")?);
                }
                escaped => name.extend(escaped.map(|(_, c)| c)),
            },
            c => name.push(c),
        }
    }
    Err("a quote is not closed")
}

/// The path of a leaf or a branch that is nearest to a text, by edit distance.
pub(crate) fn nearest(text: &str, leaves: &[Leaf]) -> Option<String> {
    let mut places = BTreeSet::new();
    for leaf in leaves {
        let dots = leaf.path.match_indices('.').map(|(dot, _)| dot);
        places.extend(dots.map(|dot| &leaf.path[..dot]));
        places.insert(leaf.path.as_str());
    }
    places
        .into_iter()
        .min_by_key(|place| distance(text, place))
        .map(str::to_owned)
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selects(pattern: &str, path: &str) -> bool {
        matches(&parse(pattern).unwrap(), &parse(path).unwrap(), Below::Too)
    }

    #[test]
    fn a_pattern_selects_whole_segments_and_what_is_below() {
        assert!(selects("layer1", "layer1.w"));
        assert!(!selects("layer1", "layer10.w"));
        assert!(!selects("layer1.w", "layer1"));
        assert!(selects("*.w", "layer1.w"));
        assert!(!selects("*.w", "net.layer1.w"));
        assert!(selects("**.w", "net.layer1.w"));
        assert!(selects("net.**.w", "net.w"));
        assert!(selects("**", ""));
    }

    #[test]
    fn quoted_keys_are_one_segment() {
        assert!(selects("t.\"a.b\".c", "t.\"a.b\".c"));
        assert!(!selects("t.a", "t.\"a.b\".c"));
        assert!(selects(r#""say \"*\"""#, r#""say \"*\"""#));
        assert!(selects("\"plain\"", "plain"));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for bad in ["a..b", ".a", "a.", "w*", "\"a", "\"a\"b", "w[0", "a\"b"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3); // k→s, e→i, +g
        assert_eq!(distance("", "abc"), 3);
    }
}
