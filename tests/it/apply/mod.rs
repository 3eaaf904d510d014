//! `turnwise apply`: records in, files out.

mod output;
mod put;
mod reports;
mod suggestions;

use std::fs;
use std::path::Path;

use crate::support::{CORPUS, Ran, TempDir, project, run_in, scratch};

const FIX: &str = r#"{"edit":"set_span","dialog":"dlg-a","turn":0,"segment":0,"start":8,"end":17}"#;

fn corpus() -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("data.json"), CORPUS).unwrap();
    folder
}

fn apply(folder: &Path, records: &str, more: &[&str]) -> Ran {
    let mut arguments = vec!["apply", "-", "data.json"];
    arguments.extend(more);
    run_in(folder, &arguments, records)
}

fn saved(folder: &Path) -> String {
    fs::read_to_string(folder.join("data.json")).unwrap()
}

/// A turn's list of segments with a new one at `place`.
#[test]
fn a_new_segment_is_where_its_words_are() {
    let segment = |start: usize| {
        format!(
            r#"{{"start_index": {start}, "end_index": {}, "text": "{}", "annotations": [{{"name": "x"}}]}}"#,
            start + 1,
            &"abcdefgh"[start..=start]
        )
    };
    let corpus = |starts: &[usize]| {
        let segments: Vec<_> = starts.iter().map(|start| segment(*start)).collect();
        format!(
            r#"[{{"conversation_id": "d", "instruction_id": "i", "utterances": [{{"index": 0, "speaker": "USER", "text": "abcdefgh", "segments": [{}]}}]}}]"#,
            segments.join(", ")
        )
    };
    let record = r#"{"edit":"add_segment","dialog":0,"turn":0,"start":3,"end":4,"labels":["x"]}"#;
    for (before, after) in [
        (&[1, 5][..], &[1, 3, 5][..]),
        (&[4], &[3, 4]),
        (&[0, 3], &[0, 3, 3]),
        // As the list is not in the order of the text, it goes behind the others.
        (&[5, 1], &[5, 1, 3]),
    ] {
        let folder = scratch();
        fs::write(folder.path().join("c.json"), corpus(before)).unwrap();
        let ran = run_in(folder.path(), &["apply", "-", "c.json"], record);
        assert_eq!(ran.code, 0, "{ran:?}");
        let text = fs::read_to_string(folder.path().join("c.json")).unwrap();
        assert_eq!(text, corpus(after));
    }
    // In a family that counts tokens, and in one that a description tells.
    let sim = |slots: &str| {
        format!(
            r#"[{{"dialogue_id": "d", "turns": [{{"user_utterance": {{"text": "a b c", "tokens": ["a", "b", "c"], "slots": [{slots}]}}, "user_acts": [{{"type": "INFORM"}}], "dialogue_state": []}}]}}]"#
        )
    };
    let slot = |start: usize| {
        format!(r#"{{"slot": "x", "start": {start}, "exclusive_end": {}}}"#, start + 1)
    };
    let abcd = |spans: &str| {
        format!(
            r#"[{{"dialogue_id": "d", "services": ["s"], "turns": [{{"speaker": "USER", "utterance": "a b c", "frames": [{{"service": "s", "slots": [{spans}], "actions": [], "state": {{"active_intent": "i", "requested_slots": [], "slot_values": {{}}}}}}]}}]}}]"#
        )
    };
    let of_sgd = |start: usize| {
        format!(r#"{{"slot": "x", "start": {start}, "exclusive_end": {}}}"#, start + 1)
    };
    for (text, added, record) in [
        (
            sim(&[slot(0), slot(2)].join(", ")),
            sim(&[slot(0), slot(1), slot(2)].join(", ")),
            r#"{"edit":"add_segment","dialog":0,"turn":0,"start":1,"end":2,"labels":["x"]}"#,
        ),
        (
            abcd(&[of_sgd(0), of_sgd(4)].join(", ")),
            abcd(&[of_sgd(0), of_sgd(2), of_sgd(4)].join(", ")),
            r#"{"edit":"add_segment","dialog":0,"turn":0,"start":2,"end":3,"labels":["s.x"]}"#,
        ),
    ] {
        let folder = scratch();
        fs::write(folder.path().join("c.json"), text).unwrap();
        let ran = run_in(folder.path(), &["apply", "-", "c.json"], record);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(fs::read_to_string(folder.path().join("c.json")).unwrap(), added);
    }
}

#[test]
fn a_moved_edge_changes_two_lines() {
    let folder = corpus();
    let ran = apply(folder.path(), FIX, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let expected = CORPUS
        .replace("\"end_index\": 16", "\"end_index\": 17")
        .replace("\"text\": \"Nosferat\"", "\"text\": \"Nosferatu\"");
    assert_eq!(saved(folder.path()), expected);
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["data.json"], "no temporary file stays");
}

#[test]
fn turns_that_votes_and_gold_labels_count_stay() {
    let folder = scratch();
    let turn = |index: usize, text: &str| {
        format!(r#"{{"index": {index}, "speaker": "USER", "text": "{text}"}}"#)
    };
    let corpus = |turns: &[String]| {
        format!(
            r#"[{{"conversation_id": "a", "instruction_id": "b", "utterances": [{}]}}]"#,
            turns.join(", ")
        )
    };
    let all = corpus(&[turn(0, "hm"), turn(1, "oh"), turn(2, "well")]);
    fs::write(folder.path().join("data.json"), &all).unwrap();
    let removed = |turn: usize| {
        let record = format!(r#"{{"edit":"remove_turn","dialog":"a","turn":{turn}}}"#);
        apply(folder.path(), &record, &[])
    };
    let votes = folder.path().join("votes");
    fs::create_dir_all(votes.join("gold")).unwrap();
    let log = |vote: &str| {
        let turn = |index: usize, text: &str, votes: &str| {
            format!(
                r#"{{"turn-index":{index},"speaker":"S","utterance":"{text}","annotations":[{votes}]}}"#
            )
        };
        let turns = [turn(0, "hm", ""), turn(1, "oh", vote), turn(2, "well", "")];
        format!(r#"{{"dialogue-id":"a","group-id":"data.json","turns":[{}]}}"#, turns.join(","))
    };
    let vote = r#"{"annotator-id":"mk","breakdown":"O","comment":""}"#;
    let gold = r#"{"dialogue-id":"a","gold":true,"turns":[{"turn-index":1,
        "labels":[{"breakdown":"O","prob-O":1.0,"prob-T":0.0,"prob-X":0.0}]}]}"#;
    fs::write(votes.join("a.log.json"), log(vote)).unwrap();
    let ran = removed(2);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("has votes on this dialog, turn by turn"), "{ran:?}");
    fs::write(votes.join("a.log.json"), log("")).unwrap();
    fs::write(votes.join("gold/a.labels.json"), gold).unwrap();
    let ran = removed(1);
    assert!(ran.err.contains("has gold labels of this turn or later ones"), "{ran:?}");
    assert_eq!(saved(folder.path()), all);
    let ran = removed(2);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let fewer = corpus(&[turn(0, "hm"), turn(1, "oh")]);
    assert_eq!(saved(folder.path()), fewer);
}

/// Records behind one that moves turns count the turns after it.
#[test]
fn later_records_count_the_turns_that_are_left() {
    let folder = scratch();
    let turn = |index: usize, text: &str| {
        format!(r#"{{"index": {index}, "speaker": "USER", "text": "{text}"}}"#)
    };
    let corpus = |turns: &[String]| {
        format!(
            r#"[{{"conversation_id": "a", "instruction_id": "b", "utterances": [{}]}}]"#,
            turns.join(", ")
        )
    };
    let all: Vec<_> = (0..4).map(|index| turn(index, &format!("no. {index}"))).collect();
    fs::write(folder.path().join("data.json"), corpus(&all)).unwrap();
    let records = r#"{"edit":"set_text","dialog":"a","turn":3,"text":"last"}
{"edit":"remove_turn","dialog":"a","turn":1}
{"edit":"set_text","dialog":"a","turn":1,"text":"second"}
{"edit":"remove_turn","dialog":"a","turn":0}
{"edit":"set_speaker","dialog":"a","turn":1,"speaker":"ASSISTANT"}
"#;
    // Later turns, whose numbers follow, are those that they were.
    let record = records.lines().nth(1).unwrap();
    let ran = apply(folder.path(), record, &["--diff=dialog"]);
    let expected = "data.json\n@@ dialog 0, turn 1 @@ a\n- USER: \"no. 1\"\n+ nothing\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected));
    let ran = apply(folder.path(), records, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let last = turn(1, "last").replace("USER", "ASSISTANT");
    assert_eq!(saved(folder.path()), corpus(&[turn(0, "second"), last]));
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let folder = corpus();
    let before = fs::metadata(folder.path().join("data.json")).unwrap().modified().unwrap();
    let same = FIX.replace("17", "16");
    let ran = apply(folder.path(), &same, &[]);
    assert!(ran.code == 0 && ran.out.contains("nothing to change"), "{ran:?}");
    let after = fs::metadata(folder.path().join("data.json")).unwrap().modified().unwrap();
    assert_eq!((saved(folder.path()).as_str(), after), (CORPUS, before));
}

/// As a shell passes them on for `turnwise apply <(command) data.json`.
#[test]
fn edits_may_come_from_a_pipe_that_is_passed_on() {
    let folder = corpus();
    let ran = run_in(folder.path(), &["apply", "/dev/fd/0", "data.json"], FIX);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_ne!(saved(folder.path()), CORPUS);
}

#[test]
fn a_diff_is_a_patch() {
    let folder = corpus();
    let ran = apply(folder.path(), FIX, &["--diff"]);
    assert_eq!(saved(folder.path()), CORPUS, "nothing is written");
    assert!(ran.out.contains("-            \"end_index\": 16,\n-            \"text\": \"Nosferat\",\n+            \"end_index\": 17,"), "{}", ran.out);
    fs::write(folder.path().join("fix.patch"), &ran.out).unwrap();
    let patched = std::process::Command::new("git")
        .args(["apply", "-p0", "--unsafe-paths", "fix.patch"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(patched.success());
    assert_eq!(apply(&corpus().keep(), FIX, &[]).code, 0);
    assert!(saved(folder.path()).contains("\"Nosferatu\""));
}

/// A line that holds a whole corpus cannot be read as one of a diff.
#[test]
fn a_diff_of_long_lines_shows_the_changed_turns() {
    let folder = corpus();
    let mut minified: serde_json::Value = serde_json::from_str(CORPUS).unwrap();
    let mut long = minified[0]["utterances"][1].clone();
    long["text"] = "x".repeat(400).into();
    minified[1]["utterances"] = vec![long].into();
    fs::write(folder.path().join("data.json"), minified.to_string()).unwrap();
    let label = r#"{"edit":"set_labels","dialog":"dlg-a","turn":0,"segment":0,"labels":["film"]}"#;
    let records = format!("{FIX}\n{label}");
    let expected = "data.json\n@@ dialog 0, turn 0 @@ dlg-a\n\
         - Two for «Nosferat»{name.movie}u at nine, please.\n\
         + Two for «Nosferatu»{film} at nine, please.\n";
    for form in ["--diff", "--diff=dialog", "--diff=auto"] {
        let ran = apply(folder.path(), &records, &[form]);
        assert_eq!((ran.code, ran.out.as_str()), (0, expected), "{form}");
    }
    let ran = apply(folder.path(), &records, &["--diff=unified"]);
    assert!(ran.out.starts_with("--- data.json\n+++ data.json\n@@ -1 +1 @@\n"));
    let ran = run_in(folder.path(), &["fix", "data.json", "--diff", "--unsafe-fixes"], "");
    assert!(ran.out.starts_with("data.json\n@@ dialog 0, turn 0 @@ dlg-a\n- "), "{ran:?}");
    // Short lines are those of the file, unless one wants turns.
    fs::write(folder.path().join("data.json"), CORPUS).unwrap();
    let ran = apply(folder.path(), &records, &["--diff"]);
    assert!(ran.out.starts_with("--- data.json\n"), "{ran:?}");
    let ran = apply(folder.path(), &records, &["--diff=dialog"]);
    assert_eq!(ran.out, expected);
    assert_eq!(saved(folder.path()), CORPUS);
}

#[test]
fn a_diff_shows_the_texts_of_the_whole_dialog_too() {
    let folder = scratch();
    let chat = r#"{"id":"a","note":"one word","messages":[{"role":"user","content":"hm"}]}"#;
    fs::write(folder.path().join("data.json"), format!("{chat}\n")).unwrap();
    let field = r#"{"edit":"set_field","dialog":"a","name":"note","text":"one more word"}"#;
    let text = r#"{"edit":"set_text","dialog":"a","turn":0,"text":"ho"}"#;
    let ran = apply(folder.path(), &format!("{field}\n{text}"), &["--diff=dialog"]);
    let expected = "data.json\n@@ dialog 0 @@ a\n- note: one word\n+ note: one more word\n\
         @@ dialog 0, turn 0 @@ a\n- \"hm\"\n+ \"ho\"\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected));
}

#[test]
fn dry_runs_and_outputs_leave_the_file_alone() {
    let folder = corpus();
    let ran = apply(folder.path(), FIX, &["--dry-run"]);
    let told = "data.json: 1 edit would be applied\nall records fit: 1 edit in 1 file\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, told));
    assert_eq!(saved(folder.path()), CORPUS);
    let same = FIX.replace("17", "16");
    let ran = apply(folder.path(), &same, &["--dry-run"]);
    let told = "data.json: 1 edit; nothing to change\nall records fit; nothing to change\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, told));
    let ran = apply(folder.path(), &format!("{same}\n{FIX}"), &["--dry-run"]);
    assert!(ran.out.ends_with("\nall records fit: 1 edit in 1 file\n"), "{ran:?}");
    let ran = apply(folder.path(), FIX, &["--output", "repaired"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(saved(folder.path()), CORPUS);
    assert!(saved(&folder.path().join("repaired")).contains("\"Nosferatu\""));
    let ran = apply(folder.path(), FIX, &["--output", "."]);
    assert_eq!((ran.code, saved(folder.path()).as_str()), (2, CORPUS));
}

#[test]
fn all_records_or_none() {
    let folder = corpus();
    let bad = r#"{"edit":"remove_segment","dialog":"dlg-a","turn":1,"segment":0}"#;
    let ran = apply(folder.path(), &format!("{FIX}\n\n{bad}\n"), &[]);
    assert_eq!((ran.code, saved(folder.path()).as_str()), (1, CORPUS));
    assert!(ran.err.contains("-:3: dialog \"dlg-a\": turn 1 has 0 segments"), "{}", ran.err);
}

#[test]
fn a_segment_can_be_added_where_there_was_none() {
    let folder = corpus();
    let add = r#"{"edit":"add_segment","dialog":0,"turn":1,"start":5,"end":13,"labels":["a","b"]}"#;
    let ran = apply(folder.path(), add, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let expected = CORPUS.replace(
        "        \"text\": \"It\\u2019s sold out.\"\n",
        r#"        "text": "It\u2019s sold out.",
        "segments": [
          {
            "start_index": 5,
            "end_index": 13,
            "text": "sold out",
            "annotations": [
              {
                "name": "a"
              },
              {
                "name": "b"
              }
            ]
          }
        ]
"#,
    );
    assert_eq!(saved(folder.path()), expected);
}

#[test]
fn new_characters_are_escaped_as_the_file_escapes() {
    let folder = corpus();
    let set = r#"{"edit":"set_text","dialog":"dlg-a","turn":1,"text":"It’s “sold out”."}"#;
    assert_eq!(apply(folder.path(), set, &[]).code, 0);
    let expected = CORPUS.replace("It\\u2019s sold out.", "It\\u2019s \\u201csold out\\u201d.");
    assert_eq!(saved(folder.path()), expected);
}

#[test]
fn a_segment_stays_while_both_its_sides_are_rewritten() {
    let folder = corpus();
    assert_eq!(apply(folder.path(), FIX, &[]).code, 0);
    let before = saved(folder.path());
    let set =
        r#"{"edit":"set_text","dialog":0,"turn":0,"text":"Could I have 2 for Nosferatu tonight?"}"#;
    let ran = apply(folder.path(), set, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let expected = before
        .replace("Two for Nosferatu at nine, please.", "Could I have 2 for Nosferatu tonight?")
        .replace("\"start_index\": 8", "\"start_index\": 19")
        .replace("\"end_index\": 17", "\"end_index\": 28");
    assert_eq!(saved(folder.path()), expected);
}

#[test]
fn votes_are_cast_changed_and_withdrawn() {
    let folder = scratch();
    let log = fs::read_to_string(project("assets/demo/dbdc/demo_001.log.json")).unwrap();
    fs::write(folder.path().join("data.json"), &log).unwrap();
    let value: serde_json::Value = serde_json::from_str(&log).unwrap();
    let id = value["dialogue-id"].as_str().unwrap();
    let turn = value["turns"].as_array().unwrap().iter().position(|t| t["speaker"] == "S").unwrap();
    let cast = |breakdown: &str| {
        format!(
            r#"{{"edit":"cast_vote","dialog":"{id}","turn":{turn},"annotator":"me","breakdown":"{breakdown}"}}"#
        )
    };
    assert_eq!(apply(folder.path(), &cast("X"), &[]).code, 0);
    let once = saved(folder.path());
    assert_eq!(once.lines().count(), log.lines().count() + 6);
    assert_eq!(apply(folder.path(), &cast("O"), &[]).code, 0);
    assert_eq!(saved(folder.path()).lines().zip(once.lines()).filter(|(a, b)| a != b).count(), 1);
    let withdraw =
        format!(r#"{{"edit":"withdraw_vote","dialog":"{id}","turn":{turn},"annotator":"me"}}"#);
    assert_eq!(apply(folder.path(), &withdraw, &[]).code, 0);
    assert_eq!(saved(folder.path()), log);
    let ran = apply(folder.path(), &withdraw, &[]);
    assert!(ran.code == 1 && ran.err.contains("has no vote"), "{ran:?}");
    let user = cast("X").replace(&format!("\"turn\":{turn}"), "\"turn\":0");
    let ran = apply(folder.path(), &user, &[]);
    assert!(ran.code == 1 && ran.err.contains("only system turns"), "{ran:?}");
}

/// A detector's output has the id of its log; a vote always goes to the log.
#[test]
fn a_log_and_its_labels_may_be_side_by_side() {
    let folder = scratch();
    for name in ["demo_001.log.json", "demo_001.labels.json"] {
        fs::copy(project("assets/demo/dbdc").join(name), folder.path().join(name)).unwrap();
    }
    let vote =
        r#"{"edit":"cast_vote","dialog":"demo_001","turn":3,"annotator":"me","breakdown":"T"}"#;
    let ran = run_in(folder.path(), &["apply", "-", "."], vote);
    assert!(ran.code == 0 && ran.out.contains("demo_001.log.json"), "{ran:?}");
}

#[test]
fn broken_files_open_read_only() {
    let folder = scratch();
    let broken = &CORPUS[..CORPUS.len() - 3];
    fs::write(folder.path().join("data.json"), broken).unwrap();
    let ran = apply(folder.path(), FIX, &[]);
    assert!(ran.code == 2 && ran.err.contains("read-only"), "{ran:?}");
    assert_eq!(saved(folder.path()), broken);
}

/// However the two write it, whatever holds the dialogs, and however many other ids the records name.
#[test]
fn an_id_that_two_dialogs_share_is_not_enough() {
    let folder = scratch();
    fs::create_dir(folder.path().join("formats")).unwrap();
    for (name, id) in [("keyed", "@key"), ("named", "name")] {
        let description = format!(
            "name = \"{name}\"\nid = \"{id}\"\nhas = [\"{name}[*].say\"]\n[turn]\nat = \"{name}[*]\"\ntext = \"say\"\n"
        );
        fs::write(folder.path().join(format!("formats/{name}.toml")), description).unwrap();
    }
    // A dialog of each shape, with its id in place of `I`.
    let shapes = [
        r#"{"conversation_id": "I", "vertical": "v", "utterances": [{"index": 0, "speaker": "user", "text": "T"}]}"#,
        r#"{"id": "I", "messages": [{"role": "user", "content": "T"}]}"#,
        r#"{"name": "I", "named": [{"say": "T"}]}"#,
        r#""I": {"keyed": [{"say": "T"}]}"#,
    ];
    // What is before, between and behind the dialogs.
    let array = ["[", ",\n", "]"];
    let (lines, keyed) = (["", "\n", ""], ["{", ",\n", "}"]);
    let mut files = Vec::new();
    for shape in shapes {
        for (one, other, id) in [
            (r"d\u00e9", "dé", "dé"),
            (r"a\/b", "a/b", "a/b"),
            (r"A\u0061", "Aa", "Aa"),
            (r"\ud83d\ude00", "😀", "😀"),
            (r"\ud800", r"\ufffd", "\u{fffd}"),
        ] {
            for (one, other) in [(one, other), (other, one)] {
                let mut ids = vec![one.to_owned()];
                ids.extend((0..9).map(|other| format!("other-{other}")));
                ids.push(other.to_owned());
                let dialogs: Vec<_> = ids.iter().map(|id| shape.replace('I', id)).collect();
                let is_keyed = shape.starts_with('"');
                let forms = if is_keyed { vec![keyed] } else { vec![array, lines] };
                for [before, between, behind] in forms {
                    let text = format!("{before}{}{behind}", dialogs.join(between));
                    files.push((text, id));
                }
            }
        }
    }
    // A task's id and the number of its trial are the id together.
    let tasks = r#"[{"id": "a-1", "messages": [{"role": "user", "content": "T"}]},
{"task_id": "a", "trial": 1, "messages": [{"role": "user", "content": "T"}]}]"#;
    files.push((tasks.to_owned(), "a-1"));
    let record = |id: &str| {
        serde_json::json!({"edit": "set_text", "dialog": id, "turn": 0, "text": "new"}).to_string()
    };
    for (text, id) in &files {
        fs::write(folder.path().join("data.json"), text).unwrap();
        let others = if text == tasks { 0 } else { 9 };
        for count in [0, others] {
            let mut records = vec![record(id)];
            records.extend((0..count).map(|other| record(&format!("other-{other}"))));
            let ran = apply(folder.path(), &records.join("\n"), &[]);
            let is_named = ran.err.contains("is in data.json more than once");
            assert!(ran.code == 1 && is_named, "{count} {text}: {ran:?}");
            assert_eq!(&saved(folder.path()), text);
        }
        for files in [&["data.json"][..], &["data.json", "formats"]] {
            let ran = run_in(folder.path(), &[&["show", "-d", id][..], files].concat(), "");
            let is_named = ran.err.contains("several dialogs have the id");
            assert!(ran.out.is_empty() && is_named, "{text}: {ran:?}");
        }
    }
}

#[test]
fn several_files_need_an_id_or_a_file() {
    let folder = corpus();
    fs::write(
        folder.path().join("more.json"),
        CORPUS.replace("dlg-a", "dlg-x").replace("dlg-b", "dlg-y"),
    )
    .unwrap();
    let ran = run_in(folder.path(), &["apply", "-", "."], FIX);
    assert_eq!(ran.code, 0, "{ran:?}");
    let number = FIX.replace("\"dlg-a\"", "0").replace("17", "16");
    let ran = run_in(folder.path(), &["apply", "-", "."], &number);
    assert!(
        ran.code == 1 && ran.err.contains("is in ./data.json, ./more.json; choose one with"),
        "{ran:?}"
    );
    let named = number.replace("\"dialog\"", "\"file\":\"data.json\",\"dialog\"");
    let ran = run_in(folder.path(), &["apply", "-", "."], &named);
    assert_eq!((ran.code, saved(folder.path()).as_str()), (0, CORPUS), "{ran:?}");
}

#[test]
fn two_files_are_not_written_over_each_other() {
    let folder = scratch();
    for (name, id) in [("a", "dlg-a"), ("b", "dlg-x")] {
        fs::create_dir(folder.path().join(name)).unwrap();
        let text = CORPUS.replace("dlg-a", id).replace("dlg-b", &format!("{id}-2"));
        fs::write(folder.path().join(name).join("x.json"), text).unwrap();
    }
    let records = format!("{FIX}\n{}", FIX.replace("dlg-a", "dlg-x"));
    let ran =
        run_in(folder.path(), &["apply", "-", "a/x.json", "b/x.json", "--output", "o"], &records);
    assert!(ran.code == 2 && ran.err.contains("two files"), "{ran:?}");
    assert!(!folder.path().join("o").exists());
}

#[test]
fn a_file_named_twice_is_one_file() {
    let folder = corpus();
    let number = FIX.replace("\"dlg-a\"", "0");
    let ran = run_in(folder.path(), &["apply", "-", "data.json", "./data.json", "."], &number);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(saved(folder.path()).contains("\"Nosferatu\""));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = scratch();
    let real = folder.path().join("real.json");
    fs::write(&real, CORPUS).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.json", folder.path().join("data.json")).unwrap();
    assert_eq!(apply(folder.path(), FIX, &[]).code, 0);
    assert!(fs::symlink_metadata(folder.path().join("data.json")).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("Nosferatu\""));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn half_a_surrogate_pair_is_quoted_as_it_is_written() {
    let folder = scratch();
    let halved = CORPUS.replace("for Nosferatu", "for N\\ud83dsferatu");
    fs::write(folder.path().join("data.json"), &halved).unwrap();
    let ran = apply(folder.path(), FIX, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let expected = halved
        .replace("\"end_index\": 16", "\"end_index\": 17")
        .replace("\"text\": \"Nosferat\"", "\"text\": \"N\\ud83dsferatu\"");
    assert_eq!(saved(folder.path()), expected);
    let add = r#"{"edit":"add_segment","dialog":0,"turn":0,"start":9,"end":10,"labels":["x"]}"#;
    assert_eq!(apply(folder.path(), add, &[]).code, 0);
    assert!(saved(folder.path()).contains("\"text\": \"\\ud83d\""));
}

#[test]
fn all_lists_of_dialogs_count_on() {
    let folder = scratch();
    let train = CORPUS.trim_end();
    let test = train.replace("dlg-a", "dlg-c").replace("dlg-b", "dlg-d");
    let both = format!("{{\"note\": [1], \"train\": {train},\n\"test\": {test}}}\n");
    fs::write(folder.path().join("data.json"), &both).unwrap();
    let third = FIX.replace("\"dlg-a\"", "2");
    let ran = apply(folder.path(), &third, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let at = both.rfind("\"end_index\": 16").unwrap();
    let (head, tail) = both.split_at(at);
    let tail = tail.replacen("\"end_index\": 16", "\"end_index\": 17", 1).replacen(
        "\"Nosferat\"",
        "\"Nosferatu\"",
        1,
    );
    assert_eq!(saved(folder.path()), head.to_owned() + &tail);
}

#[test]
fn records_and_earlier_output_are_not_read_as_corpora() {
    let folder = corpus();
    fs::write(folder.path().join("edits.jsonl"), FIX.replace("\"dlg-a\"", "0")).unwrap();
    let arguments = ["apply", "edits.jsonl", ".", "--output", "out"];
    for _ in 0..2 {
        let ran = run_in(folder.path(), &arguments, "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    }
}

/// Every record that the manual shows fits the demo corpora.
#[test]
fn records_in_the_documentation_fit() {
    let manual = fs::read_to_string(project("assets/manual/edits.md")).unwrap();
    let records: Vec<_> = manual.lines().filter(|l| l.starts_with("{\"edit\"")).collect();
    assert!(records.len() > 7, "{}", records.len());
    let numbered =
        |record: &&str| record.contains("\"dialog\":0") || record.contains("\"dialog\":1");
    let (by_number, by_id): (Vec<_>, Vec<_>) = records.into_iter().partition(numbered);
    for (records, corpora) in [(by_number, "assets/demo/taskmaster-1.json"), (by_id, "assets/demo")]
    {
        let path = project(corpora);
        let arguments = ["apply", "-", path.to_str().unwrap(), "--dry-run"];
        let ran = run_in(Path::new("."), &arguments, &records.join("\n"));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
}

/// A definition of a code is about no dialog: it goes into the annotator's file, whichever file of the folder there is.
#[test]
fn a_definition_of_a_code_is_kept_beside_any_file() {
    let folder = corpus();
    fs::write(folder.path().join("more.json"), CORPUS.replace("\"dlg-", "\"more-")).unwrap();
    let judged = |dialog: &str| {
        format!(
            r#"{{"dialog":"{dialog}","edit":"judge","judgement":{{"dialog":"{dialog}","scheme":"codes","question":"slow","note":"a minute","by":"mk"}}}}"#
        )
    };
    let records = format!("{}\n{}", judged(""), judged("more-a"));
    let ran = run_in(folder.path(), &["apply", "-", "."], &records);
    assert_eq!(ran.code, 0, "{ran:?}");
    let kept = fs::read_to_string(folder.path().join("judgements/mk.jsonl")).unwrap();
    assert_eq!(kept.lines().filter(|line| line.contains("\"dialog\":\"\"")).count(), 1, "{kept}");
    assert_eq!(kept.lines().count(), 2, "{kept}");
    // Again, with the file of judgements there.
    let again = run_in(folder.path(), &["apply", "-", "."], &records.replace("a minute", "two"));
    assert_eq!(again.code, 0, "{again:?}");
    let kept = fs::read_to_string(folder.path().join("judgements/mk.jsonl")).unwrap();
    assert_eq!(kept.lines().filter(|line| line.contains("two")).count(), 2, "{kept}");
}
