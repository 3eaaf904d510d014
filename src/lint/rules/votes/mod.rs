//! Rules on breakdown votes, their logs, and the files next to logs.

mod file_name_differs;
mod labels_file_mismatch;
mod vote_anonymous;
mod vote_count_differs;
mod vote_on_user_turn;
mod vote_repeated_annotator;
mod vote_unknown_label;

pub use file_name_differs::file_name;
pub use labels_file_mismatch::labels_file;

use crate::lint::engine::Rule;

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] = &[
    &vote_unknown_label::RULE,
    &vote_repeated_annotator::RULE,
    &vote_anonymous::RULE,
    &vote_on_user_turn::RULE,
    &vote_count_differs::RULE,
    &file_name_differs::RULE,
    &labels_file_mismatch::RULE,
];
