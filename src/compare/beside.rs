//! The parts of a file beside its dialogs: the other members of its outermost object, such as `version`.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use super::json::{Copies, Missing};
use super::list::Side;
use crate::corpus::{Arrangement, CorpusFile, WholeChange};
use crate::dialog::Dialog;
use crate::json::{BOM, Splice};
use crate::text::Units;

/// The text of a file without its dialogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Beside {
    text: String,
    /// The places in the text where dialogs are left out.
    gaps: Vec<Range<usize>>,
    /// The parts of the file between them, in bytes.
    kept: Vec<Range<u64>>,
}

impl Beside {
    /// Returns what is beside the dialogs; None if they are the whole file, or if it is not UTF-8.
    fn of(file: &CorpusFile) -> io::Result<Option<Self>> {
        let pieces = &file.index().pieces;
        // A member without its value would not be JSON.
        let (dialogs, filler): (Vec<Range<usize>>, _) = match &file.index().arrangement {
            Arrangement::Members(lists) => {
                let lists = lists.iter().map(|list| list.dialogs.clone());
                (lists.collect(), "")
            }
            Arrangement::Keyed => ((0..pieces.len()).map(|at| at..at + 1).collect(), "\"\":0"),
            _ => return Ok(None),
        };
        let mut beside = Self::default();
        let mut start = 0;
        let ends = dialogs.iter().map(|list| pieces[list.start].start);
        let starts = dialogs.iter().map(|list| pieces[list.end - 1].end);
        for (end, next) in ends
            .zip(starts)
            .chain([(file.source().len(), file.source().len())])
        {
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
                beside.text.push_str(filler);
                beside.gaps.push(gap..beside.text.len());
            }
            start = next;
        }
        Ok(Some(beside))
    }

    /// Changes the text. False if dialogs are in between.
    fn change(&mut self, Splice { range, text, .. }: &Splice) -> bool {
        let is_between = |gap: &Range<usize>| range.start < gap.end && gap.start < range.end;
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

/// The name of all that is beside the dialogs.
const ALL: &str = "something beside the dialogs";

/// Returns the names of the members beside the dialogs that differ, with dots.
///
/// # Errors
/// If one of the files cannot be read.
pub fn differences_beside(old: &CorpusFile, new: &CorpusFile) -> io::Result<Vec<String>> {
    let (old, new) = match (Beside::of(old)?, Beside::of(new)?) {
        (Some(old), Some(new)) => (old.text, new.text),
        (None, None) => return Ok(Vec::new()),
        _ => return Ok(vec![ALL.to_owned()]),
    };
    let missing = missing([&old, &old, &new, &old], Side::Ours);
    Ok(missing.map(|one| one.path).collect())
}

/// Brings the changes of theirs beside the dialogs into ours; returns the names of members that are not as theirs has
/// them.
///
/// # Errors
/// If one of the files cannot be read.
pub fn merge_beside(
    base: &CorpusFile,
    ours: &mut CorpusFile,
    theirs: &CorpusFile,
    prefer: Side,
) -> io::Result<Vec<String>> {
    let (was, theirs) = (Beside::of(base)?, Beside::of(theirs)?);
    if was == theirs {
        return Ok(Vec::new());
    }
    let (Some(mine), Some(theirs)) = (Beside::of(ours)?, theirs) else {
        return Ok(vec![ALL.to_owned()]);
    };
    // Copies that come from no third one have added all that is there.
    let was = was.map_or_else(|| "{}".to_owned(), |was| was.text);
    let (mut tried, mut left, mut written) = (HashSet::new(), Vec::new(), mine.clone());
    loop {
        let texts = [&was, &mine.text, &theirs.text, &written.text];
        let is_new = |one: &Missing| tried.insert((one.path.clone(), one.splice.text.clone()));
        let Some(one) = missing(texts.map(String::as_str), prefer).find(is_new) else {
            break;
        };
        let is_taken = one.is_free || prefer == Side::Theirs;
        if !is_taken || !written.change(&one.splice) {
            left.push(one.path);
        }
    }
    if !ours.change_beside(written.changes(&mine)) {
        left.push(ALL.to_owned());
    }
    Ok(left)
}

/// Returns what the last of four texts does not have as the side has it that has changed it, one by one.
fn missing(
    [base, ours, theirs, written]: [&str; 4],
    prefer: Side,
) -> impl Iterator<Item = Missing> {
    let copies = Copies {
        base,
        ours,
        theirs,
        written,
        ..Copies::default()
    };
    let missing = copies.missing(&Dialog::new(Units::CodePoints), &[], prefer);
    // Several together come before each.
    missing.into_iter().filter(|one| !one.path.is_empty())
}
