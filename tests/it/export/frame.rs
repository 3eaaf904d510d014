//! The parts that all formats share: output files, splits, omissions, exit codes.

use std::fs;

use super::{CORPUS, corpus, export, files, lines, read};
use crate::support::{run_in, scratch};

#[test]
fn the_output_is_a_file_a_folder_or_standard_output() {
    let folder = corpus();
    let to = |output: &str| export(folder.path(), &format!("doccano c.json -o {output}"));
    let ran = to("out.jsonl");
    assert_eq!((ran.code, ran.out.as_str()), (0, "out.jsonl: 2 dialogs, 1 file written\n"));
    let text = read(folder.path(), "out.jsonl");
    assert_eq!(text.lines().count(), 2);
    let ran = to("new/");
    assert_eq!((ran.code, ran.out.as_str()), (0, "new/: 2 dialogs, 1 file written\n"));
    assert_eq!(read(folder.path(), "new/doccano.jsonl"), text);
    fs::remove_file(folder.path().join("new/doccano.jsonl")).unwrap();
    to("new");
    assert_eq!(read(folder.path(), "new/doccano.jsonl"), text);
    let ran = to("-");
    assert_eq!((ran.code, ran.out), (0, text));
    for wrong in ["tables c.json -o -", "spacy c.json -o - --split a=1"] {
        let ran = export(folder.path(), wrong);
        let why = "turnwise: standard output takes one file only; name a folder\n";
        assert_eq!((ran.code, ran.err.as_str()), (2, why));
    }
    let ran = export(folder.path(), "tables c.json -o out.jsonl");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("this is a file, not a folder"), "{}", ran.err);
    // A folder `tasks.json` is not what anybody wants.
    for wrong in ["label-studio c.json -o tasks.json", "spacy c.json -o s.JSONL --split a=1"] {
        let ran = export(folder.path(), wrong);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("several files are written; name a folder"), "{}", ran.err);
    }
    assert_eq!(files(folder.path()), ["c.json", "new/doccano.jsonl", "out.jsonl"]);
}

#[test]
fn other_files_stay_unless_they_may_be_replaced() {
    let folder = corpus();
    let path = folder.path().join("out.jsonl");
    fs::write(&path, "mine").unwrap();
    let ran = export(folder.path(), "doccano c.json -o out.jsonl");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("out.jsonl: the file exists; use --overwrite"), "{}", ran.err);
    assert_eq!(read(folder.path(), "out.jsonl"), "mine");
    let ran = export(folder.path(), "doccano c.json -o out.jsonl --overwrite");
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = export(folder.path(), "doccano c.json -o out.jsonl");
    let out = "out.jsonl: 2 dialogs, 0 files written, 1 file unchanged\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, out));
    let ran = export(folder.path(), "doccano c.json -o c.json --overwrite");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("would overwrite an input file"), "{}", ran.err);
    assert_eq!(read(folder.path(), "c.json"), CORPUS);
    assert_eq!(files(folder.path()), ["c.json", "out.jsonl"]);
}

/// The output below an input folder is not read again.
#[test]
fn an_export_into_the_corpus_can_be_repeated() {
    let folder = corpus();
    let once = export(folder.path(), "tables . -o tables");
    assert_eq!(once.code, 0, "{once:?}");
    let twice = export(folder.path(), "tables . -o tables");
    let out = "tables: 2 dialogs, 0 files written, 22 files unchanged\n";
    assert_eq!((twice.code, twice.out.as_str()), (0, out), "{}", twice.err);
}

#[test]
fn omissions_are_counted_and_fail_a_strict_export() {
    let folder = corpus();
    let ran = export(folder.path(), "doccano c.json -o out.jsonl");
    assert_eq!(ran.code, 0);
    let err = "turnwise: doccano leaves out 1 API call, 2 other fields, \
        1 segment outside its text, 1 turn without text\n";
    assert_eq!(ran.err, err);
    let ran = export(folder.path(), "doccano c.json -o out.jsonl --strict");
    assert_eq!((ran.code, ran.err.as_str()), (1, err));
    let ran = export(folder.path(), "tables c.json -o tables --strict");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

/// Ids name no file, so they cannot lead out of the output folder.
#[test]
fn a_split_divides_the_dialogs_by_their_ids() {
    let folder = scratch();
    let dialog = |n: u32| {
        let id = format!("../{n}");
        serde_json::json!({"conversation_id": id, "instruction_id": "a", "utterances": [
            {"index": 0, "speaker": "USER", "text": format!("hello {n}")}]})
    };
    let corpus: Vec<_> = (0..60).map(dialog).collect();
    let few: Vec<_> = (0..60).step_by(2).map(dialog).collect();
    fs::write(folder.path().join("c.json"), serde_json::to_string(&corpus).unwrap()).unwrap();
    fs::write(folder.path().join("few.json"), serde_json::to_string(&few).unwrap()).unwrap();
    let split = "--split train=0.6,dev=0.4 --seed 3";
    let ran = export(folder.path(), &format!("spacy c.json -o out {split}"));
    assert_eq!((ran.code, ran.out.as_str()), (0, "out: 60 dialogs, 2 files written\n"));
    export(folder.path(), &format!("spacy few.json -o few {split}"));
    assert_eq!(
        files(folder.path()),
        [
            "c.json",
            "few.json",
            "few/dev.jsonl",
            "few/train.jsonl",
            "out/dev.jsonl",
            "out/train.jsonl"
        ]
    );
    let ids = |name: &str| -> Vec<String> {
        let lines = lines(folder.path(), name);
        lines.iter().map(|line| line["meta"]["dialog_id"].to_string()).collect()
    };
    let (train, dev) = (ids("out/train.jsonl"), ids("out/dev.jsonl"));
    assert_eq!(train.len() + dev.len(), 60);
    assert!((26..46).contains(&train.len()), "{}", train.len());
    // A dialog does not move when others are removed.
    assert!(ids("few/dev.jsonl").iter().all(|id| dev.contains(id)));
    assert!(ids("few/train.jsonl").iter().all(|id| train.contains(id)));
    let ran = export(folder.path(), "tables c.json -o t --split a=0.5,b=0.5");
    assert_eq!(ran.out, "t: 60 dialogs, 44 files written\n");
    assert!(files(&folder.path().join("t")).contains(&"a/turns.csv".to_owned()));
    let ran = export(folder.path(), "spacy c.json -o out --split a=0.5,../b=0.5");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("`../b` cannot name a part"), "{}", ran.err);
}

#[test]
fn nothing_in_is_nothing_out() {
    let folder = scratch();
    for (file, empty) in [("c.jsonl", ""), ("c.json", "[]")] {
        fs::write(folder.path().join(file), empty).unwrap();
        let ran = export(folder.path(), &format!("spacy {file} -o out.jsonl"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{empty:?}");
        assert_eq!(read(folder.path(), "out.jsonl"), "");
        let ran = run_in(folder.path(), &["export", "conll", "-", "-o", "-"], empty);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{empty:?}");
    }
    let ran = export(folder.path(), "tables c.json -o t");
    assert_eq!(ran.out, "t: 0 dialogs, 22 files written\n");
    assert_eq!(read(folder.path(), "t/intents.csv"), "file,dialog,dialog_id,turn,intent\n");
}

#[test]
fn unreadable_dialogs_are_reported_and_nothing_is_written() {
    let folder = corpus();
    let good = r#"{"conversation_id": "a", "instruction_id": "b", "utterances": []}"#;
    fs::write(
        folder.path().join("l.jsonl"),
        format!("{good}\n{{\"conversation_id\": }}\n{good}\n"),
    )
    .unwrap();
    let ran = export(folder.path(), "conll l.jsonl missing.json -o out");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("l.jsonl:2:21: dialog 1: "), "{}", ran.err);
    assert!(ran.err.contains("missing.json"), "{}", ran.err);
    assert_eq!((ran.out.as_str(), folder.path().join("out").exists()), ("", false));
    let ran = export(folder.path(), "conll l.jsonl -o -");
    assert_eq!(ran.code, 2);
    let ran = export(folder.path(), "labels c.json -o out");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--annotator"), "{}", ran.err);
}

#[test]
fn a_query_chooses_turns_and_dialogs() {
    let folder = corpus();
    let turns = |query: &str| {
        let all = ["export", "tables", "c.json", "-o", "t", "--overwrite", "--query", query];
        let ran = run_in(folder.path(), &all, "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        let place = |turn: &serde_json::Value| (turn["dialog"].as_u64(), turn["turn"].as_u64());
        let places: Vec<_> = lines(folder.path(), "t/turns.jsonl").iter().map(place).collect();
        (ran.out, places)
    };
    let (report, places) = turns("label:time");
    assert_eq!(places, [(Some(0), Some(0))]);
    assert!(report.starts_with("t: 1 dialog,"), "{report}");
    assert_eq!(turns("dialog(label:time)").1.len(), 2);
    assert_eq!(turns("-label:time").1.len(), 2);
    // A query about problems makes `lint` run for formats that do not write them.
    let all = ["export", "doccano", "c.json", "-o", "-", "--query", "problem:span"];
    let ran = run_in(folder.path(), &all, "");
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.err);
    let ran =
        run_in(folder.path(), &["export", "doccano", "c.json", "-o", "-", "--query", "(a"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("this parenthesis is not closed\n    (a\n    ^"), "{}", ran.err);
}
