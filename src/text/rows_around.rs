//! Wraps the part of a text around a cursor, for editing: reads only the nearby text, because texts can be
//! long, and keeps the spaces at the ends of rows, because the cursor can be among them.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::display::{visible, width};
use super::wrap::wrap;

/// At least so many bytes before and after the cursor are wrapped, if there are as many.
const NEAR: usize = 8192;

/// Rows of a text as half-open byte ranges without line feeds, and the one with the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsAround {
    pub rows: Vec<Range<usize>>,
    pub cursor: usize,
}

/// Wraps `text` around byte `cursor`, which is between two graphemes, to rows of at most `columns`, not
/// counting one space at the end of a row. Each line of the text begins a row.
pub fn rows_around(text: &str, cursor: usize, columns: usize) -> RowsAround {
    let end = text.floor_char_boundary(cursor + NEAR).max(cursor);
    let mut start = first_row(text, cursor);
    let mut rows = Vec::new();
    for line in text[start..end].split('\n') {
        wrap_line(line, start, columns, &mut rows);
        start += line.len() + 1;
    }
    let after = rows.partition_point(|row| row.start <= cursor);
    RowsAround { cursor: after.saturating_sub(1), rows }
}

/// Returns the byte to wrap from: the start of a line, or in a line that is too long for that a byte that
/// stays the same while the cursor moves within a stretch of [`NEAR`] bytes.
fn first_row(text: &str, cursor: usize) -> usize {
    let Some(stretch) = (cursor / NEAR).checked_sub(1).filter(|number| *number > 0) else {
        return 0;
    };
    let from = text.floor_char_boundary(stretch * NEAR);
    let before = &text[from..cursor];
    if let Some(line_feed) = before.find('\n') {
        return from + line_feed + 1;
    }
    // The first grapheme may be cut, so wrap from after it, or better from after a space.
    let mut graphemes = before.grapheme_indices(true).skip(1);
    let first = graphemes.next().map_or(0, |(at, _)| at);
    let space = graphemes.take(64).find(|(_, grapheme)| *grapheme == " ");
    from + space.map_or(first, |(at, _)| at + 1)
}

/// Appends the rows of `line`, which begins at byte `start`. Spaces that do not fit get rows of their own.
fn wrap_line(line: &str, start: usize, columns: usize, rows: &mut Vec<Range<usize>>) {
    let wrapped = wrap(line, columns);
    for (number, row) in wrapped.iter().enumerate() {
        let end = wrapped.get(number + 1).map_or(line.len(), |next| next.start);
        let (mut from, mut used) = (row.start, width(&visible(&line[row.clone()])));
        for (offset, space) in line[row.end..end].grapheme_indices(true) {
            let wide = width(&visible(space));
            if used + wide > columns + 1 {
                let at = row.end + offset;
                rows.push(start + from..start + at);
                (from, used) = (at, 0);
            }
            used += wide;
        }
        rows.push(start + from..start + end);
    }
}
