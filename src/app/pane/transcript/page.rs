//! Lays out the visible rows of a dialog, and scrolls.
//!
//! Only visible rows are laid out: a dialog may have a hundred thousand turns, and a turn as many segments.

use std::ops::Range;
use std::sync::Arc;

use crate::app::pane::Line;
use crate::app::pane::scrolling::Blocks;
use crate::app::pane::transcript::block::below;
use crate::app::pane::transcript::cache::{BelowText, Follow, RowPosition, ScreenRow};
use crate::app::pane::transcript::fold::Folding;
use crate::app::pane::transcript::turn_text::{
    RowMarks, RowPart, TurnHits, TurnStyle, TurnText, headed_line, text_line,
};
use crate::app::pane::transcript::{MarkDisplay, Transcript};
use crate::dialog::{Role, Span, Turn};
use crate::query::TextPlace;
use crate::text::Direction;

/// Turns with a cached layout, at most.
const MOST: usize = 2048;

impl Blocks for Transcript {
    type Block = RowPart;

    fn below(&mut self, RowPart { turn, row }: RowPart) -> Option<RowPart> {
        if row < self.text(turn).rows.len() {
            let row = row + 1;
            return Some(RowPart { turn, row });
        }
        let turn = self.shown_from(turn + 1, true);
        (turn < self.visible() && !self.is_hidden(turn)).then_some(RowPart { turn, row: 0 })
    }

    fn above(&mut self, RowPart { turn, row }: RowPart) -> Option<RowPart> {
        if let Some(row) = row.checked_sub(1) {
            return Some(RowPart { turn, row });
        }
        let turn = self.shown_from(turn.checked_sub(1)?, false);
        let row = self.text(turn).rows.len();
        Some(RowPart { turn, row })
    }

    fn height(&mut self, part: RowPart) -> usize {
        if self.is_hidden(part.turn) {
            return 0;
        }
        let text = self.text(part.turn);
        if part.row >= text.rows.len() {
            self.lines_below(part.turn).lines.len()
        } else {
            1 + self.row_marks(&text, part).map_or(0, |marks| marks.lines.len())
        }
    }
}

impl Transcript {
    /// Lays out the lines visible in `columns` and `rows`, including the current turn.
    pub fn lay_out(&mut self, columns: usize, rows: usize) {
        if self.scroll.room.0 != columns || self.laid.texts.len() > MOST {
            self.forget();
        }
        self.scroll.room = (columns, rows);
        self.turn = self.turn.min(self.len().saturating_sub(1));
        if self.is_empty() || rows == 0 {
            self.page.clear();
            return;
        }
        self.keep_top_in_text();
        // A window over the last rows must not hide the turn that it is about.
        let clear = rows - self.scroll.covered.min(rows / 2);
        self.keep_visible(clear);
        let mut places = self.page(self.scroll.top, rows);
        let missing = clear.saturating_sub(places.len());
        if missing > 0 && !self.scroll.held && self.scroll.top != RowPosition::default() {
            self.scroll.top = self.walk(self.scroll.top, -(missing as isize));
            places = self.page(self.scroll.top, rows);
        }
        self.page = self.shown(&places);
    }

    /// Returns the rows of the pane that show the current turn.
    pub fn rows_of_turn(&self) -> Range<usize> {
        let is_of_turn = |shown: &ScreenRow| shown.turn() == self.turn;
        let start = self.page.iter().position(is_of_turn).unwrap_or_default();
        let end = self.page.iter().rposition(is_of_turn);
        start..end.map_or(start, |end| end + 1)
    }

    /// Scrolls so that the current turn begins on a row of the screen, if there are enough lines above it.
    pub fn begin_turn_on(&mut self, row: usize) {
        if !self.is_empty() && self.scroll.room.1 > 0 {
            self.scroll.top = self.walk(start_of(self.turn), -(row as isize));
        }
    }

    /// Takes note that a window covers the last `rows` rows. The transcript returns to where it was when
    /// the window closes, unless another turn is current then.
    pub fn cover(&mut self, rows: usize) {
        if self.scroll.covered == 0 && rows > 0 {
            self.scroll.uncovered = Some((self.turn, self.scroll.top));
        } else if self.scroll.covered > 0
            && rows == 0
            && let Some((turn, top)) = self.scroll.uncovered.take()
            && turn == self.turn
        {
            self.scroll.top = top;
        }
        self.scroll.covered = rows;
    }

    /// Makes the turn of a line on the screen the current one while the mouse button is down: the line
    /// stays where it is, although the current turn may get more marks.
    pub fn hold(&mut self, row: usize) {
        let Some(place) = self.page.get(row).map(|shown| shown.place) else {
            return;
        };
        self.unhold();
        let before = self.turn;
        self.go(place.block.turn);
        (self.scroll.held, self.scroll.left) =
            (true, Some(before).filter(|turn| *turn != self.turn));
        self.scroll.top = self.walk(place, -(row as isize));
    }

    /// Handles the release of the mouse button: the current turn stays on its row if there are enough
    /// lines above it.
    pub fn unhold(&mut self) {
        let left = self.scroll.left.take();
        if !std::mem::take(&mut self.scroll.held) || left.is_none() {
            return;
        }
        let mut page = self.page.iter().enumerate();
        if let Some((row, shown)) = page.find(|(_, shown)| shown.turn() == self.turn) {
            self.scroll.top = self.walk(shown.place, -(row as isize));
        }
    }

    /// Scrolls by a row if the current turn continues beyond the screen in that direction.
    pub fn creep(&mut self, down: bool) {
        let (end, by) = if down { (self.page.last(), 1) } else { (self.page.first(), -1) };
        let Some(end) = end.map(|shown| shown.place) else {
            return;
        };
        let beyond = self.walk(end, by);
        if beyond != end && [end, beyond].iter().all(|at| at.block.turn == self.turn) {
            self.scroll.top = self.walk(self.scroll.top, by);
        }
    }

    /// Corrects the scroll position where its turn has fewer rows than before: in a wider pane, or after an
    /// edit.
    fn keep_top_in_text(&mut self) {
        let turn = self.scroll.top.block.turn.min(self.visible().saturating_sub(1));
        let turn = self.shown_from(turn, false);
        let row = self.scroll.top.block.row.min(self.text(turn).rows.len());
        let block = RowPart { turn, row };
        if block != self.scroll.top.block {
            self.scroll.top = RowPosition::start(block);
        }
        // A match may have unfolded more lines before.
        let last = self.height(block).saturating_sub(1);
        self.scroll.top.line = self.scroll.top.line.min(last);
    }

    /// Scrolls so that the current turn is visible, with a few rows around it.
    fn keep_visible(&mut self, rows: usize) {
        if self.scroll.held {
            self.scroll.followed = self.ranges_to_follow();
            self.scroll.followed_below = self.hit;
            return;
        }
        let start = start_of(self.turn);
        let height = self.height_up_to(rows);
        if height >= rows {
            // The turn fills the screen: the part to show depends on scrolling, and on the caret, match or
            // segment within it.
            if self.scroll.top.block.turn != self.turn {
                self.scroll.top = start;
            }
            self.follow(rows);
            self.follow_below(rows);
            self.scroll.top = self.scroll.top.min(self.lowest_top(rows));
            return;
        }
        self.scroll.followed = Follow::default();
        self.scroll.followed_below = None;
        // The top may be at most so low that `around` rows stay above the turn, and at most so high that
        // `around` rows stay below it.
        let around = (rows / 6).min(3).min(rows - height);
        let last = self.walk(start, -(around as isize));
        let first = self.walk(start, -((rows - height - around) as isize));
        self.scroll.top = self.scroll.top.clamp(first.min(last), last);
    }

    /// Scrolls within the current turn to the caret, the match or the selected segment, whichever has moved.
    /// If none has, the view stays, because the user may have scrolled it.
    fn follow(&mut self, rows: usize) {
        let now = self.ranges_to_follow();
        let before = std::mem::replace(&mut self.scroll.followed, now.clone());
        let moved = now.into_iter().zip(before).find(|(now, old)| now != old);
        let Some((Some(bytes), _)) = moved.filter(|(now, _)| now.is_some()) else {
            return;
        };
        let (turn, text) = (self.turn, self.text(self.turn));
        let part = |byte: usize| RowPart { turn, row: text.row_of(byte) };
        let first = RowPosition::start(part(bytes.start));
        // Include the marks under it.
        let block = part(bytes.end.saturating_sub(1).max(bytes.start));
        let line = self.height(block) - 1;
        // A second row of messages takes the last one.
        let around = isize::from(rows > 8);
        let lowest = self.walk(RowPosition { block, line }, 1 + around - rows as isize);
        self.scroll.top = self.scroll.top.max(lowest.max(start_of(turn))).min(first);
    }

    /// Scrolls to the line below the current turn's text that has the match, if the match has changed.
    fn follow_below(&mut self, rows: usize) {
        let below = self.lines_below(self.turn);
        let (Some(line), true) = (below.hit, self.hit != self.scroll.followed_below) else {
            self.scroll.followed_below = self.hit;
            return;
        };
        self.scroll.followed_below = self.hit;
        let (turn, row) = (self.turn, self.text(self.turn).rows.len());
        let block = RowPart { turn, row };
        let around = (rows / 6).min(3) as isize;
        let place = RowPosition { block, line };
        let first = self.walk(place, -around).max(start_of(turn));
        let lowest = self.walk(place, 1 + around - rows as isize);
        self.scroll.top = self.scroll.top.max(lowest.max(start_of(turn))).min(first);
    }

    /// Returns the bytes of the caret, the match and the selected segment in the current turn.
    fn ranges_to_follow(&mut self) -> Follow {
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

    /// Returns the last line of the current turn.
    fn end_of_turn(&mut self) -> RowPosition {
        let (turn, row) = (self.turn, self.text(self.turn).rows.len());
        self.last_line(RowPart { turn, row })
    }

    /// Returns the last line of a part, or if it has no lines, the last line above it.
    fn last_line(&mut self, block: RowPart) -> RowPosition {
        match self.height(block).checked_sub(1) {
            Some(line) => RowPosition { block, line },
            None => self.walk(RowPosition::start(block), -1),
        }
    }

    /// Returns the first line of a screen that ends with the current turn, which is at least as high.
    fn lowest_top(&mut self, rows: usize) -> RowPosition {
        let end = self.end_of_turn();
        self.walk(end, 1 - rows as isize)
    }

    /// Returns the number of lines of the current turn, or `rows` if it has more.
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

    /// Returns the last line of the last turn that is not hidden.
    fn end(&mut self) -> RowPosition {
        let turn = self.shown_from(self.visible().saturating_sub(1), false);
        let row = self.text(turn).rows.len();
        self.last_line(RowPart { turn, row })
    }

    /// Returns the lines of a turn as they are printed: with the marks of its segments, and as no turn is the current one.
    pub fn printed(&self, turn: usize, columns: usize) -> Vec<Line> {
        let text = TurnText::new(self, turn, columns, self.folds(turn));
        let hits = TurnHits::new(self, turn);
        let look = TurnStyle { marked: true, ..TurnStyle::default() };
        let mut lines = Vec::new();
        for row in 0..text.rows.len() {
            let part = RowPart { turn, row };
            lines.push(text_line(self, part, &text, &hits, &look, columns));
            let marks = RowMarks::new(self, part, &text, columns);
            let line = |lane| marks.line(self, turn, lane, &look, columns);
            lines.extend((0..marks.lines.len()).map(line));
        }
        let mut below = below(self, turn, columns, false).lines;
        if let Some(first) = below.first_mut().filter(|_| text.rows.is_empty()) {
            *first = headed_line(self, turn, first, &text, &hits, &look, columns);
        }
        lines.extend(below);
        lines
    }

    /// Scrolls by rows; the current turn moves along to stay visible.
    pub fn scroll(&mut self, by: isize) {
        self.unhold();
        if self.is_empty() || self.scroll.room.1 == 0 {
            return;
        }
        let rows = self.scroll.room.1;
        let mut top = self.walk(self.scroll.top, by);
        // Lay out the end only when it may come near: each turn has at least one row.
        let near = self.scroll.top.block.turn.saturating_add_signed(by) + rows >= self.visible()
            || !self.hidden.is_empty();
        let end = if by > 0 && near { self.end() } else { RowPosition::default() };
        if by > 0 && near {
            top = top.min(self.walk(end, 1 - rows as isize));
        }
        let context = ((rows / 6).min(3)) as isize;
        let (first, last) = if top == self.scroll.top {
            // There is nothing to scroll, so move to the first or last turn.
            (end, end)
        } else {
            let above = if top == RowPosition::default() { 0 } else { context };
            let first = self.walk(top, above);
            (first, self.walk(top, rows as isize - 1 - context))
        };
        self.scroll.top = top;
        let before = self.turn;
        let turns = first.block.turn..=last.block.turn.max(first.block.turn);
        self.go(before.clamp(*turns.start(), *turns.end()));
        if self.turn == before {
            // The layout would scroll back a turn that is partly off the screen, or that no longer fills it.
            let fills = self.height_up_to(rows) >= rows;
            let is_left = match (by > 0, fills) {
                (true, true) => top > self.lowest_top(rows),
                (true, false) => start_of(before) < first,
                (false, true) => top < start_of(before),
                (false, false) => self.end_of_turn() > last,
            };
            match is_left {
                true if by > 0 => {
                    self.go(self.shown_from((before + 1).min(self.visible() - 1), true));
                }
                true => self.go(self.shown_from(before.saturating_sub(1), false)),
                false => {}
            }
        }
    }

    /// Scrolls within the current turn if it continues below or above the screen. If it does not,
    /// returns false: another turn may become current.
    pub fn scroll_within(&mut self, direction: Direction) -> bool {
        let rows = self.scroll.room.1;
        if self.is_empty()
            || self.scroll.top.block.turn != self.turn
            || self.height_up_to(rows + 1) <= rows
        {
            return false;
        }
        let step = rows.saturating_sub(2).max(1) as isize;
        let top = if direction.is_forward() {
            self.walk(self.scroll.top, step).min(self.lowest_top(rows))
        } else {
            self.walk(self.scroll.top, -step).max(start_of(self.turn))
        };
        top != std::mem::replace(&mut self.scroll.top, top)
    }

    /// Returns the text of a turn, wrapped to rows.
    fn text(&mut self, turn: usize) -> Arc<TurnText> {
        let key = (turn, self.folds(turn));
        if let Some(text) = self.laid.texts.get(&key) {
            return Arc::clone(text);
        }
        let text = Arc::new(TurnText::new(self, turn, self.scroll.room.0, key.1));
        self.laid.texts.insert(key, Arc::clone(&text));
        text
    }

    /// Returns whether a turn is folded if it is long: instructions are, unless the caret or a match is in
    /// them. Fields of the dialog are found in its first turn, and not in its text.
    fn folds(&self, turn: usize) -> bool {
        let is_context = |turn: &Turn| turn.speaker.role == Role::Context;
        let has_caret = self.caret.is_some() && turn == self.turn;
        self.folds.all != Folding::Nothing
            && self.dialog.turns.get(turn).is_some_and(is_context)
            && !has_caret
            && !self.hits[self.hits.partition_point(|hit| hit.turn < turn)..]
                .iter()
                .take_while(|hit| hit.turn == turn)
                .any(|hit| hit.place == TextPlace::Turn)
    }

    fn turn_hits(&mut self, turn: usize) -> Arc<TurnHits> {
        if let Some(hits) = self.laid.hits.get(&turn) {
            return Arc::clone(hits);
        }
        let hits = Arc::new(TurnHits::new(self, turn));
        self.laid.hits.insert(turn, Arc::clone(&hits));
        hits
    }

    /// Returns the marks under a row of `text`; None if they are not shown.
    fn row_marks(&mut self, text: &TurnText, part: RowPart) -> Option<Arc<RowMarks>> {
        if !self.is_marked(part.turn, text) {
            return None;
        }
        if let Some(marks) = self.laid.marks.get(&part) {
            return Some(Arc::clone(marks));
        }
        let marks = Arc::new(RowMarks::new(self, part, text, self.scroll.room.0));
        self.laid.marks.insert(part, Arc::clone(&marks));
        Some(marks)
    }

    /// Returns whether bars below the text of a turn mark its segments.
    fn is_marked(&self, turn: usize, text: &TurnText) -> bool {
        self.is_open(turn) || self.marks == MarkDisplay::All || text.overlap
    }

    /// Returns the lines of a turn below its text.
    fn lines_below(&mut self, turn: usize) -> Arc<BelowText> {
        let key = (turn, self.is_open(turn));
        if let Some(lines) = self.laid.below.get(&key) {
            return Arc::clone(lines);
        }
        let lines = Arc::new(below(self, turn, self.scroll.room.0, key.1));
        self.laid.below.insert(key, Arc::clone(&lines));
        lines
    }

    /// Returns whether a turn shows the lines that only the current turn shows: the current turn, and while
    /// the mouse button is down also the one before.
    fn is_open(&self, turn: usize) -> bool {
        turn == self.turn || self.scroll.left == Some(turn)
    }

    /// Returns the current style of a turn's rows.
    fn turn_style(&self, turn: usize, text: &TurnText) -> TurnStyle {
        let marked = self.is_marked(turn, text);
        if turn != self.turn {
            return TurnStyle { marked, ..TurnStyle::default() };
        }
        let selection = self.selection();
        let caret = self.caret.map(|caret| Span { start: caret.at, end: caret.at });
        TurnStyle {
            current: true,
            marked,
            segment: self.segment,
            caret: caret.map(|span| text.places.bytes_of(span).start),
            selection: selection.map(|span| text.places.bytes_of(span)),
        }
    }

    /// Returns the lines at `places`.
    fn shown(&mut self, places: &[RowPosition]) -> Vec<ScreenRow> {
        let columns = self.scroll.room.0;
        let mut shown = Vec::with_capacity(places.len());
        for of_turn in places.chunk_by(|one, other| one.block.turn == other.block.turn) {
            let turn = of_turn[0].block.turn;
            let (text, hits) = (self.text(turn), self.turn_hits(turn));
            let look = self.turn_style(turn, &text);
            for place in of_turn.iter().copied() {
                let (part, number) = (place.block, place.line);
                let mut line = if part.row >= text.rows.len() {
                    let below = self.lines_below(turn);
                    let line = &below.lines[number];
                    if place == RowPosition::start(RowPart { turn, row: 0 }) {
                        headed_line(self, turn, line, &text, &hits, &look, columns)
                    } else {
                        line.clone()
                    }
                } else if let Some(lane) = number.checked_sub(1) {
                    let marks = self.row_marks(&text, part);
                    let line = |marks: Arc<RowMarks>| marks.line(self, turn, lane, &look, columns);
                    marks.map(line).unwrap_or_default()
                } else {
                    text_line(self, part, &text, &hits, &look, columns)
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
