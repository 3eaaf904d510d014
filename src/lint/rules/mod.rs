//! The rules, one file each.
//!
//! The leading comment of a rule's file is its manual page: what it finds in one line, then why it
//! matters, what its fixes do and how safe they are, and at least one example that has the problem and
//! one that has not. Examples are fenced blocks, ```` ```text bad ```` and ```` ```text good ````, in
//! the notation of segments (`user: see «No Time»{name.movie}`, a line a turn), or ```` ```json bad ````
//! with a whole dialog of any family. A test runs them.

mod deleted_turn;
mod duplicate_dialog_id;
mod duplicate_key;
mod edge_whitespace;
mod empty_dialog;
mod empty_utterance;
mod json_syntax;
mod label_conflict;
mod label_repeated;
mod label_whitespace;
mod one_speaker_dialog;
mod repeated_turn;
mod schema;
mod span_cuts_word;
mod span_duplicate;
mod span_edge_punctuation;
mod span_edge_space;
mod span_empty;
mod span_other_unit;
mod span_out_of_range;
mod span_overlap;
mod span_reversed;
mod span_string_index;
mod span_text_mismatch;
mod turn_index_order;
mod unknown_speaker;
mod unlabelled_mention;

use super::Rule;

/// Every rule, in the order in which they are listed.
pub static RULES: &[&Rule] = &[
    // Structure.
    &json_syntax::RULE,
    &schema::RULE,
    &duplicate_key::RULE,
    &duplicate_dialog_id::RULE,
    &turn_index_order::RULE,
    &empty_dialog::RULE,
    &one_speaker_dialog::RULE,
    &unknown_speaker::RULE,
    &empty_utterance::RULE,
    &deleted_turn::RULE,
    &repeated_turn::RULE,
    &edge_whitespace::RULE,
    // Segments.
    &span_string_index::RULE,
    &span_reversed::RULE,
    &span_empty::RULE,
    &span_out_of_range::RULE,
    &span_other_unit::RULE,
    &span_text_mismatch::RULE,
    &span_cuts_word::RULE,
    &span_edge_space::RULE,
    &span_edge_punctuation::RULE,
    &span_overlap::RULE,
    &span_duplicate::RULE,
    &unlabelled_mention::RULE,
    // Labels.
    &label_whitespace::RULE,
    &label_repeated::RULE,
    &label_conflict::RULE,
];

/// The rule called `name`.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}
