//! Adds and removes whole dialogs, with the separators around them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::CorpusFile;
use crate::corpus::index::Arrangement;
use crate::json::Piece;

/// Dialogs that the file gains and loses when it is saved.
#[derive(Clone, Debug, Default)]
pub(super) struct WholeDialogs {
    removed: BTreeSet<usize>,
    /// Texts to be put behind a dialog; None: before the first.
    added: BTreeMap<Option<usize>, Vec<String>>,
    /// The text between two dialogs of the file, if there are any in `added`.
    separator: String,
}

/// New text in a file, instead of a range of bytes, which may be empty.
pub(super) struct WholeChange {
    pub at: std::ops::Range<u64>,
    pub text: String,
}

impl WholeDialogs {
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Returns the changes in the order of the file, whose dialogs are at `pieces`.
    pub fn changes(&self, pieces: &[Piece]) -> Vec<WholeChange> {
        let removed = &self.removed;
        let first = (0..pieces.len()).find(|position| !removed.contains(position));
        let mut changes = Vec::new();
        for &position in removed {
            let Piece { start, end } = pieces[position];
            // With the separator before it, or behind it where there is nothing before it.
            let at = match first {
                Some(first) if position < first => start..pieces[position + 1].start,
                _ if position > 0 => pieces[position - 1].end..end,
                _ => start..end,
            };
            let text = String::new();
            changes.push(WholeChange { at, text });
        }
        let separator = &self.separator;
        let mut before_first = Vec::new();
        for (behind, texts) in &self.added {
            match behind.filter(|behind| first.is_some_and(|first| *behind >= first)) {
                Some(behind) => {
                    let texts = texts.iter().map(|text| format!("{separator}{text}"));
                    let at = pieces[behind].end;
                    let text = texts.collect();
                    changes.push(WholeChange { at: at..at, text });
                }
                None => before_first.extend(texts.iter().map(String::as_str)),
            }
        }
        if !before_first.is_empty() {
            let at = pieces[first.unwrap_or(0)].start;
            let end = if first.is_some() { separator } else { "" };
            let text = before_first.join(separator) + end;
            changes.push(WholeChange { at: at..at, text });
        }
        changes
    }
}

impl CorpusFile {
    /// True if it has dialogs, and can have more: it is not one dialog, and its lines are not turns.
    pub fn holds_several(&self) -> bool {
        let is_one = matches!(
            self.index.arrangement,
            Arrangement::Single | Arrangement::Turns
        );
        !self.index.pieces.is_empty() && !is_one
    }

    /// Leaves the dialog at `position` out when the file is saved. Positions stay until then.
    pub fn remove_dialog(&mut self, position: usize) {
        self.edited.remove(&position);
        self.whole.removed.insert(position);
    }

    /// Puts a dialog, as JSON text, behind the dialog at a position, or before the first, when the file is saved.
    /// Those put behind the same one are in the order in which they came. The file has dialogs, and
    /// [`CorpusFile::holds_several`].
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn add_dialog(&mut self, behind: Option<usize>, text: &str) -> io::Result<()> {
        if self.whole.separator.is_empty() {
            self.whole.separator = self.separator()?;
        }
        let added = self.whole.added.entry(behind).or_default();
        added.push(text.to_owned());
        Ok(())
    }

    /// Returns the position that a dialog has once the file is saved; None if it is left out.
    pub fn saved_position(&self, position: usize) -> Option<usize> {
        let WholeDialogs { removed, added, .. } = &self.whole;
        let is_before = |behind: &Option<usize>| behind.is_none_or(|behind| behind < position);
        let added = added.iter().filter(|(behind, _)| is_before(behind));
        let added: usize = added.map(|(_, texts)| texts.len()).sum();
        let is_there = !removed.contains(&position);
        is_there.then(|| position - removed.range(..position).count() + added)
    }

    /// Returns the text between two dialogs.
    fn separator(&self) -> io::Result<String> {
        let pieces = &self.index.pieces;
        let between = pieces.windows(2).map(|two| two[0].end..two[1].start);
        let read = |range: std::ops::Range<u64>| -> io::Result<String> {
            let mut bytes = vec![0; (range.end - range.start) as usize];
            self.source.read_at(range.start, &mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let is_short = |range: &std::ops::Range<u64>| range.end - range.start <= 256;
        if let Some(range) = between.take(16).find(is_short) {
            return read(range);
        }
        if self.index.arrangement == Arrangement::Lines {
            return Ok("\n".to_owned());
        }
        let start = pieces.first().map_or(0, |piece| piece.start);
        let lead = read(start.saturating_sub(64)..start)?;
        let space = lead
            .trim_end_matches(|c: char| c.is_ascii_whitespace())
            .len();
        Ok(format!(",{}", &lead[space..]))
    }
}
