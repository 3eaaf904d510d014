//! Members beside the texts of messages: summaries of redacted reasoning, citations, and the members of lines.

use std::fs;

use turnwise::dialog::Dialog;

use crate::support::{run_in, scratch};

fn read(family: &str, text: &str) -> Dialog {
    let (dialog, issues) = super::read(family, text);
    assert!(issues.is_empty(), "{issues:?}");
    dialog
}

/// The fields of a turn as `name=content`.
fn fields(dialog: &Dialog, turn: usize) -> Vec<String> {
    let fields = dialog.turns[turn].fields.iter();
    let shown = fields.map(|field| format!("{}={}", field.name, field.content.as_str()));
    shown.collect()
}

fn said(part: &str) -> String {
    format!(
        r#"{{"messages": [{{"role": "user", "content": "?"}}, {{"role": "assistant", "content": [{part}]}}]}}"#
    )
}

#[test]
fn the_summary_of_redacted_reasoning_is_read() {
    let part = |members: &str| {
        let text = r#"{"type": "text", "text": "Calm."}"#;
        said(&format!(r#"{{"type": "reasoning", "reasoning": "gAAAA"{members}}}, {text}"#))
    };
    for (members, reasoning) in [
        (
            r#", "redacted": true, "summary": "The table has it.""#,
            &["reasoning=The table has it."][..],
        ),
        (r#", "redacted": true"#, &["reasoning=gAAAA"]),
        (r#", "redacted": false, "summary": "x""#, &["reasoning=gAAAA", "summary=x"]),
        (r#", "redacted": false, "summary": """#, &["reasoning=gAAAA"]),
    ] {
        let dialog = read("messages", &part(members));
        assert_eq!(fields(&dialog, 1), reasoning, "{members}");
    }
}

#[test]
fn what_a_text_cites_is_a_field() {
    let cited = r#"[{"type": "char_location", "cited_text": "calm"}]"#;
    let text = |more: &str| format!(r#"{{"type": "text", "text": "Calm."{more}}}"#);
    let cites = text(&format!(r#", "citations": {cited}"#));
    let dialog = read("messages", &said(&cites));
    assert_eq!(dialog.turns[1].text, "Calm.");
    assert_eq!(fields(&dialog, 1), [format!("citations={cited}")]);
    let bare = text(r#", "citations": null, "annotations": []"#);
    assert!(fields(&read("messages", &said(&bare)), 1).is_empty());
    // In an answer, it is a field of the turn with that: beside a call, it would say that the call failed.
    let used = r#"{"type": "tool_use", "id": "a", "name": "wind", "input": {}}"#;
    let answered = said(&format!(
        r#"{used}, {{"type": "tool_result", "tool_use_id": "a", "content": [{cites}]}}"#
    ));
    let dialog = read("messages", &answered);
    assert_eq!(fields(&dialog, 1), [format!("citations={cited}")]);
    assert_eq!(dialog.turns[1].calls[0].failures().count(), 0);
}

#[test]
fn members_of_messages_in_lines_of_gemini_are_fields() {
    let lines = [
        r#"{"sessionId": "g", "projectHash": "1f", "startTime": "2025-01-01T09:00:00Z"}"#,
        r#"{"id": "m0", "timestamp": "2025-01-01T09:00:01Z", "type": "user", "content": "wind?", "displayContent": "wind in Porto?"}"#,
        r#"{"id": "m1", "timestamp": "2025-01-01T09:00:02Z", "type": "gemini", "content": "Calm.", "model": "gemini-x", "note": "here"}"#,
        r#"{"$set": {"lastUpdated": "2025-01-01T09:00:02Z"}}"#,
    ];
    let folder = scratch();
    fs::write(folder.path().join("g.jsonl"), lines.join("\n")).unwrap();
    for query in
        ["field:model=gemini-x", "field:displayContent=\"wind in Porto?\"", "field:note=here"]
    {
        let ran = run_in(folder.path(), &["find", query, "g.jsonl"], "");
        assert_eq!(ran.out.matches("g.jsonl").count(), 1, "{query}: {ran:?}");
    }
}

/// An answer to no call is named, and leaves no empty message.
#[test]
fn an_export_names_answers_without_a_call() {
    let line = |role: &str, part: &str| {
        format!(
            r#"{{"type": "{role}", "sessionId": "s", "message": {{"role": "{role}", "content": [{part}]}}}}"#
        )
    };
    let lines = [
        line("user", r#"{"type": "text", "text": "wind?"}"#),
        line("assistant", r#"{"type": "text", "text": "I look."}"#),
        line("user", r#"{"type": "tool_result", "tool_use_id": "k9", "content": "calm"}"#),
        line("assistant", r#"{"type": "text", "text": "Calm."}"#),
    ];
    let parts = [
        r#"{"role": "user", "content": "wind?"}"#,
        r#"{"role": "assistant", "content": "I look."}"#,
        r#"{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "k9", "content": "calm"}]}"#,
        r#"{"role": "assistant", "content": "Calm."}"#,
    ];
    let folder = scratch();
    for (name, text) in [
        ("s.jsonl", lines.join("\n")),
        ("m.json", format!(r#"{{"messages": [{}]}}"#, parts.join(", "))),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let ran = run_in(folder.path(), &["export", "chat", name, "-o", "-"], "");
        assert!(ran.err.contains("1 answer without a call"), "{ran:?}");
        assert!(!ran.out.contains(r#""content":"""#), "{ran:?}");
        assert_eq!(ran.out.matches(r#""role":"user""#).count(), 1, "{ran:?}");
    }
}
