//! The tab that shows who made the parts of a turn, and what it asks of the outside world.

use turnwise::app::{BlameProgress, Effect, FoundBlame, Msg};
use turnwise::compare::{BlamedPart, FileVersion};

use super::{Driver, at};

fn shown(driver: &mut Driver) {
    driver.press(":").type_text("show_blame").press("enter");
}

/// The number of the job that was asked for last.
fn asked(driver: &Driver) -> u64 {
    let blame = driver.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Blame { number, .. } => Some(*number),
        _ => None,
    });
    blame.expect("nothing was asked for")
}

fn part(turn: usize, part: &'static str, said: &str, version: usize) -> BlamedPart {
    BlamedPart { turn, part, said: said.to_owned(), version }
}

#[test]
fn the_parts_of_the_turn_are_shown_with_their_commits() {
    let mut driver = Driver::demo("taskmaster-1.json", 200, 50);
    driver.press("3 g");
    shown(&mut driver);
    driver.shows("Blame").shows("asking git");
    let number = asked(&driver);
    assert_eq!(driver.wanted, [Effect::Blame { number, at: at(0, 0) }]);
    let report = |progress, found| Msg::Blamed { number, progress, found };
    driver.tell(report(BlameProgress::Busy { read: 2, all: 5 }, None));
    driver.shows("2 of 5 commits read");
    let found = FoundBlame {
        parts: vec![
            part(2, "text", "elsewhere", 1),
            part(3, "text", "\"La Boqueria\"", 1),
            part(3, "segment", "0..16 name", 0),
        ],
        versions: vec![
            FileVersion::default(),
            FileVersion {
                parents: Vec::new(),
                commit: "3f2a1c9".to_owned(),
                author: "Mika".to_owned(),
                date: "2026-11-02".to_owned(),
                path: String::new(),
                is_boundary: true,
            },
        ],
    };
    driver.tell(report(BlameProgress::Done, Some(found)));
    driver.shows(" text     ^3f2a1c9 Mika 2026-11-02");
    driver.shows("the clone is shallow");
    driver.shows(" segment  not committed").shows("0..16 name");
    driver.shows_not("elsewhere").shows_not("commits read");
    driver.press("k").shows("elsewhere");
    shown(&mut driver);
    driver.shows_not("Blame");
}

#[test]
fn an_edit_asks_again_and_leaving_stops_it() {
    let mut driver = Driver::demo("taskmaster-1.json", 200, 50);
    shown(&mut driver);
    let first = asked(&driver);
    driver.press("J");
    let second = asked(&driver);
    assert_ne!(first, second);
    assert!(driver.wanted.contains(&Effect::CancelBlame), "of the first dialog");
    // A late report of the first job is not about this dialog.
    driver.tell(Msg::Blamed {
        number: first,
        progress: BlameProgress::Failed("of the other dialog".to_owned()),
        found: None,
    });
    driver.shows_not("of the other dialog");
    driver.press("l ]").shows("●1 unsaved");
    assert_ne!(asked(&driver), second);
    driver.wanted.clear();
    driver.press(".");
    assert_eq!(driver.wanted, [Effect::CancelBlame]);
}

#[test]
fn a_file_that_git_does_not_know_says_so() {
    let mut driver = Driver::demo("taskmaster-1.json", 120, 40);
    shown(&mut driver);
    let number = asked(&driver);
    driver.tell(Msg::Blamed {
        number,
        progress: BlameProgress::Failed("git has no commit with it".to_owned()),
        found: None,
    });
    driver.shows("git has no commit with it");
}
