//! The rules, ontologies and ignored problems that dialogs are checked with, and the result.

use std::collections::HashMap;

use super::DialogId;
use crate::dialog::{Dialog, Issue};
use crate::format::Format;
use crate::json::Tree;
use crate::lint::{Diagnostic, IgnoreEntry, Ignores, Selection, Subject, lint, ontology_of};
use crate::ontology::Ontologies;
use crate::votes::judgeable::is_judgeable;

/// The rule that all turns of a log have the same number of votes.
const VOTE_COUNT: &str = "vote-count-differs";

/// The selected rules, the ontologies and the ignored problems.
#[derive(Clone, Debug)]
pub struct LintContext {
    pub selection: Selection,
    pub ontologies: Ontologies,
    pub ignores: Ignores,
    /// The path of each open file, in the form that [`Ignores::part`] expects.
    pub paths: Vec<String>,
    /// The annotator who judges; empty if nobody does.
    pub judge: String,
    /// Problems of dialogs whose id another dialog has; known once all ids are.
    pub duplicates: HashMap<DialogId, Diagnostic>,
}

/// The problems of a dialog.
#[derive(Clone, Debug, Default)]
pub struct LintResult {
    pub problems: Vec<Diagnostic>,
    /// Ignored problems, each with its entry in the ignore file.
    pub ignored: Vec<(Diagnostic, IgnoreEntry)>,
}

impl LintContext {
    /// Returns the problems of the dialog at `at`.
    pub fn find(
        &self,
        at: DialogId,
        format: &'static dyn Format,
        (dialog, issues): (&Dialog, &[Issue]),
        tree: Tree<'_>,
    ) -> LintResult {
        let ontology = ontology_of(&self.ontologies, format, dialog);
        let subject = Subject::new(dialog, issues, format, ontology, tree);
        let mut problems = lint(&subject, &self.selection);
        let differs = problems.iter().any(|d| d.rule.name == VOTE_COUNT);
        if differs && self.is_judging(dialog) {
            problems.retain(|d| d.rule.name != VOTE_COUNT);
        }
        // Problems of the dialog as a whole come first.
        problems.splice(0..0, self.duplicates.get(&at).cloned());
        let position = at.dialog as usize;
        let parted = self
            .ignores
            .part(self.path(at.file), (position, dialog), &mut problems);
        let line = |(found, place): (Diagnostic, usize)| (found, self.ignores.all[place].clone());
        let ignored = parted.into_iter().map(line).collect();
        LintResult { problems, ignored }
    }

    /// True if somebody judges, and some annotator has voted on only part of the dialog. Different
    /// numbers of votes are then work in progress and not a problem. Other annotators' unfinished
    /// work counts too: a report of it would reveal to a blind judge where they have voted.
    fn is_judging(&self, dialog: &Dialog) -> bool {
        if self.judge.is_empty() {
            return false;
        }
        let judgeable = dialog.turns.iter().filter(|turn| is_judgeable(turn));
        let (mut turns, mut votes) = (0, HashMap::new());
        for turn in judgeable {
            turns += 1;
            for vote in &turn.votes {
                *votes.entry(vote.annotator.as_str()).or_insert(0) += 1;
            }
        }
        votes.values().any(|voted| *voted < turns)
    }

    /// Returns the path of an open file; empty if it is not known.
    pub fn path(&self, file: u32) -> &str {
        self.paths.get(file as usize).map_or("", String::as_str)
    }
}

/// Counts the problems that are worth an annotator's time.
pub fn worth_changing(found: &[Diagnostic]) -> usize {
    found.iter().filter(|d| d.is_worth_changing()).count()
}
