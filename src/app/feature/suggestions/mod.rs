//! Suggested edits: finding their dialogs, showing them one by one, and taking or leaving them.

pub mod place;
pub mod review;
pub mod seen;
pub mod window;
