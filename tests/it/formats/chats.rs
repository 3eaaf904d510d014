//! Chats of messages: which answer belongs to which call, and what can be edited.

use std::fs;

use serde_json::Value;
use turnwise::corpus::{DialogRef, IdLookup};
use turnwise::dialog::{ApiCall, Content, Dialog, Judgement, Payload, Place, Role, Short, Turn};

use turnwise::format::{Formats, dataset_info};
use turnwise::json::{Escapes, Parser};

use super::{edited, read};
use crate::support::files::open;
use crate::support::{amount, run_in, scratch};

fn chat(messages: &str) -> String {
    format!(r#"{{"messages":[{messages}]}}"#)
}

fn messages(text: &str) -> Dialog {
    let (dialog, issues) = read("messages", text);
    assert!(issues.is_empty(), "{issues:?}\n{text}");
    dialog
}

/// The response of each call, in the order of the text.
fn responses(dialog: &Dialog) -> Vec<Option<&str>> {
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let text = |call: &turnwise::dialog::ApiCall| match &call.response {
        Some(Payload::Text { text, .. }) => Some(text.to_string()),
        None => None,
        other => panic!("{other:?}"),
    };
    let all: Vec<_> = calls.map(text).collect();
    all.into_iter().map(|text| text.map(|t| &*t.leak())).collect()
}

fn call(id: &str) -> String {
    format!(r#"{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#)
}

fn asks(ids: &[&str]) -> String {
    let calls: Vec<_> = ids.iter().map(|id| call(id)).collect();
    format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, calls.join(","))
}

fn answers(id: &str, text: &str) -> String {
    format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{text}"}}"#)
}

#[test]
fn answers_belong_to_the_call_with_their_id() {
    let text = chat(&[asks(&["a", "b"]), answers("b", "2"), answers("a", "1")].join(","));
    let dialog = messages(&text);
    assert_eq!(responses(&dialog), [Some("1"), Some("2")]);
    assert!(dialog.turns.iter().all(|turn| turn.text.is_empty()));
    // Those of one message are answered in their order.
    let many = ["a"; 20];
    let numbers: Vec<_> = (0..20).map(|number| number.to_string()).collect();
    let answered = numbers.iter().map(|number| answers("a", number));
    let text = chat(&[vec![asks(&many)], answered.collect()].concat().join(","));
    let expected: Vec<_> = numbers.iter().map(|number| Some(number.as_str())).collect();
    assert_eq!(responses(&messages(&text)), expected);
    // The same id again: the last call that waits is meant.
    let again = [asks(&["a"]), answers("a", "1"), asks(&["a"]), answers("a", "2")];
    let dialog = messages(&chat(&again.join(",")));
    assert_eq!(responses(&dialog), [Some("1"), Some("2")]);
    // In messages in a row, they are answered in their order, also if they are many.
    let asked = many.iter().map(|id| asks(&[id]));
    let answered = numbers.iter().map(|number| answers("a", number));
    let text = chat(&asked.chain(answered).collect::<Vec<_>>().join(","));
    assert_eq!(responses(&messages(&text)), expected);
    let user = r#"{"role":"user","content":"hm"}"#.to_owned();
    let lost = [asks(&["a"]), user, asks(&["a"]), answers("a", "1")];
    let dialog = messages(&chat(&lost.join(",")));
    assert_eq!(responses(&dialog), [None, Some("1")]);
}

#[test]
fn answers_without_an_id_belong_to_the_next_call_of_the_message_before() {
    let nameless = |text: &str| format!(r#"{{"role":"tool","content":"{text}"}}"#);
    let text = chat(&[asks(&["a", "b"]), nameless("1"), nameless("2")].join(","));
    assert_eq!(responses(&messages(&text)), [Some("1"), Some("2")]);
    let user = r#"{"role":"user","content":"hm"}"#.to_owned();
    let text = chat(&[asks(&["a"]), user, nameless("1")].join(","));
    let dialog = messages(&text);
    assert_eq!(responses(&dialog), [None]);
    assert_eq!(dialog.turns[2].text, "1");
    let said = r#"{"role":"assistant","content":"hm"}"#.to_owned();
    let text = chat(&[asks(&["a"]), said, nameless("1")].join(","));
    assert_eq!(responses(&messages(&text)), [None]);
}

#[test]
fn answers_with_names_belong_to_calls_of_messages_in_a_row() {
    let asked = |name: &str| {
        format!(
            r#"{{"role":"assistant","tool_calls":[{{"function":{{"name":"{name}","arguments":"{{}}"}}}}]}}"#
        )
    };
    let answer = |name: &str| format!(r#"{{"role":"tool"{name},"content":"{}"}}"#, name.len());
    let (one, three) = (r#","name":"a""#, r#","name":"ccc""#);
    for answers in [[one, three], [three, one]] {
        let text = [asked("a"), asked("ccc"), answer(answers[0]), answer(answers[1])];
        let dialog = messages(&chat(&text.join(",")));
        assert_eq!(responses(&dialog), [Some("11"), Some("13")]);
    }
    let text = [asked("a"), asked("ccc"), answer(""), answer(" ")];
    let dialog = messages(&chat(&text.join(",")));
    assert_eq!(responses(&dialog), [Some("0"), Some("1")]);
    let tagged = |tag: &str, inner: &str| format!(r#"<{tag}>{{"name": "{inner}}}</{tag}>"#);
    let message = |from: &str, value: &str| serde_json::json!({"from": from, "value": value});
    let all = [
        message("human", "go"),
        message("gpt", &tagged("tool_call", r#"a", "arguments": {}"#)),
        message("gpt", &tagged("tool_call", r#"b", "arguments": {}"#)),
        message("tool", &tagged("tool_response", r#"b", "content": 2"#)),
        message("tool", &tagged("tool_response", r#"a", "content": 1"#)),
    ];
    let (dialog, _) = read("sharegpt", &serde_json::json!({"conversations": all}).to_string());
    let said = responses(&dialog);
    let has = |at: usize, number: &str| said[at].is_some_and(|said: &str| said.contains(number));
    assert!(has(0, "1") && has(1, "2"), "{said:?}");
    // In one message, an answer that names no call leaves their places to the others.
    let two = [r#"a", "arguments": {}"#, r#"b", "arguments": {}"#];
    let asked = two.map(|call| tagged("tool_call", call)).concat();
    let answers = ["b", "q", "a"].map(|name| format!(r#"{name}", "content": "of {name}""#));
    let answers = answers.map(|answer| tagged("tool_response", &answer));
    let all = [message("human", "go"), message("gpt", &asked), message("tool", &answers.concat())];
    let (dialog, _) = read("sharegpt", &serde_json::json!({"conversations": all}).to_string());
    let said = responses(&dialog);
    let has = |at: usize, text: &str| said[at].is_some_and(|said: &str| said.contains(text));
    assert!(has(0, "of a") && has(1, "of b"), "{said:?}");
    assert!(dialog.turns[2].unread.has("answer without a call"));
}

#[test]
fn the_id_of_an_answer_may_be_that_of_its_call() {
    let call = |id: &str| format!(r#"{{"id":"{id}","name":"look","arguments":{{}}}}"#);
    let calls = format!(r#"{{"role":"assistant","tool_calls":[{},{}]}}"#, call("a"), call("b"));
    let answer = |id: &str, text: &str| {
        format!(r#"{{"id":"{id}","role":"tool","content":"{text}","error":{}}}"#, text == "No.")
    };
    let text = [calls.clone(), answer("b", "No."), answer("a", "Yes.")].join(",");
    let dialog = messages(&chat(&text));
    assert_eq!(responses(&dialog), [Some("Yes."), Some("No.")]);
    let failed = |call: &ApiCall| call.fields.iter().any(|f| f.content.as_str() == "true");
    assert!(failed(&dialog.turns[0].calls[1]));
    // Messages may have ids of their own.
    let text = [calls, answer("m-1", "Yes."), answer("m-2", "No.")].join(",");
    let dialog = messages(&chat(&text));
    assert_eq!(responses(&dialog), [Some("Yes."), Some("No.")]);
}

#[test]
fn an_answer_to_no_call_keeps_its_text() {
    let text = chat(&[asks(&["a"]), answers("x", "1")].join(","));
    let dialog = messages(&text);
    assert_eq!(responses(&dialog), [None]);
    assert_eq!(dialog.turns[1].text, "1");
    assert_eq!(dialog.turns[1].fields[0].name, "tool_call_id");
    let edit = r#"{"edit":"set_text","turn":1,"text":"2"}"#;
    let after = edited("messages", &text, edit).unwrap().text;
    assert_eq!(after, text.replace("\"1\"", "\"2\""));
}

#[test]
fn the_text_of_an_answer_is_edited_as_the_response_of_its_call() {
    let text = chat(&[asks(&["a"]), answers("a", "caf\\u00e9")].join(","));
    let refused = edited("messages", &text, r#"{"edit":"set_text","turn":1,"text":"x"}"#);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the edit would also change the response of call 0 of turn 0"
    );
    let edit = r#"{"edit":"set_json","turn":0,"call":0,"part":"response","text":"two cafés"}"#;
    let after = edited("messages", &text, edit).unwrap().text;
    assert_eq!(after, text.replace("caf\\u00e9", "two caf\\u00e9s"));
}

#[test]
fn a_new_name_of_a_call_is_written_into_its_answer_too() {
    let answer = r#"{"role":"tool","tool_call_id":"a","name":"f","content":"1"}"#;
    let text = chat(&[asks(&["a"]), answer.to_owned()].join(","));
    let edit = r#"{"edit":"set_api","turn":0,"call":0,"name":"g"}"#;
    let after = edited("messages", &text, edit).unwrap().text;
    assert_eq!(after, text.replace("\"name\":\"f\"", "\"name\":\"g\""));
}

#[test]
fn content_may_be_missing_null_or_a_list_of_parts() {
    let set = |content: &str| {
        let text = chat(&format!(r#"{{"role":"user"{content}}}"#));
        let edit = r#"{"edit":"set_text","turn":0,"text":"ho"}"#;
        let outcome = edited("messages", &text, edit);
        outcome.map(|edited| edited.text).map_err(|e| e.to_string())
    };
    let user = |content: &str| Ok(chat(&format!(r#"{{"role":"user"{content}}}"#)));
    assert_eq!(set(""), user(r#","content":"ho""#));
    assert_eq!(set(r#","content":null"#), user(r#","content":"ho""#));
    assert_eq!(
        set(r#","content":[{"type":"image_url"},{"type":"text","text":"hi"}]"#),
        user(r#","content":[{"type":"image_url"},{"type":"text","text":"ho"}]"#)
    );
    let two = r#","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#;
    let refused =
        "the text cannot be edited: more than one of its parts would change; change one at a time";
    assert_eq!(set(two), Err(refused.to_owned()));
    let dialog = messages(&chat(&format!(r#"{{"role":"user"{two}}}"#)));
    assert_eq!(dialog.turns[0].text, "a\nb");
}

#[test]
fn arguments_are_added_in_the_form_of_other_calls() {
    let bare = r#"{"id":"b","type":"function","function":{"name":"g"}}"#;
    let text = chat(&format!(r#"{{"role":"assistant","tool_calls":[{},{bare}]}}"#, call("a")));
    let edit = r#"{"edit":"set_value","turn":0,"call":1,"part":"arguments","name":"n","value":1}"#;
    let refused = edited("messages", &text, edit).unwrap_err().to_string();
    assert!(refused.ends_with("it has no place in the file"), "{refused}");
    let edit = edit.replace("arguments", "response");
    let refused = edited("messages", &text, &edit).unwrap_err().to_string();
    assert!(refused.ends_with("it has no place in the file"), "{refused}");
}

#[test]
fn ids_and_lists_have_several_names() {
    let said = r#"[{"role":"user","content":"hi"}]"#;
    let cases = [
        (format!(r#"{{"task_id":7,"traj":{said}}}"#), "7", 1),
        (format!(r#"{{"task_id":7,"trial":1,"traj":{said}}}"#), "7-1", 1),
        (format!(r#"{{"id":"6f1d","task_id":"7","trial":0,"messages":{said}}}"#), "7-0", 1),
        (format!(r#"{{"id":"","uuid":"u","conversation":{said}}}"#), "u", 1),
        (format!(r#"{{"id":null,"prompt":{said},"chosen":{said},"rejected":{said}}}"#), "", 2),
        (format!(r#"{{"prompt":"hi","completion":{said}}}"#), "", 1),
    ];
    for (text, id, turns) in cases {
        let dialog = messages(&text);
        assert_eq!((dialog.id.as_str(), dialog.turns.len()), (id, turns));
    }
    let (dialog, _) = read("messages", r#"{"id":1.5,"messages":[]}"#);
    assert_eq!(dialog.fields[0].content, Content::Raw("1.5".into()));
}

#[test]
fn a_judgement_of_a_pair_fits_as_long_as_both_sides_are_as_they_were() {
    let said = |text: &str| format!(r#"[{{"role":"assistant","content":"{text}"}}]"#);
    let pair = |one: &str, other: &str| {
        let (one, other) = (said(one), said(other));
        messages(&format!(r#"{{"id":"d","chosen":{one},"rejected": {other}}}"#))
    };
    let dialog = pair("hi", "ho");
    let names = |dialog: &Dialog| dialog.sides.clone().map(|sides| sides.names);
    let preference = Some(["chosen", "rejected"].map(Short::from));
    assert_eq!(names(&dialog), preference);
    let judgement = Judgement::of(&dialog, Place::DIALOG);
    let fits = [("hi", "ho"), ("hi", "he"), ("ha", "ho")]
        .map(|(one, other)| judgement.fits(&pair(one, other)));
    assert_eq!(fits, [true, false, false]);
    let spaced = messages(
        r#"{"id":"d","chosen":[{"role":"assistant","content":"hi"}],"rejected":[{"role" :"assistant","content":"ho"}]}"#,
    );
    assert!(judgement.fits(&spaced));
    // The list of a whole dialog may repeat the first side.
    let (hi, ho) = (said("hi"), said("ho"));
    let repeated = messages(&format!(r#"{{"messages":{hi},"chosen":{hi},"rejected":{ho}}}"#));
    assert_eq!(names(&repeated), preference);
    let prompt = messages(&format!(r#"{{"messages":{ho},"chosen":{hi},"rejected":{ho}}}"#));
    assert_eq!(prompt.sides, None);
    let arena = messages(&format!(r#"{{"conversation_a":{hi},"conversation_b":{ho}}}"#));
    assert_eq!(
        (names(&arena), arena.turns.len()),
        (Some(["conversation_a", "conversation_b"].map(Short::from)), 1)
    );
}

#[test]
fn only_what_the_assistant_says_is_judged() {
    let text = chat(
        &[
            r#"{"role":"system","content":"be kind"}"#.to_owned(),
            r#"{"role":"user","content":"hi"}"#.to_owned(),
            asks(&["a"]),
            answers("a", "1"),
            r#"{"role":"assistant","content":"ho"}"#.to_owned(),
            r#"{"role":"assistant","content":""}"#.to_owned(),
            r#"{"role":"asistant","content":"ho"}"#.to_owned(),
        ]
        .join(","),
    );
    let dialog = messages(&text);
    let judged: Vec<_> = dialog.turns.iter().map(Turn::is_judgeable).collect();
    assert_eq!(judged, [false, false, true, false, true, false, true]);
    assert_eq!(dialog.turns[0].speaker.role, Role::Context);
    let log = turnwise::format::log_text(&dialog, "d", "g");
    let (log, _) = read("dbdc", &log);
    let judged: Vec<_> = log.turns.iter().map(Turn::is_judgeable).collect();
    assert_eq!(judged, [false, false, true, false, true, false, true]);
}

#[test]
fn dialogs_are_found_by_ids_that_are_put_together() {
    let said = r#"[{"role":"user","content":"hi"}]"#;
    let dialog = |trial: usize| format!(r#"{{"task_id":7,"trial":{trial},"traj":{said}}}"#);
    let file = open(format!("[{},{}]", dialog(0), dialog(1)).into_bytes());
    let find = |id: &str| file.find(&DialogRef::Id(id.to_owned())).unwrap();
    assert_eq!(find("7-1"), IdLookup::Found(1));
    assert_eq!(find("7"), IdLookup::Missing);
}

fn sharegpt(calls: &str, observations: &[&str]) -> String {
    let mut messages = vec![r#"{"from":"human","value":"hi"}"#.to_owned()];
    messages.push(serde_json::json!({"from": "function_call", "value": calls}).to_string());
    let answer =
        |text: &&str| serde_json::json!({"from": "observation", "value": text}).to_string();
    messages.extend(observations.iter().map(answer));
    format!(r#"{{"conversations":[{}]}}"#, messages.join(","))
}

#[test]
fn calls_in_values_are_edited_inside_their_json() {
    let calls =
        r#"[{"name": "f", "arguments": {"a": 1, "b": "é"}}, {"name": "g", "arguments": "{}"}]"#;
    let text = sharegpt(calls, &["one", "two"]);
    let (dialog, issues) = read("sharegpt", &text);
    assert!(issues.is_empty());
    assert_eq!(responses(&dialog), [Some("one"), Some("two")]);
    let cases = [
        (r#"{"edit":"set_api","turn":1,"call":1,"name":"h"}"#, "\"g\"", "\"h\""),
        (
            r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"a","value":2}"#,
            "\"a\": 1",
            "\"a\": 2",
        ),
        (
            r#"{"edit":"remove_value","turn":1,"call":0,"part":"arguments","name":"a"}"#,
            "\"a\": 1, ",
            "",
        ),
        (
            r#"{"edit":"set_json","turn":1,"call":1,"part":"arguments","text":"[\"x\"]"}"#,
            "\"{}\"",
            r#""[\"x\"]""#,
        ),
    ];
    for (edit, old, new) in cases {
        let after = edited("sharegpt", &text, edit).unwrap().text;
        assert_eq!(after, sharegpt(&calls.replace(old, new), &["one", "two"]), "{edit}");
    }
    let edit = r#"{"edit":"set_json","turn":1,"call":1,"part":"response","text":"2"}"#;
    let after = edited("sharegpt", &text, edit).unwrap().text;
    assert_eq!(after, sharegpt(calls, &["one", "2"]));
    let refused = edited("sharegpt", &text, r#"{"edit":"set_text","turn":1,"text":"x"}"#);
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("the calls of turn 1"), "{refused}");
}

#[test]
fn a_value_that_is_not_a_call_keeps_its_text() {
    let text = sharegpt("f(1)", &["one"]);
    let (dialog, _) = read("sharegpt", &text);
    assert_eq!((dialog.turns[1].text.as_str(), dialog.turns[2].text.as_str()), ("f(1)", "one"));
    let set = |new: &str| {
        let edit = serde_json::json!({"edit": "set_text", "turn": 1, "text": new});
        edited("sharegpt", &text, &edit.to_string()).map(|edited| edited.text)
    };
    assert_eq!(set("f(2)").unwrap(), sharegpt("f(2)", &["one"]));
    let refused = set(r#"{"name": "f"}"#).unwrap_err().to_string();
    assert!(refused.contains("turn 1"), "{refused}");
}

#[test]
fn names_of_members_and_roles_come_from_a_dataset_info() {
    let info = r#"{
        "tides": {"file_name": "tides.json", "formatting": "sharegpt",
            "columns": {"messages": "turns"},
            "tags": {"role_tag": "who", "content_tag": "said", "user_tag": "guest",
                "assistant_tag": "host", "function_tag": "ask", "observation_tag": "heard"}},
        "tides_2": {"formatting": "sharegpt", "columns": {"messages": "turns"},
            "tags": {"role_tag": "who", "content_tag": "said", "user_tag": "guest",
                "assistant_tag": "host", "function_tag": "ask", "observation_tag": "heard"}},
        "usual": {"formatting": "sharegpt"},
        "old": {"file_name": "old.json"}}"#;
    let formats = dataset_info::formats(info).unwrap();
    let [tides] = formats[..] else {
        panic!("{formats:?}");
    };
    let text = r#"{"turns":[{"who":"guest","said":"hi"},{"who":"ask","said":"{\"name\": \"tide\"}"},
        {"who":"heard","said":"14:10"},{"who":"host","said":"At ten past two."}]}"#;
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).unwrap();
    let found = Formats::with(formats.clone()).detect(tree.root()).unwrap();
    assert_eq!(found.name(), "tides");
    let (dialog, issues) = tides.read(tree);
    assert!(issues.is_empty(), "{issues:?}");
    assert_eq!(responses(&dialog), [Some("14:10")]);
    let judged: Vec<_> = dialog.turns.iter().map(Turn::is_judgeable).collect();
    assert_eq!(judged, [false, true, false, true]);
    let edit = r#"{"edit":"set_text","turn":3,"text":"At three."}"#;
    let edit = serde_json::from_str(edit).unwrap();
    let after = turnwise::format::edit(tides, text, Escapes::default(), &edit).unwrap();
    assert_eq!(after.text, text.replace("At ten past two.", "At three."));
    assert!(tides.schema().contains("\"who\"") && !tides.schema().contains("\"from\""));
    let wrong = dataset_info::formats("{\"a\": {\"tags\": 3}}").unwrap_err();
    assert!(wrong.to_string().contains("invalid type"), "{wrong}");
}

/// Reading takes a time in proportion to the calls; otherwise a thorough run would take minutes.
#[test]
fn many_calls_of_one_message_are_answered_in_their_order() {
    let calls = amount(20_000, 200_000);
    let call = r#"{"name":"f","arguments":{}}"#;
    let numbers: Vec<_> = (0..calls).map(|number| number.to_string()).collect();
    let answers: Vec<_> = numbers.iter().map(String::as_str).collect();
    let text = sharegpt(&format!("[{}]", vec![call; calls].join(",")), &answers);
    let (dialog, issues) = read("sharegpt", &text);
    assert!(issues.is_empty());
    let said = responses(&dialog);
    assert!(said.len() == calls && said.iter().zip(&answers).all(|(a, b)| *a == Some(b)));
}

#[test]
fn answers_with_and_without_ids_may_alternate() {
    let plain = |text: &str| format!(r#"{{"role":"tool","content":"{text}"}}"#);
    let text = chat(
        &[
            asks(&["a", "b", "c", "d"]),
            answers("b", "2"),
            plain("1"),
            plain("3"),
            answers("d", "4"),
            plain("5"),
        ]
        .join(","),
    );
    let dialog = messages(&text);
    assert_eq!(responses(&dialog), ["1", "2", "3", "4"].map(Some));
    assert_eq!(dialog.turns[5].text, "5");
}

/// A chat with parts of kinds that are not read.
fn with_parts() -> String {
    let parts = r#"[{"type":"text","text":"a"},{"type":"image","source":{}},{"type":"image","source":{}},
        {"type":"tool_use","id":"t","input":{}}]"#;
    let answer = r#"[{"type":"tool_result","tool_use_id":"t","content":"1"}]"#;
    let call = r#"<tool_call>{\"name\":7}</tool_call>"#;
    chat(&format!(
        r#"{{"role":"assistant","content":{parts}}},{{"role":"user","content":{answer}}},
        {{"role":"assistant","content":"{call} and {call}"}}"#
    ))
}

#[test]
fn parts_that_are_not_read_are_counted() {
    let dialog = messages(&with_parts());
    let mut unread = turnwise::dialog::UnreadParts::default();
    unread.add_dialog(&dialog);
    assert_eq!(
        unread.to_string(),
        "6 parts are not read: <tool_call>, answer without a call, image, tool_use"
    );
    let calls = r#"[{"from":"human","value":"hi"},{"from":"gpt","value":"<tool_call>{}</tool_call>"},
        {"from":"human","value":"<tool_call>"}]"#;
    let (dialog, _) = read("sharegpt", &format!(r#"{{"conversations":{calls}}}"#));
    let unread: Vec<_> = dialog.turns.iter().map(|turn| turn.unread.names()).collect();
    assert_eq!(unread, ["", "<tool_call>", ""]);
    // A text may say a call or no longer say it.
    let edit = r#"{"edit":"set_text","turn":2,"text":"none"}"#;
    let after = edited("messages", &with_parts(), edit).unwrap();
    assert!(after.dialog.turns[2].unread.is_empty());
    let edit = r#"{"edit":"set_text","turn":0,"text":"<tool_call>"}"#;
    assert!(edited("messages", &chat(&asks(&["a"])), edit).is_ok());
}

#[test]
fn parts_that_are_not_read_are_reported() {
    let folder = crate::support::scratch();
    std::fs::write(folder.path().join("c.json"), with_parts()).unwrap();
    let run = |arguments: &[&str]| crate::support::run_in(folder.path(), arguments, "");
    let ran = run(&["check", "c.json"]);
    let said =
        "c.json: 6 parts are not read: <tool_call>, answer without a call, image, tool_use\n";
    assert!(ran.code == 0 && ran.out.starts_with(said), "{ran:?}");
    let ran = run(&["check", "c.json", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        report[0]["not_read"],
        serde_json::json!({"<tool_call>": 2, "image": 2, "answer without a call": 1, "tool_use": 1})
    );
    let ran = run(&["show", "c.json"]);
    assert!(ran.out.contains("not read  image, tool_use\n"), "{ran:?}");
    let ran = run(&["check", "--format", "json", "-"]);
    assert!(!ran.out.contains("not_read"));
}

/// JSON Lines, each of which is a list of messages.
#[test]
fn lines_may_be_lists_of_messages() {
    let said = |user: &str, assistant: &str| {
        format!(
            "[{{\"role\":\"user\",\"content\":\"{user}\"}},{{\"role\":\"assistant\",\"content\":\"{assistant}\"}}]\n"
        )
    };
    let text = said("Tide?", "High.") + &said("Wind?", "None.") + &said("Rain?", "Soon.");
    let folder = scratch();
    let path = folder.path().join("a.jsonl");
    fs::write(&path, &text).unwrap();
    let ran = run_in(folder.path(), &["check", "a.jsonl", "--format", "json"], "");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let counts = ["dialogs", "turns"].map(|key| report[0][key].as_u64());
    assert_eq!(counts, [Some(3), Some(6)], "{ran:?}");
    assert_eq!(ran.code, 0);
    let edit = r#"{"edit":"set_text","dialog":1,"turn":1,"text":"A breeze."}"#;
    let ran = run_in(folder.path(), &["apply", "-", "a.jsonl"], edit);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replace("None.", "A breeze."));
    // Whatever comes before the first.
    for before in ["[]\n", "\u{feff}\n\n"] {
        fs::write(&path, format!("{before}{text}")).unwrap();
        let ran = run_in(folder.path(), &["show", "a.jsonl"], "");
        assert!(ran.out.contains("None.") && ran.out.contains("Soon."), "{before:?} {ran:?}");
    }
}
