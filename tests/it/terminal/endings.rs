//! Signals, suspension, and terminals that go away.

use rustix::process::Signal;
use serde_json::json;

use super::corpora::numbered;
use super::harness::{Terminal, outcome};
use super::output::picture;
use super::repair::wait_for_lines;
use super::setup::Setup;

fn open() -> Terminal {
    let mut terminal = Setup::text("corpus.json", numbered(4, 30)).start();
    terminal.shows("  1 of 4").shows("? help").shows_not("reading ");
    terminal
}

#[test]
fn signals_to_end_give_the_terminal_back_and_keep_the_place() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut terminal = open();
        terminal.keys("JJ7g").shows("turn 7 ·").signal(signal);
        assert_eq!(outcome(terminal.ends()), "exit 0", "{signal:?}");
        terminal.is_restored();
        let mut terminal = terminal.again();
        terminal.shows("  3 of 4").shows("turn 7 ·");
    }
}

#[test]
fn suspended_program_leaves_the_terminal_and_comes_back() {
    let mut terminal = open();
    let before = terminal.keys("J5g").shows("turn 5 ·").settled();
    for _ in 0..3 {
        terminal.keys("\x1a").is_in_state('T');
        terminal.wait_for(|screen| !screen.alternate_screen()).is_restored();
        terminal.signal(Signal::CONT);
        terminal.wait_for(|screen| screen.alternate_screen() && picture(screen) == before);
        terminal.wait_for(vt100::Screen::hide_cursor);
        assert!(!terminal.is_cooked());
    }
    terminal.keys("j").shows("turn 6 ·");
}

#[test]
fn size_may_change_while_the_program_is_suspended() {
    let mut terminal = open();
    terminal.keys("\x1a").is_in_state('T');
    terminal.wait_for(|screen| !screen.alternate_screen());
    terminal.resize(140, 20).signal(Signal::CONT);
    terminal.shows("Info  Source").shows("  1 of 4");
    terminal.wait_for(|screen| picture(screen).lines().last().is_some_and(|l| l.contains("quit")));
}

#[test]
fn program_in_a_script_that_no_shell_could_bring_back_goes_on() {
    let setup = Setup::text("corpus.json", numbered(4, 30));
    let mut terminal = setup.script("\"$0\" \"$@\"; exit $?").start();
    terminal.shows("  1 of 4");
    terminal.keys("\x1aJ").shows("  2 of 4");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
    terminal.is_restored();
}

#[test]
fn a_suspended_program_ends_at_a_signal() {
    let mut terminal = open();
    terminal.keys("\x1a").is_in_state('T');
    terminal.signal(Signal::TERM).signal(Signal::CONT);
    assert_eq!(outcome(terminal.ends()), "exit 0");
    terminal.is_restored();
}

#[test]
fn a_program_stopped_by_others_redraws_when_it_resumes() {
    let mut terminal = open();
    let before = terminal.settled();
    terminal.signal(Signal::STOP).is_in_state('T');
    // A shell does this to the terminal in the meantime.
    terminal.scribble("\x1b[H\x1b[Jsomebody else was here").shows("somebody else");
    terminal.signal(Signal::CONT);
    terminal.wait_for(|screen| screen.alternate_screen() && picture(screen) == before);
}

/// Waits until the program ends by itself. Its exit code depends on what it notices first, and no
/// terminal is left to show it.
fn ends_by_itself(terminal: &mut Terminal) {
    let ended = outcome(terminal.ends());
    assert!(["exit 0", "exit 2"].contains(&&*ended), "{ended}");
}

#[test]
fn closed_terminal_ends_the_program_and_keeps_the_place() {
    let mut terminal = open();
    terminal.keys("J9g").shows("turn 9 ·").hang_up();
    ends_by_itself(&mut terminal);
    let mut terminal = terminal.again();
    terminal.shows("  2 of 4").shows("turn 9 ·");
}

/// A dialog with one turn, whose segments each overlap all others: drawing many of them takes long.
fn overlapping(segments: usize) -> String {
    let segment = |segment: usize| {
        json!({
            "start_index": segment, "end_index": segments + segment, "text": "",
            "annotations": [{"name": "a.b"}],
        })
    };
    let text = "b".repeat(2 * segments);
    let all: Vec<_> = (0..segments).map(segment).collect();
    let turn = json!({"index": 0, "speaker": "user", "text": text, "segments": all});
    let dialog = json!({"conversation_id": "dlg-0", "vertical": "v", "utterances": [turn]});
    serde_json::to_string(&[dialog]).unwrap()
}

/// Two files, of which the second takes long to draw and to read. The first is whole and on the screen before
/// the second is looked at.
fn endless() -> Setup {
    let setup = Setup::text("corpus.json", overlapping(1));
    setup.file("endless.json", overlapping(20_000)).argument("endless.json")
}

/// The program in the middle of something that takes long, after an edit.
fn busy(setup: Setup) -> Terminal {
    let mut terminal = setup.start();
    terminal.shows("turn 0 ·").keys("l]").shows("●1 unsaved");
    wait_for_lines(&terminal, 3);
    terminal.keys("J").is_busy();
    terminal
}

#[test]
fn closed_terminal_ends_a_program_whatever_it_computes() {
    for setup in [endless(), endless().not_controlling()] {
        let mut terminal = busy(setup);
        ends_by_itself(terminal.hang_up());
    }
}

#[test]
fn signal_to_end_is_obeyed_whatever_the_program_computes() {
    let mut terminal = busy(endless());
    terminal.signal(Signal::TERM);
    assert_eq!(outcome(terminal.ends()), "exit 0");
    terminal.is_restored();
}
