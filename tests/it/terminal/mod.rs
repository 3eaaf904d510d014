//! The program in a real pseudo-terminal: what is typed, what is seen, how it ends.

mod ends;
mod harness;
mod odd;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use harness::{Setup, Terminal};

use crate::support::{TempDir, project, scratch};

const DOWN: &str = "\x1b[B";
const F6: &str = "\x1b[17~";

/// A home with a copy of a demo file in it.
fn home(demo: &str) -> TempDir {
    let home = scratch();
    let name = Path::new(demo).file_name().unwrap();
    fs::copy(project("assets/demo").join(demo), home.path().join(name)).unwrap();
    home
}

fn start(home: &TempDir, file: &str) -> Terminal {
    Terminal::start(home.path(), &[file, "--theme", "dark"], &Setup::default())
}

#[test]
fn one_starts_browses_and_quits() {
    let home = home("taskmaster-3.json");
    let mut terminal = start(&home, "taskmaster-3.json");
    terminal
        .shows("dialog 0 of 3")
        .shows("turn 0 of 0–15")
        .shows("? help");
    terminal.keys("jj").shows("turn 2 of");
    terminal.keys(DOWN).shows("turn 3 of");
    terminal.keys("l").shows("━━━");
    terminal.keys("J").shows("dialog 1 of 3");
    terminal.keys(".").shows("calls in this dialog");
    terminal
        .keys(F6)
        .shows("f filter")
        .keys("k")
        .shows("dialog 0 of 3");
    terminal.keys("?").shows("Keys").keys("q").shows_no("Keys");
    terminal.keys(":source\r").shows("\"speaker\"");
    terminal.keys("#dlg-demo-tm3-03\r").shows("dialog 2 of 3");
    terminal.keys("q");
    assert!(terminal.end().success());
    assert!(terminal.is_given_back() && terminal.is_cooked());
}

#[test]
fn one_searches_and_walks_what_is_found() {
    let home = home("taskmaster-3.json");
    let terminal = start(&home, "taskmaster-3.json");
    terminal.shows("dialog 0 of 3");
    terminal.keys("/tickets\r").shows("tickets: 1 of ");
    terminal.keys("n").shows("tickets: 2 of ");
    terminal.keys("p").shows("tickets: 1 of ");
    terminal.keys("\x1b").shows_no("tickets: ");
    // Pasted in one piece, with a line end in it.
    terminal
        .keys("/\x1b[200~name\r\x1b[201~")
        .shows("find name");
}

#[test]
fn the_next_start_goes_on_where_one_was() {
    let home = home("taskmaster-3.json");
    let mut terminal = start(&home, "taskmaster-3.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("Jjjj")
        .shows("turn 3 of")
        .keys("q");
    terminal.end();
    start(&home, "taskmaster-3.json")
        .shows("dialog 1 of 3")
        .shows("turn 3 of");
}

#[test]
fn five_hundred_sizes_end_in_the_right_picture() {
    let home = home("taskmaster-3.json");
    let terminal = start(&home, "taskmaster-3.json");
    terminal.shows("dialog 0 of 3");
    for step in 0..500_u16 {
        terminal.resize(30 + step * 37 % 170, 5 + step * 11 % 50);
    }
    terminal.resize(120, 40);
    terminal
        .keys("\x0c")
        .shows("turn 0 of 0–15")
        .shows("q quit")
        .shows("Segments  API  Info  Source");
    let widest = terminal.screen().lines().map(turnwise::text::width).max();
    assert!(widest <= Some(120), "{widest:?}");
    terminal.resize(30, 6);
    terminal.shows("turnwise needs 40 columns");
    terminal.resize(80, 24);
    terminal.shows("turn 0 of 0–15");
}

#[test]
fn twenty_thousand_keys_at_once_are_all_handled() {
    let home = scratch();
    let mut text =
        String::from("[{\"conversation_id\":\"long\",\"vertical\":\"v\",\"utterances\":[");
    for index in 0..20_001 {
        let comma = if index > 0 { "," } else { "" };
        write!(
            text,
            "{comma}{{\"index\":{index},\"speaker\":\"user\",\"text\":\"turn {index}\"}}"
        )
        .unwrap();
    }
    text.push_str("]}]");
    fs::write(home.path().join("long.json"), text).unwrap();
    let terminal = start(&home, "long.json");
    terminal.shows("turn 0 of 0–20000");
    terminal
        .keys(&"j".repeat(20_000))
        .shows("turn 20000 of 0–20000");
    terminal
        .keys(&"kj".repeat(5_000))
        .keys("k")
        .shows("turn 19999 of");
}

#[test]
fn the_demo_is_written_where_nothing_can_go_wrong_and_goes_with_it() {
    let home = scratch();
    let place = home.path().to_str().unwrap();
    let setup = Setup {
        environment: &[("TMPDIR", place)],
        ..Setup::default()
    };
    let mut terminal = Terminal::start(home.path(), &["demo"], &setup);
    terminal
        .shows("taskmaster-3.json  3")
        .shows("? help")
        .keys("q");
    assert!(terminal.end().success());
    let left = fs::read_dir(home.path()).unwrap().flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().contains("demo"));
    assert_eq!(left.count(), 0);
}

#[test]
fn nothing_is_written_while_nothing_happens() {
    let home = home("taskmaster-3.json");
    let terminal = start(&home, "taskmaster-3.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("jjj")
        .shows("turn 3 of");
    // A question is answered only after everything before it was done.
    terminal.keys("f\u{1}").shows("does nothing here");
    let before = terminal.bytes().len();
    terminal.keys("\x1b[I\x1b[O").keys("?").shows("Keys");
    assert!(terminal.bytes().len() > before);
}
