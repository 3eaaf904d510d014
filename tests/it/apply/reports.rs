//! Reports of records that fit nowhere, and of files that no record is for.

use std::fs;

use super::FIX;
use turnwise::dialog::Edit;

use crate::support::{CORPUS, project, run_in, scratch};

#[test]
fn help_lists_every_kind_of_edit_with_its_fields() {
    let help = run_in(&project("."), &["apply", "--help"], "").out;
    for kind in Edit::FIELDS {
        let line = help.lines().find(|line| line.trim_start().starts_with(kind.kind));
        let line = line.unwrap_or_else(|| panic!("{}: {help}", kind.kind));
        let fields: Vec<_> = line.split([' ', ',']).filter(|f| !f.is_empty()).skip(1).collect();
        let optional = kind.optional.iter().map(|name| format!("[{name}]"));
        let required = kind.required.iter().map(|name| (*name).to_owned());
        assert_eq!(fields, required.chain(optional).collect::<Vec<_>>(), "{}", kind.kind);
    }
}

/// A file's name may contain anything.
#[cfg(unix)]
#[test]
fn names_cannot_speak_to_the_terminal() {
    let folder = scratch();
    let name = "a\u{1b}[31m\u{202e}\n\"b\\é.json";
    fs::write(folder.path().join(name), CORPUS).unwrap();
    let plain = |text: &str| {
        let odd = |c: &char| *c != '\n' && c.is_control() || *c == '\u{202e}';
        text.chars().find(odd).is_none() && !text.lines().any(|line| line.starts_with('"'))
    };
    let nowhere = FIX.replace("dlg-a", "dlg-\\u202e");
    let several = FIX.replace("\"dlg-a\"", "0");
    let broken = format!("{CORPUS}]");
    for (more, records, code) in [
        (vec![name], &nowhere, 1),
        (vec![name, "--dry-run"], &FIX.to_owned(), 0),
        (vec![name, "--diff"], &FIX.to_owned(), 0),
        (vec![name, "c\n\"c.json"], &several, 1),
        (vec![name, "d\n\"d.json"], &several, 2),
        (vec!["e\u{1b}\n\"e.json"], &several, 2),
        (vec![name], &FIX.to_owned(), 0),
    ] {
        fs::write(folder.path().join("c\n\"c.json"), CORPUS).unwrap();
        fs::write(folder.path().join("d\n\"d.json"), &broken).unwrap();
        let mut arguments = vec!["apply", "-"];
        arguments.extend(&more);
        let ran = run_in(folder.path(), &arguments, records);
        assert_eq!(ran.code, code, "{more:?}: {ran:?}");
        assert!(plain(&ran.out) && plain(&ran.err), "{more:?}: {ran:?}");
    }
    for command in ["check", "show"] {
        for name in [name, "d\n\"d.json", "e\u{1b}\n\"e.json"] {
            let ran = run_in(folder.path(), &[command, name], "");
            assert!(plain(&ran.out) && plain(&ran.err), "{command}: {ran:?}");
        }
    }
    let back = FIX.replace("17", "16");
    let ran = run_in(folder.path(), &["apply", "-", name, "--diff"], &back);
    fs::write(folder.path().join("fix.patch"), &ran.out).unwrap();
    let patched = std::process::Command::new("git")
        .args(["apply", "-p0", "--unsafe-paths", "fix.patch"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(patched.success(), "{}", ran.out);
    assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), CORPUS);
}
