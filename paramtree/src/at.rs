//! Where the walk stands: a link to its parent on the stack.

use std::fmt;

/// The place of a leaf in its model, as the walk knows it.
///
/// An `At` is a copyable link to its parent's `At`, which lives on the stack of
/// the walk: it allocates nothing, and a path is written only when somebody asks
/// for it (`at.to_string()`).
///
/// ```
/// use paramtree::At;
///
/// let root = At::root();
/// let layers = root.field("layers");
/// let layer = layers.index(3);
/// assert_eq!(layer.field("weight").to_string(), "layers.3.weight");
/// ```
#[derive(Clone, Copy)]
pub struct At<'p> {
    parent: Option<&'p At<'p>>,
    key: Key<'p>,
    standing: Standing,
    tag: Option<&'p str>,
}

#[derive(Clone, Copy)]
enum Key<'p> {
    Root,
    Name(&'p str),
    Index(usize),
    Entry(&'p dyn fmt::Display),
    /// A whole path, written as it is.
    Path(&'p str),
}

/// Whether a place in a model may be trained, before any mask is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// Nothing stands against it.
    Open,
    /// Declared frozen: `#[frozen]` or [`Frozen`](crate::Frozen).
    Declared,
    /// In shared storage (`Arc`, `Rc`, `&`), which can be read only.
    Shared,
}

impl At<'static> {
    /// The place of the model itself, whose path is empty.
    #[inline]
    #[must_use]
    pub fn root() -> Self {
        At {
            parent: None,
            key: Key::Root,
            standing: Standing::Open,
            tag: None,
        }
    }
}

impl<'p> At<'p> {
    #[inline]
    fn child<'s>(&'s self, key: Key<'s>) -> At<'s> {
        At {
            parent: Some(self),
            key,
            standing: self.standing,
            tag: self.tag,
        }
    }

    /// The place of a field.
    #[inline]
    #[must_use]
    pub fn field<'s>(&'s self, name: &'s str) -> At<'s> {
        self.child(Key::Name(name))
    }

    /// The place of an element of a sequence, or of an unnamed field.
    #[inline]
    #[must_use]
    pub fn index(&self, index: usize) -> At<'_> {
        self.child(Key::Index(index))
    }

    /// The place of an enum's variant.
    #[inline]
    #[must_use]
    pub fn variant<'s>(&'s self, name: &'s str) -> At<'s> {
        self.child(Key::Name(name))
    }

    /// The place of a map's entry.
    #[inline]
    #[must_use]
    pub fn entry<'s>(&'s self, key: &'s dyn fmt::Display) -> At<'s> {
        self.child(Key::Entry(key))
    }

    /// The place of a leaf whose path and tag are known as text.
    pub(crate) fn path<'s>(&'s self, path: &'s str, tag: Option<&'s str>) -> At<'s> {
        if path.is_empty() {
            return *self;
        }
        At {
            tag: tag.or(self.tag),
            ..self.child(Key::Path(path))
        }
    }

    /// This place and all below it, declared frozen.
    #[inline]
    #[must_use]
    pub fn frozen(self) -> Self {
        let standing = match self.standing {
            Standing::Open => Standing::Declared,
            other => other,
        };
        At { standing, ..self }
    }

    /// This place and all below it, in shared storage.
    #[inline]
    #[must_use]
    pub fn shared(self) -> Self {
        At {
            standing: Standing::Shared,
            ..self
        }
    }

    /// This place and all below it, in the group `tag`. The innermost tag wins.
    #[inline]
    #[must_use]
    pub fn tagged(self, tag: &'p str) -> Self {
        At {
            tag: Some(tag),
            ..self
        }
    }

    /// Whether nothing here can be trained, whatever a mask says.
    #[inline]
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        !matches!(self.standing, Standing::Open)
    }

    /// Whether, and why not, a leaf here may be trained.
    #[inline]
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The group of `#[param(tag = "…")]`.
    #[inline]
    #[must_use]
    pub fn tag(&self) -> Option<&'p str> {
        self.tag
    }

    /// The number of segments in the path.
    #[must_use]
    pub fn depth(&self) -> usize {
        std::iter::successors(self.parent, |at| at.parent).count()
    }
}

/// The path: segments joined by dots, the root's is empty.
impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else {
            return Ok(());
        };
        parent.fmt(f)?;
        if parent.parent.is_some() {
            f.write_str(".")?;
        }
        match self.key {
            Key::Root => Ok(()),
            Key::Name(name) => write_segment(f, name),
            Key::Index(index) => write!(f, "{index}"),
            Key::Entry(key) => write_segment(f, &key.to_string()),
            Key::Path(path) => f.write_str(path),
        }
    }
}

impl fmt::Debug for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "At({self})")
    }
}

/// Writes a segment, in quotes where it would not stand alone: paths stay unique.
fn write_segment(f: &mut fmt::Formatter<'_>, segment: &str) -> fmt::Result {
    let plain = |c: char| {
        !matches!(c, '.' | '"' | '\\' | '*' | '[' | ']') && !c.is_whitespace() && !c.is_control()
    };
    if !segment.is_empty() && segment.chars().all(plain) {
        return f.write_str(segment);
    }
    f.write_str("\"")?;
    for c in segment.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            _ if c.is_control() => write!(f, "{}", c.escape_unicode())?,
            _ => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}
