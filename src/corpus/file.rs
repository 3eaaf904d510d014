//! One corpus file: its index and its edited dialogs.

mod copies;
mod edits;
mod whole;

pub use edits::{Change, EditsMade};
pub use whole::{DialogPlace, WholeChange};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use similar::DiffTag;

use self::whole::WholeDialogs;
use super::index::{Contents, Index};
use super::source::{Bytes, Source, advance, write_range};
use crate::dialog::{Dialog, Issue, Turn};
use crate::format::declared::{fitting_unit, has_several_units};
use crate::format::{Family, FileFormat, SlotKinds};
use crate::json::{BOM, Escapes, Parser, Piece, Position, SyntaxError, SyntaxKind};
use crate::text::diff;

/// An open corpus file. It never writes to its source; saving streams its [`FilePart`]s elsewhere.
#[derive(Clone)]
pub struct CorpusFile {
    source: Bytes,
    index: Index,
    /// The texts of dialogs that differ from the source, by position.
    edited: BTreeMap<usize, String>,
    whole: WholeDialogs,
    escapes: OnceLock<Escapes>,
    /// The slots of the corpus, from the ontology beside it.
    slots: Option<Arc<SlotKinds>>,
}

/// The reason why a dialog cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
}

/// A part of the file as it would be saved.
#[derive(Debug, PartialEq, Eq)]
pub enum FilePart<'a> {
    /// Unchanged bytes of the source.
    Kept(Range<u64>),
    /// This text, which replaces these bytes of the source.
    New { text: Cow<'a, str>, instead: Range<u64> },
}

/// How many bytes at the beginning, and if need be at the end, are examined for the file's style of
/// escapes.
const SAMPLE: u64 = 1 << 20;

impl CorpusFile {
    pub fn new(source: impl Into<Bytes>, index: Index) -> Self {
        Self {
            source: source.into(),
            index,
            edited: BTreeMap::new(),
            whole: WholeDialogs::default(),
            escapes: OnceLock::new(),
            slots: None,
        }
    }

    /// Sets the slots of the corpus, which say where new acts belong in some formats.
    pub fn set_slots(&mut self, slots: Arc<SlotKinds>) {
        self.slots = Some(slots);
    }

    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// Returns the source, for another thread.
    pub fn shared_source(&self) -> Bytes {
        self.source.clone()
    }

    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Sets the dialogs that were found while the file is still being read.
    pub fn add_pieces(&mut self, pieces: Vec<Piece>) {
        self.index.pieces.extend(pieces);
    }

    /// Replaces the index of the first part of the file by that of the whole. There are no edits yet: a
    /// file cannot be edited before it has been read.
    pub fn set_index(&mut self, index: Index) {
        self.index = index;
    }

    /// Returns the family of its first dialog; None if it has no dialogs.
    pub fn format(&self) -> Option<&'static Family> {
        match self.index.contents {
            Contents::Dialogs(format) => Some(format),
            _ => None,
        }
    }

    /// Returns the families of its dialogs; None if it has no dialogs.
    pub fn file_format(&self) -> Option<FileFormat> {
        let formats = self.index.formats.clone();
        Some(FileFormat::new(self.format()?, formats))
    }

    /// Reads its dialogs as those of another copy, where they have the signs of that family: one value may make a dialog
    /// look like one of a related family.
    pub fn read_like(&mut self, other: &Self) {
        let is_alone = |of: &'static Family| !of.lines_are_turns() && !of.is_companion();
        let (Contents::Dialogs(own), Some(usual)) = (&mut self.index.contents, other.format())
        else {
            return;
        };
        if is_alone(own) && is_alone(usual) {
            *own = usual;
        }
    }

    /// Makes it a file of judgements, whatever its lines hold: one without answers is empty.
    pub fn become_judgements(&mut self) {
        self.index.become_judgements();
    }

    /// Returns the family of a dialog with this text; None if the file has no dialogs.
    pub fn family_of(&self, text: &str) -> Option<&'static str> {
        let formats = self.file_format()?;
        Some(formats.of_text(text).name())
    }

    /// True if it differs from its source.
    pub fn is_modified(&self) -> bool {
        !self.edited.is_empty() || !self.whole.is_empty()
    }

    /// Returns the bytes of dialog `position` in the source.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn bytes(&self, position: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_bytes(position, &mut bytes)?;
        Ok(bytes)
    }

    /// As [`CorpusFile::bytes`], into `bytes`, whose room is used again.
    ///
    /// # Errors
    /// If there is no such dialog, or it cannot be read.
    pub fn read_bytes(&self, position: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let Some(&Piece { start, end }) = self.index.pieces.get(position) else {
            let why = format!("the file has no dialog {position}");
            return Err(io::Error::new(io::ErrorKind::NotFound, why));
        };
        bytes.resize((end - start) as usize, 0);
        self.source.read_at(start, bytes)
    }

    /// Returns the text of dialog `position` with all edits. Lines of a session that are not UTF-8 are broken lines.
    ///
    /// # Errors
    /// If it cannot be read or is not UTF-8.
    pub fn text(&self, position: usize) -> Result<String, ReadError> {
        self.whole_text(position).or_else(|error| match error {
            ReadError::Io(_) => Err(error),
            ReadError::Syntax(_) => {
                let bytes = self.bytes(position)?;
                Ok(Parser::new().parse_piece(&bytes)?.text().to_owned())
            }
        })
    }

    /// Like [`CorpusFile::text`], for changes of the text, which would not keep bytes that are not UTF-8.
    ///
    /// # Errors
    /// If it cannot be read or is not UTF-8.
    pub fn whole_text(&self, position: usize) -> Result<String, ReadError> {
        if let Some(text) = self.edited.get(&position) {
            return Ok(text.clone());
        }
        let text = String::from_utf8(self.bytes(position)?);
        text.map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            ReadError::Syntax(SyntaxError { at, kind: SyntaxKind::NotUtf8 })
        })
    }

    /// True if the file will be read as it is here once it is saved. In some formats the quotes of a file
    /// decide on the unit of its spans, and edits can take the quotes away.
    pub fn keeps_unit(&self) -> bool {
        let Some(format) = self.format().filter(|format| has_several_units(format)) else {
            return true;
        };
        let texts = || (0..self.index.pieces.len()).filter_map(|dialog| self.text(dialog).ok());
        let after = fitting_unit(format, texts());
        let mut parser = Parser::new();
        let mut reads_alike = |text: String| {
            let tree = parser.parse_piece_str(&text);
            tree.map_or(true, |tree| covered(&format.read(tree).0) == covered(&after.read(tree).0))
        };
        !self.is_modified() || std::ptr::addr_eq(format, after) || texts().all(&mut reads_alike)
    }

    /// Dialog `position` with all edits, and its schema violations.
    ///
    /// # Errors
    /// If it cannot be read, or is not JSON.
    pub fn dialog(&self, position: usize) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        self.read(&self.text(position)?)
    }

    /// Returns dialog `position` with all edits; None if there is none, or if it cannot be read.
    pub fn dialog_at(&self, position: usize) -> Option<Dialog> {
        self.index.pieces.get(position)?;
        let (dialog, _) = self.dialog(position).ok()??;
        Some(dialog)
    }

    fn read(&self, text: &str) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        let Some(format) = self.file_format() else {
            return Ok(None);
        };
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text)?;
        Ok(Some(format.of(tree.root()).read(tree)))
    }

    /// Replaces the text of dialog `position` by `text`, a changed version of it. The change is saved with
    /// the file, but it cannot be undone. If the text equals the source, the dialog counts as not edited.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn replace(&mut self, position: usize, text: String) -> Result<(), ReadError> {
        let Piece { start, end } = self.index.pieces[position];
        // Most edits change the length; then the source need not be read.
        let as_long = end - start == text.len() as u64;
        let same = as_long && self.bytes(position)? == text.as_bytes();
        if same {
            self.edited.remove(&position);
        } else {
            self.edited.insert(position, text);
        }
        Ok(())
    }

    /// Switches to the saved file as the new source, which contains the edits. They can still be undone.
    pub fn rebase(&mut self, source: impl Into<Bytes>, index: Index) {
        (self.source, self.index) = (source.into(), index);
        self.edited.clear();
    }

    /// Switches to a source with the same bytes, read again.
    pub fn reopen(&mut self, source: impl Into<Bytes>, index: Index) {
        (self.source, self.index) = (source.into(), index);
    }

    /// Returns the number of lines that differ between the source and the text to save.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn changed_lines(&self) -> io::Result<usize> {
        let mut lines = 0;
        // The end of the last piece whose last line has changed: another piece may begin on that line.
        let mut open_line = None;
        for (position, text) in &self.edited {
            let before = self.bytes(*position)?;
            let before = String::from_utf8_lossy(&before);
            let before: Vec<_> = before.split_inclusive('\n').collect();
            let after: Vec<_> = text.split_inclusive('\n').collect();
            let changes = diff(&before, &after).into_iter();
            let changes: Vec<_> = changes.filter(|change| change.tag() != DiffTag::Equal).collect();
            let (old, new) = changes.iter().fold((0, 0), |(old, new), change| {
                (old + change.old_range().len(), new + change.new_range().len())
            });
            lines += old.max(new);
            let Piece { start, end } = self.index.pieces[*position];
            let begins = changes.first().is_some_and(|change| change.old_range().start == 0);
            if let Some(open) = open_line.filter(|_| begins) {
                let mut position = Position::default();
                advance(self.source(), &mut position, open..start)?;
                lines -= usize::from(position.line == 1);
            }
            let ends = changes.last().is_some_and(|change| change.old_range().end == before.len());
            open_line = ends.then_some(end);
        }
        Ok(lines)
    }

    /// Positions of the dialogs that differ from the source.
    pub fn edited(&self) -> impl Iterator<Item = usize> {
        self.edited.keys().copied()
    }

    /// Returns their texts, by position.
    pub fn edited_texts(&self) -> &BTreeMap<usize, String> {
        &self.edited
    }

    /// Returns the file as it would be saved.
    pub fn parts(&self) -> Vec<FilePart<'_>> {
        let pieces = &self.index.pieces;
        let edited = self.edited.iter().map(|(position, text)| {
            let Piece { start, end } = pieces[*position];
            (start..end, Cow::Borrowed(text.as_str()))
        });
        let mut changes: Vec<_> = edited.collect();
        if !self.whole.is_empty() {
            let whole = self.whole.changes(&self.index).into_iter();
            changes.extend(whole.map(|change| (change.at, Cow::Owned(change.text))));
            changes.sort_by_key(|(at, _)| (at.start, at.end));
        }
        let mut parts = Vec::with_capacity(2 * changes.len() + 1);
        let mut kept = 0;
        for (instead, text) in changes {
            parts.push(FilePart::Kept(kept..instead.start));
            kept = instead.end;
            parts.push(FilePart::New { text, instead });
        }
        parts.push(FilePart::Kept(kept..self.source.len()));
        parts
    }

    /// Writes the file as it would be saved: all bytes that the edits do not change as they came.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        self.parts().into_iter().try_for_each(|part| match part {
            FilePart::Kept(range) => write_range(self.source(), range, out),
            FilePart::New { text, .. } => out.write_all(text.as_bytes()),
        })
    }

    /// Returns the style in which this file escapes characters, as seen at its beginning and its end.
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
            if head.is_settled() { head } else { head.or(seen(len.saturating_sub(SAMPLE))) }
        })
    }
}
/// Returns the texts that the segments of a dialog cover, in order; None for those outside their turn.
fn covered(dialog: &Dialog) -> Vec<Option<String>> {
    let of_turn = |turn: &Turn| {
        let spans = turn.spans(dialog.units);
        let segments = turn.segments.iter();
        let texts = segments.map(|segment| Some(spans.covered(segment.span?)?.into()));
        texts.collect::<Vec<_>>()
    };
    dialog.turns.iter().flat_map(of_turn).collect()
}
