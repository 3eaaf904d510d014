//! Logs of votes that are not on the disk yet: offered after a crash, dropped, and locked like files.

use std::fs;
use std::path::Path;

use rustix::process::Signal;

use super::harness::Terminal;
use super::history::two_of_one_file;
use super::repair::wait_for_lines;
use super::setup::Setup;
use crate::support::run_in;

const DEMO: &str = "taskmaster-3.json";

fn judging() -> Setup {
    let setup = Setup::demo(DEMO).size(120, 40);
    setup.annotator("mk")
}

#[test]
fn votes_in_a_new_log_that_are_dropped_or_left_are_not_offered_again() {
    let mut terminal = judging().start();
    terminal.shows("judged 0/").keys("ox").shows("judged 2/");
    // The head, the start of the log, the file's description, and two votes.
    let mut terminal = terminal.killed_after(5).again();
    terminal.shows("votes/dlg-demo-tm3-01.log.json: the last run left 2 unsaved");
    terminal.keys("ny").shows("discarded the edits from the last run");
    terminal.keys("q").ends();
    let mut terminal = terminal.again();
    terminal.shows("judged 0/").settled();
    terminal.shows_not("the last run left");
    terminal.keys("o").shows("judged 1/");
    terminal.keys("qn").ends();
    let mut terminal = terminal.again();
    terminal.shows("judged 0/").settled();
    terminal.shows_not("the last run left").keys(" t");
    terminal.shows("judged 1/").keys("\x13").shows("as a new file");
    assert!(terminal.folder().join("votes/dlg-demo-tm3-01.log.json").exists());
}

/// A corpus to judge, the keys of three answers, and the file that holds them.
struct Answers {
    setup: fn() -> Setup,
    first: &'static str,
    keys: [&'static str; 3],
    file: &'static str,
    /// The beginning of the name of what is exported.
    name: &'static str,
}

const ANSWERS: [Answers; 3] = [
    Answers {
        setup: || judging().argument("--scheme").argument("quality"),
        first: "quality",
        keys: ["1", "2", "3"],
        file: "judgements/mk.jsonl",
        name: "mk",
    },
    Answers {
        setup: judging,
        first: "judged 0/",
        keys: ["o", "x", "t"],
        file: "votes/dlg-demo-tm3-01.log.json",
        name: "dlg-demo-tm3-01.log",
    },
    Answers {
        setup: || Setup::demo("dbdc/demo_001.log.json").argument("--adjudicator").size(120, 40),
        first: "decided 0/",
        keys: [":queue_gold\rx", "t", "o"],
        file: "gold/demo_001.labels.json",
        name: "demo_001.labels",
    },
];

/// A change of a file whose last answers are not saved.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Removed,
    Changed,
    /// A folder has its name now.
    Replaced,
}

impl Fate {
    fn befall(self, file: &Path) {
        match self {
            Self::Removed => fs::remove_file(file).unwrap(),
            Self::Changed => fs::write(file, fs::read_to_string(file).unwrap() + "\n").unwrap(),
            Self::Replaced => {
                fs::remove_file(file).unwrap();
                fs::create_dir(file).unwrap();
            }
        }
    }
}

/// A run with a saved answer and one that is not, killed, before its file meets its fate.
fn killed_beside(answers: &Answers, fate: Fate) -> Terminal {
    let mut terminal = (answers.setup)().start();
    terminal.shows(answers.first).keys(answers.keys[0]).shows("●1 unsaved");
    terminal.keys("W").shows("as a new file").shows_not("unsaved");
    terminal.keys(answers.keys[1]).shows("●1 unsaved");
    // The head, the start of the file, its hash, an answer, the save in two lines, an answer.
    let terminal = terminal.killed_after(7);
    fate.befall(&terminal.folder().join(answers.file));
    terminal
}

#[test]
fn unsaved_answers_are_restored_whatever_became_of_their_file() {
    for answers in &ANSWERS {
        for fate in [Fate::Removed, Fate::Changed] {
            let terminal = killed_beside(answers, fate);
            let file = terminal.folder().join(answers.file);
            let before = fs::read_to_string(&file).unwrap_or_default();
            let mut terminal = terminal.again();
            let told = if fate == Fate::Removed { "was removed" } else { "has changed" };
            terminal.shows(&format!("{}: the last run left 1 unsaved edit", answers.file));
            terminal.shows(&format!("the file {told} since")).keys("y").shows("●1 unsaved");
            terminal.keys("W").shows_not("unsaved").keys("q").ends();
            let after = fs::read_to_string(&file).unwrap();
            assert!(after.len() > before.len(), "{} {fate:?}: {after}", answers.file);
            let mut terminal = terminal.again();
            terminal.shows_not("the last run left").keys("q").ends();
        }
    }
}

#[test]
fn unsaved_answers_wait_until_their_file_can_be_read() {
    for answers in ANSWERS.iter().filter(|answers| answers.name != "mk") {
        let terminal = killed_beside(answers, Fate::Changed);
        let file = terminal.folder().join(answers.file);
        let before = fs::read_to_string(&file).unwrap();
        fs::write(&file, "{}").unwrap();
        let mut terminal = terminal.again();
        terminal.shows("keeping 1 unsaved edit from the last run until").keys("q").ends();
        fs::write(&file, before).unwrap();
        let mut terminal = terminal.again();
        terminal.shows("the last run left 1 unsaved edit").keys("y").shows("●1 unsaved");
    }
}

#[test]
fn exported_answers_are_taken_back_by_apply() {
    for answers in &ANSWERS {
        for fate in [Fate::Removed, Fate::Changed, Fate::Replaced] {
            let terminal = killed_beside(answers, fate);
            let file = terminal.folder().join(answers.file);
            let before = fs::read_to_string(&file).unwrap_or_default();
            let mut terminal = terminal.again();
            terminal.shows("the last run left 1 unsaved edit").keys("f");
            terminal.shows("1 edit exported to").keys("q").ends();
            let _ = fs::remove_dir(&file);
            let kept = format!(".state/turnwise/kept/{}-1.edits.jsonl", answers.name);
            let corpus = if answers.first == "decided 0/" { "demo_001.log.json" } else { DEMO };
            // Nor is its folder there, if it was the only file.
            let _ = fs::remove_dir(file.parent().unwrap());
            let ran = run_in(terminal.folder(), &["apply", &kept, corpus], "");
            let after = fs::read_to_string(&file).unwrap_or_default();
            let what = format!("{} {fate:?}: {ran:?}", answers.file);
            assert!(ran.code == 0 && after.len() > before.len(), "{what}");
            // Once is enough.
            let ran = run_in(terminal.folder(), &["apply", &kept, corpus], "");
            assert_eq!(fs::read_to_string(&file).unwrap(), after, "{what} {ran:?}");
        }
    }
}

#[test]
fn answers_are_given_again_in_a_file_that_another_program_has_changed() {
    for answers in &ANSWERS {
        let mut terminal = (answers.setup)().start();
        terminal.shows(answers.first).keys(answers.keys[0]).shows("●1 unsaved");
        terminal.keys("W").shows("as a new file").keys(answers.keys[1]).shows("●1 unsaved");
        let file = terminal.folder().join(answers.file);
        Fate::Changed.befall(&file);
        let before = fs::read_to_string(&file).unwrap();
        terminal.keys("W").shows("by another program").keys("y");
        terminal.shows("your unsaved edit was reapplied").keys("W").shows_not("unsaved");
        let after = fs::read_to_string(&file).unwrap();
        assert!(after.len() > before.len(), "{}: {after}", answers.file);
    }
}

#[test]
fn one_process_judges_a_dialog_and_others_the_others() {
    let (mut first, second) = two_of_one_file(judging(), DEMO);
    first.shows("judged 0/").keys("o").shows("judged 1/");
    let mut second = second.annotator("mk").start();
    second.shows("judged 0/").keys(" x");
    second.shows("being edited by another process (").shows("judged 0/");
    second.keys("J x").shows("judged 1/");
    // Those of the first log, and as many of the second.
    wait_for_lines(&first, 8);
    first.signal(Signal::KILL).ends();
    // The other's unsaved votes are offered to the one who continues.
    second.keys("K x").shows("left 1 unsaved edit");
    second.keys("y").shows("judged 2/").shows("●2 unsaved");
    second.keys(":save_all\r").shows_not("unsaved");
    let folder = first.folder().join("votes");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn a_run_leaves_a_file_alone_that_somebody_judges_in() {
    let mut terminal = (ANSWERS[0].setup)().start();
    terminal.shows("quality").keys("1").shows("●1 unsaved");
    wait_for_lines(&terminal, 4);
    let suggest = |terminal: &Terminal| {
        let asked = "suggest taskmaster-3.json --scheme quality --question quality --run mk --with";
        let with = ["echo '{\"turn\":1,\"value\":1}'"];
        terminal.ran(&asked.split(' ').chain(with).collect::<Vec<_>>()).1
    };
    let said = suggest(&terminal);
    assert!(said.contains("it is being edited by another process"), "{said}");
    terminal.signal(Signal::KILL).ends();
    let said = suggest(&terminal);
    assert!(said.contains("it has 1 unsaved edit"), "{said}");
    assert!(!terminal.folder().join("judgements/mk.jsonl").exists());
}
