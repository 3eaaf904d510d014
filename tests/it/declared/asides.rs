//! Side branches and events in sessions of agents; `tests/cases/cli/sessions.md` shows them.

use turnwise::dialog::{Dialog, Edit, Role};
use turnwise::format::{Family, named};

use super::sessions::{only, sample};
use super::{declared, edited};

const SESSION: &str = include_str!("../../sessions/branches.jsonl");

fn events(dialog: &Dialog) -> Vec<String> {
    let turns = 0..dialog.turns.len();
    let all = turns.flat_map(|turn| dialog.events.at(turn).map(move |event| (turn, event)));
    all.map(|(turn, event)| format!("{turn} {event}")).collect()
}

#[test]
fn a_summary_of_the_turns_before_is_an_event() {
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
