//! Files whose lines, or the elements of whose array, are turns: the file is a dialog, or each run of these with one id
//! is.

use std::io;

use super::index::TRIED;
use super::source::Source;
use crate::format::Family;
use crate::json::{NodeKind, Parser, Piece, Tree, Value};

/// The lines of a file, or the elements of its array.
#[derive(Clone, Copy)]
pub(super) struct Rows<'r> {
    source: &'r dyn Source,
    pieces: &'r [Piece],
    are_elements: bool,
    /// The array ends too early, so that the file is not the dialog.
    are_cut: bool,
}

impl<'r> Rows<'r> {
    pub fn lines(source: &'r dyn Source, pieces: &'r [Piece]) -> Self {
        Self { source, pieces, are_elements: false, are_cut: false }
    }

    pub fn elements(source: &'r dyn Source, pieces: &'r [Piece]) -> Self {
        Self { are_elements: true, ..Self::lines(source, pieces) }
    }

    /// Those of an array before the place where it is cut short.
    pub fn first_elements(source: &'r dyn Source, pieces: &'r [Piece]) -> Self {
        Self { are_cut: true, ..Self::elements(source, pieces) }
    }

    /// Returns the format that `detect` finds in the first rows, or else in the last ones, and the places of its dialogs:
    /// a session may begin with many other events.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn dialogs(
        self,
        mut detect: impl FnMut(Value<'_>) -> Option<&'static Family>,
    ) -> io::Result<Option<(&'static Family, Vec<Piece>)>> {
        let Some(first) = self.pieces.first() else {
            return Ok(None);
        };
        let count = self.pieces.len();
        let mut found = self.find(&self.pieces[..count.min(TRIED)], &mut detect)?;
        if found.is_none() && count > TRIED {
            found = self.find(&self.pieces[count - TRIED..], &mut detect)?;
        }
        let Some(format) = found else {
            return Ok(None);
        };
        let start = first.start;
        let end = self.pieces.last().unwrap_or(first).end;
        let mut pieces =
            if format.may_be_parted() { self.runs(format)? } else { vec![Piece { start, end }] };
        let is_whole = self.are_elements && !self.are_cut;
        if let ([whole], true) = (pieces.as_mut_slice(), is_whole) {
            (whole.start, whole.end) = (0, self.source.len());
        }
        Ok(Some((format, pieces)))
    }

    /// Returns the format that `detect` finds in the first row that is an array with turns.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn first_list(
        self,
        mut detect: impl FnMut(Value<'_>) -> Option<&'static Family>,
    ) -> io::Result<Option<&'static Family>> {
        let mut parser = Parser::new();
        for row in self.pieces.iter().take(TRIED).filter(|_| !self.are_elements) {
            let bytes = self.source.piece(*row)?;
            let tree = parser.parse_piece(&bytes).ok();
            let root = tree.as_ref().map(Tree::root);
            let list = root.filter(|root| root.kind() == NodeKind::Array);
            let found = list.and_then(&mut detect);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Returns the format that `detect` finds in some rows beside each other.
    fn find(
        self,
        rows: &[Piece],
        detect: &mut impl FnMut(Value<'_>) -> Option<&'static Family>,
    ) -> io::Result<Option<&'static Family>> {
        let Some((first, last)) = rows.first().zip(rows.last()) else {
            return Ok(None);
        };
        let (start, end) = (first.start, last.end);
        let mut bytes = self.source.piece(Piece { start, end })?;
        if self.are_elements {
            bytes.insert(0, b'[');
            bytes.push(b']');
        }
        let mut parser = Parser::new();
        let tree = parser.parse_piece(&bytes);
        Ok(tree.ok().and_then(|tree| detect(tree.list())))
    }

    /// Returns the runs of rows that have the same id. A row without one belongs to those before it.
    fn runs(self, format: &'static Family) -> io::Result<Vec<Piece>> {
        let mut runs: Vec<Piece> = Vec::new();
        let mut parser = Parser::new();
        let mut current = None;
        for piece in self.pieces {
            let bytes = self.source.piece(*piece)?;
            let tree = parser.parse(&bytes).ok();
            let id = tree.and_then(|tree| format.dialog_of_line(tree.root()));
            match runs.last_mut() {
                Some(last) if id.is_none() || current.is_none() || id == current => {
                    last.end = piece.end;
                }
                _ => runs.push(*piece),
            }
            current = id.or(current);
        }
        Ok(runs)
    }
}
