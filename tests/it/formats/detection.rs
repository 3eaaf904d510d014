//! The report of a file of no known family, and files whose dialogs are not all of one; `tests/cases/cli/odd.md` shows
//! which dialog is of which family.

use turnwise::corpus::{Contents, CorpusFile};
use turnwise::format::{Family, UnknownFamily, detect, named};
use turnwise::json::Parser;

use crate::support::files::{indexed, open, saved};

pub fn family(text: &str) -> Result<&'static str, UnknownFamily> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).expect(text);
    detect(tree.root()).map(Family::name)
}

fn unknown(text: &str) -> String {
    family(text).expect_err(text).to_string()
}

#[test]
fn the_report_of_an_unknown_file_says_what_it_lacks() {
    assert_eq!(unknown("3"), "not a known kind of dialog: a number");
    assert_eq!(unknown("[]"), "not a known kind of dialog: an array");
    assert_eq!(unknown("[3]"), "not a known kind of dialog: an array");
    for (text, elements) in [("[{}]", "objects"), ("[[]]", "arrays"), ("[\"hi\"]", "texts")] {
        let advice = "(`turnwise formats new` drafts a description of it, `turnwise formats check` tries one)";
        let expected = format!("not a known kind of dialog: an array of {elements} {advice}");
        assert_eq!(unknown(text), expected);
    }
    assert_eq!(unknown("{}"), "not a known kind of dialog: an empty object");
    let many = unknown(r#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#);
    assert!(many.contains("`g`, `h`, … ("), "{many}");
    for chat in [
        r#"{"id":7,"utterances":[{"who":"me","says":"hi"}]}"#,
        r#"{"id":7,"turns":[{"who":"me","says":"hi"}]}"#,
        r#"{"turns":["hi","there"]}"#,
    ] {
        let chat = unknown(chat);
        assert!(!chat.contains("close to"), "{chat}");
    }
}

#[test]
fn a_file_is_what_its_first_known_dialog_is() {
    let contents = |text: &str| format!("{:?}", indexed(&text.as_bytes().to_vec()).contents);
    let dialog = r#"{"dialogue-id":"a","turns":[{"turn-index":0,"utterance":""}]}"#;
    let nameless = r#"{"turns":[{"turn-index":0,"utterance":""}]}"#;
    assert_eq!(contents(dialog), "Dialogs(dbdc)");
    assert_eq!(contents(&format!("[{{}}, 3, {dialog}]")), "Dialogs(dbdc)");
    assert_eq!(contents(&format!("[{nameless}, {dialog}]")), "Dialogs(dbdc)");
    assert_eq!(contents(&format!("{{\"a\": [1], \"b\": [{dialog}]}}")), "Dialogs(dbdc)");
    assert_eq!(contents("[]"), "Nothing");
    assert_eq!(contents("  \n"), "Nothing");
    assert!(contents("[{}]").starts_with("Unknown"));
    assert!(contents("[{\"turns\": nul}]").starts_with("Unknown"));
}

/// Among good dialogs of a file, one without an id is shown with that problem and can be repaired;
/// one whose turns are not those of the family is shown and never written into.
#[test]
fn broken_dialogs_among_good_ones_are_shown_and_foreign_ones_are_not_written_into() {
    let good = r#"{"dialogue-id":"a","turns":[{"turn-index":0,"speaker":"S","utterance":"hi"}]}"#;
    let nameless = r#"{"turns":[{"turn-index":0,"speaker":"S","utterance":"hi"}]}"#;
    let foreign = r#"{"dialogue_id":"1_0","services":[],"turns":[{"speaker":"SYSTEM",
        "utterance":"hi"}]}"#;
    let text = format!("[{good}, {nameless}, {foreign}]");
    let mut file = open(text.clone().into_bytes());
    let issues = |file: &CorpusFile, dialog| file.dialog(dialog).unwrap().unwrap().1.len();
    assert_eq!([0, 1, 2].map(|dialog| issues(&file, dialog)), [0, 1, 2]);
    let edits = [
        r#"{"edit":"cast_vote","turn":0,"annotator":"mk","breakdown":"X"}"#,
        r#"{"edit":"set_text","turn":0,"text":"ho"}"#,
    ];
    for edit in edits {
        let edit = serde_json::from_str(edit).unwrap();
        assert_eq!(file.edit(1, &edit), Ok(true));
        let refused = file.edit(2, &edit).expect_err("foreign").to_string();
        assert_eq!(refused, "the dialog cannot be edited: it is missing `turns[*].turn-index`");
    }
    while file.undo().is_some() {}
    assert_eq!(saved(&file), text.as_bytes());
}

#[test]
fn ontologies_are_not_read_as_dialogs() {
    let contents = |text: &str| indexed(&text.as_bytes().to_vec()).contents;
    let files = [
        (
            r#"{"coffee":{"id":"c","vertical":"x","required":[],"optional":[]}}"#,
            "Taskmaster ontology",
        ),
        (r#"{"hotel":[{"prefix":"hotel","annotations":["name"]}]}"#, "Taskmaster-2 ontology"),
        (r#"{"find":{"apis":[],"args":{}}}"#, "Taskmaster-3 API ontology"),
        (
            r#"{"a":{"file_name":"a.json","formatting":"sharegpt"},"b":{"hf_hub_url":"x/y"}}"#,
            "LLaMA-Factory list of datasets",
        ),
    ];
    for (text, expected) in files {
        match contents(text) {
            Contents::Ontology(name) => assert_eq!(name, expected),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn families_answer_to_their_names() {
    for name in ["taskmaster-1", "taskmaster-2", "taskmaster-1-2", "sim-m", "sim-R", "sim-GEN"] {
        assert!(named(name).is_some(), "{name}");
    }
    assert!(named("taskmaster").is_none());
}
