//! What is known of every dialog without reading it again: for the list, and for counting problems.
//!
//! Outlines come from the background, and from here for the dialogs that are shown or were edited.

use super::Files;
use crate::app::files::OpenFile;
use crate::app::msg::DialogId;
use crate::app::problems::{LintContext, LintResult};
use crate::corpus::{CorpusFile, ReadError};
use crate::dialog::Dialog;
use crate::format::Format;
use crate::json::{Parser, Tree};
use crate::query::DialogSummary;

impl Files {
    pub fn set_summaries(&mut self, file: usize, from: usize, outlines: Vec<DialogSummary>) {
        self.found |= outlines.iter().any(|outline| !outline.by_rule.is_empty());
        if let Some(open) = self.files.get_mut(file) {
            // What was edited while the file was read in the background is known better.
            let corpus = open.corpus.as_ref();
            let known: Vec<usize> = corpus.into_iter().flat_map(CorpusFile::edited).collect();
            let places = open.outlines.iter_mut().enumerate().skip(from);
            for ((position, place), outline) in places.zip(outlines) {
                if place.is_none() || !known.contains(&position) {
                    *place = Some(outline);
                }
            }
        }
    }

    /// Outlines are read anew.
    pub fn forget_summaries(&mut self) {
        for open in &mut self.files {
            open.outlines.fill(None);
        }
        self.found = false;
    }

    /// True if the rules have found something in some dialog, be it mended by now.
    pub fn have_problems(&self) -> bool {
        self.found
    }

    /// True once the outlines of all dialogs are known, with what is wrong in them.
    pub fn are_summarized(&self) -> bool {
        self.rules.is_some()
            && self.progress().is_none()
            && self
                .files
                .iter()
                .filter(|open| !open.is_log())
                .all(|open| open.outlines.iter().all(Option::is_some))
    }

    /// Dialogs whose outlines are known, and all of a file, or of all files.
    pub fn summarized_of(&self, file: Option<u32>) -> (usize, usize) {
        let known = self
            .summaries(file)
            .filter(|(_, outline)| outline.is_some());
        (known.count(), self.summaries(file).count())
    }

    /// The outlines of the dialogs of a file, or of all; logs are no dialogs of their own.
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
            let outlines = open.outlines.iter().enumerate();
            outlines.map(move |(dialog, outline)| (DialogId::new(file, dialog), outline.as_ref()))
        })
    }

    /// Dialogs in which rules with `rule` in their names find something, and how often, in order.
    pub fn with_problems(&self, rule: &str) -> Vec<(DialogId, u32)> {
        let counted =
            |(at, outline): (DialogId, Option<&DialogSummary>)| Some((at, outline?.count(rule)));
        let all = self.summaries(None).filter_map(counted);
        all.filter(|(_, count)| *count > 0).collect()
    }

    /// The outline of a dialog, if it has been read.
    pub fn summary(&self, at: DialogId) -> Option<&DialogSummary> {
        let open = self.files.get(at.file as usize)?;
        open.outlines.get(at.dialog as usize)?.as_ref()
    }

    /// Reads the outline of a dialog that is about to be shown.
    pub fn read_summary(&mut self, at: DialogId) {
        if self.summary(at).is_none() {
            self.forget_summary(at);
        }
    }

    /// The outline of a dialog has changed.
    pub fn forget_summary(&mut self, at: DialogId) {
        // What cannot be read has an outline that says so.
        let _ = self.analyse(at);
    }

    /// Reads a dialog, looks for what is wrong in it, and notes its outline.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn analyse(&mut self, at: DialogId) -> Result<Option<DialogAnalysis>, ReadError> {
        let mut looked = self.read_or_recall(at);
        let outline = match &mut looked {
            Ok(Some(looked)) => std::mem::take(&mut looked.outline),
            _ => DialogSummary::unreadable(),
        };
        self.found |= !outline.by_rule.is_empty();
        let open = self.files.get_mut(at.file as usize);
        if let Some(place) = open.and_then(|open| open.outlines.get_mut(at.dialog as usize)) {
            *place = Some(outline);
        }
        if let Ok(Some(looked)) = &mut looked {
            self.add_votes(at, &mut looked.dialog);
        }
        looked
    }

    /// Reads a dialog, unless it was looked at ahead.
    fn read_or_recall(&mut self, at: DialogId) -> Result<Option<DialogAnalysis>, ReadError> {
        let Some(corpus) = self.corpus(at).filter(|_| self.has_dialog(at)) else {
            return Ok(None);
        };
        let Some(format) = corpus.format() else {
            return Ok(None);
        };
        let text = corpus.text(at.dialog as usize)?;
        if let Some(looked) = self.take_prefetched(at, &text) {
            return Ok(Some(looked));
        }
        analyse_in(at, &text, format, self.rules.as_deref()).map(Some)
    }
}

/// What is found in a dialog that says `text`.
pub(super) fn analyse_in(
    at: DialogId,
    text: &str,
    format: &'static dyn Format,
    rules: Option<&LintContext>,
) -> Result<DialogAnalysis, ReadError> {
    let mut parser = Parser::new();
    Ok(looked_in_tree(at, parser.parse_str(text)?, format, rules))
}

fn looked_in_tree(
    at: DialogId,
    tree: Tree<'_>,
    format: &'static dyn Format,
    rules: Option<&LintContext>,
) -> DialogAnalysis {
    let (dialog, issues) = format.read(tree);
    let found = rules.map(|rules| rules.find(at, format, (&dialog, &issues), tree));
    let found = found.unwrap_or_default();
    DialogAnalysis {
        outline: DialogSummary::of(&dialog, &found.problems, found.ignored.len()),
        dialog,
        found,
    }
}

/// A dialog read once for everything that is shown of it.
#[derive(Debug)]
pub struct DialogAnalysis {
    /// With the votes on it, wherever these stand.
    pub dialog: Dialog,
    pub found: LintResult,
    /// Until the list has it.
    pub(super) outline: DialogSummary,
}

/// What a list shows of the dialog that `tree` holds.
pub fn summary_of(
    rules: Option<&LintContext>,
    at: DialogId,
    format: &'static dyn Format,
    tree: Tree<'_>,
) -> DialogSummary {
    looked_in_tree(at, tree, format, rules).outline
}
