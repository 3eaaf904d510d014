//! The parts of a file beside its dialogs: the other members of its outermost object, such as `version`.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

use super::file_conflict::{Conflict, unwritten};
use super::list::Side;
use super::three::Three;
use super::tree::Trees;
use crate::corpus::{Arrangement, CorpusFile, WholeChange};
use crate::json::{BOM, Parser, Splice};

/// The text of a file without its dialogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Beside {
    text: String,
    /// The places in the text where dialogs are left out.
    gaps: Vec<Range<usize>>,
    /// The parts of the file between them, in bytes.
    kept: Vec<Range<u64>>,
    /// The keys of the dialogs that are members themselves. In the text they have no value but 0.
    keys: BTreeSet<String>,
}

impl Beside {
    /// Returns what is beside the dialogs; None if they are the whole file, or if it is not UTF-8.
    fn of(file: &CorpusFile) -> io::Result<Option<Self>> {
        Self::with_lists(file, &[])
    }

    /// As [`Self::of`], with some lists of dialogs.
    fn with_lists(file: &CorpusFile, whole: &[Range<usize>]) -> io::Result<Option<Self>> {
        let pieces = &file.index().pieces;
        let dialogs: Vec<Range<usize>> = match &file.index().arrangement {
            Arrangement::Members(lists) => {
                let lists = lists.iter().map(|list| list.dialogs.clone());
                lists.filter(|list| !whole.contains(list)).collect()
            }
            Arrangement::Keyed => (0..pieces.len()).map(|at| at..at + 1).collect(),
            _ => return Ok(None),
        };
        let has_keys = file.index().arrangement == Arrangement::Keyed;
        let mut beside = Self::default();
        let mut start = 0;
        let total = file.source().len();
        let ranges =
            dialogs.iter().map(|list| (pieces[list.start].start, pieces[list.end - 1].end));
        for (end, next) in ranges.chain([(total, total)]) {
            let mut bytes = file.source().bytes(start..end)?;
            if start == 0 && bytes.starts_with(BOM) {
                bytes.drain(..BOM.len());
                start = BOM.len() as u64;
            }
            let Ok(text) = String::from_utf8(bytes) else {
                return Ok(None);
            };
            beside.text.push_str(&text);
            beside.kept.push(start..end);
            let gap = beside.text.len();
            if next > end {
                if has_keys {
                    let bytes = file.source().bytes(end..next.min(end + LONGEST))?;
                    let Some((key, value)) = key_of(&bytes) else {
                        return Ok(None);
                    };
                    // In the form of the file, which other members take.
                    beside.text += &String::from_utf8_lossy(&bytes[..value]);
                    beside.text += "0";
                    beside.keys.insert(key);
                }
                beside.gaps.push(gap..beside.text.len());
            }
            start = next;
        }
        Ok(Some(beside))
    }

    /// Returns a member, given its key, as it is written; None if there is none.
    fn said(&self, key: &str) -> Option<String> {
        if self.keys.contains(key) {
            return Some(format!("{key}, a dialog"));
        }
        let mut parser = Parser::new();
        let tree = parser.parse_str(&self.text).ok()?;
        Some(format!("{key}={}", tree.root().get(key)?.raw()))
    }

    /// True if it has a member with this key that is not a dialog.
    fn has(&self, key: &str) -> bool {
        !self.keys.contains(key) && self.said(key).is_some()
    }

    /// Changes the text. False if dialogs are in between.
    fn change(&mut self, Splice { range, text, .. }: &Splice) -> bool {
        // Where there is nothing in place of the dialogs, what is put there would touch them.
        let is_between = |gap: &Range<usize>| {
            if gap.is_empty() {
                range.start <= gap.start && gap.start <= range.end
            } else {
                range.start < gap.end && gap.start < range.end
            }
        };
        if self.gaps.iter().any(is_between) {
            return false;
        }
        for gap in self.gaps.iter_mut().filter(|gap| gap.start >= range.end) {
            *gap = gap.start - range.len() + text.len()..gap.end - range.len() + text.len();
        }
        self.text.replace_range(range.clone(), text);
        true
    }

    /// Returns how the file becomes what this is now.
    fn changes(&self, before: &Self) -> Vec<WholeChange> {
        let parts = before.parts().zip(self.parts()).zip(&self.kept);
        let changed = parts.filter(|((before, now), _)| before != now);
        changed
            .map(|((before, now), at)| {
                // Without the commas on both sides, which may go with a dialog.
                let splice = Splice::between(before, now);
                let of_file = |byte: usize| at.start + byte as u64;
                WholeChange {
                    at: of_file(splice.range.start)..of_file(splice.range.end),
                    text: splice.text,
                }
            })
            .collect()
    }

    /// Returns the text between the dialogs.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.gaps.iter().map(|gap| gap.end));
        let ends = self.gaps.iter().map(|gap| gap.start);
        let ends = ends.chain([self.text.len()]);
        starts.zip(ends).map(|(start, end)| &self.text[start..end])
    }
}

/// Returns the key at the beginning of a member, and where its value begins.
fn key_of(member: &[u8]) -> Option<(String, usize)> {
    let mut keys = serde_json::Deserializer::from_slice(member).into_iter::<String>();
    let key = keys.next()?.ok()?;
    let rest = &member[keys.byte_offset()..];
    let value = rest.iter().position(|byte| !b": \t\r\n".contains(byte))?;
    Some((key, member.len() - rest.len() + value))
}

/// The most bytes of the key of a dialog.
const LONGEST: u64 = 4 << 10;

/// The name of all that is beside the dialogs.
const ALL: &str = "something beside the dialogs";

/// Returns the names of the members beside the dialogs that differ, with dots.
///
/// # Errors
/// If one of the files cannot be read.
pub fn differences_beside(old: &CorpusFile, new: &CorpusFile) -> io::Result<Vec<String>> {
    let (old, new) = match (Beside::of(old)?, Beside::of(new)?) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Ok(Vec::new()),
        _ => return Ok(vec![ALL.to_owned()]),
    };
    // Dialogs are compared as such, where both copies have nothing else there.
    let keys: BTreeSet<String> = old.keys.union(&new.keys).cloned().collect();
    let others = keys.iter().filter(|key| old.has(key) || new.has(key));
    let others = others.filter(|key| old.said(key) != new.said(key)).cloned().collect::<Vec<_>>();
    let trees = Trees { asks_all: true, ..Trees::of_json(&old.text, &old.text, &new.text) };
    let found = trees.patch(&|_| Side::Ours, &keys);
    let paths = found.into_iter().flat_map(|(_, conflicts)| conflicts).map(|of| of.path);
    Ok(paths.chain(others).collect())
}

/// The changes of theirs beside the dialogs.
#[derive(Default)]
pub struct MergedBeside {
    /// True if some are in ours now.
    pub is_changed: bool,
    pub conflicts: Vec<Conflict>,
}

/// Returns the dialogs of the lists of theirs that neither the base nor ours has. `added` has the positions of the
/// dialogs that are not in the base, ascending: a list with other dialogs is not among them.
pub fn new_lists(
    base: &CorpusFile,
    ours: &CorpusFile,
    theirs: &CorpusFile,
    added: &[usize],
) -> Vec<Range<usize>> {
    let olds = [base, ours].into_iter().flat_map(CorpusFile::dialog_lists);
    let is_old = |key: &str| olds.clone().any(|of| of.key == key);
    let is_added = |at: usize| added.binary_search(&at).is_ok();
    let lists = theirs.dialog_lists().iter();
    let lists = lists.filter(|list| !is_old(&list.key) && list.dialogs.clone().all(is_added));
    let has_lists = !ours.dialog_lists().is_empty();
    lists.filter(|_| has_lists).map(|list| list.dialogs.clone()).collect()
}

/// Brings the changes of theirs beside the dialogs into ours, and these lists of theirs with their dialogs.
///
/// # Errors
/// If one of the files cannot be read.
pub fn merge_beside(
    base: &CorpusFile,
    ours: &mut CorpusFile,
    theirs: &CorpusFile,
    new_lists: &[Range<usize>],
    decided: Option<Side>,
) -> io::Result<MergedBeside> {
    let (prefer, is_decided) = (decided.unwrap_or_default(), decided.is_some());
    let (was, theirs) = (Beside::of(base)?, Beside::with_lists(theirs, new_lists)?);
    let mut merged = MergedBeside::default();
    if was == theirs {
        return Ok(merged);
    }
    let (Some(mine), Some(theirs)) = (Beside::of(ours)?, theirs) else {
        merged.conflicts.push(unwritten(ALL));
        return Ok(merged);
    };
    // Copies that come from no third one have added all that is there.
    let was = was.unwrap_or_else(|| Beside { text: "{}".to_owned(), ..Beside::default() });
    let mut written = mine.clone();
    let copies = Three::new(&was, &mine, &theirs);
    let keys = copies.into_array().into_iter().flat_map(|copy| copy.keys.iter().cloned());
    let keys: BTreeSet<String> = keys.collect();
    let conflict = |said: Three<Option<String>>| Conflict::new("field", said);
    for key in &keys {
        // What is a dialog in one copy may be something else in another.
        let said = copies.map(|copy| copy.said(key));
        let is_other = copies.into_array().iter().any(|copy| copy.has(key));
        if is_other && said.side() != Some(Side::Ours) {
            merged.conflicts.push(conflict(said));
        }
    }
    let trees = Trees::of_json(&was.text, &mine.text, &theirs.text);
    let Some((patch, conflicts)) = trees.patch(&|_| prefer, &keys) else {
        merged.conflicts.push(unwritten(ALL));
        return Ok(merged);
    };
    if !is_decided {
        merged.conflicts.extend(conflicts.into_iter().map(|of| conflict(of.said)));
    }
    // From the end on, so that those before it stay where they are.
    for splice in patch.splices().iter().rev() {
        if !written.change(splice) {
            merged.conflicts.push(unwritten(ALL));
        }
    }
    merged.is_changed = written.text != mine.text;
    if !ours.change_beside(written.changes(&mine)) {
        merged.conflicts.push(unwritten(ALL));
    }
    Ok(merged)
}

/// True if a file has beside its dialogs a member with the key of a dialog that is to be a member of it.
///
/// # Errors
/// If the file cannot be read.
pub fn has_key_of(file: &CorpusFile, dialog: &str) -> io::Result<bool> {
    if file.index().arrangement != Arrangement::Keyed {
        return Ok(false);
    }
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(dialog).ok();
    let key = tree.and_then(|tree| Some(tree.key()?.as_str()?.into_owned()));
    let beside = Beside::of(file)?;
    Ok(beside.zip(key).is_some_and(|(beside, key)| beside.has(&key)))
}
