//! Judgements beside corpora: which dialogs they belong to, and what finds them.

use std::fs;
use std::path::Path;

use turnwise::corpus::{JudgementLines, JudgementStore};
use turnwise::query::{DialogSource, Query, Target};

use crate::support::files::open;
use crate::support::{TempDir, run_in, scratch};

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
        let ran = run_in(folder.path(), &arguments, "");
        let expected = format!("kind,value,hits\nvalue,{expected}total,,5\n");
        assert_eq!(ran.out, expected, "{key}");
    }
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
