//! One corpus file: its index, the dialogs that were edited, and how they came to be.

mod edits;

pub use edits::EditsMade;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use super::history::{History, Revision, UnsavedRevisions};
use super::index::{Contents, Index};
use super::source::Source;
use crate::dialog::{Dialog, Issue};
use crate::format::Format;
use crate::json::{BOM, Escapes, Parser, Piece, SyntaxError, SyntaxKind};

/// An open corpus file. Nothing is written to it; saving streams its [`FilePart`]s elsewhere.
#[derive(Clone)]
pub struct CorpusFile<S> {
    source: S,
    index: Index,
    /// Text of the dialogs by position that say something else than the source.
    edited: BTreeMap<usize, String>,
    history: History,
    /// Edits have led back to what the source says, and nobody has asked yet.
    level: bool,
    escapes: OnceLock<Escapes>,
}

/// Why a dialog cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
}

/// A stretch of the file as it would be saved.
#[derive(Debug, PartialEq, Eq)]
pub enum FilePart<'a> {
    /// These bytes of the source.
    Kept(Range<u64>),
    /// This text, in the place of these bytes of the source.
    New { text: &'a str, instead: Range<u64> },
}

/// Bytes from which the file's way to escape is learned.
const SAMPLE: u64 = 1 << 20;

impl<S: Source> CorpusFile<S> {
    pub fn new(source: S, index: Index) -> Self {
        let (edited, history) = (BTreeMap::new(), History::default());
        Self {
            source,
            index,
            edited,
            history,
            level: false,
            escapes: OnceLock::new(),
        }
    }

    pub fn source(&self) -> &S {
        &self.source
    }

    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Takes over dialogs that were found while the file is still being read.
    pub fn add_pieces(&mut self, pieces: Vec<Piece>) {
        self.index.pieces.extend(pieces);
    }

    /// Takes over the index of the whole file, which replaces one of its beginning. There are no
    /// edits yet: a file is not edited before it has been read.
    pub fn set_index(&mut self, index: Index) {
        self.index = index;
    }

    /// The family of its dialogs; None if it holds none.
    pub fn format(&self) -> Option<&'static dyn Format> {
        match self.index.contents {
            Contents::Dialogs(format) => Some(format),
            _ => None,
        }
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// True if it says something else than its source.
    pub fn is_modified(&self) -> bool {
        self.history.is_modified()
    }

    /// How many edits lie between the source and what it says, of dialogs that say something else.
    pub fn unsaved(&self) -> usize {
        let UnsavedRevisions { made, undone } = self.history.unsaved();
        let of_edited = |r: &&&Revision| self.edited.contains_key(&r.dialog);
        made.iter().chain(&undone).filter(of_edited).count()
    }

    /// True, once, after edits have led back to what the source says: what was done is in it, and so
    /// counts as saved.
    pub fn take_level(&mut self) -> bool {
        std::mem::take(&mut self.level) && self.edited.is_empty()
    }

    /// The bytes of dialog `position` as they stand in the file.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn bytes(&self, position: usize) -> io::Result<Vec<u8>> {
        let Piece { start, end } = self.index.pieces[position];
        let mut bytes = vec![0; (end - start) as usize];
        self.source.read_at(start, &mut bytes)?;
        Ok(bytes)
    }

    /// The text of dialog `position` with all edits.
    ///
    /// # Errors
    /// If it cannot be read or is not UTF-8.
    pub fn text(&self, position: usize) -> Result<String, ReadError> {
        if let Some(text) = self.edited.get(&position) {
            return Ok(text.clone());
        }
        let text = String::from_utf8(self.bytes(position)?);
        text.map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            ReadError::Syntax(SyntaxError {
                at,
                kind: SyntaxKind::NotUtf8,
            })
        })
    }

    /// Dialog `position` with all edits, and what is wrong with its form.
    ///
    /// # Errors
    /// If it cannot be read, or is not JSON.
    pub fn dialog(&self, position: usize) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        self.read(&self.text(position)?)
    }

    fn read(&self, text: &str) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        let Some(format) = self.format() else {
            return Ok(None);
        };
        let mut parser = Parser::new();
        Ok(Some(format.read(parser.parse_str(text)?)))
    }

    /// Replaces the text of dialog `position` by `text`, a changed version of it. The change is saved with
    /// the file, but it is not in the history and cannot be undone.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn replace(&mut self, position: usize, text: String) -> Result<(), ReadError> {
        self.put(position, text)?;
        self.check_level();
        Ok(())
    }

    /// Takes over what an earlier run has done to this file: see [`History::restored`]. Whether it
    /// is what was done to these bytes is looked at when it is undone. False if it cannot be, or
    /// something is not saved.
    pub fn restore(&mut self, revisions: Vec<Revision>, done: usize) -> bool {
        let there = |r: &Revision| r.dialog < self.index.pieces.len();
        let good = !self.is_modified() && revisions.iter().all(there);
        if good {
            self.history = History::restored(revisions, done);
        }
        good
    }

    /// Lets a dialog have this text; one that says what the source says counts as not edited.
    fn put(&mut self, position: usize, text: String) -> Result<(), ReadError> {
        let Piece { start, end } = self.index.pieces[position];
        // Most edits change the length, and nothing has to be read then.
        let as_long = end - start == text.len() as u64;
        let same = as_long && self.bytes(position)? == text.as_bytes();
        if same {
            self.edited.remove(&position);
        } else {
            self.edited.insert(position, text);
        }
        Ok(())
    }

    /// Notes if edits have led back to what the source says.
    fn check_level(&mut self) {
        if self.edited.is_empty() && self.history.is_modified() {
            self.history.mark_saved();
            self.level = true;
        }
    }

    /// Takes over the file that it was saved as: what was edited stands in the source now. Edits can
    /// be undone as before.
    pub fn rebase(&mut self, source: S, index: Index) {
        (self.source, self.index) = (source, index);
        self.edited.clear();
        self.history.mark_saved();
    }

    /// Takes over the same bytes, read once more.
    pub fn reopen(&mut self, source: S, index: Index) {
        (self.source, self.index) = (source, index);
    }

    /// Lines that differ between the source and what would be saved.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn changed_lines(&self) -> io::Result<usize> {
        let mut lines = 0;
        for (position, text) in &self.edited {
            let before = self.bytes(*position)?;
            let before = String::from_utf8_lossy(&before);
            let diff = similar::TextDiff::from_lines(before.as_ref(), text.as_str());
            let changed = |tag| diff.iter_all_changes().filter(|c| c.tag() == tag).count();
            lines += changed(similar::ChangeTag::Insert).max(changed(similar::ChangeTag::Delete));
        }
        Ok(lines)
    }

    /// Positions of the dialogs that say something else than the source.
    pub fn edited(&self) -> impl Iterator<Item = usize> {
        self.edited.keys().copied()
    }

    /// Their texts, by position.
    pub fn edited_texts(&self) -> &BTreeMap<usize, String> {
        &self.edited
    }

    /// The file as it would be saved.
    pub fn parts(&self) -> Vec<FilePart<'_>> {
        let mut parts = Vec::with_capacity(2 * self.edited.len() + 1);
        let mut kept = 0;
        for (position, text) in &self.edited {
            let Piece { start, end } = self.index.pieces[*position];
            parts.push(FilePart::Kept(kept..start));
            parts.push(FilePart::New {
                text,
                instead: start..end,
            });
            kept = end;
        }
        parts.push(FilePart::Kept(kept..self.source.len()));
        parts
    }

    /// How this file escapes characters, from its beginning and its end.
    pub fn escapes(&self) -> Escapes {
        *self.escapes.get_or_init(|| {
            let len = self.source.len();
            let seen = |at: u64| {
                let mut bytes = vec![0; (len - at).min(SAMPLE) as usize];
                match self.source.read_at(at, &mut bytes) {
                    Ok(()) => {
                        let text = bytes.strip_prefix(BOM).unwrap_or(&bytes);
                        Escapes::seen_in(&String::from_utf8_lossy(text))
                    }
                    Err(_) => Escapes::default(),
                }
            };
            let head = seen(0);
            if head.is_settled() {
                head
            } else {
                head.or(seen(len.saturating_sub(SAMPLE)))
            }
        })
    }
}
