//! Dialogs that a line beside the corpus excludes: every command leaves them out, and the screen passes over them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::browse::Driver;
use crate::support::{project, run_in, scratch};

/// A file of the demo and its last dialog.
const FILES: [(&str, &str); 4] = [
    ("taskmaster-3.json", "dlg-demo-tm3-03"),
    ("sharegpt.json", "garden-3"),
    ("sim-r.json", "dlg-demo-simr-03"),
    ("taskmaster-1.json", "dlg-demo-tm1-03"),
];

/// Commands that read every dialog, without their file.
const COMMANDS: [&[&str]; 8] = [
    &["check"],
    &["lint", "--format", "json"],
    &["lint", "--statistics"],
    &["find", "speaker:user", "--format", "jsonl"],
    &["find", "speaker:user", "--count-by", "speaker"],
    &["show"],
    &["export", "chat", "-o", "-"],
    &["fix", "--diff", "--unsafe-fixes"],
];

/// Excluding the last dialog prints what a file without it prints, and says so; with `--with-excluded` nothing
/// is excluded.
#[test]
fn commands_leave_out_excluded_dialogs() {
    for (file, id) in FILES {
        let text = fs::read_to_string(project("assets/demo").join(file)).unwrap();
        let mut dialogs: Vec<Value> = serde_json::from_str(&text).unwrap();
        let (whole, excluded, shorter) = (scratch(), scratch(), scratch());
        let write = |folder: &Path, dialogs: &[Value]| {
            let text = serde_json::to_string_pretty(dialogs).unwrap();
            fs::write(folder.join(file), text).unwrap();
        };
        write(whole.path(), &dialogs);
        write(excluded.path(), &dialogs);
        dialogs.pop();
        write(shorter.path(), &dialogs);
        let line = format!(
            "{{\"file\":\"{file}\",\"dialog\":\"{id}\",\"excluded\":true,\"reason\":\"\"}}\n"
        );
        fs::write(excluded.path().join("turnwise.ignores.jsonl"), line).unwrap();
        for command in COMMANDS {
            let run = |folder: &Path, flags: &[&str]| {
                let (name, rest) = command.split_first().unwrap();
                let has_word = matches!(*name, "find" | "export");
                let query = if has_word { &rest[..1] } else { &[] };
                let flags = [&[*name], query, &[file], &rest[query.len()..], flags].concat();
                run_in(folder, &flags, "")
            };
            let ran = run(excluded.path(), &[]);
            let without = run(shorter.path(), &[]);
            assert_eq!(ran.out, without.out, "{command:?} {file}");
            assert_eq!(ran.code, without.code, "{command:?} {file}");
            let says = ran.err.contains("1 excluded dialog left out; --with-excluded");
            assert_eq!(says, command[0] != "fix", "{command:?} {}", ran.err);
            let all = run(whole.path(), &[]);
            let has_part = all.out != without.out || command[0] == "fix";
            assert!(has_part, "{command:?} {file}");
            assert_eq!(run(excluded.path(), &["--with-excluded"]), all, "{command:?} {file}");
        }
        let ran = run_in(excluded.path(), &["check", file, "--format", "json"], "");
        assert!(ran.out.contains("\"excluded\":1"), "{}", ran.out);
        // A query that asks for them finds them, with or without the flag.
        for flag in [&[][..], &["--with-excluded"]] {
            let find = |query: &str| {
                let arguments = [&["find", query, file, "--format", "ids"], flag].concat();
                run_in(excluded.path(), &arguments, "").out
            };
            let found = find("excluded");
            assert!(!found.is_empty() && found.lines().all(|line| line.contains(id)), "{found}");
            assert!(!find("not excluded").contains(id));
        }
        let ran = run_in(excluded.path(), &["show", file, "-d", id], "");
        assert!(ran.code == 0 && ran.out.contains(id), "{ran:?}");
    }
}

#[test]
fn the_screen_passes_over_an_excluded_dialog() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("n").shows("▲");
    driver.press("C-x").shows("reason to exclude this dialog");
    driver
        .type_text("a test call")
        .press("enter")
        .shows("recorded in turnwise.ignores.jsonl · Ctrl-X includes it again")
        .shows("⊘ excluded")
        .press("i")
        .shows("excluded  a test call");
    let id = "dlg-demo-tm3-01";
    let row = |driver: &mut Driver| {
        let screen = driver.screen();
        screen
            .lines()
            .find(|line| line.contains(id) && line.contains('│'))
            .map(str::to_owned)
            .unwrap()
    };
    assert!(row(&mut driver).contains('⊘'), "{}", driver.screen());
    // A query that asks for excluded dialogs finds them.
    driver.press("F").type_text("excluded").press("enter");
    driver.shows("Dialogs  1 of 1 · hits").shows(id).press("esc");
    driver.find("speaker:user not excluded");
    let others = driver.app.search.count();
    driver.press("esc").find("speaker:user excluded or speaker:user");
    assert!(driver.app.search.count() > others);
    driver.press("esc").find("speaker:user");
    assert_eq!(driver.app.search.count(), others);
    driver.press("n").shows("dlg-demo-tm3-02  2 of 3").shows("2 of 14");
    driver.press("esc #").type_text(id).press("enter").press("C-x").shows("no longer excluded");
    assert_eq!(driver.beside, "");
    assert!(!row(&mut driver).contains('⊘'));
}
