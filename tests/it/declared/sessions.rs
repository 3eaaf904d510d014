//! Sessions of agents: files whose lines are turns, parts of turns, and answers that are found by ids.

use std::fs;

use turnwise::corpus::{Arrangement, CorpusFile, index_with};
use turnwise::dialog::{Dialog, Edit, Payload, Role, UnreadParts};
use turnwise::format::{Formats, named};

use super::{declared, edited};
use crate::support::files::saved;
use crate::support::{project, run_in, scratch};

fn opened(text: &str, formats: &Formats) -> CorpusFile {
    let bytes = text.as_bytes().to_vec();
    let index = index_with(&bytes, formats, false).unwrap();
    CorpusFile::new(bytes, index)
}

/// The dialogs of a file, and how many issues each has.
pub(super) fn all(text: &str, formats: &Formats) -> Vec<(Dialog, usize)> {
    let file = opened(text, formats);
    let count = file.index().pieces.len();
    let read = |position| {
        let (dialog, issues) = file.dialog(position).unwrap().unwrap();
        (dialog, issues.len())
    };
    (0..count).map(read).collect()
}

pub(super) fn only(text: &str) -> Dialog {
    let mut dialogs = all(text, &Formats::default());
    assert_eq!(dialogs.len(), 1);
    let (dialog, issues) = dialogs.remove(0);
    assert_eq!(issues, 0);
    dialog
}

/// Each call as `turn name → response`.
pub(super) fn calls(dialog: &Dialog) -> Vec<String> {
    let turns = dialog.turns.iter().enumerate();
    let all = turns.flat_map(|(number, turn)| turn.calls.iter().map(move |call| (number, call)));
    all.map(|(turn, call)| {
        let response = match &call.response {
            None => "-".to_owned(),
            Some(Payload::Fields(fields)) => fields[0].content.as_str().to_owned(),
            Some(other) => other.text().unwrap().to_string(),
        };
        format!("{turn} {} → {response}", call.name)
    })
    .collect()
}

pub(super) fn unread(dialog: &Dialog) -> String {
    let mut all = UnreadParts::default();
    all.add_dialog(dialog);
    all.names()
}

pub(super) fn sample(family: &str) -> String {
    let format = named(family).unwrap();
    let description = format.description();
    let sample = description.sample.clone().unwrap();
    sample.trim_start_matches('\n').to_owned()
}

/// A family, and what it reads in its sample: the id, the speakers of the turns, and the calls.
type Expected = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const FAMILIES: [Expected; 17] = [
    (
        "claude-code",
        "s-1",
        &["user", "assistant", "assistant", "user"],
        &["2 get_tide → no such port"],
    ),
    (
        "codex",
        "c-1",
        &[
            "user",
            "reasoning",
            "function_call",
            "function_call_output",
            "custom_tool_call",
            "custom_tool_call_output",
            "web_search_call",
            "tool_search_call",
            "tool_search_output",
        ],
        &[
            "2 shell → 14:10",
            "4 apply_patch → Done",
            "6 web_search_call → -",
            "7 tool_search_call → [{\"type\": \"function\", \"name\": \"get_wind\"}]",
        ],
    ),
    (
        "qwen-code",
        "q-1",
        &["user", "assistant", "tool_result", "assistant"],
        &["1 get_tide → 14:10"],
    ),
    ("gemini-history", "", &["user", "model", "user", "model"], &["1 get_tide → 14:10"]),
    (
        "gemini-cli-stream",
        "g-3",
        &["user", "tool_use", "tool_result", "assistant"],
        &["1 get_tide → no such port"],
    ),
    (
        "response-items",
        "r-1",
        &[
            "user",
            "reasoning",
            "function_call",
            "function_call_output",
            "custom_tool_call",
            "web_search_call",
            "assistant",
        ],
        &["2 get_tide → 14:10", "4 note → -", "5 web_search_call → -"],
    ),
    (
        "session-traces",
        "h-1",
        &["user", "assistant", "tool", "assistant", "toolResult", "assistant", "user"],
        &["1 get_tide → 14:10", "3 get_wind → no such port", "5 get_moon → full"],
    ),
    (
        "swe-agent",
        "",
        &["system", "user", "assistant", "tool", "assistant", "user"],
        &["2 open → 1: TIDES = []", "4 action → 14:10"],
    ),
    ("atif", "a-1", &["user", "agent"], &["1 get_tide → 14:10"]),
    ("gemini-cli", "g-1", &["user", "gemini"], &["1 get_tide → 14:10"]),
    (
        "openhands",
        "",
        &["user", "agent", "agent", "agent", "agent"],
        &["1 run → 14:10", "3 shell → Friday"],
    ),
    (
        "openhands-sdk",
        "",
        &["agent", "user", "agent", "environment", "agent"],
        &["2 terminal → 14:10"],
    ),
    ("gemini-api", "q-1", &["user", "model", "user", "model"], &["1 get_tide → 14:10"]),
    (
        "responses",
        "resp_1",
        &[
            "user",
            "assistant",
            "function_call",
            "function_call_output",
            "reasoning",
            "custom_tool_call",
            "web_search_call",
            "assistant",
        ],
        &["2 get_tide → 14:10", "5 note → -", "6 web_search_call → -"],
    ),
    ("bfcl", "tides_0", &["system", "user", "user"], &[]),
    (
        "requests",
        "r-1",
        &["user", "assistant", "user", "assistant", "tool", "assistant", "function", "assistant"],
        &["1 get_tide → 14:10", "3 get_wind → calm", "5 get_moon → full"],
    ),
    (
        "message-list",
        "",
        &["system", "user", "assistant", "user", "assistant", "tool"],
        &["2 get_tide → 14:10", "4 get_wind → calm"],
    ),
];

#[test]
fn every_family_reads_its_turns_and_pairs_calls_with_answers() {
    for (family, id, speakers, expected) in FAMILIES {
        let text = sample(family);
        let file = opened(&text, &Formats::default());
        assert_eq!(file.format().unwrap().name(), family);
        let dialog = only(&text);
        let found: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.name.as_str()).collect();
        assert_eq!((dialog.id.as_str(), found.as_slice()), (id, speakers), "{family}");
        assert_eq!(calls(&dialog), expected, "{family}");
        assert_eq!(unread(&dialog), "", "{family}");
        // The turn of an answer has no text.
        let is_answer = |role: Role| matches!(role, Role::Context);
        let answers = dialog.turns.iter().filter(|turn| is_answer(turn.speaker.role));
        let texts: Vec<_> = answers.map(|turn| turn.text.as_str()).collect();
        let spoken = ["Fix the issue.", "You know the tides.", "Reading the table"];
        assert!(
            texts.iter().all(|text| text.is_empty() || spoken.contains(text)),
            "{family}: {texts:?}"
        );
    }
}

#[test]
fn an_edit_of_a_session_changes_its_bytes_alone() {
    let same = |family: &str, record: &str, from: &str, to: &str| {
        let text = sample(family);
        let edit: Edit = serde_json::from_str(record).unwrap();
        let after = edited(named(family).unwrap(), &text, &edit);
        let after = after.unwrap_or_else(|error| panic!("{family}: {error}"));
        assert_eq!(after.text, text.replacen(from, to, 1), "{family}");
    };
    let text = r#"{"edit":"set_text","turn":1,"text":"I see."}"#;
    for family in ["claude-code", "gemini-cli", "atif"] {
        same(family, text, "I look it up.", "I see.");
    }
    let value = |turn: usize, name: &str, value: &str| {
        format!(
            r#"{{"edit":"set_value","turn":{turn},"call":0,"part":"arguments","name":"{name}","value":"{value}"}}"#
        )
    };
    same("claude-code", &value(2, "port", "Faro"), "\"port\": \"Porto\"", "\"port\": \"Faro\"");
    same(
        "codex",
        &value(2, "command", "ls"),
        r#"\"command\": \"tides porto\""#,
        r#"\"command\": \"ls\""#,
    );
    same("codex", &value(4, "input", "- 14:10"), "+ 14:10", "- 14:10");
    same("session-traces", &value(1, "port", "Faro"), r#"\"Porto\""#, r#"\"Faro\""#);
    let response = |turn: usize| {
        format!(r#"{{"edit":"set_json","turn":{turn},"call":0,"part":"response","text":"15:20"}}"#)
    };
    same("claude-code", &response(2), "no such port", "15:20");
    for (family, turn) in
        [("codex", 2), ("session-traces", 1), ("atif", 1), ("openhands", 1), ("message-list", 2)]
    {
        let once = if family == "codex" { "\"output\": \"14:10\"" } else { "14:10" };
        same(family, &response(turn), once, &once.replace("14:10", "15:20"));
    }
    let name = r#"{"edit":"set_api","turn":2,"call":0,"name":"tides"}"#;
    same("claude-code", name, "get_tide", "tides");
    let speaker = r#"{"edit":"set_speaker","turn":1,"speaker":"user"}"#;
    same("atif", speaker, "\"agent\", \"message\"", "\"user\", \"message\"");
}

#[test]
fn edits_without_a_place_are_refused_with_the_reason() {
    let mut others = Vec::new();
    let mut refused = |family: &str, record: &str, why: &str| {
        let edit: Edit = serde_json::from_str(record).unwrap();
        let error = edited(named(family).unwrap(), &sample(family), &edit);
        let error = error.map_or_else(|error| error.to_string(), |_| "it is made".to_owned());
        others.extend((!error.contains(why)).then(|| format!("{family} {record}: {error}")));
    };
    let line = "each line of the file is a turn";
    refused("claude-code", r#"{"edit":"remove_turn","turn":1}"#, line);
    let add = r#"{"edit":"add_turn","turn":1,"speaker":"user","text":"x"}"#;
    refused("session-traces", add, line);
    refused(
        "claude-code",
        r#"{"edit":"set_text","turn":3,"text":"x"}"#,
        "it is the response of a call in turn 2",
    );
    refused(
        "claude-code",
        r#"{"edit":"set_text","turn":2,"text":"x"}"#,
        "the text of turn 2 cannot be edited so",
    );
    refused(
        "session-traces",
        r#"{"edit":"set_speaker","turn":2,"speaker":"user"}"#,
        "also change the response of call 0 of turn 1",
    );
    refused(
        "response-items",
        r#"{"edit":"set_speaker","turn":0,"speaker":"guest"}"#,
        "also change the number of turns",
    );
    refused(
        "openhands",
        r#"{"edit":"set_text","turn":1,"text":"x"}"#,
        "also change the arguments of call 0 of turn 1",
    );
    refused(
        "openhands",
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"thought","value":"x"}"#,
        "also change the text of turn 1",
    );
    refused(
        "codex",
        r#"{"edit":"set_speaker","turn":2,"speaker":"user"}"#,
        "also change the calls of turn 2",
    );
    refused("codex", r#"{"edit":"remove_call","turn":4,"call":0}"#, "number of turns");
    refused("codex", r#"{"edit":"remove_call","turn":6,"call":0}"#, "number of turns");
    refused(
        "claude-code",
        r#"{"edit":"add_call","turn":1,"name":"f","arguments":[]}"#,
        "ids or marks",
    );
    assert_eq!(others, [""; 0]);
}

#[test]
fn what_is_not_read_is_counted_and_kept() {
    let line = |kind: &str, content: &str| {
        format!(
            r#"{{"type":"{kind}","sessionId":"s","message":{{"role":"{kind}","content":{content}}}}}"#
        )
    };
    let image = r#"[{"type":"text","text":"see"},{"type":"image","source":{"data":"AA"}}]"#;
    let lost = r#"[{"type":"tool_result","tool_use_id":"x","content":"1"}]"#;
    let inner = r#"[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"2"},{"type":"image","source":{}}]}]"#;
    let call = r#"[{"type":"tool_use","id":"t","name":"f","input":{}}]"#;
    let text = [
        line("user", image),
        line("user", lost),
        line("assistant", call),
        line("user", inner),
        r#"{"type":"hologram","sessionId":"s"}"#.to_owned(),
        r#"{"sessionId":"s"}"#.to_owned(),
        r#"{"type":"progress","data":{"n":1}}"#.to_owned(),
    ]
    .join("\n");
    let dialog = only(&text);
    assert_eq!(unread(&dialog), "answer without a call, hologram, image, other");
    assert_eq!(calls(&dialog), ["2 f → 2"]);
    let fields = |fields: &[turnwise::dialog::Field]| -> Vec<(String, String)> {
        let both = |field: &turnwise::dialog::Field| {
            (field.name.to_string(), field.content.as_str().to_owned())
        };
        fields.iter().map(both).collect()
    };
    let own = |name: &str, raw: &str| (name.to_owned(), raw.to_owned());
    assert_eq!(
        fields(&dialog.turns[0].fields),
        [own("image", r#"{"type":"image","source":{"data":"AA"}}"#)]
    );
    assert_eq!(fields(&dialog.turns[1].fields), [own("tool_result", &lost[1..lost.len() - 1])]);
    assert_eq!(fields(&dialog.turns[3].fields), [own("image", r#"{"type":"image","source":{}}"#)]);
    let names: Vec<_> = dialog.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["hologram", "other", "progress"]);
    // A message that holds more than answers is the user's.
    assert_eq!(dialog.turns[3].speaker.role, Role::User);
    let folder = scratch();
    std::fs::write(folder.path().join("s.jsonl"), &text).unwrap();
    let ran = run_in(folder.path(), &["check", "s.jsonl"], "");
    let said = "s.jsonl: 5 parts are not read: answer without a call, hologram, image, other\n";
    assert!(ran.out.starts_with(said) && ran.code == 0, "{ran:?}");
    let ran = run_in(folder.path(), &["show", "s.jsonl"], "");
    assert!(ran.out.contains("not read  hologram, other\n"), "{ran:?}");
}

#[test]
fn a_session_may_be_unfinished_or_short() {
    let text = sample("claude-code");
    let lines: Vec<_> = text.lines().collect();
    // Half a last line, and a broken one between others.
    let half = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..60]);
    let broken = format!("{}\n{{\"a\": \"\n{}\n", lines[0], lines[1..].join("\n"));
    // Half a first line, of a session whose beginning is lost.
    let first = format!("{}\n{}", &lines[0][..20], lines[1..].join("\n"));
    let second = format!("{}\n{}", &lines[0][20..], lines[1..].join("\n"));
    let other = format!("hello\n{}", lines[1..].join("\n"));
    for (text, turns) in [(half, 2), (broken, 4), (first, 4), (second, 4), (other, 4)] {
        let dialogs = all(&text, &Formats::default());
        let [(dialog, issues)] = dialogs.as_slice() else {
            panic!("{}", dialogs.len());
        };
        assert_eq!(
            (dialog.turns.len(), *issues, unread(dialog).as_str()),
            (turns, 1, "broken line")
        );
        let edit: Edit =
            serde_json::from_str(r#"{"edit":"set_text","turn":0,"text":"x"}"#).unwrap();
        let after = edited(named("claude-code").unwrap(), &text, &edit).unwrap();
        assert_eq!(after.text, text.replacen("When is high tide in Porto?", "x", 1));
    }
    // One line is a session, with and without an end.
    for text in
        [lines[1].to_owned(), format!("{}\n", lines[1]), format!("\u{feff}{}\r\n", lines[1])]
    {
        assert_eq!(only(&text).turns.len(), 1);
    }
    // Two sessions in one file are two dialogs; a line without an id belongs to those before it.
    let two = format!("{text}{}", text.replace("s-1", "s-2"));
    let dialogs = all(&two, &Formats::default());
    let found: Vec<_> =
        dialogs.iter().map(|(dialog, _)| (dialog.id.as_str(), calls(dialog).len())).collect();
    assert_eq!(found, [("s-1", 1), ("s-2", 1)]);
    let windows = text.replace('\n', "\r\n");
    assert_eq!(calls(&only(&windows)), ["2 get_tide → no such port"]);
}

#[test]
fn answers_belong_to_the_last_turn_with_their_id() {
    let call = |ids: &[&str]| {
        let ids = ids
            .iter()
            .map(|id| format!(r#"{{"type":"tool_use","id":"{id}","name":"f{id}","input":{{}}}}"#));
        let ids: Vec<_> = ids.collect();
        format!(
            r#"{{"type":"assistant","sessionId":"s","message":{{"role":"assistant","content":[{}]}}}}"#,
            ids.join(",")
        )
    };
    let answer = |id: &str, text: &str| {
        format!(
            r#"{{"type":"user","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}]}}}}"#
        )
    };
    // An answer before its call, an id that repeats in a turn and over turns, and an answer too many.
    let text = [
        answer("a", "early"),
        call(&["a", "a", "b"]),
        call(&["b"]),
        answer("b", "1"),
        answer("a", "2"),
        answer("b", "3"),
        answer("a", "4"),
        answer("a", "5"),
    ]
    .join("\n");
    let dialog = only(&text);
    assert_eq!(calls(&dialog), ["1 fa → 2", "1 fa → 4", "1 fb → 1", "2 fb → 3"]);
    assert_eq!(unread(&dialog), "answer without a call");
    assert_eq!(dialog.turns[0].fields.len() + dialog.turns[7].fields.len(), 2);
}

#[test]
fn bad_input_of_sessions_is_read_as_far_as_it_is_known() {
    let sample = sample("claude-code");
    let lines: Vec<_> = sample.lines().collect();
    // Lines out of order: an answer before its call is its answer.
    let order = [4, 3, 2, 1, 0].map(|line| lines[line]).join("\n");
    let dialog = only(&order);
    assert_eq!(calls(&dialog), ["1 get_tide → no such port"]);
    assert_eq!(unread(&dialog), "");
    // Ids that repeat are two calls, and the one that was tried again has the answer.
    let other = lines[3].replace("e3", "e5");
    let again = [lines[1], lines[3], &other, lines[4]].join("\n");
    assert_eq!(calls(&only(&again)), ["1 get_tide → -", "2 get_tide → no such port"]);
    // Many events of progress.
    let progress = "{\"type\": \"progress\", \"sessionId\": \"s-1\", \"data\": {\"n\": 1}}\n";
    let long = format!("{}{}", progress.repeat(100_000), &sample);
    let dialog = only(&long);
    assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (4, ""));
    // A version that has more: events, members and parts of kinds that nobody knows.
    let newer = sample
        .replace(r#""type": "summary""#, r#""type": "digest""#)
        .replace(r#""uuid": "e3""#, r#""uuid": "e3", "version": "9.0", "shard": [1]"#)
        .replace(
            r#"{"type": "text", "text": "I look it up."}"#,
            r#"{"type": "speech", "audio": "AA"}"#,
        );
    let dialog = only(&newer);
    assert_eq!(unread(&dialog), "digest, speech");
    assert_eq!(calls(&dialog), ["2 get_tide → no such port"]);
}

#[test]
fn lint_finds_lost_answers_and_calls_of_sessions() {
    let folder = scratch();
    let text = sample("claude-code");
    let lines: Vec<_> = text.lines().collect();
    let say = r#"{"type": "assistant", "sessionId": "s-1", "message": {"role": "assistant", "content": "Done."}}"#;
    let lost = |lines: &[&str]| {
        std::fs::write(folder.path().join("s.jsonl"), lines.join("\n")).unwrap();
        run_in(folder.path(), &["lint", "s.jsonl", "--select", "chat"], "").out
    };
    let orphan = "turn 2, no call before waits for an answer in this turn: none has its id, or it has been answered already [chat-answer-orphan]";
    let unanswered = "turn 3, get_tide has no answer [chat-call-unanswered]";
    // The answer came, and then a call whose answer is lost.
    let other = lines[3].replace("e3", "e5");
    let found = lost(&[&lines[1..], &[&other, say]].concat());
    assert!(found.contains(&unanswered.replace('3', "4")), "{found}");
    let found = lost(&[lines[1], lines[2], lines[4], say]);
    assert!(found.contains(orphan), "{found}");
    let found = lost(&[lines[1], lines[3], say]);
    assert!(found.contains("get_tide has no answer"), "{found}");
    // The session is still running.
    for quiet in [[&lines[1..], &[&other]].concat(), lines[1..].to_vec()] {
        let found = lost(&quiet);
        assert!(!found.contains("chat-"), "{found}");
    }
}

#[test]
fn calls_are_checked_by_the_tools_that_a_request_declares() {
    let folder = scratch();
    let lint = |text: &str| {
        std::fs::write(folder.path().join("r.json"), text).unwrap();
        run_in(folder.path(), &["lint", "r.json", "--select", "chat"], "").out
    };
    for (family, from) in
        [("responses", r#"{\"port\": \"Porto\"}"#), ("gemini-api", r#"{"port": "Porto"}}}"#)]
    {
        let text = sample(family);
        let missing = text.replacen(from, &from.replace("port", "harbour"), 1);
        let found = lint(&missing);
        assert!(found.contains("get_tide lacks port"), "{family}: {found}");
        assert!(!lint(&text).contains("lacks"), "{family}");
    }
    // A tool of the service is declared without a name.
    let text = sample("responses");
    assert!(lint(&text).contains("the tool web_search_call is not declared"));
    let text = text.replacen("\"tools\": [", "\"tools\": [{\"type\": \"web_search\"}, ", 1);
    assert!(!lint(&text).contains("not declared"));
}

/// A response has members beside its lists.
#[test]
fn members_beside_lists_of_turns_may_hold_anything() {
    let text = sample("responses");
    let folder = scratch();
    let with = text.replacen(
        "{\"id\": \"resp_1\",",
        "{\"id\": \"resp_1\", \"object\": \"response\", \"status\": \"completed\", \"model\": \"m\", \"usage\": {\"total\": 3},",
        1,
    );
    assert_ne!(with, text);
    for (name, text) in [("a.json", &text), ("b.json", &with)] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let ran = run_in(folder.path(), &["check", name, "--format", "json"], "");
        assert_eq!(ran.code, 0, "{name}: {}", ran.out);
    }
}

#[test]
fn failed_calls_are_found_as_the_manual_says() {
    let folder = project("assets/demo/sessions");
    let found = |query: &str| {
        let ran = run_in(&folder, &["find", query, ".", "--format", "jsonl"], "");
        let lines = ran.out.lines().map(|line| {
            let hit: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{} {}", hit["file"].as_str().unwrap(), hit["turn"])
        });
        lines.collect::<Vec<_>>()
    };
    let ferry = "./claude-code-ferry.jsonl";
    let failed = found("response:is_error=true");
    assert_eq!(failed, [format!("{ferry} 5"), format!("{ferry} 11")]);
    let went_on = "response:is_error=true then within 2 (speaker:system in:utterance pass)";
    assert_eq!(found(went_on), [format!("{ferry} 13")]);
    let codes = found("response:metadata.exit_code!=0");
    assert_eq!(codes, ["./codex-orchard.jsonl 2", "./codex-orchard.jsonl 6"]);
    let ran = run_in(&folder, &["lint", ".", "--select", "chat-call-unanswered"], "");
    assert!(ran.out.contains("WebFetch has no answer"), "{ran:?}");
}

/// A description whose lines are turns, of several dialogs in a file.
const ROWS: &str = r#"
name = "rows"
has = ["[*].chat", "[*].said"]
dialogs = "."
id = "[*].chat"
split = "chat"
files = ["*.rows", "LOG"]

[turn]
at = "[*]"
speaker = "who | from"
user = ["guest"]
system = ["host"]
text = "said"
"#;

#[test]
fn lines_of_several_dialogs_are_divided_by_their_ids() {
    let formats = Formats::with(vec![declared(ROWS)]);
    let row = |chat: &str, who: &str, said: &str| {
        format!(r#"{{"chat": {chat}, "{who}", "said": "{said}"}}"#)
    };
    let who = |name: &str| format!(r#"who": "{name}"#);
    let from = |name: &str| format!(r#"from": "{name}"#);
    let text = [
        row("1", &who("guest"), "a"),
        row("1", &from("host"), "b"),
        row("2", &who("guest"), "c"),
        row("3", &who("guest"), "d"),
        row("3", &who("host"), "e"),
    ]
    .join("\n")
        + "\n";
    let file = opened(&text, &formats);
    assert_eq!(file.index().arrangement, Arrangement::Turns);
    let dialogs = all(&text, &formats);
    let found: Vec<_> =
        dialogs.iter().map(|(dialog, _)| (dialog.id.as_str(), dialog.turns.len())).collect();
    assert_eq!(found, [("1", 2), ("2", 1), ("3", 2)]);
    assert_eq!(dialogs[0].0.turns[1].speaker.role, Role::System);
    // So are the elements of an array.
    let array = format!("[{}]", text.trim_end().replace('\n', ",\n"));
    let dialogs = all(&array, &formats);
    let found: Vec<_> = dialogs.iter().map(|(dialog, _)| dialog.turns.len()).collect();
    assert_eq!(found, [2, 1, 2]);
    let mut file = opened(&array, &formats);
    let edit = r#"{"edit":"set_text","turn":1,"text":"new"}"#;
    file.edit(2, &serde_json::from_str(edit).unwrap()).unwrap();
    assert_eq!(saved(&file), array.replacen(r#""e""#, r#""new""#, 1).as_bytes());
}

#[test]
fn files_with_the_names_of_a_description_are_found_in_folders() {
    let folder = scratch();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("formats/rows.toml", ROWS);
    write("a.rows", "{\"chat\": 1, \"who\": \"guest\", \"said\": \"a\"}\n");
    write("sub/LOG", "{\"chat\": 2, \"who\": \"guest\", \"said\": \"b\"}\n");
    write("b.txt", "{\"chat\": 3, \"who\": \"guest\", \"said\": \"c\"}\n");
    write("t.traj", &sample("swe-agent"));
    let ran = run_in(folder.path(), &["check", "."], "");
    let families = |name: &str| ran.out.lines().find(|line| line.contains(name)).map(str::to_owned);
    assert!(families("a.rows").unwrap().contains(" rows "), "{ran:?}");
    assert!(families("sub/LOG").unwrap().contains(" rows "), "{ran:?}");
    assert!(families("t.traj").unwrap().contains(" swe-agent "), "{ran:?}");
    assert_eq!(families("b.txt"), None);
}

#[test]
fn the_users_description_of_lines_wins_and_a_family_can_be_named() {
    let own = sample("claude-code");
    let mine = r#"
name = "mine"
has = ["[*].sessionId", "[*].message.role"]
dialogs = "."
[turn]
at = "[*]"
is = { type = "user" }
others = ["assistant", "summary"]
speaker = "message.role"
text = "message.content"
"#;
    let formats = Formats::with(vec![declared(mine)]);
    let file = opened(&own, &formats);
    assert_eq!(file.format().unwrap().name(), "mine");
    let named = formats.named("claude-code").unwrap();
    assert_eq!(opened(&own, &named).format().unwrap().name(), "claude-code");
    let other = Formats::default().named("codex").unwrap();
    assert!(opened(&own, &other).format().is_none());
    // A description of lines never takes a line for a dialog.
    let chats = "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}\n".repeat(2);
    assert_eq!(opened(&chats, &Formats::default()).format().unwrap().name(), "messages");
}

#[test]
fn invalid_keys_of_sessions_have_reasons() {
    let base = |top: &str, turn: &str| {
        format!("name = \"x\"\nhas = [\"a\"]\n{top}\n[turn]\nat = \"a[*]\"\ntext = \"t\"\n{turn}\n")
    };
    for (top, turn, why) in [
        ("split = \"id\"", "", "`split` needs lines that are turns"),
        ("files = [\"a/b\"]", "", "`files` has names of files"),
        ("files = [\"*\"]", "", "`files` has names of files"),
        ("", "others = [\"a\"]", "`others` are values"),
        ("", "is = 3", "a table of places and their values"),
        ("", "is = { \"a..b\" = \"c\" }", "a name is missing"),
    ] {
        let error = turnwise::format::Family::read_from(&base(top, turn), None);
        let error = error.err().unwrap_or_else(|| panic!("{top}{turn}")).to_string();
        assert!(error.contains(why), "{top}{turn}: {error}");
    }
}

#[test]
fn events_of_unknown_kinds_are_kept_whole() {
    let line = |payload: &str| {
        format!(r#"{{"timestamp":"t","type":"response_item","payload":{payload}}}"#)
    };
    let unknown = line(r#"{"type":"mcp_call","name":"f","arguments":"{}","output":"x"}"#);
    let lost = line(r#"{"type":"function_call_output","call_id":"?","output":"y"}"#);
    let text = [line(r#"{"type":"message","role":"user","content":[]}"#), unknown.clone(), lost];
    let dialog = only(&text.join("\n"));
    assert_eq!(unread(&dialog), "answer without a call, mcp_call");
    let field = &dialog.turns[1].fields[0];
    assert_eq!((field.name.as_str(), field.content.as_str()), ("mcp_call", unknown.as_str()));
    let field = &dialog.turns[2].fields[0];
    assert_eq!((field.name.as_str(), field.content.as_str()), ("response", "y"));
    // An action that is not a call keeps its arguments, and texts that do not count are fields.
    let text = r#"[{"id": 0, "source": "agent", "action": "look", "message": "All done.",
        "args": {"thought": "Done.", "outputs": {"a": 1}}}]"#;
    let dialog = only(text);
    let fields = dialog.turns[0].fields.iter();
    let fields: Vec<_> =
        fields.map(|field| (field.name.as_str(), field.content.as_str())).collect();
    let expected = [
        ("action", "look"),
        ("args.outputs", r#"{"a": 1}"#),
        ("message", "All done."),
        ("id", "0"),
    ];
    assert_eq!(fields, expected);
}

#[test]
fn lines_that_end_in_cr_alone_are_named() {
    let folder = scratch();
    let text = sample("claude-code").trim().replace('\n', "\r");
    std::fs::write(folder.path().join("s.jsonl"), &text).unwrap();
    let ran = run_in(folder.path(), &["check", "s.jsonl"], "");
    assert!(ran.out.contains("the lines end in CR alone"), "{ran:?}");
    std::fs::write(folder.path().join("s.jsonl"), text.replace('\r', "\r\n")).unwrap();
    let ran = run_in(folder.path(), &["check", "s.jsonl"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// A message of Gemini CLI that is written again is in the place where it was first.
#[test]
fn a_message_that_is_written_again_stays_in_its_place() {
    let message = |id: &str, more: &str| {
        format!(r#"{{"id":"{id}","timestamp":"2026-03-01T08:00:00.000Z",{more}}}"#)
    };
    let call = |status: &str, result: &str| {
        format!(
            r#""type":"gemini","content":"I look.","toolCalls":[{{"id":"c","name":"wind","args":{{}},"status":"{status}"{result}}}]"#
        )
    };
    let result =
        r#","result":[{"functionResponse":{"id":"c","name":"wind","response":{"output":"calm"}}}]"#;
    let lines = [
        r#"{"sessionId":"g","projectHash":"1f","startTime":"2026-03-01T08:00:00.000Z","kind":"main"}"#.to_owned(),
        message("m1", r#""type":"user","content":[{"text":"Wind?"}]"#),
        message("m2", &call("executing", "")),
        message("m3", r#""type":"user","content":[{"text":"Quick!"}]"#),
        message("m2", &call("executing", "")),
        message("m2", &call("success", result)),
        message("m4", r#""type":"gemini","content":"Calm.""#),
    ];
    let dialog = only(&lines.join("\n"));
    let said: Vec<_> = dialog.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(said, ["Wind?", "I look.", "Quick!", "Calm."]);
    assert_eq!(calls(&dialog), ["1 wind → calm"]);
}

/// Claude Code keeps other files beside its sessions.
#[test]
fn files_about_sessions_are_passed_over() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    let lines = [
        r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"Tide?"}}"#,
        r#"{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"High."}]}}"#,
    ];
    fs::create_dir_all(path("s/subagents")).unwrap();
    fs::write(path("s.jsonl"), lines.join("\n")).unwrap();
    fs::write(path("sessions-index.json"), r#"{"version":1,"entries":[]}"#).unwrap();
    fs::write(path("s/subagents/agent-a1.meta.json"), r#"{"agentType":"Explore"}"#).unwrap();
    let ran = run_in(folder.path(), &["check", "."], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    // Unless it is named.
    let ran = run_in(folder.path(), &["check", "sessions-index.json"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// The first versions of Codex wrote one object, and Gemini CLI saves chats as one, or as a list.
#[test]
fn sessions_may_be_one_object() {
    let codex = r#"{"session": {"id": "c-1", "timestamp": "2025-05-01T00:00:00Z", "instructions": ""}, "items": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Wind?"}]},
        {"type": "function_call", "id": "f1", "name": "shell", "arguments": "{\"command\": [\"wind\"]}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "calm"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "None."}]}]}"#;
    let dialog = only(codex);
    assert_eq!((dialog.id.as_str(), dialog.turns.len()), ("c-1", 4));
    assert_eq!(calls(&dialog), ["1 shell → calm"]);
    let gemini = r#"[{"role": "user", "parts": [{"text": "Wind?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "wind", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "wind", "response": {"output": "calm"}}}]},
        {"role": "model", "parts": [{"text": "None."}]}]"#;
    for chat in [gemini, &format!(r#"{{"history": {gemini}}}"#)] {
        let dialog = only(chat);
        assert_eq!(dialog.turns.len(), 4);
        assert_eq!(calls(&dialog), ["1 wind → calm"]);
    }
}
