//! Reads terminal input and sends it as messages.
//!
//! A separate thread reads the terminal, so the main loop can take many keys at once and never waits for
//! the rest of a key sequence while there is something to draw. Reading in the main loop would answer a
//! key 5 to 30 us sooner, of 450 us, but every background report would then have to wake it out of a
//! poll, with a signal for resizes and another mechanism on systems without poll.

use std::sync::mpsc::Sender;
use std::{io, thread};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::Size;

use super::decoder::Input;
use super::event::RuntimeEvent;
use super::tty::Tty;
use crate::app::input::{Code, Key};
use crate::app::{Mouse, MouseAction, Msg};

/// Starts the thread. It ends when the terminal or the receiver is gone. `is_answer_due` says whether the
/// terminal was asked something and has not answered yet.
pub fn start(to: Sender<RuntimeEvent>, is_answer_due: bool) {
    thread::spawn(move || {
        if let Err(error) = run(&to, is_answer_due) {
            let _ = to.send(RuntimeEvent::Lost(error.to_string()));
        }
    });
}

/// Reads the terminal until the receiver is gone.
///
/// # Errors
/// If the terminal is gone.
fn run(to: &Sender<RuntimeEvent>, is_answer_due: bool) -> io::Result<()> {
    let mut terminal = Tty::open(is_answer_due)?;
    loop {
        let msg = match terminal.next()? {
            Input::PasteCancelled => Msg::Complaint("the paste was cancelled".to_owned()),
            Input::Event(event) => match message(event) {
                None => continue,
                Some(msg) => msg,
            },
        };
        if to.send(RuntimeEvent::Msg(msg)).is_err() {
            return Ok(());
        }
    }
}

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_of(key).map(Msg::Key),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::FocusGained => Some(Msg::Focused),
        Event::Resize(columns, rows) => Some(Msg::Resize(Size::new(columns, rows))),
        Event::Mouse(mouse) => {
            let action = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseAction::Press,
                MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
                MouseEventKind::Up(MouseButton::Left) => MouseAction::Release,
                MouseEventKind::ScrollUp => MouseAction::WheelUp,
                MouseEventKind::ScrollDown => MouseAction::WheelDown,
                _ => return None,
            };
            Some(Msg::Mouse(Mouse { action, column: mouse.column, row: mouse.row }))
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
