//! Rules on the labels of segments.

mod label_conflict;
mod label_repeated;
mod label_unknown;
mod label_whitespace;

use crate::lint::engine::Rule;

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] =
    &[&label_whitespace::RULE, &label_unknown::RULE, &label_repeated::RULE, &label_conflict::RULE];
