//! What happens to the program, and what it wants from the world.

use std::fmt;
use std::io;
use std::sync::Arc;

use super::key::Key;
use super::layout::Size;
use crate::corpus::{Index, Source};
use crate::dialog::Dialog;
use crate::json::Piece;
use crate::query::{Outline, Query};

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
    },
    /// What stands beside a log: the text it is about, and what a detector made of it.
    Companions {
        at: At,
        context: Option<String>,
        labels: Option<Box<Dialog>>,
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
    /// Something did not work out.
    Complaint(String),
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
    /// Draw everything anew.
    Redraw,
    Suspend,
    Quit,
}
