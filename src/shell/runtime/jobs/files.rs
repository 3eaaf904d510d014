//! The open files as jobs read them: their dialogs as they are on the screen, with the votes and gold labels in other files.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use crate::dialog::Dialog;
use crate::format::Family;
use crate::json::Parser;
use crate::lint::{Diagnostic, ParsedDialog};
use crate::query::{DialogSource, Prefilter, Query, Target};
use crate::votes::vote_log::base;
use crate::workspace::{DialogId, Files, QueueJudge, Snapshot};

/// The files that a job reads, and who asks for it.
pub struct JobFiles {
    pub all: Vec<JobFile>,
    pub judge: QueueJudge,
    /// All files, with the answers in some of them; None if nobody asks for these.
    answers: Option<Files>,
}

/// A file of dialogs.
pub struct JobFile {
    pub number: u32,
    /// Its name on the screen.
    pub name: String,
    pub path: PathBuf,
    pub snapshot: Snapshot,
}

/// A dialog as a job reads it.
pub struct JobDialog<'f> {
    pub at: DialogId,
    pub file: &'f JobFile,
    pub dialog: Dialog,
    pub format: &'static Family,
    /// Its problems, if the query asks for problems.
    pub problems: Vec<Diagnostic>,
    excluded: bool,
    /// True if votes beside the corpus are of an earlier text of it.
    pub has_stale_log: bool,
    judge: &'f QueueJudge,
}

/// Takes the next dialog, or None for one that cannot be read or found; breaks to end the job.
pub type See<'s> = &'s mut dyn FnMut(DialogId, Option<JobDialog<'_>>) -> ControlFlow<()>;

impl JobFile {
    /// Returns its name without folders.
    pub fn base(&self) -> &str {
        base(&self.name)
    }

    pub fn at(&self, position: usize) -> DialogId {
        DialogId::new(self.number as usize, position)
    }

    /// Returns the positions of its dialogs.
    pub fn positions(&self) -> Range<usize> {
        0..self.snapshot.dialogs()
    }
}

impl JobDialog<'_> {
    /// Returns the dialog for a query.
    pub fn target(&self) -> Target<'_> {
        let position = self.at.dialog as usize;
        Target {
            dialog: &self.dialog,
            problems: &self.problems,
            source: DialogSource {
                file: &self.file.name,
                family: self.format.name(),
                edited: self.file.snapshot.corpus.edited_texts().contains_key(&position),
                excluded: self.excluded,
                annotator: &self.judge.annotator,
                hidden: self.judge.hidden,
            },
        }
    }
}

impl JobFiles {
    /// Returns the files shown that `wanted` returns the path of.
    pub fn new(
        files: &Files,
        judge: QueueJudge,
        wanted: impl Fn(usize, &Snapshot) -> Option<PathBuf>,
    ) -> Self {
        let file = |file: usize| {
            let snapshot = files.snapshot(file)?;
            let (number, name) = (file as u32, files.name(file).to_owned());
            Some(JobFile { number, name, path: wanted(file, &snapshot)?, snapshot })
        };
        Self { all: files.shown().filter_map(file).collect(), judge, answers: None }
    }

    /// Has dialogs read with the votes, gold labels and judgements in other files.
    #[must_use]
    pub fn with_answers(self, files: &Files) -> Self {
        Self { answers: Some(files.to_read()), ..self }
    }

    /// Passes all dialogs to `see`, those from `from` on first.
    pub fn each_from(&self, from: DialogId, query: &Query, see: See<'_>) -> ControlFlow<()> {
        let (prefilter, mut buffer) = (Prefilter::new(query), Vec::new());
        // An answer may have the words of the query.
        let prefilter = Some(prefilter).filter(|_| self.answers.is_none());
        let all = || self.all.iter().flat_map(|file| file.positions().map(move |at| (file, at)));
        let is_behind = |(file, position): &(&JobFile, usize)| file.at(*position) >= from;
        let before = all().filter(|place| !is_behind(place));
        for (file, position) in all().filter(is_behind).chain(before) {
            let read = self.read(file, position, Some(query), prefilter.as_ref(), &mut buffer);
            see(file.at(position), read)?;
        }
        ControlFlow::Continue(())
    }

    /// Passes each dialog of a file to `see`.
    pub fn each_of(&self, file: &JobFile, query: Option<&Query>, see: See<'_>) -> ControlFlow<()> {
        let mut buffer = Vec::new();
        file.positions().try_for_each(|position| {
            see(file.at(position), self.read(file, position, query, None, &mut buffer))
        })
    }

    /// Reads a dialog into `buffer`; returns None if it cannot be read, has not the texts of `prefilter`, or is excluded and
    /// the query does not ask for that.
    pub fn read<'f>(
        &'f self,
        file: &'f JobFile,
        position: usize,
        query: Option<&Query>,
        prefilter: Option<&Prefilter>,
        buffer: &mut Vec<u8>,
    ) -> Option<JobDialog<'f>> {
        let at = file.at(position);
        file.snapshot.read(position, buffer).ok()?;
        if prefilter.is_some_and(|prefilter| !prefilter.may_hit(buffer)) {
            return None;
        }
        let mut parser = Parser::new();
        let tree = parser.parse_piece(buffer).ok()?;
        let format = file.snapshot.format.of(tree.root());
        let (mut dialog, issues) = format.read(tree);
        let rules = file.snapshot.rules.as_deref();
        let excluded = rules.is_some_and(|rules| rules.excluding(at, &dialog.id).is_some());
        if excluded && !query.is_some_and(Query::asks_for_excluded) {
            return None;
        }
        let rules = rules.filter(|_| query.is_some_and(Query::needs_problems));
        let problems = rules.map_or_else(Vec::new, |rules| {
            let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
            rules.find(at, read).problems
        });
        let stale = self.answers.as_ref().and_then(|files| files.add_answers(at, &mut dialog));
        dialog.keep_answers_of(&self.judge.only);
        let (has_stale_log, judge) = (stale.is_some(), &self.judge);
        Some(JobDialog { at, file, dialog, format, problems, excluded, has_stale_log, judge })
    }
}
