//! Rules on simulated dialogues: slots, acts, intents and states.

mod act_unknown;
mod act_value_without_slot;
mod intent_unknown;
mod slot_out_of_range;
mod slot_unknown;
mod slot_value;
mod state_lost_slot;
mod state_repeated_slot;
mod state_value_unknown;
mod state_value_unsupported;
mod tokens_text_mismatch;

use crate::lint::engine::Rule;

/// In the order of listings, see [`crate::lint::RULES`].
pub static RULES: &[&Rule] = &[
    &tokens_text_mismatch::RULE,
    &slot_out_of_range::RULE,
    &slot_unknown::RULE,
    &act_unknown::RULE,
    &act_value_without_slot::RULE,
    &intent_unknown::RULE,
    &state_value_unknown::RULE,
    &state_value_unsupported::RULE,
    &state_lost_slot::RULE,
    &state_repeated_slot::RULE,
];
