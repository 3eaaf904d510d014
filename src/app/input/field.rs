//! A text field of one or more lines.
//!
//! It wraps the `tui_textarea` crate, which no other file here uses. That crate moves by characters; this
//! field keeps its cursor between graphemes.

use tui_textarea::{CursorMove, Input, Key as Typed, TextArea};

use crate::app::input::{Code, Key};
use crate::text::{Motion, boundary};

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

    /// The text area to draw.
    pub fn area(&self) -> &TextArea<'static> {
        &self.area
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
        let Key {
            ctrl, alt, shift, ..
        } = key;
        let before = self.cursor();
        let input = Input {
            key: typed,
            ctrl,
            alt,
            shift,
        };
        let mut is_changed = false;
        for _ in 0..self.characters(key) {
            is_changed |= self.area.input(input.clone());
        }
        if !is_changed {
            self.leave_grapheme(self.cursor() > before);
        }
        is_changed
    }

    /// Returns how often to pass a key to the text area: for keys that move over or delete a grapheme, its
    /// number of characters; 1 for all others.
    fn characters(&self, key: Key) -> usize {
        let (deletes, forward) = match (key.code, key.ctrl, key.alt) {
            (Code::Left, false, false) | (Code::Char('b'), true, false) => (false, false),
            (Code::Right, false, false) | (Code::Char('f'), true, false) => (false, true),
            (Code::Backspace, false, false) | (Code::Char('h'), true, false) => (true, false),
            (Code::Delete, false, false) | (Code::Char('d'), true, false) => (true, true),
            _ => return 1,
        };
        // One key deletes the whole selection.
        if deletes && self.area.is_selecting() {
            return 1;
        }
        let (row, column) = self.cursor();
        let line = &self.area.lines()[row];
        let edge = boundary(line, column, Motion::Grapheme, forward);
        edge.abs_diff(column).max(1)
    }

    /// Moves the cursor to an edge of the grapheme it is in, if a word or line motion ended inside one.
    fn leave_grapheme(&mut self, forward: bool) {
        let (row, column) = self.cursor();
        let line = &self.area.lines()[row];
        let start = boundary(line, column, Motion::Grapheme, false);
        let end = boundary(line, start, Motion::Grapheme, true);
        if column == 0 || end <= column {
            return;
        }
        let (step, characters) = if forward {
            (CursorMove::Forward, end - column)
        } else {
            (CursorMove::Back, column - start)
        };
        for _ in 0..characters {
            self.area.move_cursor(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line after these keys, with `|` at the cursor.
    fn typed(text: &str, keys: &str) -> String {
        let mut field = TextField::new(text);
        for key in keys.split(' ') {
            field.input(key.parse().expect("a key"));
        }
        let (row, column) = field.cursor();
        let line = &field.area.lines()[row];
        let (before, behind): (Vec<_>, Vec<_>) =
            line.chars().enumerate().partition(|(at, _)| *at < column);
        let text = |chars: Vec<(usize, char)>| chars.into_iter().map(|(_, c)| c).collect();
        let (before, behind): (String, String) = (text(before), text(behind));
        format!("{before}|{behind}")
    }

    #[test]
    fn cursor_stays_between_graphemes() {
        let family = "a👨‍👩‍👧b";
        assert_eq!(typed(family, "left"), "a👨‍👩‍👧|b");
        assert_eq!(typed(family, "left left"), "a|👨‍👩‍👧b");
        assert_eq!(typed(family, "C-b C-b C-f"), "a👨‍👩‍👧|b");
        assert_eq!(typed(family, "home right right"), "a👨‍👩‍👧|b");
        assert_eq!(typed("🇩🇪🇫🇷", "left"), "🇩🇪|🇫🇷");
    }

    #[test]
    fn graphemes_are_deleted_as_a_whole() {
        let family = "a👨‍👩‍👧b";
        assert_eq!(typed(family, "left backspace"), "a|b");
        assert_eq!(typed(family, "left left delete"), "a|b");
        assert_eq!(typed(family, "left left C-d"), "a|b");
        assert_eq!(typed(family, "left C-h C-h"), "|b");
        assert_eq!(typed("cafe\u{301}", "backspace"), "caf|");
        assert_eq!(typed("a👨‍👩‍👧b", "S-left backspace"), "a👨‍👩‍👧|");
        assert_eq!(typed("one\ntwo", "home backspace"), "one|two");
    }

    #[test]
    fn words_and_lines_lead_between_graphemes() {
        for keys in [
            "home C-right",
            "home C-right C-right",
            "home C-right C-right C-left",
        ] {
            let typed = typed("o e\u{301}\u{302}e\u{301} x", keys);
            let behind = typed.split_once('|').map(|(_, behind)| behind);
            assert!(
                !behind
                    .unwrap_or_default()
                    .starts_with(['\u{301}', '\u{302}']),
                "{keys}: {typed}"
            );
        }
        assert_eq!(typed("👨‍👩‍👧b\nabc", "home right right right up"), "|👨‍👩‍👧b");
    }
}
