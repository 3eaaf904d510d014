//! Screens of every family, as they were looked at and found good.

use ratatui::layout::Size;
use turnwise::app::{Effect, Msg};

use super::Driver;

/// Demo files, and keys that lead to a telling screen.
const FAMILIES: &[(&str, &str)] = &[
    ("taskmaster-1.json", "j j j l"),
    ("taskmaster-2.json", "J j l"),
    ("taskmaster-3.json", "j j j j j l"),
    ("taskmaster-4.json", "J j j dot"),
    ("dbdc/demo_003.log.json", "j j"),
    ("dbdc/demo_001.labels.json", "j"),
    ("sim-m.json", "j j l"),
    ("sim-r.json", "j j j"),
    ("sim-gen.json", "j j"),
    ("messages.jsonl", "J J J j j"),
    ("sharegpt.json", "j j"),
    ("sgd/dialogues_001.json", "J j l"),
    ("multiwoz/gardens.json", "j j j j l"),
    ("library/dialogues.json", "J j j l"),
];

/// Files that are drawn at every size: a family changes nothing about how a size is used.
const AT_EVERY_SIZE: [&str; 3] = ["taskmaster-1.json", "dbdc/demo_003.log.json", "messages.jsonl"];

#[test]
fn every_family_and_every_size() {
    for (file, keys) in FAMILIES {
        for (columns, rows) in [(120, 40), (200, 60), (80, 24), (60, 15)] {
            if columns != 120 && !AT_EVERY_SIZE.contains(file) {
                continue;
            }
            let mut driver = Driver::demo(file, columns, rows);
            driver.press(keys);
            let name = format!("{}-{columns}x{rows}", file.replace(['/', '.'], "-"));
            insta::assert_snapshot!(name, driver.screen());
        }
    }
}

#[test]
fn a_screen_that_is_too_small_says_what_is_needed() {
    let driver = Driver::demo("taskmaster-3.json", 30, 20);
    let said = driver.screen();
    assert!(said.starts_with("turnwise needs 40 columns and\n8 rows\n"), "{said}");
    for (columns, rows) in [(39, 20), (60, 7), (1, 1), (5, 3)] {
        let driver = Driver::demo("taskmaster-3.json", columns, rows);
        let wish: String =
            "turnwise needs 40 columns and 8 rows".chars().take(usize::from(columns) - 1).collect();
        let wish = if columns < 36 { wish + "…" } else { wish };
        assert_eq!(driver.screen().lines().next(), Some(wish.as_str()));
    }
}

/// Keys do not change, ask about or lose anything that is not visible.
#[test]
fn a_screen_that_is_too_small_takes_no_edits() {
    let size = |columns, rows| Msg::Resize(Size::new(columns, rows));
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l");
    let before = driver.bytes(0);
    driver.tell(size(39, 20));
    driver.press("d ] e x y n enter J j : u i t enter");
    driver.tell(Msg::Paste("text".to_owned()));
    driver.tell(size(120, 40));
    driver.shows("turn 0 ·").shows_not("unsaved");
    assert_eq!(driver.bytes(0), before);
    let here = driver.app.panes.transcript.segment;
    assert!(here.is_some() && !driver.wanted.contains(&Effect::Quit));
    // With something to lose, leaving waits for a screen to ask on.
    driver.press("d").shows("●1 unsaved");
    driver.tell(size(39, 20));
    driver.press("q").shows("1 unsaved edit: enlarge the screen");
    driver.press("n y u").shows_not("1 unsaved edit:");
    driver.wanted.clear();
    driver.press("C-z C-l C-q");
    assert_eq!(driver.wanted, [Effect::Suspend, Effect::Redraw]);
    driver.tell(size(120, 40));
    driver.shows("●1 unsaved").press("u e").shows("Text of turn");
    // Typed text does not go to the prompt that was left open.
    driver.tell(size(39, 20));
    driver.press("q enter x");
    driver.tell(size(120, 40));
    driver.shows("Text of turn").press("enter");
    assert_eq!(driver.bytes(0), before);
    driver.tell(size(39, 20));
    driver.press("q");
    assert_eq!(driver.wanted.last(), Some(&Effect::Quit));
}

/// A user who does not see what is open can still leave it.
#[test]
fn a_screen_that_is_too_small_closes_what_is_open() {
    let size = |columns, rows| Msg::Resize(Size::new(columns, rows));
    for (keys, open) in [
        ("/ x", "find x"),
        ("?", "Help: reading a dialog"),
        ("X", "safe fixes"),
        ("l d q", "unsaved edit;"),
    ] {
        let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
        driver.press(keys).shows(open);
        driver.tell(size(39, 20));
        driver.press("esc");
        driver.tell(size(120, 40));
        assert!(driver.app.windows.open.is_none(), "{keys}");
        assert!(!driver.wanted.contains(&Effect::Quit));
    }
}

#[test]
fn commands_for_the_terminal_work_under_any_window() {
    for open in ["", "?", "X", "l d q"] {
        let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
        driver.press(open);
        driver.wanted.clear();
        driver.press("C-z C-l").shows_not("is not bound here");
        assert_eq!(driver.wanted, [Effect::Suspend, Effect::Redraw], "{open}");
    }
}
