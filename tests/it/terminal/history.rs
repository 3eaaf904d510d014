//! The history after a normal end: the next run undoes and redoes it, recovery decides about unsaved
//! edits, and one process at a time edits a file.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::process::Signal;
use turnwise::shell::temporary_prefix;

use super::harness::Terminal;
use super::repair::{DEMO, SAVE, differing, open, text, wait_for_lines};
use super::setup::Setup;
use crate::support::{project, run_in};

#[test]
fn the_next_run_undoes_and_redoes_saved_edits() {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys("Jl]").shows("●2 unsaved");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    let after = text(&terminal);
    let mut terminal = terminal.again();
    terminal.shows("  2 of 3").keys("E").shows("saved  end 15 → 16 in turn 2");
    terminal
        .keys("u")
        .shows("undone: end 15 → 16 in turn 2 · the file keeps the edit until you save");
    terminal.shows("●1 unsaved");
    terminal.keys("u").shows("undone: end 16 → 17 in turn 3").shows("turn 3 ·");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    assert_eq!(text(&terminal), before);
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").keys("U").shows("redone: end 16 → 17 in turn 3");
    terminal.keys("U").shows("●2 unsaved");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    assert_eq!(text(&terminal), after);
    // Undoing back to the saved state leaves nothing to save.
    let mut terminal = terminal.again();
    terminal.shows("  2 of 3").keys("u").shows("●1 unsaved");
    terminal.keys("U").shows("redone").shows_not("unsaved");
}

#[test]
fn edits_of_a_quit_without_saving_can_be_redone() {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys("q").shows("1 unsaved edit;").keys("n").ends();
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").shows_not("unsaved");
    assert_eq!(text(&terminal), before);
    terminal.keys("U").shows("redone: end 16 → 17 in turn 3").shows("●1 unsaved");
    // Redone now, it is undone as an edit of now.
    terminal.keys("u").shows("undone: end 16 → 17 in turn 3");
    terminal.shows_not("earlier run").shows_not("unsaved");
}

#[test]
fn a_history_of_other_bytes_is_skipped_and_a_broken_one_is_reported() {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    terminal.keys("q").ends();
    let path = terminal.folder().join(DEMO);
    let after = text(&terminal);
    fs::write(&path, before.replace("Milwaukee", "Chicago")).unwrap();
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").keys("u").shows("nothing to undo");
    terminal.keys("q").ends();
    // Brought back, it has its history again.
    fs::write(&path, &after).unwrap();
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").keys("u").shows("undone: end 16 → 17");
    terminal.keys("U").shows("redone").keys("q").ends();
    let journals = terminal.folder().join(".state/turnwise/journals");
    for file in fs::read_dir(journals).unwrap().map(|file| file.unwrap().path()) {
        let bytes = fs::read(&file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 3]).unwrap();
    }
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").shows("the journal is damaged").keys("u").shows("nothing to undo");
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
}

/// A run that ended with two edits that were not saved, and the one after it.
fn after_a_kill() -> (Terminal, String) {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys("Jl]").shows("●2 unsaved");
    let mut terminal = terminal.killed_after(4).again();
    terminal.shows("left 2 unsaved edits");
    (terminal, before)
}

#[test]
fn leftovers_of_an_interrupted_save_are_removed() {
    let mut terminal = open();
    terminal.keys("3gl]").shows("●1 unsaved");
    let terminal = terminal.killed_after(3);
    let of = |name: &str| {
        let prefix = temporary_prefix(Path::new(name));
        terminal.folder().join(format!("{prefix}AbCdEf.tmp"))
    };
    let (left, other) = (of(DEMO), of("other.json"));
    for file in [&left, &other] {
        fs::write(file, "[").unwrap();
    }
    let mut terminal = terminal.again();
    terminal.shows("left 1 unsaved edit");
    assert!(!left.exists() && other.exists());
}

#[test]
fn offered_edits_are_exported_to_a_file_that_can_be_applied() {
    let (mut terminal, before) = after_a_kill();
    terminal.keys("f").shows("2 edits exported to").shows_not("unsaved");
    assert_eq!(text(&terminal), before);
    terminal.keys("q").ends();
    let kept = ".state/turnwise/kept/taskmaster-1-1.edits.jsonl";
    assert_eq!(run_in(terminal.folder(), &["apply", kept, DEMO], "").code, 0);
    assert!(differing(&before, &text(&terminal)) >= 3);
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").settled();
    terminal.shows_not("the last run left");
}

/// A file of edits can express edits, but not the undoing of saved ones.
#[test]
fn an_undone_save_is_reported_where_edits_are_exported() {
    let mut terminal = open();
    terminal.keys("3gl]").shows("●1 unsaved").keys(SAVE);
    terminal.shows("2 lines changed").keys("u").shows("●1 unsaved");
    terminal.keys("Jl]").shows("●2 unsaved");
    let mut terminal = terminal.killed_after(7).again();
    terminal.shows("left 2 unsaved edits").keys("f");
    terminal.shows("saved edit was undone; undone saves cannot be exported");
    // After a crash, where another program changed the file meanwhile.
    let mut terminal = open();
    terminal.keys("3gl]").shows("●1 unsaved").keys(SAVE).shows("2 lines changed").keys("u");
    terminal.shows("●1 unsaved");
    let terminal = terminal.killed_after(6);
    let path = terminal.folder().join(DEMO);
    let changed = text(&terminal).replace("Milwaukee", "Chicago");
    fs::write(path, changed).unwrap();
    let mut terminal = terminal.again();
    terminal.shows(
        "taskmaster-1.json has changed on disk: 1 edit that you saved and later undid is there again",
    );
}

#[test]
fn recovery_is_decided_before_anything_is_edited() {
    let (mut terminal, before) = after_a_kill();
    terminal.shows("y restore them").shows("n discard them");
    terminal.keys("\x1b").shows_not("the last run left");
    terminal.keys("3gl]").shows("left 2 unsaved edits");
    terminal.keys("\x1b").shows_not("the last run left");
    terminal.keys("E").shows("2 edits from the last run:").keys(":recover\r");
    terminal.shows("left 2 unsaved edits");
    terminal.keys("\r").shows_not("the last run left");
    terminal.keys("q").ends();
    let mut terminal = terminal.again();
    terminal.shows("left 2 unsaved edits").keys("n").shows("discard 2 edits for good?").keys("\r");
    terminal.shows("left 2 unsaved edits").keys("ny");
    terminal.shows("discarded the edits from the last run").keys("3gl]").shows("●1 unsaved");
    assert_eq!(text(&terminal), before);
    terminal.keys("qn").ends();
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").settled();
    terminal.shows_not("the last run left");
}

#[test]
fn edits_of_a_file_with_the_longest_name_are_kept() {
    let name = format!("{}.json", "é".repeat(125));
    let demo = fs::read(project("assets/demo").join(DEMO)).unwrap();
    let mut terminal = Setup::text(&name, demo).size(500, 40).start();
    terminal.shows("  1 of 3").keys("3gl]").shows("●1 unsaved");
    let mut terminal = terminal.killed_after(3).again();
    terminal.shows("left 1 unsaved edit").keys("f").shows("1 edit exported to").keys("3gl]");
    terminal.shows("●1 unsaved").keys(SAVE).shows("saved ééé");
}

#[test]
fn offered_edits_are_exported_if_their_file_changes_first() {
    let (mut terminal, before) = after_a_kill();
    terminal.keys("\x1b").shows_not("the last run left").keys("3gl]").shows("left 2 unsaved edits");
    terminal.keys("\x1b").shows_not("the last run left");
    fs::write(terminal.folder().join(DEMO), before + "\n").unwrap();
    terminal.keys(":reload\r").shows("2 edits exported to");
    let kept = ".state/turnwise/kept/taskmaster-1-1.edits.jsonl";
    let kept = fs::read_to_string(terminal.folder().join(kept)).unwrap();
    assert_eq!(kept.lines().count(), 2);
    terminal.keys("q").ends();
    let mut terminal = terminal.again();
    terminal.shows("  1 of 3").settled();
    terminal.shows_not("exported to");
}

#[test]
fn one_process_edits_a_file_and_others_read_it() {
    let (mut first, setup) = two_of_one_file(Setup::demo(DEMO).size(120, 40), DEMO);
    first.shows("  1 of 3");
    let file = first.folder().join(DEMO);
    let mut second = setup.size(80, 24).start();
    // A reader does not keep others from editing.
    second.shows("  1 of 3").keys("3gl]").shows("●1 unsaved");
    first.keys("3gl]");
    let by = format!("another process ({})", second.pid().as_raw_nonzero());
    first.shows(&format!("taskmaster-1.json is being edited by {by}"));
    first.shows("; read-only here").shows_not("unsaved");
    // A prompt for a text does not open if its text would be refused.
    first.keys("j").shows_not("read-only here");
    first.keys("ke").shows("; read-only here").shows_not("Text of turn");
    second.keys("u").shows_not("unsaved");
    second.keys("q").ends();
    first.keys("l]").shows("●1 unsaved");
    let name = second.folder().join(DEMO);
    symlink(&file, name).unwrap();
    let mut second = second.again();
    second.shows("  1 of 3");
    let by = format!("another process ({})", first.pid().as_raw_nonzero());
    let refused = format!("taskmaster-1.json is being edited by {by}; read-only here");
    second.shows(&refused);
    second.keys("j").shows_not("read-only here");
    second.keys("3gl]").shows(&refused);
    first.keys(SAVE).shows("saved taskmaster-1.json").keys("q").ends();
    second.keys("]").shows("was changed by another program");
    second.keys("y").shows("reloaded taskmaster-1.json");
    second.keys("3gl]").shows("●1 unsaved");
}

/// The program, and a second one that has not started yet and shares its file `name` and its state.
pub fn two_of_one_file(setup: Setup, name: &str) -> (Terminal, Setup) {
    let file = setup.path(name);
    let second = Setup::new().size(setup.columns, setup.rows).argument(file.to_str().unwrap());
    fs::create_dir_all(setup.path(".state")).unwrap();
    symlink(setup.path(".state"), second.path(".state")).unwrap();
    (setup.start(), second)
}

fn exported(terminal: &Terminal, number: usize) -> String {
    let name = format!(".state/turnwise/kept/taskmaster-1-{number}.edits.jsonl");
    fs::read_to_string(terminal.folder().join(name)).unwrap()
}

#[test]
fn a_lock_whose_file_is_removed_is_lost_and_no_edit_is() {
    let (mut first, _) = two_of_one_file(Setup::demo(DEMO).size(200, 40), DEMO);
    first.shows("  1 of 3");
    let before = text(&first);
    first.keys("3gl]").shows("●1 unsaved");
    wait_for_lines(&first, 3);
    fs::remove_dir_all(first.folder().join(".state/turnwise")).unwrap();
    first
        .keys("Jl]")
        .shows("the lock of taskmaster-1.json was removed; the file is read-only here until");
    first.shows("1 edit exported to").shows("●1 unsaved");
    assert!(exported(&first, 1).contains("\"turn\":3"));
    first.keys(SAVE).shows("was not saved: ");
    assert_eq!(text(&first), before);
    first.keys("qn").ends();
    let mut first = first.again();
    first.shows("  2 of 3").keys("K").shows("  1 of 3");
    first.keys("3gl]").shows("●1 unsaved").keys(SAVE).shows("saved taskmaster-1.json");
}

#[test]
fn a_lock_that_another_process_took_is_noticed_and_no_edit_is_lost() {
    let (mut first, setup) = two_of_one_file(Setup::demo(DEMO).size(200, 40), DEMO);
    first.shows("  1 of 3").keys("3gl]").shows("●1 unsaved");
    wait_for_lines(&first, 3);
    let before = text(&first);
    fs::remove_dir_all(first.folder().join(".state/turnwise")).unwrap();
    let mut second = setup.start();
    second.shows("  1 of 3").keys("Jl]").shows("●1 unsaved");
    wait_for_lines(&first, 3);
    // The first one keeps its edit and makes no other.
    first.keys("l]").shows(" is being edited by another process (");
    first.shows(" now; read-only here; 1 edit exported to ").shows("●1 unsaved");
    assert!(exported(&first, 1).contains("\"turn\":3"));
    first.keys(SAVE).shows("was not saved: ");
    assert_eq!(text(&first), before);
    second.signal(Signal::KILL).ends();
    first.keys("]").shows("; read-only here");
    first.keys("qn").ends();
    // The next start offers the other process's edits.
    let mut first = first.again();
    first.shows("left 1 unsaved edit").keys("y").shows("●1 unsaved");
}

/// A process that asks about unsaved edits does not hold the lock. What another one decides meanwhile is
/// decided here too.
#[test]
fn an_unanswered_question_about_unsaved_edits_lets_others_edit() {
    let (mut first, setup) = two_of_one_file(Setup::demo(DEMO).size(200, 40), DEMO);
    first.shows("  1 of 3");
    let mut second = setup.start();
    second.shows("  1 of 3").keys("3gl]").shows("●1 unsaved");
    wait_for_lines(&second, 3);
    second.signal(Signal::KILL).ends();
    // The first one learns of the edit only as it wants to edit the file itself.
    first.keys("3gl]").shows("the last run left 1 unsaved edit");
    let mut second = second.again();
    second.shows("the last run left 1 unsaved edit");
    second.keys("y").shows("●1 unsaved");
    first.keys("y").shows("taskmaster-1.json is being edited by another process (");
    first.shows_not("unsaved edit");
    // The edits are others by now: they are asked about before they are restored.
    second.keys("Jl]").shows("●2 unsaved");
    wait_for_lines(&second, 4);
    second.signal(Signal::KILL).ends();
    first.keys(":recover\r").shows("the last run left 1 unsaved edit").keys("n");
    first.shows("discard 1 edit for good?");
    first.keys("y").shows("the last run left 2 unsaved edits").shows_not("for good");
    let mut second = second.again();
    second.shows("the last run left 2 unsaved edits");
    second.keys("n").shows("for good").keys("y").shows("discarded the edits from the last run");
    second.keys("q").ends();
    first.keys("y").shows("another process has already restored or discarded the unsaved edits");
    first.shows_not("the last run left");
    first.keys("3gl]").shows("●1 unsaved");
}

#[test]
fn a_failing_journal_is_reported_and_its_missing_entries_are_written_later() {
    let setup = Setup::demo(DEMO).size(80, 24);
    fs::create_dir_all(setup.path(".state/turnwise")).unwrap();
    let in_its_place = setup.path(".state/turnwise/journals");
    fs::write(&in_its_place, "").unwrap();
    let mut terminal = setup.start();
    terminal.shows("  1 of 3").keys("3gl]");
    terminal.shows("edits are in memory only; the journal cannot be written: ").shows("●1 unsaved");
    // It promises no redo in the next run, and the edits can be written elsewhere.
    terminal.keys("q").shows("in memory only: quitting loses it").shows("f export");
    terminal.keys("\x1b").shows_not("quitting loses it");
    fs::remove_file(in_its_place).unwrap();
    terminal.keys("Jl]").shows("the journal works again; all edits are in it");
    let mut terminal = terminal.killed_after(4).again();
    terminal.shows("left 2 unsaved edits");
}

/// The journal has no room for all edits, and the file has: saved edits are safe, and no error is shown,
/// now or at the next start.
#[test]
fn a_journal_without_room_alarms_nobody_once_all_is_saved() {
    let text = r#"[{"conversation_id":"d","vertical":"v","utterances":[{"index":0,"speaker":"user",
"text":"one two three four","segments":[{"start_index":0,"end_index":3,"text":"one","annotations":
[{"name":"a.label"}]}]}]}]"#;
    let setup = Setup::text("corpus.json", text).size(80, 24);
    let mut terminal = setup.file_limit(2).start();
    terminal.shows("one two three four").keys("l");
    for number in 0..9 {
        terminal.keys(&format!("rlabel.{number}\r"));
    }
    terminal.shows("the journal cannot be written: File too large");
    // Until then the alarm is right, and each edit may renew it.
    terminal.keys(SAVE).shows("saved corpus.json");
    let before = terminal.bytes().len();
    terminal.keys("q").ends();
    let after = String::from_utf8_lossy(&terminal.bytes()[before..]).into_owned();
    assert!(!after.contains("memory"), "{after}");
    let saved = fs::read_to_string(terminal.folder().join("corpus.json")).unwrap();
    assert!(saved.contains("label.8"));
    let mut terminal = terminal.again();
    terminal.shows("one two three four").settled();
    terminal.shows_not("kept").shows_not("the last run left").keys("q").ends();
    let all = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    assert!(!all.contains("kept"), "{all}");
}

#[test]
fn a_save_that_has_no_room_leaves_the_old_file_and_says_why() {
    let mut terminal = Setup::demo(DEMO).size(120, 40).file_limit(16).start();
    let before = text(&terminal);
    assert!(before.len() > 16 * 512);
    terminal.shows("  1 of 3").keys("3gl]").shows("●1 unsaved");
    terminal.keys(SAVE).shows("was not saved: writing the new file failed");
    terminal.shows("nothing was changed: File too large").shows("●1 unsaved");
    assert_eq!(text(&terminal), before);
    let mut terminal = terminal.killed_after(3).again();
    terminal.shows("left 1 unsaved edit");
}
