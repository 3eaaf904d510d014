//! Input that cannot be read: every command names the file, the line and the column where they are
//! known, and exits with 2, as `check` does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::support::{Ran, TempDir, amount, run_in, scratch};

/// The input of some commands.
struct Family {
    /// A dialog that can be read, on one line.
    good: fn(&str) -> String,
    /// The commands that read it.
    readers: &'static [&'static str],
}

const FAMILIES: [Family; 2] = [
    Family {
        good: |id| {
            format!(
                r#"{{"conversation_id":"{id}","vertical":"v","utterances":[{{"index":0,"speaker":"user","text":"Hi there"}}]}}"#
            )
        },
        readers: OF_DIALOGS,
    },
    Family {
        good: |id| {
            format!(
                r#"{{"dialogue-id":"{id}","turns":[{{"turn-index":0,"speaker":"S","utterance":"Hi","annotations":[{{"annotator-id":"a","breakdown":"O","comment":"","ungrammatical-sentence":""}}]}}]}}"#
            )
        },
        readers: OF_LOGS,
    },
];

/// Command lines with `PATHS` in them.
const OF_DIALOGS: &[&str] = &[
    "check PATHS",
    "lint PATHS",
    // The rule that finds broken JSON is not among these.
    "lint PATHS --select span",
    "lint PATHS --format json",
    "lint PATHS --format jsonl",
    "lint PATHS --format github",
    "lint PATHS --format sarif",
    "lint PATHS --statistics",
    "fix PATHS",
    "fix PATHS --dry-run",
    "fix PATHS --diff",
    "apply - good.json PATHS",
    "apply - good.json PATHS --dry-run",
    "apply - good.json PATHS --diff",
    "apply - good.json PATHS --output out",
    "show PATHS",
    "PATHS",
];

const OF_LOGS: &[&str] = &[
    "check PATHS",
    "lint PATHS",
    "fix PATHS",
    "show PATHS",
    "votes PATHS",
    "votes PATHS --format json",
    "votes PATHS --format csv",
    "votes PATHS --by file",
    "votes PATHS --by dialog",
    "votes PATHS --by annotator",
    "votes PATHS --by system",
    "votes PATHS --by position",
    "votes PATHS --confusion a b",
    "score PATHS labels.json",
    "score good.json PATHS",
    "export labels PATHS --annotator crowd -o out",
];

/// Files that cannot be read, or not in whole: their names and their bytes.
fn contents(family: &Family) -> Vec<(&'static str, Vec<u8>)> {
    let (first, last) = ((family.good)("first"), (family.good)("last"));
    // With a comma too much, on which no bracket depends.
    let broken = (family.good)("broken").replacen("\",\"", "\",,\"", 1);
    let text = |text: String| text.into_bytes();
    let latin = (family.good)("latin").replace("Hi", "Hé");
    let latin: Vec<u8> = latin.chars().map(|char| char as u8).collect();
    vec![
        ("empty.json", Vec::new()),
        ("blank.json", b" \n\t\n".to_vec()),
        ("text.json", b"This is prose, not JSON.\n".to_vec()),
        ("cut.json", text(format!("[{first},\n{}", &last[..last.len() / 2]))),
        ("cut-one.json", text(last[..last.len() / 2].to_owned())),
        ("deep.json", b"[".repeat(100_000)),
        ("deep-in-a-dialog.json", text(format!("[{first},\n{{\"x\":{}}}]", "[".repeat(100_000)))),
        ("utf16.json", first.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("number.json", b"17\n".to_vec()),
        ("unknown.json", b"[\n  {\"name\": \"turnwise\"}\n]\n".to_vec()),
        ("lines.jsonl", text([&*first, &broken, &last].join("\n"))),
        ("first-line.jsonl", text([&*broken, &first, &last].join("\n"))),
        ("array.json", text(format!("[{first},\n{broken},\n{last}]"))),
        ("single.json", text(broken.clone())),
        ("latin-1.json", [b"[", &*latin, b",\n", first.as_bytes(), b"]"].concat()),
        ("beside.json", text(format!("{{\"note\": [1,,2],\n\"dialogs\": [{first}]}}"))),
    ]
}

/// A folder with the other files that the command lines name.
fn folder(family: &Family) -> TempDir {
    let folder = scratch();
    let good = (family.good)("good");
    for name in ["good.json", "copy.json"] {
        fs::write(folder.path().join(name), &good).unwrap();
    }
    let labels = r#"{"dialogue-id":"good","turns":[{"turn-index":0,"labels":[{"breakdown":"O","prob-O":1.0,"prob-T":0.0,"prob-X":0.0}]}]}"#;
    fs::write(folder.path().join("labels.json"), labels).unwrap();
    folder
}

/// Something that cannot be read.
struct Unreadable {
    file: String,
    /// Line and column as text for people has them.
    place: String,
    why: String,
    dialog: Option<u64>,
}

/// The parts that `check` reports as unreadable.
fn unreadable(folder: &Path, paths: &[&str]) -> Vec<Unreadable> {
    let check = [&["check", "--format", "json"], paths].concat();
    let ran = run_in(folder, &check, "");
    assert_eq!(ran.code, 2, "{paths:?}: {ran:?}");
    let reports: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let issues = reports.iter().flat_map(|report| report["issues"].as_array().unwrap());
    let counts = |issue: &&Value| {
        let rule = issue["rule"].as_str().unwrap();
        ["unreadable", "syntax", "unknown"].contains(&rule)
    };
    let read = |issue: &Value| {
        let text = |name: &str| issue[name].as_str().unwrap().to_owned();
        Unreadable {
            file: text("file"),
            place: match (&issue["line"], &issue["column"]) {
                (Value::Null, Value::Null) => String::new(),
                (line, column) => format!("{line}:{column}:"),
            },
            why: text("message"),
            dialog: issue["dialog"].as_u64(),
        }
    };
    let all: Vec<_> = issues.filter(counts).map(read).collect();
    assert!(!all.is_empty(), "{paths:?}: {ran:?}");
    all
}

/// Runs a command line. `apply` gets a record that fits, and one for each unreadable dialog: it reads no
/// dialog without a record.
fn run(folder: &Path, reader: &str, paths: &[&str], bad: &[Unreadable]) -> Ran {
    let arguments = reader.split(' ').flat_map(|word| match word {
        "PATHS" => paths.to_vec(),
        other => vec![other],
    });
    let arguments: Vec<_> = arguments.collect();
    let set = |dialog: Value, file: Option<&str>| {
        let record = json!({"edit": "set_text", "turn": 0, "text": "Hi, there"});
        let mut record = record.as_object().unwrap().clone();
        record.extend(file.map(|file| ("file".to_owned(), file.into())));
        record.insert("dialog".to_owned(), dialog);
        Value::from(record).to_string()
    };
    let mut records = vec![set("good".into(), Some("good.json"))];
    let dialogs = bad.iter().filter_map(|bad| Some((bad, bad.dialog?)));
    records.extend(dialogs.map(|(bad, dialog)| set(dialog.into(), Some(&bad.file))));
    run_in(folder, &arguments, &records.join("\n"))
}

/// The names of all files and folders in a folder.
fn names(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap);
    entries.map(|entry| entry.path().strip_prefix(folder).unwrap().to_owned()).collect()
}

/// Many commands on `paths`: other ones for the next.
fn many_commands(family: &Family, make: impl Fn(&Path), paths: &[&str]) {
    let standard = folder(family);
    make(standard.path());
    let bad = unreadable(standard.path(), paths);
    let step = amount(6, 1);
    let first = paths.concat().len() % step;
    for reader in family.readers.iter().skip(first).step_by(step) {
        let several = paths.len() > 1;
        if several && reader.starts_with("score") {
            continue;
        }
        let folder = folder(family);
        make(folder.path());
        let ran = run(folder.path(), reader, paths, &bad);
        let what = format!("{reader} {paths:?}");
        assert_eq!(ran.code, 2, "{what}: {ran:?}");
        for Unreadable { file, place, why, .. } in &bad {
            let stderr = ran.err.lines().any(|line| {
                line.starts_with(&format!("turnwise: {file}:{place}")) && line.contains(why)
            });
            // `check` and `lint` report syntax errors together with their other findings.
            let text = ran.out.contains(&format!("{file}:{place}")) && ran.out.contains(why);
            let machine = reader.contains("--format") && ran.out.contains(file);
            assert!(stderr || text || machine, "{what}, {place} {why}: {ran:?}");
        }
        let raw = |char: char| char.is_control() && char != '\n';
        assert!(!ran.err.contains(raw), "{what}: {ran:?}");
        for path in paths.iter().filter(|path| standard.path().join(path).is_file()) {
            let [before, after] = [&standard, &folder].map(|of| fs::read(of.path().join(path)));
            assert!(before.unwrap() == after.unwrap(), "{what} writes into {path}");
        }
        // It copies the files that it can read.
        if !reader.ends_with("--output out") {
            assert_eq!(names(standard.path()), names(folder.path()), "{what}");
        }
    }
}

#[test]
fn bytes_without_dialogs_are_reported_by_many_commands() {
    for family in &FAMILIES {
        for (name, bytes) in contents(family) {
            let make = |folder: &Path| fs::write(folder.join(name), &bytes).unwrap();
            many_commands(family, make, &[name]);
        }
    }
}

#[test]
fn one_bad_file_of_two_is_reported_by_many_commands() {
    for family in &FAMILIES {
        let mut contents = contents(family);
        contents.retain(|(name, _)| ["cut.json", "unknown.json", "array.json"].contains(name));
        for (name, bytes) in contents {
            let make = |folder: &Path| {
                fs::create_dir(folder.join("both")).unwrap();
                fs::write(folder.join("both").join(name), &bytes).unwrap();
                let other = (family.good)("other");
                fs::write(folder.join("both/other.json"), other).unwrap();
            };
            many_commands(family, make, &["both"]);
            let paths = [&format!("both/{name}"), "both/other.json"];
            many_commands(family, make, &paths);
        }
    }
}

#[cfg(unix)]
#[test]
fn paths_that_lead_to_no_file_are_reported_by_many_commands() {
    use std::os::unix::fs::symlink;
    let make = |folder: &Path| {
        fs::create_dir(folder.join("none")).unwrap();
        fs::create_dir(folder.join("odd")).unwrap();
        symlink("nowhere.json", folder.join("dangling.json")).unwrap();
        symlink("loop.json", folder.join("loop.json")).unwrap();
        symlink("loop.json", folder.join("odd/loop.json")).unwrap();
        symlink("/dev/zero", folder.join("odd/zero.json")).unwrap();
        for pipe in ["pipe.json", "odd/pipe.json"] {
            let made = std::process::Command::new("mkfifo").arg(folder.join(pipe)).status();
            assert!(made.unwrap().success());
        }
    };
    for family in &FAMILIES {
        for path in [
            "missing.json",
            "missing/",
            "good.json/x.json",
            "none",
            "dangling.json",
            "loop.json",
            "pipe.json",
            "/dev/null",
            "odd",
        ] {
            many_commands(family, make, &[path]);
        }
    }
}

/// A link that leads up again is not followed for ever.
#[cfg(unix)]
#[test]
fn a_loop_of_folders_is_read_once() {
    let make = |folder: &Path| {
        fs::create_dir(folder.join("ring")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("ring/up")).unwrap();
        fs::copy(folder.join("good.json"), folder.join("ring/good.json")).unwrap();
    };
    for family in &FAMILIES {
        for reader in family.readers.iter().filter(|reader| !reader.contains("labels")) {
            let folder = folder(family);
            make(folder.path());
            let ran = run(folder.path(), reader, &["ring"], &[]);
            let paths = reader.starts_with("apply") || *reader == "score good.json PATHS";
            assert!(ran.code < 2 || paths, "{reader}: {ran:?}");
        }
    }
}

/// If the tests run as root, this runs the program as the user `nobody`.
#[cfg(target_os = "linux")]
#[test]
fn files_that_one_may_not_read_are_reported_by_many_commands() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;
    const NOBODY: u32 = 65534;
    let program = env!("CARGO_BIN_EXE_turnwise");
    let run = |folder: &Path, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder);
        // To root nothing is closed.
        if fs::read(folder.join("open/secret.json")).is_ok() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output()
    };
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let readers = FAMILIES
        .iter()
        .flat_map(|family| family.readers.iter().map(move |reader| (family, reader)));
    for (family, reader) in readers {
        let folder = folder(family);
        let path = |name: &str| folder.path().join(name);
        mode(folder.path(), 0o777);
        fs::create_dir(path("closed")).unwrap();
        fs::create_dir(path("open")).unwrap();
        for name in ["open/secret.json", "closed/x.json"] {
            fs::write(path(name), (family.good)("x")).unwrap();
        }
        mode(&path("open/secret.json"), 0);
        mode(&path("closed"), 0);
        for (given, named) in [
            ("open", "open/secret.json"),
            ("open/secret.json", "open/secret.json"),
            ("closed", "closed"),
            ("closed/x.json", "closed/x.json"),
            (".", "./closed"),
        ] {
            let line = reader.replace("PATHS", given);
            let arguments: Vec<_> = line.split(' ').collect();
            let Ok(ran) = run(folder.path(), &arguments) else {
                eprintln!("SKIPPED: the program cannot be run as nobody");
                return;
            };
            let all = [ran.stdout.clone(), ran.stderr.clone()].concat();
            let all = String::from_utf8(all).unwrap();
            assert_eq!(ran.status.code(), Some(2), "{line}: {all}");
            assert!(all.contains(named), "{line}: {all}");
            assert!(all.contains("ermission denied"), "{line}: {all}");
        }
        mode(&path("closed"), 0o777);
    }
}
