//! The window that shows who made the parts of a dialog, and what it asks of the outside world.

use turnwise::app::{Effect, FiguresOf, Msg};

use super::{Driver, at};

/// The number and the subject of the figures that were asked for last.
fn asked(driver: &Driver) -> (u64, FiguresOf) {
    let asked = driver.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Figures { number, of } => Some((*number, *of)),
        _ => None,
    });
    asked.expect("nothing was asked for")
}

#[test]
fn the_parts_of_the_dialog_are_shown_from_the_turn_on() {
    let mut driver = Driver::demo("taskmaster-1.json", 120, 20);
    driver.press("3 g").run("show_blame").shows("reading …");
    let (number, of) = asked(&driver);
    assert_eq!(of, FiguresOf::Blame { at: at(0, 0), turn: 3 });
    let lines = (0..60).map(|turn| format!("3f2a1c9 Mika  turn {turn}, text: \"La Boqueria\"\n"));
    let text: String = lines.collect();
    // A late answer for another window is dropped.
    driver.tell(Msg::Figures { number: number + 1, text: "late".to_owned(), first: 0 });
    driver.shows_not("late");
    driver.tell(Msg::Figures { number, text, first: 3 });
    driver.shows("Mika  turn 3, text").shows_not("turn 2,");
    driver.find("turn 50,").shows("turn 50,");
    driver.press("q").shows_not("Mika").shows("turn 3 ·");
    // What is still read for it ends with the next report.
    assert!(!driver.wanted.contains(&Effect::CancelFigures));
    driver.tell(Msg::Figures { number, text: "reading … 2 versions".to_owned(), first: 0 });
    assert!(driver.wanted.contains(&Effect::CancelFigures));
}

/// It names the annotators of votes.
#[test]
fn the_blind_do_not_see_it() {
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 20);
    driver.press("b").run("show_blame").shows("would reveal others' votes, which are hidden");
}
