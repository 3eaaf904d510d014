//! Faults in chats: each is reported once, by its rule, and repaired where the repair is clear.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Selection, Severity};
use turnwise::ontology::{Ontologies, Ontology};

use super::{fixed, found_in, found_with};
use crate::support::files::{dialogs_of, neighbours};

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]})
}

/// A chat without faults: two calls with their answers.
fn chat() -> Value {
    let lamp = json!({"type": "object", "required": ["room", "level"], "properties": {
        "room": {"type": "string", "enum": ["attic", "hall", "cellar"]},
        "level": {"type": "integer"},
        "warm": {"type": "boolean"},
        "times": {"type": "array", "items": {"type": "object", "properties": {
            "hour": {"type": "integer"}}}}}});
    json!({"messages": [
        {"role": "system", "content": "You switch lamps."},
        {"role": "user", "content": "some light in the attic"},
        call("c-1", "set_lamp", r#"{"room": "attic", "level": 4}"#),
        {"role": "tool", "tool_call_id": "c-1", "content": "{\"ok\": true}"},
        {"role": "assistant", "content": "It is on."},
        {"role": "user", "content": "and in the hall"},
        call("c-2", "set_lamp", r#"{"room": "hall", "level": 2, "warm": true, "times": [{"hour": 7}]}"#),
        {"role": "tool", "tool_call_id": "c-2", "content": "done"},
        {"role": "assistant", "content": "Done."}],
      "tools": [{"type": "function", "function": {"name": "set_lamp", "parameters": lamp}},
                {"type": "function", "function": {"name": "read_meter"}}]})
}

fn found(chat: &Value) -> Vec<Diagnostic> {
    found_in(&chat.to_string(), &Selection::default())
}

/// The rules that report something, each with the turn.
fn told(chat: &Value) -> Vec<(&'static str, Option<usize>)> {
    let found = found(chat);
    found.iter().map(|d| (d.rule.name, d.spot.turn)).collect()
}

/// The chat after a change of the value at `place`.
fn with(place: &str, value: Value) -> Value {
    let mut chat = chat();
    *chat.pointer_mut(place).expect(place) = value;
    chat
}

/// The chat with other messages from `at` on, as many as `gone` fewer, and those in `new` in their place.
fn spliced(at: usize, gone: usize, new: &[Value]) -> Value {
    let mut chat = chat();
    let messages = chat["messages"].as_array_mut().unwrap();
    messages.splice(at..at + gone, new.iter().cloned());
    chat
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

const FIRST: &str = "/messages/2/tool_calls/0/function/arguments";
const SECOND: &str = "/messages/6/tool_calls/0/function/arguments";

#[test]
fn every_fault_is_reported_once_and_by_its_rule() {
    assert_eq!(told(&chat()), []);
    let cases = [
        (
            with("/messages/8/role", json!("asistant")),
            "chat-role-unknown",
            8,
        ),
        (
            spliced(4, 0, &[said("system", "Be brief.")]),
            "chat-system-not-first",
            4,
        ),
        (
            spliced(2, 0, &[said("user", "hello?")]),
            "chat-roles-not-alternating",
            2,
        ),
        (spliced(8, 1, &[]), "chat-ends-without-assistant", 7),
        (
            with("/messages/8/content", json!("")),
            "chat-empty-assistant",
            8,
        ),
        (spliced(3, 1, &[]), "chat-call-unanswered", 2),
        (
            with("/messages/3/tool_call_id", json!("c-9")),
            "chat-answer-orphan",
            3,
        ),
        (
            with(FIRST, json!("{\"room\": \"attic\", \"level\": 4")),
            "chat-arguments-broken",
            2,
        ),
        (with(FIRST, json!("[4]")), "chat-arguments-broken", 2),
        (
            with(FIRST, json!("\"{\\\"level\\\": 4}\"")),
            "chat-arguments-twice",
            2,
        ),
        (
            with("/messages/2/tool_calls/0/function/name", json!("set_lamps")),
            "chat-tool-undeclared",
            2,
        ),
        (
            with(
                FIRST,
                json!("{\"room\": \"attic\", \"level\": 4, \"note\": \"soon\"}"),
            ),
            "chat-argument-unknown",
            2,
        ),
        (
            with(FIRST, json!("{\"room\": \"attic\"}")),
            "chat-argument-missing",
            2,
        ),
        (
            with(FIRST, json!("{\"room\": \"attic\", \"level\": \"4\"}")),
            "chat-argument-type",
            2,
        ),
        (
            with(FIRST, json!("{\"room\": \"roof\", \"level\": 4}")),
            "chat-argument-type",
            2,
        ),
        (
            with(
                SECOND,
                json!("{\"room\": \"hall\", \"level\": 2, \"times\": [{\"hour\": \"7\"}]}"),
            ),
            "chat-argument-type",
            6,
        ),
        // The name is misspelled, so it is not missing.
        (
            with(FIRST, json!("{\"room\": \"attic\", \"levels\": 4}")),
            "chat-argument-unknown",
            2,
        ),
    ];
    for (chat, rule, turn) in cases {
        assert_eq!(told(&chat), [(rule, Some(turn))], "{chat}");
    }
}

#[test]
fn an_id_that_two_calls_have_is_a_note_if_each_has_its_answer() {
    let mut same = with("/messages/6/tool_calls/0/id", json!("c-1"));
    same["messages"][7]["tool_call_id"] = json!("c-1");
    let problem = &found(&same)[0];
    assert_eq!(
        (problem.rule.name, problem.severity, problem.spot.turn),
        ("chat-call-id-repeated", Severity::Note, Some(6))
    );
    same["messages"].as_array_mut().unwrap().remove(7);
    let severe = found(&same).into_iter().map(|d| (d.rule.name, d.severity));
    let severe: Vec<_> = severe.collect();
    assert!(
        severe.contains(&("chat-call-id-repeated", Severity::Warning)),
        "{severe:?}"
    );
}

#[test]
fn chats_of_trainers_and_agents_are_fine() {
    // A final call, several instructions, a developer, and an answer that is an image.
    let parts = json!([{"type": "image_url", "image_url": {"url": "data:,x"}}]);
    let fine = [
        spliced(7, 2, &[]),
        spliced(0, 1, &[said("system", "a"), said("developer", "b")]),
        with("/messages/5/content", parts.clone()),
        with("/messages/8/content", parts),
        json!({"prompt": [{"role": "user", "content": "hi"}]}),
        json!({"prompt": "hi", "completion": [{"role": "user", "content": "hi"},
            {"role": "assistant", "content": "ho"}]}),
    ];
    for chat in fine {
        assert_eq!(told(&chat), [], "{chat}");
    }
    let mut ends = chat();
    ends["messages"]
        .as_array_mut()
        .unwrap()
        .push(said("user", "ok"));
    assert_eq!(found(&ends)[0].severity, Severity::Note);
}

/// The chat after all safe fixes, or all fixes that are not manual.
fn repaired(chat: &Value, at_least: Applicability) -> Value {
    let (after, _) = fixed(&chat.to_string(), &Selection::default(), at_least);
    serde_json::from_str(&after).unwrap()
}

#[test]
fn clear_faults_are_repaired() {
    let good = chat();
    let arguments = good.pointer(FIRST).unwrap().as_str().unwrap();
    let safe = [
        with(FIRST, json!(json!(arguments).to_string())),
        with(
            FIRST,
            json!(json!(json!(arguments).to_string()).to_string()),
        ),
        with(FIRST, json!(arguments.replace('"', "'"))),
        with(FIRST, json!(arguments.replace('}', ",}"))),
        with(FIRST, json!(arguments.replacen("\": ", "\" ", 1))),
        with(FIRST, json!(arguments.replace('4', "\"4\""))),
        with(FIRST, json!(arguments.replace("level", "Level"))),
        with("/messages/2/tool_calls/0/function/name", json!("setLamp")),
    ];
    for chat in safe {
        assert_eq!(repaired(&chat, Applicability::Safe), good, "{chat}");
    }
    let guessed = [
        with(FIRST, json!(arguments.trim_end_matches('}'))),
        with(FIRST, json!(arguments.replace("attic", "attics"))),
        with("/messages/2/tool_calls/0/function/name", json!("set_lamps")),
    ];
    for chat in guessed {
        assert_eq!(repaired(&chat, Applicability::Safe), chat);
        assert_eq!(repaired(&chat, Applicability::Unsafe), good, "{chat}");
    }
}

#[test]
fn arguments_that_are_objects_are_checked_and_repaired_too() {
    let object = |level: Value| with(FIRST, json!({"room": "attic", "level": level}));
    assert_eq!(told(&object(json!(4))), []);
    assert_eq!(told(&object(json!("4"))), [("chat-argument-type", Some(2))]);
    assert_eq!(
        repaired(&object(json!("4")), Applicability::Safe),
        object(json!(4))
    );
    let renamed = with(FIRST, json!({"room": "attic", "Level": 4}));
    assert_eq!(repaired(&renamed, Applicability::Safe), object(json!(4)));
}

#[test]
fn tools_of_the_chat_come_before_any_other_ontology() {
    let other = "title = \"Lamps\"\nfamilies = [\"messages\"]\ncomplete = true\n\
                 [apis.set_light]\nrequired = [\"room\"]\n";
    let ontologies = Ontologies::only(Ontology::read(other).unwrap());
    let rules = |chat: &Value| {
        let found = found_with(&ontologies, &chat.to_string(), &Selection::default());
        found.iter().map(|d| d.rule.name).collect::<Vec<_>>()
    };
    assert_eq!(rules(&chat()), [""; 0]);
    let mut bare = chat();
    bare.as_object_mut().unwrap().remove("tools");
    assert_eq!(rules(&bare), ["api-unknown-name"; 2]);
}

#[test]
fn agents_of_others_have_no_errors() {
    let Some(files) = neighbours("linting chats") else {
        return;
    };
    for path in files
        .iter()
        .filter(|p| p.to_string_lossy().contains("/chat/"))
    {
        for dialog in dialogs_of(&std::fs::read(path).unwrap()) {
            let found = found(&dialog);
            let worse = found.iter().find(|d| d.severity > Severity::Note);
            assert!(worse.is_none(), "{}: {worse:?}", path.display());
        }
    }
}
