//! Runs background work, each in a thread of its own; a job that takes long is cancelled when a newer one of its kind starts.
//! Summaries of files are made several at a time.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use rayon::ThreadPool;

use super::jobs::{Sink, summarize};
use super::messages::{MessageBatch, MessageSender, Pace};
use crate::app::Msg;
use crate::workspace::Snapshot;

/// The background work of the screen.
pub struct Jobs {
    pub reports: MessageSender,
    /// The number of the running job of each kind; 0 for none.
    running: [Arc<AtomicU64>; 4],
    summarizers: ThreadPool,
    /// The summaries of the files that are queued or being read.
    summaries: RefCell<Weak<Mutex<MessageBatch>>>,
}

/// The kinds of jobs that are cancelled.
#[derive(Clone, Copy)]
pub enum JobKind {
    Search,
    /// The count of the values of hits.
    Hits,
    Figures,
    Fixes,
}

/// A running job.
pub struct Job {
    number: u64,
    running: Arc<AtomicU64>,
    pace: Pace,
    reports: MessageSender,
}

impl Jobs {
    pub fn new(reports: MessageSender, summarizers: ThreadPool) -> Self {
        Self { reports, running: Default::default(), summarizers, summaries: RefCell::default() }
    }

    /// Summarizes every dialog of a file for the list.
    pub fn summarize(&self, file: usize, snapshot: Snapshot) {
        let known = self.summaries.borrow().upgrade();
        let batch = known.unwrap_or_else(|| {
            let new = Arc::new(Mutex::new(MessageBatch::new(self.reports.clone())));
            self.summaries.replace(Arc::downgrade(&new));
            new
        });
        self.summarizers.spawn_fifo(move || {
            let mut sink = SummarySink { batch, pace: Pace::steady() };
            summarize(file, &snapshot, &mut sink);
        });
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

/// Adds the summaries of one file to those of the others.
struct SummarySink {
    batch: Arc<Mutex<MessageBatch>>,
    pace: Pace,
}

impl Sink for SummarySink {
    fn is_due(&mut self) -> bool {
        self.pace.is_due()
    }

    fn is_cancelled(&self) -> bool {
        false
    }

    fn send(&mut self, msg: Msg) -> bool {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner).send(msg)
    }
}
