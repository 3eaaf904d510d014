//! The check before saving: lists errors that the edits have added, and asks whether to save
//! anyway.
//!
//! Edits that break a dialog's format are refused at once. This check counts errors of rules: a
//! dialog is worse if it has more errors of one rule than its text in the file.

use super::files::OpenFile;
use super::line::{Ink, Line, wrapped};
use super::{App, DialogId, Effect, Overlay, Question, QuestionDetails};
use crate::lint::{Diagnostic, Severity};

impl App {
    /// Saves files, after a question if their edits have added errors.
    pub(super) fn save_files(&mut self, files: Vec<usize>) -> Vec<Effect> {
        let worse: Vec<_> = files.iter().flat_map(|f| self.worse(*f)).collect();
        let Some((first, spot)) = worse.first().map(|(at, d)| (*at, d.spot)) else {
            return self.save_anyway(&files);
        };
        let columns = self.window_columns();
        let line = |(at, problem): &(DialogId, Diagnostic)| {
            let id = self.files.summary(*at).map(|o| format!("{}  ", o.id));
            let turn = problem.spot.turn.map(|turn| format!("turn {turn}: "));
            let head = Line::of(Ink::Error, " ✗ ");
            let head = head.with(Ink::Dim, &id.unwrap_or_default());
            let message = turn.unwrap_or_default() + &problem.message;
            wrapped(head, Ink::Plain, &message, columns)
        };
        let lines = worse.iter().flat_map(line).collect();
        self.overlay = Some(Overlay::Question(Question::NewErrors {
            files,
            count: worse.len(),
            first: (first, spot.turn.unwrap_or_default(), spot.segment),
            shown: QuestionDetails { lines, top: 0 },
        }));
        Vec::new()
    }

    /// Saves files in spite of any errors.
    pub(super) fn save_anyway(&mut self, files: &[usize]) -> Vec<Effect> {
        files
            .iter()
            .flat_map(|file| self.save_file(*file))
            .collect()
    }

    /// Returns the errors in a file's edited dialogs that their saved text does not have.
    fn worse(&self, file: usize) -> Vec<(DialogId, Diagnostic)> {
        let mut worse = Vec::new();
        let Some(corpus) = self.files.get(file).and_then(OpenFile::corpus) else {
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
            let at = self.files.judged_in(at);
            worse.extend(added.map(|d| (at, d.clone())));
        }
        worse
    }

    /// Returns the errors of a dialog; none before the rules are read.
    fn errors(&self, at: DialogId, text: &str) -> Vec<Diagnostic> {
        let mut found = self.problems_of(at, text).problems;
        found.retain(|d| d.severity == Severity::Error);
        found
    }
}
