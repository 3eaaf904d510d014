//! Problems: found while the user reads, visited one by one, fixed by key.

use serde_json::{Value, json};

use super::fixtures::{dialog, said, segment, turn};
use super::{Driver, at};
use turnwise::app::{IgnoresChange, Msg, Prompt};
use turnwise::lint::{Ignores, IgnoresLine};
use turnwise::query::{DialogSummary, Names};

#[test]
fn a_problem_is_found_shown_and_repaired_with_two_keys() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let original = driver.bytes(0);
    driver.shows("▲2 problems").press("n").shows("turn 5 ·");
    driver.shows("\"The Grand 12:\"").shows("includes the");
    driver.press("f").shows("end at 40, \"The Grand 12\"").press("1");
    driver.shows("▲1 problem").shows("●1 unsaved").shows("1 problem left here");
    driver.press("u").shows("▲2 problems");
    assert!(driver.bytes(0) == original);
    driver.press("f enter").shows("●1 unsaved").press("u");
    // The keys that go from turn to turn go from fix to fix.
    let mut other = Driver::demo("taskmaster-1.json", 80, 24);
    other.press("n f j").shows("▸ 2 end at 11").press("k").shows("▸ 1 end at 17");
    other.press("j enter").shows("end at 11").shows("Ctrl-S save");
    // A nudge that breaks a word is noticed at once.
    driver.press("g l [").shows("▲3 problems").press("]").shows("▲2 problems");
}

#[test]
fn problems_are_walked_through_the_corpus() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("!").shows("problem: 1 of");
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push((driver.app.panes.transcript.at, driver.turn()));
        driver.press("n");
    }
    assert!(seen.iter().any(|(at, _)| at.unwrap().dialog == 1), "{seen:?}");
    driver.press("esc").find("problem:label").shows("1 of 1").shows("rating.movies");
    // The details list problems and go to them.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("J P").shows("1 error, 2 warnings").press("f7 j").shows("turn 5 ·");
    driver.press("j enter").shows("turn 6 ·").press("f 1").shows("▲2 problems");
    // They count them by rule, and open one of each.
    let files = [super::demo("taskmaster-3.json"), super::demo("taskmaster-1.json")];
    let mut driver = Driver::open(&files, 120, 50);
    driver.press("P").shows("in this file: ").shows("in all files: ");
    driver.shows("label-unknown").press("f7 G enter").shows("1 of 1");
}

/// Over all files: unticked fixes are skipped, Esc applies none, one `u` undoes all.
#[test]
fn repairs_over_all_files_are_one_step() {
    let files = ["taskmaster-1.json", "taskmaster-3.json", "taskmaster-4.json"];
    let mut driver = Driver::open(&files.map(super::demo), 120, 40);
    let original: Vec<_> = (0..3).map(|file| driver.bytes(file)).collect();
    let same =
        |driver: &Driver| (0..3).filter(|file| driver.bytes(*file) == original[*file]).count();
    driver.press("X").shows("in this dialog");
    driver.press("tab").shows("in this file");
    driver.press("tab").shows("in all files");
    let all = reviewed(&driver).all.len();
    assert!(all > 3, "{all}");
    driver.press("esc").shows("no fix was applied");
    assert_eq!((same(&driver), driver.app.workspace.steps.applied().len()), (3, 0));
    driver.press("X tab tab space j space");
    assert_eq!(reviewed(&driver).ticked(), all - 2);
    driver.press("a").press("a").press("G space g space");
    assert_eq!(reviewed(&driver).ticked(), 2);
    driver.press("a A").shows(&format!("{all} fixes applied in ")).shows(" dialogs · u to undo");
    assert!(same(&driver) < 2 && driver.app.workspace.steps.applied().len() >= all);
    driver.press("u").shows("undone").shows_not("unsaved");
    assert_eq!((same(&driver), driver.app.workspace.steps.applied().len()), (3, 0));
    driver.press("C-r").shows("redone");
    assert!(driver.app.workspace.steps.applied().len() >= all);
    // The problems with safe fixes are gone.
    driver.press("X tab tab");
    assert!(reviewed(&driver).all.len() * 4 < all);
}

/// The list of repairs that is open.
fn reviewed(driver: &Driver) -> &turnwise::app::Review {
    driver.app.fixes.as_ref().expect("the list is open")
}

/// A fix that is taken alone may remove the problem of another; what is undone is open again.
#[test]
fn fixes_are_taken_and_left_one_by_one() {
    let turn = || turn("user", "at Dune: now", vec![segment(3, "Dune:", "name.movie")]);
    let text = json!([dialog("a", vec![turn(), turn()]), dialog("b", vec![turn()])]).to_string();
    let mut driver = Driver::open(&[("a.json", text)], 120, 40);
    let before = driver.bytes(0);
    driver.press("X tab").shows("3 of 3 ticked").press("enter").shows("2 of 3 ticked");
    driver.shows("●1 unsaved").press("-").shows("1 of 3 ticked").press("enter");
    driver.shows("2 taken, none open").shows("[-] a turn 1").shows("[✓] b turn 0");
    driver.press("u").shows("1 of 3 ticked").press("u").shows("2 of 3").shows_not("[-]");
    driver.press("u").shows("3 of 3").shows_not("unsaved");
    assert!(driver.bytes(0) == before);
    // What is not wanted stays so, with more dialogs or fewer and when the list is opened again.
    driver.press("j -").shows("2 of 3").press("tab").shows("1 of 2").press("tab").shows("2 of 3");
    driver.press("esc").press("X tab").shows("2 of 3").press("j space").shows("3 of 3");
    driver.press("A").shows("3 fixes applied in 2 dialogs").shows("●1 unsaved");
}

/// Thousands of fixes: scrolled, counted, applied and undone.
#[test]
fn thousands_of_repairs_are_listed_and_made() {
    let turn = || turn("user", "at Dune: now", vec![segment(3, "Dune:", "name.movie")]);
    let dialogs = (0..3000).map(|number| dialog(&format!("d{number}"), vec![turn()]));
    let text = dialogs.collect::<Value>().to_string();
    let mut driver = Driver::open(&[("many.json", text)], 80, 24);
    driver.press("n R").press("tab").shows("3,000 of 3,000 ticked");
    driver.press("G").shows("number 3,000").shows("d2999");
    driver.press("space pgup k").shows("2,999 of 3,000");
    driver.press("A").shows("2,999 fixes applied in 2,999 dialogs");
    driver.shows("●1 unsaved").press("n").shows("d2999  3,000 of 3,000");
    driver.press("u").shows("and 2,998 more").shows_not("unsaved");
}

/// Thousands of fixes in one dialog, in one turn or many: all are listed and applied, as one step.
#[test]
fn all_fixes_of_a_long_dialog_are_listed_and_applied() {
    let segment = |start| segment(start, "Dune:", "name.movie");
    let many_turns = vec![turn("user", "at Dune: now", vec![segment(3)]); 1500];
    let segments = (0..1500).map(|number| segment(6 * number)).collect();
    let one_turn = vec![turn("user", "Dune: ".repeat(1500).trim(), segments)];
    for turns in [many_turns, one_turn] {
        let dialog = json!([dialog("d", turns)]);
        let mut driver = Driver::open(&[("long.json", dialog.to_string())], 120, 40);
        let original = driver.bytes(0);
        driver.press("X");
        let listed = reviewed(&driver).all.len();
        assert!(listed >= 1500 && reviewed(&driver).ticked() == listed);
        assert_eq!(reviewed(&driver).search.as_ref().map(|search| search.more), Some(0));
        driver.press("A").shows("fixes applied in 1 dialog · u to undo");
        let fixed = driver.bytes(0);
        assert!(fixed != original);
        driver.press("X").shows("no such fixes in this dialog").press("esc");
        driver.press("u").shows("undone").shows_not("unsaved");
        assert!(driver.bytes(0) == original);
        driver.press("C-r").shows("redone");
        assert!(driver.bytes(0) == fixed);
    }
}

#[test]
fn an_ignored_problem_is_gone_everywhere_until_it_is_one_again() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let original = driver.bytes(0);
    driver.shows("▲2 problems").press("n I").shows("reason to ignore it").shows("includes the");
    driver.type_text("so it is written").press("enter").shows("▲1 problem");
    driver.shows("1 problem left here");
    driver.shows_not("unsaved").shows_not("includes the");
    assert_eq!(
        driver.beside,
        "{\"file\":\"/corpora/taskmaster-3.json\",\"dialog\":\"dlg-demo-tm3-01\",\
         \"rule\":\"span-edge-punctuation\",\"turn\":5,\"quoted\":\"The Grand 12:\",\
         \"reason\":\"so it is written\"}\n"
    );
    driver.press("P").shows("1 ignored; Z lists them");
    driver.press("Z").shows("so it is written");
    driver.press("f7 G");
    while !driver.screen().contains("I stops ignoring it") {
        driver.press("k");
    }
    driver.press("g j I").shows("no longer ignored").shows("▲2 problems");
    assert!(driver.beside.is_empty());
    assert!(driver.bytes(0) == original);
}

/// A dialog that cannot be read, and one that is wrong as a whole, are walked to as well.
#[test]
fn the_walk_leads_over_files_to_dialogs_that_cannot_be_read() {
    let (name, text) = super::demo("taskmaster-3.json");
    let broken =
        "{\"conversation_id\": \"a\", \"vertical\": \"v\", \"utterances\": []}\n{\"b\": }\n";
    let files = [("broken.jsonl", broken.to_owned()), (name, text)];
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("n").shows("no turns");
    driver.press("n").shows("cannot be read");
    driver.press("n").shows("dlg-demo-tm3-01").shows("turn 5 ·");
    driver.press("p").shows("cannot be read");
    driver.press("P").shows("this dialog: cannot be read").shows("json-syntax");
}

#[test]
fn unreadable_files_are_reported_with_the_search() {
    let whole = json!([said("a", &["hi"])]).to_string();
    let files = [("a.json", &*whole), ("b.json", "no corpus"), ("c.json", "[{")];
    let files = files.map(|(name, text)| (name, text.to_owned()));
    let mut driver = Driver::open(&files[..1], 120, 30);
    driver.press("n").shows("no problems in any dialog");
    let mut driver = Driver::open(&files, 120, 30);
    driver.press("n").shows("no problems found, but 2 files could not be read completely");
    // A file that names corpora is not itself a broken corpus.
    let entities = r#"{"movie":{"vertical":"v","required":["name.movie"],"optional":["mood"]}}"#;
    let files = [super::demo("taskmaster-3.json"), ("ontology.json", entities.to_owned())];
    let mut driver = Driver::open(&files, 120, 30);
    driver.shows("ontology.json  ontology").shows_not("▲ a ");
    let alone = [("ontology.json", entities.to_owned())];
    Driver::open(&alone, 120, 30).shows("Taskmaster ontology: contains no dialogs");
}

/// A fix in a turn does not hide the turn's other problems.
#[test]
fn other_problems_of_a_turn_come_before_the_next_turn() {
    let mut driver = Driver::demo("taskmaster-4.json", 120, 40);
    driver.press("J J n").shows("shape of a boat").press("f 1");
    driver.press("n").shows("order_item_id").press("f 1").shows("0 problems left here");
    // A problem without a fix has a way on.
    let mut driver = Driver::demo("dbdc/demo_002.log.json", 120, 40);
    driver.press("n").shows("voted twice").shows("n next · I ignore");
    driver.press("f").shows("no automatic fix · n next · I ignore");
    driver.press("esc").shows("n next  I ignore").shows_not("f fix");
}

/// Notes are skipped by the keys but still counted.
#[test]
fn notes_are_reported_where_nothing_worse_is_left() {
    let dialog = |text: &str| json!([said("d", &[text, "At which theater?"])]).to_string();
    let mut driver = Driver::open(&[("a.json", dialog("two for Dune "))], 120, 40);
    driver.press("n").shows("no errors or warnings in any dialog; P lists the notes");
    driver.press("X").shows("remove the whitespace");
    let files = ["two for Dune", "two for Dune "].map(dialog);
    let [clean, other] = files;
    let mut driver = Driver::open(&[("a.json", clean.clone()), ("b.json", other)], 120, 40);
    driver.press("X").shows("no such fixes in this dialog");
    let mut driver = Driver::open(&[("a.json", clean)], 120, 40);
    driver.press("n").shows("no problems in any dialog");
}

/// A repair that cannot be made is listed with the reason, and not ticked.
#[test]
fn repairs_that_cannot_be_made_say_why() {
    let vote = |annotator: &str, label: &str| json!({"breakdown": label, "comment": "", "annotator-id": annotator, "ungrammatical-sentence": ""});
    let turn = |index: usize, speaker: &str, votes: Vec<Value>| json!({"turn-index": index, "speaker": speaker, "time": "", "utterance": "hello there", "annotations": votes});
    let turns = [turn(0, "U", vec![]), turn(1, "S", vec![vote("", "o"), vote("A2", "x")])];
    let log = json!({"dialogue-id": "d", "group-id": "g", "speaker-id": "s", "turns": turns});
    let mut driver = Driver::open(&[("d.log.json", log.to_string())], 120, 40);
    driver.press("n").shows("vote label \"o\" is not O");
    driver.press("R").shows("1 of 2 ticked").shows("not possible: an annotator needs an id");
    driver.press("A").shows("1 fix applied in 1 dialog");
}

#[test]
fn a_repair_that_two_rules_offer_is_listed_once() {
    let text = "I look at AMC Mercado 24. Is that right?";
    let segment = segment(11, "MC Mercado 24.", "name.theater");
    let dialog = json!([dialog("d", vec![turn("assistant", text, vec![segment])])]);
    let mut driver = Driver::open(&[("a.json", dialog.to_string())], 120, 40);
    driver.press("n f").shows("span-cuts-word");
    assert_eq!(driver.screen().matches("\"AMC Mercado 24\"  ").count(), 1);
    // Of several problems here, one is chosen to be ignored.
    driver.press("esc I").shows("Ignore one of these problems").press("2 enter").shows("ignored");
}

#[test]
fn ids_that_a_file_repeats_are_counted_whatever_is_read_last() {
    // A copy in another file is for information.
    let one = json!([said("dlg-a", &["hello"]), said("dlg-c", &["no"])]).to_string();
    let twice = [said("dlg-d", &["bye"]), said("dlg-d", &["so long"])];
    let other = json!([said("dlg-c", &["no"]), twice[0], twice[1]]).to_string();
    let files = [("one.json", one), ("other.json", other)];
    let mut driver = Driver::open(&files, 120, 40);
    let marked = |driver: &Driver| driver.app.workspace.files.summary(at(1, 2)).unwrap().problems;
    assert_eq!(marked(&driver), 1);
    // The summary read in the background before all ids were known.
    let dialogs = [at(1, 0), at(1, 1), at(1, 2)]
        .map(|at| driver.app.workspace.files.dialog(at).unwrap().unwrap().0);
    let summaries = dialogs.iter().map(|dialog| DialogSummary::of(dialog, &[], 0));
    driver.tell(Msg::Summarized {
        file: 1,
        from: 0,
        summaries: summaries.collect(),
        names: Names::default(),
    });
    assert_eq!(marked(&driver), 1);
    driver.press("!").press("enter").shows("1 in 1 dialog").shows("dlg-d  3 of 3").press("P");
    driver.shows("duplicate-dialog-id").shows("in all files: 2 in 2 dialogs");
    driver.shows("dialog 1 also has the id");
}

#[test]
fn a_problem_in_a_call_is_shown_in_the_details() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("n").shows("turn 5 · ").shows_not("calls in this dialog");
    driver.press("n").shows("time.showing of book_tickets is 5:45pm");
    driver.shows("calls in this dialog").shows("time.showing  5:45pm ▲").press("f7 enter");
    driver.shows("5:45pm");
    // The value of the call was selected: Enter opens it.
    assert!(driver.app.windows.is::<Prompt>());
    // The next problem is in a segment.
    driver.press("esc esc n").shows("Otter Space 2").shows_not("calls in this dialog");
    // A tab for something else stays.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("S n n").shows("Source").shows_not("calls in this dialog");
}

#[test]
fn the_work_of_one_of_two_workers_is_deleted_last() {
    let mut driver = Driver::demo("taskmaster-1.json", 120, 40);
    driver.press("J n").shows("contains \"The Corner Bean\"");
    driver.press("f");
    let screen = driver.screen();
    let place = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}\n{screen}"));
    let merge = place("1 merge into \"The Corner Bean\", with the labels of both");
    assert!(merge < place("2 merge into \"The Corner Bean, on Alder"));
    assert!(merge < place("3 delete the segment"));
    let labels = |driver: &Driver| {
        let segments = driver.app.panes.transcript.current().unwrap().segments.iter();
        segments.map(|segment| segment.labels.len()).sum::<usize>()
    };
    let before = labels(&driver);
    driver.press("1").shows("●1 unsaved");
    assert_eq!(labels(&driver), before);
    driver.press("u");
    assert_eq!(driver.app.workspace.unsaved(), 0);
}

#[test]
fn ignoring_offers_the_last_reasons() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("n I").shows_not("earlier");
    driver.type_text("as on the sign").press("enter").shows("ignored");
    driver.press("n I").shows("as on the sign").type_text("said so").press("enter");
    // The newest comes first; the typed text comes back above them.
    driver.press("n I").type_text("x").press("down").shows("reason to ignore it said so");
    driver.press("down").shows("reason to ignore it as on the sign");
    driver.press("up up").shows("reason to ignore it x").press("down enter").shows("ignored");
    assert_eq!(driver.beside.matches("said so").count(), 2, "{}", driver.beside);
    // Reasons in the file are offered at the next run.
    let beside = driver.beside.clone();
    let mut later = Driver::demo("taskmaster-3.json", 120, 40);
    let ignores = Ignores::read(&beside).unwrap();
    let line = Box::new(IgnoresLine::Problem(ignores.all[0].clone()));
    let (change, ignores) = (IgnoresChange::Add, Box::new(ignores));
    later.tell(Msg::Ignores { at: at(0, 0), line, change, ignores });
    later.press("n I").shows("said so").shows("as on the sign");
}

#[test]
fn messages_about_an_excluded_dialog_are_true_where_others_change_the_list() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let exclude = |driver: &mut Driver| {
        driver.press("ctrl-x");
        driver.press("enter");
    };
    exclude(&mut driver);
    driver.shows("excluded, recorded in");
    let first = driver.beside.clone();
    // The list is gone, and another dialog is excluded.
    driver.beside.clear();
    driver.press("J");
    exclude(&mut driver);
    driver.shows("excluded, recorded in").press("K").shows_not("excluded");
    // Another program excludes dialogs, too.
    driver.beside = format!("{}{first}", driver.beside);
    driver.press("J ctrl-x").shows("no longer excluded").press("K").shows("excluded");
    driver.beside += &first.replace("\"reason\":\"\"", "\"reason\":\"twice\"");
    driver
        .press("ctrl-x")
        .shows("another line of turnwise.ignores.jsonl still excludes this dialog");
}
