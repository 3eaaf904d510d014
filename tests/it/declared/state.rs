//! Slots of the dialogue state that have several values.

use std::fs;

use turnwise::dialog::{Content, Edit};
use turnwise::format::{Family, named};

use super::{edited, read};

/// A dialog of SGD with lists of values, one of them over several lines.
const DIALOG: &str = r#"{"dialogue_id": "1_0", "services": ["Gardens_1"], "turns": [
  {"speaker": "USER", "utterance": "At six, in Ghent.", "frames": [{"service": "Gardens_1", "slots": [],
    "actions": [], "state": {"active_intent": "NONE", "requested_slots": [], "slot_values": {
      "time": [
        "6 pm",
        "18:00"
      ],
      "city": ["Ghent"]}}}]}]}"#;

fn sgd() -> &'static Family {
    named("sgd").unwrap()
}

fn set(slot: &str, value: &str) -> Edit {
    let record = format!(r#"{{"edit":"set_state","turn":0,"slot":"{slot}","value":{value}}}"#);
    serde_json::from_str(&record).unwrap()
}

fn value(text: &str, slot: &str) -> Content {
    let dialog = read(sgd(), text);
    let mut slots = dialog.turns[0].state.iter().flatten();
    slots.find(|own| own.slot == slot).unwrap().value.clone()
}

const TIME: &str = "Gardens_1.time";
const CITY: &str = "Gardens_1.city";

#[test]
fn a_list_is_shown_on_one_line_and_replaces_a_list_where_values_differ() {
    assert_eq!(value(DIALOG, TIME), Content::Raw(r#"["6 pm", "18:00"]"#.into()));
    assert_eq!(value(DIALOG, CITY), Content::Text("Ghent".into()));
    let after = |slot, value| edited(sgd(), DIALOG, &set(slot, value)).unwrap().text;
    assert_eq!(after(TIME, r#"["6 pm", "six"]"#), DIALOG.replace("18:00", "six"));
    let more = after(TIME, r#"["6 pm", "18:00", "six"]"#);
    let longer = "\"18:00\",\n        \"six\"\n";
    assert_eq!(more, DIALOG.replace("\"18:00\"\n", longer));
    assert_eq!(edited(sgd(), &more, &set(TIME, r#"["6 pm", "18:00"]"#)).unwrap().text, DIALOG);
    let one = after(TIME, r#"["6 pm"]"#);
    assert_eq!(value(&one, TIME), Content::Text("6 pm".into()));
    let two = after(CITY, r#"["Ghent", "Gent"]"#);
    assert_eq!(two, DIALOG.replace("[\"Ghent\"]", "[\"Ghent\", \"Gent\"]"));
    let new = after("Gardens_1.price", r#"["cheap", "free"]"#);
    assert_eq!(value(&new, "Gardens_1.price"), Content::Raw(r#"["cheap", "free"]"#.into()));
}

#[test]
fn one_value_does_not_replace_several_and_other_formats_have_no_lists() {
    let error = edited(sgd(), DIALOG, &set(TIME, "\"six\"")).unwrap_err();
    assert!(error.to_string().contains("is a list or an object, not one value"), "{error}");
    let bytes = fs::read(crate::support::project("assets/demo/sim-m.json")).unwrap();
    let file = crate::support::files::open(bytes);
    let (dialog, _) = file.dialog(0).unwrap().unwrap();
    let mut states = dialog.turns.iter().enumerate();
    let (turn, slot) = states.find_map(|(n, t)| Some((n, t.state.as_ref()?.first()?))).unwrap();
    let record =
        format!(r#"{{"edit":"set_state","turn":{turn},"slot":"{}","value":["a","b"]}}"#, slot.slot);
    let record = serde_json::from_str(&record).unwrap();
    let error = edited(file.format().unwrap(), &file.text(0).unwrap(), &record).unwrap_err();
    assert!(error.to_string().contains("one value"), "{error}");
}

#[test]
fn lists_of_single_values_are_values_of_the_state_and_of_calls() {
    let value =
        r#"{"edit":"set_value","turn":0,"call":0,"part":"arguments","name":"a","value":["b"]}"#;
    assert!(serde_json::from_str::<Edit>(value).is_ok());
    for nested in [
        r#"{"edit":"set_state","turn":0,"slot":"a","value":[["b"]]}"#,
        &value.replace(r#"["b"]"#, r#"[["b"]]"#),
    ] {
        assert!(serde_json::from_str::<Edit>(nested).is_err());
    }
    let record = set(TIME, r#"["6 pm", 6, null]"#.replace("null", "{\"json\":\"null\"}").as_str());
    let written = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Edit>(&written).unwrap(), record);
}

/// A slot with several values that is missing is restored with all of them, as a list.
#[test]
fn a_lost_list_is_restored_as_a_list() {
    let turn = |state: &str| {
        format!(
            r#"{{"speaker": "USER", "utterance": "hm", "frames": [{{"service": "Gardens_1", "slots": [], "actions": [],
    "state": {{"active_intent": "NONE", "requested_slots": [], "slot_values": {{{state}}}}}}}]}}"#
        )
    };
    let dialog = |second: &str| {
        let (first, second) = (turn(r#""city": ["SD", "San Diego"], "n": ["2"]"#), turn(second));
        format!(
            r#"{{"dialogue_id": "1_0", "services": ["Gardens_1"], "turns": [{first}, {second}]}}"#
        )
    };
    let text = dialog(r#""n": ["2"]"#);
    let rule = crate::lint::only("state-lost-slot");
    let found = crate::lint::found_in(&text, &rule);
    assert_eq!(found[0].message, r#"Gardens_1.city was ["SD", "San Diego"], but is missing here"#);
    let fix = &found[0].fixes[0];
    assert_eq!(fix.title, r#"restore Gardens_1.city ["SD", "San Diego"]"#);
    let record = serde_json::to_string(&fix.edits[0]).unwrap();
    assert!(record.ends_with(r#""value":["SD","San Diego"]}"#), "{record}");
    let again: Edit = serde_json::from_str(&record).unwrap();
    assert_eq!(
        edited(sgd(), &text, &again).unwrap().text,
        dialog(r#""n": ["2"], "city": ["SD", "San Diego"]"#)
    );
}

/// A slot whose name has the part in which `MultiWOZ` keeps what is booked is written there, not under a name with a dot.
#[test]
fn a_new_slot_goes_where_its_name_leads() {
    let multiwoz = named("multiwoz").unwrap();
    let dialog = r#"{"log": [{"text": "For Monday.", "metadata": {}, "dialog_act": {}}, {"text": "Done.", "dialog_act": {},
        "metadata": {"ferry": {"semi": {"from": "quay"}, "book": {"people": "2"}}}}]}"#;
    let after = |slot, value| edited(multiwoz, dialog, &set(slot, value)).unwrap().text;
    assert_eq!(
        after("ferry.book.day", "\"monday\""),
        dialog.replace(r#""people": "2""#, r#""people": "2", "day": "monday""#)
    );
    assert_eq!(
        after("ferry.to", "\"pier\""),
        dialog.replace(r#""from": "quay""#, r#""from": "quay", "to": "pier""#)
    );
}
