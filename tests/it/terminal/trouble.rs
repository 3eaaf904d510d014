//! Files that are broken, empty, or change under the reader.

use std::fs;

use super::corpora::numbered;
use super::harness::outcome;
use super::repair::DEMO;
use super::setup::Setup;
use crate::side_files::make_pipe;
use crate::support::project;

#[test]
fn removed_file_can_be_read_on() {
    let mut terminal = Setup::text("corpus.json", numbered(9, 9)).start();
    terminal.shows("  1 of 9");
    let path = terminal.folder().join("corpus.json");
    fs::rename(&path, path.with_extension("away")).unwrap();
    terminal.keys("\x1b[I");
    terminal.shows("corpus.json was deleted from disk; saving an edit creates it again").keys("5J");
    terminal.shows("said 5.0").keys("/said 8.8\r").shows("1 of 1").keys("\x1b[I");
    terminal.shows_not("was deleted");
    // Another one in its place is still reported.
    fs::write(&path, numbered(3, 3)).unwrap();
    terminal.keys("\x1b[I").shows("was changed by another program").keys("y").shows(" of 3");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}

#[test]
fn a_file_that_is_cut_off_while_it_is_read_is_reported() {
    let mut terminal = Setup::text("corpus.json", numbered(9, 9)).start();
    terminal.shows("  1 of 9").keys("\x1b[17~").shows("s sort");
    // The list is complete once it can be sorted by the contents of dialogs.
    terminal.keys("ss").shows("sorted by longest first");
    let file = fs::OpenOptions::new().write(true).open(terminal.folder().join("corpus.json"));
    file.unwrap().set_len(2500).unwrap();
    terminal.keys("G").shows("▲ the file is shorter than it was");
    terminal.shows("was changed by another program");
    terminal.keys("n").shows_not("was changed by another program");
    terminal.keys("g").shows("said 0.0");
    terminal.keys("/said 8.8\r").shows("no hits: said 8.8");
    terminal.keys("S").keys("G").keys("Kk").shows("? help");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}

#[test]
fn a_file_that_is_emptied_and_filled_again_does_no_harm() {
    let mut terminal = Setup::text("corpus.json", numbered(9, 9)).start();
    terminal.shows("  1 of 9");
    let path = terminal.folder().join("corpus.json");
    fs::write(&path, "").unwrap();
    terminal.keys("3J").shows("  4 of 9").shows("▲");
    terminal.shows("was changed by another program").keys("n");
    fs::write(&path, "]".repeat(100_000)).unwrap();
    terminal.keys("2J").shows("  6 of 9").shows("▲");
    terminal.keys("/said\r").shows("no hits: said").keys("S").keys("i");
    fs::write(&path, numbered(9, 9)).unwrap();
    terminal.keys("K").shows("said 4.0");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}

#[test]
fn of_very_many_files_those_that_vanish_or_change_are_reported() {
    let mut setup = Setup::new().argument(".");
    for number in 0..140 {
        setup = setup.file(&format!("{number:03}.json"), numbered(1, 2));
    }
    let mut terminal = setup.start();
    terminal.shows(" of 140 ").shows("000.json  dlg-0").shows_not("reading ");
    // Once all are checked for problems, nothing reads them but what is asked for.
    terminal.keys("/problem:\r").shows("no hits: problem:");
    // A search reads all; then those that were read long ago are closed, and the last ones could be read still.
    terminal.keys("/said 0.1\r").shows("said 0.1: 1 of 140");
    fs::remove_file(terminal.folder().join("005.json")).unwrap();
    fs::write(terminal.folder().join("006.json"), numbered(2, 3)).unwrap();
    terminal.keys("5J").shows("▲").shows("No such file or directory").keys("J");
    terminal.shows("006.json was changed by another program");
    terminal.keys("n").shows("the file was changed by another program");
    terminal.keys("J").shows("007.json  dlg-0").shows("said 0.1");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}

#[test]
fn files_without_dialogs_say_why() {
    for (text, told) in [
        (&b""[..], "found an empty text"),
        (b" \n", "found an empty text"),
        (b"[]", "an empty list"),
        (b"{\"a\": 1}", "not a known kind of dialog"),
        (b"hello", "▲"),
        (b"[{", "▲"),
        (b"\0\0\0\0", "▲"),
        (b"\x1b[2J", "▲"),
        (b"[{\"conversation_id\": \"\xe4\xff\"}]", "▲"),
    ] {
        let mut terminal = Setup::text("odd.json", text).start();
        terminal.shows(told).shows("odd.json").shows("q quit");
        // Whatever is pressed, there is nothing to fall into.
        terminal.keys("jkJKlhGg.,iSDmzyY\x19nps!*/x\r").shows("no hits: x").keys("#0\r");
        terminal.shows("no dialog with id or number 0").keys("oxt]euUW").shows("nothing to save");
        assert_eq!(fs::read(terminal.folder().join("odd.json")).unwrap(), text);
        assert_eq!(outcome(terminal.keys("q").ends()), "exit 0", "{text:?}");
    }
}

#[test]
fn pipes_in_the_place_of_small_files_are_not_waited_for() {
    let setup = Setup::demo("dbdc/demo_001.log.json");
    let folder = setup.folder.path().canonicalize().unwrap();
    let session = twox_hash::XxHash3_128::oneshot(
        format!("{}\n", folder.join("demo_001.log.json").display()).as_bytes(),
    );
    let session = format!(".state/turnwise/sessions/{session:032x}.toml");
    let beside = "turnwise.toml turnwise.ignores.jsonl demo_001.log.context demo_001.labels.json \
                  ontology.json .config/turnwise/settings.toml .state/turnwise/annotator";
    for place in beside.split(' ').chain([session.as_str()]) {
        let path = setup.path(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make_pipe(&path);
    }
    let mut terminal = setup.size(160, 40).start();
    terminal.shows("this is a pipe, not a regular file");
    terminal.keys("i").shows("demo_001.log.context is not shown");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
    for (place, told) in [("keys.toml", "keys.toml"), ("themes/dark.toml", "dark.toml")] {
        let setup = Setup::demo(DEMO);
        let path = setup.path(".config/turnwise").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make_pipe(&path);
        let mut terminal = setup.start();
        assert_eq!(outcome(terminal.ends()), "exit 2");
        terminal.shows(told).shows("this is a pipe");
    }
}

#[test]
fn a_file_that_appears_in_an_opened_folder_is_listed() {
    let said = |text: &str| {
        format!(
            r#"{{"type":"user","sessionId":"{text}","message":{{"role":"user","content":"{text}"}}}}"#
        ) + "\n"
    };
    let mut terminal = Setup::new().file("a.jsonl", said("first")).argument(".").start();
    terminal.shows("user first");
    fs::write(terminal.folder().join("b.jsonl"), said("second")).unwrap();
    terminal.keys("\x1b[I").shows("new file: b.jsonl").shows(" of 2");
    terminal.keys("J").shows("second");
    // The program's own files, and those of others, are not sessions.
    fs::create_dir_all(terminal.folder().join("votes")).unwrap();
    let log = fs::read_to_string(project("tests/fixtures/dbdc-hand.log.json")).unwrap();
    fs::write(terminal.folder().join("votes/first.log.json"), log).unwrap();
    fs::write(terminal.folder().join("c.jsonl"), said("third")).unwrap();
    terminal.keys("\x1b[I").shows("new file: c.jsonl").shows(" of 3");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}
