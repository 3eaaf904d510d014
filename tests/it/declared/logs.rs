//! Logs that repeat or take back what they say, and those with several answers.

use std::fs;

use turnwise::dialog::Payload;

use super::sessions::{calls, only, sample, unread};
use crate::support::{run_in, scratch};

#[test]
fn a_message_that_is_written_again_is_one_turn() {
    let text = sample("gemini-cli-lines");
    let dialog = only(&text);
    assert_eq!(calls(&dialog), ["1 get_tide → 14:10"]);
    assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (2, ""));
    assert_eq!(dialog.id, "g-2");
    let back = r#"{"$rewindTo": "m2"}"#;
    let asked = r#"{"id": "m3", "timestamp": "2026-01-01T09:00:03Z", "type": "user", "content": "and wind?"}"#;
    let history = r#"{"$set": {"messages": [{"id": "m1", "type": "user", "content": "short"}]}}"#;
    let dialog = only(&format!("{text}\n{back}\n{asked}\n{history}\n"));
    assert_eq!(dialog.turns.len(), 3);
    let events: Vec<_> = dialog.events.at(1).collect();
    assert_eq!(events, ["messages taken back: m2"]);
    assert_eq!(dialog.branches.0[0].turns, [1]);
    let events: Vec<_> = dialog.events.at(2).collect();
    assert_eq!(events, ["history replaced by messages that are not read"]);
    assert_eq!(unread(&dialog), "messages");
    // Where nothing but the history says what was said, and where a line is of an unknown kind.
    let first = text.lines().next().unwrap();
    let dialog = only(&format!("{first}\n{history}\n"));
    assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (0, "messages"));
    let dialog = only(&format!("{text}\n{{\"$newThing\": 1}}\n"));
    assert_eq!(unread(&dialog), "$newThing");
}

#[test]
fn runs_of_benchmarks_hold_the_events_of_openhands() {
    for (family, expected) in [
        ("openhands-runs", &["1 run → 14:10", "3 shell → Friday"][..]),
        ("openhands-sdk-runs", &["2 terminal → 14:10"]),
    ] {
        let dialog = only(&sample(family));
        assert_eq!(calls(&dialog), expected, "{family}");
        assert_eq!((dialog.id.as_str(), unread(&dialog).as_str()), ("tides-1", ""), "{family}");
    }
}

/// Older runs hold pairs of an action and its observation.
#[test]
fn events_of_openhands_may_be_in_pairs() {
    let run = r#"{"instance_id": "tides-1", "test_result": {}, "history": [
        [{"id": 0, "source": "user", "action": "message", "args": {"content": "Wind?"}},
         {"id": 1, "source": "environment", "observation": "null", "content": "", "extras": {}}],
        [{"id": 2, "source": "agent", "action": "run", "args": {"command": "wind"}},
         {"id": 3, "source": "agent", "cause": 2, "observation": "run", "content": "calm", "extras": {}}],
        [{"source": "agent", "action": "run", "args": {"command": "tide"}},
         {"source": "agent", "observation": "run", "content": "low", "extras": {}}]]}"#;
    let dialog = only(run);
    assert_eq!(calls(&dialog), ["2 run → calm", "4 run → low"]);
    assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (6, ""));
}

#[test]
fn only_the_first_of_several_answers_is_a_turn() {
    let message =
        |text: &str| format!(r#"{{"message": {{"role": "assistant", "content": "{text}"}}}}"#);
    let chat = format!(
        r#"{{"request": {{"messages": [{{"role": "user", "content": "?"}}]}}, "response": {{"choices": [{}, {}]}}}}"#,
        message("one"),
        message("two")
    );
    let candidate = |text: &str| {
        format!(r#"{{"content": {{"role": "model", "parts": [{{"text": "{text}"}}]}}}}"#)
    };
    let gemini = format!(
        r#"{{"contents": [{{"role": "user", "parts": [{{"text": "?"}}]}}], "candidates": [{}, {}]}}"#,
        candidate("one"),
        candidate("two")
    );
    for (text, kind) in [(chat, "choices"), (gemini, "candidates")] {
        let dialog = only(&text);
        let said: Vec<_> = dialog.turns.iter().map(|turn| turn.text.as_str()).collect();
        assert_eq!((said, unread(&dialog).as_str()), (vec!["?", "one"], kind));
        assert!(format!("{:?}", dialog.fields).contains("two"));
    }
}

/// The marks of the first calls, and their answers.
fn failures(text: &str) -> Vec<String> {
    let dialog = only(text);
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let failed = calls.flat_map(|call| {
        call.failures().map(|field| {
            let answer = call.response.as_ref().and_then(Payload::text);
            format!("{}={} {answer:?}", field.name, field.content.as_str())
        })
    });
    failed.collect()
}

#[test]
fn errors_and_refusals_answer_the_actions_of_openhands_and_are_failures() {
    for family in ["openhands", "openhands-runs"] {
        let text = sample(family);
        assert!(failures(&text).is_empty());
        for (kind, source) in [("error", "agent"), ("user_rejected", "user")] {
            let from = r#""source": "agent", "observation": "run""#;
            let to = format!(r#""source": "{source}", "observation": "{kind}""#);
            let other = text.replace(from, &to);
            let expected = ["14:10", "Friday"].map(|of| format!("observation={kind} Some({of:?})"));
            assert_eq!(failures(&other), expected, "{family}");
            let dialog = only(&other);
            assert_eq!(unread(&dialog), "");
            // Errors that answer nothing are found as these are.
            let mut fields = dialog.turns[2].fields.iter();
            assert!(fields.any(|field| field.content.as_str() == kind), "{dialog:?}");
        }
    }
}

/// Declared tools check the calls of a request, and are shown as what else it holds.
#[test]
fn tools_that_a_request_declares_are_shown() {
    let request = r#"{"request": {"tools": [{"name": "get_tide", "description": "Tells the tide.", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": "Hello"}]},
        "response": {"id": "m", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]}}"#;
    let folder = scratch();
    let line = request.replace('\n', "");
    fs::write(folder.path().join("a.jsonl"), line + "\n").unwrap();
    let shown = run_in(folder.path(), &["show", "a.jsonl"], "");
    assert!(shown.out.contains("Tells the tide."), "{shown:?}");
    let found = run_in(folder.path(), &["find", "get_tide", "a.jsonl"], "");
    assert_eq!(found.code, 0, "{found:?}");
}
