//! Searches all dialogs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::Sink;
use super::files::{JobDialog, JobFiles, See};
use crate::app::{DialogExcerpts, Msg, SearchHits};
use crate::judging::Scheme;
use crate::query::{FoundHits, HitExcerpt, Prefilter, Query};
use crate::workspace::{DialogId, Files, OpenFile, QueueJudge, Snapshot};

/// Dialogs searched between two checks whether the search was cancelled.
const UNCHECKED: usize = 64;

/// The most hits that are reported with the text around them.
const EXCERPTS: usize = 5_000;

/// A search to run.
pub struct SearchScope {
    files: JobFiles,
    query: Query,
    /// The dialog that is searched first.
    from: DialogId,
    number: u64,
}

impl SearchScope {
    /// Returns the scope of search `number` from a dialog on through all files shown.
    pub fn new(
        files: &Files,
        query: Query,
        judge: QueueJudge,
        from: DialogId,
        number: u64,
    ) -> Self {
        let is_hidden = files.hidden_companions();
        let found = JobFiles::new(files, judge, |file, _| {
            let open = files.get(file).filter(|open| !is_hidden(open));
            open.map(|_| files.name(file).into())
        });
        // Reading all dialogs with their votes takes long, and hardly any search finds a comment.
        let may_hit = || query.reads_comments() && may_hit_comments(files, &query);
        let needs_answers = has_answers(files) && (query.needs_judgements() || may_hit());
        let files = if needs_answers { found.with_answers(files) } else { found };
        Self { files, query, from, number }
    }

    /// Returns the scope with these files only, if any are named.
    #[must_use]
    pub fn only(mut self, files: Option<BTreeSet<usize>>) -> Self {
        if let Some(only) = files {
            self.files.all.retain(|file| only.contains(&(file.number as usize)));
        }
        self
    }

    /// Returns the scheme whose questions are asked, and the bundled ones.
    pub fn schemes(&self) -> Vec<Scheme> {
        Scheme::with_bundled(Some(self.files.judge.scheme.as_ref().clone()))
    }

    /// Returns the scope with the votes and gold labels of other files, which are counted.
    #[must_use]
    pub fn with_judgements(mut self, files: &Files) -> Self {
        if has_answers(files) {
            self.files = self.files.with_answers(files);
        }
        self
    }

    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Passes each dialog to `see`: None for one that cannot be read, or cannot have a hit.
    pub fn each_dialog(&self, see: See<'_>) -> ControlFlow<()> {
        self.files.each_from(self.from, &self.query, see)
    }

    /// Returns the hits in a dialog, with the text around them.
    fn hits(&self, read: &JobDialog<'_>) -> DialogHits {
        let FoundHits { hits, is_complete } = self.query.hits(&read.target());
        let excerpts = hits.iter();
        DialogHits {
            excerpts: excerpts.map(|hit| HitExcerpt::of(&self.query, &read.dialog, hit)).collect(),
            is_complete,
        }
    }
}

/// True if some files hold answers about dialogs of others.
fn has_answers(files: &Files) -> bool {
    files.all().iter().any(OpenFile::is_log) || !files.logs.judgements.is_empty()
}

/// True if some log may have a comment, or a judgement a note, that a search for texts finds.
fn may_hit_comments(files: &Files, query: &Query) -> bool {
    let texts = Prefilter::of_texts(query);
    let mut buffer = Vec::new();
    let mut may_hit = |log: &Snapshot, position| {
        log.read(position, &mut buffer).is_ok() && texts.may_hit(&buffer)
    };
    let is_log = |file: &usize| files.get(*file).is_some_and(OpenFile::is_log);
    let mut logs = (0..files.len()).filter(is_log).filter_map(|file| files.snapshot(file));
    files.logs.judgements.notes().any(|note| texts.may_hit(note.as_bytes()))
        || logs.any(|log| (0..log.dialogs()).any(|position| may_hit(&log, position)))
}

/// The hits in a dialog.
struct DialogHits {
    excerpts: Vec<HitExcerpt>,
    /// False if there may be more.
    is_complete: bool,
}

impl Default for DialogHits {
    fn default() -> Self {
        Self { excerpts: Vec::new(), is_complete: true }
    }
}

/// Searches all files, starting at the current dialog and wrapping around. Reports [`Msg::Hits`].
pub fn search(scope: &SearchScope, sink: &mut dyn Sink) {
    let mut report = HitReport::new(scope.number, sink);
    let searched = scope.each_dialog(&mut |at, read| {
        let found = read.map(|read| scope.hits(&read));
        report.add(at, found.unwrap_or_default())
    });
    if searched.is_continue() {
        report.send(true);
    }
}

/// The hits since the last message.
struct HitReport<'s> {
    search: u64,
    sink: &'s mut dyn Sink,
    hits: Vec<(DialogId, u32)>,
    excerpts: Vec<DialogExcerpts>,
    searched: usize,
    /// The number of dialogs that may have more hits.
    incomplete: usize,
    /// How many more hits are reported with the text around them.
    room: usize,
}

impl<'s> HitReport<'s> {
    fn new(search: u64, sink: &'s mut dyn Sink) -> Self {
        Self {
            search,
            sink,
            hits: Vec::new(),
            excerpts: Vec::new(),
            searched: 0,
            incomplete: 0,
            room: EXCERPTS,
        }
    }

    /// Adds the hits of a dialog. Breaks if the search was cancelled.
    fn add(&mut self, at: DialogId, found: DialogHits) -> ControlFlow<()> {
        self.searched += 1;
        self.incomplete += usize::from(!found.is_complete);
        let hits = found.excerpts;
        if !hits.is_empty() {
            self.hits.push((at, hits.len() as u32));
            if let Some(room) = self.room.checked_sub(hits.len()) {
                self.room = room;
                self.excerpts.push((at, hits.into_boxed_slice()));
            }
        }
        if self.searched.is_multiple_of(UNCHECKED) && self.sink.is_cancelled() {
            return ControlFlow::Break(());
        }
        // A hit where the user is shows at once.
        let is_first = self.searched == 1 && !self.hits.is_empty();
        if (is_first || self.sink.is_due()) && !self.send(false) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Sends the hits since the last message. Returns false if the receiver is gone.
    fn send(&mut self, done: bool) -> bool {
        self.sink.send(Msg::Hits(SearchHits {
            search: self.search,
            hits: std::mem::take(&mut self.hits),
            excerpts: std::mem::take(&mut self.excerpts),
            searched: self.searched,
            incomplete: self.incomplete,
            done,
        }))
    }
}
