//! Reads terminal input and sends it as messages.
//!
//! A separate thread reads the terminal, so the main loop can take many keys at once and never waits for
//! the rest of a key sequence while there is something to draw. Reading in the main loop would answer a
//! key 5 to 30 us sooner, of 450 us, but every background report would then have to wake it out of a
//! poll, with a signal for resizes and another mechanism on systems without poll.

use std::sync::mpsc::Sender;
use std::time::Duration;
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
    let mut terminal = Tty::open()?;
    let mut late = LateAnswer::default();
    loop {
        // Holds keys that may be an answer only as long as an answer takes to arrive.
        let within = late.has_begun().then_some(ANSWER);
        let msgs = match terminal.next(within)? {
            None => late.give_up(),
            Some(Input::PasteCancelled) => {
                vec![Msg::Complaint("the paste was cancelled".to_owned())]
            }
            Some(Input::Event(event)) => match message(event) {
                None => continue,
                Some(msg) if late.may_continue_with(&msg) => late.take(msg),
                Some(msg) => vec![msg],
            },
        };
        for msg in msgs {
            if to.send(RuntimeEvent::Msg(msg)).is_err() {
                return Ok(());
            }
        }
    }
}

/// Longest time between the characters of one answer.
const ANSWER: Duration = Duration::from_millis(30);
/// The answer to a query for the background colour, after the escape and the bracket.
const COLOUR: &str = "11;rgb:";

/// Detects a late answer to the query for the terminal's colour; its characters would otherwise act as
/// keys.
#[derive(Default)]
struct LateAnswer {
    held: Vec<Key>,
}

impl LateAnswer {
    fn has_begun(&self) -> bool {
        !self.held.is_empty()
    }

    /// Returns whether a message may be part of an answer; most cannot.
    fn may_continue_with(&self, msg: &Msg) -> bool {
        self.has_begun() || matches!(msg, Msg::Key(key) if begins(*key))
    }

    fn give_up(&mut self) -> Vec<Msg> {
        self.held.drain(..).map(Msg::Key).collect()
    }

    /// Returns the messages to pass on after `msg`.
    fn take(&mut self, msg: Msg) -> Vec<Msg> {
        let Msg::Key(key) = msg else {
            let mut all = self.give_up();
            all.push(msg);
            return all;
        };
        self.held.push(key);
        match self.judge() {
            AnswerMatch::Perhaps => Vec::new(),
            AnswerMatch::Answer => {
                self.held.clear();
                Vec::new()
            }
            AnswerMatch::Keys => self.give_up(),
        }
    }

    fn judge(&self) -> AnswerMatch {
        let alt = |key: &Key, char| key.alt && key.code == Code::Char(char);
        let Some((first, rest)) = self.held.split_first() else {
            return AnswerMatch::Keys;
        };
        if !begins(*first) {
            return AnswerMatch::Keys;
        }
        for (i, key) in rest.iter().enumerate() {
            let expected = COLOUR.chars().nth(i);
            let bell = key.ctrl && key.code == Code::Char('g');
            if expected.is_none() && (bell || alt(key, '\\')) {
                return AnswerMatch::Answer;
            }
            let Code::Char(char) = key.code else {
                return AnswerMatch::Keys;
            };
            let fits = expected.map_or(char.is_ascii_hexdigit() || char == '/', |e| e == char);
            if !fits || key.alt || key.ctrl {
                return AnswerMatch::Keys;
            }
        }
        AnswerMatch::Perhaps
    }
}

/// Returns true for the escape and the bracket, which arrive as one key.
fn begins(key: Key) -> bool {
    key.alt && key.code == Code::Char(']')
}

enum AnswerMatch {
    Keys,
    Perhaps,
    Answer,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(keys: &[Key]) -> (usize, bool) {
        let mut late = LateAnswer::default();
        let passed = keys.iter().flat_map(|key| late.take(Msg::Key(*key)));
        (passed.count(), late.has_begun())
    }

    fn keys(text: &str) -> Vec<Key> {
        text.split(' ')
            .map(|key| key.parse().expect("a key"))
            .collect()
    }

    #[test]
    fn a_late_answer_is_not_read_as_keys() {
        let answer = keys("A-] 1 1 ; r g b : 0 0 0 0 / 0 a 0 a / f f f f A-\\");
        assert_eq!(passed(&answer), (0, false));
        let mut bell = answer.clone();
        *bell.last_mut().expect("one") = "C-g".parse().expect("a key");
        assert_eq!(passed(&bell), (0, false));
        assert_eq!(passed(&answer[..9]), (0, true));
    }

    #[test]
    fn keys_stay_keys() {
        assert_eq!(passed(&keys("j A-j 1 1 ;")), (5, false));
        assert_eq!(passed(&keys("A-] j")), (2, false));
        assert_eq!(passed(&keys("A-] 1 2")), (3, false));
        assert_eq!(passed(&keys("A-] 1 1 ; r g b : up")), (9, false));
    }
}
