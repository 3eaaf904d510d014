//! `turnwise suggest`: judgements and edits by a command.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::files::skipped;
use crate::support::{Ran, project, run_in, scratch};

/// Five dialogs with two turns each.
fn corpus() -> TempDir {
    let folder = scratch();
    let mut text = String::new();
    for number in 0..5 {
        let turn = |index, speaker, text| {
            format!(r#"{{"index":{index},"speaker":"{speaker}","text":"{text}"}}"#)
        };
        let turns = [
            turn(0, "USER", format!("a table for {number}")),
            turn(1, "ASSISTANT", "I booked it".to_owned()),
        ];
        let turns = turns.join(",");
        writeln!(text, r#"{{"conversation_id":"d{number}","utterances":[{turns}]}}"#).unwrap();
    }
    fs::write(folder.path().join("a.jsonl"), text).unwrap();
    folder
}

/// Runs a command on the verdict, one dialog after another. The run is `r`.
fn suggest(folder: &TempDir, command: &str, more: &[&str]) -> Ran {
    let asked = ["--scheme", "success", "--question", "verdict"];
    let arguments = ["suggest", "a.jsonl", "--run", "r", "--jobs", "1"];
    let arguments = [&arguments[..], &asked, &["--with", command], more].concat();
    run_in(folder.path(), &arguments, "")
}

fn text(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).unwrap_or_default()
}

/// The lines of the run.
fn said(folder: &TempDir) -> Vec<Value> {
    let text = text(folder, "judgements/r.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect()
}

fn dialogs(folder: &TempDir) -> Vec<String> {
    let id = |line: Value| line["dialog"].as_str().unwrap().to_owned();
    said(folder).into_iter().map(id).collect()
}

/// Notes that it ran, and answers.
const FAIL: &str = r#"echo ran >>ran; echo '{"value":"fail","at":1,"note":"why"}'"#;
const ALL: [&str; 5] = ["d0", "d1", "d2", "d3", "d4"];

#[test]
fn a_command_judges_each_dialog_once() {
    let folder = corpus();
    let ran = suggest(&folder, FAIL, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "judgements/r.jsonl: 5 judgements\nrun r: 5 judged\n");
    assert_eq!(dialogs(&folder), ALL);
    let first = &said(&folder)[0];
    for (key, value) in [
        ("file", "a.jsonl"),
        ("scheme", "success"),
        ("question", "verdict"),
        ("value", "fail"),
        ("note", "why"),
        ("by", "model:r"),
        ("run", "r"),
        ("quote", "a table for 0"),
    ] {
        assert_eq!(first[key], value);
    }
    assert_eq!(first["at"], 1);
    assert!(first["when"].as_str().unwrap().ends_with('Z'));
    let again = suggest(&folder, FAIL, &[]);
    assert_eq!(again.out, "run r: 5 judged before\n");
    assert_eq!(text(&folder, "ran").lines().count(), 5);
    // Votes count them, and check knows the file.
    let votes = ["votes", "a.jsonl", "--question", "verdict", "--scheme", "success"];
    let votes = run_in(folder.path(), &votes, "");
    assert!(votes.out.contains("fail   5 (100 %)"), "{}{}", votes.out, votes.err);
    let check = run_in(folder.path(), &["check", "."], "");
    assert_eq!((check.code, check.err.as_str()), (0, ""));
    // One whose text has changed is judged again.
    let corpus = text(&folder, "a.jsonl").replace("a table for 2", "a table for nine");
    fs::write(folder.path().join("a.jsonl"), corpus).unwrap();
    let changed = suggest(&folder, FAIL, &[]);
    assert_eq!(changed.out, "judgements/r.jsonl: 1 judgement\nrun r: 1 judged, 4 judged before\n");
    assert_eq!(dialogs(&folder), ALL);
    assert_eq!(said(&folder)[2]["quote"], "a table for nine");
}

#[test]
fn the_command_reads_turns_messages_and_the_question() {
    let folder = corpus();
    let ran = suggest(&folder, "cat >read", &["--limit", "1"]);
    assert_eq!(ran.out, "run r: 1 without an answer, 4 left for later\n");
    let read: Value = serde_json::from_str(&text(&folder, "read")).unwrap();
    assert_eq!((&read["file"], &read["dialog"]), (&"a.jsonl".into(), &"d0".into()));
    assert_eq!(read["turns"][1]["text"], "I booked it");
    assert_eq!(read["turns"][1]["turn"], 1);
    assert_eq!(read["messages"][0]["role"], "user");
    let question = &read["question"];
    assert_eq!((&question["name"], &question["of"]), (&"verdict".into(), &"dialog".into()));
    assert_eq!(question["values"], serde_json::json!(["pass", "fail", "defer"]));
}

/// The second run asks about none of them.
#[test]
fn a_dialog_about_which_the_command_says_nothing_is_not_asked_about_again() {
    let folder = corpus();
    let silent =
        r#"echo ran >>ran; read line; case $line in *'"d2"'*) echo '{"value":"pass"}';; esac"#;
    let ran = suggest(&folder, silent, &[]);
    assert_eq!(
        ran.out, "judgements/r.jsonl: 1 judgement\nrun r: 1 judged, 4 without an answer\n",
        "{}",
        ran.err
    );
    let first = &said(&folder)[0];
    assert_eq!(
        (&first["dialog"], &first["question"], first.get("value")),
        (&"d0".into(), &"verdict".into(), None)
    );
    let schema: Value =
        serde_json::from_str(&crate::support::run(&["schema", "judgement"]).out).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    assert!(schema.is_valid(first), "{first}");
    let again = suggest(&folder, silent, &[]);
    assert_eq!(again.out, "run r: 5 judged before\n");
    assert_eq!(text(&folder, "ran").lines().count(), 5);
    // Nothing is counted, and nothing is wrong.
    let asked = ["--question", "verdict", "--scheme", "success"];
    let votes = [&["votes", "a.jsonl"][..], &asked].concat();
    let votes = run_in(folder.path(), &votes, "");
    assert!(votes.out.contains("pass   1 (100 %)") && votes.err.is_empty(), "{votes:?}");
    let check = run_in(folder.path(), &["check", "."], "");
    assert_eq!((check.code, check.err.as_str()), (0, ""), "{}", check.out);
    // A changed text is asked about again, and the new answer replaces the line.
    let changed = text(&folder, "a.jsonl")
        .replace("a table for 3", "a table for nine")
        .replace("a table for 2", "a table for ten");
    fs::write(folder.path().join("a.jsonl"), changed).unwrap();
    let check = run_in(folder.path(), &["check", "."], "");
    assert!(!check.out.contains("dialog \"d3\" has changed"), "{}", check.out);
    let fail = suggest(&folder, FAIL, &[]);
    assert!(fail.out.ends_with("run r: 2 judged, 3 judged before\n"), "{}", fail.out);
    let values: Vec<_> = said(&folder).iter().map(|line| line["value"].clone()).collect();
    assert_eq!(Value::from(values), serde_json::json!([null, null, "fail", "fail", null]));
    // One that says nothing now has said nothing.
    let other = text(&folder, "a.jsonl").replace("a table for nine", "a table for 3");
    fs::write(folder.path().join("a.jsonl"), other).unwrap();
    let ran = suggest(&folder, "true", &[]);
    assert_eq!(ran.out, "run r: 1 without an answer, 4 judged before\n");
    assert_eq!(said(&folder)[3].get("value"), None);
    // Without a question, and of edits, too.
    for more in [&[][..], &["--edits", "e.jsonl"]] {
        let all = ["suggest", "a.jsonl", "--run", "s", "--with", "echo x >>x"];
        let all = [&all[..], more].concat();
        let first = run_in(folder.path(), &all, "");
        let again = run_in(folder.path(), &all, "");
        assert_eq!(again.out, "run s: 5 judged before\n", "{}{}", first.out, first.err);
    }
    assert_eq!(text(&folder, "x").lines().count(), 5);
    let removed = run_in(folder.path(), &["suggest", ".", "--remove-run", "s"], "");
    assert_eq!(removed.out, "./judgements/s.jsonl: 5 judgements removed\n");
}

#[test]
fn a_dialog_on_which_the_command_fails_is_an_error_and_the_rest_goes_on() {
    let folder = corpus();
    let good = r#"echo '{"value":"pass"}'"#;
    for (bad, why) in [
        ("echo what >&2; echo why >&2; exit 3", "the command failed (exit status: 3): why"),
        ("yes", "the command printed more than 1 MiB"),
        (r#"printf '{"value":"fa'"#, "line 1 of the output: EOF"),
        (
            r#"echo '{"value":"pass"}'; echo '{"dialog":"d1","value":"pass"}'"#,
            "line 2 of the output: it is about another dialog, \"d1\"",
        ),
        (r#"echo '{"value":"good"}'"#, "verdict takes one of pass, fail, defer"),
        (r#"echo '{"value":"fail","at":2}'"#, "the dialog has no such place"),
        (r#"echo '{"value":"fail","turn":1}'"#, "verdict is about the whole dialog; name no turn"),
        (r#"echo '{"question":"code","value":"fail"}'"#, "\"code\" is not asked"),
        (
            r#"echo '{"value":"pass"}'; echo '{"value":"fail"}'"#,
            "line 2 of the output: it answers verdict twice",
        ),
        (
            r#"echo '{"note":"slow"}'; echo '{"note":"rude"}'"#,
            "line 2 of the output: it has two notes about the same place",
        ),
        (r#"echo '{"vaule":"fail"}'"#, "it has no `value`, `note` or `tags`"),
        ("echo '[]'", "a JSON object was expected"),
        (r"printf '\377'", "the command printed what is not UTF-8"),
        (
            r#"echo '{"edit":"remove_turn","turn":1}'"#,
            "it suggests edits; name a file for them with --edits",
        ),
        (r#"echo '{"edit":"nothing"}'"#, "unknown edit \"nothing\""),
    ] {
        let command = format!("read line; case $line in *'\"d2\"'*) {bad};; *) {good};; esac");
        let ran = suggest(&folder, &command, &[]);
        assert_eq!(ran.code, 1, "{bad}: {}", ran.err);
        let message = "turnwise: a.jsonl: dialog \"d2\": ";
        assert!(ran.err.starts_with(message) && ran.err.contains(why), "{bad}: {}", ran.err);
        assert_eq!(dialogs(&folder), ["d0", "d1", "d3", "d4"], "{bad}");
        run_in(folder.path(), &["suggest", "a.jsonl", "--remove-run", "r"], "");
    }
}

/// Errors that nobody reads, an input that nobody reads, and an output that is closed early.
#[test]
fn a_command_may_do_as_it_likes_with_its_streams() {
    let folder = corpus();
    for command in [
        r#"head -c 3000000 /dev/zero | tr '\0' e >&2; echo '{"value":"pass"}'"#,
        r#"exec <&-; echo '{"value":"pass"}'"#,
        r#"printf '{"value":"pass"}'; exec >&- 2>&-"#,
        r#"printf '\n\n  {"value" : "pass"}\r\n\n'"#,
    ] {
        let ran = suggest(&folder, command, &["--timeout", &u64::MAX.to_string()]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{command}");
        assert_eq!(dialogs(&folder), ALL, "{command}");
        fs::remove_dir_all(folder.path().join("judgements")).unwrap();
    }
}

/// An input and an output that are larger than pipes, whichever the command turns to first.
#[test]
fn large_dialogs_are_read_and_much_may_be_printed() {
    let folder = corpus();
    let large = text(&folder, "a.jsonl").replace("I booked it", &"é".repeat(300_000));
    fs::write(folder.path().join("a.jsonl"), large).unwrap();
    let spaces = "head -c 900000 /dev/zero | tr '\\0' ' '";
    let answer = r#"echo '{"value":"pass"}'"#;
    for command in [
        format!("[ $(wc -c) -gt 1000000 ] && {answer}"),
        format!("{spaces}; echo; cat >/dev/null; {answer}"),
        format!("cat >/dev/null; {spaces}; echo; {answer}"),
        format!("{spaces}; echo; {answer}"),
    ] {
        let ran = suggest(&folder, &command, &["--limit", "2"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{command}");
        assert_eq!(dialogs(&folder).len(), 2, "{command}");
        fs::remove_dir_all(folder.path().join("judgements")).unwrap();
    }
}

/// A line that is not what a run leaves of one is not dropped, whosever file it is in.
#[test]
fn a_last_line_without_an_end_is_kept_unless_a_run_left_it() {
    let folder = corpus();
    let path = folder.path().join("judgements/r.jsonl");
    fs::create_dir(folder.path().join("judgements")).unwrap();
    let own = r#"{"dialog":"d0","note":"mine","by":"mk"}"#;
    for mine in [format!("{own}\n{{\"dialog\":\"d1\""), format!("{own}\nx")] {
        fs::write(&path, &mine).unwrap();
        let ran = suggest(&folder, FAIL, &[]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert_eq!(fs::read_to_string(&path).unwrap(), mine);
    }
    let before = br#"{"dialog":"d9","note":"before","by":"model:r","run":"r"}"#;
    for odd in [&b"not JSON"[..], b"\xff\xfe", b"{\"note\":\"\xff\"}"] {
        fs::write(&path, [&before[..], odd].join(&b'\n')).unwrap();
        let ran = suggest(&folder, FAIL, &[]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let kept = fs::read(&path).unwrap();
        let lines: Vec<_> = kept.split(|byte| *byte == b'\n').collect();
        assert!(lines.contains(&odd) && lines.len() == 8, "{kept:?}");
    }
    // Cut within a character.
    fs::write(&path, b"{\"note\":\"\xc3").unwrap();
    let ran = suggest(&folder, FAIL, &[]);
    assert_eq!((ran.code, dialogs(&folder).len()), (0, 5));
}

#[test]
fn a_command_that_hangs_is_ended() {
    let folder = corpus();
    // Whether it has answered or not, and whether its output is still open.
    for command in [
        r#"echo '{"value":"pass"}'; sleep 1000"#,
        r#"echo '{"value":"pass"}'; exec >&-; sleep 1000"#,
        "cat >/dev/null; cat /dev/zero >&2",
    ] {
        let ran = suggest(&folder, command, &["--timeout", "1", "--limit", "1"]);
        assert_eq!(ran.code, 1, "{command}");
        assert!(ran.err.contains("took longer than 1 s"), "{}", ran.err);
        assert!(said(&folder).is_empty(), "{command}");
    }
    let ran = suggest(&folder, "sleep 1000 & sleep 1000", &["--timeout", "0", "--limit", "2"]);
    assert_eq!((ran.code, ran.err.lines().count()), (1, 2));
    assert!(ran.err.contains("took longer than 0 s"), "{}", ran.err);
}

#[test]
fn a_run_that_was_ended_goes_on_and_judges_nothing_twice() {
    let silent = "echo ran >>ran";
    let cases = [("KILL", FAIL), ("TERM", FAIL), ("INT", FAIL), ("KILL", silent)];
    for (signal, answer) in cases {
        let folder = corpus();
        let deadly = format!(
            "read line; case $line in *'\"d3\"'*) [ -e ended ] || {{ touch ended; kill -{signal} $PPID; exec sleep 1000; }};; esac; {answer}"
        );
        let ended = suggest(&folder, &deadly, &[]);
        assert_ne!(ended.code, 0, "{signal}");
        assert_eq!(dialogs(&folder), ["d0", "d1", "d2"], "{signal}");
        // A line that was half written is dropped.
        let path = folder.path().join("judgements/r.jsonl");
        let half = text(&folder, "judgements/r.jsonl") + "{\"dialog\":\"d3\",\"va";
        fs::write(&path, half).unwrap();
        let ran = suggest(&folder, &deadly, &[]);
        let now = if answer == FAIL { "judged" } else { "without an answer" };
        assert!(
            ran.out.ends_with(&format!("run r: 2 {now}, 3 judged before\n")),
            "{}{}",
            ran.out,
            ran.err
        );
        assert_eq!(dialogs(&folder), ALL);
        assert_eq!(text(&folder, "ran").lines().count(), 5, "{signal}");
    }
}

#[test]
fn a_run_can_be_taken_back() {
    let folder = corpus();
    suggest(&folder, FAIL, &[]);
    fs::write(
        folder.path().join("judgements/mk.jsonl"),
        "{\"dialog\":\"d0\",\"note\":\"mine\",\"by\":\"mk\"}\n{\"dialog\":\"d1\",\"note\":\"r's\",\"by\":\"mk\",\"run\":\"r\"}\n",
    )
    .unwrap();
    let remove = ["suggest", ".", "--remove-run", "r"];
    let ran = run_in(folder.path(), &remove, "");
    assert_eq!(
        ran.out,
        "./judgements/mk.jsonl: 1 judgement removed\n./judgements/r.jsonl: 5 judgements removed\n"
    );
    assert!(!folder.path().join("judgements/r.jsonl").exists());
    assert_eq!(text(&folder, "judgements/mk.jsonl").lines().count(), 1);
    let again = run_in(folder.path(), &remove, "");
    assert_eq!(again.code, 1);
    // A run does not write into the file of a person.
    fs::rename(folder.path().join("judgements/mk.jsonl"), folder.path().join("judgements/r.jsonl"))
        .unwrap();
    let ran = suggest(&folder, FAIL, &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("judgements/r.jsonl: it has judgements that are not of this run"),
        "{}",
        ran.err
    );
}

#[test]
fn a_share_of_the_dialogs_is_held_out() {
    let folder = corpus();
    let held_out = |seed: &str| {
        let ran = suggest(&folder, FAIL, &["--hold-out", "0.5", "--seed", seed]);
        assert!(ran.out.contains(" held out"), "{}", ran.out);
        let judged = dialogs(&folder);
        fs::remove_dir_all(folder.path().join("judgements")).unwrap();
        judged
    };
    let one = held_out("1");
    assert_eq!(held_out("1"), one);
    let others = ["2", "3", "4"].map(held_out);
    assert!(others.iter().any(|other| *other != one));
    let all = suggest(&folder, FAIL, &["--hold-out", "1"]);
    assert_eq!(all.out, "run r: 5 held out\n");
    let found = suggest(&folder, FAIL, &["--query", "\"for 3\""]);
    assert!(found.out.ends_with("run r: 1 judged\n"), "{}", found.out);
}

#[test]
fn edits_go_to_a_file() {
    let folder = corpus();
    let command = r#"echo ran >>ran; echo '{"edit":"set_text","turn":1,"text":"Done"}'"#;
    let more = ["--edits", "edits.jsonl"];
    let ran = suggest(&folder, command, &more);
    assert_eq!(ran.out, "run r: 5 judged, 5 edits\n", "{}", ran.err);
    let edits = text(&folder, "edits.jsonl");
    let first: Value = serde_json::from_str(edits.lines().next().unwrap()).unwrap();
    assert_eq!((&first["dialog"], &first["by"]), (&"d0".into(), &"model:r".into()));
    let again = suggest(&folder, command, &more);
    assert_eq!(again.out, "run r: 5 judged before\n");
    assert_eq!(text(&folder, "ran").lines().count(), 5);
    let applied = run_in(folder.path(), &["apply", "edits.jsonl", "a.jsonl"], "");
    assert_eq!(applied.code, 0, "{}", applied.err);
    assert_eq!(text(&folder, "a.jsonl").matches("Done").count(), 5);
}

#[test]
fn turns_are_judged_where_the_question_asks() {
    let folder = corpus();
    let command = r#"echo '{"turn":1,"value":3}'"#;
    let arguments = [
        "suggest",
        "a.jsonl",
        "--run",
        "q",
        "--scheme",
        "quality",
        "--question",
        "quality",
        "--with",
        command,
    ];
    let ran = run_in(folder.path(), &arguments, "");
    assert!(ran.out.starts_with("judgements/q.jsonl: 5 judgements\n"), "{}{}", ran.out, ran.err);
    let unasked =
        run_in(folder.path(), &["suggest", "a.jsonl", "--with", "echo '{\"value\":1}'"], "");
    assert!(unasked.err.contains("it does not say which question it answers"), "{}", unasked.err);
    let unknown =
        run_in(folder.path(), &["suggest", "a.jsonl", "--with", "x", "--question", "colour"], "");
    assert_eq!(unknown.code, 2);
}

/// The example of the manual judges the demo.
#[test]
fn the_rule_of_the_manual_works() {
    let manual = fs::read_to_string(project("assets/manual/error-analysis.md")).unwrap();
    let (_, rest) = manual.split_once("```python\n").unwrap();
    let (rule, _) = rest.split_once("```").unwrap();
    assert!(rule.lines().count() <= 20);
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("the rule of the manual", "there is no python3");
    }
    let folder = scratch();
    fs::write(folder.path().join("judge.py"), rule).unwrap();
    fs::copy(project("assets/demo/taskmaster-3.json"), folder.path().join("demo.json")).unwrap();
    let command =
        manual.lines().find(|line| line.starts_with("turnwise suggest corpus/ --with")).unwrap();
    let command = command.replace("turnwise", env!("CARGO_BIN_EXE_turnwise"));
    let ran = Command::new("sh")
        .args(["-c", &command.replace("corpus/", "demo.json")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(out, "judgements/rule-1.jsonl: 3 judgements\nrun rule-1: 3 judged\n", "{err}");
    let found = run_in(
        folder.path(),
        &["find", "verdict:fail by:model:rule-1", "demo.json", "--format", "count"],
        "",
    );
    assert_eq!(found.code, 0, "{}", found.err);
}

/// Edit records are added to a file of them, and to no other.
#[test]
fn edits_go_into_a_file_of_edits() {
    let folder = corpus();
    let edits = r#"echo '{"edit":"set_text","turn":0,"text":"x","was":"a table"}'"#;
    let before = text(&folder, "a.jsonl");
    fs::write(folder.path().join("notes.txt"), "remember\n").unwrap();
    for (name, why) in [("a.jsonl", "this file is read"), ("notes.txt", "no edit records")] {
        let ran = suggest(&folder, edits, &["--edits", name]);
        assert!(ran.code == 2 && ran.err.contains(why), "{ran:?}");
    }
    assert_eq!(
        (text(&folder, "a.jsonl"), text(&folder, "notes.txt")),
        (before, "remember\n".into())
    );
}

/// Nobody can give such an answer on the screen.
#[test]
fn a_turn_about_which_a_question_does_not_ask_takes_no_answer() {
    let folder = corpus();
    let scheme = "[[question]]\nname = \"polite\"\nof = \"turn\"\nkind = \"yes-no\"\n";
    fs::write(folder.path().join("judging.toml"), scheme).unwrap();
    let ask = |turn: usize| {
        let command = format!("echo '{{\"turn\":{turn},\"value\":true}}'");
        let asked = ["--question", "polite", "--run", "r", "--with", &command];
        run_in(folder.path(), &[&["suggest", "a.jsonl"], &asked[..]].concat(), "")
    };
    let ran = ask(0);
    assert!(ran.code == 1 && ran.err.contains("polite is not asked about this turn"), "{ran:?}");
    assert_eq!(ask(1).code, 0);
}
