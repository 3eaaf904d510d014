//! Adding and removing whole turns: keys in, later turns, their numbers and what counts them outside the dialog moved along.

use std::path::Path;

use serde_json::{Value, json};
use turnwise::app::{Effect, Msg};
use turnwise::dialog::{Breakdown, Detection};
use turnwise::workspace::{EditHistory, JournalEntry, JournalOp};

use super::fixtures::{log, said};
use super::{Driver, demo};

/// The text and the number of each turn as they would be saved.
fn turns(driver: &Driver) -> Vec<(String, u64)> {
    let file: Value = serde_json::from_slice(&driver.bytes(0)).unwrap();
    let turns = file[0]["utterances"].as_array().unwrap().iter();
    let turn = |turn: &Value| {
        let text = turn["text"].as_str().unwrap().to_owned();
        (text, turn["index"].as_u64().unwrap())
    };
    turns.map(turn).collect()
}

fn renumber(turns: &mut [(String, u64)]) {
    for (number, (_, index)) in turns.iter_mut().enumerate() {
        *index = number as u64;
    }
}

/// The turns with bookmarks.
fn bookmarks(driver: &Driver) -> Vec<usize> {
    driver.app.session.bookmarks.iter().map(|bookmark| bookmark.turn).collect()
}

#[test]
fn a_turn_goes_with_what_it_holds_and_comes_back() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let (bytes, before) = (driver.bytes(0), turns(&driver));
    // A bookmark and a place on the way back behind it, and one of each in it, which go with it.
    driver.press("7 g ' 5 g ' 9 g 3 g 5 g");
    driver.run("remove_turn").shows("turn 5 removed, with").shows("u brings it back");
    let mut left = before.clone();
    left.remove(5);
    renumber(&mut left);
    assert_eq!(turns(&driver), left);
    assert_eq!(bookmarks(&driver), [6]);
    driver.press("C-o C-o");
    assert_eq!(driver.turn(), 8);
    driver.press("u").shows("undone: turn 5 removed");
    assert_eq!(driver.turn(), 5);
    assert_eq!(driver.bytes(0), bytes);
    assert_eq!(bookmarks(&driver), [7]);
    driver.press("U").shows("redone: turn 5 removed");
    assert_eq!(turns(&driver), left);
    assert_eq!(bookmarks(&driver), [6]);
    // The last turn: the one before is then on the screen.
    let last = left.len() - 1;
    driver.press("G").run("remove_turn").shows(&format!("turn {last} removed"));
    assert_eq!(driver.turn(), last - 1);
    driver.press("u u");
    assert_eq!(driver.bytes(0), bytes);
}

#[test]
fn a_turn_is_added_after_the_focused_one() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let (bytes, before) = (driver.bytes(0), turns(&driver));
    driver.press("7 g ' 5 g").run("add_turn");
    // The speaker of the focused turn is the last one offered.
    let said = |driver: &Driver, turn: usize| {
        let turns = &driver.app.panes.transcript.dialog.turns;
        turns[turn].speaker.name.to_string()
    };
    let own = said(&driver, 5);
    driver.press("1").shows("after turn 5");
    driver.type_text("Say “when”.").press("enter").shows("turn 6 added; u takes it away again");
    assert_eq!(driver.turn(), 6);
    assert_ne!(said(&driver, 6), own);
    let mut wanted = before.clone();
    wanted.insert(6, ("Say “when”.".to_owned(), 6));
    renumber(&mut wanted);
    assert_eq!(turns(&driver), wanted);
    assert_eq!(bookmarks(&driver), [8]);
    // A bookmark of the new turn goes with it.
    driver.press("' u");
    assert_eq!(bookmarks(&driver), [7]);
    driver.press("U");
    assert_eq!(bookmarks(&driver), [8]);
    // An edit of a later turn stays if the new turn is reverted; one of the new turn depends on it.
    driver.press("9 g e end").type_text(" Yes.").press("enter");
    driver.run("show_edits");
    driver.press("end d").shows("reverted: turn 6 added");
    let mut kept = before.clone();
    kept[8].0.push_str(" Yes.");
    assert_eq!(turns(&driver), kept);
    driver.press("u").shows("restored: turn 6 added");
    driver.press("w t 6 g e end").type_text("!").press("enter");
    driver.run("show_edits");
    driver.press("end d").shows("which depends on this edit");
    driver.press("u u u");
    assert_eq!(driver.bytes(0), bytes);
}

#[test]
fn a_new_turn_that_is_refused_can_be_typed_on() {
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    let before = driver.bytes(0);
    driver.press("1 g").run("add_turn");
    driver.type_text("user").press("enter");
    driver.type_text("hm").press("enter");
    driver.shows("it would come between the two turns of an exchange");
    driver.shows("New turn by user after turn 1").shows("hm");
    assert_eq!(driver.bytes(0), before);
}

#[test]
fn a_removed_turn_is_reverted_under_later_edits() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let before = turns(&driver);
    driver.press("3 g").run("remove_turn");
    driver.press("6 g e end").type_text(" Indeed.").press("enter");
    driver.press("1 g").run("remove_turn");
    // The edits are listed, the first at the top.
    driver.run("show_edits");
    driver.press("end");
    driver.press("d").shows("reverted: turn 3 removed");
    let mut wanted = before.clone();
    wanted[7].0.push_str(" Indeed.");
    wanted.remove(1);
    renumber(&mut wanted);
    assert_eq!(turns(&driver), wanted);
    driver.press("u").shows("restored: turn 3 removed");
    assert_eq!(turns(&driver).len(), before.len() - 2);
}

#[test]
fn votes_and_gold_labels_beside_the_corpus_keep_their_turns() {
    let mut driver = Driver::open(&[demo("taskmaster-3.json")], 120, 40);
    driver.judge_beside();
    let before = driver.bytes(0);
    driver.press("j V o 5 g").run("remove_turn").shows("has votes on turns of this dialog");
    assert_eq!(driver.bytes(0), before);
    // Another dialog has none.
    driver.press("J").run("remove_turn").shows("turn 1 removed");
    // Once the vote is withdrawn, the turns may move.
    driver.press("u").shows("undone: turn 1 removed");
    driver.press("u").shows("undone: vote O");
    driver.run("remove_turn").shows("removed, with");
}

/// The labels of a detector are in a file that is not edited.
#[test]
fn labels_of_a_detector_keep_the_turns_that_they_count() {
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    let mut labels = driver.app.panes.transcript.dialog.clone();
    let label = Detection { breakdown: Some(Breakdown::O), ..Detection::default() };
    labels.turns[3].detections = vec![label];
    driver.tell(Msg::Companions {
        at: driver.app.panes.transcript.at.unwrap(),
        context: None,
        labels: Some(Box::new(labels)),
        trouble: None,
    });
    driver.press("2 g").run("remove_turn").shows("a detector's output refers to these turns");
    driver.press("4 g").run("remove_turn").shows("turn 4 removed");
}

/// Edits behind a turn that is not removed again would mean other turns.
#[test]
fn edits_behind_a_removal_that_no_longer_fits_are_exported_with_it() {
    let corpus = |second| json!([said("d", &["a", second, "ok", "ok", "e"])]).to_string();
    let mut driver = Driver::open(&[("corpus.json", corpus("b"))], 120, 40);
    driver.press("1 g").run("remove_turn");
    driver.press("2 g e end").type_text(" then").press("enter");
    let other = corpus("bb");
    driver.reload(0, other.clone());
    driver.shows("2 of 2 unsaved edits could not be reapplied");
    assert_eq!(driver.bytes(0), other.as_bytes());
    let exported = driver.wanted.iter().find_map(|effect| match effect {
        Effect::ExportEdits { files, .. } => Some(files[0].records.concat()),
        _ => None,
    });
    let exported = exported.unwrap();
    assert!(exported.contains("remove_turn") && exported.contains("ok then"));
}

#[test]
fn gold_labels_of_later_turns_keep_a_turn() {
    let judged: &[(&str, &str)] = &[("a", "O")];
    let log = log("d", &[("S", judged), ("U", &[]), ("S", judged), ("U", &[])]);
    let mut driver = Driver::open(&[("d.log.json", log.clone())], 120, 40);
    driver.app.workspace.files.logs.gold_folders = vec![Path::new("gold").into()];
    driver.press("= 2 G x").shows("gold label X for turn 2");
    driver
        .press("1 G")
        .run("remove_turn")
        .shows("lists gold labels of this or later turns by turn number");
    driver.run("add_turn").shows("lists gold labels of this or later turns by turn number");
    assert_eq!(driver.bytes(0), log.as_bytes());
    driver.press("3 G").run("remove_turn").shows("turn 3 removed");
}

#[test]
fn turns_that_a_crash_left_unsaved_are_added_and_removed_again() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let before = driver.bytes(0);
    driver.press("3 g").run("remove_turn");
    driver.press("6 g e end").type_text(" Indeed.").press("enter");
    driver.run("add_turn");
    driver.press("1").type_text("Hm.").press("enter");
    driver.press("e end").type_text(" So.").press("enter");
    let after = driver.bytes(0);
    let entries = driver.wanted.iter().filter_map(|effect| match effect {
        Effect::Journal { what: JournalOp::Did(entry), .. } => {
            Some(entry.to_string().parse::<JournalEntry>().unwrap())
        }
        _ => None,
    });
    let unsaved: Vec<_> = entries.collect();
    let mut again = Driver::unopened(&[demo("taskmaster-3.json")], 120, 40);
    again.tell(Msg::History { file: 0, past: EditHistory::default(), unsaved });
    again.read(0, before.clone());
    again.shows("left 4 unsaved edits").press("y");
    assert_eq!(again.bytes(0), after);
    again.press("u u u u");
    assert_eq!(again.bytes(0), before);
}

/// A demo file whose second dialog has lost its turns.
fn with_an_empty_dialog(name: &'static str, turns: &str) -> (&'static str, String) {
    let (name, text) = demo(name);
    let mut lines: Vec<Value> = match serde_json::from_str(&text) {
        Ok(Value::Array(dialogs)) => dialogs,
        _ => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    };
    lines[1][turns] = json!([]);
    let text = if name.ends_with('l') {
        let lines = lines.iter().map(|line| format!("{line}\n"));
        lines.collect()
    } else {
        serde_json::to_string_pretty(&lines).unwrap()
    };
    (name.rsplit('/').next().unwrap_or(name), text)
}

#[test]
fn a_dialog_without_turns_takes_a_first_one() {
    let first = |speaker: &str| json!([{"index": 0, "speaker": speaker, "text": "Hello"}]);
    for (name, list, said) in [
        ("taskmaster-1.json", "utterances", first("USER")),
        ("taskmaster-3.json", "utterances", first("user")),
        ("messages.jsonl", "messages", json!([{"role": "user", "content": "Hello"}])),
    ] {
        let file = with_an_empty_dialog(name, list);
        let mut driver = Driver::open(&[file], 120, 40);
        driver.press("J");
        assert!(driver.app.panes.transcript.is_empty(), "{name}");
        driver.run("add_turn").shows("Speaker of the new turn").shows_not("after turn");
        driver.type_text("user").press("enter").shows("New turn by");
        driver.type_text("Hello").press("enter").shows("turn 0 added");
        let all: Vec<Value> = serde_json::Deserializer::from_slice(&driver.bytes(0))
            .into_iter()
            .collect::<Result<_, _>>()
            .unwrap();
        let dialog = all.get(1).unwrap_or_else(|| &all[0][1]);
        assert_eq!(dialog[list], said, "{name}");
    }
    // Where a new turn is written like those beside it, there is none to be like.
    let file = with_an_empty_dialog("sgd/dialogues_001.json", "turns");
    let mut driver = Driver::open(&[file], 120, 40);
    driver.press("J").run("add_turn");
    driver.type_text("user").press("enter");
    driver.type_text("Hello").press("enter");
    // The text that was typed is still there.
    driver.shows("the dialog cannot be edited").shows("Hello");
}
