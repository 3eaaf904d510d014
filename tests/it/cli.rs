//! The command line as its users know it: arguments in, text and exit codes out.

use std::fs;

use crate::support::{CORPUS, project, run, run_in, scratch};

#[test]
fn every_subcommand_has_help_with_an_example() {
    for command in [
        "check",
        "show",
        "votes",
        "score",
        "apply",
        "export",
        "schema",
        "formats",
        "completions",
        "man",
        "help",
    ] {
        let ran = run(&[command, "--help"]);
        assert_eq!(ran.code, 0, "{command}");
        assert!(ran.out.contains(&format!("turnwise {command}")), "{command}: {}", ran.out);
        assert!(ran.out.contains("Example"), "{command}: {}", ran.out);
    }
}

#[test]
fn a_mistyped_command_is_recognised() {
    for (arguments, near) in [
        (&["chek", "corpus.json"][..], "check"),
        (&["vote"], "votes"),
        (&["lnit", "--format", "json", "corpus.json"], "lint"),
    ] {
        let ran = run(arguments);
        let wanted = format!("or command {:?}; did you mean `turnwise {near}`?\n", arguments[0]);
        assert!(ran.code == 2 && ran.err.contains(&wanted), "{}", ran.err);
    }
    // A file is not a command, whatever its name; nor is a name unlike any.
    let folder = scratch();
    fs::write(folder.path().join("vote"), CORPUS).unwrap();
    assert_eq!(run_in(folder.path(), &["vote"], "").code, 0);
    let ran = run_in(folder.path(), &["corpora"], "");
    assert!(ran.code == 2 && ran.err.contains("corpora: cannot be opened"), "{}", ran.err);
}

#[test]
fn without_arguments_and_terminal_the_way_to_help_is_shown() {
    for arguments in [&[][..], &["--annotator", "mk"]] {
        let ran = run(arguments);
        assert!(ran.code == 2 && ran.out.is_empty(), "{}", ran.out);
        assert!(
            ran.err.contains("`turnwise --help`") && ran.err.lines().count() < 4,
            "{}",
            ran.err
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for argument in ["--help", "--version"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let program = env!("CARGO_BIN_EXE_turnwise");
        let ran = std::process::Command::new(program).arg(argument).stdout(full).output();
        let ran = ran.unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(2) && err.contains("No space left"), "{err}");
    }
}

#[test]
fn large_things_are_read() {
    let turn = |i: usize| format!("{{\"index\": {i}, \"speaker\": \"user\", \"text\": \"t\"}}");
    let turns: Vec<_> = (0..10_000).map(turn).collect();
    let many = format!("[{{\"conversation_id\": \"a\", \"utterances\": [{}]}}]", turns.join(","));
    let long = format!(
        "[{{\"conversation_id\": \"a\", \"utterances\": [{{\"index\": 0, \"speaker\": \"u\", \"text\": \"{}\"}}]}}]",
        "word ".repeat(200_000)
    );
    let deep = format!(
        "[{{\"conversation_id\": \"a\", \"utterances\": [], \"deep\": {}{}}}]",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for text in [many, long, deep] {
        for command in ["check", "show"] {
            let ran = run_in(&project("."), &[command, "-"], &text);
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
    }
}

#[test]
fn no_line_of_a_shown_dialog_is_too_long_or_ends_in_spaces() {
    for file in ["taskmaster-1.json", "taskmaster-3.json", "taskmaster-4.json", "sim-m.json"] {
        let path = project("assets/demo").join(file);
        for columns in [76, 80, 100] {
            let ran = run(&["show", path.to_str().unwrap(), "--width", &columns.to_string()]);
            for line in ran.out.lines() {
                assert!(turnwise::text::width(line) <= columns, "{file} {columns}: {line}");
                assert_eq!(line.trim_end(), line);
            }
        }
    }
}
