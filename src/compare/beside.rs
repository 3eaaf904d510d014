//! The parts of a file beside its dialogs: the other members of its outermost object, such as `version`.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::ops::Range;

use super::differences::Unsaid;
use super::json::{Copies, Missing, part_of_path};
use super::list::Side;
use super::merge::{Conflict, unwritten};
use crate::corpus::{Arrangement, CorpusFile, WholeChange};
use crate::dialog::Dialog;
use crate::json::{BOM, Parser, Splice};
use crate::text::Units;

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
            let mut bytes = vec![0; (end - start) as usize];
            file.source().read_at(start, &mut bytes)?;
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
                    let mut bytes = vec![0; (next - end).min(LONGEST) as usize];
                    file.source().read_at(end, &mut bytes)?;
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

    /// True if it has a member with this key that is not a dialog.
    fn has(&self, key: &str) -> bool {
        let mut parser = Parser::new();
        let tree = parser.parse_str(&self.text);
        !self.keys.contains(key) && tree.is_ok_and(|tree| tree.root().get(key).is_some())
    }

    /// Returns a member, given its keys with dots, as it is written; None if there is none.
    fn said(&self, path: &str) -> Option<String> {
        if self.keys.contains(path) {
            return Some(format!("{path}, a dialog"));
        }
        let mut parser = Parser::new();
        let tree = parser.parse_str(&self.text).ok()?;
        let (mut value, mut rest) = (tree.root(), path);
        while !rest.is_empty() {
            let inside = |key: &str| rest.strip_prefix(key)?.strip_prefix('.');
            let members = value.members().filter_map(|(key, value)| {
                let key = key.as_str()?;
                let key = part_of_path(&key);
                let inside = if *key == *rest { "" } else { inside(key)? };
                Some((value, inside))
            });
            let places = (0..).map(|at: usize| at.to_string());
            let elements = value.elements().zip(places).filter_map(|(value, at)| {
                let inside = if at == rest { "" } else { inside(&at)? };
                Some((value, inside))
            });
            (value, rest) = members.chain(elements).next()?;
        }
        Some(format!("{path}={}", value.raw()))
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
                let is_same = |(one, other): &(char, char)| one == other;
                let same = before.chars().zip(now.chars()).take_while(is_same);
                let start: usize = same.map(|(char, _)| char.len_utf8()).sum();
                let (old, new) = (&before[start..], &now[start..]);
                let same = old.chars().rev().zip(new.chars().rev());
                let end = same.take_while(is_same).map(|(char, _)| char.len_utf8());
                let end: usize = end.sum();
                WholeChange {
                    at: at.start + start as u64..at.end - end as u64,
                    text: new[..new.len() - end].to_owned(),
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
    let texts = [&old.text, &old.text, &new.text, &old.text];
    let paths = missing(texts.map(String::as_str), Side::Ours).map(|one| one.path);
    // Dialogs are compared as such, where both copies have nothing else there.
    let is_dialog = |path: &String| {
        let copies = [&old, &new];
        copies.iter().any(|copy| copy.keys.contains(path))
            && !copies.iter().any(|copy| copy.has(path))
    };
    Ok(paths.filter(|path| !is_dialog(path)).collect())
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
    prefer: Side,
) -> io::Result<MergedBeside> {
    let (was, theirs) = (Beside::of(base)?, Beside::with_lists(theirs, new_lists)?);
    let mut merged = MergedBeside::default();
    if was == theirs {
        return Ok(merged);
    }
    let (Some(mine), Some(theirs)) = (Beside::of(ours)?, theirs) else {
        let part = ALL.to_owned();
        merged.conflicts.push(unwritten(Unsaid { turn: None, part }));
        return Ok(merged);
    };
    // Copies that come from no third one have added all that is there.
    let was = was.unwrap_or_else(|| Beside { text: "{}".to_owned(), ..Beside::default() });
    let (mut tried, mut written) = (HashSet::new(), mine.clone());
    let copies = [&was, &mine, &theirs];
    loop {
        let texts = [&was.text, &mine.text, &theirs.text, &written.text];
        let is_new = |one: &Missing| tried.insert((one.path.clone(), one.splice.text.clone()));
        let Some(one) = missing(texts.map(String::as_str), prefer).find(is_new) else {
            break;
        };
        let is_dialog = copies.iter().any(|copy| copy.keys.contains(&one.path));
        if is_dialog && !copies.iter().any(|copy| copy.has(&one.path)) {
            continue;
        }
        let is_taken = !is_dialog && (one.is_free || prefer == Side::Theirs);
        if !is_taken || !written.change(&one.splice) {
            let [base, ours, theirs] = copies.map(|copy| copy.said(&one.path));
            merged.conflicts.push(Conflict { turn: None, part: "member", base, ours, theirs });
        }
    }
    merged.is_changed = written.text != mine.text;
    if !ours.change_beside(written.changes(&mine)) {
        let part = ALL.to_owned();
        merged.conflicts.push(unwritten(Unsaid { turn: None, part }));
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

/// Returns what the last of four texts does not have as the side has it that has changed it, one by one.
fn missing(
    [base, ours, theirs, written]: [&str; 4],
    prefer: Side,
) -> impl Iterator<Item = Missing> {
    let copies = Copies { base, ours, theirs, written, ..Copies::default() };
    let missing = copies.missing(&Dialog::new(Units::CodePoints), &[], prefer);
    // Several together come before each.
    missing.into_iter().filter(|one| !one.path.is_empty())
}
