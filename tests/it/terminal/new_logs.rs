//! Logs of votes that are not on the disk yet: offered after a crash, dropped, and locked like files.

use std::fs;
use std::os::unix::fs::symlink;

use rustix::process::Signal;

use super::harness::Terminal;
use super::repair::wait_for_lines;
use super::setup::Setup;

const DEMO: &str = "taskmaster-3.json";

fn judging() -> Setup {
    let setup = Setup::demo(DEMO).size(120, 40);
    setup.argument("--annotator").argument("mk")
}

/// A run that was killed after two votes in a log that it had begun, and the one after it.
fn after_a_kill() -> Terminal {
    let mut terminal = judging().start();
    terminal.shows("judged 0/").keys("ox").shows("judged 2/");
    // The head, the start of the log twice, the file's description, and two votes.
    wait_for_lines(&terminal, 6);
    terminal.signal(Signal::KILL).ends();
    let mut terminal = terminal.again();
    terminal.shows("votes/dlg-demo-tm3-01.log.json: the last run left 2 unsaved");
    terminal
}

#[test]
fn votes_in_a_new_log_are_decided_about_before_others_are_cast() {
    let mut terminal = after_a_kill();
    terminal.keys("v").shows("vote O on turn 1");
    terminal.keys("\x1b").shows_not("the last run left");
    terminal.keys("o").shows("left 2 unsaved edits");
    terminal.keys("y").shows("judged 2/").shows("●2 unsaved");
    // Cut short again, nothing is lost and nothing is there twice.
    terminal.settled();
    terminal.signal(Signal::KILL).ends();
    let mut terminal = terminal.again();
    terminal.shows("left 2 unsaved edits").keys("y");
    terminal.keys("\x13").shows("as a new file");
    terminal.keys("q").ends();
    let mut terminal = terminal.again();
    terminal.shows("judged 2/").shows_not("the last run left");
    // Another run undoes saved votes.
    terminal.keys("u").shows("judged 1/").keys("U").shows("judged 2/");
}

#[test]
fn votes_in_a_new_log_that_are_dropped_or_left_are_not_offered_again() {
    let mut terminal = after_a_kill();
    terminal.keys("ny").shows("edits from the last run discarded");
    terminal.keys("q").ends();
    let mut terminal = terminal.again();
    terminal.shows("judged 0/").settled();
    terminal.shows_not("the last run left");
    terminal.keys("o").shows("judged 1/");
    terminal.keys("qn").ends();
    let mut terminal = terminal.again();
    terminal.shows("judged 0/").settled();
    terminal.shows_not("the last run left").keys(" t");
    terminal.shows("judged 1/").keys("\x13").shows("as a new file");
    assert!(terminal.folder().join("votes/dlg-demo-tm3-01.log.json").exists());
}

#[test]
fn one_process_judges_a_dialog_and_others_the_others() {
    let mut first = judging().start();
    first.shows("judged 0/").keys("o").shows("judged 1/");
    let setup = Setup::new().size(120, 40);
    symlink(first.folder().join(".state"), setup.path(".state")).unwrap();
    let file = first.folder().join(DEMO);
    let setup = setup.argument(file.to_str().unwrap());
    let mut second = setup.argument("--annotator").argument("mk").start();
    second.shows("judged 0/").keys(" x");
    second.shows("being edited by another process (").shows("judged 0/");
    second.keys("J x").shows("judged 1/");
    // Those of the first log, and as many of the second.
    wait_for_lines(&first, 10);
    first.signal(Signal::KILL).ends();
    // The other's unsaved votes are offered to the one who continues.
    second.keys("K x").shows("left 1 unsaved edit");
    second.keys("y").shows("judged 2/").shows("●2 unsaved");
    second.keys(":save_all\r").shows_not("unsaved");
    let folder = first.folder().join("votes");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
}
