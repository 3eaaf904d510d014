//! Keys and text from the user: keys, keymaps, the mouse, text fields.

pub mod command_name;
pub mod field;
pub mod fuzzy;
pub mod key;
pub mod keymap;
pub mod mouse;
