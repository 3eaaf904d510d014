//! The main loop of the interactive program, and its work in the background.

mod browse;
mod job;
pub mod jobs;
mod loading;
mod messages;
mod save_job;
mod watch;

pub use browse::{BrowsedFiles, browse};
