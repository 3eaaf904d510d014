//! Changes of one side inside of something that the other removes, and the form in which changes are written.

use std::fs;

use serde_json::{Value, json};

use super::{are_in_conflict, are_joined, merge, merge_as};
use crate::support::{run_in, scratch};

/// Returns a dialog of two turns, the second with these segments: the start, the text, and its labels.
fn booking(text: &str, segments: &[(usize, &str, Value)]) -> Value {
    let segments: Vec<_> = segments
        .iter()
        .map(|(start, text, labels)| {
            json!({"start_index": start, "end_index": start + text.len(), "text": text,
                "annotations": labels})
        })
        .collect();
    json!([{"conversation_id": "d", "instruction_id": "trips", "utterances": [
        {"index": 0, "speaker": "ASSISTANT", "text": "Where to?"},
        {"index": 1, "speaker": "USER", "text": text, "segments": segments},
        {"index": 2, "speaker": "ASSISTANT", "text": "Booked."}]}])
}

/// Both add one turn, and mark it differently.
#[test]
fn a_turn_that_both_add_with_other_labels_is_a_conflict() {
    let base = booking("To Oslo", &[]);
    let with = |name: &str| {
        let mut copy = base.clone();
        let turn = json!({"index": 3, "speaker": "USER", "text": "Thanks a lot", "segments": [
            {"start_index": 0, "end_index": 6, "text": "Thanks", "annotations": [{"name": name}]}]});
        copy[0]["utterances"].as_array_mut().unwrap().push(turn);
        format!("{copy:#}\n")
    };
    let (base, ours, theirs) = (format!("{base:#}\n"), with("thanks"), with("end"));
    let [merged, _] = are_in_conflict("json", [&base, &ours, &theirs]);
    let conflicts = merged.conflicts;
    assert!(conflicts.contains("end") && conflicts.contains("thanks"), "{conflicts}");
    assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
    are_joined("json", [&base, &ours, &ours], &ours);
    let merged = merge_as("json", [&base, &ours, &theirs], &["--theirs"]);
    let [out, theirs] =
        [&merged.text, &theirs].map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert_eq!((merged.code, out), (0, theirs));
}

/// Values of one slot of an act that is an object.
#[test]
fn a_slot_that_both_add_with_other_values_is_there_once() {
    let dialog = |slots: Value| {
        json!([{"dialogue_id": "sim_movies_1", "turns": [{
            "system_utterance": "How many?", "system_acts": [{"name": "REQUEST", "slot_values": {"num": ""}}],
            "user_utterance": "Four.", "user_intents": [], "dialogue_state": {},
            "user_acts": [{"name": "INFORM", "slot_values": slots}]}]}])
    };
    let texts = [
        json!({"num": "4"}),
        json!({"num": "4", "day": "Monday"}),
        json!({"num": "4", "day": "Sunday"}),
    ];
    let [base, ours, theirs] = texts.map(|slots| format!("{:#}\n", dialog(slots)));
    are_in_conflict("json", [&base, &ours, &theirs]);
    for option in ["--ours", "--theirs", "--union"] {
        let merged = merge_as("json", [&base, &ours, &theirs], &[option]);
        assert_eq!(merged.text.matches("\"day\"").count(), 1, "{option}: {merged:?}");
    }
}

/// Ours is written otherwise than theirs, which adds a member that no edit says.
#[test]
fn a_change_of_theirs_is_written_in_the_form_of_ours() {
    let turn = |note: &str, text: &str| {
        format!(
            r#"{{"index": 0, "speaker": "USER", "text": "Caf{}?"{note}}}, {{"index": 1, "speaker": "ASSISTANT", "text": "{text}"}}"#,
            'é'
        )
    };
    let dialog = |note: &str, text: &str| {
        format!(
            r#"[{{"conversation_id": "d", "instruction_id": "i", "utterances": [{}]}}]"#,
            turn(note, text)
        )
    };
    let indented = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        format!("{value:#}\n")
    };
    let note = r#", "z_note": ["a", {"b": 1}]"#;
    let (base, theirs) = (indented(&dialog("", "Yes.")), indented(&dialog(note, "Yes.")));
    let (plain, both) = (indented(&dialog("", "Yes, two.")), indented(&dialog(note, "Yes, two.")));
    let forms: [&dyn Fn(&str) -> String; 4] = [
        &|text| text.replace("  ", "\t"),
        &|text| text.replace('\n', "\r\n"),
        &|text| text.replace('é', "\\u00e9"),
        &|text| text.replace("  ", "    "),
    ];
    for form in forms {
        let merged = merge([&base, &form(&plain), &theirs]);
        assert_eq!((merged.code, &merged.text), (0, &form(&both)), "{merged:?}");
    }
}

/// Theirs is an indented array, with another dialog.
#[test]
fn lines_stay_lines() {
    let dialog = |id: &str, note: &str, text: &str| {
        format!(
            r#"{{"conversation_id": "{id}", "instruction_id": "i", "utterances": [{{"index": 0, "speaker": "USER", "text": "Hi?"{note}}}, {{"index": 1, "speaker": "ASSISTANT", "text": "{text}"}}]}}"#
        )
    };
    let note = r#", "z_note": ["a", {"b": 1}]"#;
    let lines = |dialogs: &[String]| dialogs.join("\n") + "\n";
    let base = lines(&[dialog("a", "", "Yes."), dialog("b", "", "Yes.")]);
    let ours = lines(&[dialog("a", "", "Yes, two."), dialog("b", "", "Yes.")]);
    let theirs = [dialog("a", note, "Yes."), dialog("b", "", "Yes."), dialog("c", note, "No.")];
    let theirs: Value = serde_json::from_str(&format!("[{}]", theirs.join(","))).unwrap();
    let expected =
        lines(&[dialog("a", note, "Yes, two."), dialog("b", "", "Yes."), dialog("c", note, "No.")]);
    let folder = scratch();
    let names = ["base.jsonl", "ours.jsonl", "theirs.json"];
    for (name, text) in names.iter().zip([base, ours, format!("{theirs:#}\n")]) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let merge = ["merge", names[0], names[1], names[2], "-o", "out.jsonl"];
    let ran = run_in(folder.path(), &merge, "");
    let out = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    assert_eq!((ran.code, out), (0, expected), "{ran:?}");
}

/// One side swaps labels, the other gives one a member.
#[test]
fn a_segment_whose_labels_both_sides_change_is_one_conflict() {
    let labels = |of: [Value; 2]| booking("To Oslo", &[(3, "Oslo", json!(of))]);
    let plain = |name: &str| json!({"name": name});
    let base = labels([plain("city"), plain("goal")]);
    let marked = labels([plain("city"), json!({"name": "goal", "sure": "OURS"})]);
    let swapped = labels([plain("goal"), plain("city")]);
    let texts = [base, marked, swapped].map(|copy| format!("{copy:#}\n"));
    let [base, marked, swapped] = &texts;
    let merged = are_in_conflict("json", [base, marked, swapped]);
    for (merged, theirs) in merged.into_iter().zip([swapped, marked]) {
        let conflict: Value = serde_json::from_str(&merged.conflicts).unwrap();
        assert_eq!(conflict["conflict"], "segment", "{conflict}");
        let put = conflict["edits"][0]["json"].as_str().unwrap();
        let put: Value = serde_json::from_str(put).unwrap();
        let theirs: Value = serde_json::from_str(theirs).unwrap();
        assert_eq!(put, theirs[0]["utterances"][1]["segments"][0], "{conflict}");
    }
}

/// Ours has as many segments as before, but others, and theirs moves all by changing the text.
#[test]
fn a_new_segment_moves_with_its_words_beside_a_removed_one() {
    let label = |name: &str| json!([{"name": name}]);
    let base =
        booking("An inn at one or nine", &[(3, "inn", label("kind")), (10, "one", label("time"))]);
    let ours = booking(
        "An inn at one or nine",
        &[(10, "one", label("time")), (17, "nine", label("OURS"))],
    );
    let text = "An old inn at one or nine";
    let theirs = booking(text, &[(7, "inn", label("kind")), (14, "one", label("time"))]);
    let both = booking(text, &[(14, "one", label("time")), (21, "nine", label("OURS"))]);
    let [base, ours, theirs, both] = [base, ours, theirs, both].map(|copy| format!("{copy:#}\n"));
    are_joined("json", [&base, &ours, &theirs], &both);
}

/// Members of a judgement that turnwise does not know are merged as what it knows.
#[test]
fn a_member_of_a_judgement_that_one_side_changes_is_not_lost() {
    let line = |value: &str, more: &str| {
        format!(r#"{{"dialog": "d", "question": "q", "value": "{value}", "by": "mk"{more}}}"#)
    };
    let none = "";
    let (one, two) = (r#", "sure": 1.50"#, r#", "sure": 2"#);
    let extra = r#", "sure": 1.50, "x": "a""#;
    for (base, ours, theirs, both) in [
        (("pass", none), ("pass", none), ("pass", one), Some(("pass", one))),
        (("pass", none), ("fail", none), ("pass", one), Some(("fail", one))),
        (("pass", one), ("fail", one), ("pass", none), Some(("fail", none))),
        (("pass", one), ("pass", two), ("fail", one), Some(("fail", two))),
        (("pass", one), ("pass", one), ("pass", extra), Some(("pass", extra))),
        (("pass", none), ("pass", one), ("pass", two), None),
        (("pass", none), ("fail", one), ("skip", none), None),
    ] {
        let [base, ours, theirs] =
            [base, ours, theirs].map(|(value, more)| line(value, more) + "\n");
        for [ours, theirs] in [[&ours, &theirs], [&theirs, &ours]] {
            let merged = merge_as("jsonl", [&base, ours, theirs], &[]);
            let expected = both.map_or(ours.clone(), |(value, more)| line(value, more) + "\n");
            let code = i32::from(both.is_none());
            assert_eq!((merged.code, &merged.text), (code, &expected), "{merged:?}");
            if both.is_none() {
                // No edit takes a side with such members, so none says that it decides.
                let list: Value = serde_json::from_str(&merged.conflicts).unwrap();
                let edits = list["edits"].as_array().unwrap();
                assert_eq!(edits.is_empty(), theirs.contains("sure") || ours.contains("sure"));
                assert_ne!(list["ours"], list["theirs"]);
            }
        }
    }
}

/// Theirs gives a segment a member, and ours has other words in its place.
#[test]
fn a_member_of_a_segment_whose_words_are_gone_is_not_lost() {
    let label = json!([{"name": "guests"}]);
    let base = booking("Two for Oslo", &[(0, "Two", label.clone())]);
    let mut marked = base.clone();
    marked[0]["utterances"][1]["segments"][0]["confidence"] = json!("OURS");
    let other = booking("Some seats for Oslo", &[]);
    let [base, marked, other] = [base, marked, other].map(|copy| format!("{copy:#}\n"));
    for (ours, theirs, is_ours) in [(&marked, &other, true), (&other, &marked, false)] {
        let merged = merge([&base, ours, theirs]);
        assert_eq!(merged.code, 1, "{merged:?}");
        assert_eq!(merged.text.contains("OURS"), is_ours, "{merged:?}");
    }
}

/// The text of a side may cut a segment that nobody has removed: whichever text is taken, it stays where it fits.
#[test]
fn a_segment_that_only_the_other_text_cuts_stays() {
    let file = |text: &str, segments: &str| {
        format!(
            r#"[{{"conversation_id":"a","utterances":[{{"index":0,"speaker":"USER","text":"{text}","segments":[{segments}]}}]}}]"#
        )
    };
    let terrace =
        r#"{"start_index":0,"end_index":7,"text":"Terrace","annotations":[{"name":"seat"}]}"#;
    let base = file("Terrace, if they have heaters.", terrace);
    let ours = file("Terrace please, if they have heaters.", terrace);
    let theirs = file("Inside, if they have heaters.", "");
    for (option, segments) in [("--union", 1), ("--ours", 1), ("--theirs", 0)] {
        let merged = merge_as("json", [&base, &ours, &theirs], &[option]);
        assert_eq!(merged.code, 0, "{merged:?}");
        assert_eq!(merged.text.matches("Terrace\"").count(), segments, "{option}: {merged:?}");
    }
    let merged = merge([&base, &ours, &theirs]);
    assert_eq!(merged.code, 1);
    let line: Value = serde_json::from_str(&merged.conflicts).unwrap();
    assert_eq!(line.get("edits_of_both"), None, "{line}");
    let base = line["edits_of_base"].as_array().unwrap();
    assert!(base.iter().all(|edit| edit["json"].is_string()), "nothing is removed: {line}");
}
