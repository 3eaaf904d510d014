//! Decodes bytes from a terminal into keys, pastes, mouse and focus events.
//!
//! # Why not crossterm's
//! It holds back everything after the start of a paste until the end arrives. If the connection
//! drops, the end may never arrive, and the screen does not show that keys are held back. It also takes
//! strings that terminals send, such as late answers about their colours, for keys.

mod answer;
mod piece;

use std::collections::VecDeque;
use std::time::Duration;

use crossterm::event::Event;
use memchr::memmem::find;

use answer::{StringEnd, continues_answer, is_answer, is_attributes, is_typed, string_end};
use piece::{ESC, InputPiece, piece};

const CTRL_C: u8 = 3;
/// The sequences before and after pasted text.
const BEGINS: &[u8] = b"\x1b[200~";
const ENDS: &[u8] = b"\x1b[201~";

/// Longest paste, in bytes.
const LONGEST: usize = 64 << 20;

/// A paste or a string without new input for this long has no end.
const PAUSE: Duration = Duration::from_secs(1);
/// Longest time that one sequence takes to arrive. After an escape without a rest for this long, the escape was a
/// key; while an answer is due, only after [`PAUSE`].
const SEQUENCE: Duration = Duration::from_millis(30);
/// For this long after the start, answers to what the program asked before may arrive.
const DUE: Duration = Duration::from_secs(5);
/// The rest of an answer comes within this time, or never.
const LATE: Duration = Duration::from_secs(10);

/// Longest string to keep, in bytes; of a longer one, only the beginning matters.
const LONGEST_STRING: usize = 4096;

/// An input event.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    Event(Event),
    /// The pasted text was dropped.
    PasteCancelled,
}

/// Turns bytes into events.
#[derive(Default)]
pub struct Decoder {
    /// Bytes not decoded yet.
    bytes: Vec<u8>,
    state: State,
    found: VecDeque<Input>,
    /// The beginning of a sequence whose rest did not arrive in time: it was decoded as a key, or is an answer.
    given_up: Vec<u8>,
    /// When the newest bytes arrived.
    latest: Duration,
    /// The terminal was asked something and has not answered yet.
    is_answer_due: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Keys,
    /// In a paste; its end is not in the first `searched` bytes.
    Paste { searched: usize },
    /// After a paste whose end is missing: the rest may still arrive, and must not act as keys.
    BrokenPaste,
    /// In a string that the terminal sends; its end is not in the first `searched` bytes.
    String { searched: usize },
}

impl Decoder {
    /// Returns a decoder; `is_answer_due` says whether the terminal was asked something and has not answered
    /// yet. Then the beginning of its answer may be lost.
    pub fn new(is_answer_due: bool) -> Self {
        Self {
            given_up: if is_answer_due { vec![ESC] } else { vec![] },
            is_answer_due,
            ..Self::default()
        }
    }

    /// Returns how long to wait for more input until [`Decoder::give_up`]; None if nothing has begun and not
    /// ended.
    pub fn patience(&self) -> Option<Duration> {
        let is_due = self.is_answer_due && self.latest < DUE;
        let sequence = if is_due { PAUSE } else { SEQUENCE };
        match self.state {
            State::Paste { .. } => Some(PAUSE),
            State::String { .. } if self.bytes.len() > 2 => Some(PAUSE),
            State::String { .. } => Some(sequence),
            _ => (self.bytes == [ESC]).then_some(sequence),
        }
    }

    pub fn next(&mut self) -> Option<Input> {
        self.found.pop_front()
    }

    /// Decodes bytes that arrived `at` a time since the start; `more` says whether more can be read at once.
    pub fn feed(&mut self, new: &[u8], more: bool, at: Duration) {
        let pause = at.saturating_sub(std::mem::replace(&mut self.latest, at));
        if self.bytes == [ESC] && pause > SEQUENCE && is_typed(new) {
            self.give_up();
        }
        let mut begun = std::mem::take(&mut self.given_up);
        if !begun.is_empty() && pause < LATE {
            let searched = begun.len();
            begun.extend_from_slice(new);
            if continues_answer(&begun, searched) {
                // The rest of an answer does not act as keys even if its beginning did.
                if begun[1] != b'[' {
                    self.state = State::String { searched: 2 };
                }
                self.bytes = begun;
                self.decode(more);
                return;
            }
            if begun.len() == 2 {
                self.given_up = begun;
            }
        }
        self.bytes.extend_from_slice(new);
        if self.state == State::BrokenPaste {
            self.state = self.behind_broken_paste();
        }
        self.decode(more);
    }

    fn decode(&mut self, more: bool) {
        let mut at = 0;
        loop {
            let bytes = &self.bytes[at..];
            if let State::Paste { searched } = self.state {
                let from = searched.saturating_sub(ENDS.len() - 1);
                if let Some(end) = find(&bytes[from..], ENDS) {
                    let text = pasted(&bytes[..from + end]);
                    at += from + end + ENDS.len();
                    self.found.extend(text);
                    self.state = State::Keys;
                    continue;
                }
                // Pasted text may contain a Ctrl-C, but then more text follows.
                if bytes.last() == Some(&CTRL_C) && !more || bytes.len() > LONGEST {
                    self.found.push_back(Input::PasteCancelled);
                    at = self.bytes.len();
                    self.state = State::BrokenPaste;
                } else {
                    let searched = bytes.len();
                    self.state = State::Paste { searched };
                }
                break;
            }
            if let State::String { searched } = self.state {
                match string_end(bytes, searched) {
                    StringEnd::At(end) => at += end,
                    StringEnd::BrokenOff(end) if is_answer(&bytes[..end]) => at += end,
                    StringEnd::BrokenOff(_) => at += self.take_key(at),
                    StringEnd::Missing { searched } => {
                        let kept = searched.min(LONGEST_STRING);
                        self.bytes.drain(at + kept..at + searched);
                        self.state = State::String { searched: kept };
                        break;
                    }
                }
                self.state = State::Keys;
                continue;
            }
            let Some((length, piece)) = piece(bytes, true) else {
                break;
            };
            match piece {
                InputPiece::Event(event) => self.found.push_back(Input::Event(event)),
                InputPiece::PasteBegins => self.state = State::Paste { searched: 0 },
                InputPiece::StringBegins => {
                    self.state = State::String { searched: length };
                    continue;
                }
                // The last answer, whichever came before.
                InputPiece::Unknown if is_attributes(&bytes[..length]) => {
                    self.is_answer_due = false;
                }
                InputPiece::Unknown => {}
            }
            at += length;
        }
        self.bytes.drain(..at);
    }

    /// Ends what has begun and whose end did not arrive in time: passes on the text of a paste so far, drops an
    /// answer of the terminal, and decodes everything else as keys.
    pub fn give_up(&mut self) {
        match self.state {
            State::Paste { .. } => {
                let text = &self.bytes;
                let end = (0..ENDS.len()).rfind(|count| text.ends_with(&ENDS[..*count]));
                self.found.extend(pasted(&text[..text.len() - end.unwrap_or(0)]));
                self.bytes.clear();
                self.state = State::BrokenPaste;
            }
            State::String { .. } if is_answer(&self.bytes) => {
                self.given_up = std::mem::take(&mut self.bytes);
                self.state = State::Keys;
            }
            State::String { .. } | State::Keys | State::BrokenPaste => {
                self.given_up.clone_from(&self.bytes);
                if self.state != State::BrokenPaste {
                    self.state = State::Keys;
                }
                let at = self.take_key(0);
                self.bytes.drain(..at);
                self.decode(false);
                // It may end with an escape that has waited as long.
                if self.bytes == [ESC] {
                    self.take_key(0);
                    self.bytes.clear();
                }
            }
        }
    }

    /// Decodes the escape at `at`, and the character behind it, as a key although more might follow; returns the
    /// length of both.
    fn take_key(&mut self, at: usize) -> usize {
        let Some((length, found)) = piece(&self.bytes[at..], false) else {
            return 0;
        };
        if let InputPiece::Event(event) = found {
            self.found.push_back(Input::Event(event));
        }
        length
    }

    /// Decides whether bytes after a paste without an end are typed or pasted. People type one character
    /// at a time; several at once belong to the paste.
    fn behind_broken_paste(&self) -> State {
        let (mut at, mut characters) = (0, 0);
        if find(&self.bytes, ENDS).is_some() && !self.bytes.starts_with(BEGINS) {
            return State::Paste { searched: 0 };
        }
        while let Some((length, found)) = piece(&self.bytes[at..], true) {
            if matches!(found, InputPiece::PasteBegins | InputPiece::StringBegins) {
                break;
            }
            characters += usize::from(self.bytes[at] != ESC);
            at += length;
        }
        match characters {
            0 => State::BrokenPaste,
            1 => State::Keys,
            _ => State::Paste { searched: 0 },
        }
    }
}

/// Returns the pasted text; None if it is empty, as it is when only the end was missing.
fn pasted(bytes: &[u8]) -> Option<Input> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    (!text.is_empty()).then_some(Input::Event(Event::Paste(text)))
}

#[cfg(test)]
mod tests;
