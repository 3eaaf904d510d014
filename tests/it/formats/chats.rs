//! Chats of messages: which answer belongs to which call, and what can be edited.

use turnwise::corpus::{DialogRef, IdLookup};
use turnwise::dialog::{Content, Dialog, Judgement, Place, Role, Short, Turn};
use turnwise::format::dataset_info;
use turnwise::json::Parser;

use super::{clean, edited, read};
use crate::support::files::open;

fn chat(messages: &str) -> String {
    format!(r#"{{"messages":[{messages}]}}"#)
}

fn messages(text: &str) -> Dialog {
    clean("messages", text)
}

/// The responses of the calls, in the order of the text.
fn responses(dialog: &Dialog) -> Vec<String> {
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let responses = calls.filter_map(|call| call.response.as_ref()?.text());
    responses.map(ToString::to_string).collect()
}

/// A message that asks for a call, and its answer.
const ASKS: &str = r#"{"role":"assistant","content":null,"tool_calls":[
    {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
const ANSWERS: &str = r#"{"role":"tool","tool_call_id":"a","name":"f","content":"1"}"#;

#[test]
fn a_new_name_of_a_call_is_written_into_its_answer_too() {
    let text = chat(&[ASKS, ANSWERS].join(","));
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
    let refused = "the text cannot be edited: several parts of the text would change; change one part at a time";
    assert_eq!(set(two), Err(refused.to_owned()));
    let dialog = messages(&chat(&format!(r#"{{"role":"user"{two}}}"#)));
    assert_eq!(dialog.turns[0].text, "a\nb");
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
            r#"{"role":"system","content":"be kind"}"#,
            r#"{"role":"user","content":"hi"}"#,
            ASKS,
            ANSWERS,
            r#"{"role":"assistant","content":"ho"}"#,
            r#"{"role":"assistant","content":""}"#,
            r#"{"role":"asistant","content":"ho"}"#,
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
    assert_eq!(responses(&clean("sharegpt", &text)), ["one", "two"]);
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

/// `tests/cases/cli/lint.md` has a corpus beside such a file.
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
    let (dialog, issues) = tides.read(parser.parse_str(text).unwrap());
    assert!(issues.is_empty(), "{issues:?}");
    assert_eq!(responses(&dialog), ["14:10"]);
    let judged: Vec<_> = dialog.turns.iter().map(Turn::is_judgeable).collect();
    assert_eq!(judged, [false, true, false, true]);
    assert!(tides.schema().contains("\"who\"") && !tides.schema().contains("\"from\""));
}
