//! The analysis of each dialog for the screen: problems, and values for the list.

use std::collections::HashMap;

use super::DialogId;
use crate::dialog::Dialog;
use crate::lint::{Diagnostic, DialogPlace, ExcludedDialog, LintResult, Linter, ParsedDialog};
use crate::query::Column;

/// The rule that all turns of a log have the same number of votes.
const VOTE_COUNT: &str = "vote-count-differs";

/// The linter, and what it cannot know: other dialogs, who judges, and what the list shows.
#[derive(Clone, Debug, Default)]
pub struct LintContext {
    pub linter: Linter,
    /// The path of each open file, in the form that [`DialogPlace`] expects.
    pub paths: Vec<String>,
    /// The annotator who judges; empty if nobody does.
    pub judge: String,
    /// The columns of the list of dialogs.
    pub columns: Vec<Column>,
    /// Problems of dialogs whose id another dialog has; known once all ids are.
    pub duplicates: HashMap<DialogId, Diagnostic>,
}

impl LintContext {
    /// Returns the problems of the dialog at `at`; an excluded dialog has none.
    pub fn find(&self, at: DialogId, read: ParsedDialog<'_>) -> LintResult {
        if let Some(line) = self.excluding(at, &read.dialog.id) {
            return LintResult { excluded: Some(line.clone()), ..LintResult::default() };
        }
        let mut problems = self.linter.find(read);
        let differs = problems.iter().any(|d| d.rule.name == VOTE_COUNT);
        if differs && self.is_judging(read.dialog) {
            problems.retain(|d| d.rule.name != VOTE_COUNT);
        }
        // Problems of the dialog as a whole come first.
        problems.splice(0..0, self.duplicates.get(&at).cloned());
        self.linter.part(problems, read.dialog, self.place(at))
    }

    /// Returns the line that excludes the dialog with this id at `at`, if there is one.
    pub fn excluding(&self, at: DialogId, id: &str) -> Option<&ExcludedDialog> {
        self.linter.ignores.excluding(self.place(at), id)
    }

    /// True if somebody judges, and some annotator has voted on only part of the dialog. Different
    /// numbers of votes are then work in progress and not a problem. Other annotators' unfinished
    /// work counts too: a report of it would reveal to a blind judge where they have voted.
    fn is_judging(&self, dialog: &Dialog) -> bool {
        if self.judge.is_empty() {
            return false;
        }
        let judgeable = dialog.turns.iter().filter(|turn| turn.is_judgeable());
        let (mut turns, mut votes) = (0, HashMap::new());
        for turn in judgeable {
            turns += 1;
            for vote in &turn.votes {
                *votes.entry(vote.annotator.as_str()).or_insert(0) += 1;
            }
        }
        votes.values().any(|voted| *voted < turns)
    }

    /// Returns the place of a dialog; its file is empty if it is not known.
    pub fn place(&self, at: DialogId) -> DialogPlace<'_> {
        let file = self.paths.get(at.file as usize);
        DialogPlace { file: file.map_or("", String::as_str), position: at.dialog as usize }
    }
}

/// Counts the problems that are worth an annotator's time.
pub fn worth_changing(found: &[Diagnostic]) -> usize {
    found.iter().filter(|d| d.is_worth_changing()).count()
}
