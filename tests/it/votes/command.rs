//! `turnwise votes`: logs in, tables and figures out.

use std::fs;

use crate::support::{project, run_in, scratch};

/// The sample of the manual, printed by the program itself for the logs of the demo.
#[test]
fn examples_in_the_manual_match_the_output() {
    let folder = scratch();
    fs::create_dir(folder.path().join("logs")).unwrap();
    for entry in fs::read_dir(project("assets/demo/dbdc")).unwrap() {
        let path = entry.unwrap().path();
        let to = folder.path().join("logs").join(path.file_name().unwrap());
        fs::copy(&path, to).unwrap();
    }
    let manual = fs::read_to_string(project("assets/manual/votes.md")).unwrap();
    let mut samples = 0;
    for block in manual.split("```\n$ turnwise ").skip(1) {
        let (command, rest) = block.split_once('\n').unwrap();
        let (shown, _) = rest.split_once("\n```").unwrap();
        let arguments: Vec<_> = command.split(' ').collect();
        if arguments[..2] == ["votes", "logs/"] {
            let ran = run_in(folder.path(), &arguments, "");
            // One of the demo's votes is odd on purpose, which is reported.
            assert!(
                ran.code == 1
                    && ran.err.contains("by an annotator who had already voted on that turn"),
                "{ran:?}"
            );
            assert_eq!(ran.out.trim_end(), shown, "{command}");
            samples += 1;
        }
    }
    assert_eq!(samples, 1);
}
