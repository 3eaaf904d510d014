//! Corpora of families that turnwise does not read: none of them is taken for one that it reads, and
//! nothing is written into them.

use std::fs;
use std::path::{Path, PathBuf};

use turnwise::corpus::Contents;
use turnwise::format::{Family, detect};
use turnwise::json::Parser;

use crate::browse::Driver;
use crate::support::files::{READ, neighbours, open};
use crate::support::{TempDir, run_in, scratch};

/// The family of a file; None if turnwise does not read it.
fn expected_family(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy();
    let mut families = READ.iter();
    families.find_map(|(part, family)| path.contains(part).then_some(*family))
}

#[test]
fn no_real_one_is_taken_for_a_family_that_it_is_not() {
    let Some(files) = neighbours("recognizing") else {
        return;
    };
    for path in files {
        let expected = expected_family(&path);
        let file = open(fs::read(&path).unwrap());
        let found = file.format().map(Family::name);
        assert_eq!(found, expected, "{}", path.display());
        let mut parser = Parser::new();
        for position in 0..file.index().pieces.len() {
            let text = file.text(position).unwrap();
            let found = detect(parser.parse_piece_str(&text).unwrap().root());
            let found = found.ok().map(Family::name);
            assert_eq!(found, expected, "{}: dialog {position}", path.display());
        }
    }
}

/// Copies of the files that are of no family, and their names.
fn copies(test: &str) -> Option<(TempDir, Vec<String>)> {
    let is_schema = |path: &PathBuf| path.ends_with("schema.json");
    let unread = |path: &PathBuf| expected_family(path).is_none() && !is_schema(path);
    let files: Vec<_> = neighbours(test)?.into_iter().filter(unread).collect();
    let folder = scratch();
    let copy = |path: &PathBuf| {
        let parts = path.iter().rev().take(2).map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("-of-");
        fs::copy(path, folder.path().join(&name)).unwrap();
        name
    };
    let names = files.iter().map(copy).collect();
    Some((folder, names))
}

/// Every file in the folder, and its content.
fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<_> = entries.map(|p| (p.clone(), fs::read(p).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn no_command_writes_into_real_ones() {
    let Some((folder, names)) = copies("commands") else {
        return;
    };
    let before = snapshot(folder.path());
    let commands: &[&[&str]] = &[
        &["show"],
        &["check"],
        &["lint"],
        &["votes"],
        &["export", "labels", "--annotator", "crowd", "-o", "out"],
        &["merge", "--no-base", "-o", "out"],
        &["fix", "--unsafe-fixes"],
    ];
    for command in commands {
        let mut arguments = command.to_vec();
        arguments.extend(names.iter().map(String::as_str));
        let ran = run_in(folder.path(), &arguments, "");
        assert!((0..=2).contains(&ran.code), "{command:?}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{command:?}: {}", ran.err);
    }
    let edits = [
        r#"{"edit":"set_text","dialog":0,"turn":0,"text":"ho"}"#,
        r#"{"edit":"set_text","dialog":0,"turn":1,"text":"ho"}"#,
        r#"{"edit":"cast_vote","dialog":0,"turn":0,"annotator":"mk","breakdown":"X"}"#,
        r#"{"edit":"cast_vote","dialog":0,"turn":1,"annotator":"mk","breakdown":"X"}"#,
    ];
    for name in &names {
        let ran = run_in(folder.path(), &["apply", "-", name], &edits.join("\n"));
        let at = format!("turnwise: {name}:");
        let told = ran.err.contains(&at) && ran.err.contains("not a known kind of dialog: ");
        assert!(ran.code == 2 && told, "{name}: {ran:?}");
    }
    assert!(snapshot(folder.path()) == before);
}

#[test]
fn nothing_can_be_done_to_real_ones_in_the_program() {
    let Some((folder, names)) = copies("browsing") else {
        return;
    };
    for name in &names {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let mut driver = Driver::open(&[(name.as_str(), text.clone())], 100, 30);
        driver.shows("not a known kind of dialog");
        driver.press("j J l o x t ] D F m z i e x enter u U ctrl-s W");
        let file = driver.app.workspace.files.get(0).unwrap();
        assert!(!file.corpus().unwrap().is_modified(), "{name}");
        let contents = &file.corpus().unwrap().index().contents;
        assert!(matches!(contents, Contents::Unknown(_)), "{name}");
        assert_eq!(driver.bytes(0), text.as_bytes(), "{name}");
    }
}
