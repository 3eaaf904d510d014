//! The schema that SGD has beside its dialogs.

use std::fs;

use crate::support::{run_in, scratch};

const SCHEMA: &str = r#"[{"service_name": "Gardens_1", "slots": [{"name": "city"}, {"name": "price"}],
  "intents": [{"name": "FindGardens", "required_slots": ["city"], "optional_slots": {"price": "dontcare"}, "result_slots": ["city"]}]}]"#;

const DIALOGS: &str = r#"[{"dialogue_id": "1_0", "turns": [
  {"speaker": "USER", "utterance": "Find a garden in Ghent.", "frames": [{"service": "Gardens_1",
    "slots": [{"slot": "city", "start": 17, "exclusive_end": 22}],
    "actions": [{"act": "INFORM_INTENT", "slot": "intent", "values": ["FindGardens"]}, {"act": "INFORM", "slot": "city", "values": ["Ghent"]}],
    "state": {"active_intent": "FindGardens", "requested_slots": [], "slot_values": {"city": ["Ghent"]}}}]},
  {"speaker": "SYSTEM", "utterance": "There is none.", "frames": [{"service": "Gardens_1", "slots": [], "actions": [],
    "service_call": {"method": "FindGardens", "parameters": {"city": "Ghent"}}, "service_results": []}]}]}]"#;

fn lint(dialogs: &str) -> String {
    let folder = scratch();
    fs::write(folder.path().join("schema.json"), SCHEMA).unwrap();
    fs::write(folder.path().join("dialogues_001.json"), dialogs).unwrap();
    let check = run_in(folder.path(), &["check", "."], "");
    assert_eq!((check.code, check.err.as_str()), (0, ""), "{check:?}");
    run_in(folder.path(), &["lint", "."], "").out
}

#[test]
fn names_are_checked_against_the_schema() {
    assert_eq!(lint(DIALOGS), "");
    for (right, wrong, rule) in [
        (
            "\"slot\": \"city\", \"start\"",
            "\"slot\": \"cty\", \"start\"",
            "label-unknown",
        ),
        (
            "\"method\": \"FindGardens\"",
            "\"method\": \"FindGarden\"",
            "api-unknown-name",
        ),
        (
            "\"parameters\": {\"city\"",
            "\"parameters\": {\"price\"",
            "api-missing-argument",
        ),
        (
            "{\"city\": \"Ghent\"}",
            "{\"city\": \"Ghent\", \"town\": \"Ghent\"}",
            "api-unknown-argument",
        ),
    ] {
        let found = lint(&DIALOGS.replace(right, wrong));
        assert!(found.contains(rule), "{rule}: {found}");
    }
}

#[test]
fn names_that_end_in_a_mark_are_left_alone() {
    let shop = DIALOGS
        .replace("in Ghent.", "at Oh Moss! please")
        .replace("\"exclusive_end\": 22", "\"exclusive_end\": 25")
        .replace("\"values\": [\"Ghent\"]", "\"values\": [\"Oh Moss!\"]");
    assert_eq!(lint(&shop), "");
    let unknown = shop.replace("\"values\": [\"Oh Moss!\"]", "\"values\": [\"Moss\"]");
    let found = lint(&unknown);
    assert!(found.contains("span-edge-punctuation"), "{found}");
}
