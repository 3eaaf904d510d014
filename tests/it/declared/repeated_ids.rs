//! Ids of calls that occur more than once in a session: of models that count their calls from 0 again, and of agents beside each
//! other.

use super::sessions::{calls, only, unread};

/// A line of Claude Code with these members, its part of a message, and its number.
fn line(members: &str, role: &str, number: usize, part: &str) -> String {
    format!(
        r#"{{"type": "{role}", "sessionId": "s", "uuid": "u{number}", {members}, "message": {{"role": "{role}", "content": [{part}]}}}}"#
    )
}

fn used(id: &str, name: &str) -> String {
    format!(r#"{{"type": "tool_use", "id": "{id}", "name": "{name}", "input": {{}}}}"#)
}

fn result(id: &str, text: &str) -> String {
    format!(r#"{{"type": "tool_result", "tool_use_id": "{id}", "content": "{text}"}}"#)
}

/// A call without an answer, then another one with its id in the next message, and one answer: in each form.
#[test]
fn the_call_that_was_tried_last_is_answered_whatever_its_name() {
    let main = r#""isSidechain": false"#;
    let said = |role: &str, part: &str| format!(r#"{{"role": "{role}", "content": [{part}]}}"#);
    let [list, delete] = [used("c", "list"), used("c", "delete")];
    let answer = result("c", "gone");
    let asked = |name: &str| {
        format!(
            r#"{{"role": "assistant", "content": null, "tool_calls": [{{"id": "c", "type": "function", "function": {{"name": "{name}", "arguments": "{{}}"}}}}]}}"#
        )
    };
    let told =
        |name: &str| format!(r#"{{"role": "tool", "tool_call_id": "c"{name}, "content": "gone"}}"#);
    let first = r#"{"role": "user", "content": "?"}"#;
    let list_of = |rows: &[String]| format!("[{first}, {}]", rows.join(", "));
    let parts =
        list_of(&[said("assistant", &list), said("assistant", &delete), said("user", &answer)]);
    let chat = list_of(&[asked("list"), asked("delete"), told("")]);
    let lines = [
        line(main, "user", 0, r#"{"type": "text", "text": "?"}"#),
        line(main, "assistant", 1, &list),
        line(main, "assistant", 2, &delete),
        line(main, "user", 3, &answer),
    ];
    let item = |payload: &str| {
        format!(
            r#"{{"timestamp": "2025-01-01T09:00:00Z", "type": "response_item", "payload": {payload}}}"#
        )
    };
    let call = |name: &str| {
        item(&format!(
            r#"{{"type": "function_call", "name": "{name}", "arguments": "{{}}", "call_id": "c"}}"#
        ))
    };
    let codex = [
        item(
            r#"{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "?"}]}"#,
        ),
        call("list"),
        call("delete"),
        item(r#"{"type": "function_call_output", "call_id": "c", "output": "gone"}"#),
    ];
    for text in [
        parts.clone(),
        format!(r#"{{"messages": {parts}}}"#),
        chat.clone(),
        format!(r#"{{"messages": {chat}}}"#),
        lines.join("\n"),
        codex.join("\n"),
    ] {
        let dialog = only(&text);
        assert_eq!(calls(&dialog), ["1 list → -", "2 delete → gone"], "{text}");
        assert_eq!(unread(&dialog), "", "{text}");
    }
    // An answer that names the first call is that one's.
    let named = list_of(&[asked("list"), asked("delete"), told(r#", "name": "list""#)]);
    for text in [named.clone(), format!(r#"{{"messages": {named}}}"#)] {
        assert_eq!(calls(&only(&text)), ["1 list → gone", "2 delete → -"], "{text}");
    }
    // Calls of one message are answered in their order.
    let both = said("assistant", &format!("{list}, {delete}"));
    let together = list_of(&[both, said("user", &answer)]);
    assert_eq!(calls(&only(&together)), ["1 list → gone", "1 delete → -"]);
}

/// Each agent counts its calls for itself, and its answers are its own.
#[test]
fn answers_belong_to_calls_of_the_same_agent() {
    let main = r#""isSidechain": false"#;
    let [one, two] = ["a1", "a2"].map(|id| format!(r#""isSidechain": true, "agentId": "{id}""#));
    let said = r#"{"type": "text", "text": "?"}"#;
    let lines = [
        line(main, "user", 0, said),
        line(main, "assistant", 1, &used("c", "Task")),
        line(&one, "user", 2, said),
        line(&two, "user", 3, said),
        line(&one, "assistant", 4, &used("c", "first")),
        line(&two, "assistant", 5, &used("c", "second")),
        line(&two, "user", 6, &result("c", "of second")),
        line(&one, "user", 7, &result("c", "of first")),
        line(&one, "assistant", 8, &used("c", "killed")),
        line(main, "user", 9, &result("c", "of task")),
    ];
    let dialog = only(&lines.join("\n"));
    assert_eq!(
        calls(&dialog),
        ["1 Task → of task", "4 first → of first", "5 second → of second", "8 killed → -",]
    );
    assert_eq!(unread(&dialog), "");
}

/// Older versions do not name their agents: the lines that each one follows tell them apart.
#[test]
fn lines_tell_agents_without_names_apart() {
    let side = |after: &str| format!(r#""isSidechain": true, "parentUuid": {after}"#);
    let main = r#""isSidechain": false, "parentUuid": null"#;
    let said = r#"{"type": "text", "text": "?"}"#;
    let lines = [
        line(main, "user", 0, said),
        line(&side("null"), "user", 1, said),
        line(&side("null"), "user", 2, said),
        line(&side(r#""u1""#), "assistant", 3, &used("c", "first")),
        line(&side(r#""u2""#), "assistant", 4, &used("c", "second")),
        line(&side(r#""u4""#), "user", 5, &result("c", "of second")),
        line(&side(r#""u3""#), "user", 6, &result("c", "of first")),
        line(&side(r#""u6""#), "assistant", 7, &used("d", "third")),
        // The line before this one is not in the file.
        line(&side(r#""lost""#), "user", 8, &result("d", "of third")),
    ];
    let dialog = only(&lines.join("\n"));
    assert_eq!(
        calls(&dialog),
        ["3 first → of first", "4 second → of second", "7 third → of third"]
    );
    assert_eq!(unread(&dialog), "");
}
