//! Lines of sessions that name each other: written again, taken back, or parts of one message.

use serde_json::{Value, json};
use turnwise::dialog::{Dialog, Role};
use turnwise::format::Formats;

use super::sessions::{all, calls, only, unread};
use super::{issues, read_any};

/// A line of Claude Code; `message` is the id of its message.
fn line(uuid: &str, after: Option<&str>, role: &str, message: &str, content: &Value) -> Value {
    json!({"type": role, "sessionId": "s", "uuid": uuid, "parentUuid": after, "isSidechain": false,
           "message": {"role": role, "id": message, "content": content}})
}

fn said(uuid: &str, after: &str, role: &str) -> Value {
    let after = Some(after).filter(|after| !after.is_empty());
    line(uuid, after, role, uuid, &json!(format!("said {uuid}")))
}

fn call(uuid: &str, after: &str, message: &str, id: &str) -> Value {
    let part = json!([{"type": "tool_use", "id": id, "name": "tide", "input": {}}]);
    line(uuid, Some(after), "assistant", message, &part)
}

fn result(uuid: &str, after: &str, id: &str) -> Value {
    let part = json!([{"type": "tool_result", "tool_use_id": id, "content": id}]);
    line(uuid, Some(after), "user", uuid, &part)
}

fn text(lines: &[Value]) -> String {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    lines.join("\n")
}

fn begun() -> Vec<Value> {
    vec![said("u1", "", "user"), said("a1", "u1", "assistant")]
}

/// The turns that were taken back.
fn taken_back(dialog: &Dialog) -> Vec<Vec<usize>> {
    let all = dialog.branches.0.iter().filter(|branch| branch.taken_back);
    all.map(|branch| branch.turns.clone()).collect()
}

#[test]
fn what_the_last_line_does_not_follow_was_taken_back() {
    let mut lines = begun();
    lines.extend([said("u2", "a1", "user"), call("a2", "u2", "m2", "t")]);
    lines.extend([said("u3", "a1", "user"), said("a3", "u3", "assistant")]);
    let dialog = only(&text(&lines));
    assert_eq!(dialog.turns.len(), 6);
    assert_eq!(taken_back(&dialog), [[2, 3]]);
    let judged: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.role).collect();
    let (user, system, context) = (Role::User, Role::System, Role::Context);
    assert_eq!(judged, [user, system, context, context, user, system]);
    // An answer that was tried again.
    lines.push(said("b3", "u3", "assistant"));
    assert_eq!(taken_back(&only(&text(&lines))), [vec![2, 3], vec![5]]);
    // The other way round, the first try is the dialog again.
    lines.push(said("u4", "a2", "user"));
    assert_eq!(taken_back(&only(&text(&lines))), [vec![4, 5, 6]]);
}

/// Several calls at once have lines with several followers, of which the last line follows one.
#[test]
fn parts_of_a_message_and_answers_to_them_are_not_taken_back() {
    let calls_of = |lines: &[Value]| {
        let dialog = only(&text(lines));
        assert_eq!((taken_back(&dialog).len(), unread(&dialog).as_str()), (0, ""), "{lines:?}");
        calls(&dialog)
    };
    let mut lines = begun();
    lines.extend([
        said("u2", "a1", "user"),
        call("a2", "u2", "m", "t"),
        call("a3", "a2", "m", "v"),
    ]);
    lines.extend([result("r1", "a2", "t"), said("hint", "r1", "user"), result("r2", "a3", "v")]);
    lines.push(said("a4", "r2", "assistant"));
    assert_eq!(calls_of(&lines), ["3 tide → t", "4 tide → v"]);
    // The first answer is the last line, or the one that is followed.
    lines.remove(6);
    lines[7] = said("a4", "r1", "assistant");
    assert_eq!(calls_of(&lines), ["3 tide → t", "4 tide → v"]);
    lines.truncate(6);
    lines.insert(5, result("r2", "a3", "v"));
    assert_eq!(calls_of(&lines), ["3 tide → t", "4 tide → v"]);
}

/// Compaction begins a new chain, lines without a turn end others, and lines of subagents are in chains of their own.
#[test]
fn chains_begin_again_without_taking_anything_back() {
    let mut lines = begun();
    let other = |kind: &str, uuid: &str, after: Option<&str>| {
        json!({"type": kind, "sessionId": "s", "uuid": uuid, "parentUuid": after,
               "subtype": "compact_boundary", "logicalParentUuid": "gone"})
    };
    lines.extend([other("system", "c", None), said("sum", "c", "user"), said("u2", "sum", "user")]);
    lines[3]["isCompactSummary"] = json!(true);
    lines.extend([said("x", "", "user"), said("y", "x", "assistant")]);
    for side in &mut lines[5..] {
        side["isSidechain"] = json!(true);
    }
    lines.extend([said("a2", "u2", "assistant"), other("progress", "p", Some("u1"))]);
    let dialog = only(&text(&lines));
    assert_eq!((dialog.turns.len(), taken_back(&dialog).len()), (7, 0));
    assert_eq!(dialog.branches.0[0].turns, [4, 5]);
    // What was kept when the rest was summarized goes on from before the summary.
    lines.push(said("u3", "a1", "user"));
    assert_eq!(taken_back(&only(&text(&lines))), [[3, 6]]);
    // Files in which no line names another are in the order of the file.
    for line in &mut lines {
        line["parentUuid"] = json!(null);
    }
    assert_eq!(taken_back(&only(&text(&lines))).len(), 0);
}

#[test]
fn lines_that_are_not_there_or_follow_themselves_are_in_the_order_of_the_file() {
    let read = |lines: &[Value]| {
        let format = turnwise::format::named("claude-code").unwrap();
        let dialog = read_any(format, &text(lines));
        (dialog.turns.len(), taken_back(&dialog).len(), issues(format, &text(lines)))
    };
    let why =
        |id: &str| format!("`parentUuid` should be the id of an earlier line, found \"{id}\"");
    for wrong in ["gone", "u2", "a2"] {
        let mut lines = begun();
        lines.extend([said("u2", wrong, "user"), said("a2", "u2", "assistant")]);
        assert_eq!(read(&lines), (4, 0, vec![why(wrong)]));
    }
    // A part of a session follows lines of another part.
    let lines = [said("u2", "a1", "user"), said("a2", "u2", "assistant"), said("u3", "a1", "user")];
    assert_eq!(read(&lines).2, [""; 0]);
    let lines = [said("u2", "a2", "user"), said("a2", "u2", "assistant")];
    assert_eq!(read(&lines), (2, 0, vec![why("a2")]));
}

#[test]
fn lines_that_are_written_again_are_one_turn() {
    let mut lines = begun();
    lines.extend([call("a2", "a1", "m", "t"), result("r", "a2", "t")]);
    let mut again = lines.clone();
    for line in &mut again {
        line["parentUuid"] = json!("elsewhere");
        line["timestamp"] = json!("later");
    }
    let all = [lines.clone(), again, vec![said("u2", "r", "user")]].concat();
    let dialog = only(&text(&all));
    assert_eq!((dialog.turns.len(), taken_back(&dialog).len()), (5, 0));
    assert_eq!(calls(&dialog), ["2 tide → t"]);
    assert_eq!(unread(&dialog), "repeated line");
    assert_eq!(dialog.unread.kinds().map(|(_, count)| count).sum::<u64>(), 4);
    assert!(dialog.lines.again.iter().all(|again| again.turn.is_none()));
    // With other contents, it is another turn.
    let mut other = said("a1", "u1", "assistant");
    other["message"]["content"] = json!("something else");
    let all = [lines, vec![other]].concat();
    let dialog = only(&text(&all));
    assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (5, ""));
    let again = dialog.lines.again[0];
    assert_eq!((again.first, again.turn), (1, Some(4)));
}

/// A chat of `ChatGPT`: each node with the one that it follows, in the order of the file.
fn tree(current: &str, nodes: &[(&str, Option<&str>)]) -> String {
    let node = |(id, after): &(&str, Option<&str>)| {
        let role = if id.starts_with('u') { "user" } else { "assistant" };
        let content = json!({"content_type": "text", "parts": [id]});
        let message = json!({"author": {"role": role}, "recipient": "all", "content": content});
        let message = Some(message).filter(|_| !id.starts_with('r'));
        ((*id).to_owned(), json!({"id": id, "parent": after, "message": message}))
    };
    let mapping: serde_json::Map<_, _> = nodes.iter().map(node).collect();
    json!({"id": "t", "current_node": current, "mapping": mapping}).to_string()
}

/// The texts of the dialog in their order, and those of the side branches.
fn told(text: &str) -> (String, Vec<String>) {
    let dialog = only(text);
    let side = taken_back(&dialog);
    let texts = |turns: &[usize]| {
        let texts = turns.iter().map(|turn| dialog.turns[*turn].text.as_str());
        texts.collect::<Vec<_>>().join(" ")
    };
    let path = (0..dialog.turns.len()).filter(|turn| !side.iter().flatten().any(|it| it == turn));
    (texts(&path.collect::<Vec<_>>()), side.iter().map(|turns| texts(turns)).collect())
}

#[test]
fn a_tree_is_the_way_to_the_line_that_ends_the_dialog() {
    let nodes = [
        ("a2", Some("u2")),
        ("b1", Some("u1")),
        ("u2", Some("a1")),
        ("a1", Some("u1")),
        ("u1", Some("r")),
        ("r", None),
    ];
    assert_eq!(told(&tree("a2", &nodes)), ("u1 a1 u2 a2".to_owned(), vec!["b1".to_owned()]));
    let other = ("u1 b1".to_owned(), vec!["a1 u2 a2".to_owned()]);
    assert_eq!(told(&tree("b1", &nodes)), other);
    // A first message that was changed follows nothing either, and a node may be missing.
    let two =
        [("a1", Some("u1")), ("u1", None), ("u2", None), ("a2", Some("u2")), ("a3", Some("gone"))];
    let side = vec!["u1 a1".to_owned(), "a3".to_owned()];
    assert_eq!(told(&tree("a2", &two)), ("u2 a2".to_owned(), side));
    // Without the line that ends it, the dialog ends with the last one; nodes may follow each other in a circle.
    assert_eq!(told(&tree("none", &two[..2])), ("u1 a1".to_owned(), vec![]));
    let circle = [("u1", Some("a1")), ("a1", Some("u1"))];
    let (dialog, issues) = &all(&tree("a1", &circle), &Formats::default())[0];
    assert_eq!((dialog.turns.len(), *issues), (2, 1));
}
