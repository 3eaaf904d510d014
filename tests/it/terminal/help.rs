//! `turnwise help` on a terminal: the user's pager, or none.

use super::harness::Terminal;
use super::setup::Setup;

fn help(pager: &'static str) -> Terminal {
    let mut setup = Setup::new().variable("PAGER", pager).size(90, 40);
    setup.arguments = ["help", "judging"].map(str::to_owned).into();
    setup.start()
}

#[test]
fn a_topic_is_shown_by_the_pager() {
    // It leaves before it has read everything.
    let mut terminal = help("head -n 3");
    terminal.shows("Judging").shows("turnwise logs/ --annotator mk");
    assert!(terminal.ends().success());
    terminal.shows_not("says how several people divide");
}

#[test]
fn without_a_pager_a_topic_is_printed() {
    for pager in ["", "cat", "no-such-pager-anywhere"] {
        let mut terminal = help(pager);
        // Markdown's signs are styles on a terminal.
        terminal.shows("statistics mean.");
        assert!(terminal.ends().success(), "{pager}");
    }
}

#[test]
fn a_dumb_terminal_gets_what_a_pipe_gets() {
    let mut setup = Setup::new().variable("TERM", "dumb").size(120, 40);
    setup.arguments = ["help", "judging"].map(str::to_owned).into();
    let mut terminal = setup.start();
    terminal.shows("[teams](teams.md) says how several people divide");
    assert!(terminal.ends().success());
}
