//! Side branches, events and media in sessions of agents.

use serde_json::json;
use turnwise::dialog::{Dialog, Edit, Role};
use turnwise::format::Family;
use turnwise::format::{media_lines, named, other_unread};

use super::sessions::{calls, only, sample, unread};
use super::{declared, edited};
use crate::support::{run_in, scratch};

const SESSION: &str = include_str!("../../sessions/branches.jsonl");
const AGENT: &str = include_str!("../../sessions/agent-a17.jsonl");

fn events(dialog: &Dialog) -> Vec<String> {
    let turns = 0..dialog.turns.len();
    let all = turns.flat_map(|turn| dialog.events.at(turn).map(move |event| (turn, event)));
    all.map(|(turn, event)| format!("{turn} {event}")).collect()
}

#[test]
fn side_branches_are_set_aside_and_tied_to_their_calls() {
    let dialog = only(SESSION);
    let branches: Vec<_> = dialog.branches.0.iter().collect();
    let found: Vec<_> = branches
        .iter()
        .map(|branch| (branch.id.as_str(), branch.asked, branch.turns.as_slice()))
        .collect();
    let expected: [(&str, _, &[usize]); 3] = [
        ("1", Some((1, 0)), &[2, 4, 6, 7]),
        ("2", Some((1, 1)), &[3, 5]),
        ("a17", Some((10, 0)), &[]),
    ];
    assert_eq!(found, expected);
    for turn in 2..8 {
        assert_eq!(dialog.turns[turn].speaker.role, Role::Context, "{turn}");
        assert!(!dialog.turns[turn].is_judgeable());
    }
    assert_eq!(
        calls(&dialog),
        [
            "1 Task → Dora at 8:00.",
            "1 Task → Elsa at 9:00.",
            "4 Read → Dora 8:00",
            "10 Task → Both cost 4.00."
        ]
    );
    assert_eq!(unread(&dialog), "image");
}

#[test]
fn a_file_of_a_subagent_is_a_dialog_with_both_ids() {
    let dialog = only(AGENT);
    assert_eq!(dialog.id, "s-1/a17");
    assert!(dialog.branches.0.is_empty());
    let roles: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.role).collect();
    assert_eq!(roles, [Role::User, Role::System]);
}

#[test]
fn events_are_shown_at_turns_and_are_not_the_users() {
    let dialog = only(SESSION);
    assert_eq!(
        events(&dialog),
        [
            "0 summary: Ferries of the harbour",
            "9 API error, tried again: Overloaded",
            "12 API error",
            "12 conversation compacted",
            "13 summary of the turns before",
        ]
    );
    let role = |turn: usize| dialog.turns[turn].speaker.role;
    assert_eq!([role(12), role(13)], [Role::Context; 2]);
    assert_eq!([role(0), role(14)], [Role::User; 2]);
    let more = |family: &str, line: &str| events(&only(&format!("{}{line}\n", sample(family))));
    let compacted = r#"{"timestamp": "t", "type": "compacted", "payload": {"message": "Tides were asked.\nMore."}}"#;
    assert_eq!(more("codex", compacted), ["8 conversation compacted: Tides were asked."]);
    let compaction = r#"{"type": "compaction", "id": "c", "summary": "Tides were asked."}"#;
    assert_eq!(more("session-traces", compaction), ["6 conversation compacted: Tides were asked."]);
    let gemini = sample("gemini-cli").replacen(
        r#"{"id": "m1""#,
        r#"{"id": "m0", "type": "compression", "content": "Tides."}, {"id": "m1""#,
        1,
    );
    let dialog = only(&gemini);
    assert_eq!(events(&dialog), ["0 conversation compacted"]);
    assert_eq!(dialog.turns[0].speaker.role, Role::Context);
}

#[test]
fn edits_beside_side_branches_change_their_bytes_alone() {
    let format = named("claude-code").unwrap();
    let set = |record: &str, from: &str, to: &str| {
        let edit: Edit = serde_json::from_str(record).unwrap();
        let after = edited(format, SESSION, &edit).unwrap();
        let at = SESSION.rfind(from).unwrap();
        let (before, rest) = SESSION.split_at(at);
        assert_eq!(after.text, format!("{before}{}", rest.replacen(from, to, 1)));
    };
    set(r#"{"edit":"set_text","turn":5,"text":"Never."}"#, "Elsa leaves at 9:00.", "Never.");
    // The call is not found by its new prompt, and the edit is not refused for that.
    let edit: Edit =
        serde_json::from_str(r#"{"edit":"set_text","turn":2,"text":"List all."}"#).unwrap();
    let after = edited(format, SESSION, &edit).unwrap();
    assert_eq!(only(&after.text).branches.0[0].asked, None);
}

#[test]
fn media_are_named_with_their_types() {
    let turn = |text: &str| only(text).turns[0].clone();
    let part = |parts: &str| {
        format!(
            "{{\"messages\": [{{\"role\": \"user\", \"content\": [{{\"type\": \"text\", \"text\": \"a\"}}, {parts}]}}, {{\"role\": \"assistant\", \"content\": \"b\"}}]}}\n"
        )
    };
    for (parts, line, others) in [
        (
            r#"{"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,AAAA"}}"#,
            "image, not shown (image/jpeg)",
            "",
        ),
        (
            r#"{"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}}, {"type": "odd"}"#,
            "audio, not shown (wav)",
            "odd",
        ),
        (
            r#"{"source": {"type": "base64", "media_type": "application/pdf", "data": "AA"}, "type": "document"}"#,
            "document, not shown (application/pdf)",
            "",
        ),
        (
            r#"{"type": "image_url", "image_url": {"url": "https://example.org/a"}}"#,
            "image, not shown",
            "",
        ),
    ] {
        let turn = turn(&part(parts));
        assert_eq!(media_lines(&turn), [line]);
        assert_eq!(other_unread(&turn), others);
    }
    let gemini = sample("gemini-api").replacen(
        r#"{"text": "When is high tide in Porto?"}"#,
        r#"{"text": "When?"}, {"inlineData": {"mimeType": "image/png", "data": "AA"}}"#,
        1,
    );
    let turn = turn(&gemini);
    assert_eq!(media_lines(&turn), ["image, not shown (image/png)"]);
    assert_eq!(other_unread(&turn), "");
    let dialog = only(SESSION);
    assert_eq!(media_lines(&dialog.turns[14]), ["image, not shown (image/png)"]);
}

/// Lines of a helper that only their predecessors tell apart.
const OWN: &str = r#"
name = "own"
has = ["[*].said", "[*].n"]
dialogs = "."
[turn]
at = "[*]"
speaker = "who"
text = "said"
branch = { is = { side = "true" } }
line = "n"
after = "of"
events = [{ is = { who = "clock" }, name = "an hour later" }]
"#;

#[test]
fn own_descriptions_name_branches_and_events() {
    let format = declared(OWN);
    let line = |n: usize, of: usize, who: &str, side: bool| {
        format!(r#"{{"n": {n}, "of": {of}, "who": "{who}", "said": "x", "side": {side}}}"#)
    };
    let text = [
        line(1, 0, "user", false),
        line(2, 0, "user", true),
        line(3, 2, "system", true),
        line(4, 1, "clock", false),
    ];
    let dialog = super::read(format, &text.join("\n"));
    let branches: Vec<_> = dialog.branches.0.iter().map(|b| b.turns.clone()).collect();
    assert_eq!(branches, [[1, 2]]);
    assert_eq!(events(&dialog), ["3 an hour later"]);
    assert_eq!(dialog.turns[3].speaker.role, Role::Context);
    let wrong = OWN.replace("after = \"of\"\n", "");
    let error = Family::read_from(&wrong, None).err().unwrap().to_string();
    assert!(error.contains("needs an `id`, or both"), "{error}");
}

/// A trajectory whose second step asks two subagents, one of which is in the file, and whose third step asks the other
/// one that is.
fn trajectory() -> String {
    let asked = |number: usize, ids: &[&str]| {
        let calls = ids.iter().map(
            |id| json!({"tool_call_id": id, "function_name": "ask", "arguments": {"port": id}}),
        );
        let results = ids.iter().map(|id| {
            let reference = json!([{"trajectory_id": format!("of-{id}")}]);
            json!({"source_call_id": id, "content": id, "subagent_trajectory_ref": reference})
        });
        let (calls, results): (Vec<_>, Vec<_>) = (calls.collect(), results.collect());
        json!({"step_id": number, "source": "agent", "message": "I ask.", "tool_calls": calls,
            "observation": {"results": results}})
    };
    let inner = |id: &str| {
        json!({"trajectory_id": id, "schema_version": "ATIF-v1.7", "agent": {"name": "tides"}, "steps": [
            {"step_id": 1, "source": "user", "message": id},
            {"step_id": 2, "source": "agent", "message": "14:10", "tool_calls": [
                {"tool_call_id": "t1", "function_name": "read", "arguments": {}}],
                "observation": {"results": [{"source_call_id": "t1", "content": "table"}]}}]})
    };
    json!({"schema_version": "ATIF-v1.7", "session_id": "a-1", "trajectory_id": "a", "agent": {"name": "harbour"},
        "steps": [{"step_id": 1, "source": "user", "message": "Tides?"}, asked(2, &["t1", "t2"]), asked(3, &["t3"])],
        "subagent_trajectories": [inner("of-t3"), inner("of-t2"), inner("of-nobody")]})
    .to_string()
}

#[test]
fn trajectories_inside_an_atif_file_are_side_branches_of_their_calls() {
    let dialog = only(&trajectory());
    let mut found: Vec<_> = (dialog.branches.0.iter())
        .map(|branch| (branch.id.as_str(), branch.asked, branch.turns.as_slice()))
        .collect();
    found.sort();
    let expected: [(&str, _, &[usize]); 4] = [
        ("of-nobody", None, &[7, 8]),
        ("of-t1", Some((1, 0)), &[]),
        ("of-t2", Some((1, 1)), &[5, 6]),
        ("of-t3", Some((2, 0)), &[3, 4]),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        calls(&dialog),
        [
            "1 ask → t1",
            "1 ask → t2",
            "2 ask → t3",
            "4 read → table",
            "6 read → table",
            "8 read → table"
        ]
    );
    assert_eq!(unread(&dialog), "");
    // Those inside of these are not read.
    let deeper = trajectory().replacen(
        "\"agent\":{\"name\":\"tides\"}",
        "\"agent\":{\"name\":\"tides\"},\"subagent_trajectories\":[{}]",
        1,
    );
    assert_eq!(unread(&only(&deeper)), "subagent_trajectories");
    let folder = scratch();
    std::fs::write(folder.path().join("t.json"), trajectory()).unwrap();
    let ran = run_in(folder.path(), &["lint", "t.json", "--select", "turn-index-order"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
}
