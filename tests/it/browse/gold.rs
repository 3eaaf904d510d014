//! Gold labels: an adjudicator's keys in, labels beside the logs out.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnwise::workspace::QueueKind;

use super::fixtures::log;
use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

/// The program on logs whose gold labels go to the folder `gold`.
fn adjudicate(logs: &[(&str, String)]) -> Driver {
    let mut driver = Driver::open(logs, 120, 40);
    driver.app.workspace.files.logs.gold_folders = vec![Path::new("gold").into(); logs.len()];
    driver
}

/// Gold labels in a file, with the index of each turn.
fn labels(driver: &Driver, file: usize) -> Vec<(u64, String)> {
    let gold: Value = serde_json::from_slice(&driver.bytes(file)).unwrap();
    let turns = gold["turns"].as_array().unwrap().iter();
    let label = |turn: &Value| {
        let label = turn["labels"][0]["breakdown"].as_str().unwrap();
        (turn["turn-index"].as_u64().unwrap(), label.to_owned())
    };
    turns.map(label).collect()
}

/// A log with a tie on turns 0 and 2.
fn ties(id: &str) -> String {
    let turns: [(&str, &[(&str, &str)]); 5] = [
        ("S", &[("a", "O"), ("b", "X")]),
        ("U", &[]),
        ("S", &[("a", "T"), ("b", "X")]),
        ("U", &[]),
        ("S", &[("a", "O"), ("b", "O")]),
    ];
    log(id, &turns)
}

#[test]
fn a_tie_is_decided_in_two_keys_and_the_votes_stay() {
    let log = ties("d");
    let mut driver = adjudicate(&[("d.log.json", log.clone())]);
    driver.press("4 G = ").shows("adjudicator mode: o, t or x sets the gold label");
    driver.shows("turn 0 ·");
    driver.press("x").shows("gold label X for turn 0").shows("decided 1/2").shows("turn 2 ·");
    driver.shows("●1 unsaved");
    driver.press("t").shows("decided 2/2").shows("queue done");
    driver.run("queue_detector").shows("nothing to judge in the queue: turns where a detector");
    assert_eq!(driver.bytes(0), log.as_bytes());
    assert_eq!(labels(&driver, 1), [(0, "X".to_owned()), (2, "T".to_owned())]);
    insta::assert_snapshot!(String::from_utf8(driver.bytes(1)).unwrap());
    driver.press("0 G").shows("gold X");
    driver.press("u u").shows_not("unsaved").shows("decided 0/2");
    driver.press("U").shows("decided 1/2").press("C-s");
    driver.shows("saved gold/d.labels.json as a new file");
    assert_eq!(labels(&driver, 1), [(0, "X".to_owned())]);
    // The list does not name the file.
    driver.press("f6").shows_not("d.labels.json");
}

#[test]
fn a_label_is_changed_explained_and_removed() {
    let mut driver = adjudicate(&[("d.log.json", ties("d"))]);
    driver.press("= x 0 G o").shows("gold label X → O for turn 0");
    driver.press("0 G c").shows("The reason for the gold label of turn 0");
    driver.type_text("a joke").press("enter");
    let gold: Value = serde_json::from_slice(&driver.bytes(1)).unwrap();
    assert_eq!(
        gold["turns"][0]["labels"][0],
        json!({
            "breakdown": "O", "prob-O": 1.0, "prob-T": 0.0, "prob-X": 0.0, "comment": "a joke"
        })
    );
    driver.press("0 G").shows("gold O  a joke");
    driver.press("C-g").shows("a gold label cannot be marked");
    driver.press("backspace").shows("gold label of turn 0 removed");
    assert_eq!(labels(&driver, 1), []);
    driver.press("C-s 2 G x C-s");
    assert_eq!(labels(&driver, 1), [(2, "X".to_owned())]);
    driver.press("u u 0 G").shows("gold O  a joke");
}

#[test]
fn labels_read_back_from_their_file_count_in_queues() {
    let gold = r#"{"dialogue-id": "d", "turns": [
      {"turn-index": 2, "labels": [{"breakdown": "T", "prob-O": 0.0, "prob-T": 1.0, "prob-X": 0.0}]}]}"#;
    let files = [("d.log.json", ties("d")), ("gold/d.labels.json", gold.to_owned())];
    let mut driver = Driver::unopened(&files, 120, 40);
    driver.app.workspace.files.logs.gold_folders = vec![Path::new("gold").into(); 1];
    driver.expect_log(1, "gold/d.labels.json", true);
    driver.read_all(&files);
    driver.press("=").shows("turn 0 ·").shows("decided 1/2");
    driver.press("o").shows("decided 2/2");
    assert_eq!(labels(&driver, 1).len(), 2);
    // The bytes of the other label stay.
    let text = String::from_utf8(driver.bytes(1)).unwrap();
    assert!(text.contains(r#"{"turn-index": 2, "labels": [{"breakdown": "T", "prob-O": 0.0"#));
    driver.run("queue_gold").shows("turn 4 ·").shows("decided 2/3");
}

/// A save command saves the files of one dialog; a gold label of another one is then still unsaved.
#[test]
fn a_save_names_what_it_leaves_unsaved() {
    let mut driver = Driver::open(&[demo(LOG), demo("dbdc/demo_002.log.json")], 80, 24);
    driver.app.workspace.files.logs.gold_folders = vec![Path::new("gold").into(); 2];
    driver.press("o").type_text("me").press("enter J o K = o").shows("●3 unsaved").press("C-s");
    driver.shows("saved 2 files: ").shows("W saves 1 edit in dbdc/demo_002").shows_not("saved all");
    driver.shows("●1 unsaved");
    driver.press("C-s").shows("has no unsaved changes · W saves 1");
    driver.press("W").shows("saved ").shows_not("unsaved");
}

#[test]
fn no_id_leads_out_of_the_folder() {
    for id in ["../../x", "/etc/x", "a\\b", "..", "CON", ""] {
        let mut driver = adjudicate(&[("d.log.json", ties(id))]);
        driver.press("= x");
        let place = driver.app.workspace.files.place(1).unwrap();
        assert_eq!(place.parent().unwrap(), PathBuf::from("gold"), "{id}");
        let name = place.file_name().unwrap().to_str().unwrap();
        assert!(name.ends_with(".labels.json") && !name.contains(['\\', '/']), "{name}");
    }
    let mut driver = adjudicate(&[("d.log.json", ties("d")), ("e.log.json", ties("d"))]);
    driver.press("= x").shows("two dialogs here have the id").shows_not("unsaved");
}

/// And found by searches, as their gold labels are.
#[test]
fn votes_beside_a_corpus_are_adjudicated_too() {
    let mut driver = Driver::open(&[demo("taskmaster-3.json")], 120, 40);
    driver.judge_beside().press("V space o x =").run("queue_gold").press("x");
    assert_eq!(
        driver.app.workspace.files.place(2).unwrap().parent(),
        Some(PathBuf::from("votes/gold").as_path())
    );
    assert_eq!(labels(&driver, 2).len(), 1);
    driver.shows("decided 1/2");
    for (query, hits) in [("judged", 2), ("votes.x>0", 1), ("gold:x", 1), ("gold:o", 0)] {
        driver.find(query);
        assert_eq!(driver.app.search.count(), hits, "{query}");
    }
}

/// Adjudicating is an excursion: the annotator's queue comes back after it, and is what the next run restores.
#[test]
fn the_queue_of_an_annotator_comes_back_after_adjudicating() {
    let mut driver = adjudicate(&[("d.log.json", ties("d"))]);
    driver.judge_as("mk").run("queue_all").shows("3 to judge").press("o").shows("judged 1/3");
    driver.press("=").shows("decided 0/1");
    let left = turnwise::app::session::session(&driver.app);
    assert_eq!(left.place.judging, Some(QueueKind::All));
    driver.press("=").shows("judged 1/3").shows_not("undecided");
    driver.run("queue_all").shows("2 of 3 to judge");
}
