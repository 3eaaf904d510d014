//! Drafts for files whose lines are turns.

use turnwise::dialog::{Dialog, Role};
use turnwise::format::Formats;
use turnwise::format::declared::draft;

use super::declared;
use super::sessions::{all, calls, only, unread};
use crate::support::{run_in, scratch};

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

const FLAT: &str = r#"{"run": "r1", "kind": "begin"}
{"run": "r1", "kind": "say", "who": "user", "said": "When is high tide in Porto?"}
{"run": "r1", "kind": "call", "call_id": "a", "tool": "get_tide", "args": "{\"port\": \"Porto\"}"}
{"run": "r1", "kind": "done", "ref": "a", "result": "14:10"}
{"run": "r1", "kind": "say", "who": "agent", "said": "High tide is at 14:10 today."}
{"run": "r1", "kind": "say", "who": "user", "said": "Thanks for the help."}
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
    let dialogs = by_draft(FLAT, "flat.jsonl");
    let [dialog] = dialogs.as_slice() else {
        panic!("{}", dialogs.len());
    };
    assert_eq!((dialog.id.as_str(), dialog.turns.len()), ("r1", 5));
    assert_eq!(calls(dialog), ["1 get_tide → 14:10"]);
    assert_eq!(unread(dialog), "");
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

#[test]
fn a_failed_draft_leaves_no_file() {
    let folder = scratch();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("a.json", "[1, 2]");
    write("b.trace", HARBOUR);
    let ran = run_in(folder.path(), &["formats", "new", "a.json", "-o", "formats/a.toml"], "");
    assert_eq!(ran.code, 2);
    assert!(!folder.path().join("formats/a.toml").exists());
    std::fs::create_dir(folder.path().join("formats")).unwrap();
    let ran = run_in(folder.path(), &["formats", "new", "b.trace", "-o", "formats/b.toml"], "");
    assert!(ran.code == 0 && !ran.err.contains("reads descriptions"), "{ran:?}");
    let ran = run_in(folder.path(), &["check", "b.trace"], "");
    assert!(ran.code == 0 && ran.out.contains(" b "), "{ran:?}");
    let ran = run_in(folder.path(), &["formats", "check", "formats/b.toml", "b.trace"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run_in(folder.path(), &["formats", "new", "b.trace", "-o", "formats/b.toml"], "");
    assert!(ran.code == 2 && ran.err.contains("exists"), "{ran:?}");
}

/// A list of calls whose only member in all of them is an argument, and names that nothing shows to be a user's.
#[test]
fn drafts_guess_by_what_repeats() {
    let row = |event: &str, rest: &str| format!(r#"{{"event": "{event}", "sess": "s-1", {rest}}}"#);
    let rows = [
        row("user", r#""body": "When is high tide in Porto?""#),
        row(
            "bot",
            r#""body": "I look it up.", "acts": [{"ref": "t1", "fn": "tide", "with": {"port": "Porto"}}, {"ref": "t2", "fn": "wind", "with": {"port": "Faro"}}]"#,
        ),
        row("done", r#""ref": "t2", "out": "calm""#),
        row("done", r#""ref": "t1", "out": "14:10""#),
        row("bot", r#""body": "At 14:10, and it is calm.", "acts": []"#),
    ];
    let text = rows.join("\n");
    let dialogs = by_draft(&text, "own.jsonl");
    assert_eq!(dialogs[0].id, "s-1");
    assert_eq!(calls(&dialogs[0]), ["1 tide → 14:10", "1 wind → calm"]);
    let toml = draft(&text, "own.jsonl").unwrap().toml;
    assert!(!toml.contains("with.port"), "{toml}");
    let row = |conv: usize, who: &str, said: &str| {
        format!(r#"{{"conv": "d{conv}", "who": "{who}", "said": "{said}"}}"#)
    };
    let rows = [
        row(0, "guest", "Is there a room for two nights?"),
        row(0, "clerk", "There is one with a view of the harbour."),
        row(1, "guest", "When is breakfast served here?"),
        row(1, "clerk", "From seven to ten in the morning."),
    ];
    for text in [rows.join("\n"), format!("[{}]", rows.join(",\n"))] {
        let dialogs = by_draft(&text, "own.json");
        let found: Vec<_> =
            dialogs.iter().map(|dialog| (dialog.id.as_str(), dialog.turns.len())).collect();
        assert_eq!(found, [("d0", 2), ("d1", 2)]);
        let role = |turn: usize| dialogs[0].turns[turn].speaker.role;
        assert_eq!((role(0), role(1)), (Role::User, Role::System));
    }
}

#[test]
fn drafts_say_what_they_leave_out() {
    let dialog = |id: usize| {
        format!(
            r#"{{"key": "k{id}", "lines": ["User: hello number {id} there my friend", "Agent: yes I look it up", "User: thanks a lot for that"],
            "used": [null, [{{"name": "lookup", "args": {{"d": {id}}}}}], null]}}"#
        )
    };
    let text = format!("[{}]", [0, 1, 2].map(dialog).join(","));
    let found = draft(&text, "own.json").unwrap();
    assert!(found.toml.contains("prefix = \": \"\nuser = [\"User\"]"), "{}", found.toml);
    let warnings = found.warnings.join("\n");
    assert!(warnings.contains("these members are fields and nothing else: `used`;"), "{warnings}");
}

/// Rows without the member that tells turns may be anything, also calls.
#[test]
fn rows_that_a_draft_hides_are_named() {
    let run = |id: &str| {
        format!(
            r#"{{"run": "{id}", "kind": "utter", "who": "user", "words": "hello there {id}"}}
{{"run": "{id}", "kind": "utter", "who": "assistant", "words": "I look it up"}}
{{"run": "{id}", "kind": "utter", "who": "user", "words": "thanks, that was quick {id}"}}
{{"run": "{id}", "kind": "fire", "ref": "{id}2", "op": "poke", "with": {{"z": 1}}}}
{{"run": "{id}", "kind": "got", "ref": "{id}2", "out": "poked {id}"}}
{{"run": "{id}", "kind": "utter", "who": "assistant", "words": "bye {id}"}}
"#
        )
    };
    let text = run("A") + &run("B");
    let drafted = draft(&text, "own.jsonl").unwrap();
    let warned = drafted.warnings.iter().any(|warning| warning.contains("`other`"));
    assert!(warned, "{:?}", drafted.warnings);
    let dialogs = by_draft(&text, "own.jsonl");
    let lost: Vec<_> = dialogs.iter().map(unread).collect();
    assert_eq!(lost, ["other", "other"]);
}

/// Rows of several cases, under a name that nobody knows.
#[test]
fn rows_with_one_value_after_the_other_are_dialogs() {
    let row = |case: usize, line: usize, who: &str| {
        format!(
            r#"{{"row": {case}{line}, "berth": "B-{case}", "day": "d{case}", "party": "{who}", "body": "line {line} of the case {case}"}}"#
        )
    };
    let case = |case: usize| {
        let who = ["customer", "bot", "bot", "customer"];
        let rows: Vec<_> = (0..4).map(|line| row(case, line, who[line])).collect();
        rows.join("\n")
    };
    let text = [1, 2, 3].map(case).join("\n");
    let dialogs = by_draft(&text, "own.jsonl");
    let found: Vec<_> =
        (dialogs.iter()).map(|dialog| (dialog.id.as_str(), dialog.turns.len())).collect();
    assert_eq!(found, [("B-1", 4), ("B-2", 4), ("B-3", 4)]);
    let drafted = draft(&text, "own.jsonl").unwrap();
    assert_eq!(drafted.reads, "12 turns in 3 dialogs");
    let [why] = drafted.warnings.as_slice() else {
        panic!("{:?}", drafted.warnings);
    };
    assert!(why.contains("each value of `berth` is a dialog"), "{why}");
    // Numbers of exchanges, and days alone, divide nothing.
    for (from, to) in [("\"berth\"", "\"turn\""), ("\"berth\"", "\"date\"")] {
        let dialogs = by_draft(&text.replace(from, to), "own.jsonl");
        assert_eq!(dialogs.len(), 1, "{to}");
    }
}

/// Names of which one is known to be the user's, and another has the calls.
#[test]
fn the_speaker_who_makes_calls_is_the_system() {
    let run = |run: usize| {
        format!(
            r#"{{"kind": "begin", "run": "r{run}"}}
{{"kind": "human", "run": "r{run}", "body": {{"parts": [{{"sort": "words", "words": "When is high tide in {run}?"}}]}}}}
{{"kind": "pilot", "run": "r{run}", "body": {{"parts": [{{"sort": "words", "words": "I will look it up."}}, {{"sort": "invoke", "key": "k{run}", "tool": "tide", "params": {{"port": "{run}"}}}}]}}}}
{{"kind": "outcome", "run": "r{run}", "body": {{"parts": [{{"sort": "outcome", "for": "k{run}", "data": "at {run} in the morning", "bad": false}}]}}}}
{{"kind": "pilot", "run": "r{run}", "body": {{"parts": [{{"sort": "words", "words": "It is at {run}."}}]}}}}"#
        )
    };
    let text = [1, 2].map(run).join("\n");
    let dialogs = by_draft(&text, "own.jsonl");
    let toml = draft(&text, "own.jsonl").unwrap().toml;
    assert_eq!((dialogs.len(), unread(&dialogs[0])), (2, String::new()), "{toml}");
    assert_eq!(calls(&dialogs[0]), ["1 tide → at 1 in the morning"], "{toml}");
    let roles: Vec<_> = (dialogs[0].turns.iter()).map(|turn| turn.speaker.role).collect();
    assert_eq!(roles[..2], [Role::User, Role::System], "{toml}");
    assert!(toml.contains("hidden = [\"outcome\"]"), "{toml}");
    // Nothing shows who is the user, and no turns are invented.
    let unknown = text.replace("human", "keeper");
    let why = draft(&unknown, "own.jsonl").unwrap_err();
    assert!(why.contains("looks like a list of turns"), "{why}");
}

#[test]
fn a_draft_tells_the_user_what_it_leaves_out() {
    let text = r#"[{"n": 1, "talk": ["Caller: It is broken now", "Caller: and it is urgent", "Clerk: let me have a look"],
      "invoked": [{"fn": "look", "params": {"n": 1}}]},
     {"n": 2, "talk": ["Caller: It is broken, too", "Clerk: let me have a look"], "invoked": []}]"#;
    let found = draft(text, "own.json").unwrap();
    let warnings = found.warnings.join("\n");
    assert!(
        warnings.contains("these members are fields and nothing else: `invoked`;"),
        "{warnings}"
    );
    let speakers = "prefix = \": \"\nuser = [\"Caller\"]\nsystem = [\"Clerk\"]\n";
    assert!(found.toml.contains(speakers), "{}", found.toml);
}

#[test]
fn a_draft_elsewhere_says_where_descriptions_are_read() {
    let folder = scratch();
    let text = r#"[{"id": "a"}, {"id": "b", "talk": ["Is it open today?", "It is open."]}, {"id": "c", "talk": ["Is it far from here?", "It is not."]}]"#;
    std::fs::write(folder.path().join("a.json"), text).unwrap();
    let ran = run_in(folder.path(), &["formats", "new", "a.json", "-o", "a.toml"], "");
    let why =
        "a.toml: turnwise reads descriptions in a folder `formats` beside the corpus or above it";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
}

#[test]
fn rows_of_tokens_are_turns() {
    let row = |chat: &str, who: &str, text: &str| {
        let tokens: Vec<_> = text.split(' ').collect();
        let tags = vec!["O"; tokens.len()];
        serde_json::json!({"chat": chat, "speaker": who, "tags": tags, "tokens": tokens})
            .to_string()
    };
    let text = [
        row("a", "user", "Is the tide high ?"),
        row("a", "system", "It is ."),
        row("b", "user", "And at two in Porto ?"),
        row("b", "system", "Low ."),
    ]
    .join("\n");
    let toml = draft(&text, "t.jsonl").unwrap().toml;
    let line = "text = { at = \"tokens[*]\", separator = \" \" }";
    assert!(toml.contains(line), "{toml}");
    let dialogs = by_draft(&text, "t.jsonl");
    let said: Vec<_> =
        (dialogs.iter().flat_map(|dialog| &dialog.turns)).map(|turn| turn.text.as_str()).collect();
    assert_eq!(dialogs.len(), 2);
    assert_eq!(said, ["Is the tide high ?", "It is .", "And at two in Porto ?", "Low ."]);
}

/// Lines of kinds that say something are not among those that a draft passes over.
#[test]
fn a_draft_passes_over_no_lines_with_words() {
    let text = HARBOUR.replace("\"used\": 12", "\"note\": \"Twelve tokens were used.\"");
    let toml = draft(&text, "a.jsonl").unwrap().toml;
    assert!(toml.contains("others = [\"started\"]"), "{toml}");
    let dialogs = by_draft(&text, "a.jsonl");
    assert_eq!(unread(&dialogs[0]), "tokens");
}

#[test]
fn tools_and_instructions_are_hidden_in_drafts() {
    let chat = |id: &str, names: [&str; 3]| {
        let texts = ["You know the tides of all ports.", "When is high tide?", "It is at ten."];
        let turns = names
            .iter()
            .zip(texts)
            .map(|(who, says)| format!(r#"{{"who": "{who}", "says": "{says}"}}"#));
        let turns: Vec<_> = turns.collect();
        format!(r#"{{"id": "{id}", "msgs": [{}]}}"#, turns.join(", "))
    };
    for (names, roles) in [
        (["system", "user", "assistant"], [Role::Context, Role::User, Role::System]),
        (["user", "assistant", "tool"], [Role::User, Role::System, Role::Context]),
        (["assistant", "tool", "assistant"], [Role::System, Role::Context, Role::System]),
        // One who goes on speaking gives no instructions.
        (["system", "user", "system"], [Role::System, Role::User, Role::System]),
    ] {
        let text = format!("[{}, {}]", chat("a", names), chat("b", names));
        for dialog in by_draft(&text, "a.json") {
            let found: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.role).collect();
            assert_eq!(found, roles, "{names:?}");
        }
    }
}
