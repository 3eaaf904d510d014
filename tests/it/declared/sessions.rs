//! Sessions of agents: files whose lines are turns, parts of turns, and answers that are found by ids.

use turnwise::corpus::{Arrangement, CorpusFile, index_with};
use turnwise::dialog::{Dialog, Edit, Payload, Role};
use turnwise::format::{Formats, named};

use super::{declared, edited, set_text};
pub(super) use crate::formats::unread;
use crate::support::files::saved;

pub(super) fn opened(text: &str, formats: &Formats) -> CorpusFile {
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

pub(super) fn sample(family: &str) -> String {
    let format = named(family).unwrap();
    let description = format.description();
    let sample = description.sample.clone().unwrap();
    sample.trim_start_matches('\n').to_owned()
}

/// A family, and what it reads in its sample: the id, the speakers of the turns, and the calls.
type Expected = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Speakers of [`FAMILIES`].
const CODEX: &str = "user reasoning function_call function_call_output custom_tool_call \
    custom_tool_call_output web_search_call tool_search_call tool_search_output";
const ITEMS: &str = "user reasoning function_call function_call_output custom_tool_call web_search_call \
    assistant";
const RESPONSES: &str = "user assistant function_call function_call_output reasoning custom_tool_call \
    web_search_call assistant";
const TRACES: &str = "user assistant tool assistant toolResult assistant user";
const REQUESTS: &str = "user assistant user assistant tool assistant function assistant";
const HANDS: &str = "agent user agent environment agent";
const TREE: &str = "system user assistant assistant assistant tool assistant assistant";
const CHAIN: &str = "human ai tool AIMessage tool ai";

/// Calls of [`FAMILIES`].
const TIDE: &[&str] = &["1 get_tide → 14:10"];
const TWICE: &[&str] = &["1 get_tide → no such port", "3 get_tide → 14:10"];
const BOTH: &[&str] = &["1 get_tide → 14:10", "1 get_wind → no such port"];
const FRIDAY: &[&str] = &["1 run → 14:10", "3 shell → Friday"];
const THREE: &[&str] = &["1 get_tide → 14:10", "3 get_wind → calm", "5 get_moon → full"];
const SEARCHED: &[&str] = &[
    "2 shell → 14:10",
    "4 apply_patch → Done",
    "6 web_search_call → -",
    "7 tool_search_call → [{\"type\": \"function\", \"name\": \"get_wind\"}]",
];

#[rustfmt::skip]
const FAMILIES: [Expected; 33] = [
    ("claude-code", "s-1", "user assistant assistant user", &["2 get_tide → no such port"]),
    ("codex", "c-1", CODEX, SEARCHED),
    ("qwen-code", "q-1", "user assistant tool_result assistant", TIDE),
    ("gemini-history", "", "user model user model", TIDE),
    ("gemini-cli-stream", "g-3", "user tool_use tool_result assistant", &["1 get_tide → no such port"]),
    ("response-items", "r-1", ITEMS, &["2 get_tide → 14:10", "4 note → -", "5 web_search_call → -"]),
    ("session-traces", "h-1", TRACES, &["1 get_tide → 14:10", "3 get_wind → no such port", "5 get_moon → full"]),
    ("swe-agent", "", "system user assistant tool assistant user", &["2 open → 1: TIDES = []", "4 action → 14:10"]),
    ("atif", "a-1", "user agent", TIDE),
    ("gemini-cli", "g-1", "user gemini", TIDE),
    ("openhands", "", "user agent agent agent agent", FRIDAY),
    ("openhands-sdk", "", HANDS, &["2 terminal → 14:10"]),
    ("openhands-runs", "tides-1", "user agent agent agent agent", FRIDAY),
    ("openhands-sdk-runs", "tides-1", HANDS, &["2 terminal → 14:10"]),
    ("gemini-api", "q-1", "user model user model", TIDE),
    ("responses", "resp_1", RESPONSES, &["2 get_tide → 14:10", "5 note → -", "6 web_search_call → -"]),
    ("bfcl", "tides_0", "system user user", &[]),
    ("requests", "r-1", REQUESTS, THREE),
    ("message-list", "", "system user assistant user assistant tool", &["2 get_tide → 14:10", "4 get_wind → calm"]),
    ("chatgpt", "c-1", TREE, &["3 tides.look_up → 14:10"]),
    ("claude-ai", "a-1", "human assistant assistant", &["2 get_tide → 14:10"]),
    ("librechat", "l-1", "true false false false", &["2 get_tide → 14:10", "3 get_wind → calm"]),
    ("open-webui", "w-1", "user assistant assistant", TIDE),
    ("langchain", "l-1", CHAIN, TWICE),
    ("langchain-list", "", CHAIN, TWICE),
    ("goose", "20260102_1", "user assistant user", BOTH),
    ("goose-lines", "", "user assistant user", BOTH),
    ("opencode", "ses_1", "user assistant", &["1 get_tide → 14:10", "1 get_wind → -"]),
    ("zed", "z-1", "User Agent Agent", &["1 get_tide → 14:10", "2 get_wind → no such port"]),
    ("copilot-chat", "p-1", "user system", TIDE),
    ("continue", "c-1", "user thinking assistant tool", &["2 get_tide → 14:10"]),
    ("google-adk", "s-1", "user model user harbour model", TIDE),
    ("ai-sdk", "", "user assistant", &["1 tool-get_tide → 14:10", "1 get_wind → -", "1 get_moon → full"]),
];

#[test]
fn every_family_reads_its_turns_and_pairs_calls_with_answers() {
    for (family, id, speakers, expected) in FAMILIES {
        let text = sample(family);
        let file = opened(&text, &Formats::default());
        assert_eq!(file.format().unwrap().name(), family);
        let dialog = only(&text);
        let found: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.name.as_str()).collect();
        assert_eq!((dialog.id.as_str(), found.join(" ").as_str()), (id, speakers), "{family}");
        assert_eq!(calls(&dialog), expected, "{family}");
        assert_eq!(unread(&dialog), "", "{family}");
        // The turn of an answer has no text; others that nobody judges may say this.
        let spoken =
            ["", "Fix the issue.", "You know the tides.", "Reading the table", "I do not know."];
        for turn in dialog.turns.iter().filter(|turn| turn.speaker.role == Role::Context) {
            assert!(spoken.contains(&turn.text.as_str()), "{family}: {}", turn.text);
        }
    }
}

#[test]
fn an_edit_of_a_session_changes_its_bytes_alone() {
    let same = |family: &str, record: &str, from: &str, to: &str| {
        let text = sample(family);
        // The only dialog of a file.
        let text = match text.trim().strip_prefix("[{\"").and_then(|rest| rest.strip_suffix(']')) {
            Some(one) if ["chatgpt", "open-webui"].contains(&family) => format!("{{\"{one}"),
            _ => text,
        };
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
    // The turns of a tree are not in the order of the file.
    let text = r#"{"edit":"set_text","turn":7,"text":"At 15:20."}"#;
    same("chatgpt", text, "At 14:10.", "At 15:20.");
    same(
        "open-webui",
        r#"{"edit":"set_text","turn":0,"text":"?"}"#,
        "When is high tide in Porto?",
        "?",
    );
    same("open-webui", &value(1, "port", "Faro"), r#"\"Porto\""#, r#"\"Faro\""#);
    same("ai-sdk", &value(1, "port", "Faro"), "\"Porto\"", "\"Faro\"");
    same("copilot-chat", &response(1), "{\"value\": \"14:10\"", "{\"value\": \"15:20\"");
    let speaker = r#"{"edit":"set_speaker","turn":1,"speaker":"user"}"#;
    same("atif", speaker, "\"agent\", \"message\"", "\"user\", \"message\"");
}

#[test]
fn edits_without_a_place_are_refused_with_the_reason() {
    let line = "each line of the file is a turn";
    let text = |turn: usize| format!(r#""set_text","turn":{turn},"text":"x""#);
    let speaker = |turn: usize, speaker: &str| {
        format!(r#""set_speaker","turn":{turn},"speaker":"{speaker}""#)
    };
    let remove_call = |turn: usize| format!(r#""remove_call","turn":{turn},"call":0"#);
    let add_turn = r#""add_turn","turn":1,"speaker":"user","text":"x""#.to_owned();
    let add_call = r#""add_call","turn":1,"name":"f","arguments":[]"#.to_owned();
    let thought =
        r#""set_value","turn":1,"call":0,"part":"arguments","name":"thought","value":"x""#;
    for (family, edit, why) in [
        ("claude-code", r#""remove_turn","turn":1"#.to_owned(), line),
        ("session-traces", add_turn, line),
        ("claude-code", text(3), "it is the result of a call in turn 2"),
        ("claude-code", text(2), "the text of turn 2 cannot be edited like this"),
        ("session-traces", speaker(2, "user"), "also change the result of call 0 of turn 1"),
        ("response-items", speaker(0, "guest"), "also change the number of turns"),
        ("openhands", text(1), "also change the arguments of call 0 of turn 1"),
        ("openhands", thought.to_owned(), "also change the text of turn 1"),
        ("codex", speaker(2, "user"), "also change the calls of turn 2"),
        ("codex", remove_call(4), "number of turns"),
        ("codex", remove_call(6), "number of turns"),
        ("claude-code", add_call, "an id or mark"),
    ] {
        let record: Edit = serde_json::from_str(&format!("{{\"edit\":{edit}}}")).unwrap();
        let error = edited(named(family).unwrap(), &sample(family), &record);
        let error = error.map_or_else(|error| error.to_string(), |_| "it is made".to_owned());
        assert!(error.contains(why), "{family} {edit}: {error}");
    }
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
        assert_eq!((dialog.turns.len(), *issues), (turns, 1), "{text}");
        assert_eq!(unread(dialog), "broken line");
        let after = edited(named("claude-code").unwrap(), &text, &set_text(0, "x")).unwrap();
        assert_eq!(after.text, text.replacen("When is high tide in Porto?", "x", 1));
    }
    // One line is a session, with and without an end.
    for (before, after) in [("", ""), ("", "\n"), ("\u{feff}", "\r\n")] {
        assert_eq!(only(&format!("{before}{}{after}", lines[1])).turns.len(), 1);
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
    let text = r#"{"chat": 1, "who": "guest", "said": "a"}
{"chat": 1, "from": "host", "said": "b"}
{"chat": 2, "who": "guest", "said": "c"}
{"chat": 3, "who": "guest", "said": "d"}
{"chat": 3, "who": "host", "said": "e"}
"#;
    assert_eq!(opened(text, &formats).index().arrangement, Arrangement::Turns);
    let dialogs = all(text, &formats);
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
    file.edit(2, &set_text(1, "new")).unwrap();
    assert_eq!(saved(&file), array.replacen(r#""e""#, r#""new""#, 1).as_bytes());
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
