//! Finds a text in another one: exactly, ignoring case or punctuation, or with a few typos. Whitespace at the edges.

use std::ops::Range;

/// Differences that a comparison of two texts ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tolerance {
    /// Case, the amount and kind of whitespace, the shape of quotation marks and dashes.
    Case,
    /// All that, and every character that is not a letter or digit.
    Punctuation,
}

/// The characters to compare, each with its byte range in the text.
pub type Folded = Vec<(char, Range<usize>)>;

/// Returns a text without what is ignored.
pub fn folded(text: &str, ignore: Tolerance) -> Folded {
    let mut folded: Folded = Vec::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        let bytes = at..at + char.len_utf8();
        let char = match char {
            _ if is_blank(char) => ' ',
            '’' | '‘' | '`' => '\'',
            '“' | '”' => '"',
            '–' | '—' | '‐' | '‑' => '-',
            other => other,
        };
        let skipped = match (char, ignore) {
            (' ', Tolerance::Case) => folded.last().is_none_or(|(last, _)| *last == ' '),
            (_, Tolerance::Case) => false,
            (_, Tolerance::Punctuation) => !char.is_alphanumeric(),
        };
        if !skipped {
            folded.extend(char.to_lowercase().map(|lower| (lower, bytes.clone())));
        }
    }
    while folded.last().is_some_and(|(last, _)| *last == ' ') {
        folded.pop();
    }
    folded
}

/// True if two texts differ only in what `ignore` allows.
pub fn alike(a: &str, b: &str, ignore: Tolerance) -> bool {
    let (a, b) = (folded(a, ignore), folded(b, ignore));
    a.iter().map(|(char, _)| char).eq(b.iter().map(|(char, _)| char))
}

/// Returns every byte range of `text` that is alike to `wanted`.
pub fn places_alike(text: &Folded, wanted: &str, ignore: Tolerance) -> Vec<Range<usize>> {
    let wanted = folded(wanted, ignore);
    if wanted.is_empty() {
        return Vec::new();
    }
    let same = |window: &&[(char, Range<usize>)]| {
        window.iter().zip(&wanted).all(|((a, _), (b, _))| a == b)
    };
    let windows = text.windows(wanted.len()).filter(same);
    let range = |window: &[(char, Range<usize>)]| window[0].1.start..window[window.len() - 1].1.end;
    windows.map(range).collect()
}

/// The largest size of the distance table, in cells: for a long turn and a long quotation, the search
/// would be slow and its result doubtful.
const CELLS: usize = 200_000;

/// Returns the byte range of `text`, folded without regard to case, with the fewest typos against `wanted`, and
/// their number: missing, added or different characters. None if there is more than one typo in four
/// characters.
///
/// This is the approximate search of Sellers, The theory and computation of evolutionary distances,
/// 1980: an edit distance in which the text before and after the match costs nothing.
pub fn nearest(text: &Folded, wanted: &str) -> Option<(Range<usize>, usize)> {
    let wanted = folded(wanted, Tolerance::Case);
    if wanted.len() < 4 || text.len() * wanted.len() > CELLS {
        return None;
    }
    // For each prefix of `wanted`: the number of typos, and where the match starts.
    let mut row: Vec<(usize, usize)> = (0..=wanted.len()).map(|slips| (slips, 0)).collect();
    let mut best: Option<(usize, usize, usize)> = None;
    for (at, (char, _)) in text.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = (0, at + 1);
        for (i, (want, _)) in wanted.iter().enumerate() {
            let above = row[i + 1];
            let kept = (diagonal.0 + usize::from(char != want), diagonal.1);
            let added = (above.0 + 1, above.1);
            let missing = (row[i].0 + 1, row[i].1);
            row[i + 1] = kept.min(added).min(missing);
            diagonal = above;
        }
        let (slips, start) = row[wanted.len()];
        if best.is_none_or(|(fewest, ..)| slips < fewest) {
            best = Some((slips, start, at));
        }
    }
    let (slips, start, last) = best?;
    let most = wanted.len() / 4;
    (slips <= most && start <= last).then(|| (text[start].1.start..text[last].1.end, slips))
}

/// True for whitespace and for characters of no width.
pub fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// `range` of `text` without the whitespace at its edges; empty if there is nothing else.
pub fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let end = range.start + inner.trim_end_matches(is_blank).len();
    let start = range.end - inner.trim_start_matches(is_blank).len();
    start.min(end)..end
}
