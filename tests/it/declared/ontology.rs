//! Edits on the screen where an ontology says in which list an act is.

use turnwise::ontology::Ontology;
use turnwise::workspace::DialogId;

use crate::browse::Driver;

const UNIFIED: &str = r#"{"domains": {"garden": {"description": "", "slots": {
  "price": {"is_categorical": true, "possible_values": ["free"]},
  "name": {"is_categorical": false, "possible_values": []},
  "pond": {"is_categorical": true, "possible_values": ["yes", "no"]}}}},
  "intents": {"inform": {}}, "state": {"garden": {"price": ""}}, "dialogue_acts": {}}"#;

/// On the screen, the ontology is read with the rules.
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
