//! The state of the program, and what features have in common: messages and effects, commands, overlays,
//! reports, opening dialogs, making edits, locks.

pub mod app;
pub mod attribution;
pub mod command;
pub mod edit;
pub mod locking;
pub mod msg;
pub mod names;
pub mod navigate;
pub mod offered;
pub mod overlay;
pub mod prompt;
pub mod question;
pub mod report;
