//! Generated code is silent under the lints that its users deny. `tests/crates` compiles this
//! file as a library too, since some lints see only what is exported.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    future_incompatible,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    unused,
    deprecated_in_future,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_docs,
    non_ascii_idents,
    non_local_definitions,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
// Of the restrictions, those that a derive could break.
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::clone_on_ref_ptr,
    clippy::default_numeric_fallback,
    clippy::empty_enum_variants_with_brackets,
    clippy::expect_used,
    clippy::impl_trait_in_params,
    clippy::indexing_slicing,
    clippy::let_underscore_untyped,
    clippy::min_ident_chars,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::multiple_inherent_impl,
    clippy::panic,
    clippy::pattern_type_mismatch,
    clippy::ref_patterns,
    clippy::renamed_function_params,
    clippy::same_name_method,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_char_lifetime_names,
    clippy::std_instead_of_core,
    clippy::unneeded_field_pattern,
    clippy::unreachable,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

use core::fmt::Debug;
use std::collections::BTreeMap;
use std::sync::Arc;

use paramtree::Module;
use paramtree::transform::{Interval, Positive};

/// A struct with every kind of field.
#[derive(Debug, Clone, Module)]
pub struct Struct {
    /// Similar names.
    pub weight_a: f32,
    /// Similar names.
    pub weight_b: f64,
    /// A branch.
    pub boxed: Option<Box<f64>>,
    /// Shared.
    #[frozen]
    pub shared: Arc<f64>,
    /// With an expression that reads `self`.
    #[param(transform = Interval::new(0.0_f64, self.upper + 1.0_f64))]
    pub bounded: Vec<f64>,
    /// With a path.
    #[param(transform = Positive, tag = "scales")]
    pub scale: f64,
    /// Declared frozen.
    #[frozen]
    pub upper: f64,
    /// No module.
    #[param(skip)]
    pub opaque: Opaque,
    /// A map.
    pub map: BTreeMap<String, f64>,
}

/// No module.
#[derive(Debug, Clone, Copy)]
pub struct Opaque;

/// An enum with every kind of variant.
#[derive(Debug, Clone, Module)]
pub enum Enum {
    /// A unit.
    Unit,
    /// Two fields.
    Two(f64, f64),
    /// One field.
    One(#[param(transform = Positive)] f64),
    /// A named field, and one that is skipped.
    Named {
        /// Walked.
        slope: f64,
        /// Skipped.
        #[param(skip)]
        opaque: Opaque,
    },
    /// Nothing is walked.
    Skipped(#[param(skip)] Opaque, #[param(skip)] Opaque),
}

/// A unit struct.
#[derive(Debug, Clone, Copy, Module)]
pub struct Unit;

/// A tuple struct.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Module)]
pub struct Tuple(
    /// First.
    pub f64,
    /// Second.
    #[frozen]
    pub f64,
);

/// A transparent struct.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Module)]
#[module(transparent)]
pub struct Transparent(
    /// The only field.
    pub f64,
);

/// An enum without variants.
#[derive(Debug, Clone, Copy, Module)]
pub enum Never {}

/// An enum of which one variant cannot be.
#[derive(Debug, Clone, Copy, Module)]
pub enum Maybe {
    /// Can be.
    Live(f64),
    /// Cannot.
    Dead(Never),
    /// Cannot either.
    Gone {
        /// Before it.
        before: f64,
        /// Never.
        never: Never,
        /// Behind it.
        #[param(transform = Positive)]
        behind: f64,
    },
}

/// A struct that cannot be.
#[derive(Debug, Clone, Copy, Module)]
pub struct Stuck {
    /// Before it.
    pub before: f64,
    /// Never.
    pub never: Never,
    /// Behind it.
    #[frozen]
    pub behind: (f64, Option<Never>),
}

/// A generic struct whose bounds come in both places.
#[derive(Debug, Module)]
pub struct Generic<'data, Value: Clone, Other, const LEN: usize>
where
    Other: Debug + Copy,
{
    /// Borrowed.
    #[frozen]
    pub data: &'data [Other],
    /// An array.
    pub values: [Value; LEN],
    /// Again.
    pub again: Option<Value>,
    /// Itself.
    pub next: Option<Box<Self>>,
}

/// A recursive enum.
#[derive(Debug, Clone, Module)]
pub enum Tree<Value> {
    /// A leaf.
    Leaf(Value),
    /// A fork.
    Fork(Box<Self>, Box<Self>),
}

/// A deprecated type.
#[deprecated(note = "old")]
#[derive(Module)]
pub struct Old<Value> {
    /// A field.
    pub value: Value,
}

/// A deprecated enum.
#[deprecated]
#[derive(Module)]
pub enum OldEnum {
    /// A variant.
    Only(f64),
}

/// A type with deprecated parts.
#[derive(Module)]
pub struct Deprecated {
    /// A deprecated field.
    #[deprecated]
    pub field: f64,
    /// A field with attributes.
    #[deprecated(since = "0.1.0", note = "other")]
    #[param(transform = Positive)]
    pub other: f64,
    /// A frozen field.
    #[deprecated]
    #[frozen]
    pub frozen: f64,
    /// A field of a deprecated type.
    #[expect(deprecated, reason = "still there")]
    pub old: Old<f64>,
}

/// An enum with deprecated variants.
#[derive(Module)]
pub enum DeprecatedVariants {
    /// A deprecated variant.
    #[deprecated]
    Old(f64),
    /// Another.
    #[deprecated]
    OldUnit,
    /// A variant with a deprecated field.
    Named {
        /// The field.
        #[deprecated]
        field: f64,
    },
}

/// A type whose names are expected to be unusual.
#[expect(non_camel_case_types, reason = "as in the paper")]
#[expect(non_snake_case, non_upper_case_globals, reason = "as in the paper")]
#[derive(Module)]
pub struct unusual<value, const len: usize> {
    /// A matrix.
    pub W_xy: value,
    /// Of some length.
    pub Bias: [f64; len],
}

/// A type whose parts allow what the impl repeats.
#[derive(Module)]
pub struct Parts<const LEN: usize> {
    /// An array.
    #[expect(unused_braces, reason = "for the reader")]
    pub array: [f64; { LEN }],
    /// An array of which the lint says so once.
    #[allow(unused_braces, reason = "for the reader")]
    pub more: [f64; { LEN }],
}

/// What only this module sees.
#[derive(Debug, Clone, Copy, Module)]
struct Private<Value> {
    value: Value,
}

/// A public type of a private one.
#[derive(Debug, Clone, Copy, Module)]
pub struct Public<Value> {
    inner: Private<Value>,
    own: Value,
}

impl<Value> Public<Value> {
    /// Makes one.
    #[inline]
    pub const fn new(value: Value, own: Value) -> Self {
        let inner = Private { value };
        Self { inner, own }
    }
}

/// Types inside a function.
#[inline]
pub fn inside() {
    const LEN: usize = 2;
    #[derive(Debug, Clone, Copy, Module)]
    struct Inner {
        value: f64,
    }
    #[derive(Debug, Clone, Copy, Module)]
    struct InFn {
        values: [f64; LEN],
        inner: Inner,
    }
    drop(paramtree::leaves(&InFn {
        values: [0.0_f64; LEN],
        inner: Inner { value: 0.0 },
    }));
}

/// A type of the same name inside another.
#[inline]
pub fn inside_another() {
    #[derive(Debug, Clone, Copy, Module)]
    struct InFn(f64);
    drop(paramtree::leaves(&InFn(0.0)));
}

#[cfg(test)]
mod tests {
    use paramtree::{Module, leaves};

    use super::{Maybe, Never, Public, Stuck, Tuple, inside, inside_another};

    const fn is_module<Value: Module>() {}

    #[test]
    fn uninhabited_types_are_modules() {
        is_module::<Never>();
        is_module::<Stuck>();
        assert_eq!(leaves(&Maybe::Live(0.0)).len(), 1);
    }

    #[test]
    fn types_inside_functions_are_modules() {
        inside();
        inside_another();
        assert_eq!(
            leaves(&Public::new(Tuple(0.0, 1.0), Tuple(2.0, 3.0))).len(),
            4
        );
    }
}
