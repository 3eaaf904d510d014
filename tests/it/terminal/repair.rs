//! Repairing in a terminal: what is taken, fixed and decided is saved; a kill in between; others at the same file.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use super::harness::Terminal;
use super::setup::Setup;
use crate::support::{project, run_in, scratch};

pub const DEMO: &str = "taskmaster-1.json";
const CONFLICTS: &str = "taskmaster-1.json.conflicts.jsonl";
pub const SAVE: &str = "\x13";

pub fn open() -> Terminal {
    let mut terminal = Setup::demo(DEMO).size(120, 40).start();
    terminal.shows("  1 of 3");
    terminal
}

pub fn text(terminal: &Terminal) -> String {
    fs::read_to_string(terminal.folder().join(DEMO)).unwrap()
}

/// The number of lines in which two texts of as many lines differ.
pub fn differing(before: &str, after: &str) -> usize {
    assert_eq!(before.lines().count(), after.lines().count());
    let pairs = before.lines().zip(after.lines());
    pairs.filter(|(a, b)| a != b).count()
}

/// Taken edits are saved, the others leave no trace.
#[test]
fn suggestions_are_taken_or_left_and_what_was_taken_is_saved() {
    let records = [
        r#"{"edit":"set_span","dialog":"dlg-demo-tm1-01","turn":3,"segment":0,"quote":"la boqueria chica","by":"finder","score":0.9,"why":"a letter is missing"}"#,
        r#"{"edit":"add_segment","dialog":"dlg-demo-tm1-01","turn":0,"quote":"Friday","labels":["date"],"by":"finder"}"#,
    ];
    let setup = Setup::demo(DEMO).size(120, 40).file("suggested.jsonl", records.join("\n"));
    let mut terminal = setup.argument("--suggestions").argument("suggested.jsonl").start();
    let before = text(&terminal);
    terminal.shows("suggestion 1 of 2 · 0 taken").shows("a letter is missing");
    terminal.keys("\r").shows("suggestion 2 of 2 · 1 taken");
    terminal.keys("-").shows("1 suggestion taken, none open");
    terminal.keys("\x1b").shows("1 taken, 1 left");
    terminal.keys(SAVE).shows("saved taskmaster-1.json: 2 lines changed");
    let after = text(&terminal);
    assert_eq!(differing(&before, &after), 2);
    assert!(after.contains("\"La Boqueria Chica\"") && !after.contains("\"date\""));
    assert!(terminal.keys("q").ends().success());
}

/// The conflict whether a segment ends at 16 or elsewhere.
fn conflict(end: u32) -> String {
    format!(
        r#"{{"conflict":"segment","dialog":0,"dialog_id":"dlg-demo-tm1-01","turn":3,"base":null,"ours":"0..16","theirs":"0..{end}","edits":[{{"edit":"set_span","turn":3,"segment":0,"start":0,"end":{end}}}]}}"#
    ) + "\n"
}

/// A list of conflicts beside a file is walked, and is gone when they are decided.
#[test]
fn conflicts_beside_a_file_are_decided_and_their_list_goes() {
    let setup = Setup::demo(DEMO).size(200, 40).file(CONFLICTS, conflict(17) + &conflict(11));
    let list = setup.path(CONFLICTS);
    let mut terminal = setup.start();
    terminal.shows("conflict 1 of 2 · 2 open").shows("theirs  turn 3");
    terminal.keys("t").shows("conflict 2 of 2 · 1 open");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    let left = fs::read_to_string(&list).unwrap();
    assert!(left.lines().count() == 1 && left.contains("0..11"), "{left}");
    // The file on the disk has theirs until the undoing of it is saved.
    terminal.keys("u").shows("2 open");
    assert_eq!(fs::read_to_string(&list).unwrap(), left);
    terminal.keys("t").shows("1 open");
    terminal.keys("o").shows("none open");
    terminal.keys("\x1b").shows_not("none open");
    assert!(terminal.keys("q").ends().success());
    assert!(!list.exists());
    let mut terminal = terminal.again();
    terminal.shows(" of 3").keys("u");
    terminal.shows("this decides the conflict for our side, so it is not listed again");
}

/// Through a link that leads elsewhere no decision could be kept.
#[test]
fn a_list_of_conflicts_elsewhere_is_not_decided() {
    let (setup, other) = (Setup::demo(DEMO).size(160, 40), scratch());
    let list = other.path().join("list");
    fs::write(&list, conflict(17)).unwrap();
    symlink(&list, setup.path(CONFLICTS)).unwrap();
    let mut terminal = setup.start();
    terminal.shows("is a link to").shows_not("conflict 1 of 1");
}

/// Conflicts of answers in a file of judgements are decided beside their dialogs.
#[test]
fn conflicts_of_judgements_are_decided_with_their_dialogs() {
    decide_about_a_judgement(Setup::demo(DEMO), "dlg-demo-tm1-01");
    // Dialogs without ids are judged under the name of their file and their number.
    let turn = |role: &str| format!(r#"{{"role":"{role}","content":"Hello"}}"#);
    let dialog = format!(r#"{{"messages":[{},{}]}}"#, turn("user"), turn("assistant"));
    let setup = Setup::text("chat.jsonl", format!("{dialog}\n{dialog}\n"));
    decide_about_a_judgement(setup, "chat-1");
}

fn decide_about_a_judgement(setup: Setup, dialog: &str) {
    let line = |value: u8| {
        format!(
            r#"{{"dialog":"{dialog}","turn":1,"scheme":"s","question":"q","value":{value},"by":"mk","when":"2026-01-02T03:04:05Z"}}"#
        ) + "\n"
    };
    let setup = setup.size(120, 40).file("base", line(1)).file("theirs", line(3));
    let setup = setup.file("judgements/mk.jsonl", line(2));
    let file = setup.path("judgements/mk.jsonl");
    let list = setup.path("judgements/mk.jsonl.conflicts.jsonl");
    let merge = ["merge", "base", "judgements/mk.jsonl", "theirs", "-o", "judgements/mk.jsonl"];
    assert_eq!(run_in(setup.folder.path(), &merge, "").code, 1);
    let mut terminal = setup.start();
    terminal.shows("conflict 1 of 1 · 1 open").shows("judgement: mk: q: 3");
    terminal.shows_not("is not a judgement");
    terminal.shows("ours    mk: q: 2").shows("theirs  mk: q: 3");
    terminal.keys("t").shows("none open").keys(SAVE).shows_not("unsaved");
    assert_eq!(fs::read_to_string(&file).unwrap(), line(3));
    assert!(!list.exists());
    terminal.keys("\x1b").shows("1 conflict decided");
    terminal.keys("q").ends();
    // Marks that git has left are not passed over.
    fs::write(&file, format!("<<<<<<< HEAD\n{}", line(3))).unwrap();
    let mut terminal = terminal.again();
    terminal.shows("mk.jsonl, line 1, is not a judgement: it is a conflict marker left by git");
}

/// Waits until the journals have `lines` lines.
pub fn wait_for_lines(terminal: &Terminal, lines: usize) {
    let journals = terminal.folder().join(".state/turnwise/journals");
    while written_down(&journals) < lines {
        std::thread::yield_now();
    }
}

/// Whole lines in all journals.
fn written_down(journals: &Path) -> usize {
    let files = fs::read_dir(journals).into_iter().flatten().flatten();
    let journals = files.map(|file| file.path());
    let journals = journals.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let text = journals.map(|path| fs::read_to_string(path).unwrap_or_default());
    text.filter(|text| text.contains("journal")).map(|text| text.matches('\n').count()).sum()
}

#[test]
fn a_change_of_the_open_file_is_noticed_without_a_key() {
    let mut terminal = open();
    let other = text(&terminal) + "\n";
    fs::write(terminal.folder().join(DEMO), &other).unwrap();
    terminal.shows("taskmaster-1.json was changed by another program");
    terminal.keys("y").shows("reloaded taskmaster-1.json");
    terminal.shows_not("was changed by another program");
    fs::remove_file(terminal.folder().join(DEMO)).unwrap();
    terminal.shows("taskmaster-1.json was deleted from disk");
}

#[test]
fn a_file_changed_by_another_program_is_not_overwritten() {
    let mut terminal = open();
    terminal.keys("3gl]").shows("●1 unsaved");
    let other = text(&terminal) + "\n";
    fs::write(terminal.folder().join(DEMO), &other).unwrap();
    terminal.keys(SAVE).shows("was changed by another program").shows_not("saving ");
    terminal.keys("n").shows_not("was changed by another");
    assert_eq!(text(&terminal), other);
    // One that was cut off, too.
    let path = terminal.folder().join(DEMO);
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(9).unwrap();
    terminal.keys(SAVE).shows("was changed by another program").keys("n");
    terminal.shows("●1 unsaved").shows_not("was changed by another");
    assert_eq!(fs::metadata(&path).unwrap().len(), 9);
    fs::write(&path, &other).unwrap();
    terminal.keys(SAVE).shows("was changed by another program");
    terminal.keys("y").shows("your unsaved edit was reapplied").shows("\"La Boqueria Chica\"");
    terminal.keys(SAVE).shows("2 lines changed");
    assert_eq!(differing(&other, &text(&terminal)), 2);
}

/// A user who edits a file in the terminal has it alone.
#[test]
fn a_file_that_is_being_edited_is_not_changed_from_outside() {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    let record = r#"{"edit":"set_text","dialog":0,"turn":0,"text":"Hey"}"#;
    fs::write(terminal.folder().join("edits.jsonl"), record).unwrap();
    let merge = ["merge", DEMO, DEMO, DEMO, "-o", DEMO];
    for arguments in [&["apply", "edits.jsonl", DEMO][..], &["fix", DEMO], &merge] {
        let (code, said) = terminal.ran(arguments);
        assert_ne!(code, Some(0));
        assert!(said.contains("is being edited by another process ("), "{said}");
    }
    assert_eq!(text(&terminal), before);
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    terminal.keys("q").ends();
    let (code, said) = terminal.ran(&["apply", "edits.jsonl", DEMO]);
    assert_eq!(code, Some(0), "{said}");
}

/// A change that another program makes to a corpus.
type Change<'c> = &'c dyn Fn(&mut Value);

/// Numbers of turns and segments mean something else after another program has inserted something before
/// them: an edit is reapplied only if all the data it depends on is unchanged.
#[test]
fn an_edit_is_made_again_only_on_what_it_was_made_on() {
    let turns = |corpus: &mut Value| corpus[0]["utterances"].as_array_mut().unwrap().clone();
    let put = |corpus: &mut Value, turns: Vec<Value>| corpus[0]["utterances"] = turns.into();
    let segment = json!({"start_index": 0, "end_index": 2, "text": "La", "annotations": []});
    let changes: [(&str, bool, Change<'_>); 4] = [
        ("a segment before it", false, &|corpus| {
            let segments = &mut corpus[0]["utterances"][3]["segments"];
            segments.as_array_mut().unwrap().insert(0, segment.clone());
        }),
        ("a turn less before it", false, &|corpus| {
            let mut turns = turns(corpus);
            turns.remove(1);
            put(corpus, turns);
        }),
        ("the text of the turn", false, &|corpus| {
            corpus[0]["utterances"][3]["text"] = "La Boqueria Chica is closed.".into();
        }),
        ("another turn, and how it is written", true, &|corpus| {
            corpus[0]["utterances"][2]["text"] = "Which?".into();
        }),
    ];
    for (what, fits, change) in changes {
        let mut terminal = open();
        terminal.keys("3gl]").shows("●1 unsaved");
        let mut corpus: Value = serde_json::from_str(&text(&terminal)).unwrap();
        change(&mut corpus);
        let other = serde_json::to_string(&corpus).unwrap();
        fs::write(terminal.folder().join(DEMO), &other).unwrap();
        terminal.keys(SAVE).shows("was changed by another program");
        terminal.keys("y");
        if fits {
            terminal.shows("your unsaved edit was reapplied").keys(SAVE);
            terminal.shows("saved taskmaster-1.json");
            corpus[0]["utterances"][3]["segments"][0]["end_index"] = 17.into();
            corpus[0]["utterances"][3]["segments"][0]["text"] = "La Boqueria Chica".into();
        } else {
            terminal
                .shows("1 edit exported to")
                .shows("1 of 1 unsaved edits could not be reapplied");
            terminal.shows_not("●1 unsaved");
            terminal.keys(SAVE).shows("no unsaved changes");
            let kept = ".state/turnwise/kept/taskmaster-1-1.edits.jsonl";
            let ran = run_in(terminal.folder(), &["apply", kept, DEMO], "");
            assert!(ran.err.contains("the edit was made when turn 3 was"), "{what}: {ran:?}");
        }
        let saved: Value = serde_json::from_str(&text(&terminal)).unwrap();
        assert_eq!(saved, corpus, "{what}");
    }
}

/// The undoing of a saved edit cannot be made again: turnwise reports that the edit is applied again.
#[test]
fn an_edit_undone_after_saving_is_applied_again_in_a_changed_file() {
    let mut terminal = open();
    terminal.keys("3gl]").keys(SAVE).shows("2 lines changed");
    terminal.keys("u").shows("●1 unsaved");
    let saved = text(&terminal);
    fs::write(terminal.folder().join(DEMO), saved.clone() + "\n").unwrap();
    terminal.keys(SAVE).shows("was changed by another program");
    terminal.keys("y").shows("1 edit that you had undone after saving is back");
    terminal.shows("\"La Boqueria Chica\"").shows_not("unsaved");
}

#[test]
fn edits_of_a_deleted_file_are_exported_or_the_file_is_written_again() {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    fs::remove_file(terminal.folder().join(DEMO)).unwrap();
    terminal.keys(SAVE).shows("taskmaster-1.json not saved: deleted from disk");
    terminal.shows("y create it again").shows_not("saving ");
    terminal.keys("f").shows("1 edit exported to").shows("●1 unsaved");
    let kept = ".state/turnwise/kept/taskmaster-1-1.edits.jsonl";
    let kept = fs::read_to_string(terminal.folder().join(kept)).unwrap();
    assert!(kept.contains("\"edit\":\"set_span\",\"turn\":3"), "{kept}");
    terminal.keys("q").shows("1 unsaved edit;").keys("y");
    terminal.shows("deleted from disk").keys("\r");
    terminal.shows_not("deleted from").shows("●1 unsaved");
    terminal.keys(SAVE).shows("deleted from disk");
    terminal.keys("y").shows("saved taskmaster-1.json as a new file").shows_not("unsaved");
    assert_eq!(differing(&before, &text(&terminal)), 2);
    terminal.keys("u").shows("●1 unsaved").keys(SAVE);
    terminal.shows("saved taskmaster-1.json: 2 lines changed");
    assert_eq!(text(&terminal), before);
}

#[test]
fn a_file_is_reloaded_on_request() {
    let mut terminal = open();
    let before = text(&terminal);
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys(":reload\r").shows("taskmaster-1.json is shown as it is on disk");
    terminal.shows("●1 unsaved");
    fs::write(terminal.folder().join(DEMO), before.clone() + "\n").unwrap();
    terminal.keys(":reload\r").shows("your unsaved edit was reapplied");
    terminal.keys(SAVE).shows("2 lines changed");
    assert_eq!(differing(&(before + "\n"), &text(&terminal)), 2);
    fs::remove_file(terminal.folder().join(DEMO)).unwrap();
    terminal.keys(":reload\r").shows("taskmaster-1.json cannot be reloaded: No such file");
}

#[test]
fn other_names_of_a_saved_file_are_reported() {
    let mut terminal = open();
    let before = text(&terminal);
    let other = terminal.folder().join("other-name");
    fs::hard_link(terminal.folder().join(DEMO), &other).unwrap();
    terminal.keys("3gl]").shows("●1 unsaved").keys(SAVE);
    terminal.shows("2 lines changed, but its other hard links keep the old text");
    assert_eq!(fs::read_to_string(other).unwrap(), before);
    assert_eq!(differing(&before, &text(&terminal)), 2);
    terminal.keys("u").shows("the file keeps the edit until you save again").keys(SAVE);
    terminal.shows("2 lines changed").shows_not("hard links");
}

/// They are found by their ids in another order of dialogs, and refused where their turn is another.
#[test]
fn edits_of_a_crashed_run_follow_their_dialogs_and_leave_other_turns_alone() {
    let mut terminal = open();
    terminal.keys("3gl]").shows("●1 unsaved").keys("Jl]").shows("●2 unsaved");
    let terminal = terminal.killed_after(4);
    let mut dialogs: Vec<serde_json::Value> = serde_json::from_str(&text(&terminal)).unwrap();
    dialogs.reverse();
    let first = dialogs.last_mut().unwrap();
    first["utterances"][3]["text"] = "Nothing of what was said here before.".into();
    let other = serde_json::to_string_pretty(&dialogs).unwrap();
    fs::write(terminal.folder().join(DEMO), &other).unwrap();
    let mut terminal = terminal.again();
    terminal.shows("left 2 unsaved edits").keys("v").shows("no longer fits").keys("y");
    terminal.shows("●1 unsaved").shows("1 edit exported to").keys(SAVE).shows_not("unsaved");
    assert!((1..=2).contains(&differing(&other, &text(&terminal))));
}

#[test]
fn exported_edits_of_several_files_are_reported_at_once_and_can_be_applied() {
    let setup = Setup::new();
    let (demo, names) = (project("assets/demo").join(DEMO), ["one", "two"]);
    for name in names {
        fs::create_dir(setup.path(name)).unwrap();
        fs::copy(&demo, setup.path(name).join("dev.json")).unwrap();
    }
    let mut terminal = setup.argument("one").argument("two").start();
    terminal.shows("two/").shows("▲3 problems");
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys("JJJ3gl]").shows("●2 unsaved").keys("Jl]").shows("●3 unsaved");
    let terminal = terminal.killed_after(7);
    let before = fs::read_to_string(&demo).unwrap();
    for name in names {
        let path = terminal.folder().join(name).join("dev.json");
        fs::write(path, before.clone() + "\n").unwrap();
    }
    let mut terminal = terminal.again();
    terminal.shows("2 files: the last run left 3 unsaved edits; some may no longer fit");
    terminal.keys("f").shows("3 edits of 2 files exported to");
    terminal.keys("q").ends();
    let kept = terminal.folder().join(".state/turnwise/kept");
    let first = fs::read_to_string(kept.join("dev-1.edits.jsonl")).unwrap();
    let start = r#"{"file":"one/dev.json","dialog":"dlg-demo-tm1-01","edit":"set_span""#;
    assert!(first.starts_with(start), "{first}");
    for (number, name, lines) in [(1, "one", 2), (2, "two", 4)] {
        let kept = kept.join(format!("dev-{number}.edits.jsonl"));
        let arguments = ["apply", kept.to_str().unwrap(), "../one", "dev.json"];
        let ran = run_in(&terminal.folder().join("two"), &arguments, "");
        assert_eq!(ran.code, 0, "{ran:?}");
        let path = terminal.folder().join(name).join("dev.json");
        let now = fs::read_to_string(path).unwrap();
        assert_eq!(differing(&(before.clone() + "\n"), &now), lines);
    }
}

/// Everything that is wrong in a file is repaired or ignored by key; then `lint` finds nothing.
#[test]
fn all_problems_of_a_file_are_repaired_or_ignored_and_lint_agrees() {
    let mut terminal = Setup::demo("taskmaster-3.json").size(120, 40).start();
    terminal.shows("▲2 problems").keys("X\t").shows("in this file: 4 of 4 ticked");
    terminal.keys("A").shows("4 fixes applied in 3 dialogs");
    for (problem, keys, told) in [
        ("but turn 9 says 10:15pm", "f1", "0 problems left here"),
        ("get_movie_attribute lacks attribute", "f1", "0 problems left here"),
        ("contains \"8:20pm\"", "Ione time, said twice\r", "ignored, recorded in"),
        ("book_tickets lacks name.theater", "f1", "0 problems left here"),
    ] {
        terminal.keys("n").shows(problem).keys(keys).shows(told);
    }
    terminal.keys("n").shows("no problems in any dialog");
    terminal.keys(SAVE).shows("saved taskmaster-3.json");
    let beside = terminal.folder().join("turnwise.ignores.jsonl");
    let line = fs::read_to_string(&beside).unwrap();
    assert!(line.starts_with("{\"file\":\"taskmaster-3.json\"") && line.contains("said twice"));
    let ran = run_in(terminal.folder(), &["lint", "taskmaster-3.json"], "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    // A broken file of ignored problems is reported, and stays as it is.
    let broken = format!("{line}{{\"rule\":\n");
    fs::write(&beside, &broken).unwrap();
    terminal.keys("u").shows("●1 unsaved").keys("I\r").shows("turnwise.ignores.jsonl: line 2");
    assert_eq!(fs::read_to_string(&beside).unwrap(), broken);
}

/// Conflicts that were decided before a kill are decided again once the edits are restored.
#[test]
fn conflicts_decided_before_a_kill_are_not_open_again() {
    let setup = Setup::demo(DEMO).size(120, 40).file(CONFLICTS, conflict(17));
    let list = setup.path(CONFLICTS);
    let mut terminal = setup.start();
    terminal.shows("conflict 1 of 1 · 1 open").shows("theirs  turn 3");
    terminal.keys("t").shows("●1 unsaved");
    let mut terminal = terminal.killed_after(3).again();
    terminal.shows("the last run left 1 unsaved edit").keys("y").shows("●1 unsaved");
    terminal.keys(":suggestions\r").shows("0 open").keys("o").shows("already applied; ");
    terminal.keys("\x1b").shows_not("0 open").keys(SAVE).shows_not("unsaved");
    terminal.keys("q").ends();
    assert!(!list.exists());
    assert!(text(&terminal).contains("\"end_index\": 17"));
}
