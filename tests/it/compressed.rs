//! Compressed files: read as others, never written.

use std::fs;
use std::io::Write as _;

use crate::support::{run_in, scratch};

const LINES: &str = r#"{"type": "user", "sessionId": "s-1", "message": {"role": "user", "content": "Is the tide high?"}}
{"type": "assistant", "sessionId": "s-1", "message": {"role": "assistant", "content": "It is."}}
{"type": "assistant", "sessionId":
"#;

/// A sample of a log of Inspect: its name and its text.
fn sample(id: usize) -> (String, String) {
    let said = "Is the tide high? ".repeat(20 * id);
    let text = format!(
        r#"{{"id": {id}, "epoch": 1, "messages": [{{"role": "user", "content": "{said}"}}]}}"#
    );
    (format!("samples/{id}_epoch_1.json"), text)
}

#[test]
fn a_damaged_log_is_an_error() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for id in 1..=3 {
        let (name, text) = sample(id);
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        let cut = if id == 3 { text.len() / 2 } else { text.len() };
        zip.write_all(&text.as_bytes()[..cut]).unwrap();
    }
    let whole = zip.finish().unwrap().into_inner();
    let folder = scratch();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
    // The list of samples is at the end of a log.
    fs::write(folder.path().join("log.eval"), &whole[..whole.len() - 3]).unwrap();
    let ran = run(&["check", "log.eval"]);
    let told = [ran.out.as_str(), &ran.err].concat();
    assert!(ran.code == 2 && told.contains("the log is cut short or damaged: "), "{ran:?}");
    fs::write(folder.path().join("log.eval"), &whole).unwrap();
    for command in [&["check"][..], &["find", "tide"]] {
        let ran = run(&[command, &["log.eval"]].concat());
        let told = [ran.out.as_str(), &ran.err].concat();
        assert!(ran.code == 2 && told.contains("samples/3_epoch_1.json is damaged: "), "{ran:?}");
    }
    assert_eq!(fs::read(folder.path().join("log.eval")).unwrap(), whole);
}

/// A zip file with members that are compressed by Zstandard, each of several frames, as Inspect writes them.
fn zstandard_zip(members: &[(String, String)]) -> Vec<u8> {
    let (mut zip, mut list) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let frames = text.as_bytes().chunks(200);
        let frames = frames.map(|part| ruzstd::encoding::compress_to_vec(part, level));
        let data: Vec<u8> = frames.flatten().collect();
        let mut checksum = flate2::Crc::new();
        checksum.update(text.as_bytes());
        let long = |number: usize| (number as u32).to_le_bytes();
        let mut about = vec![63, 0, 0, 0, 93, 0, 0, 0, 0, 0];
        about.extend(checksum.sum().to_le_bytes());
        about.extend([long(data.len()), long(text.len())].concat());
        about.extend([name.len() as u8, 0, 0, 0]);
        list.extend([b"PK\x01\x02\x3f\x00".as_slice(), &about, &[0; 10]].concat());
        list.extend(long(zip.len()));
        list.extend(name.bytes());
        zip.extend([b"PK\x03\x04".as_slice(), &about, name.as_bytes(), &data].concat());
    }
    let count = (members.len() as u16).to_le_bytes();
    let places = [list.len(), zip.len()].map(|place| (place as u32).to_le_bytes());
    let end = [&[0; 4], &count[..], &count, &places.concat(), &[0; 2]].concat();
    [zip, list, b"PK\x05\x06".to_vec(), end].concat()
}

#[test]
fn logs_of_inspect_in_zstandard_are_read() {
    let members = [1, 2, 3].map(sample);
    let whole = zstandard_zip(&members);
    let folder = scratch();
    let checked = |bytes: &[u8]| {
        fs::write(folder.path().join("log.eval"), bytes).unwrap();
        let ran = run_in(folder.path(), &["check", "log.eval", "--format", "json"], "");
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let issues = report[0]["issues"].as_array().unwrap().iter();
        let issues = issues.map(|issue| issue["message"].as_str().unwrap().to_owned());
        (report[0]["dialogs"].as_u64(), issues.collect::<Vec<_>>())
    };
    assert_eq!(checked(&whole), (Some(3), vec![]));
    let ran = run_in(folder.path(), &["find", "tide", "log.eval"], "");
    assert!(ran.out.contains("Is the tide high?"), "{ran:?}");
    // Another text has another checksum.
    let mut other = whole;
    other[14] ^= 1;
    let start = other.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    other[start + 16] ^= 1;
    let (_, issues) = checked(&other);
    let why = "cannot be opened: samples/1_epoch_1.json is damaged: its checksum does not match";
    assert_eq!(issues, [why]);
}

#[test]
fn damage_is_reported_in_plain_words() {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let small = ruzstd::encoding::compress_to_vec(LINES.as_bytes(), level);
    let long = LINES.rsplit_once("{\"type\"").unwrap().0.repeat(5_000);
    let long = ruzstd::encoding::compress_to_vec(long.as_bytes(), level);
    let cut = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let middle = long.len() / 2;
    let changed = [&long[..middle], &[0xff; 400], &long[middle + 400..]].concat();
    let cases = [
        (cut(&small), 2, "nothing in it can be read: unexpected end of file"),
        (cut(&long), 1, "damaged: unexpected end"),
        (changed, 1, "damaged: corrupt data"),
        // The head of a frame that was made with `--long=31`, and its last block.
        (b"\x28\xb5\x2f\xfd\x00\xa8\x01\0\0".to_vec(), 2, "it needs 2048 MiB of memory"),
    ];
    for (bytes, code, why) in cases {
        let folder = scratch();
        fs::write(folder.path().join("s.jsonl.zst"), bytes).unwrap();
        let ran = run_in(folder.path(), &["check", "s.jsonl.zst"], "");
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(ran.code, code, "{why}: {ran:?}");
        assert!(said.contains(why) && !said.contains("Error"), "{ran:?}");
    }
}
