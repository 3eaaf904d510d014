//! Reads terminal input and sends it as messages.
//!
//! A separate thread reads the terminal, so the main loop can take many keys at once and never waits for
//! the rest of a key sequence while there is something to draw. Reading in the main loop would answer a
//! key 5 to 30 us sooner, of 450 us, but every background report would then have to wake it out of a
//! poll, with a signal for resizes and another mechanism on systems without poll.
//!
//! # Limits
//! crossterm parses. It holds back everything after the start of a paste until the end arrives. An escape at the end
//! of a read is a key, even where the rest of a sequence is late. A mouse report from column or row 0, which no
//! terminal sends, overflows: a debug build panics.

use std::sync::mpsc::Sender;
use std::time::Duration;
use std::{io, thread};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind, poll, read,
};

use super::event::RuntimeEvent;
use crate::app::input::{Code, Key};
use crate::app::{Mouse, MouseAction, Msg};

/// The rest of a sequence comes within this time.
const SEQUENCE: Duration = Duration::from_millis(30);
/// A string of the terminal without new input for this long has no end.
const PAUSE: Duration = Duration::from_secs(1);

/// Starts the thread. It ends when the terminal or the receiver is gone.
pub fn start(to: Sender<RuntimeEvent>) {
    thread::spawn(move || {
        if let Err(error) = run(&to) {
            let _ = to.send(RuntimeEvent::Lost(error.to_string()));
        }
    });
}

/// Reads the terminal until the receiver is gone.
///
/// # Errors
/// If the terminal is gone.
fn run(to: &Sender<RuntimeEvent>) -> io::Result<()> {
    loop {
        let mut event = Some(read()?);
        if event.as_ref().is_some_and(begins_string) && poll(SEQUENCE)? {
            event = behind_string()?;
        }
        if let Some(msg) = event.and_then(message)
            && to.send(RuntimeEvent::Msg(msg)).is_err()
        {
            return Ok(());
        }
    }
}

/// True for what the library makes of the beginning of a string that terminals send (OSC, DCS, SOS, PM, APC), such as a
/// late answer about the terminal's colours.
fn begins_string(event: &Event) -> bool {
    matches!(alt_char(event), Some(']' | 'P' | 'X' | '^' | '_'))
}

/// Reads the rest of a string, which must not act as keys, and returns the event that broke it off, if any.
fn behind_string() -> io::Result<Option<Event>> {
    while poll(PAUSE)? {
        let event = read()?;
        let Event::Key(key) = &event else { return Ok(Some(event)) };
        match key.code {
            // A bell, or an escape with a backslash.
            KeyCode::Char('g') if key.modifiers == KeyModifiers::CONTROL => return Ok(None),
            KeyCode::Char(_) if alt_char(&event) == Some('\\') => return Ok(None),
            KeyCode::Char(_) if !key.modifiers.intersects(!KeyModifiers::SHIFT) => {}
            _ => return Ok(Some(event)),
        }
    }
    Ok(None)
}

/// Returns the character that was pressed with Alt alone.
fn alt_char(event: &Event) -> Option<char> {
    let key =
        event.as_key_event().filter(|key| key.modifiers - KeyModifiers::SHIFT == KeyModifiers::ALT);
    key.and_then(|key| key.code.as_char())
}

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_of(key).map(Msg::Key),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::FocusGained => Some(Msg::Focused),
        // On Unix, a signal tells it at once, also while a sequence has begun and not ended.
        #[cfg(not(unix))]
        Event::Resize(columns, rows) => {
            Some(Msg::Resize(ratatui::layout::Size::new(columns, rows)))
        }
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
