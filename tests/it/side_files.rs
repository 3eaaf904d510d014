//! Files beside corpora and of the user's own: whatever is in their place, nothing hangs, nothing grows,
//! and the reason is reported. `tests/cases/cli/beside.md` shows that they never leave their folder.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::support::{CORPUS, DEADLINE, Ran, TempDir, project, scratch};

/// Things in the place of a file, and the report of each.
const ODD: [(&str, &str); 6] = [
    ("pipe", "this is a pipe, not a regular file"),
    ("socket", "this is a socket, not a regular file"),
    ("device", "this is a device, not a regular file"),
    ("folder", "this is a folder, not a regular file"),
    ("loop", "Too many levels of symbolic links"),
    ("large", "it is larger than"),
];

/// Puts something of a kind at `path`.
fn put(kind: &str, path: &Path) {
    let _ = fs::remove_dir(path);
    let _ = fs::remove_file(path);
    match kind {
        "pipe" => make_pipe(path),
        "socket" => drop(UnixListener::bind(path).unwrap()),
        "device" => symlink("/dev/zero", path).unwrap(),
        "folder" => fs::create_dir(path).unwrap(),
        "loop" => symlink(path.file_name().unwrap(), path).unwrap(),
        _ => File::create(path).unwrap().set_len(2 << 30).unwrap(),
    }
}

pub fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// Runs the program in `folder`, which is the user's home too, in little memory. It ends in time.
fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::yield_now();
    }
    child.wait_with_output().unwrap().into()
}

fn corpus() -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("data.json"), CORPUS).unwrap();
    folder
}

/// Runs the program with each kind of thing at `place` beside a corpus and `others`; it must name each.
fn refused_at(place: &str, others: &[(&str, &str)], arguments: &[&str]) {
    for (kind, why) in ODD {
        let folder = corpus();
        for (name, text) in others {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let path = folder.path().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        put(kind, &path);
        let ran = run_in(folder.path(), arguments);
        let told = format!("{}{}", ran.out, ran.err);
        let name = path.file_name().unwrap().to_str().unwrap();
        let said = told.lines().any(|line| line.contains(name) && line.contains(why));
        assert!(said && ran.code != -1, "{place}, {kind}: {ran:?}");
    }
}

#[test]
fn side_files_and_settings_must_be_small_regular_files() {
    let log = fs::read_to_string(project("assets/demo/dbdc/demo_001.log.json")).unwrap();
    let log = [("demo_001.log.json", &*log)];
    let named = [("turnwise.toml", "[lint]\nontology = \"names.json\"\n")];
    for (place, others, arguments) in [
        ("turnwise.toml", &[][..], &["lint", "data.json"][..]),
        ("turnwise.ignores.jsonl", &[], &["lint", "data.json"]),
        ("names.toml", &[], &["lint", "data.json", "--ontology", "names.toml"]),
        ("names.json", &named, &["lint", "data.json"]),
        ("names.json", &named, &["fix", "data.json"]),
        ("ontology.json", &[], &["lint", "data.json"]),
        ("ontology/names.json", &[], &["lint", "data.json"]),
        ("demo_001.log.context", &log, &["show", "demo_001.log.json"]),
        ("demo_001.labels.json", &log, &["show", "demo_001.log.json"]),
        ("edits", &[], &["apply", "edits", "data.json"]),
        ("config/turnwise/settings.toml", &[], &["config"]),
        ("config/turnwise/keys.toml", &[], &["keys"]),
        ("config/turnwise/keymaps/own.toml", &[], &["keys", "--keymap", "own"]),
    ] {
        refused_at(place, others, arguments);
    }
    for (kind, _) in ODD {
        let folder = corpus();
        let config = folder.path().join("config/turnwise");
        fs::create_dir_all(config.join("themes")).unwrap();
        fs::write(config.join("settings.toml"), "theme = \"own\"\n").unwrap();
        put(kind, &config.join("themes/own.toml"));
        let state = folder.path().join("state/turnwise");
        fs::create_dir_all(&state).unwrap();
        put(kind, &state.join("annotator"));
        let ran = run_in(folder.path(), &["config"]);
        assert!(ran.code >= 0, "{kind}: {ran:?}");
    }
}

/// Such a lock says nothing.
#[test]
fn a_lock_must_be_a_regular_file_to_be_waited_for() {
    let folder = scratch();
    fs::copy(project("assets/demo/taskmaster-1.json"), folder.path().join("data.json")).unwrap();
    let journals = folder.path().join("state/turnwise/journals");
    fs::create_dir_all(&journals).unwrap();
    let path = folder.path().canonicalize().unwrap().join("data.json");
    let hash = twox_hash::XxHash3_128::oneshot(path.as_os_str().as_encoded_bytes());
    make_pipe(&journals.join(format!("{hash:032x}.lock")));
    let ran = run_in(folder.path(), &["fix", "data.json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
}
