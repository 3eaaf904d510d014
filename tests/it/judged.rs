//! Judgements beside corpora: which dialogs they belong to, and what finds them.

use std::fs;
use std::path::Path;

use turnwise::corpus::{JudgementLines, JudgementStore};
use turnwise::query::{DialogSource, Query, Target};

use crate::support::files::open;
use crate::support::{Ran, TempDir, run_in, scratch};

/// Two dialogs of three turns; the second has no id.
const CORPUS: &str = r#"[
 {"conversation_id": "d", "utterances": [
  {"index": 0, "speaker": "USER", "text": "A table for two on Friday"},
  {"index": 1, "speaker": "ASSISTANT", "text": "I booked Saturday"},
  {"index": 2, "speaker": "USER", "text": "Hm"}]},
 {"conversation_id": "", "utterances": [
  {"index": 0, "speaker": "USER", "text": "Hello"},
  {"index": 1, "speaker": "ASSISTANT", "text": "Hi"}]}
]
"#;

const MK: &str = r#"{"dialog":"a-1","turn":1,"scheme":"quality","question":"quality","value":5,"by":"mk"}
{"dialog":"d","scheme":"success","question":"verdict","value":"fail","at":1,"by":"mk"}
{"dialog":"d","scheme":"tone","question":"polite","value":true,"by":"mk"}
{"dialog":"d","turn":1,"scheme":"quality","question":"quality","value":1,"by":"mk"}
{"dialog":"d","turn":1,"scheme":"quality","question":"quality","value":2,"by":"mk"}
{"dialog":"d","turn":1,"note":"another Day","tags":["wrong-date"],"by":"mk","quote":"I booked Saturday"}
"#;

const JS: &str = r#"{"file":"c/a.json","dialog":"d","scheme":"success","question":"verdict","value":"pass","by":"js"}
{"file":"b.json","dialog":"d","note":"of another file","by":"js"}
{"dialog":"d","turn":2,"span":[0,2],"scheme":"e","question":"code","value":["vague","Short"],"by":"js","quote":"Hm"}
{"dialog":"d","turn":2,"note":"changed","by":"js","quote":"Hmm"}
"#;

fn corpus() -> TempDir {
    let folder = scratch();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("c/a.json", CORPUS);
    write("c/judgements/mk.jsonl", MK);
    write("c/judgements/js.jsonl", JS);
    write("c/judgements/new.jsonl", "");
    folder
}

fn in_folder(folder: &TempDir, arguments: &[&str]) -> Ran {
    run_in(folder.path(), arguments, "")
}

/// The dialogs and turns that a query finds.
fn found(folder: &Path, query: &str, more: &[&str]) -> Vec<(u64, u64)> {
    let arguments = [&["find", query, "c", "--format", "jsonl"], more].concat();
    let ran = run_in(folder, &arguments, "");
    let explains = ran.err.is_empty() || ran.err.contains(" means `verdict`");
    assert!(ran.code < 2 && explains, "{query}: {}", ran.err);
    let hits = ran.out.lines().map(|line| {
        let hit: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| hit[key].as_u64().unwrap();
        (number("dialog"), number("turn"))
    });
    hits.collect()
}

#[test]
fn queries_find_the_turns_that_were_judged() {
    let folder = corpus();
    let cases: &[(&str, &[(u64, u64)])] = &[
        ("verdict:fail", &[(0, 1)]),
        ("verdict:pass", &[(0, 0)]),
        ("verdict!=pass", &[(0, 1)]),
        ("question:verdict", &[(0, 0), (0, 1)]),
        ("question:verd=PASS", &[]),
        ("question:verd=pass", &[(0, 0)]),
        ("question:polite=yes", &[(0, 0)]),
        ("quality<3", &[(0, 1)]),
        // Of two answers the last counts.
        ("quality=1", &[]),
        ("quality:2.0", &[(0, 1)]),
        ("quality>=2", &[(0, 1), (1, 1)]),
        ("code:vague", &[(0, 2)]),
        ("tag:wrong-date", &[(0, 1)]),
        // Side by side, one person said it; brackets of their own ask another.
        ("by:mk verdict:fail", &[(0, 1)]),
        ("by:js verdict:fail", &[]),
        ("by:js (verdict:fail or verdict:pass)", &[(0, 0)]),
        ("question:verdict by:mk tag:wrong-date", &[(0, 1)]),
        ("dialog(by:mk verdict:fail) (by:js verdict:pass)", &[(0, 0)]),
        ("by:mk not verdict:pass quality<3", &[(0, 1)]),
        ("tag:*", &[(0, 1), (0, 2)]),
        ("tag:short", &[(0, 2)]),
        ("note:day", &[(0, 1)]),
        ("note:*", &[(0, 1)]),
        ("by:js", &[(0, 0), (0, 2)]),
        ("judged", &[(0, 0), (0, 1), (0, 2), (1, 1)]),
        ("mine", &[]),
        ("dialog(verdict:fail) speaker:user", &[(0, 0), (0, 2)]),
        ("question:verdict=$v then question:verdict!=$v", &[(0, 1)]),
    ];
    for (query, expected) in cases {
        assert_eq!(found(folder.path(), query, &[]), *expected, "{query}");
    }
    let of = |id| found(folder.path(), "mine", &["--annotator", id]);
    assert_eq!(of("js"), [(0, 0), (0, 2)]);
    assert_eq!(of("mk"), [(0, 0), (0, 1), (1, 1)]);
    for (key, expected) in [
        ("question:quality", "2,1\nvalue,5,1\nnone,,3\n"),
        ("question:verdict", "fail,1\nvalue,pass,1\nnone,,3\n"),
        ("tag", "Short,1\nvalue,vague,1\nvalue,wrong-date,1\nnone,,3\n"),
        ("by", "mk,3\nvalue,js,2\nnone,,1\n"),
    ] {
        let arguments = ["find", "turn>=0", "c", "--count-by", key, "--format", "csv"];
        let ran = in_folder(&folder, &arguments);
        let expected = format!("kind,value,hits\nvalue,{expected}total,,5\n");
        assert_eq!(ran.out, expected, "{key}");
    }
}

#[test]
fn one_file_has_the_judgements_beside_it() {
    let folder = corpus();
    // A copy under another name has those that name no file.
    fs::copy(folder.path().join("c/a.json"), folder.path().join("c/b.json")).unwrap();
    for (arguments, count) in [
        (&["find", "verdict:*", "c/a.json"][..], "2\n"),
        (&["find", "verdict:*", "-", "--stdin-name", "c/a.json"], "2\n"),
        (&["find", "note:other by:js", "c/b.json"], "1\n"),
    ] {
        let ran = run_in(folder.path(), &[arguments, &["--format", "count"]].concat(), CORPUS);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), (count, ""), "{arguments:?}");
    }
    let arguments = ["export", "chat", "c/a.json", "-o", "-", "--query", "verdict:fail"];
    let ran = in_folder(&folder, &arguments);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.err);
    let arguments = ["lint", "c/a.json", "--query", "verdict:pass", "--format", "jsonl"];
    let none = in_folder(&folder, &arguments);
    assert_eq!((none.code, none.err.as_str()), (0, ""), "{}", none.out);
}

#[test]
fn show_prints_what_was_judged() {
    let folder = corpus();
    let shown = in_folder(&folder, &["show", "c", "--dialog", "d"]).out;
    for line in [
        "dialog  js  verdict pass",
        "dialog  mk  polite yes",
        "mk  verdict fail at turn 1",
        "mk  quality 2",
        "mk  #wrong-date another Day",
        "js  code «Hm» vague, Short",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(!shown.contains("changed") && !shown.contains("quality 1"));
    // Files of judgements are passed over.
    let all = in_folder(&folder, &["show", "c"]);
    assert_eq!((all.code, all.err.as_str()), (0, ""));
}

#[test]
fn check_lists_judgements_that_fit_no_dialog() {
    let folder = corpus();
    fs::write(
        folder.path().join("c/judgements/old.jsonl"),
        r#"{"dialog":"gone","note":"n","by":"x"}
nonsense
{"dialog":"d","turn":3,"note":"n","by":"x"}
{"dialog":"d","scheme":"tone","question":"polite","value":false,"by":"mk"}
"#,
    )
    .unwrap();
    let ran = in_folder(&folder, &["check", "c"]);
    assert_eq!(ran.code, 1);
    let issues: Vec<_> = ran.out.lines().filter(|line| line.contains(":1:")).collect();
    let expected = [
        r#"js.jsonl:2:1: there is no dialog "d" in b.json [judgement]"#,
        r#"js.jsonl:4:1: turn 2 of dialog "d" has changed since it was judged [judgement]"#,
        "mk.jsonl:3:1: old.jsonl answers the same, and counts instead [judgement]",
        "mk.jsonl:4:1: a line after this one answers the same, and counts instead [judgement]",
        r#"old.jsonl:1:1: there is no dialog "gone" [judgement]"#,
        "old.jsonl:2:1: this line is not a judgement",
        "old.jsonl:3:1: turn 3 of dialog",
    ];
    assert_eq!(issues.len(), expected.len(), "{issues:?}");
    for (issue, expected) in issues.iter().zip(expected) {
        assert!(issue.starts_with(&format!("c/judgements/{expected}")), "{issue}");
    }
    // So are those that the scheme beside the corpus does not take.
    fs::write(
        folder.path().join("c/judging.toml"),
        "name = \"success\"\n[[question]]\nname = \"outcome\"\nof = \"dialog\"\nkind = \"text\"\n",
    )
    .unwrap();
    let renamed = in_folder(&folder, &["check", "c"]).out;
    let why =
        r#"c/judgements/mk.jsonl:2:1: the scheme "success" has no question "verdict" [judgement]"#;
    assert!(renamed.contains(why), "{renamed}");
    fs::remove_file(folder.path().join("c/judging.toml")).unwrap();
    let rows = ran.out.lines().filter(|line| line.contains("  judgements  "));
    assert_eq!(rows.count(), 3, "{}", ran.out);
    // Without the dialogs beside them, nothing tells whether they fit.
    let alone = in_folder(&folder, &["check", "c/judgements/js.jsonl", "c/a.json"]);
    assert_eq!(alone.code, 0, "{}", alone.out);
    // Excluded dialogs are there.
    let exclude =
        "{\"file\": \"a.json\", \"dialog\": \"d\", \"excluded\": true, \"reason\": \"\"}\n";
    fs::write(folder.path().join("c/turnwise.ignores.jsonl"), exclude).unwrap();
    let excluded = in_folder(&folder, &["check", "c"]);
    assert!(!excluded.out.contains("there is no dialog \"d\" ["), "{}", excluded.out);
    for command in [&["lint", "c"][..], &["votes", "c"], &["find", "hello", "c"]] {
        let ran = in_folder(&folder, command);
        assert!(!ran.out.contains("judgements"), "{command:?}: {}", ran.out);
    }
}

#[test]
fn a_line_that_is_not_utf_8_hides_no_other() {
    let folder = corpus();
    let path = folder.path().join("c/judgements/mk.jsonl");
    let broken = b"{\"dialog\":\"d\",\"note\":\"\xff\",\"by\":\"mk\"}\n";
    fs::write(&path, [broken, MK.as_bytes()].concat()).unwrap();
    let arguments = ["find", "verdict:fail", "c/a.json", "--format", "count"];
    let ran = in_folder(&folder, &arguments);
    assert_eq!(ran.out, "1\n", "{}", ran.err);
    let left_out = "c/judgements/mk.jsonl: 1 line left out";
    assert!(ran.err.contains(left_out), "{}", ran.err);
    let checked = in_folder(&folder, &["check", "c"]).out;
    let line = "c/judgements/mk.jsonl:1:1: this line is not a judgement";
    assert!(checked.contains(line), "{checked}");
}

#[test]
fn a_blind_judge_finds_own_judgements_alone() {
    let file = open(CORPUS.as_bytes().to_vec());
    let (mut dialog, _) = file.dialog(0).unwrap().unwrap();
    let mut store = JudgementStore::default();
    store.add(0, 0, JudgementLines::read(MK.as_bytes()));
    store.add(1, 0, JudgementLines::read(JS.as_bytes()));
    store.attach(&mut dialog, 0, "/c/a.json", "d");
    let found = |query: &str, annotator: &str| {
        let target = Target {
            source: DialogSource {
                annotator,
                hidden: turnwise::query::HiddenAnswers::Others,
                ..DialogSource::default()
            },
            ..Target::new(&dialog, &[])
        };
        let matches = query.parse::<Query>().unwrap().matches(&target).turns;
        let found = matches.iter().enumerate().filter(|(_, found)| **found);
        found.map(|(turn, _)| turn).collect::<Vec<_>>()
    };
    for query in ["verdict:*", "tag:*", "note:*", "by:*", "judged", "question:quality"] {
        assert!(found(query, "").is_empty(), "{query}");
    }
    assert_eq!(found("verdict:*", "mk"), [1]);
    assert_eq!(found("judged", "js"), [0, 2]);
    assert!(found("question:verdict=$v then question:verdict!=$v", "mk").is_empty());
}
