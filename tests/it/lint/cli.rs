//! The output of `turnwise lint` in the manual.

use std::fs;

use crate::support::{project, run_in};

#[test]
fn examples_in_the_manual_match_the_output() {
    let manual = fs::read_to_string(project("assets/manual/lint.md")).unwrap();
    let ran = run_in(
        &project("."),
        &["lint", "assets/demo/taskmaster-3.json", "--select", "span-edge-punctuation"],
        "",
    );
    for line in ran.out.lines() {
        assert!(manual.contains(line), "{line}");
    }
}
