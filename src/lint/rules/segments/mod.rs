//! Rules on the spans of segments.

mod span_cuts_word;
mod span_duplicate;
mod span_edge_punctuation;
mod span_edge_space;
mod span_empty;
mod span_other_unit;
mod span_out_of_range;
mod span_overlap;
mod span_quoted_elsewhere;
mod span_reversed;
mod span_string_index;
mod span_text_mismatch;
mod unlabelled_mention;

pub use unlabelled_mention::{LabelledText, mentions_to_label};

use crate::lint::engine::Rule;

/// The rules on single segments.
pub static RULES: &[&Rule] = &[
    &span_string_index::RULE,
    &span_reversed::RULE,
    &span_empty::RULE,
    &span_out_of_range::RULE,
    &span_other_unit::RULE,
    &span_text_mismatch::RULE,
    &span_quoted_elsewhere::RULE,
    &span_cuts_word::RULE,
    &span_edge_space::RULE,
    &span_edge_punctuation::RULE,
];

/// The rules on segments next to others, which need the right labels.
pub static SEVERAL: &[&Rule] =
    &[&span_overlap::RULE, &span_duplicate::RULE, &unlabelled_mention::RULE];
