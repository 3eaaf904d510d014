//! Journals that cannot be read completely, or not at all: the report on the screen, and their files.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use turnwise::shell::journal_of;

use super::harness::Terminal;
use super::history::two_of_one_file;
use super::repair::{DEMO, SAVE, differing, text};
use super::setup::Setup;

/// The journal of the demo in this folder.
fn journal(folder: &Path) -> PathBuf {
    journal_of(&folder.join(".state/turnwise"), &folder.join(DEMO))
}

fn beside(journal: &Path, end: &str) -> PathBuf {
    journal.with_extension(format!("jsonl.{end}"))
}

/// A run that was killed with three edits that were not saved.
fn killed() -> Terminal {
    let mut terminal = Setup::demo(DEMO).size(120, 40).start();
    terminal.shows("  1 of 3");
    terminal.keys("3gl]").shows("●1 unsaved");
    terminal.keys("Jl]").shows("●2 unsaved");
    terminal.keys("Jl]").shows("●3 unsaved");
    terminal.killed_after(5)
}

/// Damages a byte in the middle of a line of a file; all its bytes then.
fn damage(path: &Path, line: usize) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    let mut lines = bytes.split_inclusive_mut(|byte| *byte == b'\n');
    let line = lines.nth(line).unwrap();
    line[line.len() / 2] ^= 1;
    bytes
}

#[test]
fn a_damaged_journal_is_reported_and_kept_and_the_rest_of_it_restored() {
    let terminal = killed();
    let before = text(&terminal);
    let journal = journal(terminal.folder());
    // The head and the file's description come first, and then the edits.
    let damaged = damage(&journal, 4);
    fs::write(&journal, &damaged).unwrap();
    let mut terminal = terminal.again();
    terminal.shows("the last run left 2 unsaved edits; its journal is").shows_not("damaged-1");
    terminal.keys("v").shows("1 line cannot be read").shows("● end 16 → 17 in turn 3");
    terminal.shows_not("does not fit");
    let kept = beside(&journal, "damaged-1");
    assert_eq!(fs::read(&kept).unwrap(), damaged);
    let mode = kept.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // After no decision, the next run finds the same journal and no second copy.
    terminal.keys("\x1b").shows("v show them");
    assert_eq!(fs::read(&journal).unwrap(), damaged);
    let mut terminal = terminal.killed_after(5).again();
    terminal.shows("left 2 unsaved edits").keys("y");
    terminal.shows("restored 2 unsaved edits from the last run").shows("the journal is damaged (1");
    terminal.shows("cannot be read); a copy was").shows(".jsonl.damaged-1").shows("●2 unsaved");
    terminal.keys("KKJJl]").shows("●3 unsaved");
    terminal.keys(SAVE).shows("saved taskmaster-1.json");
    assert!(differing(&before, &text(&terminal)) >= 3);
    assert!(!beside(&journal, "damaged-2").exists());
    let mut terminal = terminal.again();
    terminal.shows(" of 3").settled();
    terminal.shows_not("damaged").shows_not("the last run left");
    assert_eq!(fs::read(&kept).unwrap(), damaged);
}

#[test]
fn a_journal_of_a_newer_version_is_left_alone() {
    let mut terminal = killed();
    let journal = journal(terminal.folder());
    let newer = fs::read_to_string(&journal).unwrap();
    let (_, rest) = newer.split_once('\n').unwrap();
    let newer = format!("{{\"journal\":9}}\n{rest}");
    fs::write(&journal, &newer).unwrap();
    let why = "its journal cannot be used (a newer version of turnwise wrote it)";
    terminal = terminal.again();
    terminal.shows("taskmaster-1.json is read-only here").shows(why).keys("3gl").shows_not(why);
    // An edit says it once more.
    terminal.keys("]").shows(why);
    terminal.settled();
    terminal.shows_not("unsaved");
    assert_eq!(fs::read_to_string(&journal).unwrap(), newer);
}

#[test]
fn other_things_in_the_place_of_a_journal_are_not_touched() {
    type Put = fn(&Path);
    let put: [(&str, &str, Put); 4] = [
        ("a pipe", "this is a pipe, not a regular file", |path| {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        }),
        ("a folder", "this is a folder, not a regular file", |path| {
            fs::create_dir(path).unwrap();
        }),
        ("a circle", "Too many levels of symbolic links", |path| {
            symlink(path, path).unwrap();
        }),
        ("300 MiB", "it is larger than 256 MiB", |path| {
            fs::File::create(path).unwrap().set_len(300 << 20).unwrap();
        }),
    ];
    for (name, why, put) in put {
        let setup = Setup::demo(DEMO).size(200, 40);
        let journal = journal(setup.folder.path());
        fs::create_dir_all(journal.parent().unwrap()).unwrap();
        put(&journal);
        let mut terminal = setup.start();
        let told = format!("is read-only here: its journal cannot be used ({why}");
        terminal.shows(&told).keys("3g").shows_not(&told);
        terminal.keys("l]").shows(&told).shows_not("unsaved");
        terminal.keys("\x1b").shows_not(&told);
        let there = journal.symlink_metadata().unwrap();
        assert!(!there.is_file() || there.len() == 300 << 20, "{name}");
        fs::rename(&journal, journal.with_extension("away")).unwrap();
        terminal.keys("l]").shows("●1 unsaved");
        terminal.keys(SAVE).shows("saved taskmaster-1.json");
    }
}

#[test]
fn a_journal_that_is_damaged_meanwhile_is_reported_at_the_first_edit() {
    let (mut reader, writer) = two_of_one_file(Setup::demo(DEMO).size(120, 40), DEMO);
    reader.shows("  1 of 3");
    // Another run edits the file until it is killed.
    let mut writer = writer.start();
    writer.shows("  1 of 3");
    writer.keys("3gl]").shows("●1 unsaved");
    writer.keys("Jl]").shows("●2 unsaved");
    writer.killed_after(4);
    let journal = journal(reader.folder());
    let damaged = damage(&journal, 3);
    fs::write(&journal, &damaged).unwrap();
    reader.keys("3gl]").shows("left 1 unsaved edit; its journal is damaged");
    reader.keys("y").shows("cannot be read); a copy was saved in").shows(".jsonl.damaged-1");
    reader.shows("●1 unsaved");
    assert_eq!(fs::read(beside(&journal, "damaged-1")).unwrap(), damaged);
}
