//! Background jobs: functions that read snapshots of files and report to a [`Sink`].
//!
//! The sink decides when a report is due and when to stop. So a job asks no clock and starts no thread,
//! and a test can run it as it is.

mod figures;
mod files;
mod fixes;
mod hits;
mod queue;
mod report;
mod search;
mod summarize;

pub use figures::{AnswerScope, BlameScope, blame};
pub use fixes::{FixScope, find_fixes};
pub use hits::{count_hits, export_hits};
pub use queue::{QueueScope, queue};
pub use report::{every_dialog, report};
pub use search::{SearchScope, search};
pub use summarize::summarize;

use crate::app::Msg;

/// Receives the reports of a job.
pub trait Sink {
    /// Returns true if enough time has passed for another report, which the job then sends.
    fn is_due(&mut self) -> bool;

    /// Returns true if the job was cancelled or replaced by a newer one.
    fn is_cancelled(&self) -> bool;

    /// Sends a report. Returns false if the receiver is gone.
    fn send(&mut self, msg: Msg) -> bool;
}

/// A text that a job has made for a new file, and the messages about that.
pub struct MadeText {
    pub text: Vec<u8>,
    pub done: String,
    pub failed: &'static str,
}

impl MadeText {
    /// Has it written to the file called `name`.
    pub fn put(&self, name: &str, write: impl FnOnce(&[u8]) -> Result<(), String>) -> Msg {
        match write(&self.text) {
            Ok(()) => Msg::Written(format!("{} {name}", self.done)),
            Err(error) => Msg::Complaint(format!("{}: {error}", self.failed)),
        }
    }
}

/// Keeps all reports. None is due before the job ends.
impl Sink for Vec<Msg> {
    fn is_due(&mut self) -> bool {
        false
    }

    fn is_cancelled(&self) -> bool {
        false
    }

    fn send(&mut self, msg: Msg) -> bool {
        self.push(msg);
        true
    }
}
