//! Tests of bytes that arrive in parts, with pauses and without ends.

use super::piece::STRINGS;
use super::*;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Returns the events of `pieces`, each fed before the next one arrives.
fn decoded(pieces: &[&str]) -> Vec<Event> {
    let mut decoder = Decoder::default();
    for piece in pieces {
        decoder.feed(piece.as_bytes(), false, Duration::ZERO);
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
        decoder.feed(first, true, Duration::ZERO);
        decoder.feed(rest, false, Duration::ZERO);
        let found: Vec<_> = std::iter::from_fn(|| decoder.next()).collect();
        let wanted: Vec<_> = wanted.iter().cloned().map(Input::Event).collect();
        assert_eq!(found, wanted, "cut at {cut}");
    }
}

#[test]
fn paste_without_an_end_is_pasted_after_a_pause_and_the_rest_is_dropped() {
    let mut decoder = Decoder::default();
    let mut feed = |bytes: &str, pause: bool| {
        decoder.feed(bytes.as_bytes(), false, Duration::ZERO);
        if pause {
            decoder.give_up();
        }
        let found = std::iter::from_fn(|| decoder.next());
        found.collect::<Vec<_>>()
    };
    let events = |events: &[Event]| events.iter().cloned().map(Input::Event).collect::<Vec<_>>();
    assert_eq!(feed("\x1b[200~some te\x1b[20", true), events(&[paste("some te")]));
    assert_eq!(feed("xt, q", true), events(&[paste("xt, q")]));
    assert_eq!(feed("the end\x1b[201~j", false), events(&[paste("the end"), char('j')]));
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
    assert_eq!(feed("\x1b[200~more\x1b[201~", false), events(&[paste("more")]));
}

#[test]
fn paste_is_dropped_by_a_ctrl_c_that_nothing_follows() {
    let held = "\x1b[200~a\x03b";
    assert_eq!(decoded(&[held, "c\x1b[201~"]), [paste("a\x03bc")]);
    let dropped = decoded(&[held, "\x03", "rest of it\x1b[201~j"]);
    assert_eq!(dropped, [paste("cancelled"), paste("rest of it"), char('j')]);
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
            decoder.feed(&bytes[at..cut], false, Duration::ZERO);
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

/// Returns the events of chunks; an empty chunk is a pause.
fn typed(chunks: &[&str]) -> Vec<Event> {
    timed(Decoder::default(), SEQUENCE, chunks)
}

/// Returns the events of chunks that arrive `pause` after each other; an empty chunk is as long a pause as the
/// decoder waits.
fn timed(mut decoder: Decoder, pause: Duration, chunks: &[&str]) -> Vec<Event> {
    let mut at = pause;
    for chunk in chunks {
        if chunk.is_empty() {
            let patience = decoder.patience();
            at += patience.unwrap_or_else(|| panic!("{chunks:?}"));
            decoder.give_up();
            continue;
        }
        decoder.feed(chunk.as_bytes(), false, at);
        while decoder.patience().is_some_and(|patience| patience < pause) {
            decoder.give_up();
        }
        at += pause;
    }
    assert_eq!(decoder.patience(), None, "{chunks:?}");
    std::iter::from_fn(|| decoder.next())
        .map(|input| match input {
            Input::Event(event) => event,
            Input::PasteCancelled => panic!("no paste"),
        })
        .collect()
}

/// Answers as sequences.
const SEQUENCES_SENT: [&str; 6] = [
    "\x1b[?62;22c",
    "\x1b[?0u",
    "\x1b[?2026;2$y",
    "\x1b[>1;10;0c",
    "\x1b[12;40R",
    "\x1b[8;40;140t",
];

#[test]
fn answers_do_not_act_as_keys_however_late_their_parts_come() {
    let escape = Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    let answers = STRINGS_SENT.into_iter().chain(SEQUENCES_SENT);
    for (answer, pause) in answers.flat_map(|answer| [40, 600, 1500].map(|ms| (answer, ms))) {
        for cut in 1..answer.len() {
            if !answer.is_char_boundary(cut) {
                continue;
            }
            let (begins, rest) = answer.split_at(cut);
            let chunks = [begins, rest, "j"];
            let pause = Duration::from_millis(pause);
            // What came too early acts as a key, unless an answer is due.
            let found = timed(Decoder::default(), pause, &chunks);
            assert_eq!(found.last(), Some(&char('j')), "{chunks:?}");
            assert!(found.len() <= cut.max(2), "{chunks:?} {found:?}");
            if cut == 1 {
                assert_eq!(found[0], escape);
            }
            if pause < PAUSE {
                let found = timed(Decoder::new(true), pause, &chunks);
                assert_eq!(found, [char('j')], "{chunks:?}");
            }
        }
    }
    // The program's question read the escape and dropped it.
    assert_eq!(timed(Decoder::new(true), SEQUENCE, &["[?62;22c"]), []);
}

#[test]
fn escape_is_a_key_while_an_answer_is_due() {
    let escape = Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    let waits = |decoder: &mut Decoder, at| {
        decoder.feed(b"\x1b", false, at);
        let patience = decoder.patience();
        decoder.give_up();
        assert_eq!(decoder.next(), Some(Input::Event(escape.clone())));
        patience
    };
    let mut decoder = Decoder::new(true);
    assert_eq!(waits(&mut decoder, Duration::ZERO), Some(PAUSE));
    assert_eq!(waits(&mut decoder, DUE), Some(SEQUENCE));
    let mut decoder = Decoder::new(true);
    decoder.feed(b"\x1b[?62;22c", false, Duration::ZERO);
    assert_eq!(waits(&mut decoder, Duration::ZERO), Some(SEQUENCE));
    for key in ["j", "[", "]", "é"] {
        let pause = Duration::from_millis(300);
        let found = timed(Decoder::new(true), pause, &["\x1b", key, "j"]);
        let key = char(key.chars().next().unwrap());
        assert_eq!(found, [escape.clone(), key, char('j')]);
    }
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
    assert_eq!(typed(&["\x1b", "", &format!("P{long}")]).len(), 2 + long.len());
    for begins in STRINGS.iter().map(|kind| format!("\x1b{}", char::from(*kind))) {
        assert_eq!(typed(&[&begins, &long, &long, "\x1b", "\\j"]), [char('j')]);
        assert_eq!(typed(&[&begins, &long, "", "j"]), [char('j')]);
        let mut decoder = Decoder::default();
        decoder.feed(begins.as_bytes(), false, Duration::ZERO);
        for _ in 0..10 {
            decoder.feed(long.as_bytes(), false, Duration::ZERO);
        }
        assert!(decoder.bytes.len() <= LONGEST_STRING);
    }
}
