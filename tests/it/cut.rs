//! Files that are cut short or damaged: what is whole is read, and the damage is reported; and the exit codes of commands that
//! meet lines which are not JSON.

use std::fs;
use std::io::Write as _;

use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::{Ran, run_in, scratch};

const CHAT: &str = r#"[{"role": "user", "content": "wind?"}, {"role": "assistant", "content": "Calm."}, {"role": "user", "content": "And the tide?"}]"#;

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn report(ran: &Ran) -> Value {
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    all[0].clone()
}

#[test]
fn a_whole_value_in_a_damaged_file_is_read() {
    let folder = scratch();
    let log = format!(
        r#"{{"status": "success", "eval": {{"task": "t"}}, "samples": [{{"id": 1, "epoch": 1, "messages": {CHAT}}}]}}"#
    );
    for (name, text) in [("list.json.gz", CHAT), ("log.json.gz", &log)] {
        let packed = gzip(text);
        fs::write(folder.path().join(name), &packed[..packed.len() - 4]).unwrap();
        let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
        let ran = run(&["check", name, "--format", "json"]);
        let report = report(&ran);
        assert_eq!((ran.code, &report["turns"]), (1, &3.into()), "{name}: {ran:?}");
        assert_eq!(report["issues"][0]["code"], "damaged");
        let why = report["issues"][0]["message"].as_str().unwrap();
        assert!(why.starts_with("the file is damaged: "), "{why}");
        let ran = run(&["find", "tide", name]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.err.contains("the file is damaged"), "{ran:?}");
        let ran = run(&["lint", name]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains("the file is damaged"), "{ran:?}");
    }
}

#[test]
fn the_turns_before_a_cut_are_read_and_not_written() {
    let folder = scratch();
    let cut = CHAT.find(r#", "content": "And"#).unwrap();
    let path = folder.path().join("list.json");
    fs::write(&path, &CHAT[..cut]).unwrap();
    let run = |arguments: &[&str], input: &str| run_in(folder.path(), arguments, input);
    let ran = run(&["check", "list.json", "--format", "json"], "");
    let report = report(&ran);
    assert_eq!((ran.code, &report["turns"]), (2, &2.into()), "{ran:?}");
    assert_eq!(report["issues"][0]["code"], "syntax");
    let ran = run(&["show", "list.json"], "");
    assert!(ran.out.contains("Calm."), "{ran:?}");
    assert!(ran.err.contains("the file ends inside the value"), "{ran:?}");
    let edit = r#"{"edit":"set_text","dialog":0,"turn":1,"text":"Stormy."}"#;
    let ran = run(&["apply", "-", "list.json"], edit);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), CHAT[..cut]);
    // Compressed, too.
    let packed = gzip(&CHAT[..cut]);
    fs::write(folder.path().join("list.json.gz"), &packed[..packed.len() - 4]).unwrap();
    let ran = run(&["find", "Calm", "list.json.gz"], "");
    assert!(ran.out.contains("Calm."), "{ran:?}");
    assert!(ran.err.contains("the file is damaged: "), "{ran:?}");
}

/// Which lines a search skips depends on their text; its exit code does not.
#[test]
fn the_exit_code_of_a_search_is_about_what_it_finds() {
    let folder = scratch();
    let chat = format!(r#"{{"id": "d", "messages": {CHAT}}}"#);
    fs::write(folder.path().join("c.jsonl"), format!("{chat}\nwindy rubbish\n")).unwrap();
    let find = |query: &str, path: &str| run_in(folder.path(), &["find", query, path], "");
    for (query, code, is_shown) in [
        ("Calm", 0, false),
        ("wind", 0, true),
        ("speaker:user", 0, true),
        ("rubbish", 1, true),
        ("stormy", 1, false),
    ] {
        let ran = find(query, "c.jsonl");
        assert_eq!(ran.code, code, "{query}: {ran:?}");
        let told = ran.err.contains("c.jsonl:2:1: dialog 1: not a JSON value");
        assert_eq!(told, is_shown, "{query}: {ran:?}");
    }
    // A file without any dialog cannot be read.
    fs::write(folder.path().join("r.jsonl"), "windy rubbish\n").unwrap();
    assert_eq!(find("stormy", "r.jsonl").code, 2);
    fs::write(folder.path().join("r.jsonl"), "{\"windy\": \"rub\"bish\"}\n").unwrap();
    assert_eq!(find("stormy", "r.jsonl").code, 2);
}

const SESSION: &str = r#"{"type": "user", "sessionId": "s", "message": {"role": "user", "content": "wind?"}}
{"type": "assistant", "sessionId": "s", "message": {"role": "assistant", "content": "Calm."}}
{"type": "user", "sessionId": "s", "message": {"role": "user", "content": "And the ti"#;

#[test]
fn a_broken_line_of_a_session_is_reported_by_searches_and_exports() {
    let folder = scratch();
    fs::write(folder.path().join("s.jsonl"), SESSION).unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
    let ran = run(&["find", "And the ti", "s.jsonl"]);
    // It is a field of the dialog, and no turn.
    assert!(ran.code == 0 && ran.out.contains("broken line"), "{ran:?}");
    assert!(ran.err.contains("s.jsonl: 1 line that may match cannot be read"), "{ran:?}");
    let ran = run(&["find", "Calm", "s.jsonl"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for format in ["tables", "chat"] {
        let output = format!("{format}/");
        let export = ["export", format, "s.jsonl", "-o", &output];
        let ran = run(&export);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.err.contains("1 line cannot be read"), "{ran:?}");
        let ran = run(&[&export[..], &["--strict", "--overwrite"]].concat());
        assert_eq!(ran.code, 1, "{ran:?}");
    }
}
