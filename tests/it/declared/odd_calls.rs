//! Calls and answers of sessions that lack an id, share an answer, or are none.

use serde_json::json;
use turnwise::format::Formats;

use super::sessions::{all, calls, only, unread};

#[test]
fn calls_and_answers_without_ids_pair_in_their_order() {
    let message = |message: serde_json::Value| json!({"type": "message", "message": message});
    let function = |name: &str| json!({"function": {"name": name, "arguments": "{}"}});
    let rows = [
        json!({"type": "session", "harness": "h", "id": "s"}),
        message(json!({"role": "user", "content": "wind and tide?"})),
        message(
            json!({"role": "assistant", "content": "I look.", "toolCalls": [function("wind"), function("tide")]}),
        ),
        message(json!({"role": "tool", "content": "calm"})),
        message(json!({"role": "tool", "content": "high"})),
        message(
            json!({"role": "assistant", "content": [{"type": "toolCall", "name": "moon", "arguments": {}}]}),
        ),
        message(json!({"role": "toolResult", "content": [{"type": "text", "text": "full"}]})),
        message(json!({"role": "assistant", "content": "Calm, high, full."})),
    ];
    let text = |rows: &[serde_json::Value]| {
        let lines: Vec<_> = rows.iter().map(ToString::to_string).collect();
        lines.join("\n")
    };
    let dialog = only(&text(&rows));
    let expected = ["1 wind → calm", "1 tide → high", "4 moon → full"];
    assert_eq!(calls(&dialog), expected);
    assert_eq!(unread(&dialog), "");
    // One too many is counted.
    let mut more = rows.to_vec();
    more.insert(5, message(json!({"role": "tool", "content": "and warm"})));
    assert_eq!(unread(&only(&text(&more))), "answer without a call");
}

#[test]
fn an_answer_with_several_ids_is_that_of_each_call() {
    let call = |id: &str, name: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    let text = json!({"history": [
        {"role": "user", "content": "wind and tide?"},
        {"role": "assistant", "content": "", "tool_calls": [call("a", "wind"), call("b", "tide")]},
        {"role": "tool", "content": "calm and high", "tool_call_ids": ["a", "b"]},
    ]});
    let dialog = only(&text.to_string());
    let expected = ["1 wind → calm and high", "1 tide → calm and high"];
    assert_eq!(calls(&dialog), expected);
    assert_eq!(dialog.turns[2].text, "");
}

/// It is not a call.
#[test]
fn null_among_calls_is_an_issue() {
    let session = |last: serde_json::Value| {
        json!({"sessionId": "g", "projectHash": "1f", "startTime": "2025-01-01T09:00:00Z", "messages": [
            {"id": "m1", "type": "user", "content": "wind?"},
            {"id": "m2", "type": "gemini", "content": "I look.", "toolCalls": [
                {"id": "t", "name": "wind", "args": {}, "status": "success",
                 "result": [{"functionResponse": {"id": "t", "name": "wind", "response": {"output": "calm"}}}]},
                last]}]})
    };
    for (last, issues) in [(json!(null), 1), (json!({"id": "u", "name": "tide", "args": {}}), 0)] {
        let text = session(last).to_string();
        let [(dialog, found)] = &all(&text, &Formats::default())[..] else {
            panic!("several dialogs");
        };
        assert_eq!((*found, dialog.turns[1].calls.len()), (issues, 2 - issues), "{text}");
    }
}
