//! The family of a file, and the report of a file of no known family.

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
fn families_are_detected_by_shape() {
    let said = r#"{"index":0,"speaker":"U","text":""}"#;
    let taskmaster = |more: &str, utterance: &str| {
        format!(r#"{{"conversation_id":"a",{more}"utterances":[{said}{utterance}]}}"#)
    };
    let log = |turn: &str| format!(r#"{{"dialogue-id":"a","turns":[{turn}]}}"#);
    let exchange = |turn: &str| format!(r#"{{"dialogue_id":"a","turns":[{turn}]}}"#);
    let cases = [
        (taskmaster("", ""), "taskmaster-1-2"),
        (taskmaster(r#""instruction_id":"x","#, ""), "taskmaster-1-2"),
        (taskmaster(r#""vertical":"x","#, ""), "taskmaster-3"),
        (taskmaster(r#""instructions":null,"#, ""), "taskmaster-3"),
        (r#"{"utterances":[],"conversation_id":""}"#.to_owned(), "taskmaster-1-2"),
        (taskmaster("", r#",{"apis":[]}"#), "taskmaster-3"),
        (taskmaster("", r#",{"annotations":[]}"#), "taskmaster-4"),
        (taskmaster(r#""vertical":"","#, r#",{"apis":[],"annotations":[]}"#), "taskmaster-4"),
        (log(r#"{"turn-index":0,"utterance":"","speaker":"U"}"#), "dbdc"),
        // Broken turns among good ones are problems of theirs.
        (log(r#"3,{"speaker":"U"},{"turn-index":0,"utterance":""}"#), "dbdc"),
        (log(""), "dbdc"),
        (log(r#"{"turn-index":1,"labels":[]}"#), "dbdc-labels"),
        (exchange(r#"{"user_utterance":{"text":""}}"#), "sim"),
        (exchange(r#"{"user_acts":[]},{"system_utterance":{"text":1}}"#), "sim"),
        (exchange(r#"{"user_utterance":""}"#), "sim-gen"),
        (exchange(r#"{"system_utterance":""}"#), "sim-gen"),
        (exchange(r#"{"speaker":"USER","utterance":"hi","frames":[]}"#), "sgd"),
        (r#"{"log":[{"text":"hi","metadata":{}}]}"#.to_owned(), "multiwoz"),
        (r#"{"conversations":[{"from":"human","value":"hi"}]}"#.to_owned(), "sharegpt"),
        (r#"{"conversations":[{"role":"user","content":"hi"}]}"#.to_owned(), "messages"),
        (r#"{"id":1,"traj":[{"role":"bot"},{"role":"user"}]}"#.to_owned(), "messages"),
        (r#"{"prompt":"a","chosen":[{"role":"user"}]}"#.to_owned(), "messages"),
    ];
    for (text, expected) in cases {
        assert_eq!(family(&text), Ok(expected), "{text}");
    }
}

/// Dialogs in the forms of corpora that turnwise does not read, and of known ones without their
/// characteristic fields.
#[test]
fn files_that_only_resemble_a_family_are_not_of_it() {
    let cases = [
        // Frames.
        (
            r#"{"dialogue_id":"x","scenario":{},"utterances":[{"speaker":"user","text":"hi"}]}"#,
            "close to Taskmaster-3, but without `conversation_id`",
        ),
        // CCPE-M.
        (
            r#"{"conversationId":"x","utterances":[{"index":0,"speaker":"USER","text":"hi"}]}"#,
            "close to Taskmaster-1 and -2, but without `conversation_id`",
        ),
        (
            r#"{"dialogue-id":"x","turns":[{"turn_index":0,"speaker":"U","utterance":"hi"}]}"#,
            "close to DBDC log, but without `turns[*].turn-index`",
        ),
        (
            r#"{"dialogue-id":"x","turns":[{"turn-index":0,"utterance":{"text":"hi"}}]}"#,
            "close to DBDC log, but with `turns[*].utterance{*}`",
        ),
        (
            r#"{"dialogue_id":"x","turns":[{"user_utterance":{"said":"hi"}}]}"#,
            "close to Simulated dialogues (sim-M, sim-R), but without `turns[*].user_utterance.text`",
        ),
        // CrossWOZ.
        (
            r#"{"messages":[{"role":"usr","content":"hi"}],"goal":[]}"#,
            "close to Chat messages, but without `role`, such as \"user\", in its messages",
        ),
        // It is unclear which of the two lists holds its turns.
        (
            r#"{"dialogue-id":"x","turns":[{"turn-index":0,"utterance":"hi"}],"conversation_id":"x","utterances":[{"text":"hi","speaker":"U"}]}"#,
            "could be Taskmaster-1 and -2 as well as DBDC log",
        ),
    ];
    for (text, found) in cases {
        let report = unknown(text);
        assert!(report.contains(&format!("; {found} (`turnwise formats new`")), "{report}");
    }
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
            "LLaMA-Factory list of data sets",
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

#[test]
fn utterances_that_other_turns_repeat_are_not_edited() {
    let text = r#"{"G--1":{"log":[{"turn id":1,"user utterance":"Hi.","system response":"Hello.",
        "dialog history":""}],"prompt":[]}}"#;
    let mut file = open(text.as_bytes().to_vec());
    assert_eq!(file.format().map(Family::name), Some("dialogstudio"));
    assert_eq!(file.dialog(0).unwrap().unwrap().0.turns.len(), 2);
    let edit = serde_json::from_str(r#"{"edit":"set_text","turn":1,"text":"Ho."}"#).unwrap();
    let refused = file.edit(0, &edit).expect_err("read-only").to_string();
    assert_eq!(refused, "the text cannot be edited: every later turn repeats it in its history");
    assert_eq!(saved(&file), text.as_bytes());
}
