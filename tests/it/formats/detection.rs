//! Which family a file is of, and what is said of one that is of none.

use turnwise::corpus::Contents;
use turnwise::format::{FORMATS, Format, Unknown, detect, named};
use turnwise::json::Parser;

use crate::support::files::{indexed, open};

fn family(text: &str) -> Result<&'static str, Unknown> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).expect(text);
    detect(tree.root()).map(Format::name)
}

fn unknown(text: &str) -> String {
    family(text).expect_err(text).to_string()
}

#[test]
fn families_are_told_by_shape() {
    let said = r#"{"index":0,"speaker":"U","text":""}"#;
    let taskmaster =
        |more: &str| format!(r#"{{"conversation_id":"a",{more}"utterances":[{said}]}}"#);
    let turns = |turn: &str| format!(r#"{{"turns":[{turn}]}}"#);
    let cases = [
        (taskmaster(""), "taskmaster-1-2"),
        (taskmaster(r#""instruction_id":"x","#), "taskmaster-1-2"),
        (taskmaster(r#""vertical":"x","#), "taskmaster-3"),
        (taskmaster(r#""instructions":null,"#), "taskmaster-3"),
        (
            r#"{"utterances":[],"conversation_id":""}"#.to_owned(),
            "taskmaster-1-2",
        ),
        (
            r#"{"utterances":[{"text":""},{"apis":[]}]}"#.to_owned(),
            "taskmaster-3",
        ),
        (
            r#"{"utterances":[{"text":""},{"annotations":[]}]}"#.to_owned(),
            "taskmaster-4",
        ),
        (
            r#"{"vertical":"","utterances":[{"text":"","apis":[],"annotations":[]}]}"#.to_owned(),
            "taskmaster-4",
        ),
        (turns(r#"{"utterance":"","speaker":"U"}"#), "dbdc"),
        (r#"{"dialogue-id":"1","turns":[]}"#.to_owned(), "dbdc"),
        (turns(r#"{"turn-index":1,"labels":[]}"#), "dbdc-labels"),
        (turns(r#"{"user_utterance":{}}"#), "sim"),
        (turns(r#"{"user_acts":[]},{"system_utterance":{}}"#), "sim"),
        (turns(r#"{"user_utterance":""}"#), "sim-gen"),
        (turns(r#"{"system_utterance":""}"#), "sim-gen"),
    ];
    for (text, expected) in cases {
        assert_eq!(family(&text), Ok(expected), "{text}");
    }
}

#[test]
fn unknown_files_are_told_what_they_lack() {
    assert_eq!(unknown("3"), "no known kind of dialog: found a number");
    assert_eq!(unknown("[]"), "no known kind of dialog: found an array");
    assert_eq!(
        unknown("{}"),
        "no known kind of dialog: found an empty object"
    );
    let plain = unknown(r#"{"name":"x","size":2}"#);
    assert_eq!(
        plain,
        "no known kind of dialog: found an object with `name`, `size`"
    );
    let many = unknown(r#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#);
    assert!(many.ends_with("`g`, `h`, …"), "{many}");
    let chat = unknown(r#"{"id":7,"utterances":[{"who":"me","says":"hi"}]}"#);
    let lacks =
        "; nearest is Taskmaster-1 and -2, which also has `text` and `speaker` in each utterance";
    assert!(chat.ends_with(lacks), "{chat}");
    let turns = unknown(r#"{"id":7,"turns":[{"who":"me","says":"hi"}]}"#);
    assert!(
        turns.contains("nearest is DBDC log, which also has `utterance` in the turns"),
        "{turns}"
    );
    let strings = unknown(r#"{"turns":["hi","there"]}"#);
    assert!(!strings.contains("nearest"), "{strings}");
}

#[test]
fn a_file_is_what_its_first_known_dialog_is() {
    let contents = |text: &str| format!("{:?}", indexed(&text.as_bytes().to_vec()).contents);
    let dialog = r#"{"turns":[{"utterance":""}]}"#;
    assert_eq!(contents(dialog), "Dialogs(dbdc)");
    assert_eq!(contents(&format!("[{{}}, 3, {dialog}]")), "Dialogs(dbdc)");
    assert_eq!(
        contents(&format!("{{\"a\": [1], \"b\": [{dialog}]}}")),
        "Dialogs(dbdc)"
    );
    assert_eq!(contents("[]"), "Nothing");
    assert_eq!(contents("  \n"), "Nothing");
    assert!(contents("[{}]").starts_with("Unknown"));
    assert!(contents("[{\"turns\": nul}]").starts_with("Unknown"));
}

#[test]
fn ontologies_are_no_dialogs() {
    let contents = |text: &str| indexed(&text.as_bytes().to_vec()).contents;
    let files = [
        (
            r#"{"coffee":{"id":"c","vertical":"x","required":[],"optional":[]}}"#,
            "Taskmaster ontology",
        ),
        (
            r#"{"hotel":[{"prefix":"hotel","annotations":["name"]}]}"#,
            "Taskmaster-2 ontology",
        ),
        (
            r#"{"find":{"apis":[],"args":{}}}"#,
            "Taskmaster-3 API ontology",
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
fn broken_files_open_read_only() {
    let mut file = open(br#"[{"turns":[{"utterance":"a"}]}, {"turns":"#.to_vec());
    assert!(file.index().error.is_some());
    assert_eq!(file.index().pieces.len(), 1);
    assert_eq!(file.dialog(0).unwrap().unwrap().0.turns[0].text, "a");
    let edit = serde_json::from_str(r#"{"edit":"set_text","turn":0,"text":"b"}"#).unwrap();
    let refused = file.edit(0, &edit).expect_err("read-only").to_string();
    assert!(refused.contains("opens read-only"), "{refused}");
    assert!(!file.is_modified());
}

#[test]
fn families_answer_to_their_names() {
    for name in [
        "taskmaster-1",
        "taskmaster-2",
        "taskmaster-1-2",
        "sim-m",
        "sim-R",
        "sim-GEN",
    ] {
        assert!(named(name).is_some(), "{name}");
    }
    assert!(named("taskmaster").is_none());
    assert_eq!(FORMATS.len(), 7);
}
