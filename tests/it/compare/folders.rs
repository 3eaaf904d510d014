//! Folders of copies, and copies without a base: one log with everybody's votes.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use turnwise::dialog::{Dialog, Edit};
use turnwise::votes::judged;

use crate::support::check::read;
use crate::support::files::{open, own, saved};
use crate::support::{Ran, TempDir, run_in, scratch};
use crate::votes::logs::{Turn, log};

/// Copies of one log, in the folders `a`, `b` and so on, each with its votes on the one system turn.
fn copies(votes: &[&[(&str, &str)]]) -> TempDir {
    let folder = scratch();
    for (name, votes) in ["a", "b", "c"].iter().zip(votes) {
        let text = log("one", &[("U", "hello", &[]), ("S", "hi", votes)]);
        write(&folder, &format!("{name}/one.log.json"), &text);
    }
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn text(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

fn merge(folder: &TempDir, arguments: &str) -> Ran {
    let arguments: Vec<_> = arguments.split(' ').collect();
    run_in(folder.path(), &[&["merge"], &arguments[..]].concat(), "")
}

/// The votes of a log, as `annotator label`.
fn votes(folder: &TempDir, name: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(&text(folder, name)).unwrap();
    let said = |vote: &Value| {
        let field = |name: &str| vote[name].as_str().unwrap();
        format!("{} {}", field("annotator-id"), field("breakdown"))
    };
    log["turns"][1]["annotations"].as_array().unwrap().iter().map(said).collect()
}

#[test]
fn everybodys_votes_come_together() {
    let folder = copies(&[
        &[("x", "O"), ("mk", "T")],
        &[("x", "O"), ("js", "X")],
        &[("x", "O"), ("js", "X"), ("li", "O")],
    ]);
    let ran = merge(&folder, "--no-base a b c -o out");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let last = ran.out.lines().last().unwrap();
    assert_eq!(last, "out: 1 file written, 2 dialogs changed, 0 added, 0 removed, 0 conflicts");
    assert_eq!(votes(&folder, "out/one.log.json"), ["x O", "mk T", "js X", "li O"]);
    // Again, with the output as one of the copies: there is nothing to add.
    let ran = merge(&folder, "out c -o again");
    let done = "again: 1 file written, 0 dialogs changed, 0 added, 0 removed, 0 conflicts\n";
    assert_eq!(ran.out, done);
    assert_eq!(text(&folder, "again/one.log.json"), text(&folder, "out/one.log.json"));
    // A copy is not written before it is merged.
    let third = text(&folder, "c/one.log.json");
    let ran = merge(&folder, "--no-base a b c -o c");
    assert!(ran.code == 2 && ran.err.contains("not a later one"), "{ran:?}");
    assert_eq!(text(&folder, "c/one.log.json"), third);
    // Three paths are a base and two copies, and more have to be said.
    let ran = merge(&folder, "a b c again -o more");
    assert!(ran.code == 2 && ran.err.contains("merged with --no-base"), "{ran:?}");
}

#[test]
fn two_votes_of_one_annotator_are_a_conflict() {
    let folder = copies(&[&[("mk", "O"), ("js", "T")], &[("mk", "X"), ("js", "T"), ("li", "O")]]);
    let ran = merge(&folder, "a b -o out");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("turn 1, vote: ours mk: O, theirs mk: X"), "{ran:?}");
    assert_eq!(votes(&folder, "out/one.log.json"), ["mk O", "js T", "li O"]);
    assert!(folder.path().join("out/one.log.json.conflicts.jsonl").exists());
    // What is there is replaced only with a flag, unless it is one of the copies.
    let ran = merge(&folder, "a b -o out --theirs");
    assert!(ran.code == 2 && ran.err.contains("use --overwrite"), "{ran:?}");
    let ran = merge(&folder, "a b -o out --theirs --overwrite");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(votes(&folder, "out/one.log.json"), ["mk X", "js T", "li O"]);
    assert_eq!(merge(&folder, "a b -o a --ours").code, 0);
    assert_eq!(votes(&folder, "a/one.log.json"), ["mk O", "js T", "li O"]);
}

/// A vote is one value: nobody has given the label of one side with the comment of the other.
#[test]
fn a_vote_keeps_its_comment() {
    let folder = copies(&[&[("mk", "X")], &[("mk", "O")], &[("mk", "X")]]);
    let theirs =
        text(&folder, "c/one.log.json").replacen("\"comment\": \"\"", "\"comment\": \"why X\"", 1);
    write(&folder, "c/one.log.json", &theirs);
    let ran = merge(&folder, "a b c -o out");
    assert!(ran.code == 1 && ran.out.contains("ours mk: O, theirs mk: X \"why X\""), "{ran:?}");
    assert_eq!(text(&folder, "out/one.log.json"), text(&folder, "b/one.log.json"));
    assert_eq!(merge(&folder, "a b c -o out --overwrite --theirs").code, 0);
    assert_eq!(text(&folder, "out/one.log.json"), theirs);
}

/// Somebody has withdrawn all answers in one copy.
#[test]
fn an_empty_file_of_judgements_has_no_answers() {
    let folder = scratch();
    let answer = r#"{"dialog":"d0","question":"polite","value":2,"by":"mk","scheme":"s"}"#;
    write(&folder, "base/judgements/mk.jsonl", &format!("{answer}\n"));
    write(&folder, "ours/judgements/mk.jsonl", "");
    let changed = format!("{}\n", answer.replace('2', "3"));
    write(&folder, "theirs/judgements/mk.jsonl", &changed);
    let ran = merge(&folder, "base ours theirs -o out");
    assert!(ran.code == 1 && ran.out.contains("1 conflict"), "{ran:?}");
    assert_eq!(merge(&folder, "base ours theirs -o out --theirs --overwrite").code, 0);
    assert_eq!(text(&folder, "out/judgements/mk.jsonl"), changed);
}

#[test]
fn votes_without_an_id_are_neither_doubled_nor_lost() {
    let both: &[(&str, &str)] = &[("", "O"), ("", "O"), ("", "X")];
    let with = |votes: &[(&'static str, &'static str)]| [both, votes].concat();
    let folder = copies(&[&with(&[("mk", "T")]), &with(&[("js", "X")]), &[("li", "O")]]);
    assert_eq!(merge(&folder, "--no-base a b c -o out").code, 0);
    let all = [" O", " O", " X", "mk T", "js X", "li O"];
    assert_eq!(votes(&folder, "out/one.log.json"), all);
    assert_eq!(merge(&folder, "c a -o c").code, 0);
    assert_eq!(votes(&folder, "c/one.log.json"), ["li O", " O", " O", " X", "mk T"]);
}

/// Two logs with one id and other turns: one dialog, in conflict.
#[test]
fn logs_that_do_not_belong_together_are_a_conflict() {
    let others: [&[Turn<'_>]; 3] = [
        &[("U", "hello", &[]), ("S", "ho", &[("js", "O")])],
        &[("U", "hello", &[]), ("U", "hi", &[])],
        &[("U", "hello", &[])],
    ];
    for turns in others {
        let folder = copies(&[&[("mk", "O")]]);
        write(&folder, "b/one.log.json", &log("one", turns));
        let ran = merge(&folder, "a b -o out");
        assert!(ran.code == 1 && ran.out.contains("dialog 0 one, "), "{ran:?}");
        assert_eq!(text(&folder, "out/one.log.json"), text(&folder, "a/one.log.json"));
    }
}

#[test]
fn a_file_that_one_copy_has_is_taken_from_there() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    let second = log("two", &[("S", "hi", &[("js", "T")])]);
    write(&folder, "b/deep/two.log.json", &second);
    let ran = merge(&folder, "a b -o out");
    assert!(ran.code == 0 && ran.out.contains("out: 2 files written, 1 dialog changed"), "{ran:?}");
    assert_eq!(text(&folder, "out/deep/two.log.json"), second);
    assert_eq!(votes(&folder, "out/one.log.json"), ["mk O", "js X"]);
}

#[test]
fn folders_have_a_base() {
    let folder = copies(&[&[("mk", "O")], &[], &[("mk", "O"), ("js", "X")]]);
    // b has withdrawn what a, the base, has, and c has added a vote.
    let ran = merge(&folder, "a b c -o out");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(votes(&folder, "out/one.log.json"), ["js X"]);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_if_a_copy_cannot_be_read() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    let nothing = |arguments: &str, why: &str| {
        let ran = merge(&folder, arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(why), "{why}: {}", ran.err);
        assert!(!folder.path().join("out").exists());
    };
    write(&folder, "b/broken.log.json", "{\"dialogue-id\": ");
    nothing("a b -o out", "broken.log.json:1:");
    nothing("a gone -o out", "a folder");
    fs::create_dir(folder.path().join("odd")).unwrap();
    std::os::unix::fs::symlink("loop.json", folder.path().join("odd/loop.json")).unwrap();
    nothing("a odd -o out", "odd/loop.json");
    nothing("a - -o out", "standard input");
    nothing("a -o out", "two copies");
    fs::create_dir(folder.path().join("none")).unwrap();
    fs::create_dir(folder.path().join("nothing")).unwrap();
    nothing("none nothing -o out", "in this folder");
    write(&folder, "file", "x");
    nothing("a a -o file", "not a folder");
}

/// The output may be in one of the copies, and is left out the next time.
#[test]
fn the_output_is_not_read_again() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    for _ in 0..2 {
        let ran = merge(&folder, "a b -o a/out --overwrite");
        let done = "a/out: 1 file written, 1 dialog changed, 0 added, 0 removed, 0 conflicts\n";
        assert!(ran.code == 0 && ran.out.ends_with(done), "{ran:?}");
    }
}

/// Everybody's votes in one of three copies each, merged by the program in one go.
#[test]
fn as_if_three_groups_had_judged_copies() {
    let folder = scratch();
    let demo = fs::read(own("assets/demo/dbdc/demo_003.log.json")).unwrap();
    let dialog = read(&open(demo.clone()), 0);
    for (group, name) in ["a", "b", "c"].iter().enumerate() {
        let mut copy = open(demo.clone());
        for (turn, judged) in judged(&dialog) {
            for (_, vote) in judged.votes.iter().enumerate().filter(|(i, _)| i % 3 != group) {
                let annotator = vote.annotator.to_string();
                copy.edit(0, &Edit::WithdrawVote { turn, annotator }).unwrap();
            }
        }
        let text = String::from_utf8(saved(&copy)).unwrap();
        write(&folder, &format!("{name}/demo.log.json"), &text);
    }
    let ran = merge(&folder, "--no-base a b c -o out");
    assert_eq!(ran.code, 0, "{ran:?}");
    let merged = text(&folder, "out/demo.log.json");
    let votes = |dialog: &Dialog| {
        let mut votes = BTreeSet::new();
        for (turn, judged) in judged(dialog) {
            votes.extend(judged.votes.iter().map(|vote| format!("{turn} {vote:?}")));
        }
        votes
    };
    let after = read(&open(merged.clone().into_bytes()), 0);
    assert_eq!(after.turns.len(), dialog.turns.len());
    assert_eq!(votes(&after).len(), votes(&dialog).len());
    let lines = |text: &str| {
        let mut lines: Vec<_> =
            text.lines().map(|line| line.trim_end_matches(',').to_owned()).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&merged), lines(&String::from_utf8(demo).unwrap()));
}
