//! A text of several rows while it is typed, with marks under the rows as in the transcript. Only the rows
//! around the cursor are laid out, because texts can be long.

use std::collections::VecDeque;
use std::ops::Range;

use crate::app::pane::transcript::marks::{MarkName, mark_line, mark_lines};
use crate::app::pane::transcript::ranges::Ranges;
use crate::app::pane::transcript::row::{MarkedSpan, MarkedText};
use crate::app::pane::{Ink, Line};
use crate::text::{counted, lanes, rows_around, visible, width};

/// At most so many segments without a place in the text are listed.
pub const LISTED: usize = 12;
/// Columns before the text.
pub const MARGIN: usize = 1;
/// At most so many segments are marked under a row, in so many lines.
const MARKED: usize = 64;
const LINES: usize = 6;

/// Marks under a long text: its segments.
#[derive(Debug, Default)]
pub struct TextMarks {
    ranges: Ranges,
    /// The ink and the name of each mark.
    names: Vec<(Ink, MarkName)>,
    /// The lines below the text, for the first segments without a place in it.
    below: Vec<Line>,
    /// The number of segments without a place in it.
    placeless: usize,
}

/// A text while it is typed.
pub struct TypedText<'t> {
    pub text: &'t str,
    /// The byte that the cursor is before.
    pub cursor: usize,
    pub selection: Option<Range<usize>>,
    pub marks: &'t TextMarks,
}

/// The visible part of a long text.
#[derive(Debug, Default)]
pub struct LongText {
    pub lines: Vec<Line>,
    /// The line and the column of the cursor.
    pub cursor: (usize, usize),
    /// For each line, the bytes of the text that it shows; None for marks.
    pub rows: Vec<Option<Range<usize>>>,
}

/// Returns the columns for the text in a window of `columns` and one more for the cursor.
pub fn text_columns(columns: usize) -> usize {
    columns.saturating_sub(MARGIN).max(8)
}

impl TextMarks {
    /// `marks` has the bytes, the ink and the name of each mark; `below` the lines for the first [`LISTED`]
    /// of `placeless` segments without a place in the text.
    pub fn new(
        marks: Vec<(Range<usize>, Ink, MarkName)>,
        below: Vec<Line>,
        placeless: usize,
    ) -> Self {
        Self {
            ranges: Ranges::new(marks.iter().map(|(bytes, ..)| bytes.clone())),
            names: marks.into_iter().map(|(_, ink, name)| (ink, name)).collect(),
            below,
            placeless,
        }
    }

    /// Returns the lines below the text, at most `room`.
    fn below(&self, room: usize) -> Vec<Line> {
        let mut lines = self.below.clone();
        if self.placeless > room.min(lines.len()) {
            lines.truncate(room.saturating_sub(1));
            let more = counted(self.placeless - lines.len(), "more segment");
            lines.push(Line::of(Ink::Removed, &format!(" ▲ {more} removed")));
        }
        lines
    }
}

impl LongText {
    /// Lays out the rows around the cursor in at most `room` lines of `columns` and one more for the cursor.
    pub fn new(typed: &TypedText<'_>, columns: usize, room: usize) -> Self {
        let around = rows_around(typed.text, typed.cursor, text_columns(columns));
        let below = typed.marks.below((room / 3).max(1));
        let room = room.saturating_sub(below.len()).max(1);
        let lay_out = |number: usize| {
            let next = around.rows.get(number + 1);
            let bytes = &around.rows[number];
            (bytes.clone(), typed.lines(bytes, next.map_or(usize::MAX, |next| next.start), columns))
        };
        let mut shown = VecDeque::from([lay_out(around.cursor)]);
        shown[0].1.truncate(room);
        let mut left = room - shown[0].1.len();
        let (mut first, mut end) = (around.cursor, around.cursor + 1);
        // Rows are added at both ends in turn, so that the cursor is in the middle of a long text.
        let (mut is_start, mut is_end) = (first == 0, end == around.rows.len());
        while !(is_start && is_end) {
            if !is_end {
                let (bytes, lines) = lay_out(end);
                is_end = lines.len() > left || end + 1 == around.rows.len();
                if lines.len() <= left {
                    left -= lines.len();
                    end += 1;
                    shown.push_back((bytes, lines));
                }
            }
            if !is_start {
                let (bytes, lines) = lay_out(first - 1);
                is_start = lines.len() > left || first == 1;
                if lines.len() <= left {
                    left -= lines.len();
                    first -= 1;
                    shown.push_front((bytes, lines));
                }
            }
        }
        let above: usize =
            shown.iter().take(around.cursor - first).map(|(_, lines)| lines.len()).sum();
        let before = &typed.text[around.rows[around.cursor].start..typed.cursor];
        let column = MARGIN + width(&visible(before));
        let mut long = Self { cursor: (above, column.min(columns)), ..Self::default() };
        for (bytes, lines) in shown {
            let marks = lines.len() - 1;
            long.rows.push(Some(bytes));
            long.rows.extend(std::iter::repeat_n(None, marks));
            long.lines.extend(lines);
        }
        long.rows.extend(below.iter().map(|_| None));
        long.lines.extend(below);
        long
    }
}

impl TypedText<'_> {
    /// Returns the line of the row `bytes`, and those of the marks under it. The next row begins at `next`.
    fn lines(&self, bytes: &Range<usize>, next: usize, columns: usize) -> Vec<Line> {
        let mut here = self.marks.ranges.touching(bytes);
        let all = here.len();
        here.truncate(MARKED);
        let names = &self.marks.names;
        let span = |(bytes, position): &(Range<usize>, usize)| MarkedSpan {
            bytes: bytes.clone(),
            ink: names[*position].0,
            selected: false,
        };
        let stretches: Vec<_> = here.iter().map(span).collect();
        let marked = MarkedText {
            differing: &[],
            text: self.text,
            stretches: &stretches,
            hits: &[],
            selection: self.selection.clone(),
            caret: None,
        };
        let mut line = Line::new();
        line.fill(MARGIN);
        line.runs.extend(marked.row(bytes, next));
        let mut lines = vec![line];
        let (ranges, positions): (Vec<_>, Vec<_>) = here.into_iter().unzip();
        let lanes = lanes(self.text, bytes, &ranges, |_| 0);
        let (inks, names): (Vec<_>, Vec<_>) = positions.iter().map(|at| names[*at].clone()).unzip();
        let marks = mark_lines(&lanes, &names, columns.saturating_sub(MARGIN));
        let shown = marks.len().min(LINES);
        for marks in &marks[..shown] {
            let look = |item: usize| (inks[item], &names[item], false);
            lines.push(mark_line(marks, look, MARGIN));
        }
        let bars = marks[shown..].iter().flatten().filter(|mark| mark.is_bar());
        let hidden = bars.count() + all - positions.len();
        if hidden > 0 {
            let more = format!(" and {}", counted(hidden, "more segment"));
            lines.push(Line::of(Ink::Dim, &more));
        }
        lines
    }
}
