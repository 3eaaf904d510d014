//! Questions about pairs: two answers of a dialog, in an order that is drawn and hidden.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use turnwise::judging::Scheme;
use turnwise::workspace::FoundLog;

use crate::browse::Driver;
use crate::judgements::{lines, lines_of};

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

/// Three pairs in preference data, one of an arena, and a chat that is none.
fn corpus() -> String {
    let prompt = || vec![said("user", "Name a bridge.")];
    let preference = |id: &str| {
        json!({
            "id": id,
            "prompt": prompt(),
            "chosen": [said("assistant", "The old one.")],
            "rejected": [said("assistant", "No bridges here."), said("user", "Really?"), said("assistant", "Yes.")],
        })
    };
    let arena = json!({
        "conversation_id": "arena",
        "conversation_a": [said("user", "Name a bridge."), said("assistant", "Bridge A.")],
        "conversation_b": [said("user", "Name a bridge."), said("assistant", "Bridge B.")],
        "winner": "model_b",
    });
    let plain =
        json!({"id": "plain", "messages": [said("user", "Hi"), said("assistant", "Hello")]});
    let all = [preference("one"), preference("two"), plain, arena, preference("three")];
    all.map(|dialog| dialog.to_string() + "\n").concat()
}

/// Has mk judge pairs by a scheme, in files that are read now; `beside` are the folders of their judgements.
fn judge(mut driver: Driver, files: &[(&str, String)], scheme: &str, beside: &[&str]) -> Driver {
    driver.judge_as("mk");
    driver.app.judging.scheme = Arc::new(Scheme::read(scheme, "pairs").unwrap());
    let folders = beside.iter().map(|folder| Path::new(folder).into());
    driver.app.workspace.files.logs.judgements.folders = folders.collect();
    for (file, (name, text)) in files.iter().enumerate() {
        if name.contains("judgements/") {
            let place = PathBuf::from(name);
            let log = FoundLog { file, place, new: false, named: false };
            driver.app.workspace.files.expect_log(log);
        }
        driver.read(file, text.clone().into_bytes());
    }
    driver.press("esc V");
    driver
}

pub fn judging_files(files: &[(&str, String)], scheme: &str, columns: u16, rows: u16) -> Driver {
    let corpora = files.iter().filter(|(name, _)| !name.contains('/')).count();
    let driver = Driver::unopened(files, columns, rows);
    judge(driver, files, scheme, &vec!["judgements"; corpora])
}

pub fn judging(scheme: &str, columns: u16, rows: u16) -> Driver {
    judging_files(&[("pairs.jsonl", corpus())], scheme, columns, rows)
}

/// The ids of the pairs, and what is in their sides.
const PAIRS: [(&str, [&str; 2]); 4] = [
    ("one", ["The old one.", "No bridges"]),
    ("two", ["The old one.", "No bridges"]),
    ("arena", ["Bridge A.", "Bridge B."]),
    ("three", ["The old one.", "No bridges"]),
];

pub const ONCE: &str = "[[question]]\nname = \"better\"\ntext = \"Which is better?\"\nof = \"pair\"\nkind = \"choice\"\n";

/// True if the first of two texts is on the left of the other, or above it.
fn is_first(driver: &Driver, texts: [&str; 2]) -> bool {
    let [one, other] = texts.map(|text| driver.place_of(text));
    (one.1, one.0) < (other.1, other.0)
}

fn answers(driver: &Driver) -> Vec<(Value, Value)> {
    let lines = lines(driver).into_iter();
    lines.map(|line| (line["dialog"].clone(), line["value"].clone())).collect()
}

#[test]
fn two_answers_are_side_by_side_and_the_better_one_is_kept_by_its_name() {
    let mut driver = judging(ONCE, 200, 60);
    driver.shows("judged 0/4 dialogs").shows("1 first  2 second  = tie  - both-bad");
    let mut firsts = Vec::new();
    for (_, texts) in PAIRS {
        firsts.push(is_first(&driver, texts));
        let rows = texts.map(|text| driver.place_of(text).1);
        assert_eq!(rows[0], rows[1], "side by side");
        driver.press("1");
        driver.shows_not("chosen").shows_not("conversation_");
    }
    driver.shows("queue done");
    let side = |first: bool, names: [&str; 2]| Value::from(if first { names[0] } else { names[1] });
    let (preference, arena) = (["chosen", "rejected"], ["conversation_a", "conversation_b"]);
    let expected = [
        ("arena", side(firsts[2], arena)),
        ("one", side(firsts[0], preference)),
        ("three", side(firsts[3], preference)),
        ("two", side(firsts[1], preference)),
    ];
    assert_eq!(answers(&driver), expected.map(|(id, side)| (id.into(), side)));
    assert!(firsts.contains(&true) && firsts.contains(&false), "both orders are drawn: {firsts:?}");
    let one = &lines(&driver)[1];
    assert_eq!(one["order"][0], one["value"]);
    assert_eq!(one["order"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_adjudicator_decides_for_the_side_that_is_on_the_screen() {
    let mut driver = judging(ONCE, 200, 60);
    driver.judge_as("kk");
    driver.app.judging.adjudicates = true;
    driver.run("queue_all");
    for (id, texts) in PAIRS {
        let is_first = is_first(&driver, texts);
        driver.press("1");
        let said = lines(&driver).into_iter().find(|line| line["dialog"] == id).unwrap();
        let is_kept = ["chosen", "conversation_a"].contains(&said["value"].as_str().unwrap());
        assert_eq!((&said["by"], is_kept), (&"gold".into(), is_first), "{said}");
    }
}

#[test]
fn nothing_tells_which_side_is_which() {
    let mut driver = judging(ONCE, 120, 40);
    // Neither the fields, the JSON nor the focus.
    driver
        .press("i")
        .shows("nothing to show under Info")
        .press("S")
        .shows("nothing to show under Source");
    driver.press("esc = K").shows("= tie ✓").shows_not("chosen").shows_not("rejected");
    driver.press("2 K").shows("second ✓").shows_not("chosen").shows_not("rejected");
    driver.press("E").shows("better: 2 on the pair").shows_not("chosen");
    driver.press("\\").shows("this would reveal which side of the pair is which");
    // Another dialog has its details again.
    driver.press("esc J J").shows("Hello").press("i").shows_not("nothing to show");
    driver.shows_not("Bridge");
}

#[test]
fn the_sides_are_one_under_the_other_where_the_screen_is_narrow() {
    let mut driver = judging(ONCE, 70, 24);
    let [own, other] = ["The old one.", "No bridges"].map(|text| driver.place_of(text).1);
    assert_ne!(own, other);
    driver.press("-");
    assert_eq!(answers(&driver), [("one".into(), "both-bad".into())]);
}

#[test]
fn a_second_round_has_the_sides_swapped() {
    let mut driver = judging(&format!("{ONCE}swap = true\n"), 120, 40);
    let texts = ["The old one.", "No bridges"];
    let before = is_first(&driver, texts);
    driver.press("1 1 1 1").shows("4 to judge");
    driver.shows("judged 0/4 dialogs");
    let after = is_first(&driver, texts);
    assert_ne!(before, after);
    driver.press("2 2 2 2").shows("queue done");
    let said = lines(&driver);
    assert_eq!(said.len(), 8);
    for pair in said.chunks(2) {
        assert_eq!(
            (&pair[0]["question"], &pair[1]["question"]),
            (&"better".into(), &"better-swapped".into())
        );
        assert_eq!(pair[0]["value"], pair[1]["value"], "the same side both times");
        assert_ne!(pair[0]["order"], pair[1]["order"]);
    }
}

#[test]
fn a_second_round_goes_on_in_the_next_run() {
    let scheme = format!("{ONCE}swap = true\n");
    let mut driver = judging(&scheme, 120, 40);
    driver.press("1 1 1 1 1").shows("judged 1/4 dialogs");
    let said = String::from_utf8(driver.bytes(1)).unwrap();
    let files = [("pairs.jsonl", corpus()), ("judgements/mk.jsonl", said)];
    let mut again = judging_files(&files, &scheme, 120, 40);
    again.shows("judged 1/4 dialogs").press("2");
    let of = |name: &str| lines(&again).iter().filter(|said| said["question"] == name).count();
    assert_eq!((of("better"), of("better-swapped")), (4, 2));
}

/// Dialogs of two systems: one of two turns and of four, whichever system it is, and one that only the first had.
fn systems() -> [(&'static str, String); 2] {
    let line =
        |id: &str, messages: Vec<Value>| json!({"id": id, "messages": messages}).to_string() + "\n";
    let short = |text: &str| vec![said("user", "A taxi."), said("assistant", text)];
    let long = |text: &str| {
        let more = [said("user", "At nine."), said("assistant", "Done.")];
        [short(text), more.into()].concat()
    };
    let a = [
        line("one", short("When, by a?")),
        line("two", long("When, two of a?")),
        line("alone", short("Only a")),
    ];
    let b = [line("two", short("No, by b.")), line("one", long("From where, by b?"))];
    [("a.jsonl", a.concat()), ("b.jsonl", b.concat())]
}

fn judging_systems(scheme: &str, columns: u16, rows: u16) -> Driver {
    judging_files(&systems(), scheme, columns, rows)
}

/// The lines of the file of judgements, which comes after the two corpora.
fn said_of_systems(driver: &Driver) -> Vec<Value> {
    lines_of(driver, 2)
}

#[test]
fn dialogs_of_two_systems_with_one_id_are_a_pair() {
    for (columns, rows) in [(200, 60), (80, 24)] {
        let mut driver = judging_systems(ONCE, columns, rows);
        driver.shows("judged 0/2 dialogs");
        let mut firsts = Vec::new();
        for texts in [["When, by a?", "From where"], ["When, two of a?", "No, by b"]] {
            firsts.push(is_first(&driver, texts));
            driver.press("1");
        }
        driver.shows("queue done");
        let said = said_of_systems(&driver);
        assert_eq!(said.len(), 2);
        for (line, first) in said.iter().zip(&firsts) {
            let better = if *first { "a.jsonl" } else { "b.jsonl" };
            assert_eq!(line["value"], better);
            assert_eq!(line["order"][0], better);
            assert_eq!(
                (&line["file"], &line["with"]["file"]),
                (&"a.jsonl".into(), &"b.jsonl".into())
            );
        }
        // A dialog of one system alone is not a pair, and the other side leads to its pair.
        driver.press("J").shows("Only a").shows_not("Which is better?");
        driver.press("J").shows("When, two of a?").shows("No, by b.");
        assert_eq!(driver.app.judging.progress(), Some((2, 2)));
        // A note is on both of its dialogs, too.
        driver.press("c").shows("Your note on the pair");
        driver.type_text("both odd").press("enter").shows("note on the pair");
        let said = said_of_systems(&driver);
        let note = said.iter().find(|line| line["note"] == "both odd").unwrap();
        assert_eq!((&note["file"], &note["with"]["file"]), (&"a.jsonl".into(), &"b.jsonl".into()));
    }
}

#[test]
fn a_changed_dialog_of_the_other_system_opens_its_pair_again() {
    let mut driver = judging_systems(ONCE, 200, 60);
    driver.press("1 1").shows("judged 2/2 dialogs");
    let said = String::from_utf8(driver.bytes(2)).unwrap();
    let [a, mut b] = systems();
    b.1 = b.1.replace("From where", "From which place");
    let files = [a, b, ("judgements/mk.jsonl", said)];
    judging_files(&files, ONCE, 200, 60).shows("judged 1/2 dialogs");
}

#[test]
fn the_order_of_the_files_changes_nothing() {
    let [a, b] = systems();
    let mut said = Vec::new();
    for files in [[a.clone(), b.clone()], [b, a]] {
        let mut driver = judging_files(&files, ONCE, 200, 60);
        driver.press("1 1").shows("queue done");
        said.push(driver.bytes(2));
    }
    assert_eq!(said[0], said[1]);
}

/// A line about a pair of `a.jsonl` and `b.jsonl` as it is written beside the other dialog, in folders of two systems.
fn turned(mut said: Value) -> String {
    let name =
        |side: &Value| Value::from(if *side == "a.jsonl" { "A/x.jsonl" } else { "B/x.jsonl" });
    let value = name(&said["value"]);
    said["value"] = value;
    said["order"] = said["order"].as_array().unwrap().iter().map(name).collect();
    let digest = said["digest"].take();
    said["digest"] = said["with"]["digest"].take();
    said["with"] = json!({"file": "A/x.jsonl", "digest": digest});
    // Without its folder, as lines had it.
    (said["file"], said["quote"]) = ("x.jsonl".into(), "Hi".into());
    format!("{said}\n")
}

#[test]
fn an_answer_beside_the_other_dialog_is_replaced_there() {
    let mut driver = judging_systems(ONCE, 200, 60);
    driver.press("1 1").shows("judged 2/2 dialogs");
    let line = turned(said_of_systems(&driver).remove(0));
    let [(_, a), (_, b)] = systems();
    let names = ["B/x.jsonl", "A/x.jsonl", "B/judgements/mk.jsonl"];
    let files = [(names[0], b), (names[1], a), (names[2], line.clone())];
    let driver = Driver::unopened(&files, 200, 60);
    let mut driver = judge(driver, &files, ONCE, &["B/judgements", "A/judgements"]);
    driver.shows("judged 1/2 dialogs");
    driver.press("= K =").shows("judged 2/2 dialogs");
    let said = said_of_systems(&driver);
    assert_eq!(said.len(), 2);
    let said = said.into_iter().find(|said| said["dialog"] == "one").unwrap();
    let before: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&said["value"], &said["file"]), (&"tie".into(), &"A/x.jsonl".into()));
    assert_eq!(said["with"], json!({"file": "B/x.jsonl", "digest": before["digest"]}));
    assert_eq!(said["digest"], before["with"]["digest"]);
}

#[test]
fn the_way_through_a_pair_is_that_of_its_longer_side() {
    for texts in [["The old one.", "No bridges"], ["When, by a?", "From where"]] {
        let open = if texts[0].starts_with("The") { judging } else { judging_systems };
        let mut driver = open(ONCE, 120, 40);
        let longer = |driver: &Driver| driver.screen().matches("▸   3").count();
        driver.press("G");
        assert_eq!(longer(&driver), 1, "{}", driver.screen());
        driver.press("j").shows("this is the last turn");
        driver.press("k k k k").shows("this is the first turn");
        driver.press("j j j");
        assert_eq!(longer(&driver), 1, "{}", driver.screen());
        // A click on either side is the same.
        let (x, y) = driver.place_of(texts[0]);
        driver.click(x, y).shows("turn 1 ·");
        let (x, y) = driver.place_of(texts[1]);
        driver.press("g").click(x, y);
        assert_eq!(driver.app.turn_and_last(), (1, 3));
    }
}

#[test]
fn no_command_tells_which_side_is_which() {
    let mut driver = judging(ONCE, 120, 40);
    let refused = "this would reveal which side of the pair is which";
    for keys in ["y", "C-y", "e", "'", "|", "n", "p", "f", "!"] {
        let before = driver.wanted.len();
        driver.press(keys).shows(refused);
        assert_eq!(driver.wanted.len(), before, "{keys}");
    }
    // Each side alone would be found in its own field.
    for query in [
        "No bridges",
        "field:rejected",
        "turns>3",
        "words<3",
        "problem:chat",
        "preference:chosen",
        "question:better",
    ] {
        driver.find(query);
        driver.shows("would reveal which side of a pair is which · V ends judging");
        assert!(driver.app.search.query.is_none(), "{query}");
        driver.press("F").type_text(query).press("enter");
        assert!(driver.app.search.query.is_none(), "{query}");
        driver.press("esc esc");
    }
    driver.find("id:two").shows("1 in 1 dialog");
    driver.press("C").type_text("question:better").press("enter");
    driver.shows("would reveal which side of a pair is which").press("esc esc esc");
    // A search that is there when the questions begin ends.
    driver.press("V").find("bridges").press("V");
    assert!(driver.app.search.query.is_none());
    driver.press("esc f6 s s s").shows_not("sorted by turns");
}

#[test]
fn problems_and_notes_are_on_neither_side() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}]});
    let pair = json!({
        "id": "one",
        "prompt": [said("user", "Find it.")],
        "chosen": [call, said("user", "And?"), said("assistant", "Found.")],
        "rejected": [said("assistant", "No.")],
    });
    let files = [("pairs.jsonl", pair.to_string())];
    let mut driver = judge(Driver::unopened(&files, 120, 40), &files, ONCE, &["judgements"]);
    driver.press("V").shows("▲");
    driver.press("V").shows("1 first").shows_not("▲");
    driver.press("1").shows_not("▲");
    driver.press("P").shows_not("unanswered").press("esc");
    driver.press("c").shows("Your note on the pair");
    driver.type_text("both odd").press("enter");
    let said = lines(&driver);
    let note = said.iter().find(|line| line["note"] == "both odd").unwrap();
    assert_eq!(note.get("turn"), None);
    // Without the question, everything is there again.
    driver.press("V").shows("▲");
}

#[test]
fn a_window_is_beside_neither_side() {
    for (columns, rows) in [(70, 24), (200, 60)] {
        let mut driver = judging(ONCE, columns, rows);
        let mut seen = Vec::new();
        for (_, texts) in PAIRS.into_iter().take(3) {
            let own_first = is_first(&driver, texts);
            driver.press("c");
            seen.push((own_first, driver.place_of("Your note on the pair")));
            driver.press("esc J");
            if seen.len() == 2 {
                driver.press("J");
            }
        }
        assert!(seen.iter().all(|(_, place)| *place == seen[0].1), "{seen:?}");
        let orders: Vec<_> = seen.iter().map(|(order, _)| *order).collect();
        assert!(orders.contains(&true) && orders.contains(&false), "{seen:?}");
    }
}
