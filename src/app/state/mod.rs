//! The parts of the state that belong to no pane, each with its own methods.

pub mod bulk_fix;
pub mod help;
pub mod judging;
pub mod saving;
pub mod search;
pub mod session;
pub mod status;
