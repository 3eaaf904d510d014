//! Votes on a dialog, and dialogs with its id and its texts in other files or beside it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnwise::workspace::FoundLog;

use super::Driver;
use super::fixtures::{answer, calls, message};
use crate::support::{run_in, scratch};

/// A chat in which the agent runs a command, with a line for each answer.
fn chat(id: &str, command: &str, said: &str) -> String {
    let messages = [
        message("user", "Tidy up."),
        calls(&[("c", "run", json!({"command": command}))]),
        answer("c", &said),
        message("assistant", "Done."),
    ];
    let chat = if id.is_empty() {
        json!({"messages": messages})
    } else {
        json!({"id": id, "messages": messages})
    };
    format!("{chat}\n")
}

fn judging(files: &[(&str, String)]) -> Driver {
    let mut driver = Driver::open(files, 120, 40);
    driver.judge_beside().press("V");
    driver
}

fn log(driver: &Driver, file: usize) -> Value {
    serde_json::from_slice(&driver.bytes(file)).unwrap()
}

/// The votes in a log, from the first turn on.
fn votes(log: &Value) -> Vec<&str> {
    let turns = log["turns"].as_array().unwrap().iter();
    let votes = turns.flat_map(|turn| turn["annotations"].as_array().unwrap());
    votes.map(|vote| vote["breakdown"].as_str().unwrap()).collect()
}

/// The files with these logs beside them, opened later.
fn opened_again(files: &[(&str, String)], logs: &[Value]) -> Driver {
    let named = |number: usize| format!("votes/{number}.log.json");
    let names: Vec<_> = (0..logs.len()).map(named).collect();
    let mut all = files.to_vec();
    all.extend(names.iter().map(|name| (name.as_str(), String::new())));
    let empty: Vec<_> = all.iter().map(|(name, _)| (*name, String::new())).collect();
    let mut driver = Driver::unopened(&empty, 120, 40);
    driver.app.workspace.files.logs.folders = vec![Path::new("votes").into(); files.len()];
    for (number, name) in names.iter().enumerate() {
        driver.app.workspace.files.expect_log(FoundLog {
            file: files.len() + number,
            place: PathBuf::from(name),
            new: false,
            named: false,
        });
    }
    for (number, log) in logs.iter().enumerate() {
        driver.read(files.len() + number, log.to_string().into_bytes());
    }
    for (number, (_, text)) in files.iter().enumerate() {
        driver.read(number, text.clone().into_bytes());
    }
    driver.judge_as("mk").press("V");
    driver
}

#[test]
fn a_vote_stays_on_the_dialog_of_its_file() {
    let texts = [chat("d", "rm -rf /", "denied"), chat("d", "rm x", "ok")];
    // Without an id, the name of the file up to the first dot is that of its logs.
    let bare = [chat("", "rm -rf /", "denied"), chat("", "rm x", "ok")];
    let same = [chat("d", "rm x", "ok"), chat("d", "rm x", "ok")];
    for texts in [texts, bare, same] {
        let files: Vec<_> = ["run.1.jsonl", "run.2.jsonl"].into_iter().zip(texts).collect();
        let mut driver = judging(&files);
        driver.press("1 G x").shows("judged 1/4");
        driver.press("J 1 G").shows_not("you X");
        driver.press("o").shows("judged 2/4");
        driver.press("K 1 G").shows("you X");
        let logs = [log(&driver, 2), log(&driver, 3)];
        assert_eq!((votes(&logs[0]), votes(&logs[1])), (vec!["X"], vec!["O"]));
        let mut again = opened_again(&files, &logs);
        again.shows("judged 2/4").press("1 G").shows("you X");
        again.press("J 1 G").shows("you O");
        let mut again = opened_again(&files, &logs[..1]);
        again.shows("judged 1/4").press("J 1 G").shows_not("you");
    }
}

#[test]
fn dialogs_of_one_file_that_differ_in_their_calls_have_logs_of_their_own() {
    let text = chat("d", "rm -rf /", "denied") + &chat("d", "rm x", "ok");
    let files = [("run.jsonl", text)];
    let mut driver = judging(&files);
    driver.press("1 G x J 1 G").shows_not("you X");
    driver.press("o").shows("judged 2/4");
    let logs = [log(&driver, 1), log(&driver, 2)];
    assert_eq!((votes(&logs[0]), votes(&logs[1])), (vec!["X"], vec!["O"]));
    let mut again = opened_again(&files, &logs[..1]);
    again.shows("judged 1/4").press("J 1 G").shows_not("you X");
}

#[test]
fn commands_find_votes_on_the_file_that_a_log_names() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    let texts = [chat("d", "rm -rf /", "denied"), chat("d", "rm x", "ok")];
    let files = [("a.jsonl", texts[0].clone()), ("b.jsonl", texts[1].clone())];
    let mut driver = judging(&files);
    driver.press("1 G x");
    fs::create_dir(path("votes")).unwrap();
    fs::write(path("votes/d.log.json"), driver.bytes(2)).unwrap();
    for (name, text) in &files {
        fs::write(path(name), text).unwrap();
    }
    // The log itself is a file like others if it is about none of them.
    let found = |query: &str| {
        let ran = run_in(folder.path(), &["find", query, ".", "--format", "jsonl"], "");
        let lines = ran.out.lines().map(|line| {
            let hit: Value = serde_json::from_str(line).unwrap();
            hit["file"].as_str().unwrap().to_owned()
        });
        lines.filter(|file| !file.contains("votes/")).collect::<Vec<_>>()
    };
    assert_eq!(found("majority:X"), ["./a.jsonl"]);
    let ran = run_in(folder.path(), &["export", "kto", ".", "-o", "-"], "");
    assert!(ran.out.contains("rm -rf"), "{ran:?}");
    assert!(!ran.out.contains("rm x"), "{ran:?}");
    // A file that has another name now is the same dialog, in its calls too.
    fs::remove_file(path("a.jsonl")).unwrap();
    assert!(found("majority:X").is_empty());
    fs::write(path("c.jsonl"), &texts[0]).unwrap();
    assert_eq!(found("majority:X"), ["./c.jsonl"]);
}
