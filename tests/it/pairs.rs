//! Questions about pairs: two answers of a dialog, in an order that is drawn and hidden.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use turnwise::judging::Scheme;

use crate::browse::Driver;
use crate::judgements::lines;

/// Three pairs in preference data, one of an arena, and a chat that is none.
fn corpus() -> String {
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
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
    let all = [
        preference("one"),
        preference("two"),
        plain,
        arena,
        preference("three"),
    ];
    all.map(|dialog| dialog.to_string() + "\n").concat()
}

fn judging(scheme: &str, columns: u16, rows: u16) -> Driver {
    let mut driver = Driver::open(&[("pairs.jsonl", corpus())], columns, rows);
    "mk".clone_into(&mut driver.app.judging.annotator);
    driver.app.judging.scheme = Arc::new(Scheme::read(scheme, "pairs").unwrap());
    driver.app.workspace.files.logs.judgements.folders = vec![PathBuf::from("judgements")];
    driver.press("esc V");
    driver
}

const ONCE: &str = "[[question]]\nname = \"better\"\ntext = \"Which is better?\"\nof = \"pair\"\nkind = \"choice\"\n";

/// True if the first of two texts is on the left of the other, or above it.
fn is_first(driver: &Driver, texts: [&str; 2]) -> bool {
    let [one, other] = texts.map(|text| driver.place_of(text));
    (one.1, one.0) < (other.1, other.0)
}

fn answers(driver: &Driver) -> Vec<(Value, Value)> {
    let lines = lines(driver).into_iter();
    lines
        .map(|line| (line["dialog"].clone(), line["value"].clone()))
        .collect()
}

#[test]
fn two_answers_are_side_by_side_and_the_better_one_is_kept_by_its_name() {
    let mut driver = judging(ONCE, 200, 60);
    driver
        .shows("judged 0/4 dialogs")
        .shows("1 first  2 second  = tie  - both-bad");
    let mut firsts = Vec::new();
    for texts in [["The old one.", "No bridges"]; 2]
        .into_iter()
        .chain([["Bridge A.", "Bridge B."], ["The old one.", "No bridges"]])
    {
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
    assert_eq!(
        answers(&driver),
        expected.map(|(id, side)| (id.into(), side))
    );
    assert!(
        firsts.contains(&true) && firsts.contains(&false),
        "both orders are drawn: {firsts:?}"
    );
    let one = &lines(&driver)[1];
    assert_eq!(one["order"][0], one["value"]);
    assert_eq!(one["order"].as_array().map(Vec::len), Some(2));
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
    driver
        .press("esc = K")
        .shows("= tie ✓")
        .shows_not("chosen")
        .shows_not("rejected");
    driver
        .press("2 K")
        .shows("second ✓")
        .shows_not("chosen")
        .shows_not("rejected");
    driver
        .press("E")
        .shows("better: 2 on the pair")
        .shows_not("chosen");
    driver
        .press("\\")
        .shows("the sides of a pair stay where they are");
    // Another dialog has its details again.
    driver
        .press("esc J J")
        .shows("Hello")
        .press("i")
        .shows_not("nothing to show");
    driver.shows_not("Bridge");
}

#[test]
fn the_sides_are_one_under_the_other_where_the_screen_is_narrow() {
    let mut driver = judging(ONCE, 70, 24);
    let rows = |driver: &Driver| ["The old one.", "No bridges"].map(|text| driver.place_of(text).1);
    let [own, other] = rows(&driver);
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
        assert_eq!(
            pair[0]["value"], pair[1]["value"],
            "the same side both times"
        );
        assert_ne!(pair[0]["order"], pair[1]["order"]);
    }
}

#[test]
fn schemes_of_pairs_are_checked() {
    for (text, why) in [
        (
            ONCE.replace("choice", "text"),
            "line 5: a question about a pair is a choice",
        ),
        (
            ONCE.replace("\"pair\"", "\"dialog\"") + "swap = true\n",
            "line 6: only the sides of a pair have an order",
        ),
        (
            ONCE.to_owned() + "values = [{ name = \"left\" }, { name = \"right\" }]\n",
            "line 6: the values of a pair",
        ),
    ] {
        let error = Scheme::read(&text, "").unwrap_err().to_string();
        assert!(error.starts_with(why), "{error}");
    }
}
