//! The ontologies that `MultiWOZ` and `ConvLab-3` have beside their dialogs.

use std::fs;
use std::path::Path;

use crate::support::{TempDir, run_in, scratch};

const MULTIWOZ_SLOTS: &str = r#"{
    "garden-semi-price range": ["cheap", "dear"],
    "garden-semi-area": ["north", "south"],
    "garden-book stay": ["1", "2"],
    "train-semi-leaveat": []
}"#;

const MULTIWOZ: &str = r#"{"GARDEN1.json": {"goal": {}, "log": [
  {"text": "a cheap garden in the north ?", "metadata": {},
   "dialog_act": {"Garden-Inform": [["Price", "cheap"]]}, "span_info": [["Garden-Inform", "Price", "cheap", 1, 1]]},
  {"text": "there is none .", "dialog_act": {"Garden-NoOffer": [["none", "none"]]}, "span_info": [],
   "metadata": {"garden": {"semi": {"pricerange": "cheap", "area": "north"}, "book": {"stay": "2", "booked": []}},
                "train": {"semi": {"leaveAt": "9:15"}, "book": {}}}}
]}}"#;

const UNIFIED: &str = r#"{
  "domains": {"garden": {"description": "", "slots": {
    "price": {"description": "", "is_categorical": true, "possible_values": ["cheap", "dear"]},
    "city": {"description": "", "is_categorical": false, "possible_values": []}}}},
  "intents": {"inform": {"description": ""}, "bye": {"description": ""}},
  "state": {"garden": {"price": "", "city": ""}},
  "dialogue_acts": {"categorical": [], "non-categorical": [], "binary": []}
}"#;

const CONVLAB: &str = r#"[{"dataset": "gardens", "dialogue_id": "gardens-0", "turns": [
  {"speaker": "user", "utterance": "Find a cheap garden in Ghent.", "utt_idx": 0,
   "dialogue_acts": {"categorical": [{"intent": "inform", "domain": "garden", "slot": "price", "value": "cheap"}],
     "non-categorical": [{"intent": "inform", "domain": "garden", "slot": "city", "value": "Ghent", "start": 23, "end": 28}],
     "binary": []},
   "state": {"garden": {"price": "cheap", "city": "Ghent"}}},
  {"speaker": "system", "utterance": "Goodbye.", "utt_idx": 1,
   "dialogue_acts": {"categorical": [], "non-categorical": [],
     "binary": [{"intent": "bye", "domain": "", "slot": ""}]}}
]}]"#;

const WOZ: &str =
    r#"{"informable": {"food": ["thai"]}, "requestable": ["food"], "method": ["none"]}"#;

fn folder(dialogs: &str, ontology: &str) -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("data.json"), dialogs).unwrap();
    fs::write(folder.path().join("ontology.json"), ontology).unwrap();
    folder
}

/// The problems that `lint` finds after one replacement in the dialogs.
fn lint(path: &Path, dialogs: &str, (right, wrong): (&str, &str)) -> String {
    assert_ne!(dialogs.replace(right, wrong), dialogs, "{right}");
    fs::write(path.join("data.json"), dialogs.replace(right, wrong)).unwrap();
    let ran = run_in(path, &["lint", "."], "");
    assert_eq!(ran.err, "", "{ran:?}");
    ran.out
}

#[test]
fn an_ontology_beside_the_data_is_none_of_the_unknown_files() {
    for (dialogs, ontology, name) in [
        (MULTIWOZ, MULTIWOZ_SLOTS, "MultiWOZ ontology"),
        (CONVLAB, UNIFIED, "ConvLab-3 ontology"),
        (CONVLAB, WOZ, "WOZ 2.0 ontology"),
    ] {
        let folder = folder(dialogs, ontology);
        for command in ["check", "lint"] {
            let ran = run_in(folder.path(), &[command, "."], "");
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}: {ran:?}");
        }
        let ran = run_in(folder.path(), &["check", "ontology.json"], "");
        assert!(ran.code == 0 && ran.out.contains(name), "{ran:?}");
    }
}

#[test]
fn states_follow_the_slots_and_values_of_multiwoz() {
    let folder = folder(MULTIWOZ, MULTIWOZ_SLOTS);
    let path = folder.path();
    for (change, expected) in [
        (("\"pricerange\"", "\"pricerang\""), "slot-unknown"),
        (("\"stay\"", "\"staye\""), "slot-unknown"),
        (("\"north\"}", "\"noth\"}"), "\"noth\" is not a value of garden.area"),
        (("\"2\"", "\"9\""), "state-value-unknown"),
    ] {
        let found = lint(path, MULTIWOZ, change);
        assert!(found.contains(expected), "{change:?}: {found}");
    }
    // Alternatives, values that say nothing, slots without listed values, and other domains.
    for change in [
        ("\"pricerange\": \"cheap\"", "\"pricerange\": \"cheap|dear\""),
        ("\"north\"}", "\"not mentioned\"}"),
        ("\"9:15\"", "\"10:45\""),
        ("\"train\": {", "\"bus\": {"),
    ] {
        assert_eq!(lint(path, MULTIWOZ, change), "", "{change:?}");
    }
}

#[test]
fn acts_labels_and_states_follow_the_domains_of_convlab() {
    let folder = folder(CONVLAB, UNIFIED);
    let path = folder.path();
    for (change, rule) in [
        (("\"slot\": \"city\"", "\"slot\": \"ciyt\""), "label-unknown"),
        (("\"intent\": \"bye\"", "\"intent\": \"by\""), "act-unknown"),
        (("\"price\": \"cheap\"", "\"price\": \"chaep\""), "state-value-unknown"),
        (("\"city\": \"Ghent\"}", "\"citty\": \"Ghent\"}"), "slot-unknown"),
    ] {
        let found = lint(path, CONVLAB, change);
        assert!(found.contains(rule), "{rule}: {found}");
    }
    let any = ("Ghent", "Ypres");
    assert_eq!(lint(path, CONVLAB, any), "", "a city is not categorical");
}

#[test]
fn a_misspelled_value_is_mended_with_the_smallest_change() {
    let folder = folder(MULTIWOZ, MULTIWOZ_SLOTS);
    let wrong = MULTIWOZ.replace("\"north\"}", "\"nortth\"}");
    fs::write(folder.path().join("data.json"), wrong).unwrap();
    let ran = run_in(folder.path(), &["fix", "--unsafe-fixes", "data.json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let mended = fs::read_to_string(folder.path().join("data.json")).unwrap();
    assert_eq!(mended, MULTIWOZ);
}
