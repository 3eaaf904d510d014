//! The summaries of dialogs, for the list and for counting problems without reading the dialogs again.
//!
//! Background jobs make them; for dialogs that are opened or edited, they are made here.

use std::sync::Arc;

use twox_hash::XxHash3_128;

use super::Files;
use crate::corpus::{CorpusFile, ReadError};
use crate::dialog::{Dialog, Edit, Short};
use crate::format::FileFormat;
use crate::lint::LintResult;
use crate::query::{Column, DialogSummary};
use crate::workspace::analysis::{analyse_in, analyse_other_side};
use crate::workspace::{DialogAnalysis, DialogId, LintContext, OpenFile};

impl Files {
    pub fn set_summaries(&mut self, file: usize, from: usize, summaries: Vec<DialogSummary>) {
        self.found |= summaries.iter().any(|summary| !summary.by_rule.is_empty());
        if let Some(open) = self.files.get_mut(file) {
            // The summary of a dialog edited since then is newer than the one from the background.
            let corpus = open.corpus.as_deref();
            let known: Vec<usize> = corpus.into_iter().flat_map(CorpusFile::edited).collect();
            let places = open.summaries.iter_mut().enumerate().skip(from);
            for ((position, place), summary) in places.zip(summaries) {
                if place.is_none() || !known.contains(&position) {
                    *place = Some(Arc::new(summary));
                }
            }
        }
    }

    /// Drops all summaries, so that they are made again.
    pub fn forget_summaries(&mut self) {
        for open in &mut self.files {
            open.summaries.fill(None);
        }
        self.found = false;
    }

    /// Returns whether any dialog had a problem, even if that is fixed by now.
    pub fn have_problems(&self) -> bool {
        self.found
    }

    /// Returns whether the rules are loaded and all dialogs have summaries made with them.
    pub fn are_summarized(&self) -> bool {
        self.rules.is_some()
            && self.progress().is_none()
            && self
                .files
                .iter()
                .filter(|open| !open.is_log())
                .all(|open| open.summaries.iter().all(Option::is_some))
    }

    /// Counts the dialogs that have summaries, and all dialogs, of a file or of all files.
    pub fn summarized_of(&self, file: Option<u32>) -> (usize, usize) {
        let known = self.summaries(file).filter(|(_, summary)| summary.is_some());
        (known.count(), self.summaries(file).count())
    }

    /// Returns the summaries of the dialogs of a file or of all files, without those of vote logs.
    pub fn summaries(
        &self,
        file: Option<u32>,
    ) -> impl Iterator<Item = (DialogId, Option<&DialogSummary>)> {
        let wanted = move |number: &usize| file.is_none_or(|file| file as usize == *number);
        let files = self
            .files
            .iter()
            .enumerate()
            .filter(move |(n, open)| wanted(n) && !OpenFile::is_log(open));
        files.flat_map(|(file, open)| {
            let summaries = open.summaries.iter().enumerate();
            summaries.map(move |(dialog, of)| (DialogId::new(file, dialog), of.as_deref()))
        })
    }

    /// Returns, in order, the dialogs with problems of rules whose names contain `rule`, and how many.
    pub fn with_problems(&self, rule: &str) -> Vec<(DialogId, u32)> {
        self.counted(|_, summary| summary.count(rule))
    }

    /// Returns, in order, the dialogs with errors or warnings, and the sessions with calls that failed; and how many.
    pub fn with_problems_or_failed(&self) -> Vec<(DialogId, u32)> {
        self.counted(|at, summary| {
            let is_session = self.get(at.file as usize).is_some_and(OpenFile::is_session);
            let failed = if is_session { summary.failed } else { 0 };
            summary.problems + failed
        })
    }

    /// Returns, in order, the dialogs of which something is counted, and how often.
    fn counted(&self, count: impl Fn(DialogId, &DialogSummary) -> u32) -> Vec<(DialogId, u32)> {
        let known = self.summaries(None).filter_map(|(at, summary)| Some((at, summary?)));
        let counted = known.map(|(at, summary)| (at, count(at, summary)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// Returns the summary of a dialog, if it has been made.
    pub fn summary(&self, at: DialogId) -> Option<&DialogSummary> {
        let open = self.files.get(at.file as usize)?;
        open.summaries.get(at.dialog as usize)?.as_deref()
    }

    /// Returns the value of a dialog in column `number` of the list; empty if it has none. Votes are those of
    /// `annotator`, or of all.
    pub fn column(&self, at: DialogId, number: usize, annotator: Option<&str>) -> Short {
        let columns = self.rules.as_ref().map_or(&[][..], |rules| &rules.columns);
        let Some((column, summary)) = columns.get(number).zip(self.summary(at)) else {
            return Short::default();
        };
        match column {
            Column::Votes if !summary.broken => {
                let own = summary.votes.count(annotator);
                (own + self.votes_in_logs(at, annotator)).to_string().into()
            }
            Column::Failed if summary.failed > 0 => summary.failed.to_string().into(),
            _ => summary.columns.get(number).cloned().unwrap_or_default(),
        }
    }

    /// Makes the summary of a dialog that is about to be shown, unless there is one.
    pub fn read_summary(&mut self, at: DialogId) {
        if self.summary(at).is_none() {
            self.update_summary(at);
        }
    }

    /// Makes the summary of a dialog again after a change.
    pub fn update_summary(&mut self, at: DialogId) {
        // A dialog that cannot be read has a summary that says so.
        let _ = self.analyse(at);
    }

    /// Reads a dialog, finds its problems, and keeps its summary.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn analyse(&mut self, at: DialogId) -> Result<Option<DialogAnalysis>, ReadError> {
        let mut analysis = self.read(at);
        let summary = match &mut analysis {
            Ok(Some(analysis)) => std::mem::take(&mut analysis.summary),
            _ => DialogSummary::unreadable(),
        };
        self.found |= !summary.by_rule.is_empty();
        let open = self.files.get_mut(at.file as usize);
        if let Some(place) = open.and_then(|open| open.summaries.get_mut(at.dialog as usize)) {
            *place = Some(Arc::new(summary));
        }
        if let Ok(Some(analysis)) = &mut analysis {
            self.add_answers(at, &mut analysis.dialog);
            analysis.dialog.keep_answers_of(&self.logs.judgements.only);
        }
        analysis
    }

    /// Reads the other side of a dialog and finds its problems; None if it is not a pair, or cannot be read.
    pub fn other_side(&self, at: DialogId) -> Option<(Dialog, LintResult)> {
        let corpus = self.corpus(at).filter(|_| self.has_dialog(at))?;
        let text = corpus.text(at.dialog as usize).ok()?;
        analyse_other_side(at, &text, &corpus.file_format()?, self.rules.as_deref())
    }

    /// Returns a dialog as its file on the disk has it; None if it cannot be read.
    pub fn saved_dialog(&self, at: DialogId) -> Option<Dialog> {
        let corpus = self.corpus(at).filter(|_| self.has_dialog(at))?;
        let bytes = corpus.bytes(at.dialog as usize).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let format = corpus.file_format()?;
        let read = analyse_in(at, &text, &format, None).ok()?;
        Some(read.dialog)
    }

    /// Returns a dialog as it would be with these edits; None if it cannot be read, or they cannot be made.
    pub fn dialog_with(&self, at: DialogId, edits: &[Edit]) -> Option<Dialog> {
        let corpus = self.corpus(at).filter(|_| self.has_dialog(at))?;
        let text = corpus.text_with(at.dialog as usize, edits)?;
        let read = analyse_in(at, &text, &corpus.file_format()?, None).ok()?;
        Some(read.dialog)
    }

    fn read(&mut self, at: DialogId) -> Result<Option<DialogAnalysis>, ReadError> {
        let Some(corpus) = self.corpus(at).filter(|_| self.has_dialog(at)) else {
            return Ok(None);
        };
        let Some(format) = corpus.file_format() else {
            return Ok(None);
        };
        let text = corpus.text(at.dialog as usize)?;
        if text.len() < LONG {
            return analyse_in(at, &text, &format, self.rules.as_deref()).map(Some);
        }
        let rules = |rules: &Option<Arc<LintContext>>| rules.as_ref().map(Arc::as_ptr);
        let is_it = |last: &&ReadLast| {
            last.at == at && last.is_of(&text, &format) && rules(&last.rules) == rules(&self.rules)
        };
        if let Some(last) = self.read_last.as_ref().filter(is_it) {
            return Ok(Some(last.analysis.clone()));
        }
        let analysis = analyse_in(at, &text, &format, self.rules.as_deref())?;
        self.read_last = Some(ReadLast {
            at,
            family: format.usual.name(),
            hash: XxHash3_128::oneshot(text.as_bytes()),
            rules: self.rules.clone(),
            analysis: analysis.clone(),
        });
        Ok(Some(analysis))
    }
}

/// The bytes from which a dialog is long: its text is read again much faster than it is parsed.
const LONG: usize = 1 << 20;

/// A dialog as it was read from a text, with the rules of that time.
pub(super) struct ReadLast {
    pub(super) at: DialogId,
    family: &'static str,
    /// XXH3 of the text.
    hash: u128,
    rules: Option<Arc<LintContext>>,
    /// Without the answers that are kept elsewhere.
    pub(super) analysis: DialogAnalysis,
}

impl ReadLast {
    /// True if it was read from this text, in this format.
    pub(super) fn is_of(&self, text: &str, format: &FileFormat) -> bool {
        self.family == format.usual.name() && self.hash == XxHash3_128::oneshot(text.as_bytes())
    }
}
