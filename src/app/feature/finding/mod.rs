//! Search, and going to dialogs and files.

pub mod bookmarks;
pub mod dialog_filter;
pub mod dialog_order;
pub mod dialog_picker;
pub mod file_picker;
pub mod hit_counts;
pub mod hits_tab;
pub mod search;
pub mod search_prompt;
pub mod side_branch;
pub mod to_file;
