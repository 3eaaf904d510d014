//! The part of the oracle that finds the new place of a span when its text changes.
//!
//! It follows single characters or tokens: each stays, with its new place, or is gone. A span stays if
//! all that it covers stays and is still contiguous.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// The new place of each item of an old text, and where the text ends in both.
pub struct Kept {
    places: Vec<Option<usize>>,
    ends: (usize, usize),
}

impl Kept {
    pub fn of_text(old: &str, new: &str) -> Self {
        let chars = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        let words = |text: &str| {
            let place = |(byte, word): (usize, &str)| {
                let start = text[..byte].chars().count();
                start..start + word.chars().count()
            };
            text.unicode_word_indices().map(place).collect::<Vec<_>>()
        };
        Self::between(&chars(old), &chars(new), &words(old), &words(new), true)
    }

    pub fn of_tokens(old: &[String], new: &[String]) -> Self {
        let each = |tokens: &[String]| (0..tokens.len()).map(|i| i..i + 1).collect::<Vec<_>>();
        Self::between(old, new, &each(old), &each(new), false)
    }

    /// Words that both texts have in the same order stay, as many as possible, except single letters of
    /// a script without spaces; around them, and at both ends, equal text stays.
    fn between(
        old: &[String],
        new: &[String],
        old_words: &[Range<usize>],
        new_words: &[Range<usize>],
        touch: bool,
    ) -> Self {
        let mut kept = Self { places: vec![None; old.len()], ends: (old.len(), new.len()) };
        let [head, tail] = kept.keep_ends(old, new, 0..old.len(), 0..new.len());
        let inner = |words: &[Range<usize>], len: usize| {
            let inside = |word: &&Range<usize>| word.start >= head && word.end <= len - tail;
            words.iter().filter(inside).cloned().collect::<Vec<_>>()
        };
        let (a, b) = (inner(old_words, old.len()), inner(new_words, new.len()));
        let same = |i: usize, j: usize| old[a[i].clone()] == new[b[j].clone()];
        let pairs = longest_common(a.len(), b.len(), &same);
        let doubtful = |(i, j): (usize, usize)| {
            let letter = old[a[i].clone()].concat();
            let touches = touch && (touches(old_words, &a[i]) || touches(new_words, &b[j]));
            let more = pairs.contains(&(i + 1, j + 1))
                || i > 0 && j > 0 && pairs.contains(&(i - 1, j - 1));
            a[i].len() == 1 && letter.chars().all(char::is_alphabetic) && touches && !more
        };
        let (mut i, mut j) = (head, head);
        for (word, stays) in pairs.iter().copied().filter(|pair| !doubtful(*pair)) {
            let (word, stays) = (a[word].clone(), b[stays].clone());
            for (at, place) in word.clone().zip(stays.clone()) {
                kept.places[at] = Some(place);
            }
            kept.keep_ends(old, new, i..word.start, j..stays.start);
            (i, j) = (word.end, stays.end);
        }
        kept.keep_ends(old, new, i..old.len() - tail, j..new.len() - tail);
        kept
    }

    /// Keeps the common beginning and end of two stretches, and returns their
    /// lengths.
    fn keep_ends(
        &mut self,
        old: &[String],
        new: &[String],
        mut from: Range<usize>,
        mut to: Range<usize>,
    ) -> [usize; 2] {
        let mut counts = [0, 0];
        while !from.is_empty() && !to.is_empty() && old[from.start] == new[to.start] {
            self.places[from.start] = Some(to.start);
            (from.start, to.start) = (from.start + 1, to.start + 1);
            counts[0] += 1;
        }
        while !from.is_empty() && !to.is_empty() && old[from.end - 1] == new[to.end - 1] {
            (from.end, to.end) = (from.end - 1, to.end - 1);
            self.places[from.end] = Some(to.end);
            counts[1] += 1;
        }
        counts
    }

    /// Positions beyond the text move with its end.
    fn place(&self, at: usize) -> Option<usize> {
        let (old, new) = self.ends;
        self.places.get(at).copied().unwrap_or(Some(at.saturating_sub(old) + new))
    }

    /// The span after the change; None if it is cut.
    pub fn span(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let (first, last) = (start.min(end), start.max(end));
        if first == last {
            let behind = first.checked_sub(1).map_or(Some(0), |item| Some(self.place(item)? + 1));
            let at = behind.or_else(|| self.place(first))?;
            return Some((at, at));
        }
        let looked_at = first..last.min(self.ends.0.max(first) + 1);
        let mut together = looked_at.clone().zip(looked_at.skip(1));
        if !together.all(|(a, b)| self.place(a).is_some_and(|a| self.place(b) == Some(a + 1))) {
            return None;
        }
        let moved = self.place(first)?;
        let other = moved + (last - first);
        Some(if start < end { (moved, other) } else { (other, moved) })
    }
}

/// True if another word begins or ends where `word` does.
fn touches(words: &[Range<usize>], word: &Range<usize>) -> bool {
    let joined = |other: &Range<usize>| other.start == word.end || other.end == word.start;
    words.iter().any(joined)
}

/// Pairs of a longest common subsequence of two lists, by the textbook.
fn longest_common(
    old: usize,
    new: usize,
    same: &dyn Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut best = vec![vec![0; new + 1]; old + 1];
    for i in (0..old).rev() {
        for j in (0..new).rev() {
            best[i][j] = if same(i, j) {
                best[i + 1][j + 1] + 1
            } else {
                best[i + 1][j].max(best[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old && j < new {
        if same(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i + 1][j] >= best[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
