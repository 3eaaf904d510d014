//! Which rows of a dialog are on the screen, and laying them out.
//!
//! Only what is seen is laid out: a dialog may have a hundred thousand turns, and a turn as many segments.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::block::below;
use super::turn_text::{RowMarks, TurnHits, TurnStyle, TurnText, text_line};
use super::{MarkDisplay, Transcript};
use crate::app::Caret;
use crate::app::line::Line;
use crate::app::window::{self, Blocks};
use crate::dialog::Span;

/// A part of a turn: a row of what is said and the marks under it, or, behind the last row, everything
/// below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowPart {
    pub turn: usize,
    pub row: usize,
}

/// A line of a dialog.
pub type RowPosition = window::LinePosition<RowPart>;

/// A line on the screen.
#[derive(Clone, Debug)]
pub struct ScreenRow {
    place: RowPosition,
    line: Line,
}

impl ScreenRow {
    /// The turn it belongs to.
    pub fn turn(&self) -> usize {
        self.place.block.turn
    }

    pub fn line(&self) -> &Line {
        &self.line
    }
}

/// Where in the text of a turn the caret, the hit of a search and the chosen segment are, in bytes.
pub(super) type Follow = [Option<Range<usize>>; 3];

/// What was worked out of the turns that were on the screen.
#[derive(Debug, Default)]
pub(super) struct LayoutCache {
    texts: HashMap<usize, Arc<TurnText>>,
    hits: HashMap<usize, Arc<TurnHits>>,
    marks: HashMap<RowPart, Arc<RowMarks>>,
    /// The lines below what is said, and whether the turn has those of the current one.
    below: HashMap<(usize, bool), Arc<Vec<Line>>>,
}

/// Turns of which something is kept, at the most.
const MOST: usize = 2048;

impl LayoutCache {
    /// What a search found is another thing.
    pub fn forget_hits(&mut self) {
        self.hits.clear();
    }
}

impl Blocks for Transcript {
    type Block = RowPart;

    fn below(&mut self, RowPart { turn, row }: RowPart) -> Option<RowPart> {
        if row < self.text(turn).rows.len() {
            let row = row + 1;
            return Some(RowPart { turn, row });
        }
        let turn = turn + 1;
        (turn < self.len()).then_some(RowPart { turn, row: 0 })
    }

    fn above(&mut self, RowPart { turn, row }: RowPart) -> Option<RowPart> {
        if let Some(row) = row.checked_sub(1) {
            return Some(RowPart { turn, row });
        }
        let turn = turn.checked_sub(1)?;
        let row = self.text(turn).rows.len();
        Some(RowPart { turn, row })
    }

    fn height(&mut self, part: RowPart) -> usize {
        let text = self.text(part.turn);
        if part.row >= text.rows.len() {
            self.lines_below(part.turn).len()
        } else {
            1 + self
                .row_marks(&text, part)
                .map_or(0, |marks| marks.lanes.len())
        }
    }
}

impl Transcript {
    /// Lays out what is seen in `columns` and `rows`, with the current turn among it.
    pub fn lay_out(&mut self, columns: usize, rows: usize) {
        if self.room.0 != columns || self.laid.texts.len() > MOST {
            self.forget();
        }
        self.room = (columns, rows);
        self.turn = self.turn.min(self.len().saturating_sub(1));
        if self.is_empty() || rows == 0 {
            self.page.clear();
            return;
        }
        self.keep_top_in_text();
        self.keep_visible(rows);
        let mut places = self.page(self.top, rows);
        let missing = rows - places.len();
        if missing > 0 && !self.held && self.top != RowPosition::default() {
            self.top = self.walk(self.top, -(missing as isize));
            places = self.page(self.top, rows);
        }
        self.page = self.shown(&places);
    }

    /// Makes the turn of a line on the screen the current one, which the mouse holds from now on: the
    /// line stays where it is, whatever marks the turn has as the current one.
    pub fn hold(&mut self, row: usize) {
        let Some(place) = self.page.get(row).map(|shown| shown.place) else {
            return;
        };
        self.unhold();
        let before = self.turn;
        self.go(place.block.turn);
        (self.held, self.left) = (true, Some(before).filter(|turn| *turn != self.turn));
        self.top = self.walk(place, -(row as isize));
    }

    /// The mouse lets go of what it held; the current turn stays where it is, as far as there is
    /// something above it.
    pub fn unhold(&mut self) {
        let left = self.left.take();
        if !std::mem::take(&mut self.held) || left.is_none() {
            return;
        }
        let mut page = self.page.iter().enumerate();
        if let Some((row, shown)) = page.find(|(_, shown)| shown.turn() == self.turn) {
            self.top = self.walk(shown.place, -(row as isize));
        }
    }

    /// Scrolls by a row towards what the current turn says beyond the screen, if it does.
    pub fn creep(&mut self, down: bool) {
        let (end, by) = if down {
            (self.page.last(), 1)
        } else {
            (self.page.first(), -1)
        };
        let Some(end) = end.map(|shown| shown.place) else {
            return;
        };
        let beyond = self.walk(end, by);
        if beyond != end && [end, beyond].iter().all(|at| at.block.turn == self.turn) {
            self.top = self.walk(self.top, by);
        }
    }

    /// Puts the first row of the screen within its turn, which may have fewer rows than it had: in a wider
    /// pane, or after an edit.
    fn keep_top_in_text(&mut self) {
        let turn = self.top.block.turn.min(self.len().saturating_sub(1));
        let row = self.top.block.row.min(self.text(turn).rows.len());
        let block = RowPart { turn, row };
        if block != self.top.block {
            self.top = RowPosition::start(block);
        }
    }

    /// Scrolls so that the current turn is seen, with a little around it.
    fn keep_visible(&mut self, rows: usize) {
        if self.held {
            self.followed = self.gone_to();
            return;
        }
        let start = start_of(self.turn);
        let height = self.height_up_to(rows);
        if height >= rows {
            // As much of it as there is room for; which part is for scrolling to say, and for what was
            // gone to within it.
            if self.top.block.turn != self.turn {
                self.top = start;
            }
            self.follow(rows);
            self.top = self.top.min(self.lowest_top(rows));
            return;
        }
        self.followed = Follow::default();
        // The first row on the screen is not below the one that leaves a little above the turn, nor above
        // the one that leaves a little below it.
        let around = (rows / 6).min(3).min(rows - height);
        let last = self.walk(start, -(around as isize));
        let first = self.walk(start, -((rows - height - around) as isize));
        self.top = self.top.clamp(first.min(last), last);
    }

    /// Scrolls within the current turn to where the reader has gone in it: the caret, what a search found,
    /// the chosen segment. Where neither has moved, the view stays: it may have been scrolled.
    fn follow(&mut self, rows: usize) {
        let now = self.gone_to();
        let before = std::mem::replace(&mut self.followed, now.clone());
        let moved = now.into_iter().zip(before).find(|(now, old)| now != old);
        let Some((Some(bytes), _)) = moved.filter(|(now, _)| now.is_some()) else {
            return;
        };
        let (turn, text) = (self.turn, self.text(self.turn));
        let part = |byte: usize| RowPart {
            turn,
            row: text.row_of(byte),
        };
        let first = RowPosition::start(part(bytes.start));
        // With the marks under it.
        let block = part(bytes.end.saturating_sub(1).max(bytes.start));
        let line = self.height(block) - 1;
        let lowest = self.walk(RowPosition { block, line }, 1 - rows as isize);
        self.top = self.top.max(lowest.max(start_of(turn))).min(first);
    }

    /// Bytes of the current turn's text where the reader is.
    fn gone_to(&mut self) -> Follow {
        if self.turn >= self.len() {
            return Follow::default();
        }
        let text = self.text(self.turn);
        let caret = self.caret.map(|caret| {
            let (start, end) = (caret.at, caret.at);
            text.places.bytes_of(Span { start, end })
        });
        let hit = self.hit.and_then(|hit| self.hits.get(hit));
        let hit = hit.filter(|hit| hit.turn == self.turn && !hit.bytes.is_empty());
        let segment = self.current_segment().and_then(|segment| segment.span);
        let segment = segment.map(|span| text.places.bytes_of(span));
        [caret, hit.map(|hit| hit.bytes.clone()), segment]
    }

    /// The last line of the current turn.
    fn end_of_turn(&mut self) -> RowPosition {
        let (turn, row) = (self.turn, self.text(self.turn).rows.len());
        self.last_line(RowPart { turn, row })
    }

    /// The last line of a part, or of what is above it if it has none.
    fn last_line(&mut self, block: RowPart) -> RowPosition {
        match self.height(block).checked_sub(1) {
            Some(line) => RowPosition { block, line },
            None => self.walk(RowPosition::start(block), -1),
        }
    }

    /// Where the screen begins if it ends with the current turn, which is as high.
    fn lowest_top(&mut self, rows: usize) -> RowPosition {
        let end = self.end_of_turn();
        self.walk(end, 1 - rows as isize)
    }

    /// How many lines the current turn has; they are counted up to `rows`.
    fn height_up_to(&mut self, rows: usize) -> usize {
        let (turn, last) = (self.turn, self.text(self.turn).rows.len());
        let mut height = 0;
        for row in 0..=last {
            height += self.height(RowPart { turn, row });
            if height >= rows {
                return rows;
            }
        }
        height
    }

    /// The last line of the last turn.
    fn end(&mut self) -> RowPosition {
        let turn = self.len().saturating_sub(1);
        let row = self.text(turn).rows.len();
        self.last_line(RowPart { turn, row })
    }

    /// Scrolls by rows; the current turn comes along.
    pub fn scroll(&mut self, by: isize) {
        self.unhold();
        if self.is_empty() || self.room.1 == 0 {
            return;
        }
        let rows = self.room.1;
        let mut top = self.walk(self.top, by);
        // The end is not looked at from afar: each turn has a row.
        let near = self.top.block.turn.saturating_add_signed(by) + rows >= self.len();
        let end = if by > 0 && near {
            self.end()
        } else {
            RowPosition::default()
        };
        if by > 0 && near {
            top = top.min(self.walk(end, 1 - rows as isize));
        }
        let context = ((rows / 6).min(3)) as isize;
        let (first, last) = if top == self.top {
            // Nothing to scroll: the turns themselves are walked.
            (end, end)
        } else {
            let above = if top == RowPosition::default() {
                0
            } else {
                context
            };
            let first = self.walk(top, above);
            (first, self.walk(top, rows as isize - 1 - context))
        };
        self.top = top;
        let (first, last) = (first.block.turn, last.block.turn);
        self.go(self.turn.clamp(first, last.max(first)));
    }

    /// True if the current turn goes on below the screen, or above it: then it is scrolled before
    /// another turn is made current.
    pub fn scroll_within(&mut self, down: bool) -> bool {
        let rows = self.room.1;
        if self.is_empty()
            || self.top.block.turn != self.turn
            || self.height_up_to(rows + 1) <= rows
        {
            return false;
        }
        let step = rows.saturating_sub(2).max(1) as isize;
        let top = if down {
            self.walk(self.top, step).min(self.lowest_top(rows))
        } else {
            self.walk(self.top, -step).max(start_of(self.turn))
        };
        top != std::mem::replace(&mut self.top, top)
    }

    /// The text of a turn, broken into rows.
    fn text(&mut self, turn: usize) -> Arc<TurnText> {
        if let Some(text) = self.laid.texts.get(&turn) {
            return Arc::clone(text);
        }
        let text = Arc::new(TurnText::new(self, turn, self.room.0));
        self.laid.texts.insert(turn, Arc::clone(&text));
        text
    }

    fn turn_hits(&mut self, turn: usize) -> Arc<TurnHits> {
        if let Some(hits) = self.laid.hits.get(&turn) {
            return Arc::clone(hits);
        }
        let hits = Arc::new(TurnHits::new(self, turn));
        self.laid.hits.insert(turn, Arc::clone(&hits));
        hits
    }

    /// The marks under a row of `text`; None if they are not shown.
    fn row_marks(&mut self, text: &TurnText, part: RowPart) -> Option<Arc<RowMarks>> {
        if !(self.is_open(part.turn) || self.marks == MarkDisplay::All || text.overlap) {
            return None;
        }
        if let Some(marks) = self.laid.marks.get(&part) {
            return Some(Arc::clone(marks));
        }
        let marks = Arc::new(RowMarks::new(self, part.turn, text, part.row));
        self.laid.marks.insert(part, Arc::clone(&marks));
        Some(marks)
    }

    /// The lines of a turn below what it says.
    fn lines_below(&mut self, turn: usize) -> Arc<Vec<Line>> {
        let key = (turn, self.is_open(turn));
        if let Some(lines) = self.laid.below.get(&key) {
            return Arc::clone(lines);
        }
        let lines = Arc::new(below(self, turn, self.room.0, key.1));
        self.laid.below.insert(key, Arc::clone(&lines));
        lines
    }

    /// True if a turn has the lines that only the current turn has: that one, and until the mouse lets go
    /// the one that was current before.
    fn is_open(&self, turn: usize) -> bool {
        turn == self.turn || self.left == Some(turn)
    }

    /// How the rows of a turn look now.
    fn turn_style(&self, turn: usize, text: &TurnText) -> TurnStyle {
        if turn != self.turn {
            return TurnStyle::default();
        }
        let selection = self.caret.and_then(Caret::selection);
        let caret = self.caret.map(|caret| Span {
            start: caret.at,
            end: caret.at,
        });
        TurnStyle {
            current: true,
            segment: self.segment,
            caret: caret.map(|span| text.places.bytes_of(span).start),
            selection: selection.map(|span| text.places.bytes_of(span)),
        }
    }

    /// The lines at these places.
    fn shown(&mut self, places: &[RowPosition]) -> Vec<ScreenRow> {
        let columns = self.room.0;
        let mut shown = Vec::with_capacity(places.len());
        for of_turn in places.chunk_by(|one, other| one.block.turn == other.block.turn) {
            let turn = of_turn[0].block.turn;
            let (text, hits) = (self.text(turn), self.turn_hits(turn));
            let look = self.turn_style(turn, &text);
            for place in of_turn.iter().copied() {
                let (part, number) = (place.block, place.line);
                let mut line = if part.row >= text.rows.len() {
                    self.lines_below(turn)[number].clone()
                } else if let Some(lane) = number.checked_sub(1) {
                    let marks = self.row_marks(&text, part);
                    let line =
                        |marks: Arc<RowMarks>| marks.line(self, (turn, lane), &look, columns);
                    marks.map(line).unwrap_or_default()
                } else {
                    text_line(self, (turn, part.row), (&text, &hits), &look, columns)
                };
                line.selected = look.current;
                shown.push(ScreenRow { place, line });
            }
        }
        shown
    }
}

fn start_of(turn: usize) -> RowPosition {
    RowPosition::start(RowPart { turn, row: 0 })
}
