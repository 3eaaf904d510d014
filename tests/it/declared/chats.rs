//! Chats by a description and by the built-in reader: they are the same, but for what no place leads to.
//!
//! A description of `messages` cannot join the parts of a `content` that is a list, go on from `prompt` to
//! `chosen`, or choose the first of several ids. In `sharegpt`, calls are JSON inside a text, which no place
//! enters. Answers of tools stay in their turns, beside the calls that they belong to.

use std::path::{Path, PathBuf};

use turnwise::dialog::{Content, Dialog, Payload, Role, Turn};
use turnwise::format::{Format, named};
use turnwise::json::Parser;

use super::declared;
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

/// The turns as the built-in reader has them, with the answers in their own turns too.
fn with_answers(dialog: &Dialog) -> Vec<Said> {
    let mut all: Vec<_> = dialog.turns.iter().map(said).collect();
    for call in dialog.turns.iter().flat_map(|turn| &turn.calls) {
        let Some(Payload::Text { text, at }) = &call.response else {
            continue;
        };
        let holds = |turn: &Turn| turn.at.start <= at.start && at.end <= turn.at.end;
        let answer = dialog.turns.iter().position(holds).unwrap();
        all[answer].text = text.to_string();
    }
    all
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
            let expected = with_answers(&read(built_in, &text));
            let found: Vec<_> = read(own, &text).turns.iter().map(said).collect();
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

/// A call needs no text beside it, and its answer in a later turn does not repeat the name of its API.
#[test]
fn nothing_is_reported_in_a_chat_that_is_described() {
    let folder = scratch();
    let formats = folder.path().join("formats");
    std::fs::create_dir(&formats).unwrap();
    let description = include_str!("../../formats/own-messages.toml");
    let talk = description.replace("\"messages[", "\"talk[");
    std::fs::write(formats.join("own-messages.toml"), talk).unwrap();
    let chat = r#"{"id": "c-1", "talk": [{"role": "user", "content": "Is the mill open?"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "k-1", "function": {"name": "look_up", "arguments": "{\"place\": \"mill\"}"}}]},
        {"role": "tool", "tool_call_id": "k-1", "content": "{\"open\": true}"},
        {"role": "assistant", "content": "It is."}]}"#;
    std::fs::write(folder.path().join("talk.json"), chat).unwrap();
    let ran = run_in(folder.path(), &["lint", "talk.json"], "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
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
