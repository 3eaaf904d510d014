//! Reviewing proposed edits in one list: the fixes of problems, the suggestions of a file, and the conflicts of a merge.
//! They are ticked and made together, or taken and left one by one.

pub mod conflict_list;
pub mod decide;
pub mod fixes;
pub mod other_side;
pub mod place;
pub mod seen;
pub mod window;
