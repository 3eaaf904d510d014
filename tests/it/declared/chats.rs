//! Chats by a description and by the built-in reader: they are the same, but for what no place leads to.
//!
//! A description of `messages` cannot join the parts of a `content` that is a list, go on from `prompt` to
//! `chosen`, or choose the first of several ids. In `sharegpt`, calls are JSON inside a text, which no place
//! enters.

use std::path::{Path, PathBuf};

use turnwise::dialog::{CallPart, Content, Dialog, Edit, EditValue, Payload, Role, Turn};
use turnwise::format::{Format, named};
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

fn read(format: &'static dyn Format, text: &str) -> Dialog {
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
    let all = own_files()
        .into_iter()
        .chain(neighbours(test).into_iter().flatten());
    let is_of = |path: &PathBuf| {
        let format = open(std::fs::read(path).unwrap()).format();
        format.is_some_and(|format| format.name() == family)
    };
    all.filter(is_of)
        .map(|path| (path.clone(), list(&path)))
        .collect()
}

/// Compares the readers on all dialogs of a family that can be described; returns how many these are.
fn compare(family: &str, description: &str) -> usize {
    let built_in = named(family).unwrap();
    let mut compared = 0;
    for (path, list) in files(family, "comparing chats") {
        let usual = if family == "sharegpt" {
            "conversations"
        } else {
            "messages"
        };
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
            assert_eq!(
                found.len(),
                expected.len(),
                "{}: {position}",
                path.display()
            );
            for (turn, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(
                    found,
                    expected,
                    "{}: {position}, turn {turn}",
                    path.display()
                );
            }
            compared += 1;
        }
    }
    say(&format!(
        "{family}: {compared} dialogs are the same by a description"
    ));
    compared
}

#[test]
fn messages_are_the_same_by_a_description_in_real_corpora() {
    let description = include_str!("../../formats/own-messages.toml");
    assert!(compare("messages", description) > 5);
}

/// The response of a call is the text of a later turn, however it is tied to its call and whatever it holds.
#[test]
fn a_response_in_a_later_turn_is_edited_in_its_call() {
    let dialog = r#"{"steps": [{"who": "u", "say": "hi"},
        {"who": "a", "say": "", "calls": [{"fn": "f", "cid": "c1", "args": "{}"}]},
        {"who": "t", "for": "c1", "say": "{\"ok\": true}", "note": "{\"at\": 1}"}]}"#;
    let own = |response: &str| {
        declared(&format!(
            "name = \"own\"\nhas = [\"steps[*].who\"]\n[turn]\nat = \"steps[*]\"\nspeaker = \"who\"\n\
             user = [\"u\"]\nsystem = [\"a\"]\nhidden = [\"t\"]\ntext = \"say\"\n\
             [[span]]\nat = \"marks[*]\"\nstart = \"from\"\nend = \"to\"\nlabel = \"l\"\n\
             [call]\nat = \"calls[*]\"\nname = \"fn\"\nid = \"cid\"\n\
             arguments = {{ at = \"args\", json = \"string\" }}\nresponse = {{ {response} }}\n"
        ))
    };
    let part = CallPart::Response;
    let (turn, call) = (1, 0);
    let name = || "ok".to_owned();
    let value = EditValue::Flag(false);
    let whole = |text: &str| Edit::SetJson {
        turn,
        call,
        part,
        text: text.to_owned(),
    };
    let said = |turn| Edit::SetText {
        turn,
        text: "x".to_owned(),
        drop: true,
        shrink: false,
    };
    for (ties, dialog) in [
        (r#"of = "t", id = "for", at = "say""#, dialog),
        (r#"id = "for", at = "say""#, dialog),
        (r#"of = "t", at = "say""#, dialog),
    ] {
        for json in ["", r#", json = "string""#, r#", json = "string-or-text""#] {
            let format = own(&format!("{ties}{json}"));
            assert_eq!(read(format, dialog).turns[2].text, "", "{ties}{json}");
            for (edit, ok) in [
                (
                    Edit::SetValue {
                        turn,
                        call,
                        part,
                        name: name(),
                        value: value.clone(),
                    },
                    r#"{\"ok\": false}"#,
                ),
                (
                    Edit::RenameValue {
                        turn,
                        call,
                        part,
                        name: name(),
                        to: "fine".to_owned(),
                    },
                    r#"{\"fine\": true}"#,
                ),
                (
                    Edit::RemoveValue {
                        turn,
                        call,
                        part,
                        name: name(),
                    },
                    "{}",
                ),
                (whole("[1]"), "[1]"),
            ] {
                let after = edited(format, dialog, &edit).unwrap().text;
                let expected = dialog.replace(r#"{\"ok\": true}"#, ok);
                assert_eq!(after, expected, "{ties}{json}: {edit:?}");
            }
            let refused = edited(format, dialog, &said(2)).unwrap_err().to_string();
            let reason = "it is the response of a call in turn 1; edit it there";
            assert!(refused.contains(reason), "{ties}{json}: {refused}");
            // Of what no call asked for, the text is edited in its turn.
            let other = dialog.replace(
                "\"fn\": \"f\", \"cid\": \"c1\"",
                "\"fn\": \"f\", \"cid\": \"c2\"",
            );
            let unasked = ties.contains("id =").then_some(other);
            if let Some(other) = unasked {
                edited(format, &other, &said(2)).unwrap();
            }
        }
    }
    // A response beside the text of its turn: both are edited where they are.
    let format = own(r#"of = "t", id = "for", at = "note", json = "string""#);
    edited(format, dialog, &said(2)).unwrap();
    edited(format, dialog, &whole("[1]")).unwrap();
    // Segments count the characters of the text.
    let marked = dialog.replace(
        "\"note\":",
        "\"marks\": [{\"from\": 2, \"to\": 4, \"l\": \"m\"}], \"note\":",
    );
    let format = own(r#"of = "t", id = "for", at = "say", json = "string""#);
    for (edit, reason) in [
        (said(2), "it is the response of a call in turn 1"),
        (
            whole("[1]"),
            "it is the text of turn 2, too, with segments or tokens",
        ),
    ] {
        let refused = edited(format, &marked, &edit).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
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
    assert!(
        ran.out.contains("turn 3, the utterance is empty"),
        "{ran:?}"
    );
}

#[test]
fn sharegpt_is_the_same_by_a_description_in_real_corpora() {
    let description = include_str!("../../formats/own-sharegpt.toml");
    let least = if neighbours("comparing chats").is_some() {
        3
    } else {
        1
    };
    assert!(compare("sharegpt", description) >= least);
}
