//! Counts the votes of all files for the charts.

use std::path::{Path, PathBuf};

use super::Sink;
use super::read::{is_excluded, read_dialog};
use crate::app::Msg;
use crate::app::pane::transcript::JudgeView;
use crate::votes::group_by::add;
use crate::workspace::{ChartProgress, Charts, DialogId, Files, Snapshot};

/// Which votes to count.
pub struct VoteScope {
    files: Vec<(PathBuf, Snapshot)>,
    judge: JudgeView,
    number: u64,
}

impl VoteScope {
    /// Returns the scope of count `number`: the votes of all files, without those hidden from `judge`. `path`
    /// returns the path of a file.
    pub fn new(
        files: &Files,
        path: impl Fn(usize) -> Option<PathBuf>,
        judge: JudgeView,
        number: u64,
    ) -> Self {
        let files = (0..files.len()).filter_map(|file| {
            let snapshot = files.snapshot(file)?;
            let path = path(file)?;
            snapshot.format.usual.has_votes().then_some((path, snapshot))
        });
        Self { files: files.collect(), judge, number }
    }
}

/// Counts votes by system and position. Reports [`Msg::VotesCounted`].
pub fn count_votes(scope: &VoteScope, sink: &mut dyn Sink) {
    let VoteScope { files, judge, number } = scope;
    let number = *number;
    let mut charts = Charts { number, counted: (0, files.len()), ..Charts::default() };
    let mut buffer = Vec::new();
    for (path, snapshot) in files {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let folder = folder.to_string_lossy();
        for position in 0..snapshot.pieces.len() {
            let at = DialogId::new(snapshot.file as usize, position);
            if let Some(mut dialog) = read_dialog(snapshot, position, &mut buffer)
                && !is_excluded(snapshot, at, &dialog)
            {
                let turns = dialog.turns.iter();
                let hidden: Vec<_> = turns.map(|turn| judge.hides(&dialog, turn)).collect();
                let turns = dialog.turns.iter_mut().zip(hidden);
                for (turn, _) in turns.filter(|(_, hidden)| *hidden) {
                    turn.votes.clear();
                }
                add(&mut charts.systems, &mut charts.positions, &dialog, &folder);
            }
        }
        charts.counted.0 += 1;
        if sink.is_cancelled() {
            return;
        }
        if sink.is_due() {
            let charts = Box::new(charts.clone());
            if !sink.send(Msg::VotesCounted { number, charts }) {
                return;
            }
        }
    }
    charts.state = ChartProgress::Done;
    let charts = Box::new(charts);
    sink.send(Msg::VotesCounted { number, charts });
}
