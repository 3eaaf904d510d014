//! A line, or several, in which the user types.
//!
//! The only file here that knows the text area it wraps.

use tui_textarea::{CursorMove, Input, Key as Typed, TextArea};

use super::key::{Code, Key};

/// Text being typed.
#[derive(Clone, Debug, Default)]
pub struct Field {
    area: TextArea<'static>,
}

impl Field {
    /// A field that holds `text`, with the cursor behind it.
    pub fn new(text: &str) -> Self {
        let mut area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        area.move_cursor(CursorMove::Bottom);
        area.move_cursor(CursorMove::End);
        Self { area }
    }

    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Line and character of the cursor, from 0.
    pub fn cursor(&self) -> (usize, usize) {
        let cursor = self.area.cursor();
        (cursor.0, cursor.1)
    }

    /// As it is drawn.
    pub fn area(&self) -> &TextArea<'static> {
        &self.area
    }

    pub fn insert(&mut self, text: &str) {
        self.area.insert_str(text);
    }

    /// Takes a key; true if the text is another one now.
    pub fn input(&mut self, key: Key) -> bool {
        // As in every shell; the text area would undo.
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
        self.area.input(Input {
            key: typed,
            ctrl,
            alt,
            shift,
        })
    }
}
