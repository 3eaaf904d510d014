//! Output for programs carries the data as it is: hostile text goes in, is printed into a pipe, read
//! back by another parser, and must be what went in. No terminal would obey any of the JSON. `tests/cases/cli/odd.md`
//! shows diffs and labels.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::hostile::{HOSTILE, is_obeyed, repaired, write};
use crate::support::{TempDir, run_in, scratch};

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
