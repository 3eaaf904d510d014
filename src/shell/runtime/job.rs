//! Runs a background job on a thread of its own and stops it when a newer one starts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::jobs::Sink;
use super::messages::{MessageSender, Pace};
use crate::app::Msg;

/// A place for one running job of a kind.
#[derive(Default)]
pub struct JobSlot {
    /// The number of the job; 0 for none.
    current: Arc<AtomicU64>,
}

/// A running job.
pub struct Job {
    number: u64,
    current: Arc<AtomicU64>,
    pace: Pace,
    reports: MessageSender,
}

impl JobSlot {
    /// Starts `work` as job `number`, which is not 0 and not that of an earlier job, and cancels the one
    /// before.
    pub fn start(
        &self,
        number: u64,
        pace: Pace,
        reports: MessageSender,
        work: impl FnOnce(&mut Job) + Send + 'static,
    ) {
        let mut job = self.job(number, pace, reports);
        thread::spawn(move || work(&mut job));
    }

    fn job(&self, number: u64, pace: Pace, reports: MessageSender) -> Job {
        self.current.store(number, Ordering::Relaxed);
        Job { number, current: Arc::clone(&self.current), pace, reports }
    }

    /// Cancels the job.
    pub fn cancel(&self) {
        self.current.store(0, Ordering::Relaxed);
    }
}

impl Sink for Job {
    fn is_due(&mut self) -> bool {
        self.pace.is_due()
    }

    fn is_cancelled(&self) -> bool {
        self.current.load(Ordering::Relaxed) != self.number
    }

    fn send(&mut self, msg: Msg) -> bool {
        self.reports.send(msg)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_newer_job_cancels_the_older() {
        let reports = MessageSender::new(channel().0);
        let slot = JobSlot::default();
        let older = slot.job(1, Pace::steady(), reports.clone());
        assert!(!older.is_cancelled());
        let mut newer = slot.job(2, Pace::steady(), reports);
        assert!(older.is_cancelled() && !newer.is_cancelled());
        slot.cancel();
        assert!(newer.is_cancelled());
        assert!(!newer.send(Msg::Batch(Vec::new())), "the receiver is gone");
    }
}
