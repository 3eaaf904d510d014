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
struct Change {
    /// Its range in the old text.
    old: Range<usize>,
    /// The range of its replacement in the new text.
    new: Range<usize>,
}

/// All stretches of a text that differ from its new version: at least one, in order, with unchanged text
/// between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChanges(Vec<Change>);

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn changes(old: &str, new: &str) -> TextChanges {
        TextChanges::of_text(old, new).expect("texts differ")
    }

    /// Returns the changed stretches, each with its old and its new text.
    fn differences(old: &str, new: &str) -> Vec<(String, String)> {
        let part = |text: &str, at: &Range<usize>| {
            let found = crate::text::slice(text, at.start, at.end);
            found.expect("in the text").to_owned()
        };
        let changes = changes(old, new).0;
        let both = |change: &Change| (part(old, &change.old), part(new, &change.new));
        changes.iter().map(both).collect()
    }

    #[test]
    fn spans_follow_their_text() {
        let change = changes("at seven pm", "at 7 pm");
        assert_eq!(change.0, [Change { old: 3..8, new: 3..4 }]);
        assert_eq!(change.map_span(&(0..2)), MappedSpan::To(0..2));
        assert_eq!(change.map_span(&(0..3)), MappedSpan::To(0..3));
        assert_eq!(change.map_span(&(9..11)), MappedSpan::To(5..7));
        assert_eq!(change.map_span(&(3..8)), MappedSpan::Cut);
        assert_eq!(change.map_span(&(0..11)), MappedSpan::Cut);
    }

    #[test]
    fn an_insertion_at_an_edge_cuts_nothing() {
        let change = changes("ab", "aXb");
        assert_eq!(change.map_span(&(0..1)), MappedSpan::To(0..1));
        assert_eq!(change.map_span(&(1..2)), MappedSpan::To(2..3));
        assert_eq!(change.map_span(&(0..2)), MappedSpan::Cut);
    }

    #[test]
    fn the_rest_of_a_span_includes_text_written_inside_it() {
        let left = |old: &str, span: &str, new: &str| {
            let start = old[..old.find(span).expect("in the text")].chars().count();
            let span = start..start + span.chars().count();
            let left = changes(old, new).left_in_text(&span, old, new)?;
            Some(crate::text::slice(new, left.start, left.end)?.to_owned())
        };
        let left = |old: &str, span: &str, new: &str| left(old, span, new).unwrap_or_default();
        assert_eq!(left("two for Dune Part Two", "Dune Part Two", "two for Dune"), "Dune");
        assert_eq!(left("two tickets for", "two tickets", "two for"), "two");
        assert_eq!(left("at seven pm.", "seven pm", "at 7 pm."), "7 pm");
        assert_eq!(left("Dune Prt Two", "Dune Prt Two", "Dune Part Two"), "Dune Part Two");
        assert_eq!(left("see Dune now", "Dune", "see June now"), "June");
        assert_eq!(left("for Dune at seven", "Dune", "for Alien at seven"), "");
        assert_eq!(left("in New York City today", "York City", "in Boston City today"), "City");
        assert_eq!(left("a b", "a b", "c d"), "");
        assert_eq!(left("今日は良い天気", "良い天気", "今日は良い"), "良い");
    }

    #[test]
    fn spans_that_end_before_they_start_move_too() {
        let backwards = |start, end| Range { start, end };
        let change = changes("at seven pm", "at 7 pm");
        assert_eq!(change.map_span(&backwards(2, 1)), MappedSpan::To(backwards(2, 1)));
        assert_eq!(change.map_span(&backwards(11, 9)), MappedSpan::To(backwards(7, 5)));
        assert_eq!(change.map_span(&backwards(9, 1)), MappedSpan::Cut);
    }

    #[test]
    fn repeated_text_is_not_counted_twice() {
        assert_eq!(differences("aa", "aaa"), [(String::new(), "a".to_owned())]);
        assert_eq!(differences("abab", "ab"), [("ab".to_owned(), String::new())]);
    }

    #[test]
    fn text_between_two_changes_stays() {
        let (old, new) = ("I want 2 seats for Dune", "we need 2 tickets to Dune!");
        let change = changes(old, new);
        assert_eq!(change.map_span(&(7..8)), MappedSpan::To(8..9));
        assert_eq!(change.map_span(&(9..14)), MappedSpan::Cut);
        assert_eq!(change.map_span(&(19..23)), MappedSpan::To(21..25));
        assert_eq!(change.map_span(&(7..23)), MappedSpan::Cut);
        let quoted = changes("see \"Dune\" or \"Alien\"", "see “Dune” or “Alien”");
        assert_eq!(quoted.map_span(&(5..9)), MappedSpan::To(5..9));
        assert_eq!(quoted.map_span(&(15..20)), MappedSpan::To(15..20));
        assert_eq!(quoted.map_span(&(4..10)), MappedSpan::Cut);
    }

    #[test]
    fn letters_of_changed_words_do_not_count_as_words() {
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(
            differences("Dune at seven", "Alien by eleven"),
            [pair("Dune at s", "Alien by el")]
        );
        assert_eq!(differences("東京はいい", "大阪は悪い"), [pair("東京はい", "大阪は悪")]);
        assert_eq!(
            differences("東京に行きたい", "大阪に行くよ"),
            [pair("東京", "大阪"), pair("きたい", "くよ")]
        );
        assert_eq!(differences("夜7時に", "朝7分で"), [pair("夜", "朝"), pair("時に", "分で")]);
    }

    #[test]
    fn tokens_stay_as_words_do() {
        let tokens = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (old, new) = (tokens("i want 2 for dune ."), tokens("we take only 2 for alien ."));
        let change = TextChanges::of_tokens(&old, &new).expect("differ");
        assert_eq!(change.map_span(&(2..4)), MappedSpan::To(3..5));
        assert_eq!(change.map_span(&(4..5)), MappedSpan::Cut);
        assert_eq!(change.map_span(&(5..6)), MappedSpan::To(6..7));
        assert_eq!(TextChanges::of_tokens(&old, &old), None);
    }

    #[test]
    fn a_very_long_stretch_is_one_change() {
        let long = |word: &str| format!("{word}{}{word}", " and on".repeat(MOST / 6));
        assert_eq!(changes(&long("x"), &long("y")).0.len(), 1);
    }

    proptest! {
        /// Reading only the text near the change makes no difference.
        #[test]
        fn changes_are_those_between_all_words(
            old in "([a-c ]|at |two |東|い|é|\\.){0,14}",
            new in "([a-c ]|at |two |東|い|é|ê|\\.){0,14}",
        ) {
            let [before, after] = [&old, &new].map(|text| text.chars().collect::<Vec<_>>());
            let all = Change::between(&before, &after).map(|whole| {
                let words = || [&old, &new].map(|text| words_in(text, &(0..text.len()), 0));
                let (before, after) = (&before[whole.old.clone()], &after[whole.new.clone()]);
                TextChanges::within(whole.clone(), before, after, words)
            });
            prop_assert_eq!(TextChanges::of_text(&old, &new), all);
        }

        /// The changes lead from the old text to the new one, are apart, and keep what they shift.
        #[test]
        fn changes_are_the_whole_difference(
            old in "([a-c ]|at |two |東|い|é|\\.){0,14}",
            new in "([a-c ]|at |two |東|い|é|\\.){0,14}",
            (start, end) in (0..20_usize, 0..20_usize),
        ) {
            let (a, b): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
            let Some(changes) = TextChanges::of_text(&old, &new) else {
                prop_assert_eq!(old, new);
                return Ok(());
            };
            let (mut i, mut j) = (0, 0);
            for (number, change) in changes.0.iter().enumerate() {
                prop_assert!(number == 0 || change.old.start > i && change.new.start > j);
                prop_assert_eq!(&a[i..change.old.start], &b[j..change.new.start]);
                prop_assert!(a[change.old.clone()] != b[change.new.clone()]);
                (i, j) = (change.old.end, change.new.end);
            }
            prop_assert_eq!(&a[i..], &b[j..]);
            let span = start.min(a.len())..end.min(a.len());
            if let (MappedSpan::To(moved), true) = (changes.map_span(&span), start <= end) {
                prop_assert_eq!(&a[span], &b[moved]);
            }
        }
    }
}
