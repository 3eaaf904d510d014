//! Properties of exports of the real corpora, where they are available.

use std::collections::HashMap;

use serde_json::Value;

use super::{export, lines, read};
use crate::support::files::real_folders;
use crate::support::{project, run_in, scratch};

/// Paths of the real corpora to export.
fn corpora() -> Vec<String> {
    let names = ["taskmaster-3", "sim-M", "dbdc3/ja/DCM", "chat"];
    let all = real_folders().into_iter();
    let all = all.flat_map(|folder| names.map(|name| format!("{}/{name}", folder.display())));
    all.filter(|path| std::path::Path::new(path).is_dir()).collect()
}

fn slice(text: &str, start: &Value, end: &Value) -> String {
    let (start, end) = (start.as_u64().unwrap() as usize, end.as_u64().unwrap() as usize);
    assert!(start < end, "{text:?} {start} {end}");
    let slice: String = text.chars().skip(start).take(end - start).collect();
    assert_eq!(slice.chars().count(), end - start, "{text:?}");
    slice
}

/// Counting code points in another way, all formats have the same spans, and tokens join to the text.
#[test]
fn formats_agree_on_texts_and_spans_in_real_corpora() {
    for corpus in corpora() {
        let folder = scratch();
        let folder = folder.path();
        for arguments in ["spacy -o s", "doccano -o d", "conll -o c", "tables -o t"] {
            let ran = export(folder, &format!("{arguments} {corpus}"));
            assert!(ran.code <= 1 && ran.out.contains("written"), "{corpus}: {ran:?}");
        }
        let (spacy, doccano) = (lines(folder, "s"), lines(folder, "d"));
        assert_eq!(spacy.len(), doccano.len(), "{corpus}");
        let mut tagged = 0;
        for (spacy, doccano) in spacy.iter().zip(&doccano) {
            let text = spacy["text"].as_str().unwrap();
            assert_eq!(doccano["text"], text);
            let tokens = spacy["tokens"].as_array().unwrap();
            let mut joined = String::new();
            for token in tokens {
                joined.push_str(token["text"].as_str().unwrap());
                joined.push_str(if token["ws"] == true { " " } else { "" });
            }
            assert_eq!(joined, text);
            let labels = doccano["label"].as_array().unwrap();
            for (span, label) in spacy["spans"].as_array().unwrap().iter().zip(labels) {
                assert_eq!(label, &serde_json::json!([span["start"], span["end"], span["label"]]));
                slice(text, &span["start"], &span["end"]);
                let at = |name: &str| &tokens[span[name].as_u64().unwrap() as usize];
                assert_eq!(at("token_start")["start"], span["start"]);
                assert_eq!(at("token_end")["end"], span["end"]);
            }
            tagged += labels.len();
        }
        let mut before = "O".to_owned();
        for line in read(folder, "c").lines() {
            let tag = line.split('\t').nth(1).unwrap_or("O");
            if let Some(label) = tag.strip_prefix("I-") {
                assert!(before.ends_with(label), "{corpus}: {before} {line}");
            }
            before = tag.to_owned();
        }
        let place = |row: &Value| format!("{} {} {}", row["file"], row["dialog"], row["turn"]);
        let turns = lines(folder, "t/turns.jsonl");
        let texts: HashMap<String, &Value> =
            turns.iter().map(|turn| (place(turn), &turn["text"])).collect();
        let mut in_tables = 0;
        for segment in lines(folder, "t/segments.jsonl") {
            let text = texts[&place(&segment)].as_str().unwrap();
            if segment["text"].as_str().is_some_and(|text| !text.is_empty()) {
                assert_eq!(segment["text"], slice(text, &segment["start"], &segment["end"]));
                in_tables += u64::from(!segment["label"].is_null());
            }
        }
        assert!(in_tables >= tagged as u64, "{corpus}: {in_tables} {tagged}");
        let mut csv = csv::Reader::from_path(folder.join("t/turns.csv")).unwrap();
        assert_eq!(csv.records().map(Result::unwrap).count(), texts.len());
    }
}

/// Chats keep the schema of chats, and every call is answered where a model expects it.
#[test]
fn chats_are_valid_and_complete_in_real_corpora() {
    let demo = ["taskmaster-3.json", "taskmaster-4.json", "sharegpt.json", "dbdc"];
    let demo = demo.map(|name| project("assets/demo").join(name).display().to_string());
    for corpus in corpora().into_iter().chain(demo) {
        // These may lack answers themselves.
        if corpus.ends_with("/chat") {
            continue;
        }
        let folder = scratch();
        let ran = export(folder.path(), &format!("chat -o chat.jsonl {corpus}"));
        assert!(ran.code <= 1 && ran.out.contains("written"), "{corpus}: {ran:?}");
        let rules = "chat-call,chat-answer-orphan,chat-role-unknown,chat-empty-assistant";
        for check in [vec!["check"], vec!["lint", "--select", rules]] {
            let arguments = [check, vec!["chat.jsonl"]].concat();
            let ran = run_in(folder.path(), &arguments, "");
            assert_eq!(ran.code, 0, "{corpus}: {ran:?}");
        }
    }
}
