//! Lines broken at words to a number of columns.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::display::{visible, width};

/// One row of a wrapped text: bytes of the text, half-open, without the blank it was broken at.
pub type Row = Range<usize>;

/// Breaks `text` so that each row, with invisible characters shown as marks, is at most `columns`
/// wide; between words where that is possible, else between graphemes. A grapheme wider than
/// `columns` has a row of its own. There is at least one row.
pub fn wrap(text: &str, columns: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut start, mut end, mut used) = (0, 0, 0);
    for (at, word) in text.split_word_bound_indices() {
        let blank = word.chars().all(char::is_whitespace);
        let wide = width(&visible(word));
        if used + wide <= columns {
            used += wide;
            end = at + word.len();
        } else if blank {
            // A blank at the break belongs to neither row.
            rows.push(start..at);
            (start, end, used) = (at + word.len(), at + word.len(), 0);
        } else if wide <= columns {
            let kept = text[start..at].trim_end().len();
            rows.push(start..start + kept);
            (start, end, used) = (at, at + word.len(), wide);
        } else {
            for (offset, grapheme) in word.grapheme_indices(true) {
                let wide = width(&visible(grapheme));
                if used + wide > columns && at + offset > start {
                    rows.push(start..at + offset);
                    (start, used) = (at + offset, 0);
                }
                used += wide;
            }
            end = at + word.len();
        }
    }
    if end > start || rows.is_empty() {
        rows.push(start..end);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, columns: usize) -> Vec<&str> {
        wrap(text, columns)
            .into_iter()
            .map(|row| &text[row])
            .collect()
    }

    #[test]
    fn breaks_between_words() {
        assert_eq!(rows("one two three", 7), ["one two", "three"]);
        assert_eq!(rows("one two three", 8), ["one two", "three"]);
        assert_eq!(rows("", 5), [""]);
        assert_eq!(rows("fits", 80), ["fits"]);
    }

    #[test]
    fn breaks_long_words_and_wide_text() {
        assert_eq!(rows("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(rows("今日は良い天気", 6), ["今日は", "良い天", "気"]);
        assert_eq!(rows("👨‍👩‍👧👨‍👩‍👧", 1), ["👨‍👩‍👧", "👨‍👩‍👧"]);
    }

    #[test]
    fn no_row_is_too_wide_and_no_text_is_lost() {
        let text = "The 世界 is wide,  e\u{301}t  al. abcdefghijklmnopqrstuvwxyz \u{200b}x";
        for columns in 8..40 {
            let mut seen = 0;
            for row in wrap(text, columns) {
                assert!(text[seen..row.start].trim().is_empty());
                assert!(width(&visible(&text[row.clone()])) <= columns);
                seen = row.end;
            }
            assert!(text[seen..].trim().is_empty());
        }
    }
}
