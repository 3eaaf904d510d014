//! Saving, quitting, and files that other programs change.

pub mod autosave;
pub mod changed_on_disk;
pub mod external_changes;
pub mod file_question;
pub mod quit;
pub mod save;
pub mod save_file;
