//! Messages to the program, and the effects it asks for.

use std::collections::BTreeSet;
use std::time::Duration;

use ratatui::layout::Size;

use crate::app::input::{Key, Mouse};
use crate::app::state::{DialogExcerpts, FixSource, Proposed};
use crate::corpus::{Bytes, Index};
use crate::dialog::Dialog;
use crate::json::Piece;
use crate::judging::Scheme;
use crate::lint::{Ignores, IgnoresLine};
use crate::query::{CountKey, DialogSummary, Names, Query};
use crate::workspace::{
    AppearedFile, DialogId, Doubt, EditHistory, JournalEntry, JournalOp, LintContext, QueueItem,
    QueueJudge, QueueKind,
};

/// The program that copied a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopiedBy {
    Tmux,
    /// The terminal was asked to; it does not answer.
    Terminal,
}

/// Hits that a search has found since its last report.
#[derive(Debug)]
pub struct SearchHits {
    /// The number of the search.
    pub search: u64,
    /// Dialogs with their numbers of hits.
    pub hits: Vec<(DialogId, u32)>,
    /// The text around the hits of some of these dialogs.
    pub excerpts: Vec<DialogExcerpts>,
    /// Dialogs searched so far.
    pub searched: usize,
    /// The dialogs so far that may have more hits, because variables may have too many values there.
    pub incomplete: usize,
    pub done: bool,
}

/// How many hits of a search have which value.
#[derive(Clone, Debug)]
pub struct HitCounts {
    pub key: CountKey,
    /// The values with their hits, the most frequent first; at the end, the hits without any.
    pub rows: Vec<(Option<String>, usize)>,
    /// The number of all hits.
    pub hits: usize,
}

/// Fixes for the list with this number.
#[derive(Debug)]
pub struct FoundFixes {
    pub number: u64,
    pub found: Vec<Proposed>,
    /// Fixes that are left out, because their dialogs are long and have many.
    pub more: usize,
    /// Dialogs checked so far.
    pub checked: usize,
}

/// The result of a save.
#[derive(Clone, Debug, Default)]
pub struct SaveOutcome {
    /// Number of changed lines.
    pub lines: usize,
    /// The reason why the file may not survive a power failure, if any.
    pub doubt: Option<String>,
    /// The old file has other hard links, which keep the old text.
    pub linked: bool,
}

/// A message: a key, a result of background work, news from the disk.
#[derive(Debug)]
pub enum Msg {
    Key(Key),
    /// Pasted text.
    Paste(String),
    Mouse(Mouse),
    Resize(Size),
    /// A file is open. `index` covers its first dialogs, or all of them if it is `complete`.
    Opened {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
        complete: bool,
    },
    /// More dialogs of a file that is still being read; `read` bytes of it are read so far.
    More {
        file: usize,
        pieces: Vec<Piece>,
        read: u64,
    },
    /// A file is read to its end.
    Complete {
        file: usize,
        index: Box<Index>,
    },
    /// A file cannot be opened or read.
    Failed {
        file: usize,
        reason: String,
    },
    /// Summaries of the dialogs from position `from` on.
    Summarized {
        file: usize,
        from: usize,
        summaries: Vec<DialogSummary>,
        /// Names that these dialogs use, with their counts.
        names: Names,
    },
    /// The companions of a log: the text the dialog is about, and the output of a detector.
    Companions {
        at: DialogId,
        context: Option<String>,
        labels: Option<Box<Dialog>>,
        /// Companions that cannot be shown, and why.
        trouble: Option<String>,
    },
    /// Hits of a search since its last message.
    Hits(SearchHits),
    /// The values of the hits, which the user asked for.
    HitsCounted(Box<HitCounts>),
    /// Hits or a report were written; the message says how many or of what, and where they are.
    Written(String),
    /// A text was copied.
    Copied {
        /// Its name in messages.
        what: String,
        by: CopiedBy,
    },
    /// The line, from 1, where a dialog begins.
    Located {
        at: DialogId,
        line: u64,
    },
    /// The list of a file's conflicts was marked as one of the state, too, that is about to be saved.
    ListedForBoth {
        file: usize,
        text: String,
    },
    /// A file was saved: its new bytes and index.
    Saved {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
        outcome: SaveOutcome,
    },
    /// A save failed; the file is unchanged.
    SaveFailed {
        file: usize,
        reason: String,
    },
    /// Another program has changed a file since turnwise read it.
    Changed {
        file: usize,
        /// True if turnwise was about to save it.
        saving: bool,
    },
    /// Files that have appeared in a folder that was opened.
    Appeared(Vec<AppearedFile>),
    /// A file was deleted from the disk.
    Missing {
        file: usize,
    },
    /// A file to be saved was deleted from the disk.
    Deleted {
        file: usize,
    },
    /// Saving would lose something of a file, such as its owner; the file is unchanged.
    AccessLoss {
        file: usize,
        lost: String,
    },
    /// A file was reloaded.
    Reloaded {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
    },
    /// The turns of a queue.
    Queued {
        number: u64,
        items: Vec<QueueItem>,
        /// Number of dialogs whose logs are stale: the dialogs have changed since they were judged.
        outgrown: usize,
    },
    /// The text of figures that were asked for, or how far they are read, and the line that it is shown from.
    Figures {
        number: u64,
        text: String,
        first: usize,
    },
    /// The lint context.
    Rules(Box<LintContext>),
    /// Fixes found since the last message for the list `number`, how many more there are, and how
    /// many dialogs are checked so far.
    Fixes(FoundFixes),
    /// The ignores after a change of a line about the dialog at `at`.
    Ignores {
        at: DialogId,
        line: Box<IgnoresLine>,
        change: IgnoresChange,
        ignores: Box<Ignores>,
    },
    /// Time since the start.
    Now(Duration),
    /// Seconds since 1970.
    Utc(u64),
    /// Nothing has happened for some seconds.
    Pause,
    /// The terminal has the focus again: other programs may have changed files meanwhile.
    Focused,
    /// The edit history that earlier runs left for a file; comes before the message that the file is
    /// read.
    History {
        file: usize,
        past: EditHistory,
        /// Entries of the last run that it did not save.
        unsaved: Vec<JournalEntry>,
    },
    /// The edits of earlier runs may not fit a file. Comes before [`Msg::History`].
    Doubt {
        file: usize,
        doubt: Doubt,
    },
    /// Edits of files were exported as records. With `all`, the export covers everything that the
    /// last run left unsaved, so turnwise need not offer it again.
    Exported {
        files: Vec<usize>,
        all: bool,
        message: String,
    },
    /// The journal cannot be written, or it can again and holds all edits.
    Journaled(Result<(), String>),
    /// The questions of the file at `path`, to which some were added.
    Questions {
        path: String,
        scheme: Box<Scheme>,
    },
    /// An error to show.
    Complaint(String),
    /// Settings that cannot be used in this run, and why.
    Unusable(String),
    /// Several messages that arrived together.
    Batch(Vec<Msg>),
}

impl Msg {
    /// True for a message that may wait and be handled with others: it comes neither from the user nor from the clock.
    pub fn is_news(&self) -> bool {
        !matches!(
            self,
            Self::Key(_)
                | Self::Paste(_)
                | Self::Mouse(_)
                | Self::Resize(_)
                | Self::Now(_)
                | Self::Utc(_)
        )
    }
}

/// The subject of figures that are shown as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiguresOf {
    /// The answers in the open files, by system and by the position of a turn in its dialog.
    Groups,
    /// The work of each annotator on the open files.
    Team,
    /// The makers of the parts of a dialog, shown from this turn on.
    Blame { at: DialogId, turn: usize },
}

/// A change to the ignore file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoresChange {
    Add,
    Remove,
}

/// The unsaved edits of a file, to be exported.
#[derive(Clone, Debug, PartialEq)]
pub struct EditsToExport {
    pub file: usize,
    /// Edits as records for `turnwise apply`.
    pub records: Vec<String>,
    /// Number of saved edits that were undone since; a record cannot express that.
    pub undone: usize,
}

/// An effect: something for the outside world to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read all dialogs of a file and summarize them for the dialog list.
    Summarize {
        file: usize,
    },
    /// Read a file that has appeared.
    Load {
        file: usize,
    },
    /// Search all files, or `only` some, from a dialog to the end and then from the start.
    Search {
        search: u64,
        query: Query,
        from: DialogId,
        only: Option<BTreeSet<usize>>,
    },
    /// Cancel the search.
    CancelSearch,
    /// Count how many hits of a search have which value.
    CountHits {
        search: u64,
        query: Query,
        key: CountKey,
    },
    /// Export all hits of a query to a new file.
    ExportHits {
        query: Query,
        path: String,
    },
    /// Write a report of all dialogs to a new file.
    WriteReport {
        path: String,
    },
    /// Store the session for the next run.
    Remember,
    /// Read the companions of a log.
    Companions {
        at: DialogId,
        id: String,
    },
    /// Find the line where a dialog begins.
    Locate {
        at: DialogId,
    },
    /// Copy a text to the clipboard. The answer is [`Msg::Copied`].
    Copy {
        text: String,
        /// Its name in messages.
        what: String,
    },
    /// Save a file.
    Save {
        file: usize,
        /// Even if its owner changes.
        changing_owner: bool,
    },
    /// Write to the journal of a file.
    Journal {
        file: usize,
        what: JournalOp,
    },
    /// Build the queue of turns to judge.
    Queue {
        number: u64,
        wanted: QueueKind,
        judge: QueueJudge,
    },
    /// Make the text of figures. The answer is [`Msg::Figures`].
    Figures {
        number: u64,
        of: FiguresOf,
    },
    /// Make no figures: nobody is shown them.
    CancelFigures,
    /// Find the fixes in these dialogs.
    FindFixes {
        number: u64,
        dialogs: Vec<DialogId>,
        source: FixSource,
    },
    /// Cancel finding fixes.
    CancelFixes,
    /// Ignore a problem of the dialog at `at` or exclude the dialog, or take that back, in the file next to the
    /// corpus.
    Ignore {
        at: DialogId,
        line: Box<IgnoresLine>,
        change: IgnoresChange,
    },
    /// Write the conflicts of a file that are left to the list beside it, unless that is no longer `on_disk`; remove the
    /// list if there are none.
    WriteConflicts {
        file: usize,
        on_disk: String,
        text: String,
    },
    /// Add the questions of a bundled scheme to the file beside the corpus. The answer is [`Msg::Questions`].
    AddQuestions {
        name: String,
    },
    /// Store the annotator id.
    RememberAnnotator(String),
    /// Check for external changes.
    CheckFiles,
    /// Reload a file.
    Reload {
        file: usize,
    },
    /// Export edits as records that `turnwise apply` reads, by file.
    ExportEdits {
        files: Vec<EditsToExport>,
        /// True if these are all of the edits that the last run left unsaved.
        all: bool,
    },
    /// Redraw the screen.
    Redraw,
    /// Switch to the next theme.
    NextTheme,
    Suspend,
    Quit,
}
