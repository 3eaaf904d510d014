//! Runs background work, each in a thread of its own; a job that takes long is cancelled when a newer one of its kind starts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::jobs::Sink;
use super::messages::{MessageSender, Pace};
use crate::app::Msg;

/// The background work of the screen.
pub struct Jobs {
    pub reports: MessageSender,
    /// The number of the running job of each kind; 0 for none.
    running: [Arc<AtomicU64>; 4],
}

/// The kinds of jobs that are cancelled.
#[derive(Clone, Copy)]
pub enum JobKind {
    Search,
    /// The count of the values of hits.
    Hits,
    Figures,
    BulkFix,
}

/// A running job.
pub struct Job {
    number: u64,
    running: Arc<AtomicU64>,
    pace: Pace,
    reports: MessageSender,
}

impl Jobs {
    pub fn new(reports: MessageSender) -> Self {
        Self { reports, running: Default::default() }
    }

    /// Starts `work` as job `number`, which is not 0 and not that of an earlier job, and cancels the one of its kind
    /// before.
    pub fn start(&self, kind: JobKind, number: u64, work: impl FnOnce(&mut Job) + Send + 'static) {
        let mut job = self.job(kind, number);
        thread::spawn(move || work(&mut job));
    }

    fn job(&self, kind: JobKind, number: u64) -> Job {
        let running = Arc::clone(&self.running[kind as usize]);
        running.store(number, Ordering::Relaxed);
        Job { number, running, pace: Pace::steady(), reports: self.reports.clone() }
    }

    /// Cancels the job of a kind.
    pub fn cancel(&self, kind: JobKind) {
        self.running[kind as usize].store(0, Ordering::Relaxed);
    }

    /// Starts work that takes not so long, and sends the message that it returns.
    pub fn run(&self, work: impl FnOnce() -> Option<Msg> + Send + 'static) {
        let reports = self.reports.clone();
        thread::spawn(move || work().map(|msg| reports.send(msg)));
    }
}

impl Sink for Job {
    fn is_due(&mut self) -> bool {
        self.pace.is_due()
    }

    fn is_cancelled(&self) -> bool {
        self.running.load(Ordering::Relaxed) != self.number
    }

    fn send(&mut self, msg: Msg) -> bool {
        self.reports.send(msg)
    }
}
