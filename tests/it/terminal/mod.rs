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
    assert!(terminal.gives_back().is_cooked());
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

/// The lines in which two texts of as many lines differ.
fn differing(before: &str, after: &str) -> usize {
    assert_eq!(before.lines().count(), after.lines().count());
    let pairs = before.lines().zip(after.lines());
    pairs.filter(|(a, b)| a != b).count()
}

#[test]
fn a_segment_is_found_repaired_undone_redone_and_saved() {
    let home = home("taskmaster-1.json");
    let path = home.path().join("taskmaster-1.json");
    let before = fs::read_to_string(&path).unwrap();
    let mut terminal = start(&home, "taskmaster-1.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("/La Boqueria Chica\r")
        .shows("turn 3 of");
    terminal.keys("l").shows("\"La Boqueria Chic\"");
    terminal
        .keys("]")
        .shows("0..17 \"La Boqueria Chica\"")
        .shows("●1 unsaved");
    terminal
        .keys("u")
        .shows_no("unsaved")
        .keys("U")
        .shows("●1 unsaved");
    terminal
        .keys("\x13")
        .shows("saved taskmaster-1.json: 2 lines changed");
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!(differing(&before, &after), 2);
    assert!(after.contains("\"La Boqueria Chica\""));
    terminal
        .keys("u")
        .shows("●1 unsaved")
        .keys("q")
        .shows("1 edit is not saved");
    terminal.keys("y");
    assert!(terminal.end().success());
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}

#[test]
fn edits_survive_a_kill_and_are_offered_at_the_next_start() {
    let home = home("taskmaster-1.json");
    let path = home.path().join("taskmaster-1.json");
    let before = fs::read_to_string(&path).unwrap();
    let mut terminal = start(&home, "taskmaster-1.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("3gl")
        .shows("\"La Boqueria Chic\"")
        .keys("]");
    terminal.shows("●1 unsaved").keys("Jl]").shows("●2 unsaved");
    let journals = home.path().join("state/turnwise/journals");
    // What is written down is there before it is shown, or a moment later; never is more awaited.
    while fs::read_dir(&journals).map_or(0, Iterator::count) == 0 || written_down(&journals) < 3 {
        std::thread::yield_now();
    }
    terminal.signal(rustix::process::Signal::KILL);
    terminal.end();
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    let terminal = start(&home, "taskmaster-1.json");
    terminal
        .shows("ended with 2 unsaved edits")
        .keys("y")
        .shows("●2 unsaved");
    terminal.keys("\x13").shows("saved taskmaster-1.json");
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.contains("\"La Boqueria Chica\"") && differing(&before, &after) >= 3);
}

/// Whole lines in all journals.
fn written_down(journals: &Path) -> usize {
    let files = fs::read_dir(journals).into_iter().flatten().flatten();
    let text = files.map(|file| fs::read_to_string(file.path()).unwrap_or_default());
    text.map(|text| text.matches('\n').count()).sum()
}

#[test]
fn a_file_changed_by_another_program_is_not_overwritten() {
    let home = home("taskmaster-1.json");
    let path = home.path().join("taskmaster-1.json");
    let terminal = start(&home, "taskmaster-1.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("3gl]")
        .shows("●1 unsaved");
    let other = fs::read_to_string(&path).unwrap() + "\n";
    fs::write(&path, &other).unwrap();
    terminal
        .keys("\x13")
        .shows("was not saved: the file has changed on disk");
    assert_eq!(fs::read_to_string(&path).unwrap(), other);
    terminal.shows("●1 unsaved");
}
