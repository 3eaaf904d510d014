//! Small corpora of the usual forms, for tests that need one of their own.

use serde_json::{Value, json};

/// A segment that begins at the code point `start` and covers `text`.
pub fn segment(start: usize, text: &str, label: &str) -> Value {
    json!({"start_index": start, "end_index": start + text.chars().count(), "text": text,
        "annotations": [{"name": label}]})
}

/// A turn of Taskmaster-3; its dialog numbers it.
pub fn turn(speaker: &str, text: &str, segments: Vec<Value>) -> Value {
    json!({"speaker": speaker, "text": text, "segments": Value::from(segments)})
}

/// A dialog of Taskmaster-3.
pub fn dialog(id: &str, mut turns: Vec<Value>) -> Value {
    for (index, turn) in turns.iter_mut().enumerate() {
        turn["index"] = index.into();
    }
    json!({"conversation_id": id, "vertical": "v", "utterances": turns})
}

/// A dialog in which the user and the assistant say these texts in turn.
pub fn said(id: &str, texts: &[&str]) -> Value {
    let speakers = ["user", "assistant"].into_iter().cycle();
    let turns = speakers.zip(texts).map(|(speaker, text)| turn(speaker, text, Vec::new()));
    dialog(id, turns.collect())
}

/// The ids of annotators, each with a vote.
type Votes<'v> = &'v [(&'v str, &'v str)];

/// A log of breakdowns: the speaker of each turn, and the votes on it.
pub fn log(id: &str, turns: &[(&str, Votes<'_>)]) -> String {
    let mut all = Vec::new();
    for (index, (speaker, votes)) in turns.iter().enumerate() {
        let vote = |(annotator, label): &(&str, &str)| {
            json!({"annotator-id": annotator, "breakdown": label, "comment": "",
                "ungrammatical-sentence": ""})
        };
        let votes: Vec<_> = votes.iter().map(vote).collect();
        all.push(json!({"turn-index": index, "speaker": speaker,
            "utterance": format!("no. {index}"), "annotations": votes}));
    }
    json!({"dialogue-id": id, "turns": all}).to_string()
}

/// A chat as a line of a file.
pub fn chat(messages: &[Value]) -> String {
    format!("{}\n", json!({"messages": messages}))
}

pub fn message(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

/// A message with calls: the id of each, its name and its arguments.
pub fn calls(calls: &[(&str, &str, Value)]) -> Value {
    let call = |(id, name, arguments): &(&str, &str, Value)| {
        json!({"id": id, "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()}})
    };
    let calls: Vec<_> = calls.iter().map(call).collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

/// The answer of a tool to the call with this id.
pub fn answer(id: &str, text: &impl ToString) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text.to_string()})
}
