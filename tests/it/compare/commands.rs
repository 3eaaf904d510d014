//! `turnwise diff` and `turnwise merge`: files in, text and files out.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::merge;
use crate::support::{CORPUS, TempDir, project, run_in, scratch};

/// A folder with `base.json`, and copies of it after these edit records.
fn copies(records: &[(&str, &str)]) -> TempDir {
    copies_of(CORPUS, records)
}

fn copies_of(corpus: &str, records: &[(&str, &str)]) -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("base.json"), corpus).unwrap();
    for (name, records) in records {
        fs::write(folder.path().join(name), corpus).unwrap();
        if !records.is_empty() {
            let ran = run_in(folder.path(), &["apply", "-", name], records);
            assert_eq!(ran.code, 0, "{ran:?}");
        }
    }
    folder
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

const MOVED: &str =
    r#"{"edit":"set_span","dialog":"dlg-a","turn":0,"segment":0,"start":8,"end":17}"#;
const LABEL: &str =
    r#"{"edit":"set_labels","dialog":"dlg-a","turn":0,"segment":0,"labels":["film"]}"#;
const ADDED: &str =
    r#"{"edit":"add_segment","dialog":"dlg-a","turn":0,"start":0,"end":3,"labels":["count"]}"#;

#[test]
fn a_difference_is_a_patch() {
    let folder = copies(&[("new.json", &format!("{MOVED}\n{ADDED}"))]);
    let folder = folder.path();
    let ran = run_in(folder, &["diff", "base.json", "new.json", "--format", "jsonl"], "");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
    let applied = run_in(folder, &["apply", "-", "base.json"], &ran.out);
    assert_eq!(applied.code, 0, "{applied:?}");
    assert_eq!(text(folder, "base.json"), text(folder, "new.json"));
    let ran = run_in(folder, &["diff", "base.json", "new.json"], "");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
}

/// A slot of an act may have several values.
#[test]
fn a_difference_of_a_list_is_a_patch() {
    let corpus = |city: &str| {
        format!(
            r#"[{{"dialogue_id": "f-1", "utterances": [
                {{"speaker": "SYS", "text": "Bergen?", "ap_label": "", "da_label": "suggest",
                "slots": {{"dst_city": {city}}}}}]}}]"#
        )
    };
    let folder = scratch();
    let folder = folder.path();
    fs::write(folder.join("old.json"), corpus(r#""Bergen""#)).unwrap();
    fs::write(folder.join("new.json"), corpus(r#"["Bergen", "Oslo"]"#)).unwrap();
    let found = run_in(folder, &["diff", "old.json", "new.json", "--format", "jsonl"], "");
    assert_eq!((found.code, found.out.lines().count()), (1, 1), "{found:?}");
    let applied = run_in(folder, &["apply", "-", "old.json"], &found.out);
    assert_eq!(applied.code, 0, "{applied:?}");
    assert_eq!(text(folder, "old.json"), text(folder, "new.json"));
}

#[test]
fn another_spelling_makes_no_difference() {
    let folder = copies(&[]);
    let value: serde_json::Value = serde_json::from_str(CORPUS).unwrap();
    fs::write(folder.path().join("new.json"), value.to_string()).unwrap();
    let ran = run_in(folder.path(), &["diff", "base.json", "new.json"], "");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
}

#[test]
fn changed_turns_are_printed_before_and_after_and_counted() {
    let folder = copies(&[("new.json", &format!("{LABEL}\n{ADDED}"))]);
    let ran = run_in(folder.path(), &["diff", "base.json", "new.json"], "");
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("--- base.json\n+++ new.json\n@@ dialog 0, turn 0 @@ dlg-a\n- "));
    assert!(ran.out.contains("{film}"), "{}", ran.out);
    let ran = run_in(folder.path(), &["diff", "base.json", "new.json", "--stat"], "");
    for row in ["add_segment", "set_labels", "film", "count"] {
        assert!(ran.out.contains(row), "{}", ran.out);
    }
}

/// A text that one side changes moves the segment that the other adds.
#[test]
fn a_segment_moves_with_the_text_of_the_other_side() {
    let texted = r#"{"edit":"set_text","dialog":"dlg-a","turn":0,"text":"Well: Two for Nosferatu at seven"}"#;
    let corpus = CORPUS;
    let folder = copies_of(corpus, &[("ours.json", texted), ("theirs.json", ADDED)]);
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let check = run_in(folder.path(), &["lint", "out.json", "--select", "span-text-mismatch"], "");
    assert!(!check.out.contains("\"Two\""), "{check:?}");
    let shown = run_in(folder.path(), &["show", "out.json"], "");
    assert!(shown.out.contains("\"Two\"  count"), "{}", shown.out);
    assert!(!folder.path().join("out.json.conflicts.jsonl").exists());
}

#[test]
fn both_sides_may_add_to_one_turn_and_change_different_parts_of_a_segment() {
    let other =
        r#"{"edit":"add_segment","dialog":"dlg-a","turn":0,"start":4,"end":7,"labels":["for"]}"#;
    let ours = format!("{ADDED}\n{MOVED}");
    let theirs = format!("{other}\n{LABEL}");
    let folder = copies(&[("ours.json", &ours), ("theirs.json", &theirs)]);
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let both = copies(&[("both.json", &format!("{ours}\n{theirs}"))]);
    assert_eq!(text(folder.path(), "out.json"), text(both.path(), "both.json"));
}

#[test]
fn a_conflict_keeps_ours_and_lists_both() {
    let other = LABEL.replace("film", "movie");
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", &other)]);
    let folder = folder.path();
    let ran = merge(folder, &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("1 conflict"), "{}", ran.out);
    assert!(ran.out.contains("decide them with: turnwise out.json\n"));
    assert_eq!(text(folder, "out.json"), text(folder, "ours.json"));
    let list = text(folder, "out.json.conflicts.jsonl");
    let line: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert!(line["edits"][0]["json"].as_str().unwrap().contains("movie"));
    for side in ["base", "ours", "theirs"] {
        assert!(line[side].is_string(), "{list}");
    }
    let ran = merge(folder, &["--theirs"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(text(folder, "out.json"), text(folder, "theirs.json"));
    assert!(!folder.join("out.json.conflicts.jsonl").exists(), "an old list stays");
}

/// Segments that a side's text takes away go with that text alone.
/// The rest of the file is the same on both sides.
#[test]
fn a_conflict_about_a_text_names_its_turn() {
    let text = r#"{"edit":"set_text","dialog":"dlg-a","turn":0,"text":"Two at nine, please.","drop":true}"#;
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", text)]);
    for names in [["ours.json", "theirs.json"], ["theirs.json", "ours.json"]] {
        let [ours, theirs] = names;
        let ran =
            run_in(folder.path(), &["merge", "base.json", ours, theirs, "-o", "out.json"], "");
        assert!(ran.out.contains("dlg-a, turn 0, text: "), "{ran:?}");
    }
}

#[test]
fn segments_stay_with_the_text_that_stays() {
    let segments = |folder: &Path, name: &str| {
        let dialogs: serde_json::Value = serde_json::from_str(&text(folder, name)).unwrap();
        let turn = &dialogs[0]["utterances"][0];
        let of = |segment: &serde_json::Value| {
            let label = segment["annotations"][0]["name"].as_str().unwrap();
            format!("{}: {label}", segment["text"].as_str().unwrap())
        };
        let all: Vec<_> = turn["segments"].as_array().unwrap().iter().map(of).collect();
        (turn["text"].as_str().unwrap().to_owned(), all)
    };
    let texted = |text: &str| {
        format!(
            r#"{{"edit":"set_text","dialog":"dlg-a","turn":0,"text":"{text}","drop":true,"shrink":true}}"#
        )
    };
    // Ours marks a word that theirs has deleted, with the segment that was there.
    let (ours, theirs) = (ADDED, texted("At nine, please."));
    let folder = copies(&[("ours.json", ours), ("theirs.json", &theirs)]);
    for more in [&[][..], &["--ours"]] {
        let ran = merge(folder.path(), more);
        assert_eq!(ran.code, i32::from(more.is_empty()), "{ran:?}");
        assert_eq!(segments(folder.path(), "out.json"), segments(folder.path(), "ours.json"));
    }
    // Both have changed the text, and ours alone deleted what theirs has given another label.
    let (ours, theirs) =
        (texted("Two at nine!"), texted("Two for Nosferatu at ten") + "\n" + LABEL);
    let folder = copies(&[("ours.json", &ours), ("theirs.json", &theirs)]);
    let ran = merge(folder.path(), &["--theirs"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(segments(folder.path(), "out.json"), segments(folder.path(), "theirs.json"));
    // A label of a word that the other side deletes is not lost in silence.
    let theirs = texted("At nine, please.");
    for (ours, theirs) in [(LABEL, theirs.as_str()), (theirs.as_str(), LABEL)] {
        let folder = copies(&[("ours.json", ours), ("theirs.json", theirs)]);
        let ran = merge(folder.path(), &[]);
        assert!(ran.code == 1 && ran.out.contains("1 conflict"), "{ran:?}");
    }
}

#[test]
fn a_conflict_lists_the_edits_of_each_side() {
    let other = LABEL.replace("film", "movie");
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", &other)]);
    let folder = folder.path();
    merge(folder, &["--review"]);
    let list = text(folder, "out.json.conflicts.jsonl");
    let line: serde_json::Value = serde_json::from_str(&list).unwrap();
    let put = |edits: &str| line[edits][0]["json"].as_str().unwrap().to_owned();
    assert!(put("edits").contains("\"movie\""), "{list}");
    assert!(put("edits_of_base").contains("\"name.movie\""), "{list}");
    assert!(line.get("edits_of_both").is_none(), "{list}");
    let mut edit = line["edits_of_base"][0].clone();
    edit["dialog"] = 0.into();
    let ran = run_in(folder, &["apply", "-", "out.json"], &edit.to_string());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(text(folder, "out.json"), CORPUS);
}

/// A second merge into a file adds to its open conflicts, which are still of the right turns.
#[test]
fn conflicts_of_an_earlier_merge_stay_open() {
    let other = LABEL.replace("film", "title");
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", &other)]);
    let folder = folder.path();
    let list = || text(folder, "out.json.conflicts.jsonl");
    assert_eq!(merge(folder, &[]).code, 1);
    let first = list();
    let into = |ours: &str, theirs: &str| {
        let names = ["merge", "base.json", ours, theirs, "-o", "out.json"];
        run_in(folder, &names, "")
    };
    assert_eq!(into("out.json", "theirs.json").code, 1);
    assert_eq!(list(), first, "the same merge");
    let ran = into("ours.json", "out.json");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(list(), first);
    let added = r#"{"edit":"add_turn","dialog":"dlg-a","turn":0,"speaker":"user","text":"Hello."}"#;
    fs::write(folder.join("third.json"), text(folder, "base.json")).unwrap();
    let ran = run_in(folder, &["apply", "-", "third.json"], added);
    assert_eq!(ran.code, 0, "{ran:?}");
    let names = ["merge", "base.json", "out.json", "third.json", "-o", "out.json"];
    let ran = run_in(folder, &names, "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("dlg-a, turn 1, segment"), "{}", ran.out);
    assert_eq!(list().lines().count(), 1);
    let edits: serde_json::Value = serde_json::from_str(&list()).unwrap();
    assert_eq!(edits["edits"][0]["turn"], 1);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_pipe_a_pipe() {
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", ADDED)]);
    let folder = folder.path();
    fs::write(folder.join("real.json"), "old").unwrap();
    std::os::unix::fs::symlink("real.json", folder.join("out.json")).unwrap();
    assert_eq!(merge(folder, &[]).code, 0);
    assert!(folder.join("out.json").is_symlink());
    assert!(text(folder, "real.json").contains("film"));
    fs::remove_file(folder.join("out.json")).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("out.json")).status();
    assert!(made.unwrap().success());
    let ran = merge(folder, &[]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("not a regular file"), "{}", ran.err);
    assert!(!folder.join("out.json").is_file());
}

#[test]
fn differences_are_decided_into_a_third_file() {
    let other = format!("{}\n{ADDED}", LABEL.replace("film", "movie"));
    let folder = copies(&[("mk.json", LABEL), ("js.json", &other)]);
    let folder = folder.path();
    let review = ["compare", "mk.json", "js.json", "--review", "-o", "out.json"];
    let ran = run_in(folder, &review, "");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{ran:?}");
    assert_eq!(
        ran.out,
        "out.json: 2 differences, 0 dialogs only in mk.json, 0 dialogs only in js.json\n\
         decide them with: turnwise out.json\n"
    );
    assert_eq!(text(folder, "out.json"), text(folder, "mk.json"));
    let list = text(folder, "out.json.conflicts.jsonl");
    let lines = list.lines().map(serde_json::from_str::<serde_json::Value>);
    let lines: Vec<_> = lines.map(Result::unwrap).collect();
    assert_eq!(lines[0]["sides"][1], "js.json", "{list}");
    let edits = lines.iter().flat_map(|line| line["edits"].as_array().unwrap());
    let records: Vec<String> = edits
        .map(|edit| {
            let mut edit = edit.clone();
            edit["dialog"] = 0.into();
            edit.to_string()
        })
        .collect();
    let ran = run_in(folder, &["apply", "-", "out.json"], &records.join("\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(text(folder, "out.json"), text(folder, "js.json"));
    // What is there is not lost.
    let ran = run_in(folder, &review, "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("`turnwise out.json` goes on with it"), "{ran:?}");
    let ran = run_in(folder, &["check", "."], "");
    assert!(!ran.out.contains("conflicts"), "{ran:?}");
}

#[test]
fn copies_that_say_the_same_leave_nothing_to_decide() {
    let folder = copies(&[("mk.json", LABEL), ("js.json", LABEL)]);
    let folder = folder.path();
    let review = ["compare", "mk.json", "js.json", "--review", "-o", "mk.json"];
    let ran = run_in(folder, &review, "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!folder.join("mk.json.conflicts.jsonl").exists());
}

#[test]
fn excluded_dialogs_are_counted_nowhere() {
    let folder = copies(&[("mk.json", LABEL), ("js.json", MOVED)]);
    let folder = folder.path();
    let line = r#"{"file":"js.json","dialog":"dlg-a","excluded":true,"reason":"a test call"}"#;
    fs::write(folder.join("turnwise.ignores.jsonl"), line).unwrap();
    let note = "1 excluded dialog left out; --with-excluded reads them too";
    let stat = ["diff", "mk.json", "js.json", "--stat"];
    let ran = run_in(folder, &stat, "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    assert!(ran.err.contains(note), "{ran:?}");
    let ran = run_in(folder, &[&stat[..], &["--with-excluded"]].concat(), "");
    assert!(ran.code == 1 && ran.out.contains("set_labels"), "{ran:?}");
    let compare = ["compare", "mk.json", "js.json", "--format", "csv"];
    let ran = run_in(folder, &compare, "");
    assert!(ran.err.contains(note) && !ran.out.contains("name.movie"), "{ran:?}");
    let ran = run_in(folder, &[&compare[..], &["--with-excluded"]].concat(), "");
    assert!(ran.err.is_empty() && ran.out.contains("name.movie"), "{ran:?}");
}

#[test]
fn what_one_side_removes_and_the_other_moves_is_a_conflict() {
    let removed = r#"{"edit":"remove_segment","dialog":"dlg-a","turn":0,"segment":0}"#;
    let folder = copies(&[("ours.json", removed), ("theirs.json", MOVED)]);
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("ours nothing"), "{}", ran.out);
    assert_eq!(text(folder.path(), "out.json"), text(folder.path(), "ours.json"));
}

/// In `ConvLab`'s form a segment is an act, too: one conflict, and edits that do not undo each other.
#[test]
fn an_element_that_is_two_things_is_one_conflict() {
    let moved = |start: u32| {
        format!(r#"{{"edit":"set_span","dialog":0,"turn":0,"segment":0,"start":{start},"end":43}}"#)
    };
    let corpus = fs::read_to_string(project("assets/demo/library/dialogues.json")).unwrap();
    let folder = copies_of(&corpus, &[("ours.json", &moved(21)), ("theirs.json", &moved(23))]);
    let folder = folder.path();
    let ran = merge(folder, &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let list = text(folder, "out.json.conflicts.jsonl");
    let line: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!(line["edits"].as_array().unwrap().len(), 1, "{list}");
    let mut edit = line["edits"][0].clone();
    edit["dialog"] = 0.into();
    let ran = run_in(folder, &["apply", "-", "out.json"], &edit.to_string());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(text(folder, "out.json"), text(folder, "theirs.json"));
}

/// A breakdown log of one dialog.
fn log(votes: &str) -> String {
    format!(
        r#"{{"dialogue-id":"a","group-id":"g","turns":[{{"turn-index":0,"speaker":"S","utterance":"hm","annotations":[{votes}]}}]}}"#
    )
}

fn vote(annotator: &str, letter: &str) -> String {
    format!(r#"{{"annotator-id":"{annotator}","breakdown":"{letter}","comment":""}}"#)
}

#[test]
fn votes_on_one_turn_are_merged_by_annotator() {
    let base = log(&vote("kk", "O"));
    let ours = log(&[vote("kk", "O"), vote("mk", "T")].join(","));
    let theirs = log(&[vote("kk", "X"), vote("js", "X")].join(","));
    let folder = scratch();
    for (name, log) in [("base.json", &base), ("ours.json", &ours), ("theirs.json", &theirs)] {
        fs::write(folder.path().join(name), log).unwrap();
    }
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let expected = log(&[vote("kk", "X"), vote("mk", "T"), vote("js", "X")].join(","));
    let votes = |log: &str| -> Vec<_> {
        let log: serde_json::Value = serde_json::from_str(log).unwrap();
        let votes = log["turns"][0]["annotations"].as_array().unwrap().iter();
        let vote =
            |vote: &serde_json::Value| (vote["annotator-id"].clone(), vote["breakdown"].clone());
        votes.map(vote).collect()
    };
    assert_eq!(votes(&text(folder.path(), "out.json")), votes(&expected));
}

fn line(id: &str, text: &str) -> String {
    format!(
        r#"{{"conversation_id": "{id}", "instruction_id": "b", "utterances": [{{"index": 0, "speaker": "USER", "text": "{text}"}}]}}"#
    )
}

fn array(dialogs: &[String]) -> String {
    format!("[\n  {}\n]\n", dialogs.join(",\n  "))
}

/// The dialogs with these ids.
fn dialogs(ids: &str) -> Vec<String> {
    let ids = ids.chars().map(|id| id.to_string());
    ids.map(|id| line(&id, &format!("I am {id}."))).collect()
}

fn lines(dialogs: &[String]) -> String {
    dialogs.join("\n") + "\n"
}

#[test]
fn dialogs_are_added_and_removed_with_their_separators() {
    // Ids in the base, ours, theirs, and the merged file.
    let sets = [
        ["ab", "abd", "cabe", "cabed"],
        ["abc", "abcd", "c", "cd"],
        ["abc", "bc", "ab", "b"],
        ["abc", "bc", "abcxy", "bcxy"],
        ["ab", "xab", "yzab", "yzxab"],
    ];
    for [base, ours, theirs, merged] in sets {
        for write in [array, lines] {
            let folder = scratch();
            let names = [("base.json", base), ("ours.json", ours), ("theirs.json", theirs)];
            for (name, ids) in names {
                fs::write(folder.path().join(name), write(&dialogs(ids))).unwrap();
            }
            let ran = merge(folder.path(), &[]);
            assert_eq!(ran.code, 0, "{ran:?}");
            let merged = write(&dialogs(merged));
            assert_eq!(text(folder.path(), "out.json"), merged, "{ours} {theirs}");
        }
    }
}

#[test]
fn a_dialog_removed_here_and_changed_there_is_a_conflict() {
    let [a, b] = ["a", "b"].map(|id| line(id, &format!("I am {id}.")));
    let folder = scratch();
    let changed = line("b", "I am b, and well.");
    let copies = [
        ("base.json", [a.clone(), b].to_vec()),
        ("ours.json", [a.clone()].to_vec()),
        ("theirs.json", [a, changed].to_vec()),
    ];
    for (name, dialogs) in copies {
        fs::write(folder.path().join(name), array(&dialogs)).unwrap();
    }
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("dialog b, dialog: ours nothing, theirs changed"), "{}", ran.out);
    assert_eq!(text(folder.path(), "out.json"), text(folder.path(), "ours.json"));
}

/// Texts of two dialogs that both sides have added under one id are not mixed.
#[test]
fn of_two_dialogs_with_one_id_a_side_takes_one() {
    let folder = scratch();
    let of = |text: &str| array(&[line("a", "I am a."), line("b", text)]);
    let (ours, theirs) = (of("I am b."), of("So am I."));
    let copies =
        [("base.json", &array(&dialogs("a"))), ("ours.json", &ours), ("theirs.json", &theirs)];
    for (name, dialogs) in copies {
        fs::write(folder.path().join(name), dialogs).unwrap();
    }
    for (side, code, taken) in
        [("--ours", 0, &ours), ("--theirs", 0, &theirs), ("--union", 1, &ours)]
    {
        let ran = merge(folder.path(), &[side]);
        assert_eq!((ran.code, &text(folder.path(), "out.json")), (code, taken), "{ran:?}");
    }
}

#[test]
fn copies_of_different_corpora_are_not_merged() {
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", "")]);
    let other = fs::read_to_string(project("assets/demo/taskmaster-3.json")).unwrap();
    fs::write(folder.path().join("theirs.json"), other).unwrap();
    let ran = merge(folder.path(), &[]);
    assert!(
        ran.code == 2 && ran.err.contains("theirs.json: it has no dialog of the base"),
        "{ran:?}"
    );
    assert!(!folder.path().join("out.json").exists());
}

/// A member that turnwise does not know: the dialog is taken as it is if only they have changed it.
#[test]
fn a_change_that_no_edit_can_say_is_taken_or_told() {
    let theirs = CORPUS.replacen("\"vertical\"", "\"note\": [1], \"vertical\"", 1);
    assert_ne!(theirs, CORPUS);
    let folder = copies(&[("ours.json", ""), ("theirs.json", "")]);
    fs::write(folder.path().join("theirs.json"), &theirs).unwrap();
    let ran = run_in(folder.path(), &["diff", "base.json", "theirs.json"], "");
    assert!(ran.out.contains("! note differs; no edit says how"), "{}", ran.out);
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(text(folder.path(), "out.json"), theirs);
    let folder = copies(&[("ours.json", LABEL)]);
    fs::write(folder.path().join("theirs.json"), &theirs).unwrap();
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let out = text(folder.path(), "out.json");
    assert!(out.contains("\"note\"") && out.contains("\"film\""), "{out}");
    let ours = theirs.replacen("[1]", "[2]", 1);
    fs::write(folder.path().join("ours.json"), ours).unwrap();
    let ran = merge(folder.path(), &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("field: ours note=[2], theirs note=[1]"), "{}", ran.out);
}

#[test]
fn bad_copies_are_reported_and_nothing_is_written() {
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", MOVED)]);
    let folder = folder.path();
    for (name, wrong) in [("theirs.json", "no JSON"), ("base.json", "{"), ("ours.json", "[]")] {
        let right = text(folder, name);
        fs::write(folder.join(name), wrong).unwrap();
        let ran = merge(folder, &[]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(name), "{ran:?}");
        assert!(!folder.join("out.json").exists());
        fs::write(folder.join(name), right).unwrap();
    }
    let ran = run_in(folder, &["diff", "none.json", "base.json"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// Without its list a merged file would hide its conflicts.
#[test]
fn nothing_is_written_where_the_list_of_conflicts_cannot_be() {
    let other = LABEL.replace("film", "title");
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", &other)]);
    let folder = folder.path();
    fs::create_dir(folder.join("out.json.conflicts.jsonl")).unwrap();
    let ran = merge(folder, &[]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("out.json.conflicts.jsonl"), "{ran:?}");
    assert!(!folder.join("out.json").exists());
}

#[test]
fn a_list_of_conflicts_that_cannot_be_read_stays() {
    let other = LABEL.replace("film", "title");
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", &other)]);
    let folder = folder.path();
    assert_eq!(merge(folder, &[]).code, 1);
    let (list, merged) = ("out.json.conflicts.jsonl", text(folder, "out.json"));
    let whole = text(folder, list);
    for broken in [&whole[..60], "my notes\n", &format!("{whole}my notes\n")] {
        fs::write(folder.join(list), broken).unwrap();
        for options in [&[][..], &["--theirs"]] {
            let ran = merge(folder, options);
            assert!(ran.code == 2 && ran.err.contains("not a list of conflicts"), "{ran:?}");
            assert_eq!(
                (text(folder, list).as_str(), text(folder, "out.json")),
                (broken, merged.clone())
            );
        }
    }
}

/// Both sides begin a corpus that was an empty list.
#[test]
fn a_base_may_be_an_empty_list() {
    let folder = copies(&[("ours.json", LABEL), ("theirs.json", "")]);
    let folder = folder.path();
    let more = CORPUS.replace("dlg-a", "dlg-z");
    fs::write(folder.join("theirs.json"), more).unwrap();
    fs::write(folder.join("base.json"), "[]\n").unwrap();
    let ran = merge(folder, &[]);
    assert!(ran.out.contains("1 added"), "{ran:?}");
    assert!(text(folder, "out.json").contains("dlg-z"), "{ran:?}");
}

#[test]
fn one_copy_is_compared_with_nothing() {
    let ran = crate::support::run(&["compare", "assets/demo/taskmaster-1.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("name two or more copies"), "{ran:?}");
}

#[test]
fn files_are_read_as_git_has_them() {
    let folder = copies(&[]);
    let path = folder.path();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(path).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let ran = git.args(arguments).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    let ran = run_in(path, &["apply", "-", "base.json"], LABEL);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run_in(path, &["diff", "HEAD:base.json", "base.json", "--format", "jsonl"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("set_labels"), "{ran:?}");
    let ran = run_in(path, &["diff", "nowhere:base.json", "base.json"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
}
