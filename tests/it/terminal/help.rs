//! Commands on a terminal: `turnwise help` with the user's pager or none, and the messages that only a terminal gets.

use super::corpora::numbered;
use super::harness::Terminal;
use super::setup::Setup;
use crate::support::run_in;

fn help(variable: &'static str, value: &'static str) -> Terminal {
    let mut setup = Setup::new().variable(variable, value).size(90, 40);
    setup.arguments = ["help", "judging"].map(str::to_owned).into();
    setup.start()
}

#[test]
fn a_topic_is_shown_by_the_pager() {
    // It leaves before it has read everything.
    let mut terminal = help("PAGER", "head -n 3");
    terminal.shows("Judging").shows("turnwise logs/ --annotator mk");
    assert!(terminal.ends().success());
    terminal.shows_not("explains how several people divide");
}

#[test]
fn without_a_pager_a_topic_is_printed() {
    for pager in ["", "cat", "no-such-pager-anywhere"] {
        let mut terminal = help("PAGER", pager);
        // Markdown's signs are styles on a terminal.
        terminal.shows("explains the");
        assert!(terminal.ends().success(), "{pager}");
    }
}

#[test]
fn a_dumb_terminal_gets_what_a_pipe_gets() {
    let mut terminal = help("TERM", "dumb");
    terminal.shows("[teams](teams.md) explains how several people divide");
    assert!(terminal.ends().success());
}

#[test]
fn lint_of_a_clean_corpus_says_so_on_a_terminal() {
    let setup = Setup::text("clean.json", numbered(1, 2)).auto_theme();
    let folder = setup.folder.path().to_owned();
    let piped = run_in(&folder, &["lint", "clean.json"], "");
    assert_eq!((piped.code, piped.out.as_str(), piped.err.as_str()), (0, "", ""));
    let mut terminal = setup.script("exec \"$0\" lint \"$@\"").start();
    assert_eq!(terminal.ends().code(), Some(0));
    let said = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    assert!(said.contains("no problems in 1 file\r\n"), "{said:?}");
}
