//! Messages to the program, and the effects it asks the outside world for.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::charts::Charts;
use super::files::Prefetched;
use super::journal_entry::{EditHistory, JournalEntry};
use super::key::Key;
use super::layout::Size;
use super::problems::LintContext;
use super::queue::{QueueItem, QueueKind};
use crate::corpus::{Index, Source};
use crate::dialog::Dialog;
use crate::json::Piece;
use crate::lint::{FixPreview, IgnoreEntry, Ignores};
use crate::query::{DialogSummary, Names, Query};

/// Address of a dialog: its file among the open ones, and its position there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DialogId {
    pub file: u32,
    pub dialog: u32,
}

impl DialogId {
    /// Returns the address of the dialog at this position in this file.
    pub fn new(file: usize, dialog: usize) -> Self {
        Self {
            file: file as u32,
            dialog: dialog as u32,
        }
    }

    /// Returns the first dialog of a file; in a vote log it is the only one.
    pub fn first_of(file: usize) -> Self {
        Self::new(file, 0)
    }
}

/// The bytes of an open file.
#[derive(Clone)]
pub struct Bytes(pub Arc<dyn Source>);

impl Source for Bytes {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(at, buffer)
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// An input or the result of an effect.
#[derive(Debug)]
pub enum Msg {
    Key(Key),
    /// Pasted text.
    Paste(String),
    Mouse(Mouse),
    Resize(Size),
    /// A file was opened. `index` holds its first dialogs, and all of them if `complete`.
    Opened {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
        complete: bool,
    },
    /// More dialogs of a file that is being read, of which `read` bytes are read.
    More {
        file: usize,
        pieces: Vec<Piece>,
        read: u64,
    },
    /// A file was read to its end.
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
        outlines: Vec<DialogSummary>,
        /// Names that these dialogs use, with their counts.
        names: Names,
    },
    /// A dialog that was read in advance.
    Prefetched(Box<Prefetched>),
    /// Companions of a log: the text it is about, and a detector's labels.
    Companions {
        at: DialogId,
        context: Option<String>,
        labels: Option<Box<Dialog>>,
        /// Which companion cannot be shown, and why.
        trouble: Option<String>,
    },
    /// Matches of a search since its last message.
    Hits {
        search: u64,
        hits: Vec<(DialogId, u32)>,
        searched: usize,
        done: bool,
    },
    /// The line, from 1, on which a dialog begins.
    Located {
        at: DialogId,
        line: u64,
    },
    /// A file was saved, with its new contents and the number of changed lines; `doubt` says why
    /// the save may not survive a power failure.
    Saved {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
        lines: usize,
        doubt: Option<String>,
        /// The file had other hard links, which still have the old contents.
        linked: bool,
    },
    /// A file could not be saved; it is unchanged.
    SaveFailed {
        file: usize,
        reason: String,
    },
    /// Another program has changed a file since it was read.
    Changed {
        file: usize,
        /// It was about to be saved.
        saving: bool,
    },
    /// A file that was read was deleted from disk.
    Missing {
        file: usize,
    },
    /// A file that was about to be saved was deleted from disk.
    Deleted {
        file: usize,
    },
    /// Saving a file would lose this, such as its owner; it is unchanged.
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
    /// The queue that was requested.
    Queued {
        number: u64,
        items: Vec<QueueItem>,
        /// Dialogs that have changed since they were judged, so that their logs no longer fit.
        outgrown: usize,
    },
    /// Votes of all files, as far as they are counted.
    VotesCounted {
        number: u64,
        charts: Box<Charts>,
    },
    /// The rules and their settings.
    Rules(Box<LintContext>),
    /// Fixes found since the last message for the bulk fix with this number, how many more there
    /// are, and how many dialogs were checked.
    Fixes {
        number: u64,
        found: Vec<(DialogId, FixPreview)>,
        more: usize,
        looked: usize,
    },
    /// The updated ignore list after a problem in `at` was ignored or un-ignored.
    Ignores {
        at: DialogId,
        ignores: Box<Ignores>,
    },
    /// Time since the start.
    Now(Duration),
    /// The terminal has the focus again; other programs may have changed files meanwhile.
    Focused,
    /// The journaled history of a file; sent before the file is reported as read.
    History {
        file: usize,
        past: EditHistory,
        /// The entries of the last run that were not saved.
        unsaved: Vec<JournalEntry>,
    },
    /// The journal of a file is damaged; with the message for the user. Sent before
    /// [`Msg::History`].
    Damaged {
        file: usize,
        told: String,
    },
    /// A newer version of the program wrote the journal of a file, which makes the file read-only.
    NewerJournal {
        file: usize,
    },
    /// Journals of a newer version were moved away, and their files can be edited.
    PutAside {
        files: Vec<usize>,
        told: String,
    },
    /// Edits of files were exported as records; `all` if these were all unsaved edits of an earlier
    /// run, which need not be offered again.
    Exported {
        files: Vec<usize>,
        all: bool,
        told: String,
    },
    /// Something failed; with the message for the user.
    Complaint(String),
    /// Several messages that came together.
    Batch(Vec<Msg>),
}

impl Msg {
    /// Returns true unless it is the user's own input.
    pub fn is_news(&self) -> bool {
        !matches!(
            self,
            Self::Key(_) | Self::Paste(_) | Self::Mouse(_) | Self::Resize(_) | Self::Now(_)
        )
    }
}

/// A mouse action and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    pub action: MouseAction,
    pub column: u16,
    pub row: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseAction {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

/// A change of the ignore file.
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
    /// Number of saved edits that were undone, which records cannot express.
    pub undone: usize,
}

/// An action for the outside world.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read all dialogs of a file and summarise them for the list of dialogs.
    Summarize {
        file: usize,
    },
    /// Search all files, from this dialog on and around.
    Search {
        search: u64,
        query: Query,
        from: DialogId,
    },
    /// Stop searching.
    CancelSearch,
    /// Remember where the user is, and the judging state, for the next session.
    Remember,
    /// Read a dialog in advance.
    Prefetch {
        at: DialogId,
    },
    /// Load the companions of a log.
    Companions {
        at: DialogId,
        id: String,
    },
    /// Find the line on which a dialog begins.
    Locate {
        at: DialogId,
    },
    /// Copy a text to the clipboard.
    Copy(String),
    /// Save a file.
    Save {
        file: usize,
    },
    /// Save a file even if its owner changes.
    SaveChangingOwner {
        file: usize,
    },
    /// Journal the name and the initial text of a file that is not on disk yet.
    JournalBegins {
        file: usize,
        name: String,
        text: String,
    },
    /// Add an entry to a file's journal.
    Journal {
        file: usize,
        entry: JournalEntry,
    },
    /// Mark the journaled edits of a file as saved.
    JournalSaved {
        file: usize,
    },
    /// Replace a file's journal entries since the last save.
    RewriteJournal {
        file: usize,
        entries: Vec<JournalEntry>,
    },
    /// Build the queue of turns to judge.
    Queue {
        number: u64,
        wanted: QueueKind,
        annotator: String,
    },
    /// Count the votes of all files.
    CountVotes {
        number: u64,
    },
    /// Stop counting votes.
    CancelCount,
    /// Find the fixes for a rule in these dialogs, or all safe ones.
    FindFixes {
        number: u64,
        dialogs: Vec<DialogId>,
        rule: Option<&'static str>,
    },
    /// Stop finding fixes.
    CancelFixes,
    /// Ignore a problem of the dialog at `at`, or stop ignoring it, in the ignore file beside the
    /// corpus.
    Ignore {
        at: DialogId,
        ignored: Box<IgnoreEntry>,
        change: IgnoresChange,
    },
    /// Store the annotator's id in the settings.
    RememberAnnotator(String),
    /// Check whether other programs have changed files.
    CheckFiles,
    /// Reload a file from disk.
    Reload {
        file: usize,
    },
    /// Export edits by file, as records for `turnwise apply`.
    ExportEdits {
        files: Vec<EditsToExport>,
        /// These are all unsaved edits of an earlier run.
        all: bool,
    },
    /// Move away the journals that a newer version of the program wrote.
    PutAside {
        files: Vec<usize>,
    },
    /// Redraw the screen.
    Redraw,
    /// Switch to the next theme.
    NextTheme,
    Suspend,
    Quit,
}
