//! The check before saving: new errors are listed, and saved only if the user confirms.
//!
//! Edits that break the form of a dialog are refused earlier. This check counts errors of rules: a
//! dialog is worse if a rule finds more errors in it than in its saved text.

use super::line::{Ink, Line, wrapped};
use super::question::{Answer, Question, QuestionDetails};
use super::{App, Effect, Focus};
use crate::lint::{Diagnostic, Severity};
use crate::text::counted;
use crate::workspace::{DialogId, OpenFile};

/// The edits of files introduce new errors: save anyway?
#[derive(Debug)]
struct NewErrors {
    files: Vec<usize>,
    /// Number of new errors.
    count: usize,
    /// The place of the first one: dialog, turn and segment.
    first: (DialogId, usize, Option<usize>),
    details: QuestionDetails,
}

impl Question for NewErrors {
    fn text(&self, _: &App) -> String {
        format!("saving would add {}", counted(self.count, "error"))
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![
            (Answer::Yes, "save anyway"),
            (Answer::No, "go there"),
            (Answer::Later, "do not save"),
        ]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect> {
        if answer == Answer::Yes {
            return app.save_anyway(&self.files);
        }
        app.session.leaving = false;
        if answer == Answer::No {
            app.panes.focus_on(Focus::Transcript);
            let (at, turn, segment) = self.first;
            return app.go_to(at, turn, segment);
        }
        app.say("nothing was saved");
        Vec::new()
    }

    fn details(&self) -> Option<&QuestionDetails> {
        Some(&self.details)
    }

    fn details_mut(&mut self) -> Option<&mut QuestionDetails> {
        Some(&mut self.details)
    }
}

impl App {
    /// Saves files; asks first if their edits bring new errors.
    pub(super) fn save_files(&mut self, files: Vec<usize>) -> Vec<Effect> {
        let worse: Vec<_> = files.iter().flat_map(|f| self.worse(*f)).collect();
        let Some((first, spot)) = worse.first().map(|(at, d)| (*at, d.spot)) else {
            return self.save_anyway(&files);
        };
        let columns = self.window_columns();
        let line = |(at, problem): &(DialogId, Diagnostic)| {
            let id = self
                .workspace
                .files
                .summary(*at)
                .map(|o| format!("{}  ", o.id));
            let turn = problem.spot.turn.map(|turn| format!("turn {turn}: "));
            let head = Line::of(Ink::Error, " ✗ ");
            let head = head.with(Ink::Dim, &id.unwrap_or_default());
            let message = turn.unwrap_or_default() + &problem.message;
            wrapped(head, Ink::Plain, &message, columns)
        };
        let lines = worse.iter().flat_map(line).collect();
        self.ask_now(NewErrors {
            files,
            count: worse.len(),
            first: (first, spot.turn.unwrap_or_default(), spot.segment),
            details: QuestionDetails { lines, top: 0 },
        });
        Vec::new()
    }

    /// Saves files without the check.
    pub(super) fn save_anyway(&mut self, files: &[usize]) -> Vec<Effect> {
        files
            .iter()
            .flat_map(|file| self.save_file(*file))
            .collect()
    }

    /// Returns the errors in the edited dialogs of a file that the saved text does not have.
    fn worse(&self, file: usize) -> Vec<(DialogId, Diagnostic)> {
        let mut worse = Vec::new();
        let Some(corpus) = self.workspace.files.get(file).and_then(OpenFile::corpus) else {
            return worse;
        };
        for dialog in corpus.edited() {
            let (Ok(old), Ok(new)) = (corpus.bytes(dialog), corpus.text(dialog)) else {
                continue;
            };
            let at = DialogId::new(file, dialog);
            let old = self.errors(at, &String::from_utf8_lossy(&old));
            let new = self.errors(at, &new);
            let of_rule = |all: &[Diagnostic], one: &Diagnostic| {
                all.iter()
                    .filter(|d| std::ptr::eq(d.rule, one.rule))
                    .count()
            };
            let more = |d: &&Diagnostic| of_rule(&new, d) > of_rule(&old, d);
            let added = new
                .iter()
                .filter(more)
                .filter(|d| !old.iter().any(|o| o.is_same(d)));
            let at = self.workspace.files.judged_in(at);
            worse.extend(added.map(|d| (at, d.clone())));
        }
        worse
    }

    /// Returns the errors of a dialog with this text; none while the rules are not loaded.
    fn errors(&self, at: DialogId, text: &str) -> Vec<Diagnostic> {
        let mut found = self.problems_of(at, text).problems;
        found.retain(|d| d.severity == Severity::Error);
        found
    }
}
