//! Chats by a description and by the built-in reader: they are the same, but for what no place leads to.
//!
//! A description of `messages` cannot join the parts of a `content` that is a list, go on from `prompt` to
//! `chosen`, or choose the first of several ids. In `sharegpt`, calls are JSON inside a text, which no place
//! enters.

use std::path::{Path, PathBuf};

use turnwise::dialog::{CallPart, Content, Dialog, Edit, EditValue, Payload, Role, Turn};
use turnwise::format::{Family, named};
use turnwise::json::Parser;

use super::{declared, edited};
use crate::support::files::{neighbours, open, own_files, say};
use crate::support::{run_in, scratch};

/// A call, as both readers see it.
#[derive(Debug, PartialEq)]
struct Call {
    name: String,
    arguments: Option<Payload>,
    response: Option<String>,
}

/// A turn, as both readers see it.
#[derive(Debug, PartialEq)]
struct Said {
    speaker: (Role, String),
    text: String,
    calls: Vec<Call>,
}

/// The text of an answer, whatever it holds.
fn text_of(payload: &Payload) -> String {
    match payload {
        Payload::Fields(fields) => match &fields[..] {
            [only] => match &only.content {
                Content::Raw(raw) if raw == "null" => String::new(),
                content => content.as_str().to_owned(),
            },
            _ => panic!("not an answer: {fields:?}"),
        },
        other => other.text().unwrap().to_string(),
    }
}

/// The turn without its places in the JSON, which both have from the same text.
fn said(turn: &Turn) -> Said {
    let call = |call: &turnwise::dialog::ApiCall| Call {
        name: call.name.to_string(),
        arguments: call.arguments.clone(),
        response: call.response.as_ref().map(text_of),
    };
    Said {
        speaker: (turn.speaker.role, turn.speaker.name.to_string()),
        text: turn.text.clone(),
        calls: turn.calls.iter().map(call).collect(),
    }
}

fn read(format: &'static Family, text: &str) -> Dialog {
    let mut parser = Parser::new();
    format.read(parser.parse_piece_str(text).unwrap()).0
}

/// True if a place leads to every part of the chat.
fn can_be_described(text: &str, list: &str) -> bool {
    let chat: serde_json::Value = serde_json::from_str(text).unwrap();
    let Some(messages) = chat[list].as_array() else {
        return false;
    };
    let is_plain = |message: &serde_json::Value| {
        let content = &message["content"];
        let is_list = content.is_array() || message["function_call"].is_object();
        let is_call = message["from"] == "function_call";
        let is_nameless = message["role"] == "tool" && !message["tool_call_id"].is_string();
        message.is_object() && !is_list && !is_call && !is_nameless
    };
    messages.iter().all(is_plain)
}

/// The files of a family, and the member with the messages in each.
fn files(family: &str, test: &str) -> Vec<(PathBuf, &'static str)> {
    let list = |path: &Path| match family {
        "sharegpt" => "conversations",
        _ if path.to_string_lossy().contains("tau-bench") => "traj",
        _ => "messages",
    };
    let all = own_files().into_iter().chain(neighbours(test).into_iter().flatten());
    let is_of = |path: &PathBuf| {
        let format = open(std::fs::read(path).unwrap()).format();
        format.is_some_and(|format| format.name() == family)
    };
    all.filter(is_of).map(|path| (path.clone(), list(&path))).collect()
}

/// Compares the readers on all dialogs of a family that can be described; returns how many these are.
fn compare(family: &str, description: &str) -> usize {
    let built_in = named(family).unwrap();
    let mut compared = 0;
    for (path, list) in files(family, "comparing chats") {
        let usual = if family == "sharegpt" { "conversations" } else { "messages" };
        let own = declared(&description.replace(&format!("\"{usual}["), &format!("\"{list}[")));
        let file = open(std::fs::read(&path).unwrap());
        for position in 0..file.index().pieces.len() {
            let text = file.text(position).unwrap();
            if !can_be_described(&text, list) {
                continue;
            }
            let [expected, found] = [built_in, own].map(|format| {
                let turns = read(format, &text).turns;
                turns.iter().map(said).collect::<Vec<_>>()
            });
            assert_eq!(found.len(), expected.len(), "{}: {position}", path.display());
            for (turn, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{}: {position}, turn {turn}", path.display());
            }
            compared += 1;
        }
    }
    say(&format!("{family}: {compared} dialogs are the same by a description"));
    compared
}

#[test]
fn messages_are_the_same_by_a_description_in_real_corpora() {
    let description = include_str!("../../formats/own-messages.toml");
    assert!(compare("messages", description) > 5);
}

/// A call of turn 1 with its response in turn 2.
const ANSWERED: &str = r#"{"steps": [{"who": "u", "say": "hi"},
    {"who": "a", "say": "", "calls": [{"fn": "f", "cid": "c1", "args": "{}"}]},
    {"who": "t", "for": "c1", "say": "{\"ok\": true}", "note": "{\"at\": 1}"}]}"#;

/// A description by which responses are in later turns.
fn answered(response: &str) -> &'static Family {
    declared(&format!(
        "name = \"own\"\nhas = [\"steps[*].who\"]\n[turn]\nat = \"steps[*]\"\nspeaker = \"who\"\n\
         user = [\"u\"]\nsystem = [\"a\"]\nhidden = [\"t\"]\ntext = \"say\"\n\
         [[span]]\nat = \"marks[*]\"\nstart = \"from\"\nend = \"to\"\nlabel = \"l\"\n\
         [call]\nat = \"calls[*]\"\nname = \"fn\"\nid = \"cid\"\n\
         arguments = {{ at = \"args\", json = \"string\" }}\nresponse = {{ {response} }}\n"
    ))
}

fn set_response(text: &str) -> Edit {
    Edit::SetJson { turn: 1, call: 0, part: CallPart::Response, text: text.to_owned() }
}

/// Another text for turn 2.
fn said_there() -> Edit {
    Edit::SetText { turn: 2, text: "x".to_owned(), drop: true, shrink: false }
}

/// The response of a call is the text of a later turn, however it is tied to its call and whatever it holds.
#[test]
fn a_response_in_a_later_turn_is_edited_in_its_call() {
    let (turn, call, part, name) = (1, 0, CallPart::Response, "ok".to_owned());
    let value = EditValue::Flag(false);
    let to = "fine".to_owned();
    #[rustfmt::skip]
    let edits = [
        (Edit::SetValue { turn, call, part, name: name.clone(), value }, r#"{\"ok\": false}"#),
        (Edit::RenameValue { turn, call, part, name: name.clone(), to }, r#"{\"fine\": true}"#),
        (Edit::RemoveValue { turn, call, part, name }, "{}"),
        (set_response("[1]"), "[1]"),
    ];
    for ties in [r#"of = "t", id = "for""#, r#"id = "for""#, r#"of = "t""#] {
        for json in ["", r#", json = "string""#, r#", json = "string-or-text""#] {
            let format = answered(&format!(r#"{ties}, at = "say"{json}"#));
            assert_eq!(read(format, ANSWERED).turns[2].text, "", "{ties}{json}");
            for (edit, response) in &edits {
                let after = edited(format, ANSWERED, edit).unwrap().text;
                let expected = ANSWERED.replace(r#"{\"ok\": true}"#, response);
                assert_eq!(after, expected, "{ties}{json}: {edit:?}");
            }
            let refused = edited(format, ANSWERED, &said_there()).unwrap_err();
            let reason = "also change the response of call 0 of turn 1";
            assert!(refused.to_string().contains(reason), "{ties}{json}: {refused}");
        }
    }
}

#[test]
fn a_text_is_edited_in_its_turn_unless_it_is_a_response() {
    // No call asked for it.
    let format = answered(r#"of = "t", id = "for", at = "say", json = "string""#);
    let unasked = ANSWERED.replace("\"cid\": \"c1\"", "\"cid\": \"c2\"");
    edited(format, &unasked, &said_there()).unwrap();
    // Segments count its characters.
    let marks = "\"marks\": [{\"from\": 2, \"to\": 4, \"l\": \"m\"}], \"note\":";
    let marked = ANSWERED.replace("\"note\":", marks);
    for (edit, reason) in [
        (said_there(), "also change the response of call 0 of turn 1"),
        (set_response("[1]"), "also change the text of turn 2"),
    ] {
        let refused = edited(format, &marked, &edit).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    // The response is beside it.
    let format = answered(r#"of = "t", id = "for", at = "note", json = "string""#);
    edited(format, ANSWERED, &said_there()).unwrap();
    edited(format, ANSWERED, &set_response("[1]")).unwrap();
}

/// A call needs no text beside it, and its answer in a later turn does not repeat the name of its API.
#[test]
fn nothing_is_reported_in_a_chat_that_is_described() {
    let folder = scratch();
    let formats = folder.path().join("formats");
    std::fs::create_dir(&formats).unwrap();
    let description = include_str!("../../formats/own-messages.toml");
    let talk = description.replace("\"messages[", "\"talk[");
    std::fs::write(formats.join("own-messages.toml"), &talk).unwrap();
    let chat = r#"{"id": "c-1", "talk": [{"role": "user", "content": "Is the mill open?"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "k-1", "function": {"name": "look_up", "arguments": "{\"place\": \"mill\"}"}}]},
        {"role": "tool", "tool_call_id": "k-1", "content": "{\"open\": true}"},
        {"role": "assistant", "content": "It is."}]}"#;
    std::fs::write(folder.path().join("talk.json"), chat).unwrap();
    let ran = run_in(folder.path(), &["lint", "talk.json"], "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    // The tool is a speaker like others.
    let shown = talk.replace(", \"tool\", \"function\"]", "]");
    std::fs::write(formats.join("own-messages.toml"), shown).unwrap();
    let ran = run_in(folder.path(), &["lint", "talk.json"], "");
    assert!(!ran.out.contains("empty"), "{ran:?}");
    let silent = chat.replace("It is.", "");
    std::fs::write(folder.path().join("talk.json"), silent).unwrap();
    let ran = run_in(folder.path(), &["lint", "talk.json"], "");
    assert!(ran.out.contains("turn 3, the utterance is empty"), "{ran:?}");
}

#[test]
fn sharegpt_is_the_same_by_a_description_in_real_corpora() {
    let description = include_str!("../../formats/own-sharegpt.toml");
    let least = if neighbours("comparing chats").is_some() { 3 } else { 1 };
    assert!(compare("sharegpt", description) >= least);
}
