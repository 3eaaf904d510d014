//! Saving, quitting, and files that other programs change.

pub mod autosave;
pub mod changed_on_disk;
pub mod deleted_on_disk;
pub mod external_changes;
pub mod owner_change;
pub mod quit;
pub mod save;
pub mod save_file;
