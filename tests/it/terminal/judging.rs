//! Judging in a terminal: a whole log blind, undone, left, gone on with, saved.

use std::fs;

use serde_json::Value;

use super::setup::Setup;
use crate::support::project;

const LOG: &str = "dbdc/demo_001.log.json";

/// Votes of `annotator` in a log.
fn own(text: &str, annotator: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(text).unwrap();
    let turns = log["turns"].as_array().unwrap();
    let votes = turns
        .iter()
        .flat_map(|turn| turn["annotations"].as_array().unwrap());
    let own = votes.filter(|vote| vote["annotator-id"] == annotator);
    own.map(|vote| vote["breakdown"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_log_is_judged_blind_left_gone_on_with_and_saved() {
    let log = fs::read(project("assets/demo").join(LOG)).unwrap();
    let mut terminal = Setup::text("demo.log.json", log).size(120, 40).start();
    terminal.shows("judged 0/");
    let path = terminal.folder().join("demo.log.json");
    let before = fs::read_to_string(&path).unwrap();
    terminal.keys("b ").shows("hidden until you have judged");
    terminal.keys("o").shows("your annotator id");
    terminal.keys("mk\r").shows("judged 1/");
    terminal.keys("xt").shows("judged 3/").shows("●3 unsaved");
    terminal.keys("u").shows("judged 2/");
    terminal.keys("q").shows("2 edits are not saved");
    terminal.keys("y").ends();
    assert_eq!(own(&fs::read_to_string(&path).unwrap(), "mk"), ["O", "X"]);
    let mut terminal = terminal.again();
    terminal
        .shows("judged 2/")
        .shows("hidden until you have judged");
    // The id was remembered.
    terminal.keys(" t").shows("judged 3/");
    terminal.keys("\x13").shows("saved demo.log.json");
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!(own(&after, "mk"), ["O", "X", "T"]);
    // Lines were added, and at most the ends of their neighbours changed.
    let kept = before
        .lines()
        .filter(|line| after.lines().any(|new| new == *line))
        .count();
    assert!(before.lines().count() - kept <= 3);
    assert!(terminal.keys("q").ends().success());
}
