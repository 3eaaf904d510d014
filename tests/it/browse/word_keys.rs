//! The keys that edit spans word by word, and the rules about spans.

use super::fixtures::{dialog, segment, turn};
use super::{Driver, at};
use crate::support::amount;
use crate::support::random::Random;

/// Keys that keep a clean turn clean.
const KEYS: &[&str] =
    &["W", "W", "B", "(", ")", ")", "s", "s", "M", "w", "w", "b", "<", ">", "tab", "S-tab", "end"];

/// The turns of the open dialog with a problem of a span, each with a problem.
fn wrong_turns(driver: &Driver) -> Vec<(usize, String)> {
    let problems = driver.app.panes.transcript.problems.iter();
    let of_spans = problems.filter(|problem| problem.rule.name.starts_with("span-"));
    let turns = of_spans.map(|p| (p.location.turn.unwrap_or_default(), p.message.clone()));
    turns.collect()
}

/// Presses random keys in each turn of each dialog, and fails if a clean turn gets a problem.
fn press_at_random(name: &str, rounds: u64) -> usize {
    let mut driver = Driver::demo(name, 100, 40);
    let mut edits = 0;
    for dialog in 0..driver.app.panes.list.rows.len() {
        if dialog > 0 {
            driver.press("J");
        }
        assert_eq!(driver.app.panes.transcript.at, Some(at(0, dialog)));
        let wrong: Vec<_> = wrong_turns(&driver).into_iter().map(|(turn, _)| turn).collect();
        for turn in 0..driver.app.panes.transcript.len() {
            for round in 0..rounds {
                let mut random = Random(round * 1000 + turn as u64);
                driver.app.panes.transcript.go(turn);
                driver.press("enter");
                let mut pressed = Vec::new();
                for _ in 0..12 {
                    let key = random.one_of(KEYS);
                    pressed.push(key);
                    driver.press(key);
                    let new = wrong_turns(&driver);
                    let new = new.iter().find(|(turn, _)| !wrong.contains(turn));
                    assert_eq!(
                        new,
                        None,
                        "{name} {dialog} {turn}: {pressed:?}\n{}",
                        driver.screen()
                    );
                }
                driver.press("esc esc");
                while driver.app.workspace.unsaved() > 0 {
                    edits += 1;
                    driver.press("u");
                }
            }
        }
    }
    edits
}

#[test]
fn many_word_keys_make_no_problem_on_clean_turns() {
    let numbers = 1..=4;
    let names = numbers.map(|number| format!("taskmaster-{number}.json"));
    let edits: usize = names.map(|name| press_at_random(&name, amount(1, 4))).sum();
    assert!(edits > amount(25, 100), "{edits}");
}

#[test]
fn a_split_leaves_no_spaces_at_the_edges() {
    let segment = segment(3, "9:10, O'Neil", "x");
    let text = dialog("a", vec![turn("user", "at 9:10, O'Neil", vec![segment])]).to_string();
    let spans = |driver: &Driver| {
        let turn = driver.app.panes.transcript.current().unwrap();
        let spans = turn.segments.iter().map(|s| s.span.unwrap().to_string());
        spans.collect::<Vec<_>>()
    };
    // To the start of "O'Neil", and to the end of "9:10".
    for keys in ["tab enter home w w s", "tab enter home W W s"] {
        let mut driver = Driver::open(&[("a.json", text.clone())], 100, 30);
        driver.press("l").press(&keys[4..]);
        assert_eq!(spans(&driver), ["3..7", "9..15"], "{keys}");
        driver.press("M");
        assert_eq!(spans(&driver), ["3..15"], "{keys}");
    }
    // A word at a time: all of a time and of a name.
    let mut driver = Driver::open(&[("a.json", text.clone())], 100, 30);
    driver.press("enter W W").shows("at 9:10");
    let selection = driver.app.panes.transcript.selection().unwrap();
    assert_eq!(selection.to_string(), "0..7");
    driver.press("esc esc l (").shows("3..7 \"9:10\"");
}

#[test]
fn a_word_key_stops_before_the_next_segment() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    let keys = "l ) ) ) ) ) ) ) ) )";
    driver.press(keys).shows("] overlaps it, M merges");
}
