//! Slots of the acts of sim-GEN, which keep their order.

use super::edited;

fn dialog(slots: &str) -> String {
    format!(
        r#"{{"dialogue_id":"a","turns":[{{"system_utterance":"hi",
        "system_acts":[{{"name":"ask","slot_values":{slots}}}]}}]}}"#
    )
}

/// The dialog once its act has these slots, or why it cannot.
fn with_slots(before: &str, slots: &[[&str; 2]]) -> Result<String, String> {
    let slot = |[slot, value]: &[&str; 2]| format!(r#"{{"slot":"{slot}","value":"{value}"}}"#);
    let slots: Vec<_> = slots.iter().map(slot).collect();
    let slots = slots.join(",");
    let edit = format!(r#"{{"edit":"set_act","turn":0,"act":0,"name":"ask","slots":[{slots}]}}"#);
    let edited = edited("sim-gen", before, &edit);
    edited.map(|e| e.text).map_err(|refused| refused.to_string())
}

#[test]
fn a_slot_is_renamed_in_its_place() {
    let before = dialog(r#"{ "day":"1" , "name":"2", "time":"3"}"#);
    let renamed = with_slots(&before, &[["day", "1"], ["seats", "2"], ["time", "3"]]);
    assert_eq!(renamed, Ok(before.replace("\"name\":\"2", "\"seats\":\"2")));
    let both = with_slots(&before, &[["days", "1"], ["name", "4"], ["time", "3"]]);
    let after = before.replace("day", "days").replace("\"2\"", "\"4\"");
    assert_eq!(both, Ok(after));
}

#[test]
fn slots_are_in_the_order_that_was_meant() {
    let before = dialog(r#"{"day": "1", "time": "3"}"#);
    for (slots, after) in [
        (vec![["time", "3"], ["day", "1"]], r#"{"time": "3", "day": "1"}"#),
        (
            vec![["name", "2"], ["day", "1"], ["time", "3"]],
            r#"{"name": "2", "day": "1", "time": "3"}"#,
        ),
        (vec![["time", "3"]], r#"{"time": "3"}"#),
        (
            vec![["day", "1"], ["time", "3"], ["name", "2"]],
            r#"{"day": "1", "time": "3", "name": "2"}"#,
        ),
    ] {
        assert_eq!(with_slots(&before, &slots), Ok(dialog(after)), "{slots:?}");
    }
}

/// A dialog of sim with an act of the user and a state.
fn sim(act: &str, state: &str) -> String {
    format!(
        r#"{{"dialogue_id":"a","turns":[{{"user_utterance":{{"text":"hi","tokens":["hi"],"slots":[]}},
        "user_acts":[{{{act}}}],"dialogue_state":[{state}]}}]}}"#
    )
}

/// Of a member that is there twice, the last one counts, so none of them may stay.
#[test]
fn a_slot_that_is_written_twice_goes_with_its_copy() {
    let before = sim(r#""slot": 7, "type": "AFFIRM", "slot": "day""#, "");
    let edit = r#"{"edit":"set_act","turn":0,"act":0,"name":"GREET","slots":[]}"#;
    let edited = edited("sim", &before, edit).map(|edited| edited.text);
    assert_eq!(edited, Ok(sim(r#""type": "GREET""#, "")));
}

/// An element of a list that has the same two members is of another kind.
#[test]
fn a_slot_of_an_act_is_not_written_like_a_slot_of_the_state() {
    let act = |act: &str| sim(act, r#"{"slot":"day","value":"1"}"#);
    let edit = r#"{"edit":"set_act","turn":0,"act":0,"name":"GREET","slots":[{"slot":"day","value":"1"}]}"#;
    let edited = edited("sim", &act(r#""type":"GREET""#), edit).map(|edited| edited.text);
    assert_eq!(edited, Ok(act(r#""type":"GREET","slot":"day","value":"1""#)));
}
