//! What the terminal sends, as messages.
//!
//! A thread of its own reads it: the main loop then takes many keys at once, and never waits for one
//! while something else is to be drawn.

use std::sync::mpsc::Sender;
use std::thread;

use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use super::browse::Incoming;
use crate::app::key::{Code, Key};
use crate::app::layout::Size;
use crate::app::{Mouse, MouseAction, Msg};

/// Starts the thread. It ends when the terminal or the receiver is gone.
pub fn start(to: Sender<Incoming>) {
    thread::spawn(move || {
        loop {
            match event::read() {
                Ok(event) => {
                    if let Some(msg) = message(event)
                        && to.send(Incoming::Msg(msg)).is_err()
                    {
                        return;
                    }
                }
                Err(error) => {
                    let _ = to.send(Incoming::Lost(error.to_string()));
                    return;
                }
            }
        }
    });
}

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_of(key).map(Msg::Key),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(columns, rows) => Some(Msg::Resize(Size { columns, rows })),
        Event::Mouse(mouse) => {
            let action = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseAction::Press,
                MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
                MouseEventKind::Up(MouseButton::Left) => MouseAction::Release,
                MouseEventKind::ScrollUp => MouseAction::WheelUp,
                MouseEventKind::ScrollDown => MouseAction::WheelDown,
                _ => return None,
            };
            Some(Msg::Mouse(Mouse {
                action,
                column: mouse.column,
                row: mouse.row,
            }))
        }
        _ => None,
    }
}

fn key_of(event: KeyEvent) -> Option<Key> {
    let mut key = Key::plain(match event.code {
        KeyCode::Char(char) => Code::Char(char),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab | KeyCode::BackTab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        _ => return None,
    });
    key.ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    key.alt = event.modifiers.contains(KeyModifiers::ALT);
    let character = matches!(key.code, Code::Char(_));
    key.shift = event.code == KeyCode::BackTab
        || event.modifiers.contains(KeyModifiers::SHIFT) && !character;
    Some(key)
}
