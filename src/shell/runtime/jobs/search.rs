//! Searches all dialogs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use super::Sink;
use super::judgements::{JudgedFile, JudgementScope};
use super::read::{Asked, parse_for};
use crate::app::{DialogExcerpts, Msg, SearchHits};
use crate::dialog::Dialog;
use crate::judging::{BUNDLED, Scheme};
use crate::query::{DialogSource, FoundHits, HitExcerpt, Prefilter, Query, Target};
use crate::workspace::{DialogId, Files, LintContext, QueueJudge, Snapshot};

/// Dialogs searched between two checks whether the search was cancelled.
const UNCHECKED: usize = 64;

/// The most hits that are reported with the text around them.
const EXCERPTS: usize = 5_000;

/// A search to run: the query, the files with their numbers, and the dialog to begin with.
pub struct SearchScope {
    /// The files with their numbers.
    files: Vec<SearchedFile>,
    query: Query,
    judge: QueueJudge,
    /// Votes and gold labels in other files, if the query asks for any or may find their comments.
    judgements: Option<JudgementScope>,
    /// The dialog that is searched first.
    from: DialogId,
    number: u64,
}

struct SearchedFile {
    number: u32,
    name: String,
    snapshot: Snapshot,
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
        let file = |file: usize| {
            Some(SearchedFile {
                number: file as u32,
                name: files.name(file).to_owned(),
                snapshot: files.snapshot(file)?,
            })
        };
        let comments = query.reads_comments().then(|| Prefilter::of_texts(&query));
        let judgements = || JudgementScope::new(files);
        let judgements = match comments {
            _ if query.needs_judgements() => Some(judgements()),
            // Reading all dialogs with their votes takes long, and hardly any search finds a comment.
            Some(texts) => Some(judgements()).filter(|judgements| judgements.may_hit(&texts)),
            None => None,
        };
        Self {
            files: files.shown().filter_map(file).collect(),
            query,
            judge,
            judgements: judgements.filter(|judgements| !judgements.is_empty()),
            from,
            number,
        }
    }

    /// Returns the scope with these files only, if any are named.
    #[must_use]
    pub fn only(mut self, files: Option<BTreeSet<usize>>) -> Self {
        if let Some(only) = files {
            (self.files).retain(|file| only.contains(&(file.number as usize)));
        }
        self
    }

    /// Returns the scheme whose questions are asked, and the bundled ones.
    pub fn schemes(&self) -> Vec<Scheme> {
        let own = &self.judge.scheme;
        let others = BUNDLED.iter().filter(|(name, _)| *name != own.name);
        let others = others.filter_map(|(name, _)| Scheme::bundled(name));
        let own = std::iter::once(own.as_ref().clone());
        own.chain(others).collect()
    }

    /// Returns the scope with the votes and gold labels of other files, which are counted.
    #[must_use]
    pub fn with_judgements(mut self, files: &Files) -> Self {
        let judgements = self.judgements.or_else(|| Some(JudgementScope::new(files)));
        self.judgements = judgements.filter(|judgements| !judgements.is_empty());
        self
    }

    pub fn query(&self) -> &Query {
        &self.query
    }

    pub fn number(&self) -> u64 {
        self.number
    }
}

/// A dialog that is read for a search.
pub struct SearchedDialog<'d> {
    pub at: DialogId,
    /// The name of its file.
    pub file: &'d str,
    pub dialog: &'d Dialog,
    asked: &'d Asked,
    is_edited: bool,
    judge: &'d QueueJudge,
    /// The rules that it is checked with; None if there are none.
    pub rules: Option<&'d LintContext>,
}

impl<'d> SearchedDialog<'d> {
    pub fn target(&self) -> Target<'d> {
        Target {
            dialog: self.dialog,
            problems: &self.asked.problems,
            source: DialogSource {
                file: self.file,
                family: self.asked.family,
                edited: self.is_edited,
                excluded: self.asked.excluded,
                annotator: &self.judge.annotator,
                hidden: self.judge.hidden,
            },
        }
    }

    /// Returns the hits, with the text around them.
    fn hits(&self, query: &Query) -> DialogHits {
        let FoundHits { hits, is_complete } = query.hits(&self.target());
        let excerpts = hits.iter();
        DialogHits {
            excerpts: excerpts.map(|hit| HitExcerpt::of(query, self.dialog, hit)).collect(),
            is_complete,
        }
    }
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
        let found = read.map(|read| read.hits(&scope.query));
        report.add(at, found.unwrap_or_default())
    });
    if searched.is_continue() {
        report.send(true);
    }
}

impl SearchScope {
    /// Calls `see` with each dialog: None for one that cannot be read, or cannot have a hit.
    pub fn each_dialog(
        &self,
        see: &mut dyn FnMut(DialogId, Option<SearchedDialog<'_>>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.judgements {
            Some(judgements) => self.each_judged(judgements, see),
            None => self.each_unjudged(see),
        }
    }

    fn searched<'d>(
        &'d self,
        file: &'d SearchedFile,
        at: DialogId,
        dialog: &'d Dialog,
        asked: &'d Asked,
    ) -> SearchedDialog<'d> {
        SearchedDialog {
            at,
            file: &file.name,
            dialog,
            asked,
            is_edited: file.snapshot.edited.contains_key(&(at.dialog as usize)),
            judge: &self.judge,
            rules: file.snapshot.rules.as_deref(),
        }
    }

    fn each_unjudged(
        &self,
        see: &mut dyn FnMut(DialogId, Option<SearchedDialog<'_>>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let prefilter = Prefilter::new(&self.query);
        let mut buffer = Vec::new();
        let all = || {
            self.files.iter().flat_map(|file| {
                let at = |position| DialogId::new(file.number as usize, position);
                (0..file.snapshot.pieces.len()).map(move |i| (at(i), file))
            })
        };
        let behind = all().filter(|(at, ..)| *at >= self.from);
        let before = all().filter(|(at, ..)| *at < self.from);
        for (at, file) in behind.chain(before) {
            let read = file.snapshot.read(at.dialog as usize, &mut buffer);
            let may_hit = read.is_ok() && prefilter.may_hit(&buffer);
            // A search for problems alone needs no run here: the summaries count them.
            let parsed = may_hit.then(|| parse_for(Some(&self.query), &file.snapshot, at, &buffer));
            let parsed = parsed.flatten();
            let read =
                parsed.as_ref().map(|(dialog, asked)| self.searched(file, at, dialog, asked));
            see(at, read)?;
        }
        ControlFlow::Continue(())
    }

    /// Goes file by file, starting at the current one: the logs of a file are matched to all of its dialogs.
    fn each_judged(
        &self,
        judgements: &JudgementScope,
        see: &mut dyn FnMut(DialogId, Option<SearchedDialog<'_>>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let judgements = judgements.read();
        let (before, behind): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|file| file.number < self.from.file);
        for file in behind.into_iter().chain(before) {
            let name = Path::new(&file.name).file_name().unwrap_or_default();
            let judged = JudgedFile {
                number: file.number,
                name: &name.to_string_lossy(),
                snapshot: &file.snapshot,
            };
            let mut searched = ControlFlow::Continue(());
            judgements.each_dialog(&judged, Some(&self.query), &mut |at, dialog, asked| {
                searched = see(at, Some(self.searched(file, at, &dialog, &asked)));
                searched
            });
            searched?;
        }
        ControlFlow::Continue(())
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
