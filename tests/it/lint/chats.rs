//! Faults in chats: each is reported once, by its rule, and repaired where the repair is clear.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Linter, Selection, Severity};
use turnwise::ontology::{Ontologies, Ontology};

use super::{fixed, found_in, found_with};

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
    found.iter().map(|d| (d.rule.name, d.location.turn)).collect()
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
const NAME: &str = "/messages/2/tool_calls/0/function/name";
const SECOND: &str = "/messages/6/tool_calls/0/function/arguments";

/// The chat in the form of `sharegpt`, which keeps the positions of messages.
fn sharegpt(chat: &Value) -> Value {
    let message = |message: &Value| match message.get("tool_calls") {
        Some(calls) => json!({"from": "function_call", "value": calls[0]["function"].to_string()}),
        None => {
            let from = match message["role"].as_str().unwrap() {
                "user" => "human",
                "assistant" => "gpt",
                "tool" => "observation",
                other => other,
            };
            json!({"from": from, "value": message["content"]})
        }
    };
    let messages = chat["messages"].as_array().unwrap().iter();
    let tools = chat["tools"].as_array().unwrap().iter();
    let tools: Vec<_> = tools.map(|tool| &tool["function"]).collect();
    json!({"conversations": messages.map(message).collect::<Vec<_>>(), "tools": json!(tools).to_string()})
}

/// Each is reported under its rule, and nothing else is, in both forms of chats.
#[test]
fn every_fault_of_a_chat_is_found_under_its_rule() {
    assert_eq!(told(&chat()), []);
    assert_eq!(told(&sharegpt(&chat())), []);
    let good = chat();
    let arguments = good.pointer(FIRST).unwrap().as_str().unwrap();
    let last = "/messages/8/content";
    let hours = r#"{"room": "hall", "level": 2, "times": [{"hour": "7"}]}"#;
    let cases = [
        (with(FIRST, json!("[4]")), "chat-arguments-broken", 2),
        (with(FIRST, json!(json!(arguments).to_string())), "chat-arguments-twice", 2),
        (with(FIRST, json!(r#"{"room": "roof", "level": 4}"#)), "chat-argument-type", 2),
        (with(SECOND, json!(hours)), "chat-argument-type", 6),
        // The name is misspelled, so it is not missing.
        (with(FIRST, json!(r#"{"room": "attic", "levels": 4}"#)), "chat-argument-unknown", 2),
        (with(FIRST, json!(arguments.replace('}', ", \"x\": 1}"))), "chat-argument-unknown", 2),
        (with(FIRST, json!(r#"{"level": 4}"#)), "chat-argument-missing", 2),
        (with(NAME, json!("lamp_tool")), "chat-tool-undeclared", 2),
        (spliced(3, 1, &[]), "chat-call-unanswered", 2),
        (with("/messages/8/role", json!("narrator")), "chat-role-unknown", 8),
        (spliced(5, 0, &[said("system", "Answer briefly.")]), "chat-system-not-first", 5),
        (spliced(2, 0, &[said("user", "are you there?")]), "chat-roles-not-alternating", 2),
        (spliced(8, 1, &[]), "chat-ends-without-assistant", 7),
        (with(last, json!("")), "chat-empty-assistant", 8),
        (with(last, json!(" ")), "chat-empty-assistant", 8),
    ];
    for (chat, rule, turn) in cases {
        assert_eq!(told(&chat), [(rule, Some(turn))], "{chat}");
        let other = sharegpt(&chat);
        assert_eq!(told(&other), [(rule, Some(turn))], "{other}");
    }
    // Only `messages` have ids.
    let orphan = with("/messages/3/tool_call_id", json!("nobody"));
    assert_eq!(told(&orphan), [("chat-answer-orphan", Some(3))]);
}

#[test]
fn an_id_that_two_calls_have_is_a_note_if_each_has_its_answer() {
    let mut same = with("/messages/6/tool_calls/0/id", json!("c-1"));
    same["messages"][7]["tool_call_id"] = json!("c-1");
    let problem = &found(&same)[0];
    assert_eq!(
        (problem.rule.name, problem.severity, problem.location.turn),
        ("chat-call-id-repeated", Severity::Note, Some(6))
    );
    same["messages"].as_array_mut().unwrap().remove(7);
    let severe = found(&same);
    let repeated = severe.iter().find(|d| d.rule.name == "chat-call-id-repeated");
    assert_eq!(repeated.map(|d| d.severity), Some(Severity::Warning), "{severe:?}");
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
    ends["messages"].as_array_mut().unwrap().push(said("user", "ok"));
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
        with(FIRST, json!(json!(json!(arguments).to_string()).to_string())),
        with(FIRST, json!(arguments.replace('"', "'"))),
        with(FIRST, json!(arguments.replace('}', ",}"))),
        with(FIRST, json!(arguments.replacen("\": ", "\" ", 1))),
        with(FIRST, json!(arguments.replace('4', "\"4\""))),
        with(FIRST, json!(arguments.replace("level", "Level"))),
        with(NAME, json!("setLamp")),
    ];
    for chat in safe {
        assert_eq!(repaired(&chat, Applicability::Safe), good, "{chat}");
    }
    let guessed = [
        with(FIRST, json!(arguments.trim_end_matches('}'))),
        with(FIRST, json!(arguments.replace("attic", "attics"))),
        with(NAME, json!("set_lamps")),
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
    assert_eq!(repaired(&object(json!("4")), Applicability::Safe), object(json!(4)));
    let renamed = with(FIRST, json!({"room": "attic", "Level": 4}));
    assert_eq!(repaired(&renamed, Applicability::Safe), object(json!(4)));
}

#[test]
fn tools_of_the_chat_come_before_any_other_ontology() {
    let other = "title = \"Lamps\"\nfamilies = [\"messages\"]\ncomplete = true\n\
                 [apis.set_light]\nrequired = [\"room\"]\n";
    let linter = Linter {
        ontologies: Ontologies::only(Ontology::read(other).unwrap()),
        ..Linter::default()
    };
    let rules = |chat: &Value| {
        let found = found_with(&linter, &chat.to_string());
        found.iter().map(|d| d.rule.name).collect::<Vec<_>>()
    };
    assert_eq!(rules(&chat()), [""; 0]);
    let mut bare = chat();
    bare.as_object_mut().unwrap().remove("tools");
    assert_eq!(rules(&bare), ["api-unknown-name"; 2]);
}

#[test]
fn ids_in_calls_come_from_somewhere() {
    let rule = super::only("api-argument-unsupported");
    let found = |arguments: &Value| {
        let chat = json!({"messages": [
            {"role": "system", "content": "The desk has the user_id desk_77."},
            {"role": "user", "content": "please cancel W-1042"},
            call("c0", "look_up", r#"{"order_id":"W-1042"}"#),
            {"role": "tool", "tool_call_id": "c0", "content": "{\"flight_number\": \"HAT031\"}"},
            call("c1", "cancel", &arguments.to_string()),
            {"role": "tool", "tool_call_id": "c1", "content": "{\"order_id\": \"W-2000\"}"}],
            "tools": [{"type": "function", "function": {"name": "cancel", "parameters": {"type": "object",
                "properties": {"region_id": {"enum": ["eu-1"]}}}}}]});
        super::found_in(&chat.to_string(), &rule)
    };
    for supported in [
        json!({"order_id": "W-1042", "user_id": "desk_77"}),
        json!({"order_id": "w-1042", "flights": [{"flight_number": "HAT031"}]}),
        json!({"region_id": "eu-1", "date": "2024-05-20", "count_id": "12"}),
        json!({"reason": "plan9", "expression": "4e2 + 1"}),
    ] {
        let found = found(&supported);
        assert!(found.is_empty(), "{supported}: {found:?}");
    }
    for (made_up, fix) in [
        (json!({"order_id": "W-1024"}), None),
        (json!({"order_id": "W-2000"}), None),
        (json!({"flights": [{"flight_number": "HAT013"}]}), Some("change to HAT031")),
    ] {
        let found = found(&made_up);
        assert_eq!(found.len(), 1, "{made_up}: {found:?}");
        let first = found[0].fixes.first().map(|fix| fix.title.as_str());
        assert_eq!(first, fix, "{made_up}");
    }
}

#[test]
fn tools_may_be_declared_in_the_instructions() {
    let call = |name: &str| {
        format!("<tool_call>{{\"name\": \"{name}\", \"arguments\": {{}}}}</tool_call>")
    };
    let chat = |tools: &str, name: &str| {
        let instructions = format!("Tools are within <tools></tools>:\n<tools>\n{tools}\n</tools>");
        json!({"messages": [
            said("system", &instructions), said("user", "When is high tide?"),
            said("assistant", &call(name)), said("tool", "<tool_response>14:10</tool_response>"),
            said("assistant", "At 14:10.")]})
    };
    let tool = |name: &str| {
        let function = json!({"name": name, "parameters": {"type": "object", "properties": {}}});
        json!({"type": "function", "function": function}).to_string()
    };
    let [tide, wind] = [tool("tide"), tool("wind")];
    for tools in [format!("{tide}\n{wind}"), format!("[{tide}, {wind}]"), tide] {
        assert_eq!(told(&chat(&tools, "tide")), [], "{tools}");
        let found = told(&chat(&tools, "tides"));
        assert_eq!(found, [("chat-tool-undeclared", Some(2))], "{tools}");
    }
    assert_eq!(told(&chat("none", "tides")), []);
}

/// Each part that `check` counts as a result without a call is a problem, however the chat writes it.
#[test]
fn answers_without_a_call_are_problems_wherever_they_are() {
    let used = json!({"type": "tool_use", "id": "a", "name": "tide", "input": {}});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "14:10"});
    let chat = |results: &[Value]| {
        json!({"messages": [
            said("user", "When is high tide?"),
            {"role": "assistant", "content": [used]},
            {"role": "user", "content": results},
            said("assistant", "At 14:10.")]})
    };
    let orphan = ("chat-answer-orphan", Some(2));
    assert_eq!(told(&chat(&[result("a")])), []);
    // The user may say more beside an answer.
    for more in [
        json!({"type": "document", "source": {}}),
        json!({"type": "text", "text": "And tomorrow?"}),
    ] {
        assert_eq!(told(&chat(&[result("a"), more.clone()])), [], "{more}");
    }
    assert_eq!(told(&chat(&[result("a"), result("a")])), [orphan]);
    let three = [result("a"), result("a"), result("b")];
    assert_eq!(told(&chat(&three)), [orphan, orphan]);
    let other = told(&chat(&[result("b")]));
    assert_eq!(other, [("chat-call-unanswered", Some(1)), orphan]);
}
