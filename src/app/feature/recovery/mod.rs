//! Unsaved edits of earlier runs.

pub mod recover;
pub mod restore_edits;
