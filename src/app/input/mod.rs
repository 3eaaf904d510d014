//! Keys and text from the user: keys, keymaps, the mouse, text fields.

pub mod command;
pub mod field;
pub mod fuzzy;
pub mod key;
pub mod keymap;
pub mod mouse;
pub mod places;

pub use command::{Availability, Command, Move, Topic};
pub use field::TextField;
pub use fuzzy::FuzzyMatcher;
pub use key::{Code, Key, KeyNames};
pub use keymap::{KeyLookup, Keymap, Scope};
pub use mouse::{Mouse, MouseAction};
pub use places::CommandHint;
