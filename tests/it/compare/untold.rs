//! Changes that no dialog tells: the JSON of what ours has not touched is taken as theirs has it, or is a conflict.

use std::fs;

use serde_json::{Value, json};

use crate::support::{TempDir, project, run_in, scratch};

/// A demo file, of which copies are made.
pub struct Copies {
    pub folder: TempDir,
    pub base: Value,
}

pub type Change<'c> = &'c dyn Fn(&mut Value);

impl Copies {
    pub fn of(demo: &str) -> Self {
        let text = fs::read_to_string(project("assets/demo").join(demo)).unwrap();
        Self::of_value(serde_json::from_str(&text).unwrap())
    }

    pub fn of_value(base: Value) -> Self {
        let folder = scratch();
        Self { folder, base }
    }

    /// Merges these changes; returns the exit code, the merged file and the list of conflicts.
    pub fn merged(&self, ours: Change<'_>, theirs: Change<'_>) -> (i32, Value, String) {
        self.merged_with(&[], ours, theirs)
    }

    /// As [`Self::merged`], with options.
    pub fn merged_with(
        &self,
        options: &[&str],
        ours: Change<'_>,
        theirs: Change<'_>,
    ) -> (i32, Value, String) {
        let folder = self.folder.path();
        let changed = |change: Change<'_>| {
            let mut copy = self.base.clone();
            change(&mut copy);
            copy
        };
        let write = |name: &str, value: &Value| {
            let text = serde_json::to_string_pretty(value).unwrap();
            fs::write(folder.join(name), text).unwrap();
        };
        write("base.json", &self.base);
        write("ours.json", &changed(ours));
        write("theirs.json", &changed(theirs));
        let names = ["base.json", "ours.json", "theirs.json", "-o", "out.json"];
        let _ = fs::remove_file(folder.join("out.json.conflicts.jsonl"));
        let ran = run_in(folder, &[&["merge"], &names[..], options].concat(), "");
        let out = fs::read_to_string(folder.join("out.json")).unwrap();
        let conflicts = fs::read_to_string(folder.join("out.json.conflicts.jsonl"));
        let out = serde_json::from_str(&out).unwrap();
        (ran.code, out, conflicts.unwrap_or_default())
    }

    /// Asserts that a change is found, is taken where ours has changed nothing, and beside a change of ours elsewhere.
    fn is_taken(&self, theirs: Change<'_>, ours: Change<'_>) {
        let mut expected = self.base.clone();
        theirs(&mut expected);
        let found = self.merged(&|_| {}, theirs);
        assert_eq!(found, (0, expected.clone(), String::new()));
        let ran = run_in(self.folder.path(), &["diff", "base.json", "theirs.json"], "");
        assert_eq!(ran.code, 1, "{ran:?}");
        ours(&mut expected);
        assert_eq!(self.merged(ours, theirs), (0, expected, String::new()));
    }
}

/// Returns a change that sets the value at a pointer, or takes it away.
pub fn set(pointer: &'static str, to: Value) -> impl Fn(&mut Value) {
    move |file| {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = file.pointer_mut(parent).unwrap();
        match parent {
            Value::Object(members) if to.is_null() => drop(members.remove(key).unwrap()),
            Value::Object(members) => drop(members.insert(key.to_owned(), to.clone())),
            Value::Array(elements) if to.is_null() => drop(elements.remove(key.parse().unwrap())),
            Value::Array(elements) => elements[key.parse::<usize>().unwrap()] = to.clone(),
            _ => panic!("{pointer}"),
        }
    }
}

/// The dialogs as they are, after one side has changed the first turn of their beginnings and the other has added the
/// rest.
#[test]
fn turns_are_added_as_they_are() {
    let files = [
        ("sgd/dialogues_001.json", "turns", "utterance"),
        ("taskmaster-3.json", "utterances", "text"),
        ("taskmaster-4.json", "utterances", "text"),
        ("library/dialogues.json", "turns", "utterance"),
        ("sim-m.json", "turns", "user_acts"),
    ];
    for (file, turns, member) in files {
        let whole = Copies::of(file).base;
        let mut beginning = whole.clone();
        for dialog in beginning.as_array_mut().unwrap() {
            let list = dialog[turns].as_array_mut().unwrap();
            list.truncate((list.len() / 2).max(1));
        }
        let ours = |copy: &mut Value| {
            for dialog in copy.as_array_mut().unwrap() {
                dialog[turns][0][member] = match member {
                    "user_acts" => json!([]),
                    _ => json!("Hm."),
                };
                if let Some(segments) = dialog[turns][0].get_mut("segments") {
                    *segments = json!([]);
                }
            }
        };
        let mut expected = whole.clone();
        ours(&mut expected);
        let copies = Copies::of_value(beginning);
        let (code, out, conflicts) = copies.merged(&ours, &|copy| copy.clone_from(&whole));
        assert_eq!(code, 0, "{file}: {conflicts}");
        assert!(out == expected, "{file}");
    }
}

/// A family may keep the segments of a turn in several lists: a new one is not always the last.
#[test]
fn a_new_segment_before_others_leaves_them_alone() {
    let frame =
        |service: &str, slots: Value| json!({"actions": [], "service": service, "slots": slots});
    let time = json!({"slot": "time", "start": 8, "exclusive_end": 13, "value": "three"});
    let base = json!([{"dialogue_id": "a", "services": ["a", "b"], "turns": [
        {"speaker": "USER", "turn_id": "0", "utterance": "Two for three.", "frames": [
            frame("a", json!([])), frame("b", json!([time]))]},
        {"speaker": "SYSTEM", "turn_id": "1", "utterance": "Fine.", "frames": []},
    ]}]);
    let copies = Copies::of_value(base);
    let added = json!([{"slot": "count", "start": 0, "exclusive_end": 3, "value": "2"}]);
    let theirs = set("/0/turns/0/frames/0/slots", added);
    let speaker = set("/0/turns/0/utterance", json!("Two for three!"));
    copies.is_taken(&theirs, &speaker);
    let folder = copies.folder.path();
    let ran = run_in(folder, &["diff", "base.json", "theirs.json", "--format", "jsonl"], "");
    let edits = ran.out.lines().filter(|line| line.contains("set_quote"));
    for edit in edits {
        assert!(edit.contains(r#""segment":0"#), "{}", ran.out);
    }
}

/// The lines of a session are compared one by one; where one is not UTF-8, nothing is written over its bytes.
#[test]
fn lines_of_sessions_are_added_removed_and_left_as_they_are() {
    let folder = scratch();
    let base = fs::read(project("assets/demo/sessions/claude-code-ferry.jsonl")).unwrap();
    let lines: Vec<&[u8]> = base.trim_ascii_end().split(|byte| *byte == b'\n').collect();
    let write = |name: &str, lines: &[&[u8]]| {
        let mut text = lines.join(&b'\n');
        text.push(b'\n');
        fs::write(folder.path().join(name), &text).unwrap();
        text
    };
    write("base.jsonl", &lines);
    let note = br#"{"type":"custom-title","customTitle":"ferry"}"#.as_slice();
    let broken = b"{\"type\":\"user\",\"x\":\"\xe6\x97\"}".as_slice();
    let with = |at: usize, line| {
        let mut copy = lines.clone();
        copy.insert(at, line);
        copy
    };
    let merged = || {
        let names = ["base.jsonl", "ours.jsonl", "theirs.jsonl", "-o", "out.jsonl"];
        run_in(folder.path(), &[&["merge"], &names[..]].concat(), "")
    };
    let last = lines.len();
    for (at, without) in [(1, 0), (last, 0), (0, 1), (2, last - 1)] {
        let theirs = write("theirs.jsonl", &with(at, note));
        let mut ours = lines.clone();
        ours.remove(without);
        for ours in [lines.clone(), ours] {
            let is_whole = ours.len() == lines.len();
            write("ours.jsonl", &ours);
            let ran = merged();
            assert!(ran.code < 2, "{at}: {}", ran.err);
            let out = fs::read(folder.path().join("out.jsonl")).unwrap();
            if is_whole {
                assert!(out == theirs, "{at}: {}", String::from_utf8_lossy(&out));
            }
            let ran = run_in(folder.path(), &["diff", "ours.jsonl", "theirs.jsonl"], "");
            assert_eq!(ran.code, 1, "{at}: {}", ran.err);
            fs::remove_file(folder.path().join("out.jsonl")).unwrap();
            let _ = fs::remove_file(folder.path().join("out.jsonl.conflicts.jsonl"));
        }
    }
    let ours = write("ours.jsonl", &with(last, broken));
    write("theirs.jsonl", &with(last, note));
    let ran = merged();
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(fs::read(folder.path().join("out.jsonl")).unwrap() == ours);
}

/// A number that says something else than where its turn is does not move with it.
#[test]
fn a_member_of_a_call_that_is_equal_to_the_number_of_its_turn_stays() {
    let mut copies = Copies::of("taskmaster-3.json");
    let turns = copies.base[0]["utterances"].as_array().unwrap();
    let call = turns.iter().position(|turn| turn.get("apis").is_some());
    let call = call.unwrap();
    copies.base[0]["utterances"][call]["apis"][0]["menu_index"] = json!(call);
    let added = |copy: &mut Value| {
        let turns = copy[0]["utterances"].as_array_mut().unwrap();
        turns.insert(1, json!({"index": 1, "speaker": "user", "text": "Hello?"}));
        for (index, turn) in turns.iter_mut().enumerate().skip(2) {
            turn["index"] = json!(index);
            let calls = turn.get_mut("apis").into_iter();
            for call in calls.flat_map(|of| of.as_array_mut().unwrap()) {
                call["index"] = json!(index);
            }
        }
    };
    let at = format!("/0/utterances/{call}/apis/0/name");
    let named = |copy: &mut Value| *copy.pointer_mut(&at).unwrap() = json!("other");
    let mut expected = copies.base.clone();
    named(&mut expected);
    added(&mut expected);
    for (ours, theirs) in [(&added as Change<'_>, &named as Change<'_>), (&named, &added)] {
        let found = copies.merged(ours, theirs);
        assert_eq!(found, (0, expected.clone(), String::new()));
    }
}

#[test]
fn two_calls_with_one_id_are_a_conflict() {
    let copies = Copies::of_value(json!({"messages": [
        {"role": "user", "content": "Is a bike free?"},
        {"role": "assistant", "content": "One."},
        {"role": "user", "content": "Which?"},
        {"role": "assistant", "content": "Bike 3."},
    ]}));
    let call = |name: &str| {
        let function = json!({"name": name, "arguments": "{}"});
        json!([{"id": "call_1", "type": "function", "function": function}])
    };
    let ours = set("/messages/1/tool_calls", call("find_bike"));
    let theirs = set("/messages/3/tool_calls", call("name_bike"));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (code, out, conflicts) = copies.merged(ours, theirs);
        assert_eq!(code, 1);
        let mut expected = copies.base.clone();
        ours(&mut expected);
        assert_eq!(out, expected);
        assert!(conflicts.contains(r#""conflict":"call""#), "{conflicts}");
    }
}

/// The order of segments says nothing; that of a list that the family does not know may.
#[test]
fn another_order_of_segments_makes_no_difference() {
    let copies = Copies::of("taskmaster-1.json");
    let turns = copies.base[0]["utterances"].as_array().unwrap();
    let has_two = |turn: &Value| turn["segments"].as_array().is_some_and(|of| of.len() > 1);
    let turn = turns.iter().position(has_two).unwrap();
    let reversed = |copy: &mut Value| {
        let segments = &mut copy[0]["utterances"][turn]["segments"];
        segments.as_array_mut().unwrap().reverse();
    };
    let text = set("/0/utterances/0/text", json!("Other."));
    let mut expected = copies.base.clone();
    text(&mut expected);
    reversed(&mut expected);
    assert_eq!(copies.merged(&text, &reversed), (0, expected, String::new()));
    let names = ["diff", "base.json", "theirs.json"];
    let ran = run_in(copies.folder.path(), &names, "");
    assert_eq!((ran.code, ran.out), (0, String::new()));
    let noted = |copy: &mut Value| {
        reversed(copy);
        copy[0]["utterances"][turn]["note"] = json!(1);
    };
    copies.merged(&text, &noted);
    let ran = run_in(copies.folder.path(), &names, "");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out.matches("no edit says how").count(), 1, "{}", ran.out);
}

/// An act that is a member of its turn is neither added nor removed.
#[test]
fn another_name_of_an_act_that_is_always_there_is_an_edit() {
    let turn = |name: &str, slots: Value| json!({"speaker": "USR", "text": "Ghent.", "da_label": name, "slots": slots});
    let dialog = |turn: Value| json!([{"dialogue_id": "a", "utterances": [turn]}]);
    let copies = Copies::of_value(dialog(turn("inform", json!({"city": "Ghent"}))));
    let other = dialog(turn("request", json!({})));
    copies.merged(&|_| {}, &|copy| copy.clone_from(&other));
    let names = ["diff", "base.json", "theirs.json", "--format", "jsonl"];
    let ran = run_in(copies.folder.path(), &names, "");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("set_act"), "{}", ran.out);
}

/// The first line begins where the lines do.
#[test]
fn several_lines_are_removed_beside_the_first_one() {
    let line = r#"{"type": "message", "message": {"role": "user", "content": "what time is it?"}}"#;
    let bare = r#"{"type": "message"}"#;
    let copies = [
        ["{}", line, bare, bare].join("\n"),
        [line, "{}", bare, bare, bare].join("\n"),
        [line, bare].join("\n"),
    ];
    let folder = scratch();
    let names = ["base.jsonl", "ours.jsonl", "theirs.jsonl"];
    for (name, copy) in names.iter().zip(&copies) {
        fs::write(folder.path().join(name), format!("{copy}\n")).unwrap();
    }
    for [ours, theirs] in [[1, 2], [2, 1]] {
        let merge = ["merge", names[0], names[ours], names[theirs], "-o", "out.jsonl"];
        let ran = run_in(folder.path(), &merge, "");
        assert!(ran.code < 2 && !ran.err.contains("panicked"), "{ran:?}");
        let out = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
        let is_json = |line: &str| serde_json::from_str::<Value>(line).is_ok();
        assert!(out.lines().all(is_json), "{out}");
        assert_eq!(out.matches("what time").count(), 1, "{out}");
    }
}

/// A line of an unknown kind is a field of its dialog, as it is written.
#[test]
fn a_change_in_a_line_that_the_other_side_gives_another_kind_is_a_conflict() {
    let line = |kind: &str, payload: &str| {
        format!(
            "{{\"timestamp\": \"2026-01-04T09:00:01Z\", \"type\": \"{kind}\", \"payload\": {payload}}}\n"
        )
    };
    let message = |role: &str, kind: &str, text: &str, more: &str| {
        format!(
            r#"{{"type": "message", "role": "{role}", "content": [{{"type": "{kind}", "text": "{text}"{more}}}]}}"#
        )
    };
    let all = |kind: &str, more: &str| {
        let first =
            line("session_meta", r#"{"id": "s", "cwd": "/p", "originator": "codex_cli_rs"}"#);
        let asked = line(kind, &message("user", "input_text", "Add a test.", more));
        let answered = message("assistant", "output_text", "Done.", "");
        first + &asked + &line("response_item", &answered)
    };
    let base = all("response_item", "");
    let retyped = all("response_item_v2", "");
    let noted = all("response_item", r#", "note": "checked""#);
    let folder = scratch();
    for [ours, theirs] in [[&retyped, &noted], [&noted, &retyped]] {
        for (name, text) in [("base", &base), ("ours", ours), ("theirs", theirs)] {
            fs::write(folder.path().join(name).with_extension("jsonl"), text).unwrap();
        }
        let merge = ["merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "-o", "out.jsonl"];
        let ran = run_in(folder.path(), &merge, "");
        let out = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
        let mut lines = ours.lines();
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(lines.all(|line| out.contains(line)), "{out}");
    }
}
