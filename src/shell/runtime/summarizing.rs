//! Summarizes every dialog of the files for the list, in the background.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::messages::{MessageBatch, MessageSender};
use super::workers::Workers;
use crate::app::Msg;
use crate::json::Parser;
use crate::query::{DialogSummary, Names};
use crate::workspace::summary_of as outline_of_tree;
use crate::workspace::{DialogId, Snapshot};

/// Time after which partial results of a file are sent.
const PATIENCE: Duration = Duration::from_millis(40);

/// Summarizes files for the list, several at a time.
pub struct SummaryReader {
    reports: MessageSender,
    workers: Workers,
    run: Arc<Mutex<FileRun>>,
}

/// Files that are read in one go: those queued while earlier ones are still being read.
struct FileRun {
    batch: MessageBatch,
    /// Files not yet read to the end.
    waiting: usize,
}

impl SummaryReader {
    pub fn start(reports: MessageSender) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let batch = MessageBatch::new(reports.clone());
        Self {
            reports,
            workers: Workers::start(threads),
            run: Arc::new(Mutex::new(FileRun { batch, waiting: 0 })),
        }
    }

    /// Summarizes every dialog of a file.
    pub fn outline(&self, file: usize, snapshot: Snapshot) {
        let mut run = lock(&self.run);
        if run.waiting == 0 {
            run.batch = MessageBatch::new(self.reports.clone());
        }
        run.waiting += 1;
        drop(run);
        let run = Arc::clone(&self.run);
        self.workers.run(move || {
            outline(file, &snapshot, |msg| lock(&run).batch.send(msg));
            let mut run = lock(&run);
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

/// Summarizes every dialog of a file and sends the results until the receiver is gone.
fn outline(file: usize, snapshot: &Snapshot, send: impl Fn(Msg) -> bool) {
    let (mut from, mut outlines, mut last) = (0, Vec::new(), Instant::now());
    let mut names = Names::default();
    let mut buffer = Vec::new();
    let count = snapshot.pieces.len();
    for position in 0..count {
        outlines.push(outline_of(snapshot, position, &mut buffer, &mut names));
        if position + 1 == count || last.elapsed() >= PATIENCE {
            let outlines = std::mem::take(&mut outlines);
            let names = std::mem::take(&mut names);
            let sent = send(Msg::Summarized {
                file,
                from,
                outlines,
                names,
            });
            if !sent {
                return;
            }
            (from, last) = (position + 1, Instant::now());
        }
    }
}

fn outline_of(
    snapshot: &Snapshot,
    position: usize,
    buffer: &mut Vec<u8>,
    names: &mut Names,
) -> DialogSummary {
    let read = snapshot.read(position, buffer);
    let at = DialogId::new(snapshot.file as usize, position);
    let mut parser = Parser::new();
    match read.ok().and_then(|()| parser.parse(buffer).ok()) {
        Some(tree) => {
            names.add(&snapshot.format.read(tree).0);
            outline_of_tree(snapshot.rules.as_deref(), at, snapshot.format, tree)
        }
        None => DialogSummary::unreadable(),
    }
}
