//! Maps spans to a new version of their text.
//!
//! # Why words
//!
//! If somebody rewrites the text on both sides of a name, the name should keep its span. So the diff
//! consists of the stretches between words that both texts have. A diff of single letters would be
//! misleading: the `e` of `seven` and the `e` of `Dune` are unrelated.

use std::ops::Range;

use similar::DiffOp;

use super::boundary::{word_start, words};
use super::diff::diff_by_rare;
use super::offsets::{byte_of, count};

/// One stretch of a text that differs from its new version, in the units of the items compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its range in the old text.
    pub old: Range<usize>,
    /// The range of its replacement in the new text.
    pub new: Range<usize>,
}

/// All stretches of a text that differ from its new version: at least one, in order, with unchanged text
/// between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChanges(pub Vec<Change>);

/// The result of mapping a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappedSpan {
    /// All its items still exist, in this range.
    To(Range<usize>),
    /// A change removed or replaced some of its items, or inserted new ones among them.
    Cut,
}

/// A changed stretch with more items than this is treated as one change.
const MOST: usize = 4096;

impl TextChanges {
    /// Returns the differences of two texts, in code points. None if they are equal. Only the part of the texts
    /// that differs is split into characters and words: one is typed into while it is compared.
    pub fn of_text(old: &str, new: &str) -> Option<Self> {
        let bytes = differing_bytes(old, new)?;
        let head = count(&old[..bytes[0].start]);
        let differing = [&old[bytes[0].clone()], &new[bytes[1].clone()]];
        let [before, after] = differing.map(|text| text.chars().collect::<Vec<_>>());
        let whole = Change { old: head..head + before.len(), new: head..head + after.len() };
        let words =
            || [(old, &bytes[0]), (new, &bytes[1])].map(|(text, at)| words_in(text, at, head));
        Some(Self::within(whole, &before, &after, words))
    }

    /// Returns the differences of two lists of tokens, in tokens. None if they are equal.
    pub fn of_tokens<T: AsRef<str> + PartialEq>(old: &[T], new: &[T]) -> Option<Self> {
        let whole = Change::between(old, new)?;
        let (before, after) = (&old[whole.old.clone()], &new[whole.new.clone()]);
        let words = || [(old, &whole.old), (new, &whole.new)].map(|(all, at)| tokens_in(all, at));
        Some(Self::within(whole.clone(), before, after, words))
    }

    /// Splits the change `whole` from the items `old` to the items `new` where words stay. `words` returns
    /// the words near it, of both versions.
    fn within<'t, T: PartialEq>(
        whole: Change,
        old: &[T],
        new: &[T],
        words: impl FnOnce() -> [Vec<Word<'t>>; 2],
    ) -> Self {
        if old.is_empty() || new.is_empty() || old.len().max(new.len()) > MOST {
            return Self(vec![whole]);
        }
        let [mut before, mut after] = words();
        before.retain(|word| lies_in(word, &whole.old));
        after.retain(|word| lies_in(word, &whole.new));
        let stays = common(&before, &after);
        let ends = (whole.old.end..whole.old.end, whole.new.end..whole.new.end);
        let first = (whole.old.start, whole.new.start);
        let (mut i, mut j) = first;
        let mut changes = Vec::new();
        for (stays_old, stays_new) in stays.into_iter().chain([ends]) {
            let before = &old[i - first.0..stays_old.start - first.0];
            let after = &new[j - first.1..stays_new.start - first.1];
            let between = Change::between(before, after);
            changes.extend(between.map(|change| change.offset_by(i, j)));
            (i, j) = (stays_old.end, stays_new.end);
        }
        Self(changes)
    }

    /// Returns each stretch that differs, in the old text and in the new one.
    pub fn ranges(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        self.0.iter().map(|change| (change.old.clone(), change.new.clone()))
    }

    /// Maps `span` of the old text to the new one. A change that only touches an edge does not cut it. A
    /// span that ends before it starts, which is invalid data, moves with the text between its ends.
    pub fn map_span(&self, span: &Range<usize>) -> MappedSpan {
        let (first, last) = (span.start.min(span.end), span.start.max(span.end));
        let before = self.0.iter().take_while(|change| change.old.start < last);
        match before.last() {
            None => MappedSpan::To(span.clone()),
            Some(change) if first >= change.old.end => {
                let move_by = |at: usize| at - change.old.end + change.new.end;
                MappedSpan::To(move_by(span.start)..move_by(span.end))
            }
            Some(_) => MappedSpan::Cut,
        }
    }

    /// Returns the rest of a cut `span` in the new text. It includes text inserted inside the span, but not a
    /// change that extends over its edge. None if none of its items stay.
    pub fn left_of(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let stays = |at: &usize| !self.0.iter().any(|change| change.old.contains(at));
        if span.start >= span.end || !span.clone().any(|at| stays(&at)) {
            return None;
        }
        let begins_in = self.0.iter().find(|c| c.old.contains(&span.start));
        let start = match begins_in {
            Some(change) if change.old.start == span.start => change.new.start,
            Some(change) => change.new.end,
            None => self.moved(span.start, |change| change.old.end <= span.start),
        };
        let ends_in = |c: &&Change| c.old.start < span.end && span.end <= c.old.end;
        let end = match self.0.iter().find(ends_in) {
            Some(change) if change.old.end == span.end => change.new.end,
            Some(change) => change.new.start,
            None => self.moved(span.end, |change| change.old.start < span.end),
        };
        (start < end).then_some(start..end)
    }

    /// Like [`TextChanges::left_of`], in code points, without whitespace at the edges. None if only
    /// whitespace stays.
    pub fn left_in_text(&self, span: &Range<usize>, old: &str, new: &str) -> Option<Range<usize>> {
        let left = self.left_of(span)?;
        let stays = |at: usize| !self.0.iter().any(|change| change.old.contains(&at));
        let start = byte_of(old, span.start)?;
        let mut before = (span.start..).zip(old[start..].chars().take(span.len()));
        if !before.any(|(at, char)| stays(at) && !char.is_whitespace()) {
            return None;
        }
        let Some(rest) = byte_of(new, left.start).map(|start| &new[start..]) else {
            return Some(left);
        };
        let end = byte_of(rest, left.len());
        let text = &rest[..end.unwrap_or(rest.len())];
        let before = count(text) - count(text.trim_start());
        let after = end.map_or(0, |_| count(text) - count(text.trim_end()));
        let (start, end) = (left.start + before, left.end - after);
        (start < end).then_some(start..end)
    }

    /// Maps an offset outside all changes to the new text. `before` tells whether a change is before it.
    fn moved(&self, at: usize, before: impl Fn(&Change) -> bool) -> usize {
        match self.0.iter().take_while(|change| before(change)).last() {
            Some(change) => at - change.old.end + change.new.end,
            None => at,
        }
    }
}

impl Change {
    /// Returns the smallest change from `old` to `new`: the part between their common start and their common end.
    /// None if they are equal.
    fn between<T: PartialEq>(old: &[T], new: &[T]) -> Option<Self> {
        if old == new {
            return None;
        }
        let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - head;
        let tails = old.iter().rev().zip(new.iter().rev());
        let tail = tails.take(most).take_while(|(a, b)| a == b).count();
        Some(Self { old: head..old.len() - tail, new: head..new.len() - tail })
    }

    /// Returns the same change in longer texts, `old` and `new` items further on.
    fn offset_by(self, old: usize, new: usize) -> Self {
        Self {
            old: self.old.start + old..self.old.end + old,
            new: self.new.start + new..self.new.end + new,
        }
    }
}

/// A word of a text.
struct Word<'t> {
    at: Range<usize>,
    text: &'t str,
    /// True if it touches no other word, as in scripts with spaces.
    alone: bool,
}

/// Returns the bytes in which two texts differ, as one stretch of each that begins and ends between characters. None
/// if they are equal.
fn differing_bytes(old: &str, new: &str) -> Option<[Range<usize>; 2]> {
    if old == new {
        return None;
    }
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let head = old.floor_char_boundary(head).min(new.floor_char_boundary(head));
    let (a, b) = (&a[head..], &b[head..]);
    let tails = a.iter().rev().zip(b.iter().rev());
    let tail = tails.take_while(|(a, b)| a == b).count();
    let end = old.ceil_char_boundary(old.len() - tail);
    let tail = old.len() - end;
    Some([head..end, head..new.len() - tail])
}

/// Returns the words that touch the byte range `near`, whose first byte is at code point `first`.
fn words_in<'t>(text: &'t str, near: &Range<usize>, first: usize) -> Vec<Word<'t>> {
    let from = word_start(text, near.start);
    let before = first - count(&text[from..near.start]);
    let last = first + count(&text[near.clone()]);
    let mut found: Vec<Word<'_>> = Vec::new();
    let words = words(&text[from..]).map(|(at, text)| (at.start + before..at.end + before, text));
    for (at, text) in words.take_while(|(at, _)| at.start <= last) {
        let touches = found.last_mut().filter(|last| last.at.end == at.start);
        let alone = touches.map(|last| last.alone = false).is_none();
        found.push(Word { at, text, alone });
    }
    found
}

fn tokens_in<'t, T: AsRef<str>>(tokens: &'t [T], at: &Range<usize>) -> Vec<Word<'t>> {
    let word = |at: usize| Word { at: at..at + 1, text: tokens[at].as_ref(), alone: true };
    at.clone().map(word).collect()
}

fn lies_in(word: &Word<'_>, range: &Range<usize>) -> bool {
    range.start <= word.at.start && word.at.end <= range.end
}

/// Returns the ranges of the words that stay, in the old text and in the new one. A single letter that touches
/// other words is left out: in scripts without spaces it may just as well be part of another word.
fn common(old: &[Word<'_>], new: &[Word<'_>]) -> Vec<(Range<usize>, Range<usize>)> {
    let texts = [old, new].map(|words| words.iter().map(|word| word.text).collect::<Vec<_>>());
    let mut stays = Vec::new();
    for op in diff_by_rare(&texts[0], &texts[1]) {
        let DiffOp::Equal { old_index: i, new_index: j, len } = op else {
            continue;
        };
        let touches = !(old[i].alone && new[j].alone);
        if len > 1 || !(touches && is_letter(old[i].text)) {
            stays.extend((0..len).map(|k| (old[i + k].at.clone(), new[j + k].at.clone())));
        }
    }
    stays
}

fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}
