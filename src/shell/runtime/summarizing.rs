//! Summarizes every dialog of the files for the list, in the background.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

use super::jobs::{Sink, summarize};
use super::messages::{MessageBatch, MessageSender, Pace};
use crate::app::Msg;
use crate::workspace::Snapshot;

/// Summarizes files for the list, several at a time.
pub struct SummaryReader {
    reports: MessageSender,
    pool: ThreadPool,
    run: Arc<Mutex<FileRun>>,
}

/// Files that are read in one go: those queued while earlier ones are still being read.
struct FileRun {
    batch: MessageBatch,
    /// Files not yet read to the end.
    waiting: usize,
}

impl SummaryReader {
    pub fn new(pool: ThreadPool, reports: MessageSender) -> Self {
        let batch = MessageBatch::new(reports.clone());
        Self { reports, pool, run: Arc::new(Mutex::new(FileRun { batch, waiting: 0 })) }
    }

    /// Summarizes every dialog of a file.
    pub fn summarize(&self, file: usize, snapshot: Snapshot) {
        let mut run = lock(&self.run);
        if run.waiting == 0 {
            run.batch = MessageBatch::new(self.reports.clone());
        }
        run.waiting += 1;
        drop(run);
        let run = Arc::clone(&self.run);
        self.pool.spawn_fifo(move || {
            let pace = Pace::steady();
            let mut sink = FileSink { run, pace };
            summarize(file, &snapshot, &mut sink);
            let mut run = lock(&sink.run);
            run.waiting -= 1;
            if run.waiting == 0 {
                run.batch.send_all();
            }
        });
    }
}

fn lock(run: &Mutex<FileRun>) -> MutexGuard<'_, FileRun> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the reports of one file to those of its run.
struct FileSink {
    run: Arc<Mutex<FileRun>>,
    pace: Pace,
}

impl Sink for FileSink {
    fn is_due(&mut self) -> bool {
        self.pace.is_due()
    }

    fn is_cancelled(&self) -> bool {
        false
    }

    fn send(&mut self, msg: Msg) -> bool {
        lock(&self.run).batch.send(msg)
    }
}
