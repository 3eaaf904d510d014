//! Ways in which it ends, or is interrupted: signals, a lost connection, suspension.

use rustix::process::Signal;

use super::harness::{Setup, Terminal};
use super::{home, start};

/// The state of a process, as the system names it: R, S, T.
fn state(terminal: &Terminal) -> Option<char> {
    let pid = terminal.pid().as_raw_nonzero();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next()
}

#[test]
fn signals_end_it_and_give_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP] {
        let home = home("taskmaster-3.json");
        let mut terminal = start(&home, "taskmaster-3.json");
        terminal
            .shows("dialog 0 of 3")
            .keys("J")
            .shows("dialog 1 of 3");
        terminal.signal(signal);
        assert!(terminal.end().success(), "{signal:?}");
        assert!(terminal.is_cooked(), "{signal:?}");
        terminal.wrote("\x1b[?1049l").wrote("\x1b[?25h");
        // The place is remembered all the same.
        start(&home, "taskmaster-3.json").shows("dialog 1 of 3");
    }
}

#[test]
fn a_lost_connection_ends_it() {
    let home = home("taskmaster-3.json");
    let mut terminal = start(&home, "taskmaster-3.json");
    terminal.shows("dialog 0 of 3");
    terminal.hang_up();
    terminal.end();
}

#[test]
fn it_stops_and_comes_back() {
    let home = home("taskmaster-3.json");
    let mut terminal = start(&home, "taskmaster-3.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("jj")
        .shows("turn 2 of");
    terminal.keys("\x1a").wrote("\x1b[?1049l");
    while state(&terminal) != Some('T') {
        std::thread::yield_now();
    }
    assert!(terminal.gives_back().is_cooked());
    terminal.signal(Signal::CONT);
    terminal.shows("turn 2 of").keys("j").shows("turn 3 of");
    terminal.keys("q");
    assert!(terminal.end().success());
}

#[test]
fn a_terminal_that_answers_nothing_is_good_enough() {
    let home = home("taskmaster-3.json");
    let setup = Setup {
        answers: false,
        ..Setup::default()
    };
    let terminal = Terminal::start(home.path(), &["taskmaster-3.json"], &setup);
    terminal.shows("dialog 0 of 3").keys("j").shows("turn 1 of");
}

#[test]
fn a_light_background_is_asked_for_and_seen() {
    let home = home("taskmaster-3.json");
    let terminal = Terminal::start(home.path(), &["taskmaster-3.json"], &Setup::default());
    terminal.shows("dialog 0 of 3").wrote("\x1b]11;?");
}
