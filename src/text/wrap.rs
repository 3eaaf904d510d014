//! Wraps text to a number of columns at the places that the Unicode line breaking algorithm allows.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::display::{is_plain, visible, width};

/// One row of a wrapped text, as a half-open byte range without the whitespace at the break.
pub type WrappedRow = Range<usize>;

/// Wraps `text` so that each row, with invisible characters shown as marks, is at most `columns` wide.
/// Breaks after line feeds, between words or ideographs, and within a word only if it does not fit in a row.
/// A grapheme wider than `columns` gets a row of its own. There is at least one row.
pub fn wrap(text: &str, columns: usize) -> Vec<WrappedRow> {
    let mut rows = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut used = 0;
    let plain = is_plain(text);
    let mut from = 0;
    let shown = |word: &str| {
        if plain { word.chars().count() } else { shown(word) }
    };
    for to in breaks(text) {
        let word = &text[from..to];
        let wide = shown(word);
        let bare = unpadded(word);
        let bare = if bare.len() == word.len() { wide } else { shown(bare) };
        let is_new_line = text[..from].ends_with('\n');
        if (used + bare > columns || is_new_line) && end > start {
            rows.push(start..start + unpadded(&text[start..end]).len());
            (start, used) = (from, 0);
        }
        if bare > columns {
            (start, used) = split(text, from..to, columns, &mut rows);
        } else {
            used += wide;
        }
        end = to;
        from = to;
    }
    if end > start || rows.is_empty() {
        rows.push(start..start + unpadded(&text[start..end]).len());
    }
    rows
}

/// `text` without the whitespace at its end, except characters that are shown as marks, such as line feeds
/// and tabs.
fn unpadded(text: &str) -> &str {
    let marked = |char: char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
    text.trim_end_matches(|char: char| char.is_whitespace() && !marked(char))
}

/// Returns the byte offsets at which a line may end. The last one is the end of the text.
fn breaks(text: &str) -> impl Iterator<Item = usize> {
    let (simple, other) = if is_simple(text) { (text, "") } else { ("", text) };
    let others = unicode_linebreak::linebreaks(other).map(|(at, _)| at);
    simple_breaks(simple).chain(others)
}

/// True for text of unaccented letters, digits, spaces and sentence punctuation. It breaks after spaces
/// and hardly anywhere else, so the tables of the algorithm are not needed.
fn is_simple(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b" ,.:;!?'".contains(&byte);
    text.bytes().all(fits)
}

fn simple_breaks(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let may_end = |before: u8, behind: u8| match before {
        b' ' => !b" ,.:;!?".contains(&behind),
        b'!' | b'?' => behind.is_ascii_alphanumeric(),
        _ => false,
    };
    let pairs = (1..).zip(bytes.windows(2));
    let ends = pairs.filter_map(move |(at, pair)| may_end(pair[0], pair[1]).then_some(at));
    ends.chain((!bytes.is_empty()).then_some(bytes.len()))
}

/// Breaks a long word between graphemes. Returns the start of its last row, and the width of that row.
fn split(
    text: &str,
    word: Range<usize>,
    columns: usize,
    rows: &mut Vec<WrappedRow>,
) -> (usize, usize) {
    let (mut start, mut used) = (word.start, 0);
    for (offset, grapheme) in text[word.clone()].grapheme_indices(true) {
        let (at, wide) = (word.start + offset, shown(grapheme));
        if used + wide > columns && at > start {
            rows.push(start..at);
            (start, used) = (at, 0);
        }
        used += wide;
        if wide > columns && visible(grapheme) != grapheme {
            // Each character is shown as its own mark.
            (start, used) = split_marks(text, at..at + grapheme.len(), columns, rows);
        }
    }
    (start, used)
}

/// Breaks a grapheme that is too wide between its code points, such as a flag made of tags, which is
/// shown as a row of marks.
fn split_marks(
    text: &str,
    grapheme: Range<usize>,
    columns: usize,
    rows: &mut Vec<WrappedRow>,
) -> (usize, usize) {
    let (mut start, mut used) = (grapheme.start, 0);
    for (offset, char) in text[grapheme.clone()].char_indices() {
        let (at, wide) = (grapheme.start + offset, shown(char.encode_utf8(&mut [0; 4])));
        if used + wide > columns && at > start {
            rows.push(start..at);
            (start, used) = (at, 0);
        }
        used += wide;
    }
    (start, used)
}

fn shown(text: &str) -> usize {
    width(&visible(text))
}
