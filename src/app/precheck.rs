//! Before saving: what the edits have made worse is listed, and saved only if that is wanted.
//!
//! An edit that breaks a dialog's form is refused when it is made. Here it is errors of rules that
//! count: a dialog is worse if it has more of one rule than it has in its file.

use super::files::OpenFile;
use super::line::{Ink, Line, wrapped};
use super::{App, DialogId, Effect, Overlay, Question, QuestionDetails};
use crate::lint::{Diagnostic, Severity};

impl App {
    /// Saves files, after asking if their edits have made something worse.
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
            let said = turn.unwrap_or_default() + &problem.message;
            wrapped(head, Ink::Plain, &said, columns)
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

    /// Saves files, whatever is wrong with them.
    pub(super) fn save_anyway(&mut self, files: &[usize]) -> Vec<Effect> {
        files
            .iter()
            .flat_map(|file| self.save_file(*file))
            .collect()
    }

    /// Errors in the edited dialogs of a file that their text in the file does not have.
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

    /// What is gravely wrong with a dialog of a file; nothing while the rules are not read.
    fn errors(&self, at: DialogId, text: &str) -> Vec<Diagnostic> {
        let mut found = self.problems_of(at, text).problems;
        found.retain(|d| d.severity == Severity::Error);
        found
    }
}
