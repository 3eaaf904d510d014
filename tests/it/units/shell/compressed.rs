//! The texts of compressed files, and the reports of those that are damaged.

use std::io::{self, Write as _};

use turnwise::format::Formats;
use turnwise::shell::open;

use crate::support::scratch;

/// Returns the text of a file with its damage.
fn unpacked(name: &str, bytes: &[u8]) -> Result<String, String> {
    let folder = scratch();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let opened = open(&path, &Formats::default(), false).map_err(|error| error.to_string())?;
    let source = opened.file.source();
    let mut text = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut text).unwrap();
    Ok(String::from_utf8(text).unwrap() + &source.damage().join("\n"))
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, text) in members {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn texts_are_unpacked_up_to_a_limit() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"{}\n").unwrap();
    let gzip = gzip.finish().unwrap();
    let twice = [gzip.clone(), gzip.clone()].concat();
    assert_eq!(unpacked("a.json.gz", &twice).unwrap(), "{}\n{}\n");
    let cut = unpacked("a.json.gz", &twice[..twice.len() - 5]).unwrap();
    assert!(cut.starts_with("{}\n{}\nthe file is damaged: "), "{cut}");
    let cut = unpacked("a.json.gz", &gzip[..gzip.len() - 5]).unwrap();
    assert!(cut.starts_with("{}\nthe file is damaged: "), "{cut}");
    assert!(unpacked("a.json.gz", &gzip[..11]).is_err());
    assert_eq!(unpacked("a.json.gz", b"{}").unwrap(), "{}");
    let level = ruzstd::encoding::CompressionLevel::Uncompressed;
    let zst = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
    // With a frame of three bytes to skip.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let all = [&zst[..], &skipped, &zst].concat();
    assert_eq!(unpacked("a.zst", &all).unwrap(), "{}\n{}\n");
    assert!(unpacked("a.zst", &zst[..zst.len() - 5]).is_err());
    let cut = [&zst[..], &zst, &zst[..zst.len() - 5]].concat();
    let cut = unpacked("a.zst", &cut).unwrap();
    assert!(cut.starts_with("{}\n{}\nthe file is damaged: "), "{cut}");
    // The checksum of a frame is behind its last block.
    let whole = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
    let sum = whole.len() - 1;
    let mut wrong = whole.clone();
    wrong[sum] ^= 1;
    let text = unpacked("a.zst", &wrong).unwrap();
    assert_eq!(text, "{}\nthe file is damaged: its checksum does not match");
    let text = unpacked("a.zst", &[wrong, whole].concat()).unwrap();
    assert!(text.contains("its checksum does not match"), "{text}");
    // Its window is larger than its text.
    let lines = (0..60_000).map(|line| format!("{{\"line\": {line}}}\n"));
    let long = lines.collect::<Vec<_>>().concat();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zst = ruzstd::encoding::compress_to_vec(long.as_bytes(), level);
    let cut = unpacked("a.zst", &zst[..zst.len() / 2]).unwrap();
    let (before, why) = cut.split_once("the file is damaged: ").unwrap();
    assert!(long.starts_with(before) && before.len() > long.len() / 4, "{} {why}", before.len());
}

#[test]
fn a_log_of_inspect_is_its_samples() {
    let members = [
        ("header.json", "{}"),
        ("notes.txt", "tide"),
        ("samples/1_epoch_1.json", "{\"id\": 1}"),
        ("samples/2_epoch_1.json", "{\"id\": 2}"),
        ("samples/3_epoch_1.json", "{\"id\": "),
    ];
    let text = unpacked("log.eval", &zip(&members[..4])).unwrap();
    assert_eq!(
        text,
        "{\"samples\":[\n{\"id\": 1},\n{\"id\": 2}\n],\n\"notes.txt\":\"not read\"}\n"
    );
    let header = ("header.json", " {\"version\": 2}\n");
    let text = unpacked("log.eval", &zip(&[members[2], header])).unwrap();
    assert_eq!(text, "{\"version\": 2,\n\"samples\":[\n{\"id\": 1}\n]}\n");
    for (damaged, why) in [
        (zip(&members), "samples/3_epoch_1.json is damaged: `{` is never closed"),
        (zip(&[members[2], ("header.json", "[]")]), "header.json is damaged: it is not an object"),
        (zip(&members[1..2]), "it has no samples, which a log of Inspect has"),
    ] {
        let error = unpacked("log.eval", &damaged).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    assert!(unpacked("log.eval", &zip(&members[2..])[..20]).is_err());
}
