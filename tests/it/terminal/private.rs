//! Only the user can read what the program writes, and files of others stay theirs.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use rustix::process::geteuid;
use walkdir::WalkDir;

use super::repair::{DEMO, SAVE};
use super::setup::Setup;
use crate::support::project;

const QUESTION: &str = "[[question]]\nname = \"polite\"\nof = \"turn\"\nkind = \"yes-no\"\n";

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o777
}

#[test]
fn state_is_closed_to_others_whatever_the_mask_and_whatever_was_there() {
    let setup = Setup::demo("dbdc/demo_001.log.json").size(120, 40);
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
    let mut terminal = terminal.killed_after(3).again();
    terminal.shows("left 1 unsaved edit").keys("f");
    terminal.shows("exported to").keys("o").shows("judged 1/");
    terminal.keys(SAVE).shows("saved").keys("q").ends();
    // Nobody else gets into the folder, whatever was in it; what the program writes is for this user alone, too.
    let state = terminal.folder().join(".state/turnwise");
    assert_eq!(mode(&state), 0o700);
    let mut files = Vec::new();
    for entry in WalkDir::new(&state).min_depth(1) {
        let entry = entry.unwrap();
        let wanted = if entry.file_type().is_dir() { 0o700 } else { 0o600 };
        let path = entry.path();
        let was_there = path.ends_with("journals") || path.file_stem().unwrap() == "old";
        assert!(was_there || mode(path) == wanted, "{}: {:o}", path.display(), mode(path));
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
    terminal.shows("  1 of 3").keys("3gl]").shows("●1 unsaved").keys(SAVE);
    terminal.shows("not saved: the owner (user 0) and group (0) cannot be kept");
    terminal.keys("n").shows_not("cannot be kept").shows("●1 unsaved");
    assert!(fs::read(&file).unwrap() == before);
    terminal.keys(SAVE).shows("cannot be kept").keys("y");
    terminal.shows("saved taskmaster-1.json: 2 lines changed");
    let now = file.metadata().unwrap();
    assert_eq!((now.uid(), now.gid(), now.mode() & 0o777), (65534, 65534, 0o666));
    // It is this user's now.
    terminal.keys("u").shows("●1 unsaved").keys(SAVE).shows_not("unsaved");
    assert!(fs::read(&file).unwrap() == before);
}

/// A log of votes has the texts of its dialog.
#[test]
fn votes_on_a_private_corpus_are_as_private() {
    for (of_corpus, wanted) in [(0o600, 0o600), (0o640, 0o640), (0o400, 0o600), (0o666, 0o644)] {
        let setup = Setup::demo("taskmaster-3.json").annotator("mk").size(120, 40);
        // Another corpus, whose votes are elsewhere.
        let setup = setup.file("other/data.json", "[]").argument("other/data.json");
        set_mode(&setup.path("other/data.json"), 0o600);
        set_mode(&setup.path("taskmaster-3.json"), of_corpus);
        let mut terminal = setup.script("umask 022; exec \"$0\" \"$@\"").start();
        terminal.shows("judged 0/").keys("o").shows("judged 1/");
        terminal.keys(SAVE).shows("saved").keys("q").ends();
        let mut logs = fs::read_dir(terminal.folder().join("votes")).unwrap();
        let found = mode(&logs.next().unwrap().unwrap().path());
        assert_eq!(found, wanted, "{of_corpus:o}: {found:o}");
        assert!(logs.next().is_none());
    }
}

/// A folder from somebody else may have links in it.
#[test]
fn no_key_writes_through_a_link_that_leaves_the_folder() {
    for (place, to, keys, says) in [
        ("judgements", "../out", "y", "`judgements` is a link to ../out"),
        ("judgements/mk.jsonl", "../../out/rc", "y", "is a link to ../../out/rc"),
        ("judgements/mk.jsonl", "../../out/new", "y", "cannot be followed"),
        ("votes", "../out", "o", "`votes` is a link to ../out"),
        ("turnwise.ignores.jsonl", "../out/new", "\x18\r", "cannot be followed"),
    ] {
        let demo = fs::read(project("assets/demo").join(DEMO)).unwrap();
        let mut setup = Setup::new().size(120, 40).file("in/a.json", demo);
        setup = setup.file("out/rc", "export SAFE=1\n");
        if keys == "y" {
            setup = setup.file("in/judging.toml", QUESTION);
        }
        let path = setup.path("in").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, &path).unwrap();
        let mut terminal = setup.argument("in/a.json").annotator("mk").start();
        terminal.shows("of 3").keys(keys).shows(says);
        terminal.keys(SAVE).shows("no unsaved changes").keys("q").ends();
        let out = terminal.folder().join("out");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "{place}");
        assert_eq!(fs::read_to_string(out.join("rc")).unwrap(), "export SAFE=1\n", "{place}");
    }
}

/// The texts and the reasons in the lists beside a corpus are those of the corpus.
#[test]
fn answers_and_reasons_are_as_private_as_their_corpus() {
    let setup = Setup::demo(DEMO).annotator("mk").size(120, 40).file("judging.toml", QUESTION);
    set_mode(&setup.path(DEMO), 0o600);
    // A file that was wider before.
    let setup = setup.file("judgements/mk.jsonl", "");
    set_mode(&setup.path("judgements/mk.jsonl"), 0o644);
    let mut terminal = setup.script("umask 022; exec \"$0\" \"$@\"").start();
    terminal.shows("of 3").keys("y").shows("unsaved").keys(SAVE).shows("saved judgements/mk.jsonl");
    terminal.keys("\x18").shows("reason to exclude").keys("no\r").shows_not("reason to exclude");
    terminal.keys("q").ends();
    for name in ["judgements/mk.jsonl", "turnwise.ignores.jsonl"] {
        let found = mode(&terminal.folder().join(name));
        assert_eq!(found, 0o600, "{name}: {found:o}");
    }
}

#[test]
fn a_description_that_cannot_be_used_is_left_out() {
    let setup = Setup::demo(DEMO).size(120, 40).file("formats/x.toml", "name = ");
    let mut terminal = setup.start();
    terminal.shows("1 of 3").shows("formats/x.toml:1:");
}
