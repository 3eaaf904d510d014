//! Which rows of a dialog are on the screen.

use std::ops::Range;
use std::sync::Arc;

use super::block::{Look, Standing, block, text_rows};
use super::{Marks, Transcript};
use crate::app::line::Line;
use crate::dialog::Span;
use crate::text::Row;

/// A row of a dialog: its turn, and which row of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub turn: usize,
    pub row: usize,
}

/// A row on the screen.
#[derive(Clone, Debug)]
pub struct Shown {
    pub turn: usize,
    /// Row of the turn.
    pub row: usize,
    lines: Arc<Vec<Line>>,
}

impl Shown {
    pub fn line(&self) -> &Line {
        &self.lines[self.row]
    }
}

/// Where in the text of a turn the caret, the hit of a search and the chosen segment are, in bytes.
pub(super) type Follow = [Option<Range<usize>>; 3];

/// Laid out turns that are kept, at the most.
const MOST: usize = 2048;

impl Transcript {
    /// Lays out what is seen in `columns` and `rows`, with the current turn among it.
    pub fn lay_out(&mut self, columns: usize, rows: usize) {
        if self.room.0 != columns || self.laid.blocks.len() > MOST {
            self.forget();
        }
        self.room = (columns, rows);
        self.turn = self.turn.min(self.len().saturating_sub(1));
        if self.is_empty() || rows == 0 {
            self.page.clear();
            return;
        }
        self.keep_visible(rows);
        self.page = self.rows_from(self.top, rows);
        let missing = rows - self.page.len();
        if missing > 0 && !self.held && self.top != Place::default() {
            self.top = self.walk(self.top, -(missing as isize));
            self.page = self.rows_from(self.top, rows);
        }
    }

    /// Makes the turn of a row on the screen the current one, which the mouse holds from now on: the
    /// row stays where it is, whatever marks the turn has as the current one.
    pub fn hold(&mut self, row: usize) {
        let Some(shown) = self.page.get(row).cloned() else {
            return;
        };
        self.let_go();
        let before = self.turn;
        self.go(shown.turn);
        (self.held, self.left) = (true, Some(before).filter(|turn| *turn != self.turn));
        let byte = shown.line().said.map(|said| said.byte);
        let lines = self.block(self.turn);
        let same = |line: &Line| line.said.is_some_and(|said| Some(said.byte) == byte);
        let place = lines.iter().position(same);
        let last = lines.len().saturating_sub(1);
        let (turn, held) = (self.turn, place.unwrap_or(shown.row).min(last));
        self.top = self.walk(Place { turn, row: held }, -(row as isize));
    }

    /// The mouse lets go of what it held; the current turn stays where it is, as far as there is
    /// something above it.
    pub fn let_go(&mut self) {
        let left = self.left.take();
        if !std::mem::take(&mut self.held) || left.is_none() {
            return;
        }
        let mut page = self.page.iter().enumerate();
        if let Some((row, shown)) = page.find(|(_, shown)| shown.turn == self.turn) {
            let (turn, first) = (shown.turn, shown.row);
            self.top = self.walk(Place { turn, row: first }, -(row as isize));
        }
    }

    /// Scrolls by a row towards what the current turn says beyond the screen, if it does.
    pub fn creep(&mut self, down: bool) {
        let end = if down {
            self.page.last()
        } else {
            self.page.first()
        };
        let beyond = |shown: &Shown| {
            if down {
                shown.row + 1 < shown.lines.len()
            } else {
                shown.row > 0
            }
        };
        if end.is_some_and(|shown| shown.turn == self.turn && beyond(shown)) {
            self.top = self.walk(self.top, if down { 1 } else { -1 });
        }
    }

    /// Scrolls so that the current turn is seen, with a little around it.
    fn keep_visible(&mut self, rows: usize) {
        if self.held {
            self.followed = self.gone_to();
            return;
        }
        let height = self.block(self.turn).len();
        let context = (rows / 6).min(3);
        let start = Place {
            turn: self.turn,
            row: 0,
        };
        if height >= rows {
            // As much of it as there is room for; which part is for scrolling to say, and for what was
            // gone to within it.
            if self.top.turn != self.turn {
                self.top = start;
            }
            self.follow(rows);
            self.top.row = self.top.row.min(height - rows);
            return;
        }
        self.followed = Follow::default();
        // The first row on the screen is not below the one that leaves a little above the turn, nor above
        // the one that leaves a little below it.
        let around = context.min(rows - height);
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
        let lines = self.block(self.turn);
        let said = lines.iter().enumerate();
        let said = said.filter_map(|(row, line)| Some((row, line.said.as_ref()?.byte)));
        let row_of = |byte: usize| said.clone().take_while(|(_, at)| *at <= byte).last();
        let first = row_of(bytes.start).map_or(0, |(row, _)| row);
        let last = row_of(bytes.end.saturating_sub(1).max(bytes.start)).map_or(0, |(row, _)| row);
        // With the marks under it.
        let marks = lines[last + 1..]
            .iter()
            .position(|line| line.said.is_some());
        let last = last + marks.unwrap_or(1);
        let lowest = (last + 1).saturating_sub(rows);
        self.top.row = self.top.row.max(lowest).min(first);
    }

    /// Bytes of the current turn's text where the reader is.
    fn gone_to(&self) -> Follow {
        let Some(turn) = self.current() else {
            return Follow::default();
        };
        let bytes = |span: Span| turn.bytes_of(span, self.dialog.units);
        let caret = self.caret.map(|caret| {
            let (start, end) = (caret.at, caret.at);
            bytes(Span { start, end })
        });
        let hit = self.hit.and_then(|hit| self.hits.get(hit));
        let hit = hit.filter(|hit| hit.turn == self.turn && !hit.bytes.is_empty());
        let segment = self.current_segment().and_then(|segment| segment.span);
        [caret, hit.map(|hit| hit.bytes.clone()), segment.map(bytes)]
    }

    fn rows_from(&mut self, from: Place, rows: usize) -> Vec<Shown> {
        let mut shown = Vec::with_capacity(rows);
        let mut skipped = from.row;
        for turn in from.turn..self.len() {
            let lines = self.block(turn);
            for row in skipped..lines.len() {
                if shown.len() == rows {
                    return shown;
                }
                let lines = Arc::clone(&lines);
                shown.push(Shown { turn, row, lines });
            }
            skipped = 0;
        }
        shown
    }

    /// The place `by` rows from `from`, or the first or last there is.
    fn walk(&mut self, from: Place, by: isize) -> Place {
        let mut at = from;
        let mut left = by.unsigned_abs();
        while left > 0 {
            if by < 0 {
                let step = left.min(at.row);
                at.row -= step;
                left -= step;
                if left == 0 || at.turn == 0 {
                    break;
                }
                at.turn -= 1;
                at.row = self.block(at.turn).len();
            } else {
                let below = self.block(at.turn).len().saturating_sub(at.row + 1);
                let step = left.min(below);
                at.row += step;
                left -= step;
                if left == 0 || at.turn + 1 >= self.len() {
                    break;
                }
                at = Place {
                    turn: at.turn + 1,
                    row: 0,
                };
                left -= 1;
            }
        }
        at
    }

    /// The last row of the last turn.
    fn end(&mut self) -> Place {
        let turn = self.len().saturating_sub(1);
        self.walk(Place { turn, row: 0 }, isize::MAX / 2)
    }

    /// Scrolls by rows; the current turn comes along.
    pub fn scroll(&mut self, by: isize) {
        self.let_go();
        if self.is_empty() || self.room.1 == 0 {
            return;
        }
        let (top, turn) = self.scrolled(by);
        self.top = top;
        self.go(turn);
    }

    /// The first row on the screen, and the current turn, once it is scrolled by rows.
    pub(super) fn scrolled(&mut self, by: isize) -> (Place, usize) {
        let rows = self.room.1;
        let mut top = self.walk(self.top, by);
        // The end is not looked at from afar: each turn has a row.
        let near = self.top.turn.saturating_add_signed(by) + rows >= self.len();
        let end = if by > 0 && near {
            self.end()
        } else {
            Place::default()
        };
        if by > 0 && near {
            top = top.min(self.walk(end, 1 - rows as isize));
        }
        let context = ((rows / 6).min(3)) as isize;
        let (first, last) = if top == self.top {
            // Nothing to scroll: the turns themselves are walked.
            (end, end)
        } else {
            let above = if top == Place::default() { 0 } else { context };
            let first = self.walk(top, above);
            (first, self.walk(top, rows as isize - 1 - context))
        };
        (top, self.turn.clamp(first.turn, last.turn.max(first.turn)))
    }

    /// True if the current turn goes on below the screen, or above it: then it is scrolled before
    /// another turn is made current.
    pub fn scroll_within(&mut self, down: bool) -> bool {
        let rows = self.room.1;
        let height = if self.is_empty() {
            0
        } else {
            self.block(self.turn).len()
        };
        if height <= rows || self.top.turn != self.turn {
            return false;
        }
        let step = rows.saturating_sub(2).max(1);
        let row = if down {
            (self.top.row + step).min(height - rows)
        } else {
            self.top.row.saturating_sub(step)
        };
        let moved = row != self.top.row;
        self.top.row = row;
        moved
    }

    /// The lines of a turn.
    pub(super) fn block(&mut self, turn: usize) -> Arc<Vec<Line>> {
        let standing = match turn {
            turn if turn == self.turn => Standing::Current,
            turn if self.left == Some(turn) => Standing::Left,
            _ => Standing::Other,
        };
        let segment = self.segment.filter(|_| turn == self.turn);
        let look = self.look(standing, segment);
        if look.is_current() {
            if let Some((_, lines)) = self.laid.current.as_ref().filter(|(with, _)| *with == look) {
                return Arc::clone(lines);
            }
            let mut ahead = self.laid.next.iter();
            let place = ahead
                .position(|(of, with, _)| (*of, with) == (turn, &look))
                .filter(|_| self.caret.is_none());
            let lines = match place.map(|place| self.laid.next.swap_remove(place)) {
                Some((_, _, lines)) => lines,
                None => self.laid_out(turn, &look),
            };
            self.laid.current = Some((look, Arc::clone(&lines)));
            return lines;
        }
        if let Some(lines) = self.laid.blocks.get(&turn).filter(|_| !look.is_open()) {
            return Arc::clone(lines);
        }
        let lines = self.laid_out(turn, &look);
        if look.is_open() {
            return lines;
        }
        self.laid.blocks.insert(turn, Arc::clone(&lines));
        lines
    }

    pub(super) fn look(&self, standing: Standing, segment: Option<usize>) -> Look {
        Look {
            columns: self.room.0,
            standing,
            segment,
            all_marks: self.marks == Marks::All,
            folded: self.folded,
        }
    }

    pub(super) fn laid_out(&mut self, turn: usize, look: &Look) -> Arc<Vec<Line>> {
        let rows = self.text_rows(turn);
        Arc::new(block(self, turn, &rows, look))
    }

    /// Where the text of a turn is broken. It is kept while the turn becomes current and is left
    /// again: a long text takes longer to break than to draw.
    fn text_rows(&mut self, turn: usize) -> Arc<Vec<Row>> {
        if let Some(rows) = self.laid.wrapped.get(&turn) {
            return Arc::clone(rows);
        }
        let rows = Arc::new(text_rows(self, turn, self.room.0));
        self.laid.wrapped.insert(turn, Arc::clone(&rows));
        rows
    }
}
