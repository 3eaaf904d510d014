//! The rules, one file each.
//!
//! The leading comment of a rule's file is its manual page: what it finds in one line, then why it
//! matters, what its fixes do and how safe they are, and at least one example that has the problem and
//! one that has not. Examples are fenced blocks, ```` ```text bad ```` and ```` ```text good ````, in
//! the notation of segments (`user: see «No Time»{name.movie}`, a line a turn), or ```` ```json bad ````
//! with a whole dialog of any family. A test runs them.

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
mod file_name_differs;
mod intent_unknown;
mod label_unknown;
mod labels_file_mismatch;
mod names;
mod slot_out_of_range;
mod slot_value;
mod span_cuts_word;
mod span_out_of_range;
mod state_lost_slot;
mod state_value_unsupported;
mod tokens_text_mismatch;
mod vote_anonymous;
mod vote_count_differs;
mod vote_on_user_turn;
mod vote_repeated_annotator;
mod vote_unknown_label;

pub use file_name_differs::file_name;
pub use labels_file_mismatch::labels_file;

use super::Rule;

/// Every rule, in the order in which they are listed.
pub static RULES: &[&Rule] = &[
    &span_out_of_range::RULE,
    &span_cuts_word::RULE,
    &label_unknown::RULE,
    &api_unknown_name::RULE,
    &api_missing_argument::RULE,
    &api_unknown_argument::RULE,
    &api_unknown_response::RULE,
    &api_turn_index::RULE,
    &api_json_broken::RULE,
    &api_call_without_request::RULE,
    &api_argument_unsupported::RULE,
    &api_argument_outdated::RULE,
    &tokens_text_mismatch::RULE,
    &slot_out_of_range::RULE,
    &act_unknown::RULE,
    &act_value_without_slot::RULE,
    &intent_unknown::RULE,
    &state_value_unsupported::RULE,
    &state_lost_slot::RULE,
    &vote_unknown_label::RULE,
    &vote_repeated_annotator::RULE,
    &vote_anonymous::RULE,
    &vote_on_user_turn::RULE,
    &vote_count_differs::RULE,
    &file_name_differs::RULE,
    &labels_file_mismatch::RULE,
];

/// The rule called `name`.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}
