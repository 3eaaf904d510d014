//! Only the user can read what the program writes, and files of others stay theirs.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::process::{Signal, geteuid};
use walkdir::WalkDir;

use super::repair::{DEMO, SAVE, wait_for_lines};
use super::setup::Setup;
use crate::support::project;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o777
}

#[test]
fn state_is_closed_to_others_whatever_the_mask_and_whatever_was_there() {
    let log = fs::read(project("assets/demo/dbdc/demo_001.log.json")).unwrap();
    let setup = Setup::text("demo.log.json", log).size(120, 40);
    let above = setup.path(".state");
    let state = above.join("turnwise");
    fs::create_dir_all(state.join("journals")).unwrap();
    for file in ["annotator", "journals/old.jsonl", "journals/old.lock"] {
        fs::write(state.join(file), "").unwrap();
        set_mode(&state.join(file), 0o666);
    }
    for folder in [&above, &state, &state.join("journals")] {
        set_mode(folder, 0o777);
    }
    let mut terminal = setup.script("umask 0; exec \"$0\" \"$@\"").start();
    terminal.shows("judged 0/").keys("o").shows("your annotator id");
    terminal.keys("mk\r").shows("judged 1/");
    wait_for_lines(&terminal, 3);
    terminal.signal(Signal::KILL).ends();
    let mut terminal = terminal.again();
    terminal.shows("left 1 unsaved edit").keys("f");
    terminal.shows("exported to").keys("o").shows("judged 1/");
    terminal.keys(SAVE).shows("saved").keys("q").ends();
    let mut files = Vec::new();
    for entry in WalkDir::new(terminal.folder().join(".state/turnwise")) {
        let entry = entry.unwrap();
        let folder = entry.file_type().is_dir();
        let wanted = if folder { 0o700 } else { 0o600 };
        let path = entry.path();
        assert_eq!(mode(path), wanted, "{}: {:o}", path.display(), mode(path));
        let end = path.extension().unwrap_or(path.file_name().unwrap());
        files.push(end.to_str().unwrap().to_owned());
    }
    for kind in ["jsonl", "lock", "toml", "annotator", "journals", "kept", "sessions"] {
        assert!(files.iter().any(|file| file == kind), "{kind}: {files:?}");
    }
    assert_eq!(mode(&terminal.folder().join(".state")), 0o777, "it is not ours");
}

#[test]
fn a_file_whose_owner_cannot_be_kept_is_saved_only_if_that_is_wanted() {
    if !geteuid().is_root() {
        eprintln!("skipped: only root can have a file of another user, and be nobody");
        return;
    }
    let setup = Setup::demo(DEMO).size(120, 40);
    let file = setup.path(DEMO);
    set_mode(setup.folder.path(), 0o777);
    set_mode(&file, 0o666);
    let before = fs::read(&file).unwrap();
    let nobody = "cp \"$0\" program; exec setpriv --reuid=65534 --regid=65534 --clear-groups ./program \"$@\"";
    let mut terminal = setup.script(nobody).start();
    terminal.shows("  1 of 3").keys("3gl]");
    terminal.shows("●1 unsaved").keys(SAVE);
    terminal.shows("was not saved: its owner (user 0) and group (0) cannot be kept");
    terminal.keys("n").shows_not("cannot be kept");
    terminal.shows("●1 unsaved");
    assert!(fs::read(&file).unwrap() == before);
    terminal.keys(SAVE).shows("cannot be kept").keys("y");
    terminal.shows("saved taskmaster-1.json: 2 lines changed");
    let now = file.metadata().unwrap();
    assert_eq!((now.uid(), now.gid(), now.mode() & 0o777), (65534, 65534, 0o666));
    // It is this user's now.
    terminal.keys("u").shows("●1 unsaved").keys(SAVE);
    terminal.shows_not("unsaved");
    assert!(fs::read(&file).unwrap() == before);
}

/// A log of votes has the texts of its dialog.
#[test]
fn votes_on_a_private_corpus_are_as_private() {
    for (of_corpus, wanted) in [(0o600, 0o600), (0o640, 0o640), (0o400, 0o600), (0o666, 0o644)] {
        let setup = Setup::demo("taskmaster-3.json").argument("--annotator");
        let setup = setup.argument("mk").size(120, 40);
        // Another corpus, whose votes are elsewhere.
        fs::create_dir(setup.path("other")).unwrap();
        fs::write(setup.path("other/data.json"), "[]").unwrap();
        set_mode(&setup.path("other/data.json"), 0o600);
        let setup = setup.argument("other/data.json");
        set_mode(&setup.path("taskmaster-3.json"), of_corpus);
        let setup = setup.script("umask 022; exec \"$0\" \"$@\"");
        let mut terminal = setup.start();
        terminal.shows("judged 0/").keys("o").shows("judged 1/");
        terminal.keys(SAVE).shows("saved").keys("q").ends();
        let votes = terminal.folder().join("votes");
        let logs: Vec<_> = fs::read_dir(votes).unwrap().collect();
        assert_eq!(logs.len(), 1);
        for log in logs {
            let found = mode(&log.unwrap().path());
            assert_eq!(found, wanted, "{of_corpus:o}: {found:o}");
        }
    }
}
