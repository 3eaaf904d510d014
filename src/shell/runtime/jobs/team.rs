//! Counts the work of all annotators on the open files.

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::judgements::{JudgedFile, JudgementScope};
use crate::app::Msg;
use crate::judging::{AnswerSet, AnswerTable, AnsweredAbout, Kept, TeamWork};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{log_id, stem};
use crate::workspace::{Files, QueueJudge, Snapshot, TeamCount};

/// Whose work on what is counted.
pub struct TeamScope {
    /// The files with their numbers and paths.
    files: Vec<(u32, PathBuf, Snapshot)>,
    judgements: JudgementScope,
    judge: QueueJudge,
    number: u64,
}

impl TeamScope {
    /// Returns the scope of count `number`: the files shown that are judged. `path` returns the path of a file.
    pub fn new(
        files: &Files,
        path: impl Fn(usize) -> Option<PathBuf>,
        judge: QueueJudge,
        number: u64,
    ) -> Self {
        let judged = files.shown().filter_map(|file| {
            let snapshot = files.snapshot(file)?;
            let is_judged = !snapshot.format.usual.is_companion();
            is_judged.then_some((file as u32, path(file)?, snapshot))
        });
        Self { files: judged.collect(), judgements: JudgementScope::new(files), judge, number }
    }
}

/// Counts the work on all files, as [`Msg::TeamCounted`].
pub fn count_team(scope: &TeamScope) -> Msg {
    let judge = &scope.judge;
    let (scheme, assignments) = (judge.scheme.as_ref(), judge.assignments.as_ref());
    let compared = scheme.compared(None);
    let judgements = scope.judgements.read();
    let mut work = TeamWork::default();
    let mut answers = AnswerSet::default();
    for (number, path, snapshot) in &scope.files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = JudgedFile { number: *number, name: &name, snapshot };
        judgements.each_dialog(&file, None, &mut |at, mut dialog, _| {
            dialog.judgements.retain(|said| said.run.is_none());
            let is_voted = scheme.kept != Kept::Judgements;
            let has_votes = dialog.turns.iter().any(|turn| !turn.votes.is_empty());
            if is_voted && !has_votes && !snapshot.format.usual.has_votes() {
                return ControlFlow::Continue(());
            }
            let id = log_id(&dialog, stem(&name), at.dialog as usize);
            let logged = Some(group_of(&dialog)).filter(|file| !file.is_empty());
            let logged = logged.filter(|_| snapshot.format.usual.has_votes());
            work.add(&dialog, scheme, compared, assignments, [logged.unwrap_or(&name), &id]);
            if let Some(question) = compared {
                let about = AnsweredAbout { file: &name, id: &id, system: "", group: "" };
                answers.add(&about, &question.answers(&scheme.name, &dialog));
            }
            ControlFlow::Continue(())
        });
    }
    let count = compared.map(|question| TeamCount {
        question: question.name.clone(),
        work,
        table: AnswerTable::new(question, &answers),
    });
    Msg::TeamCounted { number: scope.number, count: Box::new(count.unwrap_or_default()) }
}
