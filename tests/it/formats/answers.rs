//! The call that an answer belongs to: by its id, by its name, or else by its place.

use serde_json::{Value, json};
use turnwise::dialog::{Dialog, Payload};

use super::{edited, read};

fn messages(all: &[Value]) -> String {
    json!({"messages": all}).to_string()
}

fn sharegpt(all: &[(&str, &str)]) -> String {
    let all = all.iter();
    let all = all.map(|(from, value)| json!({"from": from, "value": value}));
    json!({"conversations": all.collect::<Vec<_>>()}).to_string()
}

/// Each call as `name → response`.
fn calls(dialog: &Dialog) -> Vec<String> {
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let all = calls.map(|call| {
        let response = call.response.as_ref().and_then(Payload::text);
        format!("{} → {}", call.name, response.map_or("-", |text| text))
    });
    all.collect()
}

fn call(name: &str, id: impl Into<Value>) -> Value {
    let id = id.into();
    json!({"id": id, "function": {"name": name, "arguments": "{}"}})
}

fn asked(calls: &[Value]) -> Value {
    json!({"role": "assistant", "content": "", "tool_calls": calls})
}

fn answer(name: &str) -> Value {
    json!({"role": "tool", "name": name, "content": format!("of {name}")})
}

#[test]
fn names_that_fit_come_before_places_in_messages_of_their_own() {
    let two = asked(&[call("a", Value::Null), call("b", Value::Null)]);
    let rows = [
        two.clone(),
        answer("q"),
        answer("a"),
        answer("b"),
        json!({"role": "assistant", "content": "ok"}),
    ];
    let (dialog, _) = read("messages", &messages(&rows));
    assert_eq!(calls(&dialog), ["a → of a", "b → of b"]);
    assert_eq!(dialog.turns[1].text, "of q");
    assert!(dialog.turns[1].unread.has("answer without a call"));
    // Without a call of its own, the first takes the place that is left.
    let (dialog, _) = read("messages", &messages(&[two, answer("q"), answer("a")]));
    assert_eq!(calls(&dialog), ["a → of a", "b → of q"]);
}

#[test]
fn ids_that_fit_come_before_places() {
    let partly = [
        asked(&[call("a", json!("x")), call("b", Value::Null)]),
        json!({"role": "tool", "content": "?"}),
        json!({"role": "tool", "tool_call_id": "x", "content": "of a"}),
    ];
    let (dialog, _) = read("messages", &messages(&partly));
    assert_eq!(calls(&dialog), ["a → of a", "b → ?"]);
    let numbers = [
        asked(&[call("a", json!(1)), call("b", json!(2))]),
        json!({"role": "tool", "tool_call_id": 2, "content": "of b"}),
        json!({"role": "tool", "tool_call_id": 1, "content": "of a"}),
    ];
    let (dialog, issues) = read("messages", &messages(&numbers));
    assert_eq!(calls(&dialog), ["a → of a", "b → of b"]);
    assert_eq!(issues.len(), 4, "{issues:?}");
}

#[test]
fn an_answer_with_an_id_does_not_go_to_a_call_with_another() {
    let tool = |id: &str| json!({"role": "tool", "id": id, "content": format!("of {id}")});
    let two = asked(&[call("a", json!("x")), call("b", json!("y"))]);
    let (dialog, _) = read("messages", &messages(&[two, tool("z"), tool("y")]));
    assert_eq!(calls(&dialog), ["a → -", "b → of y"]);
    assert!(dialog.turns[1].unread.has("answer without a call"));
    let without = asked(&[call("a", Value::Null)]);
    let (dialog, _) = read("messages", &messages(&[without, tool("z")]));
    assert_eq!(calls(&dialog), ["a → of z"]);
    let hermes = |answer: &str| {
        let call = r#"<tool_call>{"name": "a", "arguments": {}, "id": "x"}</tool_call>"#;
        let answer = format!("<tool_response>{answer}</tool_response>");
        let rows = [("human", "go"), ("gpt", call), ("tool", &answer)];
        read("sharegpt", &sharegpt(&rows)).0
    };
    let foreign = r#"{"name": "q", "content": "F", "tool_call_id": "z"}"#;
    let dialog = hermes(foreign);
    assert_eq!(calls(&dialog), ["a → -"]);
    assert!(dialog.turns[2].unread.has("answer without a call"));
    // An `id` may be that of what was found.
    let found = r#"{"id": 12, "price": 3}"#;
    assert_eq!(calls(&hermes(found)), [format!("a → {found}")]);
}

#[test]
fn a_text_does_not_part_calls_from_answers() {
    let between = json!({"role": "assistant", "content": "between"});
    let a = asked(&[call("a", Value::Null)]);
    for count in [1, 2] {
        let mut rows = vec![a.clone()];
        rows.extend(vec![between.clone(); count]);
        rows.push(answer("a"));
        let (dialog, _) = read("messages", &messages(&rows));
        assert_eq!(calls(&dialog), ["a → of a"]);
        assert_eq!(dialog.turns[1].text, "between");
    }
    // A call after a text is made on its own.
    let b = asked(&[call("b", Value::Null)]);
    let rows = [a, between, b, json!({"role": "tool", "content": "?"})];
    let (dialog, _) = read("messages", &messages(&rows));
    assert_eq!(calls(&dialog), ["a → -", "b → ?"]);
    for [own, told] in [[r#", "id": "x""#, r#", "tool_call_id": "x""#], ["", ""]] {
        let call = format!(r#"<tool_call>{{"name": "a", "arguments": {{}}{own}}}</tool_call>"#);
        let answer = format!(r#"{{"name": "a", "content": "A"{told}}}"#);
        let said = format!("<tool_response>{answer}</tool_response>");
        let rows = [("human", "go"), ("gpt", &call), ("gpt", "so"), ("tool", &said)];
        let (dialog, _) = read("sharegpt", &sharegpt(&rows));
        assert_eq!(calls(&dialog), [format!("a → {answer}")]);
    }
}

#[test]
fn ids_between_tags_tell_the_call() {
    let asked = |id: &str, p: u8| {
        format!(
            r#"<tool_call>{{"{id}": "i{p}", "name": "f", "arguments": {{"p": {p}}}}}</tool_call>"#
        )
    };
    let answer = |p: u8| {
        format!(r#"<tool_response>{{"tool_call_id": "i{p}", "content": "of {p}"}}</tool_response>"#)
    };
    let inner = |p: u8| format!(r#"f → {{"tool_call_id": "i{p}", "content": "of {p}"}}"#);
    for id in ["id", "tool_call_id"] {
        let asked = format!("{}\n{}", asked(id, 1), asked(id, 2));
        let together = answer(2) + &answer(1);
        let rows = [("human", "go"), ("gpt", &asked)];
        let one = [rows.as_slice(), &[("tool", &together)]].concat();
        let (two, first) = (answer(2), answer(1));
        let each = [rows.as_slice(), &[("tool", &two), ("tool", &first)]].concat();
        for text in [&one, &each] {
            let text = sharegpt(text);
            let (dialog, _) = read("sharegpt", &text);
            assert_eq!(calls(&dialog), [inner(1), inner(2)]);
            // An edit changes the answer to its own call.
            let edit = r#"{"edit":"set_json","turn":1,"call":0,"part":"response","text":"1"}"#;
            let after = edited("sharegpt", &text, edit).unwrap().text;
            let old = r#"{\"tool_call_id\": \"i1\", \"content\": \"of 1\"}"#;
            assert_eq!(after, text.replace(old, "1"));
        }
        let rows = [
            json!({"role": "user", "content": "go"}),
            json!({"role": "assistant", "content": asked}),
            json!({"role": "tool", "content": together}),
        ];
        let (dialog, _) = read("messages", &messages(&rows));
        assert_eq!(calls(&dialog), [inner(1), inner(2)]);
    }
}

#[test]
fn a_call_may_follow_reasoning() {
    let call = r#"{"name":"f","arguments":{"p":1}}"#;
    let said = format!("<think>hm</think>\n{call}");
    let text =
        sharegpt(&[("human", "go"), ("function_call", &said), ("observation", "1"), ("gpt", "ok")]);
    let (dialog, issues) = read("sharegpt", &text);
    assert!(issues.is_empty());
    assert_eq!(calls(&dialog), ["f → 1"]);
    assert_eq!(dialog.turns[1].text, "");
    assert_eq!(dialog.turns[1].fields[0].content.as_str(), "hm");
    let edit = r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"p","value":2}"#;
    let after = edited("sharegpt", &text, edit).unwrap().text;
    assert_eq!(after, text.replace(r#"\"p\":1"#, r#"\"p\":2"#));
}

#[test]
fn answers_without_texts_differ_from_empty_ones() {
    let two = asked(&[call("a", json!("x")), call("b", json!("y"))]);
    let given = |content: Value| json!({"role": "tool", "tool_call_id": "x", "content": content});
    let missing = json!({"role": "tool", "tool_call_id": "x"});
    let null = |row: Value| {
        let (dialog, _) = read("messages", &messages(&[two.clone(), row]));
        let response = dialog.turns[0].calls[0].response.clone().unwrap();
        response.value().map(|value| value.as_str().to_owned())
    };
    assert_eq!(null(missing), Some("null".to_owned()));
    assert_eq!(null(given(Value::Null)), Some("null".to_owned()));
    assert_eq!(null(given(json!([{"type": "image_url"}]))), Some("null".to_owned()));
    assert_eq!(null(given(json!(""))), None);
    let object = messages(&[two, given(json!({"height": "3 m"}))]);
    let (dialog, issues) = read("messages", &object);
    let Some(Payload::Fields(fields)) = &dialog.turns[0].calls[0].response else {
        panic!("{dialog:?}");
    };
    assert_eq!((fields[0].name.as_str(), fields[0].content.as_str()), ("height", "3 m"));
    assert_eq!(issues.len(), 1, "{issues:?}");
    let lost = messages(&[given(json!({"height": "3 m"}))]);
    let (dialog, _) = read("messages", &lost);
    let mut fields = dialog.turns[0].fields.iter();
    assert!(fields.any(|field| field.content.as_str() == "3 m"), "{dialog:?}");
}

#[test]
fn a_message_of_tau_bench_may_have_several_answers() {
    let inside = |id: &str, error: bool| json!({"id": id, "role": "tool", "content": format!("of {id}"), "error": error});
    let rows = [
        asked(&[call("a", json!("x")), call("b", json!("y"))]),
        json!({"role": "tool", "tool_messages": [inside("y", true), inside("x", false), inside("z", false)]}),
    ];
    let text = messages(&rows);
    let (dialog, _) = read("messages", &text);
    assert_eq!(calls(&dialog), ["a → of x", "b → of y"]);
    let failed = dialog.turns[0].calls.iter().map(|call| call.failures().count());
    assert_eq!(failed.collect::<Vec<_>>(), [0, 1]);
    // Nothing waits for the third.
    assert!(dialog.turns[1].unread.has("answer without a call"));
    let edit = r#"{"edit":"set_json","turn":0,"call":0,"part":"response","text":"14:10"}"#;
    let after = edited("messages", &text, edit).unwrap().text;
    assert_eq!(after, text.replace("of x", "14:10"));
}

#[test]
fn calls_of_both_sides_in_tau_bench_have_ids_of_their_own() {
    let asked = |side: &str, name: &str| json!({"role": side, "content": null, "tool_calls": [{"id": "c0", "name": name, "arguments": {}, "requestor": side}]});
    let given = |side: &str, text: &str| json!({"id": "c0", "role": "tool", "content": text, "requestor": side, "error": false});
    let both = |rows: &[Value]| {
        let (dialog, _) = read("messages", &messages(rows));
        let lost = dialog.turns.iter().filter(|turn| turn.unread.has("answer without a call"));
        (calls(&dialog), lost.count())
    };
    // A call of the agent that nothing answers.
    let rows = [asked("assistant", "a"), asked("user", "b"), given("user", "of b")];
    assert_eq!(both(&rows), (vec!["a → -".into(), "b → of b".into()], 0));
    let rows = [
        asked("user", "b"),
        asked("assistant", "a"),
        given("user", "of b"),
        given("assistant", "of a"),
    ];
    assert_eq!(both(&rows), (vec!["b → of b".into(), "a → of a".into()], 0));
    // Other programs name the side of the call alone.
    let rows =
        [asked("assistant", "a"), json!({"role": "tool", "tool_call_id": "c0", "content": "of a"})];
    assert_eq!(both(&rows), (vec!["a → of a".into()], 0));
    // An answer to the other side, or with another id, is not that of the only call.
    let rows = [asked("assistant", "a"), given("user", "of b")];
    assert_eq!(both(&rows), (vec!["a → -".into()], 1));
    let mut other = given("assistant", "of x");
    other["id"] = json!("c9");
    assert_eq!(both(&[asked("assistant", "a"), other]), (vec!["a → -".into()], 1));
}

#[test]
fn texts_that_inspect_has_elsewhere_are_named() {
    let text = r#"{"id": 1, "attachments": {"a": "long"}, "messages": [{"role": "user", "content": "?"},
        {"role": "assistant", "content": "attachment://a", "tool_calls": [{"id": "x", "function": "f", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "x", "content": "attachment://b"}]}"#;
    let (dialog, _) = read("messages", text);
    let kinds: Vec<_> = dialog.turns[1].unread.kinds().collect();
    assert_eq!(kinds, [(&"attachment".into(), 2)]);
    assert!(dialog.turns[0].unread.is_empty());
}

#[test]
fn ids_of_parts_may_be_numbers_and_null_is_none() {
    let asked =
        |id: Value| json!({"type": "tool_use", "id": id, "name": format!("a{id}"), "input": {}});
    let said = |id: Value| json!({"type": "tool_result", "tool_use_id": id, "content": format!("of {id}")});
    let rows = [
        json!({"role": "assistant", "content": [asked(json!(1)), asked(json!(2))]}),
        json!({"role": "user", "content": [said(json!(2)), said(json!(1))]}),
    ];
    let list = json!(rows).to_string();
    for (family, text) in [("messages", messages(&rows)), ("message-list", list)] {
        let (dialog, issues) = read(family, &text);
        assert_eq!(calls(&dialog), ["a1 → of 1", "a2 → of 2"], "{family}");
        assert!(issues.is_empty(), "{family}: {issues:?}");
    }
    let rows = [
        json!({"role": "assistant", "content": [asked(json!("x"))]}),
        json!({"role": "user", "content": [said(Value::Null)]}),
        json!({"role": "user", "content": [said(Value::Null)]}),
    ];
    let list = json!(rows).to_string();
    for (family, text) in [("messages", messages(&rows)), ("message-list", list)] {
        let (dialog, _) = read(family, &text);
        assert_eq!(calls(&dialog), ["a\"x\" → of null"], "{family}");
        assert!(dialog.turns[2].unread.has("answer without a call"), "{family}");
    }
}
