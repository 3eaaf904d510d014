//! A text field of one or more lines.
//!
//! It wraps the `tui_textarea` crate, which no other file here uses. That crate moves by characters; this
//! field keeps its cursor between graphemes. The crate's own word wrap is not used: it wraps the whole text at
//! each key, takes a grapheme for as wide as its characters together, and hides zero-width characters.

use std::ops::Range;

use tui_textarea::{CursorMove, Input, Key as Typed, TextArea};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::input::{Code, Key};
use crate::text::Direction::{Back, Forward};
use crate::text::{Direction, Motion, boundary, byte_of, count, rows_around, visible, width};

/// A text field.
#[derive(Clone, Debug, Default)]
pub struct TextField {
    area: TextArea<'static>,
}

impl TextField {
    /// Returns a field with `text` and the cursor at its end.
    pub fn new(text: &str) -> Self {
        let mut area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        area.move_cursor(CursorMove::Bottom);
        area.move_cursor(CursorMove::End);
        Self { area }
    }

    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Returns the line and character of the cursor, both from 0.
    pub fn cursor(&self) -> (usize, usize) {
        let cursor = self.area.cursor();
        (cursor.0, cursor.1)
    }

    /// Returns the byte of the text that the cursor is before.
    pub fn cursor_byte(&self) -> usize {
        self.byte_at(self.cursor())
    }

    /// Returns the selected bytes of the text, if any.
    pub fn selection(&self) -> Option<Range<usize>> {
        let (start, end) = self.area.selection_range()?;
        let bytes = self.byte_at(start)..self.byte_at(end);
        (!bytes.is_empty()).then_some(bytes)
    }

    /// Returns the byte of the text at a character of a line.
    fn byte_at(&self, (row, column): (usize, usize)) -> usize {
        let before: usize = self.area.lines()[..row].iter().map(|l| l.len() + 1).sum();
        let line = &self.area.lines()[row];
        before + byte_of(line, column).unwrap_or(line.len())
    }

    /// Moves the cursor by `by` rows of the text as it is wrapped to `columns`; selects what it passes if
    /// `selects`.
    pub fn step_row(&mut self, columns: usize, by: isize, selects: bool) {
        let (text, cursor) = (self.text(), self.cursor_byte());
        let around = rows_around(&text, cursor, columns);
        let last = around.rows.len() - 1;
        let target = around.cursor.saturating_add_signed(by).min(last);
        let column = width(&visible(&text[around.rows[around.cursor].start..cursor]));
        let byte = if target == around.cursor {
            cursor
        } else {
            byte_in_row(&text, &around.rows[target], column)
        };
        self.move_to(byte, selects);
    }

    /// Moves the cursor to the grapheme in column `column` of a row of the text.
    pub fn move_to_column(&mut self, row: &Range<usize>, column: usize) {
        let byte = byte_in_row(&self.text(), row, column);
        self.move_to(byte, false);
    }

    /// Moves the cursor to byte `byte` of the text.
    fn move_to(&mut self, byte: usize, selects: bool) {
        if !selects {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
        let (mut row, mut start) = (0, 0);
        for line in self.area.lines() {
            if byte <= start + line.len() {
                break;
            }
            start += line.len() + 1;
            row += 1;
        }
        let column = count(&self.area.lines()[row][..byte - start]);
        // It jumps no further.
        let [row, column] = [row, column].map(|place| u16::try_from(place).unwrap_or(u16::MAX));
        self.area.move_cursor(CursorMove::Jump(row, column));
    }

    pub fn select_all(&mut self) {
        self.area.select_all();
    }

    pub fn insert(&mut self, text: &str) {
        self.area.insert_str(text);
    }

    /// Handles a key; returns true if the text changed.
    pub fn input(&mut self, key: Key) -> bool {
        // Ctrl-U deletes to the start of the line, as in shells; in the text area it would undo.
        if key.ctrl && key.code == Code::Char('u') {
            return self.area.delete_line_by_head();
        }
        let typed = match key.code {
            Code::Char(char) => Typed::Char(char),
            Code::Enter => Typed::Enter,
            Code::Esc => Typed::Esc,
            Code::Tab => Typed::Tab,
            Code::Backspace => Typed::Backspace,
            Code::Delete => Typed::Delete,
            Code::Up => Typed::Up,
            Code::Down => Typed::Down,
            Code::Left => Typed::Left,
            Code::Right => Typed::Right,
            Code::Home => Typed::Home,
            Code::End => Typed::End,
            Code::PageUp => Typed::PageUp,
            Code::PageDown => Typed::PageDown,
            Code::F(number) => Typed::F(number),
            Code::Insert => Typed::Null,
        };
        let Key { ctrl, alt, shift, .. } = key;
        let before = self.cursor();
        let input = Input { key: typed, ctrl, alt, shift };
        let mut is_changed = false;
        for _ in 0..self.characters(key) {
            is_changed |= self.area.input(input.clone());
        }
        if !is_changed {
            let is_forward = self.cursor() > before;
            self.leave_grapheme(if is_forward { Forward } else { Back });
        }
        is_changed
    }

    /// Returns how often to pass a key to the text area: for keys that move over or delete a grapheme, its
    /// number of characters; 1 for all others.
    fn characters(&self, key: Key) -> usize {
        let (deletes, direction) = match (key.code, key.ctrl, key.alt) {
            (Code::Left, false, false) | (Code::Char('b'), true, false) => (false, Back),
            (Code::Right, false, false) | (Code::Char('f'), true, false) => (false, Forward),
            (Code::Backspace, false, false) | (Code::Char('h'), true, false) => (true, Back),
            (Code::Delete, false, false) | (Code::Char('d'), true, false) => (true, Forward),
            _ => return 1,
        };
        // One key deletes the whole selection.
        if deletes && self.area.is_selecting() {
            return 1;
        }
        let (row, column) = self.cursor();
        let line = &self.area.lines()[row];
        let edge = boundary(line, column, Motion::Grapheme, direction);
        edge.abs_diff(column).max(1)
    }

    /// Moves the cursor to an edge of the grapheme it is in, if a word or line motion ended inside one.
    fn leave_grapheme(&mut self, direction: Direction) {
        let (row, column) = self.cursor();
        let line = &self.area.lines()[row];
        let start = boundary(line, column, Motion::Grapheme, Back);
        let end = boundary(line, start, Motion::Grapheme, Forward);
        if column == 0 || end <= column {
            return;
        }
        let (step, characters) = if direction.is_forward() {
            (CursorMove::Forward, end - column)
        } else {
            (CursorMove::Back, column - start)
        };
        for _ in 0..characters {
            self.area.move_cursor(step);
        }
    }
}

/// Returns the byte before the grapheme in column `column` of `row`, a row of `text`; in the last column for
/// a column after the end. A row that is wrapped ends before its last grapheme, because the byte after that
/// is in the next row.
fn byte_in_row(text: &str, row: &Range<usize>, column: usize) -> usize {
    let is_wrapped = text[row.end..].chars().next().is_some_and(|char| char != '\n');
    let (mut used, mut before) = (0, row.start);
    for (offset, grapheme) in text[row.clone()].grapheme_indices(true) {
        before = row.start + offset;
        used += width(&visible(grapheme));
        if used > column {
            return before;
        }
    }
    if is_wrapped { before } else { row.end }
}
