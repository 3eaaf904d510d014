//! What the user can do, by subject. These folders do not import each other: what one changes and another
//! shows is brought up to date by [`update`](crate::app::update) after each message.

pub mod editing;
pub mod finding;
pub mod judging;
pub mod problems;
pub mod recovery;
pub mod saving;
