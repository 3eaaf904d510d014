//! Editing segments, texts, calls, acts and states; undo, redo and revert.

pub mod copying;
pub mod dialog_fields;
pub mod edits_tab;
pub mod items;
pub mod label_picker;
pub mod later_states;
pub mod lost_fields;
pub mod name_picker;
pub mod revert;
pub mod segments;
pub mod speaker_picker;
pub mod split_merge;
pub mod turn_text;
pub mod undo;
pub mod value_prompt;
pub mod whole_turns;
