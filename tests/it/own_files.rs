//! Files that the program writes beside corpora do not count as corpora, unless their folder is named.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, TempDir, run_in, scratch};

/// A log with as many turns as it has words, and a vote on the second of them.
fn log(id: &str, about: &str, words: &[&str]) -> String {
    let turns = words.iter().zip(0..).map(|(word, number)| {
        let speaker = if number % 2 == 0 { "U" } else { "S" };
        let votes = json!([{"breakdown": "X", "comment": "", "annotator-id": "ann"}]);
        let votes = if number == 1 { votes } else { json!([]) };
        json!({"turn-index": number, "speaker": speaker, "utterance": word, "annotations": votes})
    });
    let turns: Vec<_> = turns.collect();
    json!({"dialogue-id": id, "group-id": about, "turns": turns}).to_string()
}

/// Two logs, labels and judgements beside them, and a session with votes beside it.
fn corpus() -> TempDir {
    let folder = scratch();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for id in ["a", "b"] {
        write(&format!("logs/{id}.log.json"), &log(id, "", &["harbour?", "at noon"]));
        let labels = json!({"dialogue-id": id, "gold": true, "turns": []}).to_string();
        write(&format!("logs/gold/{id}.labels.json"), &labels);
    }
    write("logs/judgements/ann.jsonl", "");
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
    let messages = [said("user", "harbour?"), said("assistant", "at noon")];
    let dialog = json!({"id": "c", "messages": messages});
    write("chats/c.json", &json!([dialog]).to_string());
    write("chats/votes/c.log.json", &log("c", "c.json", &["harbour?", "at noon"]));
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Ran {
    run_in(folder.path(), arguments, "")
}

/// The files that `check` lists, with their dialogs, turns and votes.
fn checked(folder: &TempDir, path: &str) -> Vec<(String, [u64; 3])> {
    let report = run(folder, &["check", path, "--format", "json"]);
    let files: Vec<Value> = serde_json::from_str(&report.out).unwrap();
    let counts =
        |file: &Value| ["dialogs", "turns", "votes"].map(|key| file[key].as_u64().unwrap());
    files.iter().map(|file| (file["file"].as_str().unwrap().to_owned(), counts(file))).collect()
}

#[test]
fn votes_labels_and_judgements_beside_corpora_are_not_counted() {
    let folder = corpus();
    let file = |name: &str| (name.to_owned(), [1, 2, 1]);
    let all = ["./chats/c.json", "./logs/a.log.json", "./logs/b.log.json"].map(file);
    assert_eq!(checked(&folder, "."), all);
    let report = run(&folder, &["report", ".", "--format", "md"]).out;
    for figure in ["- files: 3\n", "- dialogs: 3\n", "- turns: 6\n", "- votes: 3\n"] {
        assert!(report.contains(figure), "{figure}: {report}");
    }
    assert_eq!(run(&folder, &["find", "harbour", ".", "--format", "count"]).out.trim(), "3");
    let lint = run(&folder, &["lint", ".", "--select", "all"]);
    for own in ["votes", "gold", "judgements"] {
        assert!(!lint.out.contains(own), "{lint:?}");
    }
    let ran = run(&folder, &["export", "chat", "chats", "-o", "chat.jsonl"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = fs::read_to_string(folder.path().join("chat.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    // Figures of votes read the logs.
    let votes = run(&folder, &["votes", "."]);
    assert!(votes.out.contains("votes") && votes.code == 0, "{votes:?}");
}

#[test]
fn a_folder_that_is_named_or_has_nothing_else_is_read() {
    let folder = corpus();
    let file = |name: &str| (name.to_owned(), [1, 2, 1]);
    assert_eq!(checked(&folder, "chats/votes"), [file("chats/votes/c.log.json")]);
    let path = "chats/votes/c.log.json";
    assert_eq!(checked(&folder, path), [file(path)]);
    fs::remove_file(folder.path().join("chats/c.json")).unwrap();
    assert_eq!(checked(&folder, "chats"), [file(path)]);
    // Other files in folders of these names are corpora.
    let text = fs::read_to_string(folder.path().join("logs/a.log.json")).unwrap();
    fs::write(folder.path().join("logs/gold/a.json"), text).unwrap();
    assert!(checked(&folder, "logs").contains(&file("logs/gold/a.json")));
}

#[test]
fn what_is_wrong_with_them_is_still_reported() {
    let folder = corpus();
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join("logs/judgements").join(name), text).unwrap();
    };
    write("ann.jsonl", "{\"no\": 1}\n");
    // Dialogs where judgements belong.
    write("chat.jsonl", r#"{"messages": [{"role": "user", "content": "harbour?"}]}"#);
    let report = run(&folder, &["check", "."]);
    assert_eq!(report.code, 1, "{report:?}");
    for line in ["judgements/ann.jsonl:1", "judgements/chat.jsonl: not read"] {
        assert!(report.out.contains(line), "{line}: {report:?}");
    }
    assert_eq!(checked(&folder, "logs/judgements/chat.jsonl")[0].1[0], 1);
}
