//! The rules, one file each.
//!
//! The leading comment of a rule's file is its manual page: the problem in one line, then why it
//! matters, what the fixes do and how safe they are, and at least one example with the problem and one
//! without. Examples are fenced blocks, ```` ```text bad ```` and ```` ```text good ````, in the
//! notation of segments (`user: see «No Time»{name.movie}`, one turn per line), or ```` ```json bad ````
//! with a whole dialog of any family. If the name of the file matters, it follows the verdict; all named
//! examples of a verdict are in one folder. A test runs every example, also as a file of its own: the
//! bad one must be reported at the severity of the rule, the good one at most as a note.

mod act_unknown;
mod act_value_without_slot;
mod api_argument_outdated;
mod api_argument_unsupported;
mod api_call_without_request;
mod api_json_broken;
mod api_missing_argument;
mod api_turn_index;
mod api_unknown_argument;
mod api_unknown_name;
mod api_unknown_response;
mod deleted_turn;
mod duplicate_dialog_id;
mod duplicate_key;
mod edge_whitespace;
mod empty_dialog;
mod empty_utterance;
mod file_name_differs;
mod intent_unknown;
mod json_syntax;
mod label_conflict;
mod label_repeated;
mod label_unknown;
mod label_whitespace;
mod labels_file_mismatch;
mod last_value;
mod names;
mod one_speaker_dialog;
mod repeated_exchange;
mod repeated_turn;
mod schema;
mod slot_out_of_range;
mod slot_unknown;
mod slot_value;
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
mod state_lost_slot;
mod state_repeated_slot;
mod state_value_unsupported;
mod tokens_text_mismatch;
mod turn_index_order;
mod unknown_speaker;
mod unlabelled_mention;
mod vote_anonymous;
mod vote_count_differs;
mod vote_on_user_turn;
mod vote_repeated_annotator;
mod vote_unknown_label;

pub use file_name_differs::file_name;
pub use labels_file_mismatch::labels_file;

use super::Rule;

/// Every rule, in the order of listings: rules come before those that depend on them. A fix may reveal
/// problems of later rules, see [`fn@super::fix`].
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
    &repeated_exchange::RULE,
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
    // Labels.
    &label_whitespace::RULE,
    &label_unknown::RULE,
    &label_repeated::RULE,
    &label_conflict::RULE,
    // Segments next to others.
    &span_overlap::RULE,
    &span_duplicate::RULE,
    &unlabelled_mention::RULE,
    // Calls.
    &api_json_broken::RULE,
    &api_unknown_name::RULE,
    &api_call_without_request::RULE,
    &api_unknown_argument::RULE,
    &api_missing_argument::RULE,
    &api_unknown_response::RULE,
    &api_turn_index::RULE,
    &api_argument_unsupported::RULE,
    &api_argument_outdated::RULE,
    // Simulated dialogues.
    &tokens_text_mismatch::RULE,
    &slot_out_of_range::RULE,
    &slot_unknown::RULE,
    &act_unknown::RULE,
    &act_value_without_slot::RULE,
    &intent_unknown::RULE,
    &state_value_unsupported::RULE,
    &state_lost_slot::RULE,
    &state_repeated_slot::RULE,
    // Votes.
    &vote_unknown_label::RULE,
    &vote_repeated_annotator::RULE,
    &vote_anonymous::RULE,
    &vote_on_user_turn::RULE,
    &vote_count_differs::RULE,
    &file_name_differs::RULE,
    &labels_file_mismatch::RULE,
];

/// The rule named `name`.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}
