//! Parts of chat messages: calls and answers in Anthropic's form, the model's reasoning, and calls in texts.

use turnwise::dialog::{Dialog, Payload};

use super::{clean as read, edited, unread};

/// Each call as `turn name(arguments) → response`.
fn calls(dialog: &Dialog) -> Vec<String> {
    let shown = |payload: &Option<Payload>| match payload {
        None => "-".to_owned(),
        Some(Payload::Fields(fields)) => {
            let fields = fields.iter();
            let all = fields.map(|field| format!("{}={}", field.name, field.content.as_str()));
            all.collect::<Vec<_>>().join(",")
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => text.to_string(),
    };
    let turns = dialog.turns.iter().enumerate();
    let all = turns.flat_map(|(number, turn)| turn.calls.iter().map(move |call| (number, call)));
    all.map(|(turn, call)| {
        let (arguments, response) = (shown(&call.arguments), shown(&call.response));
        format!("{turn} {}({arguments}) → {response}", call.name)
    })
    .collect()
}

/// Makes an edit, which replaces the first `from` by `to` and changes nothing else.
fn same(family: &str, text: &str, record: &str, from: &str, to: &str) {
    let after = edited(family, text, record).unwrap_or_else(|error| panic!("{record}: {error}"));
    assert_eq!(after.text, text.replacen(from, to, 1), "{family} {record}");
}

fn set_port(call: usize) -> String {
    format!(
        r#"{{"edit":"set_value","turn":1,"call":{call},"part":"arguments","name":"port","value":"Faro"}}"#
    )
}

fn set_api(turn: usize, call: usize, name: &str) -> String {
    format!(r#"{{"edit":"set_api","turn":{turn},"call":{call},"name":"{name}"}}"#)
}

fn set_response(call: usize, text: &str) -> String {
    format!(r#"{{"edit":"set_json","turn":1,"call":{call},"part":"response","text":"{text}"}}"#)
}

/// Two calls in a message, which the next message answers in the other order.
const BLOCKS: &str = r#"{"messages": [
  {"role": "user", "content": "tide and wind in Porto?"},
  {"role": "assistant", "content": [{"type": "thinking", "thinking": "Two tools.", "signature": "x"},
    {"type": "text", "text": "I look."},
    {"type": "tool_use", "id": "a", "name": "get_tide", "input": {"port": "Porto"}},
    {"type": "tool_use", "id": "b", "name": "get_wind", "input": {}}]},
  {"role": "user", "content": [
    {"type": "tool_result", "tool_use_id": "b", "content": "calm"},
    {"type": "tool_result", "tool_use_id": "a", "is_error": true,
     "content": [{"type": "text", "text": "no such port"}, {"type": "image", "source": {}}]}]},
  {"role": "user", "content": [{"type": "text", "text": "and?"},
    {"type": "tool_result", "tool_use_id": "lost", "content": "1"}]},
  {"role": "assistant", "content": "Calm."}]}"#;

#[test]
fn an_edit_of_a_part_changes_its_bytes_alone() {
    let rename =
        r#"{"edit":"rename_value","turn":1,"call":0,"part":"arguments","name":"port","to":"in"}"#;
    for (record, from, to) in [
        (set_port(0), r#""port": "Porto""#, r#""port": "Faro""#),
        (set_api(1, 0, "tides"), r#""get_tide""#, r#""tides""#),
        (rename.to_owned(), r#""port":"#, r#""in":"#),
        (set_response(1, "windy"), r#""calm""#, r#""windy""#),
        (set_response(0, "14:10"), "no such port", "14:10"),
        (r#"{"edit":"set_text","turn":1,"text":"I see."}"#.to_owned(), "I look.", "I see."),
    ] {
        same("messages", BLOCKS, &record, from, to);
    }
    let refused = |record: &str, why: &str| {
        let error = edited("messages", BLOCKS, record).unwrap_err().to_string();
        assert!(error.contains(why), "{record}: {error}");
    };
    refused(r#"{"edit":"set_text","turn":2,"text":"x"}"#, "it is the result of a call in turn 1");
    refused(
        r#"{"edit":"add_call","turn":1,"name":"f","arguments":[]}"#,
        "the calls of turn 1 cannot be edited like this",
    );
    refused(r#"{"edit":"remove_call","turn":1,"call":0}"#, "would also change");
    // Without its answers, a call is a part like others.
    let record = r#"{"edit":"remove_turn","turn":2}"#;
    let without = edited("messages", BLOCKS, record).unwrap();
    assert!(calls(&without.dialog).iter().all(|call| call.ends_with("→ -")));
    let record = r#"{"edit":"remove_call","turn":1,"call":0}"#;
    let fewer = edited("messages", &without.text, record).unwrap();
    assert_eq!(calls(&fewer.dialog), ["1 get_wind() → -"]);
}

#[test]
fn other_programs_name_the_members_of_parts_and_calls_otherwise() {
    // LLaMA-Factory.
    let text = r#"{"messages": [{"role": "user", "content": [{"type": "text", "value": "hi"}]},
        {"role": "assistant", "content": [{"type": "text", "value": "yes?"}], "loss_weight": 1.0}]}"#;
    assert_eq!(read("messages", text).turns[1].text, "yes?");
    let record = r#"{"edit":"set_text","turn":1,"text":"no?"}"#;
    same("messages", text, record, "yes?", "no?");
    // Inspect.
    let text = r#"{"id": 3, "epoch": 2, "messages": [{"role": "user", "content": "list"},
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "ls"}, {"type": "text", "text": "so"}],
         "tool_calls": [{"id": "c", "function": "bash", "arguments": {"cmd": "ls"}}]},
        {"role": "tool", "tool_call_id": "c", "function": "bash", "content": "a.txt"}]}"#;
    let dialog = read("messages", text);
    assert_eq!(dialog.id, "3-2");
    assert_eq!(calls(&dialog), ["1 bash(cmd=ls) → a.txt"]);
    assert_eq!(unread(&dialog), "");
    same("messages", text, &set_api(1, 0, "python"), "\"bash\"", "\"python\"");
}

/// A chat of `ShareGPT` in the form of Hermes: two calls in a text, and their answers in one message.
const HERMES: &str = r#"{"conversations": [{"from": "human", "value": "tides?"},
  {"from": "gpt", "value": "I look.\n<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"port\": \"Porto\"}}\n</tool_call>\n<tool_call>{\"arguments\": {}, \"name\": \"wind\"}</tool_call>"},
  {"from": "tool", "value": "<tool_response>\n{\"high\": \"14:10\"}\n</tool_response>\n<tool_response>\ncalm\n</tool_response>\n"},
  {"from": "gpt", "value": "At 14:10."}]}"#;

/// The same in messages.
fn hermes_messages() -> String {
    HERMES
        .replace("conversations", "messages")
        .replace("from", "role")
        .replace("value", "content")
        .replace("\"human\"", "\"user\"")
        .replace("\"gpt\"", "\"assistant\"")
}

#[test]
fn calls_in_a_text_are_calls_and_stay_text() {
    let dialog = read("sharegpt", HERMES);
    let found = ["1 tide(port=Porto) → {\"high\": \"14:10\"}", "1 wind() → calm"];
    assert_eq!(calls(&dialog), found);
    assert!(dialog.turns[1].text.contains("<tool_call>"));
    assert_eq!((dialog.turns[2].text.as_str(), unread(&dialog).as_str()), ("", ""));
    // In messages, also with answers of the user.
    let renamed = hermes_messages();
    let by_user = renamed.replace("\"tool\"", "\"user\"");
    for text in [renamed, by_user] {
        assert_eq!(calls(&read("messages", &text)), found);
    }
}

#[test]
fn an_edit_of_a_call_in_a_text_is_an_edit_of_the_text() {
    for (family, text) in [("sharegpt", HERMES), ("messages", &hermes_messages())] {
        same(family, text, &set_port(0), "Porto", "Faro");
        same(family, text, &set_api(1, 1, "winds"), r#"\"wind\""#, r#"\"winds\""#);
        same(family, text, &set_response(1, "windy"), "calm", "windy");
        // The text says what the calls are.
        let new = r#"{"edit":"set_text","turn":1,"text":"I look.\n<tool_call>{\"name\": \"tide\", \"arguments\": {\"port\": \"Faro\"}}</tool_call>\n<tool_call>{\"name\": \"wind\"}</tool_call>"}"#;
        let after = edited(family, text, new).unwrap();
        assert!(calls(&after.dialog)[0].starts_with("1 tide(port=Faro) → {"));
        let refused = edited(family, text, r#"{"edit":"remove_call","turn":1,"call":0}"#);
        assert!(refused.unwrap_err().to_string().contains("in the text"));
    }
}

#[test]
fn a_part_may_be_a_call_as_json_in_its_text() {
    let text = r#"{"messages": [{"role": "user", "content": [{"type": "text", "value": "tide and wind?"}]},
        {"role": "assistant", "content": [{"type": "tool_call", "value": "{\"name\": \"tide\", \"arguments\": {\"port\": \"Porto\"}}"},
          {"type": "tool_call", "value": "{\"name\": \"wind\", \"arguments\": {}}"}, {"type": "tool_call", "value": "broken"}]},
        {"role": "tool", "content": [{"type": "text", "value": "14:10"}]}, {"role": "tool", "content": [{"type": "text", "value": "calm"}]}]}"#;
    let dialog = read("messages", text);
    assert_eq!(calls(&dialog), ["1 tide(port=Porto) → 14:10", "1 wind() → calm"]);
    assert_eq!(unread(&dialog), "tool_call");
    same("messages", text, &set_port(0), "Porto", "Faro");
    same("messages", text, &set_api(1, 1, "winds"), r#"\"wind\""#, r#"\"winds\""#);
    let removed = edited("messages", text, r#"{"edit":"remove_call","turn":1,"call":0}"#);
    assert!(removed.is_err());
}

#[test]
fn a_call_of_inspect_may_have_its_answer_beside_it() {
    let text = r#"{"messages": [{"role": "user", "content": "tides?"}, {"role": "assistant", "content": [
        {"type": "tool_use", "id": "s", "tool_type": "web_search", "name": "search", "arguments": "{\"q\": \"tides\"}", "result": "14:10", "error": null},
        {"type": "tool_use", "id": "m", "tool_type": "mcp_call", "name": "lookup", "arguments": "{}", "result": "", "error": "no server"},
        {"type": "text", "text": "At 14:10."}]}]}"#;
    let dialog = read("messages", text);
    assert_eq!(calls(&dialog), [r#"1 search({"q": "tides"}) → 14:10"#, "1 lookup({}) → "]);
    let error = |call: usize| {
        let mut fields = dialog.turns[1].calls[call].fields.iter();
        let error = fields.find(|field| field.name == "error");
        error.map(|error| error.content.as_str().to_owned())
    };
    assert_eq!((error(0), error(1)), (None, Some("no server".to_owned())));
    let record =
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"q","value":"wind"}"#;
    same("messages", text, record, r#"\"tides\""#, r#"\"wind\""#);
}

#[test]
fn a_custom_tool_takes_a_text() {
    let text = r#"{"messages": [{"role": "assistant", "content": null, "tool_calls": [
        {"id": "a", "type": "custom", "custom": {"name": "py", "input": "print(1)"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "1"}]}"#;
    assert_eq!(calls(&read("messages", text)), ["0 py(input=print(1)) → 1"]);
    same("messages", text, &set_api(0, 0, "python"), "py", "python");
    let record =
        r#"{"edit":"set_value","turn":0,"call":0,"part":"arguments","name":"input","value":"2"}"#;
    same("messages", text, record, "print(1)", "2");
}

#[test]
fn a_value_inside_an_argument_is_edited_alone() {
    let arguments =
        r#"{"edits": [{"old": "a"}, {"new": "pw=secret"}], "opt": {"k": 1, "a.b": [2]}, "n": 1}"#;
    let in_string = arguments.replace('"', "\\\"");
    let openai = format!(
        r#"{{"messages": [{{"role": "assistant", "tool_calls": [{{"id": "x", "function": {{"name": "f", "arguments": "{in_string}"}}}}]}}]}}"#
    );
    let object = format!(
        r#"{{"messages": [{{"role": "assistant", "content": [{{"type": "tool_use", "id": "x", "name": "f", "input": {arguments}}}]}}]}}"#
    );
    let gemini = format!(
        r#"{{"contents": [{{"role": "model", "parts": [{{"functionCall": {{"name": "f", "args": {arguments}}}}}]}}]}}"#
    );
    for (family, text) in [("messages", &openai), ("messages", &object), ("gemini-api", &gemini)] {
        let set = |name: &str, value: &str| {
            let edit = format!(
                r#"{{"edit":"set_value","turn":0,"call":0,"part":"arguments","name":"{name}","value":{value}}}"#
            );
            edited(family, text, &edit)
        };
        let after = set("edits[1].new", "\"pw=***\"").unwrap().text;
        assert_eq!(after, text.replace("pw=secret", "pw=***"), "{family}");
        let after = set("opt.k", "7").unwrap().text;
        let at = text.find(": 1, ").unwrap();
        assert_eq!(after, format!("{}: 7, {}", &text[..at], &text[at + 5..]), "{family}");
        for name in ["opt", "edits[1]", "edits[2].new", "opt.x", "opt.a.b"] {
            let error = set(name, "1").unwrap_err().to_string();
            assert!(error.contains("a list or an object"), "{name}: {error}");
        }
        // A new argument may have any other name.
        assert!(set("n.x", "1").is_ok(), "{family}");
    }
}
