//! A progress bar on standard error, shown on a terminal once a command has taken half a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::shell::FoundPath;

const PATIENCE: Duration = Duration::from_millis(500);

/// Counts the bytes that many threads have read.
pub struct ByteProgress {
    bar: ProgressBar,
    /// The size of all files in bytes.
    pub total: u64,
    since: Instant,
    shown: AtomicBool,
}

impl ByteProgress {
    pub fn over(files: &[FoundPath]) -> Self {
        let size = |found: &FoundPath| found.path.metadata().map_or(0, |metadata| metadata.len());
        let bytes = files.iter().filter(|found| found.is_file()).map(size).sum();
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, total: bytes, since: Instant::now(), shown: AtomicBool::new(false) }
    }

    pub fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
        if self.since.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
