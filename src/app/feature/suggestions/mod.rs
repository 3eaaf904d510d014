//! Suggested edits and conflicts: finding their dialogs, showing them one by one, and taking or leaving them.

pub mod conflict_list;
pub mod other_side;
pub mod place;
pub mod review;
pub mod seen;
pub mod window;
