//! Rules on the file, the dialog and its turns.

mod deleted_turn;
mod duplicate_dialog_id;
mod duplicate_key;
mod edge_whitespace;
mod empty_dialog;
mod empty_utterance;
mod json_syntax;
mod line_repeated;
mod one_speaker_dialog;
mod repeated_exchange;
mod repeated_turn;
mod schema;
mod shared_beginning;
mod turn_index_order;
mod unknown_speaker;

pub use duplicate_dialog_id::{KnownDialog, text_hash};

use crate::lint::engine::{Diagnostic, Rule, Selection};

/// Finds dialogs with the id of an earlier one, and those that begin with its line; the caller reads the dialogs. Returns
/// the position of each in `all` with the problem. `name` returns the name of a file.
pub fn duplicates<'k>(
    all: impl Iterator<Item = KnownDialog<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let mut found = duplicate_dialog_id::find(all.clone(), &name, selection);
    found.extend(shared_beginning::find(all, &name, selection));
    found
}

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] = &[
    &json_syntax::RULE,
    &schema::RULE,
    &duplicate_key::RULE,
    &duplicate_dialog_id::RULE,
    &shared_beginning::RULE,
    &line_repeated::RULE,
    &turn_index_order::RULE,
    &empty_dialog::RULE,
    &one_speaker_dialog::RULE,
    &unknown_speaker::RULE,
    &empty_utterance::RULE,
    &deleted_turn::RULE,
    &repeated_turn::RULE,
    &repeated_exchange::RULE,
    &edge_whitespace::RULE,
];
