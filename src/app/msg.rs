//! What happens to the program, and what it wants from the world.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::charts::Charts;
use super::key::Key;
use super::layout::Size;
use super::problems::Rules;
use super::queue::{ToJudge, Wanted};
use crate::corpus::{BadRecord, DialogRef, Index, Record, Source};
use crate::dialog::{Dialog, Edit};
use crate::json::Piece;
use crate::query::{Names, Outline, Query};

/// Address of a dialog: its file among the open ones, and its position there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    pub file: u32,
    pub dialog: u32,
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
    Outlined {
        file: usize,
        from: usize,
        outlines: Vec<Outline>,
        /// Names that these dialogs use, and how often.
        names: Names,
    },
    /// What stands beside a log: the text it is about, and what a detector made of it.
    Companions {
        at: At,
        context: Option<String>,
        labels: Option<Box<Dialog>>,
        /// What stands beside it and cannot be shown, and why.
        trouble: Option<String>,
    },
    /// What a search has found since it last said something.
    Hits {
        search: u64,
        hits: Vec<(At, u32)>,
        searched: usize,
        done: bool,
    },
    /// The line, from 1, on which a dialog begins.
    Located {
        at: At,
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
    },
    /// A file could not be saved; it is as it was.
    NotSaved {
        file: usize,
        reason: String,
    },
    /// Another program has changed a file since it was read.
    Changed {
        file: usize,
        /// It was to be saved.
        saving: bool,
    },
    /// A file that another program had changed was read anew.
    Reread {
        file: usize,
        bytes: Bytes,
        index: Box<Index>,
    },
    /// The turns to be judged, as they were asked for.
    Queued {
        number: u64,
        items: Vec<ToJudge>,
    },
    /// Votes of all files, as far as they are counted.
    Charted {
        number: u64,
        charts: Box<Charts>,
    },
    /// The rules that are looked for.
    Rules(Box<Rules>),
    /// Time since the start.
    Now(Duration),
    /// The terminal has the keys again: others may have worked meanwhile.
    Focused,
    /// Another process edits the file: the one with this id.
    Taken {
        file: usize,
        by: String,
    },
    /// A run before this one ended with edits of a file that it had not saved.
    Unsaved {
        file: usize,
        entries: Vec<Entry>,
    },
    /// Something did not work out.
    Complaint(String),
}

/// Something done to a file, as it is written down at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Edit {
        dialog: u32,
        edit: Edit,
    },
    /// Takes back the last of those before it.
    Undo,
    /// Begins a file of this name with this text, which is not on the disk yet.
    New {
        name: String,
        text: String,
    },
    /// Makes this the text of a dialog. So it is written where something is undone that was saved,
    /// and that an entry before it cannot tell.
    Says {
        dialog: u32,
        text: String,
    },
}

impl Entry {
    /// How many edits are in force after all of `entries`.
    pub fn in_force(entries: &[Self]) -> usize {
        entries.iter().fold(0, |done: usize, entry| match entry {
            Self::Edit { .. } | Self::Says { .. } => done + 1,
            Self::Undo => done.saturating_sub(1),
            Self::New { .. } => done,
        })
    }
}

const UNDO: &str = "{\"undo\":true}";

/// The line of [`Entry::Says`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Says<'t> {
    dialog: u32,
    says: std::borrow::Cow<'t, str>,
}

/// The line of [`Entry::New`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct New<'t> {
    new: std::borrow::Cow<'t, str>,
    text: std::borrow::Cow<'t, str>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undo => f.write_str(UNDO),
            Self::New { name, text } => {
                let (new, text) = (name.into(), text.into());
                let line = serde_json::to_string(&New { new, text });
                f.write_str(&line.map_err(|_| fmt::Error)?)
            }
            Self::Says { dialog, text } => {
                let line = Says {
                    dialog: *dialog,
                    says: text.into(),
                };
                f.write_str(&serde_json::to_string(&line).map_err(|_| fmt::Error)?)
            }
            Self::Edit { dialog, edit } => {
                let (dialog, edit) = (DialogRef::Number(*dialog as usize), edit.clone());
                Record {
                    file: None,
                    dialog,
                    edit,
                }
                .fmt(f)
            }
        }
    }
}

impl FromStr for Entry {
    type Err = BadRecord;

    fn from_str(line: &str) -> Result<Self, BadRecord> {
        if line == UNDO {
            return Ok(Self::Undo);
        }
        if let Ok(Says { dialog, says }) = serde_json::from_str(line) {
            let text = says.into_owned();
            return Ok(Self::Says { dialog, text });
        }
        if let Ok(New { new, text }) = serde_json::from_str(line) {
            let (name, text) = (new.into_owned(), text.into_owned());
            return Ok(Self::New { name, text });
        }
        let Record { dialog, edit, .. } = line.parse()?;
        match dialog {
            DialogRef::Number(number) => Ok(Self::Edit {
                dialog: number as u32,
                edit,
            }),
            DialogRef::Id(_) => Err(BadRecord::NoDialog),
        }
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

/// Something to be done outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read all dialogs of a file for the list of dialogs.
    Outline {
        file: usize,
    },
    /// Search all files, from a dialog on and around.
    Search {
        search: u64,
        query: Query,
        from: At,
    },
    /// Stop searching.
    CancelSearch,
    /// Look for what stands beside a log.
    Companions {
        at: At,
        id: String,
    },
    /// Find the line on which a dialog begins.
    Locate {
        at: At,
    },
    /// Put a text on the clipboard.
    Copy(String),
    /// Save a file.
    Save {
        file: usize,
    },
    /// Write down what was done to a file.
    Journal {
        file: usize,
        entry: Entry,
    },
    /// Forget what was written down of a file.
    DropJournal {
        file: usize,
    },
    /// Find the turns to be judged.
    Queue {
        number: u64,
        wanted: Wanted,
        annotator: String,
    },
    /// Count the votes of all files.
    Chart {
        number: u64,
    },
    /// Stop counting votes.
    CancelChart,
    /// Remember under which id votes are cast.
    KeepAnnotator(String),
    /// Look whether other programs have changed files.
    Look,
    /// Read a file anew.
    Reread {
        file: usize,
    },
    /// Keep edits that do not fit a file any more, as records that `turnwise apply` reads.
    Keep {
        file: usize,
        records: Vec<String>,
    },
    /// Draw everything anew.
    Redraw,
    Suspend,
    Quit,
}
