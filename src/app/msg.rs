//! What happens to the program, and what it wants from the world.

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
    /// The address of the dialog at this position in this file.
    pub fn new(file: usize, dialog: usize) -> Self {
        Self {
            file: file as u32,
            dialog: dialog as u32,
        }
    }

    /// The first dialog of a file, which in a log of votes is the only one.
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

/// Something that has happened.
#[derive(Debug)]
pub enum Msg {
    Key(Key),
    /// Text that came in one piece, from a clipboard.
    Paste(String),
    Mouse(Mouse),
    Resize(Size),
    /// A file was opened. `index` holds its first dialogs, and all of it if it is `complete`.
    Opened {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
        complete: bool,
    },
    /// More dialogs of a file that is still being read; `read` of its bytes are.
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
    /// What the dialogs from position `from` on are.
    Summarized {
        file: usize,
        from: usize,
        outlines: Vec<DialogSummary>,
        /// Names that these dialogs use, and how often.
        names: Names,
    },
    /// A dialog that may be asked for next.
    Prefetched(Box<Prefetched>),
    /// What stands beside a log: the text it is about, and what a detector made of it.
    Companions {
        at: DialogId,
        context: Option<String>,
        labels: Option<Box<Dialog>>,
        /// What stands beside it and cannot be shown, and why.
        trouble: Option<String>,
    },
    /// What a search has found since it last said something.
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
    /// A file was saved: how it is now, how many of its lines changed, and why it is not known whether
    /// that survives a power failure, if it is not.
    Saved {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
        lines: usize,
        doubt: Option<String>,
        /// The old file has other names, hard links, under which it stays as it was.
        linked: bool,
    },
    /// A file could not be saved; it is as it was.
    SaveFailed {
        file: usize,
        reason: String,
    },
    /// Another program has changed a file since it was read.
    Changed {
        file: usize,
        /// It was to be saved.
        saving: bool,
    },
    /// A file that was read is not on the disk any more.
    Missing {
        file: usize,
    },
    /// A file that was to be saved is not on the disk any more.
    Deleted {
        file: usize,
    },
    /// A file that was to be saved would not keep this then, such as its owner; it is as it was.
    AccessLoss {
        file: usize,
        lost: String,
    },
    /// A file was read anew.
    Reloaded {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
    },
    /// The turns to be judged, as they were asked for.
    Queued {
        number: u64,
        items: Vec<QueueItem>,
        /// Dialogs that have changed since they were judged, so that their logs do not fit them.
        outgrown: usize,
    },
    /// Votes of all files, as far as they are counted.
    VotesCounted {
        number: u64,
        charts: Box<Charts>,
    },
    /// The rules that are looked for.
    Rules(Box<LintContext>),
    /// Repairs that were found since the last message, for the list with this number, how many more
    /// there would be, and how many dialogs have been looked at.
    Fixes {
        number: u64,
        found: Vec<(DialogId, FixPreview)>,
        more: usize,
        looked: usize,
    },
    /// What is let be now, after something of the dialog at `at` was, or was not any more.
    Ignores {
        at: DialogId,
        ignores: Box<Ignores>,
    },
    /// Time since the start.
    Now(Duration),
    /// The terminal has the keys again: others may have worked meanwhile.
    Focused,
    /// What earlier runs have done to a file; told before it is known to be read.
    History {
        file: usize,
        past: EditHistory,
        /// What the last of them did and had not saved.
        unsaved: Vec<JournalEntry>,
    },
    /// The journal of a file is damaged: what is told of it. Comes before [`Msg::History`].
    Damaged {
        file: usize,
        told: String,
    },
    /// A newer version of the program wrote the journal of a file, which is only read therefore.
    NewerJournal {
        file: usize,
    },
    /// Journals that a newer version wrote were put aside, and their files can be edited.
    PutAside {
        files: Vec<usize>,
        told: String,
    },
    /// Edits of files were kept as records; `all` of those that an earlier run had not saved, and so
    /// they need not be offered any more.
    Exported {
        files: Vec<usize>,
        all: bool,
        told: String,
    },
    /// Something did not work out.
    Complaint(String),
    /// News that came together.
    Batch(Vec<Msg>),
}

impl Msg {
    /// True unless the user has done it, who sees what comes of it before anything else is done.
    pub fn is_news(&self) -> bool {
        !matches!(
            self,
            Self::Key(_) | Self::Paste(_) | Self::Mouse(_) | Self::Resize(_) | Self::Now(_)
        )
    }
}

/// What the mouse did, and in which cell.
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

/// What is done to the file that says what is let be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoresChange {
    Add,
    Remove,
}

/// What is not saved of a file, to be kept beside.
#[derive(Clone, Debug, PartialEq)]
pub struct EditsToExport {
    pub file: usize,
    /// Edits, as records that `turnwise apply` reads.
    pub records: Vec<String>,
    /// So many saved edits were undone, which no record can say.
    pub undone: usize,
}

/// Something to be done outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read all dialogs of a file for the list of dialogs.
    Summarize {
        file: usize,
    },
    /// Search all files, from a dialog on and around.
    Search {
        search: u64,
        query: Query,
        from: DialogId,
    },
    /// Stop searching.
    CancelSearch,
    /// Keep where the reader is, and what is judged, for the next run.
    Remember,
    /// Read a dialog that may be asked for next.
    Prefetch {
        at: DialogId,
    },
    /// Look for what stands beside a log.
    Companions {
        at: DialogId,
        id: String,
    },
    /// Find the line on which a dialog begins.
    Locate {
        at: DialogId,
    },
    /// Put a text on the clipboard.
    Copy(String),
    /// Save a file.
    Save {
        file: usize,
    },
    /// Save a file, which may belong to another user then.
    SaveChangingOwner {
        file: usize,
    },
    /// Write down how a file begins that is not on the disk yet: its name, and its text.
    JournalBegins {
        file: usize,
        name: String,
        text: String,
    },
    /// Write down what was done to a file.
    Journal {
        file: usize,
        entry: JournalEntry,
    },
    /// What was written down of a file is saved in it.
    JournalSaved {
        file: usize,
    },
    /// Let what was written down of a file since it was saved be just this.
    RewriteJournal {
        file: usize,
        entries: Vec<JournalEntry>,
    },
    /// Find the turns to be judged.
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
    /// Find the repairs of what a rule finds in these dialogs, or of all that is certain.
    FindFixes {
        number: u64,
        dialogs: Vec<DialogId>,
        rule: Option<&'static str>,
    },
    /// Stop finding repairs.
    CancelFixes,
    /// Let a problem of the dialog at `at` be, or not any more, in the file beside the corpus.
    Ignore {
        at: DialogId,
        ignored: Box<IgnoreEntry>,
        change: IgnoresChange,
    },
    /// Remember under which id votes are cast.
    RememberAnnotator(String),
    /// Look whether other programs have changed files.
    CheckFiles,
    /// Read a file anew.
    Reload {
        file: usize,
    },
    /// Keep edits beside, as records that `turnwise apply` reads, by file.
    ExportEdits {
        files: Vec<EditsToExport>,
        /// They are all that an earlier run had not saved.
        all: bool,
    },
    /// Put the journals of files aside that a newer version of the program wrote.
    PutAside {
        files: Vec<usize>,
    },
    /// Draw everything anew.
    Redraw,
    /// Let things look otherwise.
    NextTheme,
    Suspend,
    Quit,
}
