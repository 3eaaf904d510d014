//! Files beside corpora and of the user's own: whatever is in their place, nothing hangs, nothing grows,
//! and the reason is reported.

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

/// The file in another folder, to which links of a hostile one lead.
const OUTSIDE: &str = "export SAFE=1\n";
const QUESTION: &str = "--scheme success --question verdict --run r --jobs 1";
const ANSWER: &str = r#"echo '{"value":"fail","note":"see"}'"#;

/// A folder with a corpus of one dialog in `in`, and one that it must not reach in `out`.
fn two_folders() -> TempDir {
    let folder = scratch();
    for name in ["in", "out"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("out/rc"), OUTSIDE).unwrap();
    let turn = |index, speaker, text: &str| {
        format!(r#"{{"index":{index},"speaker":"{speaker}","text":"{text}"}}"#)
    };
    let dialog = |text: &str| {
        let turns = [turn(0, "USER", text), turn(1, "ASSISTANT", "I booked it")];
        format!("{{\"conversation_id\":\"d0\",\"utterances\":[{}]}}\n", turns.join(","))
    };
    for (name, text) in [("a", "a table"), ("b", "two tables"), ("c", "no table")] {
        fs::write(folder.path().join(format!("in/{name}.jsonl")), dialog(text)).unwrap();
    }
    folder
}

/// Puts something in the place of a side file or its folder; returns a part of the message about it.
fn put_in(folder: &Path, kind: &str, place: &str) -> &'static str {
    let path = folder.join("in").join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let above = if place.contains('/') { "../../out" } else { "../out" };
    match kind {
        "link to a file" => symlink(format!("{above}/rc"), path).unwrap(),
        "link to a folder" => symlink(above, path).unwrap(),
        "link to nothing" => symlink(format!("{above}/new"), path).unwrap(),
        "text" => fs::write(path, OUTSIDE).unwrap(),
        kind => put(kind, &path),
    }
    match kind {
        "link to a file" | "link to a folder" => "outside the folder of the corpus",
        "link to nothing" => "No such file",
        _ => "",
    }
}

/// True if nothing has reached the other folder.
fn is_untouched(folder: &Path) -> bool {
    let entries = fs::read_dir(folder.join("out")).unwrap().count();
    entries == 1 && fs::read_to_string(folder.join("out/rc")).unwrap() == OUTSIDE
}

/// Side files are written in the folder of the corpus, whatever a link in their place leads to, and other files are not
/// added to.
#[test]
fn side_files_never_leave_the_folder_of_the_corpus() {
    let suggest = format!("suggest a.jsonl {QUESTION}");
    let assign = "assign a.jsonl --to mk --per 1";
    let merge = "merge a.jsonl b.jsonl c.jsonl -o b.jsonl";
    let writers = [
        (suggest.as_str(), "judgements"),
        (&suggest, "judgements/r.jsonl"),
        (assign, "assignments"),
        (assign, "assignments/mk.jsonl"),
        (merge, "b.jsonl.conflicts.jsonl"),
    ];
    let kinds =
        ["link to a file", "link to a folder", "link to nothing", "loop", "pipe", "device", "text"];
    for (command, place) in writers {
        for kind in kinds {
            let folder = two_folders();
            let why = put_in(folder.path(), kind, place);
            let mut arguments: Vec<&str> = command.split(' ').collect();
            if command == suggest {
                arguments.extend(["--with", ANSWER]);
            }
            let ran = run_in(&folder.path().join("in"), &arguments);
            let case = format!("{command}, {kind} at {place}: {ran:?}");
            assert!(is_untouched(folder.path()), "{case}");
            // A pipe or a device in the place of a whole list makes way for it.
            let makes_way = command == merge && ["pipe", "text"].contains(&kind);
            let is_reported = ran.code == 2 && ran.err.contains(why) && ran.err.contains(place);
            assert!(is_reported || makes_way && ran.code == 1, "{case}");
        }
    }
    for (place, leads_to) in [("judgements", ""), ("judgements/r.jsonl", "r.jsonl")] {
        let folder = two_folders();
        let line = "{\"file\":\"a.jsonl\",\"dialog\":\"d0\",\"by\":\"model:r\",\"run\":\"r\",\"note\":\"x\"}\n";
        let run = folder.path().join("out/r.jsonl");
        fs::write(&run, line).unwrap();
        let path = folder.path().join("in").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(folder.path().join("out").join(leads_to), &path).unwrap();
        let ran = run_in(&folder.path().join("in"), &["suggest", "a.jsonl", "--remove-run", "r"]);
        assert!(ran.code == 2 && ran.err.contains("outside the folder"), "{ran:?}");
        assert_eq!(fs::read_to_string(run).unwrap(), line);
    }
}
