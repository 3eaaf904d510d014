//! Output for terminals that show less, and output that no terminal ever gets.

use std::collections::BTreeMap;

use super::corpora::{corpus, numbered};
use super::harness::Terminal;
use super::setup::Setup;
use super::start::painted;

/// A walk that shows every kind of thing that is painted.
fn look_around(terminal: &mut Terminal) {
    terminal.shows("dlg-demo-tm3-01").keys("5gll").shows("Transcript  turn 5");
    terminal.keys("\t\t\ts/movie\rn").shows("movie: 5 of 10");
    terminal.keys("\x1b").shows_not("movie: ").keys("\x0f").shows("Transcript  turn 5").keys("?");
    terminal.shows("next turn").keys("q").shows_not("next turn");
    terminal.keys("#nothing\r").shows("no dialog with id or number");
    terminal.keys(":").shows("copy the dialog's id").keys("\x1b").shows_not("the dialog's id");
}

/// The sequences that set colours, among those that set styles.
fn colours(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let sequences = text.split("\x1b[").skip(1);
    let attributes = sequences.filter_map(|sequence| {
        let end = sequence.find(|c: char| !c.is_ascii_digit() && c != ';')?;
        sequence[end..].starts_with('m').then(|| &sequence[..end])
    });
    let sets = |attribute: &&str| {
        let mut numbers = attribute.split(';').filter_map(|n| n.parse::<u8>().ok());
        // 39, 49 and 59 are the terminal's own.
        numbers.any(|n| matches!(n, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107))
    };
    attributes.filter(sets).map(str::to_owned).collect()
}

#[test]
fn without_colours_none_are_sent() {
    let setup = Setup::demo("taskmaster-3.json").size(130, 40);
    let mut coloured = setup.start();
    look_around(&mut coloured);
    assert!(!colours(&coloured.bytes()).is_empty());
    for setup in [Setup::demo("taskmaster-3.json"), Setup::demo("taskmaster-3.json").auto_theme()] {
        let mut plain = setup.size(130, 40).variable("NO_COLOR", "1").start();
        look_around(&mut plain);
        plain.keys("q").ends();
        assert_eq!(colours(&plain.bytes()), [""; 0]);
        // Nor is the terminal asked for some.
        assert!(!plain.bytes().windows(4).any(|bytes| bytes == b"\x1b]11"));
    }
}

#[test]
fn themes_are_tried_one_after_the_other() {
    let setup = Setup::demo("taskmaster-3.json").auto_theme();
    let setup = setup.argument("--theme").argument("light");
    let mut light = setup.start();
    light.shows("▲2 problems").settled();
    let mut terminal = Setup::demo("taskmaster-3.json").start();
    terminal.shows("▲2 problems").keys(":theme\r").shows("theme light (this session)").settled();
    assert!(light.look(painted) == terminal.look(painted));
    // After the last one comes the first.
    for theme in ["colour-blind-safe", "colour-blind-safe-light", "monochrome", "dark"] {
        terminal.keys(":theme\r").shows(&format!("theme {theme} (this session)"));
    }
}

#[test]
fn sixteen_colours_are_enough() {
    let setup = Setup::demo("taskmaster-3.json").variable("TERM", "xterm");
    let mut terminal = setup.size(130, 40).start();
    look_around(&mut terminal);
    let rich = colours(&terminal.bytes());
    // crossterm names the sixteen by their numbers among the 256.
    let beyond = rich.iter().filter(|attribute| {
        let numbers: Vec<u16> = attribute.split(';').map(|n| n.parse().unwrap()).collect();
        let extended = numbers.windows(3).find(|n| matches!(n[0], 38 | 48));
        extended.is_some_and(|n| n[1] != 5 || n[2] > 15)
    });
    assert_eq!(beyond.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn terminal_of_ascii_is_sent_ascii_only() {
    for locale in ["C", "POSIX", "de_DE.ISO-8859-1"] {
        let setup = Setup::demo("taskmaster-3.json").variable("LANG", locale);
        let mut terminal = setup.size(130, 40).start();
        look_around(&mut terminal);
        terminal.keys("q").ends();
        let bytes = terminal.bytes();
        let beyond = bytes.iter().position(|byte| !byte.is_ascii());
        assert_eq!(beyond, None, "{locale}");
    }
    let wide = corpus(&[vec!["世界 👨‍👩‍👧 e\u{301} שלום", "x"]]);
    let setup = Setup::text("世.json", wide).variable("LANG", "C");
    let mut terminal = setup.start();
    terminal.shows("turn 0 ").keys("j/世\r").shows("1 of 1");
    assert!(terminal.bytes().is_ascii());
}

#[test]
fn control_characters_of_a_corpus_are_never_sent() {
    let nasty = "a\u{1b}[31mred\u{7} b\u{202e}c\u{200b}d\te\nf\r\u{9b}5n\u{90}q\u{1b}\\ \u{1b}]0;t\u{7} \u{2066}x\u{2069}\u{8}\u{7f}\u{feff}";
    let text = corpus(&[vec![nasty, "end"]]).replace("dlg-0", "id\\u001b[2J\\u202e");
    let setup = Setup::text("a\u{1b}[2J\u{202e}.json", text).size(130, 30);
    let mut terminal = setup.start();
    terminal.shows("a␛[31mred␇ b⟨U+202E⟩c⟨ZWSP⟩d→e");
    terminal.keys("Si/\x1b[200~\u{1b}[31m\u{202e}\u{7}\x1b[201~\r").shows("no hits:  [31m⟨U+202E⟩");
    terminal.keys("\x1b").shows_not("no hits").keys("?").shows("Marks on the screen").keys("q");
    terminal.keys("q").ends();
    let mut allowed = BTreeMap::new();
    let sent = String::from_utf8(terminal.bytes()).expect("text");
    let mut rest = sent.as_str();
    // A line feed only ever leads to the next row.
    let is_control = |c: char| c != '\n' && (c.is_control() || is_hidden(c));
    while let Some(at) = rest.find(is_control) {
        rest = &rest[at..];
        // All that the program itself sends is sequences that begin so.
        let sequence = rest
            .strip_prefix("\x1b[")
            .unwrap_or_else(|| panic!("{:?}", &rest[..rest.len().min(40)]));
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        *allowed.entry(&sequence[end..=end]).or_insert(0) += 1;
        rest = &sequence[end + 1..];
    }
    // Moves, attributes, modes, and the screen, ends of rows and parts of them cleared.
    for letter in allowed.keys() {
        assert!("GHCmhlJKX".contains(letter), "{allowed:?}");
    }
    assert!(!sent.contains("\x1b[31mred"));
    terminal.is_restored();
}

/// Characters that turn or hide the text around them.
fn is_hidden(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[test]
fn nothing_is_sent_and_nobody_wakes_while_nothing_happens() {
    let mut terminal = Setup::text("corpus.json", numbered(20, 20)).start();
    terminal.shows("  1 of 20").keys("/said\r").shows("400 in 20 dialogs");
    // Late output ends at some time; from then on another program can live and die without a byte
    // from this one, and without a thread of it running.
    for round in 0.. {
        let before = (terminal.bytes().len(), terminal.wake_ups());
        let mut other = Setup::demo("sim-m.json").start();
        other.shows("? help").keys("q").ends();
        if before == (terminal.bytes().len(), terminal.wake_ups()) {
            return;
        }
        assert!(round < 50, "it never comes to rest");
    }
}
