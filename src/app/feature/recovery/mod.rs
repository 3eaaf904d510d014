//! Unsaved edits of earlier runs.

pub mod discard_edits;
pub mod recover;
pub mod restore_edits;
