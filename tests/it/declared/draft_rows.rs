//! Drafts for files whose lines are turns.

use turnwise::dialog::Dialog;
use turnwise::format::Formats;
use turnwise::format::declared::draft;

use super::declared;
use super::sessions::{all, calls, only, unread};

const HARBOUR: &str = r#"{"event": "started", "session": "h-1", "at": 1}
{"event": "user", "session": "h-1", "content": "When is high tide in Porto?"}
{"event": "model", "session": "h-1", "content": [{"type": "thought", "thought": "The table of tides has it."}, {"type": "text", "text": "I look it up in the table."}]}
{"event": "model", "session": "h-1", "content": [{"type": "call", "id": "t1", "tool": "get_tide", "input": {"port": "Porto"}}]}
{"event": "user", "session": "h-1", "content": [{"type": "result", "call": "t1", "output": "no such port", "failed": true}]}
{"event": "tokens", "session": "h-1", "used": 12}
{"event": "model", "session": "h-1", "content": [{"type": "text", "text": "There is no such port in the table."}]}
{"event": "user", "session": "h-2", "content": "Is the ferry late today?"}
{"event": "model", "session": "h-2", "content": [{"type": "call", "id": "t2", "tool": "get_ferry", "input": {"name": "Dora"}}, {"type": "call", "id": "t3", "tool": "get_ferry", "input": {"name": "Elsa"}}]}
{"event": "user", "session": "h-2", "content": [{"type": "result", "call": "t3", "output": "on time"}, {"type": "result", "call": "t2", "output": "late by an hour"}]}
{"event": "model", "session": "h-2", "content": [{"type": "text", "text": "Dora is late by an hour."}]}
"#;

/// Reads a file by the untouched draft of it.
fn by_draft(text: &str, name: &str) -> Vec<Dialog> {
    let drafted = draft(text, name).unwrap_or_else(|why| panic!("{name}: {why}"));
    let formats = Formats::with(vec![declared(&drafted.toml)]);
    let dialogs = all(text, &formats);
    assert!(dialogs.iter().all(|(_, issues)| *issues == 0), "{}", drafted.toml);
    dialogs.into_iter().map(|(dialog, _)| dialog).collect()
}

#[test]
fn an_untouched_draft_reads_turns_calls_and_answers() {
    let dialogs = by_draft(HARBOUR, "harbour.trace");
    let found: Vec<_> = dialogs
        .iter()
        .map(|dialog| (dialog.id.as_str(), dialog.turns.len(), unread(dialog)))
        .collect();
    assert_eq!(found, [("h-1", 5, String::new()), ("h-2", 4, String::new())]);
    assert_eq!(calls(&dialogs[0]), ["2 get_tide → no such port"]);
    assert_eq!(calls(&dialogs[1]), ["1 get_ferry → late by an hour", "1 get_ferry → on time"]);
    assert_eq!(dialogs[0].turns[1].text, "I look it up in the table.");
    let toml = draft(HARBOUR, "harbour.trace").unwrap().toml;
    for line in [
        "split = \"session\"",
        "files = [\"*.trace\"]",
        "is = { event = [\"model\", \"user\"] }",
        "others = [\"started\", \"tokens\"]",
        "reasoning = \"content[*].thought\"",
        "parts = \"content[*]\"",
        "error = \"failed\"",
    ] {
        assert!(toml.contains(line), "{line}\n{toml}");
    }
    // Lines that say something are not passed over without a word.
    let said = HARBOUR.replace(r#""used": 12"#, r#""note": "Twelve tokens were used.""#);
    let toml = draft(&said, "harbour.trace").unwrap().toml;
    assert!(toml.contains("others = [\"started\"]"), "{toml}");
    assert_eq!(unread(&by_draft(&said, "harbour.trace")[0]), "tokens");
}

/// The program knows these families, and a draft finds the same calls and answers without knowing them.
#[test]
fn drafts_of_known_sessions_read_the_calls_that_their_families_do() {
    for text in [
        include_str!("../../../assets/demo/sessions/claude-code-ferry.jsonl"),
        include_str!("../../../assets/demo/sessions/codex-orchard.jsonl"),
    ] {
        let (own, drafted) = (only(text), by_draft(text, "own"));
        let found: Vec<_> = drafted.iter().flat_map(calls_alone).collect();
        // A second form of calls is left to the user.
        let mut expected = calls_alone(&own);
        expected.retain(|call| !call.starts_with("apply_patch"));
        let toml = draft(text, "own").unwrap().toml;
        assert_eq!(found, expected, "{toml}");
    }
}

/// Calls with their answers, without the numbers of their turns.
fn calls_alone(dialog: &Dialog) -> Vec<String> {
    let all = calls(dialog).into_iter();
    all.map(|call| call.split_once(' ').unwrap().1.to_owned()).collect()
}
