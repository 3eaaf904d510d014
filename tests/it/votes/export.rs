//! `turnwise export labels`: votes in, a detector's output out, which the challenge's script reads.

use std::fs;
use std::path::Path;

use super::logs::log;
use crate::support::{Ran, TempDir, run_in, scratch};

/// Two logs: everybody has judged everything in one, `b` not in the other, `c` in none.
fn two_logs() -> TempDir {
    let folder = scratch();
    let one = log(
        "one",
        &[
            ("S", "hello", &[]),
            ("U", "hello", &[]),
            ("S", "yes", &[("a", "O"), ("b", "X"), ("", "X"), ("a2", "X")]),
            ("S", "no", &[("a", "T"), ("b", "X")]),
        ],
    );
    let two = log("two", &[("S", "hi", &[("a", "O"), ("b", "O")]), ("S", "yes", &[("a", "X")])]);
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::write(folder.path().join("logs/1.log.json"), one).unwrap();
    fs::write(folder.path().join("logs/2.log.json"), two).unwrap();
    folder
}

fn export(folder: &TempDir, arguments: &[&str]) -> Ran {
    let all = [&["export", "labels", "logs", "-o", "output"], arguments].concat();
    run_in(folder.path(), &all, "")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).map(|entries| entries.map(Result::unwrap).collect());
    let entries: Vec<fs::DirEntry> = entries.unwrap_or_default();
    let mut names: Vec<_> = entries.iter().map(|e| e.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn ids_that_name_no_file_of_their_own_are_refused() {
    let (long, wide, longest) = ("a".repeat(300), "é".repeat(122), "a".repeat(243));
    let exported = |id: &str, annotator: &str| {
        let folder = two_logs();
        let text = log(id, &[("S", "hi", &[("a", "O")])]);
        fs::write(folder.path().join("logs/3.log.json"), text).unwrap();
        let ran = export(&folder, &["--annotator", annotator]);
        (ran, names(&folder.path().join("output")))
    };
    for id in ["../one", "a/b", "", ".hidden", "a\\b", "a\u{1b}b", &long, &wide] {
        let (ran, written) = exported(id, "a");
        assert_eq!(ran.code, 2, "{id:?}: {ran:?}");
        assert!(ran.err.contains("its id cannot be a file name"), "{}", ran.err);
        assert_eq!(written, [""; 0], "{id:?}");
    }
    let (ran, _) = exported(&longest, "a");
    assert_eq!(ran.out, "output: 3 files written\n", "{ran:?}");
    let (ran, _) = exported("two", "crowd");
    let why = "logs/2.log.json also has a dialog with this id";
    assert!(ran.code == 2 && ran.err.contains(why), "{ran:?}");
}

/// A new file is as private as the user's other files, whatever the logs are.
#[cfg(unix)]
#[test]
fn a_read_only_log_makes_no_read_only_labels() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = two_logs();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let log = folder.path().join("logs/1.log.json");
    let usual = mode(&log);
    fs::set_permissions(&log, fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(export(&folder, &["--annotator", "crowd"]).code, 0);
    assert_eq!(mode(&folder.path().join("output/one.labels.json")), usual);
}
