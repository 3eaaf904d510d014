//! Adds and removes whole dialogs, with the separators around them, and changes what is beside them. What that is, and what
//! it means, others know: here it is text at a place.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;

use super::CorpusFile;
use crate::corpus::index::{Arrangement, DialogList, Index};
use crate::json::Piece;

/// The place of a dialog that a file gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DialogPlace {
    /// Before the first one of a list of dialogs, by its number from 0; most files have one list.
    First(usize),
    /// Behind the dialog at this position.
    Behind(usize),
}

/// Dialogs that the file gains and loses when it is saved, and other members of its outermost object.
#[derive(Clone, Debug, Default)]
pub(super) struct WholeDialogs {
    removed: BTreeSet<usize>,
    added: BTreeMap<DialogPlace, Vec<String>>,
    /// The text between two dialogs of the file, if there are any in `added`.
    separator: String,
    beside: Vec<WholeChange>,
}

/// New text in a file, instead of a range of bytes, which may be empty.
#[derive(Clone, Debug)]
pub struct WholeChange {
    pub at: Range<u64>,
    pub text: String,
}

impl WholeDialogs {
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.beside.is_empty()
    }

    /// Returns the changes of the file with this index, not in order.
    pub fn changes(&self, index: &Index) -> Vec<WholeChange> {
        let mut changes = self.beside.clone();
        for (number, list) in lists(index).into_iter().enumerate() {
            self.change_list(index, number, list, &mut changes);
        }
        changes
    }

    fn change_list(
        &self,
        index: &Index,
        number: usize,
        list: Range<usize>,
        changes: &mut Vec<WholeChange>,
    ) {
        let pieces = &index.pieces;
        // What is separated by commas: the dialogs, and between those of an object what else it has.
        let dialogs = list.clone().map(|at| (pieces[at], !self.removed.contains(&at)));
        let mut all: Vec<(Piece, bool)> = dialogs.collect();
        if index.arrangement == Arrangement::Keyed {
            all.extend(index.others.iter().map(|piece| (*piece, true)));
            all.sort_unstable();
        }
        let first = all.iter().position(|(_, is_kept)| *is_kept);
        for (at, (piece, is_kept)) in all.iter().enumerate() {
            if *is_kept {
                continue;
            }
            // With the separator before it, or behind it where there is nothing before it.
            let at = match first {
                Some(first) if at < first => piece.start..all[at + 1].0.start,
                _ if at > 0 => all[at - 1].0.end..piece.end,
                _ => piece.start..piece.end,
            };
            let text = String::new();
            changes.push(WholeChange { at, text });
        }
        let separator = &self.separator;
        let first = first.map(|first| all[first].0.start);
        let mut before_first = Vec::new();
        for (place, texts) in &self.added {
            match *place {
                DialogPlace::Behind(at) if !list.contains(&at) => {}
                DialogPlace::Behind(at) if first.is_some_and(|first| pieces[at].start >= first) => {
                    let texts = texts.iter().map(|text| format!("{separator}{text}"));
                    let (at, text) = (pieces[at].end..pieces[at].end, texts.collect());
                    changes.push(WholeChange { at, text });
                }
                DialogPlace::First(of) if of != number => {}
                _ => before_first.extend(texts.iter().map(String::as_str)),
            }
        }
        if !before_first.is_empty() {
            let at = first.unwrap_or(pieces[list.start].start);
            let end = if first.is_some() { separator } else { "" };
            let text = before_first.join(separator) + end;
            changes.push(WholeChange { at: at..at, text });
        }
    }
}

/// Returns the positions of the dialogs of each list of a file.
fn lists(index: &Index) -> Vec<Range<usize>> {
    match &index.arrangement {
        Arrangement::Members(lists) => lists.iter().map(|list| list.dialogs.clone()).collect(),
        _ => {
            let all = Some(0..index.pieces.len());
            all.filter(|all| !all.is_empty()).into_iter().collect()
        }
    }
}

impl CorpusFile {
    /// True if it has dialogs, and can have more: it is not one dialog, and its lines are not turns.
    pub fn holds_several(&self) -> bool {
        let is_one = matches!(self.index.arrangement, Arrangement::Single | Arrangement::Turns);
        !self.index.pieces.is_empty() && !is_one
    }

    /// True if it is one dialog in one line, so that another one can be in a line below it.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn is_line(&self) -> io::Result<bool> {
        Ok(match (&self.index.arrangement, self.index.pieces.len()) {
            (Arrangement::Single, 1) => !self.bytes(0)?.contains(&b'\n'),
            _ => false,
        })
    }

    /// Leaves the dialog at `position` out when the file is saved. Positions stay until then.
    pub fn remove_dialog(&mut self, position: usize) {
        self.edited.remove(&position);
        self.whole.removed.insert(position);
    }

    /// Returns the arrays of dialogs among the members of its outermost object; empty if its dialogs are not there.
    pub fn dialog_lists(&self) -> &[DialogList] {
        match &self.index.arrangement {
            Arrangement::Members(lists) => lists,
            _ => &[],
        }
    }

    /// Returns the key of the array in which the dialog at `position` is, among the members of the outermost object.
    pub fn list_of(&self, position: usize) -> Option<&str> {
        let mut lists = self.dialog_lists().iter();
        let list = lists.find(|list| list.dialogs.contains(&position))?;
        Some(&list.key)
    }

    /// Puts a dialog, as JSON text, into the file when it is saved. Those put in the same place are in the order in
    /// which they came. The file has dialogs, and [`CorpusFile::holds_several`] or [`CorpusFile::is_line`].
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn add_dialog(&mut self, place: DialogPlace, text: &str) -> io::Result<()> {
        if self.whole.separator.is_empty() {
            self.whole.separator = self.separator()?;
        }
        let added = self.whole.added.entry(place).or_default();
        added.push(text.to_owned());
        Ok(())
    }

    /// Changes what is beside the dialogs when the file is saved. False, and nothing is changed, where dialogs that are
    /// added or removed meet such a change.
    #[must_use]
    pub fn change_beside(&mut self, changes: Vec<WholeChange>) -> bool {
        self.whole.beside = changes;
        let mut all = self.whole.changes(&self.index);
        all.sort_by_key(|change| (change.at.start, change.at.end));
        let fits = all.is_sorted_by(|one, next| one.at.end <= next.at.start);
        if !fits {
            self.whole.beside.clear();
        }
        fits
    }

    /// Returns the position that a dialog has once the file is saved; None if it is left out.
    pub fn saved_position(&self, position: usize) -> Option<usize> {
        let WholeDialogs { removed, added, .. } = &self.whole;
        let lists = lists(&self.index);
        let is_before = |place: &DialogPlace| match *place {
            DialogPlace::First(list) => lists[list].start <= position,
            DialogPlace::Behind(at) => at < position,
        };
        let added = added.iter().filter(|(place, _)| is_before(place));
        let added: usize = added.map(|(_, texts)| texts.len()).sum();
        let is_there = !removed.contains(&position);
        is_there.then(|| position - removed.range(..position).count() + added)
    }

    /// Returns the text between two dialogs.
    fn separator(&self) -> io::Result<String> {
        let pieces = &self.index.pieces;
        let read = |range: Range<u64>| -> io::Result<String> {
            Ok(String::from_utf8_lossy(&self.source.bytes(range)?).into_owned())
        };
        let lists = lists(&self.index);
        let of_lists = lists.iter().flat_map(|list| pieces[list.clone()].windows(2));
        let between = of_lists.map(|two| two[0].end..two[1].start);
        // A file of one dialog can have another one below it.
        let are_lines = matches!(self.index.arrangement, Arrangement::Lines | Arrangement::Single);
        for range in between.filter(|at| at.end - at.start <= 256).take(16) {
            let text = read(range)?;
            if are_lines || text.trim() == "," {
                return Ok(text);
            }
        }
        if are_lines {
            return Ok("\n".to_owned());
        }
        let start = pieces.first().map_or(0, |piece| piece.start);
        let lead = read(start.saturating_sub(64)..start)?;
        let space = lead.trim_end_matches(|c: char| c.is_ascii_whitespace()).len();
        Ok(format!(",{}", &lead[space..]))
    }
}
