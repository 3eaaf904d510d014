//! `turnwise votes`: votes that are counted twice, and the rounding of shares.

use std::fs;

use super::logs::{log, read, votes};
use crate::support::{TempDir, run_in, scratch};

/// Two dialogs of two judged turns.
fn two_logs() -> TempDir {
    let folder = scratch();
    let turn = |said: &'static str| ("S", said, [("mk", "O"), ("js", "X")]);
    let write = |name: &str, id: &str, said: &[&'static str]| {
        let turns: Vec<_> = said.iter().map(|said| turn(said)).collect();
        let turns: Vec<_> = turns.iter().map(|(s, t, votes)| (*s, *t, &votes[..])).collect();
        fs::write(folder.path().join(name), log(id, &turns)).unwrap();
    };
    write("1.log.json", "one", &["hello", "yes"]);
    write("2.log.json", "two", &["hi", "I see"]);
    folder
}

#[test]
fn halves_of_a_percent_are_rounded_up() {
    let folder = scratch();
    let votes: Vec<_> = (0..8).map(|i| format!("a{i}")).collect();
    let votes: Vec<_> = votes
        .iter()
        .enumerate()
        .map(|(i, id)| (id.as_str(), if i == 0 { "X" } else { "O" }))
        .collect();
    let text = log("one", &[("S", "hi", &votes)]);
    fs::write(folder.path().join("1.log.json"), text).unwrap();
    let ran = run_in(folder.path(), &["votes", "."], "");
    assert!(ran.out.contains("7 (88 %)"), "{}", ran.out);
    assert!(ran.out.contains("1 (13 %)"), "{}", ran.out);
}

#[test]
fn a_dialog_that_is_in_two_files_is_reported() {
    let folder = two_logs();
    let before = votes(&folder, &["--format", "json"]);
    assert_eq!(before.err, "");
    let copy = |to: &str| {
        fs::copy(folder.path().join("1.log.json"), folder.path().join(to)).unwrap();
    };
    copy("old.log.json");
    let ran = votes(&folder, &["--format", "json"]);
    assert_eq!(
        (ran.code, ran.err.trim_end()),
        (
            before.code,
            "turnwise: ./old.log.json: dialog one is also in ./1.log.json and counted twice"
        )
    );
    assert_eq!(read(&ran)["total"]["turns"], 6);
    for number in 0..11 {
        copy(&format!("p{number}.log.json"));
    }
    let ran = votes(&folder, &[]);
    assert_eq!(ran.err.lines().count(), 11);
    assert!(ran.err.ends_with("2 more dialogs counted twice\n"), "{}", ran.err);
    // Logs of two corpora may use an id for two dialogs.
    let folder = two_logs();
    let text = fs::read_to_string(folder.path().join("1.log.json")).unwrap();
    let other = text.replacen('{', "{\"group-id\": \"b.json\",", 1);
    fs::write(folder.path().join("3.log.json"), other).unwrap();
    assert_eq!(votes(&folder, &[]).err, "");
}

/// The dialogs of a log are those of the file that it is about, for `check` as for `find`.
#[test]
fn check_counts_the_dialogs_of_logs_once() {
    let folder = scratch();
    let chat = r#"{"messages": [{"role": "user", "content": "Is it open?"}, {"role": "assistant", "content": "It is."}]}"#;
    fs::write(folder.path().join("a.jsonl"), format!("{chat}\n")).unwrap();
    fs::create_dir(folder.path().join("votes")).unwrap();
    let about = |file: &str| {
        let log = log("a-0", &[("U", "Is it open?", &[]), ("S", "It is.", &[("mk", "X")])]);
        log.replacen('{', &format!("{{\"group-id\": \"{file}\","), 1)
    };
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("votes/a-0.log.json", about("a.jsonl"));
    let sums = |paths: &[&str]| {
        let arguments = [&["check", "--format", "json"][..], paths].concat();
        let reports = read(&run_in(folder.path(), &arguments, ""));
        ["dialogs", "turns", "votes"].map(|key| {
            let all = reports.as_array().unwrap().iter();
            all.map(|report| report[key].as_u64().unwrap()).sum::<u64>()
        })
    };
    assert_eq!(sums(&["."]), [1, 2, 1]);
    // A log that is named, or is alone, is a corpus of its own.
    assert_eq!(sums(&["a.jsonl", "votes/a-0.log.json"]), [2, 4, 2]);
    assert_eq!(sums(&["votes"]), [1, 2, 1]);
    write("votes/b-0.log.json", about("b.jsonl"));
    assert_eq!(sums(&["."]), [1, 2, 1]);
}

/// A file may have another name than when it was judged: then its log is known by the id and the turns.
#[test]
fn the_dialogs_of_a_renamed_file_are_counted_once() {
    let folder = scratch();
    let said = ["Is it open?", "It is."];
    let chat = |id: &str| {
        let [user, system] = said;
        format!(
            "{{\"id\": \"{id}\", \"messages\": [{{\"role\": \"user\", \"content\": \"{user}\"}}, {{\"role\": \"assistant\", \"content\": \"{system}\"}}]}}\n"
        )
    };
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("new.jsonl", &[chat("d"), chat("e")].concat());
    fs::create_dir(folder.path().join("votes")).unwrap();
    let about = |id: &str| {
        let text = log(id, &[("U", said[0], &[]), ("S", said[1], &[("mk", "X")])]);
        text.replacen('{', "{\"group-id\": \"old.jsonl\",", 1)
    };
    write("votes/d.log.json", &about("d"));
    // Its dialog is in none of the files.
    write("votes/f.log.json", &about("f"));
    let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
    let dialogs = || {
        let reports = read(&run(&["check", ".", "--format", "json"]));
        let dialogs = reports.as_array().unwrap().iter();
        dialogs.map(|report| report["dialogs"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(dialogs(), [2]);
    let found = run(&["find", "majority:X", ".", "--format", "ids"]).out;
    assert_eq!(found, "d\n");
    let page = read(&run(&["report", ".", "--format", "json"]));
    assert!(page.to_string().contains(r#""name":"dialogs","value":2"#), "{page}");
    // It may have grown, too.
    let more = "\"}, {\"role\": \"user\", \"content\": \"Until when?\"}]";
    write(
        "new.jsonl",
        &[&chat("d").replacen("\"}]", more, 1), &chat("e")].map(String::as_str).concat(),
    );
    let found = run(&["find", "majority:X", ".", "--format", "ids"]).out;
    assert_eq!(found, "d\n");
    assert_eq!(dialogs(), [2]);
    // A new file may have the name that it had.
    write("old.jsonl", &chat("other"));
    let found = run(&["find", "majority:X", ".", "--format", "ids"]).out;
    assert_eq!(found, "d\n");
    fs::remove_file(folder.path().join("old.jsonl")).unwrap();
    // Another text is another dialog.
    write("new.jsonl", &chat("d").replace("It is", "It is not"));
    assert_eq!(dialogs(), [1]);
}

/// A judged dialog has its id in the log, too, which takes no change of its texts.
#[test]
fn edits_by_id_are_of_the_dialog_and_not_of_its_log() {
    let folder = scratch();
    let chat = r#"{"id": "d", "messages": [{"role": "user", "content": "Open?"}, {"role": "assistant", "content": "It is."}]}"#;
    fs::write(folder.path().join("a.jsonl"), format!("{chat}\n")).unwrap();
    fs::create_dir(folder.path().join("votes")).unwrap();
    let text = log("d", &[("U", "Open?", &[]), ("S", "It is.", &[("mk", "X")])]);
    let text = text.replacen('{', "{\"group-id\": \"a.jsonl\",", 1);
    fs::write(folder.path().join("votes/d.log.json"), &text).unwrap();
    let edit = r#"{"edit":"set_text","dialog":"d","turn":0,"text":"Is it open?"}"#;
    let ran = run_in(folder.path(), &["apply", "-", "."], edit);
    assert_eq!(ran.code, 0, "{ran:?}");
    let saved = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    assert_eq!(saved, chat.replace("Open?", "Is it open?") + "\n");
    let kept = fs::read_to_string(folder.path().join("votes/d.log.json")).unwrap();
    assert_eq!(kept, text);
}

/// A turn that was judged while its call was open is the same turn once the answer is there.
#[test]
fn votes_stay_when_the_judged_call_is_answered() {
    let folder = scratch();
    let line = |role: &str, part: &str| {
        format!(
            "{{\"type\": \"{role}\", \"sessionId\": \"s\", \"message\": {{\"role\": \"{role}\", \"content\": [{part}]}}}}\n"
        )
    };
    let asked = [
        line("user", r#"{"type": "text", "text": "tide?"}"#),
        line("assistant", r#"{"type": "tool_use", "id": "t", "name": "tide", "input": {}}"#),
    ];
    let path = folder.path().join("s.jsonl");
    fs::write(&path, asked.concat()).unwrap();
    let judged = |count: &str| {
        let run = ["find", "judged", ".", "--format", "count"];
        let ran = run_in(folder.path(), &run, "");
        assert_eq!(ran.out, count, "{ran:?}");
    };
    let digest = folder.path().join("votes");
    fs::create_dir(&digest).unwrap();
    let text = log("s", &[("U", "tide?", &[]), ("S", "", &[("mk", "X")])]);
    let text = text.replacen('{', "{\"group-id\": \"s.jsonl\",", 1);
    let open = r#""utterance":"","calls-digest":"0123456789abcdef""#;
    let text = text.replace("\"utterance\": \"\"", open).replace("\"utterance\":\"\"", open);
    assert!(text.contains("calls-digest"), "{text}");
    fs::write(digest.join("s.log.json"), text).unwrap();
    judged("1\n");
    let answer = line("user", r#"{"type": "tool_result", "tool_use_id": "t", "content": "14:10"}"#);
    fs::write(&path, [&asked.concat(), &answer].map(String::as_str).concat()).unwrap();
    judged("1\n");
}

/// A dialog without an id has its place in the file as one, which says the file's old name.
#[test]
fn votes_stay_on_a_renamed_file_without_ids() {
    let folder = scratch();
    let chat = |text: &str| {
        format!(
            "{{\"messages\": [{{\"role\": \"user\", \"content\": \"Open?\"}}, {{\"role\": \"assistant\", \"content\": \"{text}\"}}]}}\n"
        )
    };
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("new.jsonl", &[chat("It is."), chat("Yes.")].concat());
    fs::create_dir(folder.path().join("votes")).unwrap();
    let text = log("old-1", &[("U", "Open?", &[]), ("S", "Yes.", &[("mk", "X")])]);
    let text = text.replacen('{', "{\"group-id\": \"old.jsonl\",", 1);
    write("votes/old-1.log.json", &text);
    let found = || run_in(folder.path(), &["find", "majority:X", "."], "").out;
    assert!(found().contains("dialog 1 · ./new.jsonl"), "{}", found());
    assert!(!found().contains("votes/"), "{}", found());
    // Another dialog there has none.
    write("new.jsonl", &[chat("Yes."), chat("It is.")].concat());
    assert!(!found().contains("new.jsonl"), "{}", found());
}

/// Votes are on the file alone that they name, though the id of their dialog is nowhere in its bytes.
#[test]
fn votes_on_one_of_two_equal_files_are_counted_once() {
    let folder = scratch();
    let chat = r#"{"messages": [{"role": "user", "content": "Open?"}, {"role": "assistant", "content": "Yes."}], "id": "d", "epoch": 1}"#;
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.jsonl", &format!("{chat}\n"));
    write("b.jsonl", &format!("{chat}\n"));
    fs::create_dir(folder.path().join("votes")).unwrap();
    let text = log("d-1", &[("U", "Open?", &[]), ("S", "Yes.", &[("mk", "X")])]);
    let text = text.replacen('{', "{\"group-id\": \"a.jsonl\",", 1);
    write("votes/d-1.log.json", &text);
    let count = || {
        let run = ["find", "majority:X", ".", "--format", "count"];
        run_in(folder.path(), &run, "").out
    };
    assert_eq!(count(), "1\n");
    // A file that cannot be read by itself is there, too.
    fs::rename(folder.path().join("a.jsonl"), folder.path().join("c.jsonl")).unwrap();
    write("a.jsonl", "{\"messages\": [\n");
    assert_eq!(count(), "0\n");
}
