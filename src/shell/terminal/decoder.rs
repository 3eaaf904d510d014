//! Decodes bytes from a terminal into keys, pastes, mouse and focus events.
//!
//! # Why not crossterm's
//! It holds back everything after the start of a paste until the end arrives. If the connection
//! drops, the end may never arrive, and the screen does not show that keys are held back.

mod piece;

use std::collections::VecDeque;

use crossterm::event::Event;
use memchr::memmem::find;

use piece::{ESC, InputPiece, piece};

const CTRL_C: u8 = 3;
/// The sequences before and after pasted text.
const BEGINS: &[u8] = b"\x1b[200~";
const ENDS: &[u8] = b"\x1b[201~";

/// Longest paste, in bytes.
const LONGEST: usize = 64 << 20;

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
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Keys,
    /// In a paste; its end is not in the first `searched` bytes.
    Paste { searched: usize },
    /// After a paste whose end is missing: the rest may still arrive, and must not act as keys.
    BrokenPaste,
}

impl Decoder {
    /// Returns true if a paste has begun and not ended.
    pub fn is_pasting(&self) -> bool {
        matches!(self.state, State::Paste { .. })
    }

    pub fn next(&mut self) -> Option<Input> {
        self.found.pop_front()
    }

    /// Decodes new bytes; `more` says whether more can be read at once.
    pub fn feed(&mut self, new: &[u8], more: bool) {
        self.bytes.extend_from_slice(new);
        if self.state == State::BrokenPaste {
            self.state = self.behind_broken_paste();
        }
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
            let Some((length, piece)) = piece(bytes, more) else {
                break;
            };
            at += length;
            match piece {
                InputPiece::Event(event) => self.found.push_back(Input::Event(event)),
                InputPiece::PasteBegins => self.state = State::Paste { searched: 0 },
                InputPiece::Unknown => {}
            }
        }
        self.bytes.drain(..at);
    }

    /// Ends a paste whose end did not arrive in time, and passes on the text so far.
    pub fn end_paste(&mut self) {
        if self.is_pasting() {
            let text = &self.bytes;
            let end = (0..ENDS.len()).rfind(|count| text.ends_with(&ENDS[..*count]));
            self.found
                .extend(pasted(&text[..text.len() - end.unwrap_or(0)]));
            self.bytes.clear();
            self.state = State::BrokenPaste;
        }
    }

    /// Decides whether bytes after a paste without an end are typed or pasted. People type one character
    /// at a time; several at once belong to the paste.
    fn behind_broken_paste(&self) -> State {
        let (mut at, mut characters) = (0, 0);
        if find(&self.bytes, ENDS).is_some() && !self.bytes.starts_with(BEGINS) {
            return State::Paste { searched: 0 };
        }
        while let Some((length, found)) = piece(&self.bytes[at..], false) {
            if matches!(found, InputPiece::PasteBegins) {
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
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    /// Returns the events of `pieces`, each fed before the next one arrives.
    fn decoded(pieces: &[&str]) -> Vec<Event> {
        let mut decoder = Decoder::default();
        for piece in pieces {
            decoder.feed(piece.as_bytes(), false);
        }
        let found = std::iter::from_fn(|| decoder.next());
        let event = |input| match input {
            Input::Event(event) => event,
            Input::PasteCancelled => Event::Paste("cancelled".to_owned()),
        };
        found.map(event).collect()
    }

    fn char(char: char) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(char), KeyModifiers::NONE))
    }

    fn paste(text: &str) -> Event {
        Event::Paste(text.to_owned())
    }

    #[test]
    fn pieces_mean_what_the_whole_means() {
        let whole = "aé\x1b[1;5A世\x1b[200~q\x1b[2\x1b[201~\x1b[<0;3;2Mz\x1b[15~";
        let wanted = decoded(&[whole]);
        assert_eq!(wanted.len(), 8);
        for cut in 0..=whole.len() {
            let mut decoder = Decoder::default();
            let (first, rest) = whole.as_bytes().split_at(cut);
            decoder.feed(first, true);
            decoder.feed(rest, false);
            let found: Vec<_> = std::iter::from_fn(|| decoder.next()).collect();
            let wanted: Vec<_> = wanted.iter().cloned().map(Input::Event).collect();
            assert_eq!(found, wanted, "cut at {cut}");
        }
    }

    #[test]
    fn paste_without_an_end_is_pasted_after_a_pause_and_the_rest_is_dropped() {
        let mut decoder = Decoder::default();
        let mut feed = |bytes: &str, pause: bool| {
            decoder.feed(bytes.as_bytes(), false);
            if pause {
                decoder.end_paste();
            }
            let found = std::iter::from_fn(|| decoder.next());
            found.collect::<Vec<_>>()
        };
        let events =
            |events: &[Event]| events.iter().cloned().map(Input::Event).collect::<Vec<_>>();
        assert_eq!(
            feed("\x1b[200~some te\x1b[20", true),
            events(&[paste("some te")])
        );
        assert_eq!(feed("xt, q", true), events(&[paste("xt, q")]));
        assert_eq!(
            feed("the end\x1b[201~j", false),
            events(&[paste("the end"), char('j')])
        );
        // A typed key acts as a key.
        assert_eq!(feed("\x1b[200~some", true), events(&[paste("some")]));
        let moved = feed("\x1b[<35;3;2M\x1b[<35;4;2M", false);
        assert_eq!(moved.len(), 2);
        assert_eq!(feed("q", false), events(&[char('q')]));
        assert_eq!(feed("jj", false), events(&[char('j'), char('j')]));
        // Only its end was missing.
        assert_eq!(feed("\x1b[200~some", true), events(&[paste("some")]));
        assert_eq!(feed("\x1b[201~", false), []);
        // Another one begins.
        assert_eq!(feed("\x1b[200~some", true), events(&[paste("some")]));
        assert_eq!(
            feed("\x1b[200~more\x1b[201~", false),
            events(&[paste("more")])
        );
    }

    #[test]
    fn paste_is_dropped_by_a_ctrl_c_that_nothing_follows() {
        let held = "\x1b[200~a\x03b";
        assert_eq!(decoded(&[held, "c\x1b[201~"]), [paste("a\x03bc")]);
        let dropped = decoded(&[held, "\x03", "rest of it\x1b[201~j"]);
        assert_eq!(
            dropped,
            [paste("cancelled"), paste("rest of it"), char('j')]
        );
    }
}
