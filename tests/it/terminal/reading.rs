//! Browsing with the keys and the mouse, as far as a terminal has a part in it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::corpora::numbered;
use super::harness::Terminal;
use super::output::picture;
use super::setup::Setup;

#[test]
fn keys_as_a_terminal_sends_them_walk_through_turns_dialogs_and_panes() {
    let mut terminal = Setup::demo("taskmaster-3.json").size(130, 40).start();
    // The tab of problems comes with the rules, which are read meanwhile.
    terminal.shows("dlg-demo-tm3-01").shows("Turn").shows("▲2 problems");
    terminal.keys("\x1b[B").shows("turn 1 · 16 turns");
    terminal.keys("\x1b[A").shows("turn 0 · 16 turns");
    terminal.keys("2J").shows("  3 of 3").keys("\x1b[1;5A").shows("  2 of 3");
    terminal.shows("↓ turn").keys("\t").shows("choose");
    terminal.keys("\t").shows("sort").keys("\x1b[F").shows("  3 of 3");
    terminal.keys("\x1b[H").shows("  1 of 3").keys("\r").shows("segment");
    terminal.keys("\x1b[Z").shows("sort").keys("\x1b").shows("segment");
}

/// The terminal's cursor is in the line while one types there, and hidden otherwise.
#[test]
fn the_cursor_is_in_the_search_line() {
    let mut terminal = Setup::text("corpus.json", numbered(2, 2)).start();
    terminal.shows("said 0.0").keys("/").shows("find ").shows("label:…");
    terminal.wait_for(|screen| !screen.hide_cursor());
    terminal.keys("twox\x7f").wait_for(|screen| screen.cursor_position() == (29, 8));
    terminal.keys("\r").shows("no hits: two").wait_for(vt100::Screen::hide_cursor);
}

#[test]
fn mouse_chooses_and_scrolls() {
    let mut terminal = Setup::text("corpus.json", numbered(8, 80)).start();
    terminal.shows("  1 of 8").shows("said 0.0");
    let mouse = terminal.look(|s| (s.mouse_protocol_mode(), s.mouse_protocol_encoding()));
    assert_eq!(mouse.1, vt100::MouseProtocolEncoding::Sgr);
    assert_ne!(mouse.0, vt100::MouseProtocolMode::None);
    // The fourth dialog, which is in the sixth row.
    terminal.keys("\x1b[<0;6;6M\x1b[<0;6;6m").shows("  4 of 8");
    let top = terminal.settled();
    terminal.keys("\x1b[<65;60;12M").wait_for(|screen| picture(screen) != top);
    terminal.shows_not("said 3.0\n");
}

#[test]
fn copied_text_goes_to_the_terminal_or_becomes_a_buffer_of_tmux() {
    let start = |tmux: &str| {
        let setup = Setup::text("corpus.json", numbered(1, 2));
        let (folder, program) = (setup.path("bin"), setup.path("bin/tmux"));
        fs::create_dir(&folder).unwrap();
        fs::write(&program, format!("#!/bin/sh\n{tmux}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = "PATH=\"$HOME/bin:$PATH\" TMUX=/tmp/tmux-0/default,1,0";
        let asked = setup.path("asked");
        let setup = setup.script(&format!("{path} exec \"$0\" \"$@\""));
        let mut terminal = setup.start();
        terminal.shows("said 0.0").keys("y");
        (terminal, asked)
    };
    // "said 0.0" in base64.
    let asked_for = b"\x1b]52;c;c2FpZCAwLjA=";
    let asks = |terminal: &Terminal| {
        let bytes = terminal.bytes();
        bytes.windows(asked_for.len()).any(|bytes| bytes == asked_for)
    };
    let mut terminal = Setup::text("corpus.json", numbered(1, 2)).start();
    terminal.shows("said 0.0").keys("y").shows("asked the terminal to copy the text");
    assert!(asks(&terminal));
    let (mut terminal, asked) = start("echo \"$@\" > \"$HOME/asked\"; cat >> \"$HOME/asked\"");
    terminal.shows("copied the text to tmux");
    assert_eq!(fs::read_to_string(asked).unwrap(), "load-buffer -w -\nsaid 0.0");
    assert!(!asks(&terminal));
    // One that does not know the option.
    let (mut terminal, _) = start("exit 1");
    terminal.shows("asked the terminal to copy the text");
    assert!(asks(&terminal));
}
