//! Decodes bytes from a terminal into keys, pastes, mouse and focus events.
//!
//! # Why not crossterm's
//! It holds back everything after the start of a paste until the end arrives. If the connection
//! drops, the end may never arrive, and the screen does not show that keys are held back. It also takes
//! strings that terminals send, such as late answers about their colours, for keys.

mod piece;

use std::collections::VecDeque;
use std::time::Duration;

use crossterm::event::Event;
use memchr::memmem::find;

use piece::{ESC, InputPiece, piece};

const CTRL_C: u8 = 3;
const BELL: u8 = 7;
/// The sequences before and after pasted text.
const BEGINS: &[u8] = b"\x1b[200~";
const ENDS: &[u8] = b"\x1b[201~";

/// Longest paste, in bytes.
const LONGEST: usize = 64 << 20;

/// A paste or a string without new input for this long has no end.
const PAUSE: Duration = Duration::from_secs(1);
/// Longest time that one sequence takes to arrive. After an escape without a rest for this long, the escape was a
/// key.
const SEQUENCE: Duration = Duration::from_millis(30);

/// Longest string to keep, in bytes; of a longer one, only the beginning matters.
const LONGEST_STRING: usize = 4096;
/// Most bytes of a string without an end that a person may have typed so fast, with the escape.
const TYPED: usize = 16;

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
    /// The beginning of a sequence that was decoded as a key because its rest did not arrive in time.
    given_up: Vec<u8>,
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
    /// Returns how long to wait for more input until [`Decoder::give_up`]; None if nothing has begun and not
    /// ended.
    pub fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Paste { .. } => Some(PAUSE),
            State::String { .. } if self.bytes.len() > 2 => Some(PAUSE),
            State::String { .. } => Some(SEQUENCE),
            _ => (self.bytes == [ESC]).then_some(SEQUENCE),
        }
    }

    pub fn next(&mut self) -> Option<Input> {
        self.found.pop_front()
    }

    /// Decodes new bytes; `more` says whether more can be read at once.
    pub fn feed(&mut self, new: &[u8], more: bool) {
        let mut given_up = std::mem::take(&mut self.given_up);
        if !given_up.is_empty() {
            let searched = given_up.len();
            given_up.extend_from_slice(new);
            if begins_answer(&given_up) {
                // The rest of an answer does not act as keys even if its beginning did.
                self.bytes = given_up;
                self.state = State::String { searched };
                self.decode(more);
                return;
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
                self.found
                    .extend(pasted(&text[..text.len() - end.unwrap_or(0)]));
                self.bytes.clear();
                self.state = State::BrokenPaste;
            }
            State::String { .. } if is_answer(&self.bytes) => {
                self.bytes.clear();
                self.state = State::Keys;
            }
            State::String { .. } | State::Keys | State::BrokenPaste => {
                if self.bytes.len() <= 2 {
                    self.given_up.clone_from(&self.bytes);
                }
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

/// The end of a string.
enum StringEnd {
    /// At its end, behind the bell or the escape and backslash.
    At(usize),
    /// Before a byte that is in no string.
    BrokenOff(usize),
    /// Later; not in the first `searched` bytes.
    Missing { searched: usize },
}

/// Returns where the string at the start of `bytes` ends, of which `searched` bytes are known to belong to it.
fn string_end(bytes: &[u8], searched: usize) -> StringEnd {
    let is_control = |byte: &u8| *byte < b' ' || *byte == 0x7f;
    let controls = bytes[searched..].iter().position(is_control);
    let Some(end) = controls.map(|at| searched + at) else {
        let searched = bytes.len();
        return StringEnd::Missing { searched };
    };
    match &bytes[end..] {
        [BELL, ..] => StringEnd::At(end + 1),
        [ESC, b'\\', ..] => StringEnd::At(end + 2),
        [ESC] => StringEnd::Missing { searched: end },
        _ => StringEnd::BrokenOff(end),
    }
}

/// Returns true if a string without an end is from the terminal: it begins as answers do, or nobody types so fast.
fn is_answer(string: &[u8]) -> bool {
    string.len() > TYPED || begins_answer(string)
}

/// Returns true if `bytes` begin as the answers of terminals do.
fn begins_answer(bytes: &[u8]) -> bool {
    match bytes {
        // Such as 11;rgb:0000/0000/0000
        [ESC, b']', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && rest.get(digits) == Some(&b';')
        }
        // Such as >|name, 1$r0m and 1+r436f
        [ESC, b'P', first, second, ..] => {
            b">!01".contains(first) && matches!(second, b'|' | b'$' | b'+')
        }
        // Such as Gi=31;OK
        [ESC, b'_', b'G', _, ..] => true,
        _ => false,
    }
}

/// Returns the pasted text; None if it is empty, as it is when only the end was missing.
fn pasted(bytes: &[u8]) -> Option<Input> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    (!text.is_empty()).then_some(Input::Event(Event::Paste(text)))
}

#[cfg(test)]
mod tests {
    use super::piece::STRINGS;
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
                decoder.give_up();
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

    /// Answers to questions about the terminal, and other strings.
    const STRINGS_SENT: [&str; 9] = [
        "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
        "\x1b]11;rgb:0000/0a0a/ffff\x07",
        "\x1bP>|kitty(0.35)\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1b_Gi=31;OK\x1b\\",
        "\x1b^a private message\x07",
        "\x1bXq\x1b\\",
        "\x1b]l世 “title”\x1b\\",
        "\x1b]\x07",
    ];

    #[test]
    fn strings_of_the_terminal_do_not_act_as_keys_however_they_arrive() {
        let mut whole = String::from("a");
        for string in STRINGS_SENT {
            whole = format!("{whole}{string}é\x1b[A");
        }
        let whole = format!("{whole}\x1bj\x1b\x1b[Bb");
        let wanted = decoded(&[&whole]);
        assert_eq!(wanted.len(), 2 * STRINGS_SENT.len() + 5);
        let bytes = whole.as_bytes();
        let check = |cuts: &[usize]| {
            let mut decoder = Decoder::default();
            let mut at = 0;
            for cut in cuts.iter().copied().chain([bytes.len()]) {
                decoder.feed(&bytes[at..cut], false);
                at = cut;
            }
            let found: Vec<_> = std::iter::from_fn(|| decoder.next()).collect();
            let wanted: Vec<_> = wanted.iter().cloned().map(Input::Event).collect();
            assert_eq!(found, wanted, "{cuts:?}");
        };
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                check(&[first, second]);
            }
        }
        let every: Vec<_> = (0..bytes.len()).collect();
        for seed in 0..500_usize {
            // Chunks of a few bytes; single ones at first.
            let mut cuts = every.clone();
            cuts.retain(|at| (at * 31 + at / 7 * seed).is_multiple_of(1 + seed % 7));
            check(&cuts);
        }
    }

    /// The events of chunks; an empty chunk is a pause.
    fn typed(chunks: &[&str]) -> Vec<Event> {
        let mut decoder = Decoder::default();
        for chunk in chunks {
            if chunk.is_empty() {
                assert!(decoder.patience().is_some(), "{chunks:?}");
                decoder.give_up();
            } else {
                decoder.feed(chunk.as_bytes(), false);
            }
        }
        assert_eq!(decoder.patience(), None, "{chunks:?}");
        std::iter::from_fn(|| decoder.next())
            .map(|input| match input {
                Input::Event(event) => event,
                Input::PasteCancelled => panic!("no paste"),
            })
            .collect()
    }

    #[test]
    fn an_escape_and_the_beginning_of_a_string_are_keys_after_a_pause() {
        let alt = |char| Event::Key(KeyEvent::new(KeyCode::Char(char), KeyModifiers::ALT));
        let escape = Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
        assert_eq!(typed(&["\x1b", ""]), vec![escape.clone()]);
        assert_eq!(typed(&["\x1b", "", "]"]), [escape.clone(), char(']')]);
        assert_eq!(typed(&["\x1b\x1b", ""]), [escape.clone(), escape.clone()]);
        for begins in "]PX^_".chars() {
            let key = format!("\x1b{begins}");
            let twice = format!("{key}{key}");
            assert_eq!(typed(&[&key, ""]), [alt(begins)]);
            assert_eq!(typed(&[&twice, ""]), [alt(begins), alt(begins)]);
            assert_eq!(typed(&[&key, "", "j"]), [alt(begins), char('j')]);
            assert_eq!(typed(&[&key, "j", ""]), [alt(begins), char('j')]);
            let enter = Event::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
            assert_eq!(typed(&[&key, "\r"]), [alt(begins), enter]);
            assert_eq!(typed(&[&key, "\x1b", ""]), [alt(begins), escape.clone()]);
        }
    }

    #[test]
    fn an_answer_that_breaks_off_is_dropped_whenever_its_rest_comes() {
        let answer = "\x1b]11;rgb:0000/0000/0000\x1b\\j";
        for cut in 5..answer.len() - 3 {
            let (begins, _) = answer.split_at(cut);
            assert_eq!(typed(&[begins, "", "j"]), [char('j')], "{begins:?}");
            assert_eq!(typed(&[begins, "\x1b[A"]).len(), 1, "{begins:?}");
        }
        // The escape acted as a key, the rest does not.
        for (cut, keys) in [(1, 2), (2, 2)] {
            let (begins, rest) = answer.split_at(cut);
            assert_eq!(typed(&[begins, "", rest]).len(), keys, "{begins:?}");
        }
        let long = "x".repeat(3 * LONGEST_STRING);
        assert_eq!(
            typed(&["\x1b", "", &format!("P{long}")]).len(),
            2 + long.len()
        );
        for begins in STRINGS
            .iter()
            .map(|kind| format!("\x1b{}", char::from(*kind)))
        {
            assert_eq!(typed(&[&begins, &long, &long, "\x1b", "\\j"]), [char('j')]);
            assert_eq!(typed(&[&begins, &long, "", "j"]), [char('j')]);
            let mut decoder = Decoder::default();
            decoder.feed(begins.as_bytes(), false);
            for _ in 0..10 {
                decoder.feed(long.as_bytes(), false);
            }
            assert!(decoder.bytes.len() <= LONGEST_STRING);
        }
    }
}
