//! Rules on the file, the dialog and its turns.

mod deleted_turn;
mod duplicate_dialog_id;
mod duplicate_key;
mod edge_whitespace;
mod empty_dialog;
mod empty_utterance;
mod json_syntax;
mod one_speaker_dialog;
mod repeated_exchange;
mod repeated_turn;
mod schema;
mod turn_index_order;
mod unknown_speaker;

pub use duplicate_dialog_id::{KnownDialog, duplicates, text_hash};

use crate::lint::engine::Rule;

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] = &[
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
];
