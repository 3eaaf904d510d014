//! `turnwise votes merge`: copies of logs in, one log with everybody's votes out.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnwise::corpus::CorpusFile;
use turnwise::dialog::{Dialog, Edit};
use turnwise::votes::{Prefer, join, judged};

use super::logs::log;
use crate::support::edited_file::EditedFile;
use crate::support::files::{
    open, open_path, original, own, own_files, real_files, saved, say, spread,
};
use crate::support::{Ran, TempDir, run_in, scratch};

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

fn merge(folder: &TempDir, arguments: &[&str]) -> Ran {
    run_in(folder.path(), &[&["votes", "merge", "-o", "out"], arguments].concat(), "")
}

/// The votes of the written log, as `annotator label`.
fn votes(folder: &TempDir) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join("out/one.log.json")).unwrap();
    let log: Value = serde_json::from_str(&text).unwrap();
    let said = |vote: &Value| {
        let field = |name: &str| vote[name].as_str().unwrap();
        format!("{} {}", field("annotator-id"), field("breakdown"))
    };
    log["turns"][1]["annotations"].as_array().unwrap().iter().map(said).collect()
}

fn nothing_written(folder: &TempDir, ran: &Ran, code: i32, why: &str) {
    assert_eq!(ran.code, code, "{ran:?}");
    assert!(ran.err.contains(why), "{why}: {}", ran.err);
    assert!(ran.err.contains("nothing was written"), "{}", ran.err);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn everybodys_votes_come_together() {
    let folder = copies(&[
        &[("x", "O"), ("mk", "T")],
        &[("x", "O"), ("js", "X")],
        &[("x", "O"), ("js", "X"), ("li", "O")],
    ]);
    let ran = merge(&folder, &["a", "b", "c"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "out: 1 file written, 2 votes added\n");
    assert_eq!(votes(&folder), ["x O", "mk T", "js X", "li O"]);
    // Again, with the output as one of the copies: there is nothing to add.
    let ran = run_in(folder.path(), &["votes", "merge", "out", "a", "c", "-o", "again"], "");
    assert_eq!(ran.out, "again: 1 file written, 0 votes added\n");
    let read = |name: &str| fs::read(folder.path().join(name).join("one.log.json")).unwrap();
    assert_eq!(read("again"), read("out"));
}

#[test]
fn a_conflict_is_listed_and_decided_by_a_flag() {
    let folder = copies(&[&[("mk", "O"), ("js", "T")], &[("mk", "X"), ("js", "T"), ("li", "O")]]);
    let ran = merge(&folder, &["a", "b"]);
    nothing_written(&folder, &ran, 1, "--prefer first or --prefer last");
    let place = "dialog \"one\", turn 1, \"mk\":";
    assert_eq!(ran.out, format!("{place} O in a/one.log.json, X in b/one.log.json\n"));
    let ran = merge(&folder, &["a", "b", "--prefer", "first"]);
    assert!(ran.code == 0 && ran.out.contains("; keeping the first\n"), "{ran:?}");
    assert_eq!(votes(&folder), ["mk O", "js T", "li O"]);
    let last = ["a", "b", "--prefer", "last"];
    let ran = merge(&folder, &last);
    assert_eq!(ran.code, 2);
    let why = "out/one.log.json: the file exists; use --overwrite";
    assert!(ran.err.contains(why), "{ran:?}");
    assert_eq!(votes(&folder), ["mk O", "js T", "li O"]);
    let ran = merge(&folder, &[&last[..], &["--overwrite"]].concat());
    assert!(ran.out.ends_with("out: 1 file written, 1 vote added, 1 changed\n"), "{ran:?}");
    assert_eq!(votes(&folder), ["mk X", "js T", "li O"]);
}

#[test]
fn a_comment_is_part_of_a_vote() {
    let folder = copies(&[&[("mk", "O")], &[("mk", "O")]]);
    let path = folder.path().join("b/one.log.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"comment\": \"\"", "\"comment\": \"evasive\"")).unwrap();
    let ran = merge(&folder, &["a", "b"]);
    assert!(
        ran.out.contains("O \"\" in a/one.log.json, O \"evasive\" in b/one.log.json"),
        "{ran:?}"
    );
    merge(&folder, &["a", "b", "--prefer", "last"]);
    assert_eq!(fs::read(folder.path().join("out/one.log.json")).unwrap(), fs::read(path).unwrap());
}

#[test]
fn votes_without_an_id_are_neither_doubled_nor_lost() {
    let both: &[(&str, &str)] = &[("", "O"), ("", "O"), ("", "X")];
    let with = |votes: &[(&'static str, &'static str)]| [both, votes].concat();
    let folder = copies(&[&with(&[("mk", "T")]), &with(&[("js", "X")]), &[("li", "O")]]);
    assert_eq!(merge(&folder, &["a", "b", "c"]).code, 0);
    assert_eq!(votes(&folder), [" O", " O", " X", "mk T", "js X", "li O"]);
    let folder = copies(&[&[("mk", "T")], &with(&[("js", "X")])]);
    let ran = merge(&folder, &["a", "b"]);
    let why = "b/one.log.json: dialog \"one\": turn 1 has 3 votes without an annotator id";
    nothing_written(&folder, &ran, 1, why);
    // Named first they are the log's own.
    assert_eq!(merge(&folder, &["b", "a"]).code, 0);
    assert_eq!(votes(&folder), [" O", " O", " X", "js X", "mk T"]);
}

#[test]
fn logs_that_do_not_belong_together_are_refused() {
    let other = |turns: &[super::logs::Turn<'_>]| {
        let folder = copies(&[&[("mk", "O")]]);
        write(&folder, "b/one.log.json", &log("one", turns));
        folder
    };
    let cases: [(TempDir, &str); 4] = [
        (other(&[("U", "hello", &[]), ("S", "ho", &[("js", "O")])]), "turn 1 has a different text"),
        (
            other(&[("U", "hello", &[]), ("U", "hi", &[("js", "O")])]),
            "turn 1 has a different speaker",
        ),
        (other(&[("U", "hello", &[])]), "it has 1 turns, not 2"),
        (
            other(&[("U", "hello", &[("js", "X")]), ("S", "hi", &[])]),
            "turn 0 is a user's; only system turns are judged",
        ),
    ];
    for (folder, why) in cases {
        let ran = merge(&folder, &["a", "b"]);
        nothing_written(&folder, &ran, 1, "b/one.log.json: dialog \"one\": ");
        assert!(ran.err.contains(why), "{why}: {}", ran.err);
    }
}

/// A log that only one copy has is not lost.
#[test]
fn every_log_of_every_copy_is_written() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    let second = log("two", &[("S", "hi", &[("js", "T")])]);
    write(&folder, "b/deep/two.log.json", &second);
    let ran = merge(&folder, &["a", "b"]);
    assert_eq!(ran.out, "out: 2 files written, 1 vote added\n", "{ran:?}");
    assert_eq!(fs::read_to_string(folder.path().join("out/deep/two.log.json")).unwrap(), second);
    assert_eq!(votes(&folder), ["mk O", "js X"]);
}

#[test]
fn ids_must_tell_which_log_is_which() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    write(&folder, "b/again.log.json", &log("one", &[("S", "hi", &[])]));
    let ran = merge(&folder, &["a", "b"]);
    nothing_written(&folder, &ran, 1, "b/one.log.json: dialog \"one\" is also in b/again.log.json");
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    write(&folder, "b/none.log.json", &log("", &[("S", "hi", &[])]));
    let ran = merge(&folder, &["a", "b"]);
    nothing_written(&folder, &ran, 1, "a dialog has no id to match it by");
}

#[test]
fn unreadable_input_or_unwritable_output_stops_it() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    write(&folder, "b/broken.log.json", "{\"dialogue-id\": ");
    nothing_written(&folder, &merge(&folder, &["a", "b"]), 2, "b/broken.log.json:1:");
    nothing_written(&folder, &merge(&folder, &["a", "gone"]), 2, "gone: cannot be opened");
    write(&folder, "empty/sim.json", "[]");
    nothing_written(&folder, &merge(&folder, &["a", "empty"]), 2, "empty: no logs here");
    nothing_written(&folder, &merge(&folder, &["a", "-"]), 2, "standard input");
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    for copy in ["a", "b"] {
        let before = fs::read(folder.path().join(copy).join("one.log.json")).unwrap();
        let ran = run_in(folder.path(), &["votes", "merge", "a", "b", "-o", copy], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("would overwrite an input file"), "{}", ran.err);
        assert_eq!(fs::read(folder.path().join(copy).join("one.log.json")).unwrap(), before);
    }
    assert_eq!(merge(&folder, &["a"]).code, 2);
}

/// The output may be in one of the copies, and is left out the next time.
#[test]
fn the_output_is_not_read_again() {
    let folder = copies(&[&[("mk", "O")], &[("js", "X")]]);
    for _ in 0..2 {
        let ran =
            run_in(folder.path(), &["votes", "merge", "a", "b", "-o", "a/out", "--overwrite"], "");
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, "a/out: 1 file written, 1 vote added\n"),
            "{ran:?}"
        );
    }
}

/// The log without the last vote of each judged turn, if that names its annotator.
fn without_last_votes(file: &mut EditedFile) -> usize {
    let (dialog, _) = file.dialog(0).unwrap().unwrap();
    let mut withdrawn = 0;
    for (turn, judged) in judged(&dialog) {
        let last = &judged.votes[judged.votes.len() - 1].annotator;
        let same = judged.votes.iter().filter(|vote| vote.annotator == *last);
        // With one vote left out of one, nothing shows how a vote is written.
        if !last.is_empty() && judged.votes.len() > 1 && same.count() == 1 {
            let annotator = last.to_string();
            file.edit(0, &Edit::WithdrawVote { turn, annotator }).unwrap();
            withdrawn += 1;
        }
    }
    withdrawn
}

fn dialog_of(file: &CorpusFile) -> Dialog {
    file.dialog(0).unwrap().unwrap().0
}

/// Takes the last votes out of each log and merges them in again from the original: that must give
/// the original, to the byte. Returns the number of votes.
fn there_and_back(paths: &[PathBuf]) -> usize {
    let mut votes = 0;
    for path in paths {
        let old = open_path(path).unwrap();
        let mut copy = open(original(&old));
        votes += without_last_votes(&mut copy);
        let mut log = open(saved(&copy));
        let joined = join(&dialog_of(&log), &dialog_of(&old), Prefer::First).unwrap();
        assert_eq!(joined.conflicts, [], "{}", path.display());
        for edit in &joined.edits {
            log.edit(0, edit).unwrap();
        }
        assert!(saved(&log) == original(&old), "{} has changed", path.display());
    }
    votes
}

/// Real logs that are tried.
const LOGS: usize = 30;

fn is_log(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".log.json")
}

#[test]
fn merged_votes_are_written_as_the_others_are() {
    let mut logs = own_files();
    logs.retain(|path| is_log(path) && path.starts_with(own("assets/demo")));
    assert!(there_and_back(&logs) > 20);
}

#[test]
fn real_logs_come_back_to_the_byte() {
    let Some(mut logs) = real_files("merging") else {
        return;
    };
    logs.retain(|path| is_log(path));
    let logs = spread(logs, LOGS);
    let votes = there_and_back(&logs);
    say(&format!("{votes} votes merged into {} real logs", logs.len()));
}

/// Everybody's votes in one of three copies each, merged by the program in one go.
#[test]
fn as_if_three_groups_had_judged_copies() {
    let folder = scratch();
    let demo = fs::read(own("assets/demo/dbdc/demo_003.log.json")).unwrap();
    let dialog = dialog_of(&open(demo.clone()));
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
    let ran = merge(&folder, &["a", "b", "c"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let merged = open(fs::read(folder.path().join("out/demo.log.json")).unwrap());
    let sorted = |dialog: &Dialog| {
        let votes = |turn: &turnwise::dialog::Turn| {
            let mut votes = turn.votes.clone();
            votes.sort_by(|a, b| a.annotator.cmp(&b.annotator));
            votes
        };
        dialog.turns.iter().map(votes).collect::<Vec<_>>()
    };
    assert_eq!(sorted(&dialog_of(&merged)), sorted(&dialog));
    let words = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut lines: Vec<_> =
            text.lines().map(|line| line.trim_end_matches(',').to_owned()).collect();
        lines.sort();
        lines
    };
    assert_eq!(words(&original(&merged)), words(&demo));
}
