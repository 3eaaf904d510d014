//! Conflicts of a merge and differences of copies: both sides beside each other, decided one by one.

use turnwise::app::{
    ConflictList, Effect, Proposed, ProposedChange, Review, conflicts_while_saving,
};
use turnwise::compare::{
    ConflictLine, MergedFile, also_of, file_choices, merge_files, written_hash,
};
use turnwise::corpus::index_all;
use turnwise::dialog::Edit;

use super::{Driver, demo};
use crate::support::edited_file::EditedFile;
use crate::support::files;

/// Ours and theirs of the name in turn 3, and what only one of them does in turn 4.
const END_16: &str = r#"{"edit":"set_span","turn":3,"segment":0,"start":0,"end":11}"#;
pub const END_17: &str = r#"{"edit":"set_span","turn":3,"segment":0,"start":0,"end":17}"#;
pub const ROAD: &str = r#"{"edit":"set_labels","turn":3,"segment":1,"labels":["road"]}"#;
pub const STREET: &str = r#"{"edit":"set_labels","turn":3,"segment":1,"labels":["street"]}"#;
pub const GONE: &str = r#"{"edit":"remove_segment","turn":3,"segment":0}"#;

type File = EditedFile;

fn copy(of: &str, edits: &[&str]) -> File {
    let mut file = files::open(of.as_bytes().to_vec());
    for edit in edits {
        let edit: Edit = serde_json::from_str(edit).unwrap();
        assert_eq!(file.edit(0, &edit), Ok(true), "{edit:?}");
    }
    files::open(files::saved(&file))
}

/// The program with these conflicts in `file`.
fn review(file: &File, found: MergedFile, sides: Option<[&str; 2]>, size: [u16; 2]) -> Driver {
    let mut driver = unread(file, found, sides, size);
    driver.read(0, files::saved(file));
    driver
}

/// The same before the file is read.
fn unread(file: &File, found: MergedFile, sides: Option<[&str; 2]>, size: [u16; 2]) -> Driver {
    let line = |of| ConflictLine {
        sides: sides.map(|sides| sides.map(str::to_owned)),
        ..ConflictLine::from(of)
    };
    let lines = found.conflicts.into_iter().map(line);
    let lines = lines.map(|line| serde_json::to_string(&line).unwrap() + "\n");
    listing(file, &lines.collect::<String>(), size)
}

/// The program with this list beside a file that is not read.
fn listing(file: &File, on_disk: &str, size: [u16; 2]) -> Driver {
    let name = "taskmaster-1.json";
    let text = String::from_utf8(files::saved(file)).unwrap();
    let mut driver = Driver::unopened(&[(name, text)], size[0], size[1]);
    let lines: Vec<_> = on_disk.lines().map(str::to_owned).collect();
    let all = (1..).zip(&lines).map(|(number, line)| {
        let line = serde_json::from_str(line).unwrap();
        Proposed::conflict(number, line, 0)
    });
    let mut suggestions = Review::new(all.collect());
    suggestions.lists.push(ConflictList { file: 0, on_disk: on_disk.to_owned(), lines });
    driver.app.suggestions = suggestions;
    driver
}

/// The review of a merge of two copies of the demo's restaurants.
pub fn merged(ours: &[&str], theirs: &[&str], columns: u16, rows: u16) -> Driver {
    let (_, text) = demo("taskmaster-1.json");
    let (base, mut ours, mut theirs) = (copy(&text, &[]), copy(&text, ours), copy(&text, theirs));
    let found = merge_files(&base, ours.inner(), theirs.inner(), None).unwrap();
    review(&ours, found, None, [columns, rows])
}

fn text(driver: &Driver) -> String {
    String::from_utf8(driver.bytes(0)).unwrap()
}

/// The text that was asked to be written last to the list of conflicts.
fn list(driver: &Driver) -> Option<&str> {
    driver.wanted.iter().rev().find_map(|effect| match effect {
        Effect::WriteConflicts { file: 0, text, .. } => Some(text.as_str()),
        _ => None,
    })
}

#[test]
fn both_sides_are_beside_each_other_and_theirs_is_taken() {
    let mut driver = merged(&[END_16], &[END_17], 200, 50);
    let before = text(&driver);
    driver.shows("conflict 1 of 1 · 1 open").shows("turn 3 ·");
    driver.shows("ours    0..11").shows("theirs  0..17").shows("before  0..16");
    let screen = driver.screen();
    let heads = screen.lines().find(|line| line.contains(" theirs  turn 3"));
    assert!(heads.is_some_and(|line| line.contains(" ours  turn 3")), "{screen}");
    driver.shows("accept ≠");
    driver.press("t").shows("none open");
    assert!(text(&driver).contains("\"La Boqueria Chica\""));
    driver.press("u").shows("conflict 1 of 1 · 1 open");
    assert!(text(&driver) == before);
    driver.press("t C-s");
    assert_eq!(list(&driver), Some(""));
}

#[test]
fn ours_is_kept_without_an_edit_and_no_longer_listed() {
    let mut driver = merged(&[END_16, ROAD], &[END_17, STREET], 120, 40);
    let before = text(&driver);
    driver.shows("conflict 1 of 2 · 2 open");
    // The name of a command decides nothing while it is typed.
    driver.press(":").type_text("to").shows(": to").press("esc");
    driver.shows("conflict 1 of 2 · 2 open").press("o");
    driver.shows("conflict 2 of 2 · 1 open").shows("[-] ");
    // At once: no journal has it.
    assert_eq!(list(&driver).unwrap().lines().count(), 1);
    driver.press("u").shows("conflict 1 of 2 · 2 open");
    assert_eq!(list(&driver).unwrap().lines().count(), 2);
    driver.press("o").press("esc").shows("1 conflict decided, 1 open");
    assert!(text(&driver) == before);
    let left = list(&driver).unwrap();
    assert_eq!(left.lines().count(), 1);
    assert!(left.contains("street"), "{left}");
    // The review goes on where it was.
    driver.run("suggestions").shows("conflict 2 of 2 · 1 open").press("t C-s esc");
    assert!(text(&driver).contains("\"street\""));
    assert_eq!(list(&driver), Some(""));
}

/// Taking one moves the things that the other conflicts are about.
#[test]
fn conflicts_of_one_turn_are_decided_in_any_order() {
    let decided = |keys: &str| {
        let mut driver = merged(&[END_16, ROAD], &[STREET, GONE], 120, 40);
        driver.shows("2 open").press(keys).shows("none open");
        text(&driver)
    };
    let (one, other) = (decided("t t"), decided("down t t"));
    assert!(one == other);
    assert!(one.contains("\"street\"") && !one.contains("\"La Boqueria\""));
}

/// A conflict that is left while the file is saved is one of the file as it then is.
#[test]
fn what_is_saved_moves_the_conflicts_that_stay() {
    let mut driver = merged(&[END_16, ROAD], &[STREET, GONE], 120, 40);
    driver.shows("2 open");
    let of_gone = driver.screen().contains("remove the segment");
    assert!(of_gone);
    let first_is_gone = driver.app.suggestions.all[0].as_conflict().unwrap().theirs.is_none();
    driver.press(if first_is_gone { "t C-s" } else { "down t C-s" });
    let left = list(&driver).unwrap().to_owned();
    assert_eq!(left.lines().count(), 1);
    let line: ConflictLine = serde_json::from_str(left.trim()).unwrap();
    let [Edit::Put { turn: Some(3), json: Some(json), .. }] = &line.edits[..] else {
        panic!("{left}");
    };
    assert!(json.contains("street"));
    // Undone, it is open again, and listed when that is saved.
    driver.press("u").shows("2 open").press("C-s");
    assert_eq!(list(&driver).unwrap().lines().count(), 2);
}

#[test]
fn both_sides_and_the_base_are_shown_and_both_are_kept() {
    let added = |label: &str| {
        format!(r#"{{"edit":"add_segment","turn":3,"start":62,"end":68,"labels":["{label}"]}}"#)
    };
    let (one, other) = (added("people"), added("crowd"));
    let mut driver = merged(&[&one], &[&other], 120, 40);
    driver.shows("theirs  62..68 \"people\" crowd").shows("v show both").press("v");
    driver.shows(" both  turn 3");
    driver.press("v").shows(" theirs  turn 3").shows("the base has nothing here");
    driver.press("b").shows("none open");
    let both = text(&driver);
    assert!(both.contains("\"people\"") && both.contains("\"crowd\""));
    let mut driver = merged(&[END_16], &[END_17], 120, 40);
    driver.shows_not("b both").press("v").shows(" before  turn 3");
    driver.press("b").shows("only one of the two sides can stay");
}

#[test]
fn a_conflict_is_decided_by_hand() {
    let mut driver = merged(&[END_16], &[END_17], 120, 40);
    driver.press("e").shows("edit turn 3").shows_not("theirs");
    // Its segment is selected.
    driver.press("] ]").shows("●1 unsaved");
    assert_eq!(list(&driver), None, "until it is saved");
    driver.press("C-s");
    assert_eq!(list(&driver), Some(""));
    assert!(text(&driver).contains("\"La Boqueria C\""));
    // One that somebody meant to decide by hand, and did not, is still one after a save.
    let text = |text: &str| format!(r#"{{"edit":"set_text","turn":1,"text":"{text}"}}"#);
    let (mine, hers) = (text("Which road?"), text("Which street?"));
    let mut driver = merged(&[END_16, &mine], &[END_17, &hers], 120, 40);
    driver.shows("2 open").press("e").shows("Text of turn 1").press("esc");
    driver.run("suggestions");
    driver.press("down t C-s").shows("1 open");
    assert_eq!(list(&driver).unwrap().lines().count(), 1);
}

/// Each difference is taken, left or decided; what both copies say needs no key.
#[test]
fn differences_of_copies_are_decided_one_by_one() {
    let (_, demo) = demo("taskmaster-1.json");
    let removed = r#"{"edit":"remove_segment","turn":4,"segment":0}"#;
    let texted = r#"{"edit":"set_text","turn":1,"text":"Which neighborhood?"}"#;
    let mut one = copy(&demo, &[END_16, ROAD]);
    let mut other = copy(&demo, &[END_17, ROAD, removed, texted]);
    let found = file_choices(one.inner(), other.inner()).unwrap();
    let mut driver = review(&one, found, Some(["mk.json", "js.json"]), [200, 50]);
    driver.shows("difference 1 of 3 · 3 open").shows("- mk.json  Enter js.json").shows_not("ours");
    driver.shows(" js.json  turn 1");
    driver.shows("mk.json  \"Sure. Which").press("t");
    driver.shows("difference 2 of 3").shows("js.json  0..17").press("o");
    driver.shows("difference 3 of 3").shows("js.json  nothing").press("t");
    let agreed = copy(&demo, &[END_16, ROAD, removed, texted]);
    assert_eq!(text(&driver), String::from_utf8(files::saved(&agreed)).unwrap());
}

/// Of elements that are equal, each decision removes one.
#[test]
fn equal_elements_are_removed_one_by_one() {
    let people = r#"{"edit":"add_segment","turn":3,"start":62,"end":68,"labels":["people"]}"#;
    let (_, demo) = demo("taskmaster-1.json");
    let (mut one, mut other) = (copy(&demo, &[people, people]), copy(&demo, &[]));
    let found = file_choices(one.inner(), other.inner()).unwrap();
    let mut driver = review(&one, found, Some(["a", "b"]), [120, 40]);
    driver.shows("2 open").press("t").shows("1 open").press("t").shows("none open");
    assert_eq!(text(&driver), String::from_utf8(files::saved(&other)).unwrap());
}

/// Of a segment of which theirs has changed the edges alone, and both the label, the file has ours with these edges.
#[test]
fn ours_is_what_the_file_has() {
    let moved = r#"{"edit":"set_span","turn":3,"segment":1,"start":21,"end":35}"#;
    let mut driver = merged(&[ROAD], &[STREET, moved], 120, 40);
    driver.shows("1 open").shows("ours    21..35").shows("theirs  21..35");
    let before = text(&driver);
    driver.press("o C-s");
    assert!(text(&driver) == before);
    // A conflict beside the dialogs is taken off the list.
    let file = copy(&demo("taskmaster-1.json").1, &[]);
    let line = r#"{"conflict":"other","base":null,"ours":"as it was","theirs":"version changed","edits":[]}"#;
    let mut driver = listing(&file, &format!("{line}\n"), [100, 24]);
    driver.read(0, files::saved(&file));
    driver.shows("the file other: version changed");
    driver.shows("not possible: this is outside all dialogs of the file");
    driver.press("o").shows("1 conflict decided, none open");
    assert_eq!(list(&driver), Some(""));
}

fn hash_of(bytes: &[u8]) -> u128 {
    index_all(&bytes.to_vec(), true).unwrap().hash.unwrap()
}

/// A list is of the file as its merge has left it.
#[test]
fn a_list_of_another_state_of_the_file_is_not_opened() {
    let with_hash = |hash: Option<u128>| {
        let (_, text) = demo("taskmaster-1.json");
        let (base, mut ours) = (copy(&text, &[]), copy(&text, &[END_16, ROAD]));
        let mut theirs = copy(&text, &[END_17, STREET]);
        let found = merge_files(&base, ours.inner(), theirs.inner(), None).unwrap();
        let hash = written_hash(hash.unwrap_or_else(|| hash_of(&files::saved(&ours))));
        let mut driver = unread(&ours, found, None, [120, 40]);
        for one in &mut driver.app.suggestions.all {
            if let ProposedChange::Conflict(conflict) = &mut one.change {
                conflict.hash.clone_from(&hash);
            }
        }
        driver.read(0, files::saved(&ours));
        driver
    };
    let mut driver = with_hash(Some(1));
    driver.shows("has changed since the merge, so 2 conflicts cannot be shown");
    driver.shows_not("open").shows_not("theirs");
    let mut driver = with_hash(None);
    driver.shows("2 open").press("t C-s");
    let line: ConflictLine = serde_json::from_str(list(&driver).unwrap().trim()).unwrap();
    assert_eq!(line.hash, written_hash(hash_of(text(&driver).as_bytes())));
    driver.shows("1 open");
}

/// The program may end while it saves: before the file is replaced, and before the list is.
#[test]
fn a_list_is_right_before_and_after_a_save_that_was_cut_short() {
    for keys in ["t", "t t"] {
        let mut driver = merged(&[END_16, ROAD], &[STREET, GONE], 120, 40);
        let before = files::open(text(&driver).into_bytes());
        driver.press(keys);
        let on_disk = conflicts_while_saving(&driver.app, 0).unwrap();
        let after = files::open(text(&driver).into_bytes());
        let [old, new] = [&before, &after].map(|file| hash_of(&files::saved(file)));
        let listed = also_of(&on_disk, Some(old), new);
        let opened = |file: &File| {
            let mut driver = listing(file, &listed, [120, 40]);
            driver.read(0, files::saved(file));
            driver
        };
        // What was decided just before is asked again.
        opened(&before).shows("2 open");
        opened(&after).shows("2 open").shows_not("not shown");
        let other = files::open([files::saved(&after), b"\n".to_vec()].concat());
        opened(&other).shows("cannot be shown");
    }
}

/// A dialog that the user has pinned is back afterwards.
#[test]
fn the_pinned_dialog_is_back_after_the_review() {
    let mut driver = merged(&[END_16], &[END_17], 200, 50);
    driver.press("esc").shows_not("theirs  turn");
    driver.press("| J").shows("pinned  dlg-demo-tm1-01");
    driver.run("suggestions").shows(" theirs  turn 3").shows_not("pinned");
    driver.press("esc").shows("pinned  dlg-demo-tm1-01");
}
