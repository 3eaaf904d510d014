//! The schema that SGD has beside its dialogs.

use std::fs;

use turnwise::ontology::Ontology;
use turnwise::workspace::DialogId;

use crate::browse::Driver;
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
        ("\"slot\": \"city\", \"start\"", "\"slot\": \"cty\", \"start\"", "label-unknown"),
        ("\"method\": \"FindGardens\"", "\"method\": \"FindGarden\"", "api-unknown-name"),
        ("\"parameters\": {\"city\"", "\"parameters\": {\"price\"", "api-missing-argument"),
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

/// As SGD is published: each split has a schema of its own, with versions of a service that take other arguments.
#[test]
fn methods_of_one_name_in_several_folders_need_what_all_of_them_need() {
    let folder = scratch();
    let put = |split: &str, schema: &str, dialogs: &str| {
        fs::create_dir(folder.path().join(split)).unwrap();
        fs::write(folder.path().join(split).join("schema.json"), schema).unwrap();
        fs::write(folder.path().join(split).join("dialogues_001.json"), dialogs).unwrap();
    };
    put("train", SCHEMA, DIALOGS);
    let other = |text: &str| {
        text.replace("Gardens_1", "Gardens_2")
            .replace("\"city\"", "\"place\"")
            .replace("1_0", "2_0")
    };
    put("dev", &other(SCHEMA), &other(DIALOGS));
    for paths in [&["."][..], &["train", "dev"], &["dev", "train"]] {
        let ran = run_in(folder.path(), &[&["lint"], paths].concat(), "");
        assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{ran:?}");
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

/// A description of chats with a gardener, which declare their tools and have labels in another file.
const GARDEN: &str = r#"name = "garden"
has = ["talk[*].said"]
id = "nr"

[turn]
at = "talk[*]"
text = "said"
speaker = "by"
user = ["guest"]
system = ["gardener"]

[[span]]
at = "marks[*]"
start = "a"
end = "z"
label = "tag"

[[act]]
at = "."
when = "act"
name = "act"

[call]
at = "calls[*]"
name = "tool"
arguments = { at = "with", json = "string" }

[ontology]
file = "names.toml"
apis = "tools[*]"
"#;

const NAMES: &str = "title = \"Garden\"\nfamilies = []\ncomplete = true\nlabels = [\"plant\", \"tool\"]\nacts = [\"ask\", \"tell\"]\n";

const TALK: &str = r#"[{"nr": "g-1", "tools": [{"name": "water", "parameters": {"type": "object",
    "properties": {"bed": {"type": "string"}, "litres": {"type": "integer"}}, "required": ["bed"]}}],
  "talk": [
    {"by": "guest", "act": "ask", "said": "Water the fern.", "marks": [{"a": 10, "z": 14, "tag": "plant"}]},
    {"by": "gardener", "act": "tell", "said": "Done.",
     "calls": [{"tool": "water", "with": "{\"bed\": \"fern\", \"litres\": 2}"}]}]}]"#;

fn garden(description: &str, talk: &str) -> crate::support::TempDir {
    let folder = scratch();
    fs::create_dir(folder.path().join("formats")).unwrap();
    fs::write(folder.path().join("formats/garden.toml"), description).unwrap();
    fs::write(folder.path().join("names.toml"), NAMES).unwrap();
    fs::write(folder.path().join("talk.json"), talk).unwrap();
    folder
}

fn lint_garden(talk: &str) -> Vec<String> {
    let folder = garden(GARDEN, talk);
    let ran = run_in(folder.path(), &["lint", ".", "--format", "jsonl"], "");
    assert!(ran.code <= 1 && ran.err.is_empty(), "{ran:?}");
    let rule = |line: &str| {
        let problem: serde_json::Value = serde_json::from_str(line).unwrap();
        problem["rule"].as_str().unwrap().to_owned()
    };
    ran.out.lines().map(rule).collect()
}

#[test]
fn a_description_names_the_ontology_and_the_declarations_of_its_format() {
    assert_eq!(lint_garden(TALK), [""; 0]);
    for (right, wrong, rule) in [
        ("\"tag\": \"plant\"", "\"tag\": \"plnat\"", "label-unknown"),
        ("\"act\": \"tell\"", "\"act\": \"tel\"", "act-unknown"),
        ("\"tool\": \"water\"", "\"tool\": \"watering\"", "chat-tool-undeclared"),
        (r#"\"litres\": 2"#, r#"\"litres\": \"2\""#, "chat-argument-type"),
        (r#"\"litres\""#, r#"\"gallons\""#, "chat-argument-unknown"),
        (r#"\"bed\": \"fern\", "#, "", "chat-argument-missing"),
        // Broken JSON is reported once, by the rule on calls.
        (r#"\"litres\": 2}"#, r#"\"litres\": 2"#, "api-json-broken"),
    ] {
        let wrong = TALK.replace(right, wrong);
        assert_ne!(wrong, TALK, "{rule}");
        assert_eq!(lint_garden(&wrong), [rule], "{wrong}");
    }
}

#[test]
fn fixes_write_the_names_that_are_declared() {
    let wrong = TALK
        .replace("\"tool\": \"water\"", "\"tool\": \"Water\"")
        .replace(r#"\"litres\": 2"#, r#"\"litres\": \"2\""#);
    let folder = garden(GARDEN, &wrong);
    let ran = run_in(folder.path(), &["fix", "talk.json"], "");
    assert!(ran.code <= 1, "{ran:?}");
    let after = fs::read_to_string(folder.path().join("talk.json")).unwrap();
    assert_eq!(after, TALK);
}

#[test]
fn an_ontology_outside_the_folder_of_the_corpus_is_refused() {
    for wrong in ["../names.toml", "/etc/passwd", "..", "a/b.toml", ".hidden", "c:x", ""] {
        let description = GARDEN.replace("\"names.toml\"", &format!("\"{wrong}\""));
        let folder = garden(&description, TALK);
        let ran = run_in(folder.path(), &["check", "talk.json"], "");
        let said = "`file` is the name of a file beside the corpus, without folders";
        let all = format!("{}{}", ran.out, ran.err);
        assert!(ran.code == 2 && all.contains(said), "{wrong}: {all}");
        assert!(all.contains("garden.toml:29:"), "{wrong}: {all}");
    }
    // A file that is not an ontology is named.
    let folder = garden(GARDEN, TALK);
    fs::write(folder.path().join("names.toml"), "labels = 3").unwrap();
    let ran = run_in(folder.path(), &["lint", "talk.json"], "");
    assert!(ran.code == 2 && ran.err.contains("names.toml: 1:10: "), "{ran:?}");
}

const UNIFIED: &str = r#"{"domains": {"garden": {"description": "", "slots": {
  "price": {"is_categorical": true, "possible_values": ["free"]},
  "name": {"is_categorical": false, "possible_values": []},
  "pond": {"is_categorical": true, "possible_values": ["yes", "no"]}}}},
  "intents": {"inform": {}}, "state": {"garden": {"price": ""}}, "dialogue_acts": {}}"#;

/// `ConvLab` lists acts on slots with a closed list of values apart, and its ontology says which these are.
#[test]
fn new_acts_go_where_the_ontology_says() {
    let dialog = |categorical: &str, others: &str| {
        format!(
            r#"[{{"dataset": "g", "dialogue_id": "g-0", "turns": [{{"speaker": "user", "utterance": "hi", "utt_idx": 0, "dialogue_acts": {{"categorical": [{categorical}], "non-categorical": [{others}], "binary": []}}}}]}}]"#
        )
    };
    let act = |slot: &str| {
        format!(r#"{{"intent": "inform", "domain": "garden", "slot": "{slot}", "value": "x"}}"#)
    };
    let added = |ontology: bool, before: &str, slot: &str| {
        let folder = scratch();
        if ontology {
            fs::write(folder.path().join("ontology.json"), UNIFIED).unwrap();
        }
        fs::write(folder.path().join("dialogues.json"), before).unwrap();
        let edit = format!(
            r#"{{"edit":"add_act","dialog":0,"turn":0,"name":"inform.garden","slots":[{{"slot":"{slot}","value":"x"}}]}}"#
        );
        let ran = run_in(folder.path(), &["apply", "-", "dialogues.json"], &edit);
        assert_eq!(ran.code, 0, "{ran:?}");
        fs::read_to_string(folder.path().join("dialogues.json")).unwrap()
    };
    let before = dialog(&act("price"), &act("area"));
    let two = |one: &str, other: &str| format!("{}, {}", act(one), act(other));
    for (slot, expected) in [
        ("name", dialog(&act("price"), &two("area", "name"))),
        ("pond", dialog(&two("price", "pond"), &act("area"))),
        // It knows better than the neighbours, which decide about slots that it does not have.
        ("price", dialog(&two("price", "price"), &act("area"))),
        ("area", dialog(&act("price"), &two("area", "area"))),
    ] {
        assert_eq!(added(true, &before, slot), expected, "{slot}");
    }
    let misplaced = dialog(&act("name"), &act("area"));
    assert_eq!(added(true, &misplaced, "name"), dialog(&act("name"), &two("area", "name")));
    assert_eq!(added(false, &misplaced, "name"), dialog(&two("name", "name"), &act("area")));
}

/// The same on the screen, where the ontology is read with the rules.
#[test]
fn edits_on_the_screen_ask_the_ontology_too() {
    let dialog = r#"[{"dataset": "g", "dialogue_id": "g-0", "turns": [{"speaker": "user", "utterance": "hi", "utt_idx": 0, "dialogue_acts": {"categorical": [{"intent": "inform", "domain": "garden", "slot": "price", "value": "x"}], "non-categorical": [], "binary": []}}]}]"#;
    let mut driver = Driver::open(&[("dialogues.json", dialog.to_owned())], 80, 24);
    let files = &mut driver.app.workspace.files;
    let mut rules = (**files.rules.as_ref().unwrap()).clone();
    rules.linter.ontologies.add(Ontology::read(UNIFIED).unwrap());
    files.rules = Some(rules.into());
    let edit = r#"{"edit":"add_act","turn":0,"name":"inform.garden","slots":[{"slot":"price","value":"x"}]}"#;
    let edit = edit.replace("price", "name");
    let at = DialogId { file: 0, dialog: 0 };
    let made = files.edit(at, &serde_json::from_str(&edit).unwrap());
    let new = r#""non-categorical": [{"intent": "inform", "domain": "garden", "slot": "name", "value": "x"}]"#;
    let expected = dialog.replace(r#""non-categorical": []"#, new);
    assert!(matches!(made, Ok(Some(_))));
    assert_eq!(String::from_utf8_lossy(&driver.bytes(0)), expected);
}
