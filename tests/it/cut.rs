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
        assert_eq!(
            (ran.code, &report["turns"]),
            (1, &3.into()),
            "{name}: {ran:?}"
        );
        assert_eq!(report["issues"][0]["code"], "damaged");
        let why = report["issues"][0]["message"].as_str().unwrap();
        assert!(why.starts_with("the file is damaged: "), "{why}");
        let ran = run(&["find", "tide", name]);
        assert_eq!(ran.code, 0, "{ran:?}");
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
    assert!(
        ran.err.contains("the file ends inside the value"),
        "{ran:?}"
    );
    let edit = r#"{"edit":"set_text","dialog":0,"turn":1,"text":"Stormy."}"#;
    let ran = run(&["apply", "-", "list.json"], edit);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), CHAT[..cut]);
    // Compressed, too.
    let packed = gzip(&CHAT[..cut]);
    fs::write(
        folder.path().join("list.json.gz"),
        &packed[..packed.len() - 4],
    )
    .unwrap();
    let ran = run(&["find", "Calm", "list.json.gz"], "");
    assert!(ran.out.contains("Calm."), "{ran:?}");
    assert!(ran.err.contains("the file is damaged here"), "{ran:?}");
}
