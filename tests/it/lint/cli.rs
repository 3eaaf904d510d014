//! `turnwise lint`, `fix` and `rules`: files in, problems and repaired files out.

use std::fs;

use turnwise::lint::RULES;

use crate::support::{project, run, run_in};

#[test]
fn rules_are_listed_and_explained() {
    let list = run(&["rules"]).out;
    for rule in RULES {
        assert!(list.contains(rule.name));
        let page = run(&["rules", rule.name]);
        assert!(page.code == 0 && page.out.contains(rule.summary()), "{rule:?}");
    }
    assert_eq!(run(&["rules", "no-such-rule"]).code, 2);
}

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
