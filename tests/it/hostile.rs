//! Output for programs carries the data as it is: hostile text goes in, is printed into a pipe, read
//! back by another parser, and must be what went in. No terminal would obey any of the JSON.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::hostile::{HOSTILE, dialog, is_obeyed, repaired, write};
use crate::support::{TempDir, project, run_in, scratch};

fn folder() -> (TempDir, String, String) {
    let folder = scratch();
    let [corpus, log] = write(folder.path());
    (folder, corpus, log)
}

/// The output of a command into a pipe.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let ran = run_in(folder, arguments, "");
    assert!(ran.code < 2, "{arguments:?}: {ran:?}");
    ran.out
}

/// JSON, which must be safe to be shown as it is.
fn json(folder: &Path, arguments: &[&str]) -> Value {
    parsed(&printed(folder, arguments), arguments)
}

fn parsed(text: &str, arguments: &[&str]) -> Value {
    let raw = |char: char| char != '\n' && is_obeyed(char);
    assert!(!text.contains(raw), "{arguments:?}: {text:?}");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

#[test]
fn check_as_json() {
    let (folder, corpus, log) = folder();
    let reports = json(folder.path(), &["check", &corpus, &log, "--format", "json"]);
    assert_eq!((&reports[0]["file"], &reports[1]["file"]), (&corpus.into(), &log.clone().into()));
    let issue = &reports[1]["issues"][0];
    assert_eq!(issue["file"], log);
    let message = issue["message"].as_str().unwrap();
    assert!(message.contains("a\\u0000b\\u001b[5;33m"), "as in the file: {message}");
}

/// In SARIF the names of files are URIs. Workflow commands of a build are single lines; percent signs escape the
/// characters that would end them.
#[test]
fn lint_in_every_form_for_programs() {
    let (folder, corpus, _) = folder();
    let flags = ["lint", &corpus, "--extend-select", "all", "--format"];
    let lint = |format: &'static str| [&flags[..], &[format]].concat();
    let problems = json(folder.path(), &lint("json"));
    let problems = problems.as_array().unwrap();
    let lines = printed(folder.path(), &lint("jsonl"));
    let lines: Vec<_> = lines.lines().map(|line| parsed(line, &flags)).collect();
    assert_eq!(problems, &lines);
    let sarif = json(folder.path(), &lint("sarif"));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let commands = printed(folder.path(), &lint("github"));
    let commands: Vec<_> = commands.split_terminator('\n').collect();
    assert_eq!((results.len(), commands.len()), (problems.len(), problems.len()));
    for ((problem, result), command) in problems.iter().zip(results).zip(commands) {
        assert_eq!(problem["file"], corpus);
        assert_eq!(problem["message"], result["message"]["text"]);
        let location = &result["locations"][0]["physicalLocation"];
        let uri = location["artifactLocation"]["uri"].as_str().unwrap();
        let (head, message) = command[2..].split_once("::").unwrap();
        let file = head.split_once("file=").unwrap().1.split_once(',').unwrap().0;
        assert_eq!([uri, file].map(percent_decoded), [&*corpus; 2]);
        assert_eq!(percent_decoded(message), problem["message"].as_str().unwrap());
    }
    let start = &HOSTILE[..HOSTILE.find('j').unwrap()];
    let quotes = |problem: &Value| problem["message"].as_str().unwrap().contains(start);
    assert!(problems.iter().any(quotes), "{problems:#?}");
}

#[test]
fn edit_records_of_fixes_say_what_was_said() {
    let (folder, corpus, _) = folder();
    let flags = ["lint", &corpus, "--select", "edge-whitespace", "--format", "json"];
    let problems = json(folder.path(), &flags);
    let edits = problems[0]["fixes"][0]["edits"].as_array().unwrap();
    let texts: Vec<_> = edits.iter().filter(|edit| edit["edit"] == "set_text").collect();
    assert_eq!(texts[0]["text"], repaired());
    let records: Vec<_> = edits.iter().map(Value::to_string).collect();
    let ran = run_in(folder.path(), &["apply", "-", &corpus], &records.join("\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let saved = fs::read_to_string(folder.path().join(&corpus)).unwrap();
    let saved: Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved[0]["utterances"][0]["text"], repaired());
}

#[test]
fn votes_as_json_and_csv() {
    let (folder, _, log) = folder();
    let votes = |format: &'static str| ["votes", &*log, "--format", format];
    for (by, column) in [("file", 0), ("dialog", 1), ("annotator", 0), ("system", 0)] {
        let expected = if by == "file" { log.as_str() } else { HOSTILE };
        let figures = json(folder.path(), &[&votes("json")[..], &["--by", by]].concat());
        let mut rows = figures["rows"].as_array().unwrap().iter();
        assert!(rows.any(|row| row[by] == expected), "{by}: {figures}");
        let records = csv(&printed(folder.path(), &[&votes("csv")[..], &["--by", by]].concat()));
        assert!(records[1..].iter().any(|record| record[column] == expected), "{by}: {records:?}");
        assert!(records.iter().all(|record| record.len() == records[0].len()));
    }
    // An argument of a process has no NUL.
    let name = HOSTILE.replace('\0', "");
    let flags = [&votes("csv")[..], &["--confusion", &name, "b"]].concat();
    assert_eq!(csv(&printed(folder.path(), &flags))[0], [&name, "b", "turns"]);
    let cut = folder.path().join("\u{1b}[2J\u{9b}\u{7f}.json");
    fs::write(&cut, "{\"dialogue-id\": ").unwrap();
    let flags = ["votes", ".", "--format", "json"];
    let figures = parsed(&run_in(folder.path(), &flags, "").out, &flags);
    let file = figures["unreadable"][0]["file"].as_str().unwrap();
    assert_eq!(Path::new(file).file_name(), cut.file_name());
}

#[test]
fn exported_labels() {
    let folder = scratch();
    // Characters that a terminal may obey and that a file name may have.
    let id = "a\u{202e}b\u{2066}c\u{2028}d";
    let mut log = crate::support::hostile::log();
    log["dialogue-id"] = id.into();
    fs::write(folder.path().join("x.log.json"), log.to_string()).unwrap();
    let flags = ["export", "labels", "x.log.json", "--annotator", "b", "-o", "out"];
    let ran = run_in(folder.path(), &flags, "");
    assert_eq!(ran.code, 1, "one vote is odd: {ran:?}");
    let text = fs::read_to_string(folder.path().join(format!("out/{id}.labels.json"))).unwrap();
    assert_eq!(parsed(&text, &flags)["dialogue-id"], id);
}

/// A diff has no escapes: its lines are those of the file, whatever bytes they are made of, and a
/// program that knows nothing of us can apply it.
#[test]
fn diffs_are_the_lines_of_the_file() {
    let odd: &[u8] = b"\x1b[5;33m\x9b\xff\x7f\r\xe2\x80\xae";
    let folder = scratch();
    let corpus = serde_json::to_string(&dialog()).unwrap();
    // Next to the changed dialog is one that is not UTF-8; whitespace varies.
    let text = [
        b"[\r{\"conversation_id\": \"",
        odd,
        b"\", \"utterances\": []},\r\n \t\r",
        corpus.as_bytes(),
        b"\r]\r\n",
    ]
    .concat();
    fs::write(folder.path().join("data.json"), &text).unwrap();
    for (arguments, records) in [
        (&["fix", "data.json", "--rule", "edge-whitespace", "--diff=unified"][..], String::new()),
        (
            &["apply", "-", "data.json", "--diff=unified"],
            serde_json::json!({"edit": "set_text", "dialog": 1, "turn": 1, "text": HOSTILE})
                .to_string(),
        ),
    ] {
        let diff = bytes_of(folder.path(), arguments, &records);
        fs::write(folder.path().join("change.patch"), &diff).unwrap();
        let patched = Command::new("git")
            .args(["apply", "-p0", "--unsafe-paths", "change.patch"])
            .current_dir(folder.path())
            .status();
        let diff = String::from_utf8_lossy(&diff);
        assert!(patched.unwrap().success(), "{diff}");
        let by_patch = fs::read(folder.path().join("data.json")).unwrap();
        assert_ne!(by_patch, text, "{diff}");
        fs::write(folder.path().join("data.json"), &text).unwrap();
        let without: Vec<_> =
            arguments.iter().copied().filter(|flag| *flag != "--diff=unified").collect();
        bytes_of(folder.path(), &without, &records);
        assert_eq!(fs::read(folder.path().join("data.json")).unwrap(), by_patch, "{diff}");
        fs::write(folder.path().join("data.json"), &text).unwrap();
    }
}

/// Half a surrogate pair is read as U+FFFD, and the file keeps it.
#[test]
fn half_a_surrogate_pair() {
    let folder = scratch();
    let text = serde_json::to_string(&dialog()).unwrap().replace("\"So\"", "\"So \\ud800 \"");
    fs::write(folder.path().join("data.json"), &text).unwrap();
    let flags = ["lint", "data.json", "--select", "edge-whitespace", "--format", "jsonl"];
    let lines = printed(folder.path(), &flags);
    let last = parsed(lines.lines().last().unwrap(), &flags);
    assert_eq!(last["fixes"][0]["edits"][0]["text"], "So \u{fffd}");
    let diff = printed(
        folder.path(),
        &["fix", "data.json", "--rule", "edge-whitespace", "--diff=unified"],
    );
    assert!(diff.contains("\n-{") && diff.contains("So \\ud800 \""), "{diff}");
    printed(folder.path(), &["fix", "data.json", "--rule", "edge-whitespace"]);
    let saved = fs::read_to_string(folder.path().join("data.json")).unwrap();
    assert!(saved.contains("\"So \\ud800\""), "{saved}");
}

/// The styles are turnwise's own: they are printed on request, and the data stays the same.
#[test]
fn colours_are_forced_and_left_out() {
    let (folder, corpus, log) = folder();
    let ran = |arguments: &[&str], variable: (&str, &str)| {
        let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(arguments)
            .env_remove("NO_COLOR")
            .env(variable.0, variable.1)
            .current_dir(folder.path())
            .output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    for arguments in
        [&["check", &corpus, &log][..], &["lint", &corpus], &["show", &corpus], &["formats"]]
    {
        let (with, without) =
            (ran(arguments, ("CLICOLOR_FORCE", "1")), ran(arguments, ("NO_COLOR", "1")));
        assert!(with.contains("\u{1b}[") && !without.contains('\u{1b}'), "{arguments:?}");
        let plain = |text: &str| {
            let mut pieces = text.split("\u{1b}[");
            let first = pieces.next().unwrap().to_owned();
            pieces.fold(first, |all, piece| all + piece.split_once('m').unwrap().1)
        };
        assert_eq!(plain(&with), without, "{arguments:?}");
    }
    for arguments in [
        &["lint", &corpus, "--format", "jsonl"][..],
        &["votes", &log, "--by", "annotator", "--format", "csv"],
    ] {
        assert_eq!(ran(arguments, ("CLICOLOR_FORCE", "1")), ran(arguments, ("NO_COLOR", "1")));
    }
}

/// For data that no terminal minds, nothing has changed.
#[test]
fn ordinary_json_has_only_the_escapes_it_needs() {
    let flags = ["lint", "assets/demo", "--format", "jsonl", "--extend-select", "all"];
    let printed = printed(&project("."), &flags);
    assert!(!printed.is_empty() && !printed.contains("\\u"), "{printed}");
}

fn bytes_of(folder: &Path, arguments: &[&str], input: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap().stdout
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap().to_owned();
            bytes.push(u8::from_str_radix(&digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Records as RFC 4180 has them.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(char) = chars.next() {
        match char {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            other => field.push(other),
        }
    }
    assert!(field.is_empty() && record.is_empty() && !quoted, "{text:?}");
    records
}
