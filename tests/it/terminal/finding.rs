//! Searching, filtering the list, going to a dialog, and the palette.

use super::corpora::{corpus, numbered};
use super::harness::Terminal;
use super::output::picture;
use super::setup::Setup;
use crate::support::run_in;

fn open() -> Terminal {
    let dialogs = [
        vec!["two tickets", "none"],
        vec!["nothing"],
        vec!["Two", "and two", "no", "no"],
        vec!["a", "b", "c"],
    ];
    let mut terminal = Setup::text("corpus.json", corpus(&dialogs)).start();
    terminal.shows("  1 of 4").shows(" of 4");
    terminal
}

#[test]
fn search_is_typed_walked_through_and_ended() {
    let mut terminal = open();
    terminal.keys("/").shows("find ").shows("label:…");
    terminal.wait_for(|screen| !screen.hide_cursor());
    terminal.keys("twox\x7f").wait_for(|screen| screen.cursor_position() == (29, 8));
    terminal.keys("\r").shows("two: 1 of 3").shows("3 in 2 dialogs");
    terminal.wait_for(vt100::Screen::hide_cursor);
    terminal.keys("n").shows("two: 2 of 3").shows("3 of 4");
    terminal.keys("n").shows("two: 3 of 3").shows("turn 1 · 4 turns");
    terminal.keys("n").shows("from the top again").shows("  1 of 4");
    terminal.keys("p").shows("from the end again").shows("3 of 4");
    terminal.keys("p").shows("two: 2 of 3");
    terminal.keys("\x1b").shows_not("two: ").shows_not("3 in 2 dialogs");
    terminal.keys("/three\r").shows("no match: three");
}

#[test]
fn search_line_is_left_by_escape() {
    let mut terminal = open();
    terminal.keys("/tw").shows("find tw").keys("\x1b").shows_not("find tw");
    terminal.keys("/\x7f").shows("? help");
    terminal.wait_for(vt100::Screen::hide_cursor);
}

#[test]
fn list_is_filtered_as_one_types() {
    let mut terminal = open();
    terminal.keys("FDLG-2").shows(" of 1 ").shows("3 of 4");
    terminal.keys("\r").shows("f filter").keys("\x1b").shows("Dialogs  3 of 4");
    terminal.keys("Fzzz").shows("no id contains this");
    terminal.keys("\x1b").shows("Dialogs  3 of 4");
}

#[test]
fn list_is_sorted_in_four_ways() {
    let mut terminal = open();
    // The first row of the list, below the header and its title.
    let first = |id: &'static str| {
        move |screen: &vt100::Screen| screen.contents_between(2, 0, 2, 10).contains(id)
    };
    terminal.keys("\x1b[17~").shows("s sort");
    terminal.keys("s").shows("sorted by id").wait_for(first("dlg-0"));
    terminal.keys("s").shows("sorted by longest first");
    terminal.wait_for(first("dlg-2"));
    terminal.keys("s").shows("sorted by most problems first");
    terminal.keys("s").shows("sorted by file order");
    terminal.wait_for(first("dlg-0"));
}

#[test]
fn dialog_is_found_by_its_id_and_its_number() {
    let mut terminal = open();
    terminal.keys("#dlg-3\r").shows("  4 of 4");
    terminal.keys("#1\r").shows("  2 of 4");
    terminal.keys("2#").shows("3 of 4");
    terminal.keys("#dlg-9\r").shows("no dialog with id or number dlg-9");
}

#[test]
fn palette_finds_a_command_by_its_name() {
    let mut terminal = open();
    terminal.keys(":").shows("copy the dialog's id");
    terminal.keys("lastturn").shows_not("copy the dialog's id").shows("last turn");
    terminal.keys("\r").shows("turn 1 · 2 turns");
    terminal.keys("\x10").shows("copy the dialog's id").keys("\x1b");
    terminal.shows_not("copy the dialog's id");
    terminal.keys(":xyzzy\r").shows("no matching command: xyzzy");
}

#[test]
fn help_shows_the_keys_and_goes_away() {
    let mut terminal = open();
    terminal.keys("?").shows("Help: reading").shows("scroll");
    let top = terminal.picture();
    terminal.keys("\x1b[6~").wait_for(|screen| picture(screen) != top);
    terminal.keys("q").shows_not("Help: ");
    terminal.keys("\x1bOP").shows("Help: reading").keys("\x1b").shows_not("Help: ");
    terminal.keys("x").shows("x is not bound here");
}

#[test]
fn conditions_hold_together_through_the_corpus() {
    let mut terminal = Setup::demo("taskmaster-3.json").size(160, 40).start();
    terminal.shows("▲3").keys("JJ").shows("  3 of 3");
    // Problems are searched for in the background too, if the search has other conditions.
    terminal.keys("/problem:punctuation speaker:assistant label:theater grand\r");
    terminal
        .shows("  1 of 3")
        .shows("turn 5 ·")
        .shows("speaker:assistant label:theater \"grand\": 1 of 1");
    terminal.keys("/tm3-02\r");
    terminal.shows("# goes to a dialog by its id; no match: tm3-02");
}

#[test]
fn lint_of_a_clean_corpus_says_so_on_a_terminal() {
    let setup = Setup::text("clean.json", numbered(1, 2)).auto_theme();
    let folder = setup.folder.path().to_owned();
    let piped = run_in(&folder, &["lint", "clean.json"], "");
    assert_eq!((piped.code, piped.out.as_str(), piped.err.as_str()), (0, "", ""));
    let mut terminal = setup.script("exec \"$0\" lint \"$@\"").start();
    assert_eq!(terminal.ends().code(), Some(0));
    let said = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    assert!(said.contains("no problems in 1 file\r\n"), "{said:?}");
}
