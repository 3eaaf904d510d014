//! Odd corpora, odd terminals, and mistakes in the user's own files.

use std::fs;

use super::harness::{Setup, Terminal};
use super::{home, start};
use crate::support::scratch;

fn one_dialog(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        "[{{\"conversation_id\":\"dlg-x\",\"vertical\":\"v\",\"utterances\":[{{\"index\":0,\"speaker\":\"user\",\"text\":{text}}}]}}]"
    )
}

#[test]
fn what_a_terminal_would_obey_never_reaches_it() {
    let home = scratch();
    let nasty = "a\u{1b}]0;title\u{7}b\u{9b}31mc\u{202e}d\u{200b}e\u{8}f";
    fs::write(home.path().join("nasty.json"), one_dialog(nasty)).unwrap();
    let mut terminal = start(&home, "nasty.json");
    terminal
        .shows("␛]0;title␇")
        .shows("⟨U+202E⟩")
        .keys("S")
        .shows("speaker")
        .keys("q");
    terminal.end();
    let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    for raw in [
        "\u{1b}]0;",
        "\u{7}",
        "\u{9b}",
        "\u{202e}",
        "\u{200b}",
        "\u{8}",
    ] {
        assert!(!bytes.contains(raw), "{raw:?}");
    }
}

#[test]
fn ascii_is_all_that_a_terminal_without_more_gets() {
    let home = home("taskmaster-3.json");
    let setup = Setup {
        environment: &[("LANG", "C")],
        ..Setup::default()
    };
    let terminal = Terminal::start(home.path(), &["taskmaster-3.json"], &setup);
    terminal
        .shows("dialog 0 of 3")
        .keys("jjjjjl")
        .shows("turn 5 of");
    assert!(terminal.bytes().is_ascii());
}

#[test]
fn no_colour_is_used_where_none_is_wanted() {
    let home = home("taskmaster-3.json");
    let setup = Setup {
        environment: &[("NO_COLOR", "1")],
        ..Setup::default()
    };
    let terminal = Terminal::start(home.path(), &["taskmaster-3.json"], &setup);
    terminal
        .shows("dialog 0 of 3")
        .keys("jj")
        .shows("turn 2 of");
    let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    for colour in ["38;5;", "38;2;", "48;5;", "48;2;", "\x1b[31m", "\x1b[32m"] {
        assert!(!bytes.contains(colour), "{colour}");
    }
}

#[test]
fn broken_files_are_told_of_beside_good_ones() {
    let home = home("taskmaster-3.json");
    let folder = home.path().join("corpus");
    fs::create_dir(&folder).unwrap();
    fs::rename(
        home.path().join("taskmaster-3.json"),
        folder.join("good.json"),
    )
    .unwrap();
    fs::write(folder.join("bad.json"), "[{\"conversation_id\": ").unwrap();
    fs::write(folder.join("empty.json"), "").unwrap();
    let terminal = start(&home, "corpus");
    terminal
        .shows("bad.json  ▲")
        .shows("empty.json  ▲")
        .shows("good.json  3");
    terminal.keys("#dlg-demo-tm3-02\r").shows("dialog 1 of 3");
}

#[test]
fn a_file_that_shrinks_or_goes_while_it_is_open_is_told_of() {
    let home = home("taskmaster-3.json");
    let terminal = start(&home, "taskmaster-3.json");
    terminal.shows("dialog 0 of 3").shows("dlg-d…tm3-03");
    fs::write(home.path().join("taskmaster-3.json"), "[]").unwrap();
    terminal
        .keys("J")
        .shows("▲")
        .keys("K")
        .keys("jj")
        .shows("dialog 0 of 3");
    fs::remove_file(home.path().join("taskmaster-3.json")).unwrap();
    terminal
        .keys("JJ")
        .shows("dialog 2 of 3")
        .keys("?")
        .shows("Keys");
}

#[test]
fn mistakes_in_settings_are_told_and_do_not_stop_it() {
    let home = home("taskmaster-3.json");
    let folder = home.path().join("config/turnwise");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("settings.toml"), "mouse = false\ncolour = 1\n").unwrap();
    let terminal = start(&home, "taskmaster-3.json");
    terminal
        .shows("dialog 0 of 3")
        .shows("line 2: there is no setting `colour`");
}

#[test]
fn mistakes_in_keys_name_file_line_and_key() {
    let home = home("taskmaster-3.json");
    let folder = home.path().join("config/turnwise");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("keys.toml"),
        "[transcript]\nturn_next = \"ctrl-x\"\n",
    )
    .unwrap();
    let mut terminal = start(&home, "taskmaster-3.json");
    terminal.shows("keys.toml: line 2: `ctrl-x` is no key");
    assert_eq!(terminal.end().code(), Some(2));
    fs::write(
        folder.join("keys.toml"),
        "[transcript]\nturn_next = \"w\"\n",
    )
    .unwrap();
    let terminal = start(&home, "taskmaster-3.json");
    terminal
        .shows("dialog 0 of 3")
        .keys("w")
        .shows("turn 1 of")
        .keys("j")
        .shows("does nothing here");
}
