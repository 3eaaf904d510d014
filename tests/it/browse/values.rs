//! Changing values in the details: calls, acts, intents, state.

use serde_json::{Value, json};
use turnwise::app::pane::Item;

use super::Driver;

fn dialog(driver: &Driver) -> Value {
    serde_json::from_slice::<Value>(&driver.bytes(0)).unwrap()[0].clone()
}

/// Lines in which the file differs from `before`.
fn changed(driver: &Driver, before: &[u8]) -> usize {
    let (after, before) = (driver.bytes(0), String::from_utf8_lossy(before).into_owned());
    let after = String::from_utf8(after).unwrap();
    after.lines().filter(|line| !before.lines().any(|old| old == *line)).count()
}

/// Selects the heading of the acts, below the segments.
fn to_acts(driver: &mut Driver) {
    for _ in 0..20 {
        if matches!(driver.app.panes.details.item(), Some(Item::Acts { .. })) {
            return;
        }
        driver.press("down");
    }
    panic!("no acts on\n{}", driver.screen());
}

/// Replaces the text of the open prompt.
fn retype(driver: &mut Driver, text: &str) {
    driver.press("C-a").press("C-k").type_text(text).press("enter");
}

#[test]
fn values_other_than_strings_keep_their_spelling() {
    let arguments =
        r#"{"a":"x","m":1e3,"n":12345678901234567890123,"o":1.50,"p":-0.0,"t":true,"z":null}"#;
    let call = format!(r#"{{"name":"find","index":0,"args":{arguments},"response":{{}}}}"#);
    let turn =
        format!(r#"{{"index":0,"speaker":"user","text":"hi","segments":[],"apis":[{call}]}}"#);
    let text = format!(
        r#"[{{"conversation_id":"d","vertical":"v","instructions":"i","scenario":"s","utterances":[{turn}]}}]"#
    );
    let mut driver = Driver::open(&[("numbers.json", text.clone())], 120, 40);
    driver.run("show_api").press("f7 j j");
    for _ in 0..6 {
        // As it was: accepted without a change.
        driver.press("j enter enter").shows("no change");
    }
    assert_eq!(driver.bytes(0), text.as_bytes());
    for (typed, after) in [
        ("null", r#""z":null"#),
        ("1E400", r#""z":1E400"#),
        ("0.10", r#""z":0.10"#),
        ("007", r#""z":"007""#),
    ] {
        driver.press("enter");
        retype(&mut driver, typed);
        assert_eq!(driver.bytes(0), text.replace(r#""z":null"#, after).as_bytes());
    }
    driver.shows("stored 007 as a string: it is not a number, `true`, `false` or `null`");
}

#[test]
fn arguments_are_changed_added_renamed_and_deleted() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let original = driver.bytes(0);
    driver.press("A").type_text("find_movies").press("enter");
    let turn = driver.turn();
    let args = |driver: &Driver| dialog(driver)["utterances"][turn]["apis"][0]["args"].clone();
    driver.press("f7").shows("▸").press("j j enter").shows("name.genre");
    retype(&mut driver, "comedy \"noir\"");
    driver.shows("●1 unsaved").shows("comedy \"noir\"");
    assert_eq!(args(&driver)["name.genre"], "comedy \"noir\"");
    assert_eq!(changed(&driver, &original), 1);
    driver.press("r").shows("Names").type_text("name.kind").press("enter");
    assert_eq!(args(&driver)["name.kind"], "comedy \"noir\"");
    driver.press("a").type_text("new.one").shows("  new name").press("enter");
    driver.type_text("its value").press("enter");
    assert_eq!(args(&driver)["new.one"], "its value");
    // An existing name is neither added again nor offered.
    let before = args(&driver);
    driver.press("a").shows_not("▸ name.theater").type_text("new.one");
    driver.press("enter").shows("new.one already exists");
    assert_eq!(args(&driver), before);
    driver.press("d");
    assert_eq!(args(&driver).get("name.kind"), None);
    driver.press("k k enter").shows("APIs").type_text("look_up").press("enter");
    driver.shows("look_up occurs nowhere else in these files · u to undo");
    assert_eq!(dialog(&driver)["utterances"][turn]["apis"][0]["name"], "look_up");
}

#[test]
fn json_in_strings_is_changed_as_text() {
    let mut driver = Driver::demo("taskmaster-4.json", 120, 40);
    let original = driver.bytes(0);
    driver.press("A enter esc dot f7 j enter").shows("arguments, as JSON");
    retype(&mut driver, "{\"a\": \"b\"}");
    driver.shows("●1 unsaved");
    assert_eq!(changed(&driver, &original), 1);
    driver.press("d").shows("cannot be deleted");
}

#[test]
fn acts_intents_and_state_are_changed() {
    for (name, act, slots) in [("sim-m.json", "type", false), ("sim-gen.json", "name", true)] {
        let mut driver = Driver::demo(name, 120, 40);
        let exchange = |driver: &Driver| {
            let turns = dialog(driver)["turns"].clone();
            turns.as_array().unwrap().iter().find(|t| t.get("user_acts").is_some()).unwrap().clone()
        };
        let state = |driver: &Driver| exchange(driver)["dialogue_state"].to_string();
        while driver.app.panes.transcript.current().unwrap().state.is_none() {
            driver.press("j");
        }
        driver.press("f7");
        driver.app.panes.details.show("turn");
        driver.press("l h g").shows("Acts");
        to_acts(&mut driver);
        driver.press("a").shows("Acts").type_text("NEW_ACT").press("enter");
        let acts = exchange(&driver)["user_acts"].clone();
        assert_eq!(acts.as_array().unwrap().last().unwrap()[act], "NEW_ACT", "{name}");
        driver.press("G").press("enter");
        retype(&mut driver, "another value");
        if driver.screen().contains("later turn") {
            driver.press("esc");
        }
        let now = state(&driver);
        assert!(now.contains("another value"), "{name} {now}");
        driver.press("a").type_text("new_slot").press("enter").type_text("new value");
        driver.press("enter");
        let now = state(&driver);
        assert!(now.contains("new_slot") && now.contains("new value"), "{name} {now}");
        driver.press("a").type_text("new_slot").press("enter").shows("new_slot already exists");
        assert_eq!(state(&driver), now);
        driver.press("r").type_text("other_slot").press("enter");
        let now = state(&driver);
        assert!(now.contains("other_slot"), "{name} {now}");
        driver.press("d g");
        to_acts(&mut driver);
        driver.press("j r").type_text("RENAMED").press("enter");
        assert_eq!(exchange(&driver)["user_acts"][0][act], "RENAMED", "{name}");
        driver.press("a").type_text("a_slot").press("enter").type_text("its value").press("enter");
        let first = exchange(&driver)["user_acts"][0].to_string();
        assert!(first.contains("a_slot") && first.contains("its value"), "{first}");
        assert_eq!(first.contains("slot_values"), slots);
    }
}

#[test]
fn a_single_edit_is_taken_back_and_the_others_stay() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let original = driver.bytes(0);
    driver.press("l ]").press("J l ] ]").press("K l d");
    let with_all = driver.bytes(0);
    driver.run("show_edits");
    driver.press("f7").shows("3 edits are not saved").shows("end 33 → 34 in turn 0");
    // The newest first: deleted, the other dialog's end, the first end.
    driver.shows("Changes in dlg-demo-tm3-01").press("j").shows("Changes in dlg-demo-tm3-02");
    driver.press("d").shows("reverted: end").shows("2 edits are not saved");
    assert!(driver.bytes(0) != with_all);
    driver.press("u");
    assert!(driver.bytes(0) == with_all);
    // One that is saved is restored, too.
    driver.press("G d").shows("reverted: end").press("C-s").shows("saved");
    driver.press("u").shows("restored: end").press("u u u");
    assert!(driver.bytes(0) == original);
}

/// A revert that is refused half-way changes nothing, and redo makes the edits that were undone before.
#[test]
fn a_refused_revert_keeps_what_can_be_redone() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let original = driver.bytes(0);
    driver.press("A").type_text("find_movies").press("enter esc");
    driver.press("f7 j j d").shows("●1 unsaved");
    driver.press("a").type_text("new.one").press("enter");
    driver.type_text("its value").press("enter");
    driver.press("r").type_text("name.genre").press("enter");
    let renamed = driver.shows("●3 unsaved").bytes(0);
    driver.press("d").shows("●4 unsaved");
    let all = driver.bytes(0);
    driver.press("u");
    assert!(driver.bytes(0) == renamed);
    // Without the deletion there would be two arguments of this name.
    driver.run("show_edits").press("f7 G d").shows("depends on this edit");
    assert!(driver.bytes(0) == renamed);
    driver.press("U").shows("●4 unsaved");
    assert!(driver.bytes(0) == all);
    driver.press("u u u u");
    assert!(driver.bytes(0) == original);
    driver.press("U U U U");
    assert!(driver.bytes(0) == all);
}

/// Two arguments of one name are two: each is reached, and none is left out or come back to.
#[test]
fn arguments_of_one_name_are_walked_one_by_one() {
    let (name, text) = super::demo("taskmaster-3.json");
    let args = text.find("\"args\": {").unwrap() + "\"args\": {".len();
    let twins = "\"twin\": \"1\", \"twin\": \"2\", \"other\": \"3\", \"twin\": \"4\",";
    let text = format!("{}{twins}{}", &text[..args], &text[args..]);
    let mut driver = Driver::open(&[(name, text)], 120, 40);
    driver.press("A").type_text("find_movies").press("enter esc");
    driver.press("f7");
    let chosen = |driver: &Driver| {
        let lines = &driver.app.panes.details.lines;
        lines.iter().position(|line| line.selected).unwrap()
    };
    let mut places = vec![chosen(&driver)];
    for _ in 0..6 {
        driver.press("down");
        places.push(chosen(&driver));
    }
    assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
    for _ in 0..6 {
        driver.press("up");
        assert_eq!(Some(chosen(&driver)), {
            places.pop();
            places.last().copied()
        });
    }
    // It is unclear which of them a change would be for.
    let before = driver.bytes(0);
    driver.press("down down down d");
    assert!(driver.app.status.bad, "{}", driver.screen());
    assert_eq!(driver.bytes(0), before);
}

/// The turns up to the first one with another value.
#[test]
fn a_changed_state_is_offered_to_later_turns() {
    let slots = |values: &[&str]| {
        let turn = |(number, value): (usize, &&str)| {
            let state = json!([{"slot": "day", "value": value}, {"slot": "people", "value": "2"}]);
            let utterance = json!({"text": "yes", "tokens": ["yes"], "slots": []});
            let mut turn = json!({"user_acts": [], "user_intents": [], "dialogue_state": state,
                "user_utterance": utterance});
            if number > 0 {
                turn["system_acts"] = json!([]);
                turn["system_utterance"] = json!({"text": "ok", "tokens": ["ok"], "slots": []});
            }
            turn
        };
        let turns: Vec<Value> = values.iter().enumerate().map(turn).collect();
        json!([{"dialogue_id": "d", "turns": turns}]).to_string()
    };
    let days = |driver: &Driver| -> Vec<String> {
        let dialog = dialog(driver);
        let turns = dialog["turns"].as_array().unwrap();
        let day = |turn: &Value| turn["dialogue_state"][0]["value"].as_str().unwrap().to_owned();
        turns.iter().map(day).collect()
    };
    let original = slots(&["monday", "monday", "monday", "friday", "monday"]);
    let open = || {
        let mut driver = Driver::open(&[("sim.json", original.clone())], 120, 40);
        driver.press("f7");
        driver.app.panes.details.show("turn");
        driver.press("l h j j j enter");
        retype(&mut driver, "sunday");
        driver.shows("2 later turns already had this value for day");
        driver
    };
    let mut driver = open();
    driver.press("y").shows("also changed in 2 later turns");
    assert_eq!(days(&driver), ["sunday", "sunday", "sunday", "friday", "monday"]);
    driver.press("u");
    assert_eq!(driver.bytes(0), original.as_bytes());
    let mut driver = open();
    driver.press("enter");
    assert_eq!(days(&driver), ["sunday", "monday", "monday", "friday", "monday"]);
}
