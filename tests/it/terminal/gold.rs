//! Gold labels in a terminal: set, killed, restored, saved, found again, scored.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use super::repair::wait_for_lines;
use super::setup::Setup;
use crate::support::{project, run_in};

const LOG: &str = "dbdc/demo_001.log.json";

#[test]
fn gold_labels_survive_a_kill_and_are_found_again() {
    let log = fs::read(project("assets/demo").join(LOG)).unwrap();
    let setup = Setup::text("demo_001.log.json", &log).argument("--adjudicator");
    let mut terminal = setup.size(120, 40).start();
    terminal.shows("decided 0/").keys(":queue_gold\r");
    terminal.shows("decided 0/10").keys("x").shows("decided 1/10");
    terminal.keys("t").shows("decided 2/10");
    // The head, the start of the labels, the file's description and two labels.
    wait_for_lines(&terminal, 5);
    let folder = terminal.folder().to_owned();
    let logs = fs::read_dir(&folder).unwrap().flatten();
    let logs = logs.filter(|entry| entry.path().join("gold").exists());
    assert_eq!(logs.count(), 0);
    terminal.signal(Signal::KILL).ends();
    let mut terminal = terminal.again();
    terminal.shows("left 2 unsaved edits").keys("y");
    terminal.shows("●2 unsaved").shows("decided 2/10").keys("W");
    terminal.shows("saved gold/demo_001.labels.json").shows_not("unsaved");
    terminal.keys("o").shows("decided 3/10").keys("W").shows_not("unsaved");
    terminal.keys("q").ends();
    let beside = terminal.folder().join("demo_001.log.json");
    assert_eq!(fs::read(beside).unwrap(), log);
    let labels = terminal.folder().join("gold/demo_001.labels.json");
    let labels: Value = serde_json::from_slice(&fs::read(labels).unwrap()).unwrap();
    assert_eq!(labels["turns"].as_array().unwrap().len(), 3);
    let mut terminal = terminal.again();
    terminal.shows("decided 3/10").shows_not("unsaved").keys("oooooooo");
    terminal.shows("decided 10/10").keys("W").shows_not("unsaved").keys("q").ends();
    // Without the labels missing, the detector's score of the gold labels is complete.
    let ran = run_in(terminal.folder(), &["score", ".", "gold"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let ran = run_in(terminal.folder(), &["votes", ".", "--gold", "gold"], "");
    assert!(ran.out.contains("10 judged turns with a gold label"), "{}", ran.out);
    let ran = run_in(terminal.folder(), &["lint", "gold"], "");
    assert_eq!(ran.code, 0, "{}", ran.out);
}
