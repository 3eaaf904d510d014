//! The things a user can do, by subject. These folders do not import each other: after each message,
//! [`update`](crate::app::update) updates what one feature shows if another has changed it.

pub mod editing;
pub mod figures;
pub mod finding;
pub mod judging;
pub mod problems;
pub mod recovery;
pub mod review;
pub mod saving;
