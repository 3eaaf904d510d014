//! Counting the votes of all files for the charts, in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::queue::read_dialog;
use super::reports::{Pace, Reports};
use crate::app::Msg;
use crate::app::charts::{Charts, Counting};
use crate::app::files::Snapshot;
use crate::app::transcript::Judge;
use crate::votes::split::{Split, add};

/// Counts the votes of `files`, without those that are hidden from `judge`, until another number than
/// `number` is `wanted`.
pub fn count(
    files: Vec<(PathBuf, Snapshot)>,
    number: u64,
    wanted: Arc<AtomicU64>,
    judge: Judge,
    reports: Reports,
) {
    thread::spawn(move || {
        let mut charts = Charts {
            number,
            counted: (0, files.len()),
            ..Charts::default()
        };
        let (mut pace, mut buffer) = (Pace::new(), Vec::new());
        for (path, snapshot) in &files {
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
            let folder = folder.to_string_lossy();
            for position in 0..snapshot.pieces.len() {
                if let Some(mut dialog) = read_dialog(snapshot, position, &mut buffer) {
                    for turn in dialog.turns.iter_mut().filter(|turn| judge.hides(turn)) {
                        turn.votes.clear();
                    }
                    add(&mut charts.systems, &dialog, Split::System, &folder);
                    add(&mut charts.positions, &dialog, Split::Position, &folder);
                }
            }
            charts.counted.0 += 1;
            if wanted.load(Ordering::Relaxed) != number {
                return;
            }
            if pace.is_due() {
                let charts = Box::new(charts.clone());
                if !reports.send(Msg::Charted { number, charts }) {
                    return;
                }
            }
        }
        charts.state = Counting::Done;
        charts
            .systems
            .retain(|_, survey| survey.tallies.turns() > 0);
        let charts = Box::new(charts);
        reports.send(Msg::Charted { number, charts });
    });
}
