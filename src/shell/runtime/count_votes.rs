//! Counts the votes of all files for the charts, in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::build_queue::read_dialog;
use super::messages::{MessageSender, Pace};
use crate::app::Msg;
use crate::app::transcript::JudgeView;
use crate::votes::group_by::{GroupBy, add};
use crate::workspace::{ChartProgress, Charts, Snapshot};

/// Counts the votes in `files`, leaving out votes hidden from `judge`. Stops when `wanted` is no longer
/// `number`.
pub fn count(
    files: Vec<(PathBuf, Snapshot)>,
    number: u64,
    wanted: Arc<AtomicU64>,
    judge: JudgeView,
    reports: MessageSender,
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
                    add(&mut charts.systems, &dialog, GroupBy::System, &folder);
                    add(&mut charts.positions, &dialog, GroupBy::Position, &folder);
                }
            }
            charts.counted.0 += 1;
            if wanted.load(Ordering::Relaxed) != number {
                return;
            }
            if pace.is_due() {
                let charts = Box::new(charts.clone());
                if !reports.send(Msg::VotesCounted { number, charts }) {
                    return;
                }
            }
        }
        charts.state = ChartProgress::Done;
        charts
            .systems
            .retain(|_, survey| survey.tallies.turns() > 0);
        let charts = Box::new(charts);
        reports.send(Msg::VotesCounted { number, charts });
    });
}
