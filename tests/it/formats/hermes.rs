//! Calls and answers between tags, as Hermes writes them: which call an answer belongs to.

use serde_json::json;
use turnwise::dialog::{Dialog, LOST_ANSWER, Payload};

use super::{edited, read};

fn called(said: &str, name: &str, id: &str) -> String {
    format!("{said}\n<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {{}}{id}}}\n</tool_call>")
}

fn chat(rows: &[(&str, String)]) -> String {
    let rows = rows.iter();
    let rows = rows.map(|(from, value)| json!({"from": from, "value": value}));
    json!({"conversations": rows.collect::<Vec<_>>()}).to_string()
}

fn responses(dialog: &Dialog) -> Vec<&str> {
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let texts = calls.map(|call| call.response.as_ref().and_then(Payload::text));
    texts.map(|text| text.map_or("-", |text| text)).collect()
}

/// A model that tries again with the same id gets its answer where it tried last, as in other forms.
#[test]
fn the_call_that_was_tried_last_is_answered() {
    let id = r#", "id": "c""#;
    let answer =
        |id: &str| format!("<tool_response>\n{{\"content\": \"calm\"{id}}}\n</tool_response>");
    let rows = [
        ("human", "wind?".to_owned()),
        ("gpt", called("I look.", "wind", id)),
        ("gpt", called("Again.", "wind", id)),
        ("tool", answer(r#", "tool_call_id": "c""#)),
    ];
    let (dialog, _) = read("sharegpt", &chat(&rows));
    assert_eq!(responses(&dialog), ["-", "{\"content\": \"calm\", \"tool_call_id\": \"c\"}"]);
    // Two answers are those of both.
    let both = [&rows[..], &[("tool", answer(r#", "tool_call_id": "c""#))]].concat();
    let (dialog, _) = read("sharegpt", &chat(&both));
    assert!(!responses(&dialog).contains(&"-"));
    // An answer that gives no id belongs to the first of them.
    let without = [&rows[..3], &[("tool", answer(""))]].concat();
    let (dialog, _) = read("sharegpt", &chat(&without));
    assert_eq!(responses(&dialog), ["{\"content\": \"calm\"}", "-"]);
}

#[test]
fn several_answers_with_text_around_them_go_to_their_calls() {
    let rows = |answer: &str| {
        let calls = format!("{}{}", called("", "wind", ""), called("", "tide", ""));
        chat(&[("human", "wind and tide?".to_owned()), ("gpt", calls), ("tool", answer.to_owned())])
    };
    let block = |text: &str| format!("<tool_response>{text}</tool_response>");
    let [calm, high] = [block("calm"), block("high")];
    for said in [
        format!("Results:\n{calm}\n{high}"),
        format!("{calm} and then {high}"),
        format!("{calm}{high} that is all"),
    ] {
        let text = rows(&said);
        let (dialog, _) = read("sharegpt", &text);
        assert_eq!(responses(&dialog), ["calm", "high"], "{said}");
        // What is around them stays where it is.
        assert_eq!(dialog.turns[2].text, said);
        assert!(!dialog.turns[2].unread.has(LOST_ANSWER));
    }
    // Nothing is around these, so that nobody says anything.
    let (dialog, _) = read("sharegpt", &rows(&format!("{calm}\n{high}")));
    assert_eq!(responses(&dialog), ["calm", "high"]);
    assert_eq!(dialog.turns[2].text, "");
    // The only block of a text is not all of the answer.
    let (dialog, _) = read("sharegpt", &rows(&format!("Result: {calm}")));
    assert_eq!(responses(&dialog)[1], "-");
    let change = r#"{"edit":"set_json","turn":1,"call":0,"part":"response","text":"stormy"}"#;
    let text = rows(&format!("{calm}\n{high}"));
    let new = edited("sharegpt", &text, change).unwrap();
    assert_eq!(new.text, text.replace(">calm<", ">stormy<"));
}
