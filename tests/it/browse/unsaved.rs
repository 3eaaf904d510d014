//! Edits: undone and redone, saved, and asked about before they are lost.

use turnwise::app::{Effect, Msg};

use super::repair::open;
use super::{Driver, demo};

#[test]
fn nudges_of_one_edge_are_one_step() {
    let mut driver = open("at «AMC» Mountain 16");
    let original = driver.bytes(0);
    driver.press("] ] ] ] [").shows("●1 unsaved").shows("3..9 \"AMC Mo");
    driver.press("u").shows("undone: end 6 → 9 in turn 0").shows_not("unsaved");
    assert_eq!(driver.bytes(0), original);
    driver.press("C-r").shows("●1 unsaved").shows("redone: end");
    driver.press("u U u C-r u");
    assert_eq!(driver.bytes(0), original);
    driver.press("u").shows("nothing to undo");
    // Those of both edges are two.
    driver.press("] ] }").shows("●2 unsaved");
    driver.press("u").shows("undone: start").shows("3..8 ");
    driver.press("u").shows("undone: end").shows_not("unsaved");
}

/// A split makes two edits and a merge three, but each is one action.
#[test]
fn an_action_of_several_edits_is_one_change_and_one_row() {
    let mut driver = open("at «AMC Mountain» 16");
    let original = driver.bytes(0);
    driver.press("l v b s").shows("●1 unsaved");
    driver.press("E").shows("1 edit is not saved");
    driver.shows("split segment 0 of turn 0").shows_not("more");
    let rows = |driver: &Driver| driver.screen().matches("● split").count();
    assert_eq!(rows(&driver), 1);
    driver.press("esc C-s").shows("saved").press("u");
    driver.shows("undone: split segment 0 of turn 0").shows("●1 unsaved");
    driver.press("q").shows("1 unsaved edit;").press("esc");
    assert_eq!(driver.bytes(0), original);
    driver.press("U").shows_not("unsaved");
    driver.press("h v M").shows("●1 unsaved");
    driver.press("u").shows("undone: merged segments 0 and 1 of turn 0").shows_not("unsaved");
}

#[test]
fn undoing_goes_back_over_dialogs_to_where_each_edit_was() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l ] J j j j l [");
    let there = (driver.app.panes.transcript.at, driver.turn());
    driver.press("J u");
    assert_eq!((driver.app.panes.transcript.at, driver.turn()), there);
    driver.press("u").shows("  1 of 3").shows_not("unsaved");
}

#[test]
fn saving_several_files_is_reported_as_one() {
    let files = [demo("taskmaster-3.json"), demo("sim-m.json")];
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("l ] J J J l ]").shows("●2 unsaved");
    driver.press("W").shows("saved all 2 files: ").shows_not("●");
    driver.press("l ] C-s").shows("saved sim-m.json: ");
    // One of them fails.
    driver.press("[ K K K l [").shows("●2 unsaved");
    let saving = driver.app.update(Msg::Key("W".parse().unwrap()));
    assert_eq!(saving, [0, 1].map(|file| Effect::Save { file, changing_owner: false }));
    let reason = "no room".to_owned();
    driver.tell(Msg::SaveFailed { file: 0, reason });
    driver.shows("0 of 2 files saved");
    driver.tell(Msg::Deleted { file: 1 });
    driver.shows("saved 0 of 2 files: 0 lines changed; taskmaster-3.json was not saved: no room");
}

/// Dialogs may share a line, which is counted once.
#[test]
fn lines_are_counted_as_the_file_has_them() {
    let (name, text) = demo("taskmaster-3.json");
    let dialogs: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let one_line = serde_json::to_string(&dialogs).unwrap();
    let lines: String =
        dialogs.iter().flat_map(|dialog| [dialog.to_string(), "\n".to_owned()]).collect();
    for (text, saved) in [(one_line, "saved taskmaster-3.json: 1 line"), (lines, "2 lines")] {
        let mut driver = Driver::open(&[(name, text)], 120, 40);
        driver.press("l ] J l ]").shows("●2 unsaved").press("C-s").shows(saved);
    }
}

/// Only the keys that the question lists answer it; Enter, pressed out of habit, changes nothing.
#[test]
fn keys_that_a_question_does_not_list_do_nothing() {
    let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
    driver.press("l ] q").shows("1 unsaved edit;").shows("Esc Enter stay");
    for key in ["s", "d", "x", "f", "v", "5", "q"] {
        driver.press(key).shows(&format!("{key} is not bound here")).shows("1 unsaved edit;");
    }
    driver.press("enter").shows("●1 unsaved").shows_not("unsaved edit;");
    driver.tell(Msg::Changed { file: 0, saving: false });
    driver.shows("Esc Enter ask later").press("enter");
    let is_done = |effect: &Effect| matches!(effect, Effect::Quit | Effect::Reload { .. });
    assert!(!driver.wanted.iter().any(is_done));
    driver.press("q n");
    assert_eq!(driver.wanted.last(), Some(&Effect::Quit));
    let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
    driver.press("l ] q y");
    assert_eq!(driver.wanted.last(), Some(&Effect::Quit));
    assert!(!driver.app.workspace.files.any_modified());
}

/// A change of no byte does not count as an edit, and undoing back to the file's text leaves nothing unsaved.
#[test]
fn unsaved_edits_are_those_that_differ_from_the_file() {
    let mut driver = open("two for «Dune» at seven");
    let before = driver.bytes(0);
    driver.press("r").type_text("a.label").press("enter").shows("no change").shows_not("unsaved");
    assert_eq!(driver.app.workspace.steps.all().len(), 0);
    // A segment is added and deleted again: two steps, and nothing to save.
    driver.press("esc enter W a 1").shows("●1 unsaved");
    driver.press("d").shows_not("unsaved").shows_not("●");
    assert_eq!(driver.bytes(0), before);
    driver.press("esc esc E").shows("everything is saved");
    driver.press("esc q");
    assert_eq!(driver.wanted.last(), Some(&Effect::Quit));
    driver.press("u").shows("●1 unsaved").press("u");
    driver.shows_not("unsaved").press("u").shows("nothing to undo");
    assert_eq!(driver.bytes(0), before);
    // Of two dialogs one is led back: the other's edits count.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l");
    let label = driver.app.panes.transcript.current_segment().unwrap().labels[0].clone();
    driver.press("r").type_text("brand.new").press("enter");
    driver.press("J l ]").shows("●2 unsaved").press("K l r");
    driver.type_text(&label.name).press("enter").shows("●1 unsaved");
    driver.press("E").shows("1 edit is not saved");
}

/// A file may be a single line: the diff shows the changed part, not the start of the line.
#[test]
fn a_difference_in_a_long_line_is_visible() {
    let (name, text) = demo("taskmaster-3.json");
    let lines: String = text.lines().map(str::trim).collect();
    let mut driver = Driver::open(&[(name, lines)], 200, 60);
    driver.press("l ] E").shows("Changes in");
    let screen = driver.screen();
    let side = |sign: &str| screen.lines().find(|line| line.contains(sign));
    let (old, new) = (side("- …").unwrap(), side("+ …").unwrap());
    assert!(old.contains("\"end_index\": 33"), "{screen}");
    assert!(new.contains("\"end_index\": 34"), "{screen}");
}

/// After a step in the middle is reverted, undo first restores it.
#[test]
fn a_reverted_edit_is_restored() {
    for step in 0..4 {
        let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
        let original = driver.bytes(0);
        driver.press("5 g l d d").shows("●2 unsaved");
        driver.press("l ] e").type_text(" ok").press("enter").shows("●4 unsaved");
        let all = driver.bytes(0);
        driver.press("E f7 g").press(&"j ".repeat(step)).press("d");
        if driver.bytes(0) == all {
            driver.shows("was made on it");
        } else {
            driver.shows("u restores it").press("u").shows("restored: ").shows("●4 unsaved");
            assert!(driver.bytes(0) == all);
            // Something else that was done since is undone before.
            driver.press("d").press("esc esc 9 g l ]");
            driver.press("u").shows("undone: ").press("u").shows("restored: ");
            assert!(driver.bytes(0) == all);
        }
        driver.press("u u u u").shows_not("unsaved");
        assert!(driver.bytes(0) == original);
        driver.press("U U U U").shows("●4 unsaved");
        assert!(driver.bytes(0) == all);
    }
}

/// Undoing a saved edit is an unsaved change, which stays listed and counted after further edits.
#[test]
fn edits_undone_after_saving_are_listed_and_counted() {
    let mut driver = Driver::demo("taskmaster-3.json", 160, 40);
    let original = driver.bytes(0);
    driver.press("l ] C-s").shows("saved taskmaster-3.json");
    let saved = driver.bytes(0);
    driver.press("u E").shows("●1 unsaved").shows("1 edit is not saved").shows("● undone end");
    // An edit in another dialog: the undone one can no longer be redone.
    driver.press("esc h J l ] E").shows("●2 unsaved");
    driver.shows("2 edits are not saved").shows("● undone end");
    driver.press("U").shows("nothing to redo");
    driver.press("C-s").shows("everything is saved").shows_not("● undone");
    assert_ne!(driver.bytes(0), saved);
    driver.press("u").shows("the file keeps the edit until you save again").press("C-s");
    assert_eq!(driver.bytes(0), original);
}

/// A saved step can be opened: a nudge after that does not become part of it.
#[test]
fn a_nudge_after_saving_is_a_step_of_its_own() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l ] C-s ]").shows("●1 unsaved");
    let once = driver.press("u").shows_not("unsaved").bytes(0);
    driver.press("u [ C-s");
    assert_ne!(driver.bytes(0), once);
    // Other saved edits are redone as they were, and so are not changed.
    let mut driver = Driver::demo("taskmaster-3.json", 160, 40);
    driver.press("l ] h J l ] C-s").shows("saved");
    driver.press("E f7 G d").shows("reverted: end").shows("●1 unsaved").shows("● undone end");
    driver.press("u").shows("restored").shows_not("unsaved");
    driver.shows("everything is saved").shows_not("● undone");
}

#[test]
fn labels_that_were_tried_and_undone_are_not_offered_first() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l r").type_text("brand.new").press("enter");
    let first = |driver: &mut Driver| {
        let screen = driver.press("r").screen();
        driver.press("esc");
        screen.contains("▸   brand.new")
    };
    assert!(first(&mut driver));
    driver.press("u l l h h");
    assert!(!first(&mut driver));
    driver.press("U");
    assert!(first(&mut driver));
}
