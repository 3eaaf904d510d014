//! Compressed files: read as others, never written.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::write::GzEncoder;

use crate::support::{run_in, scratch};

const LINES: &str = r#"{"type": "user", "sessionId": "s-1", "message": {"role": "user", "content": "Is the tide high?"}}
{"type": "assistant", "sessionId": "s-1", "message": {"role": "assistant", "content": "It is."}}
{"type": "assistant", "sessionId":
"#;

fn gzip(path: &Path, text: &str) {
    let out = fs::File::create(path).unwrap();
    let mut gzip = GzEncoder::new(out, flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap();
}

#[test]
fn a_compressed_session_is_read_and_not_edited() {
    let folder = scratch();
    let path = folder.path().join("s.jsonl.gz");
    gzip(&path, LINES);
    fs::write(folder.path().join("notes.txt.gz"), "no corpus").unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
    // Positions are those in the text.
    let ran = run(&["check", "."]);
    assert!(ran.out.contains("s.jsonl.gz:3:"), "{ran:?}");
    assert!(!ran.out.contains("notes"), "{ran:?}");
    let ran = run(&["find", "tide", "."]);
    assert!(ran.out.contains("Is the tide high?"), "{ran:?}");
    gzip(&path, LINES.rsplit_once("{\"type\"").unwrap().0);
    let before = fs::read(&path).unwrap();
    let edit = r#"{"edit":"set_text","dialog":0,"turn":0,"text":"Is it high?"}"#;
    let ran = run_in(folder.path(), &["apply", "-", "s.jsonl.gz"], edit);
    assert!(ran.code != 0 && ran.err.contains("compressed"), "{ran:?}");
    assert!(fs::read(&path).unwrap() == before);
    fs::write(&path, &before[..before.len() - 9]).unwrap();
    let ran = run(&["check", "s.jsonl.gz"]);
    // What could be unpacked is read.
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("the file is damaged here"), "{ran:?}");
}
