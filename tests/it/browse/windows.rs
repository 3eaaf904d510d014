//! Windows over the panes: their sides, and the turn that they are about.

use super::Driver;

/// The prompts of a turn, on a screen where the turn would be behind the window.
#[test]
fn a_window_does_not_cover_the_turn_it_is_about() {
    for (keys, title) in [("f", "▸ 1"), (":", "Commands")] {
        let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
        driver.press(&"j ".repeat(12));
        let before = driver.screen();
        driver.press(keys);
        let turn = driver.app.panes.transcript.turn;
        driver.shows(title);
        let screen = driver.screen();
        let row = |text: &str| {
            let found = screen.lines().position(|line| line.contains(text));
            found.unwrap_or_else(|| panic!("{text} is not on\n{screen}"))
        };
        assert!(row(&format!("▸▲ {turn:>2} ")).max(1) < row(title), "{screen}");
        if keys == ":" {
            // The window leaves no trace.
            driver.press("esc");
            assert_eq!(driver.screen(), before);
        }
    }
}

/// The text below does not touch the text of a window.
#[test]
fn a_window_has_a_border() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut driver = Driver::demo("taskmaster-3.json", columns, rows);
        driver.press("n f");
        let screen = driver.screen();
        let lines: Vec<_> = screen.lines().collect();
        let choice = lines.iter().position(|line| line.contains("│▸ 1 "));
        let choice = choice.unwrap_or_else(|| panic!("{screen}"));
        assert!(lines[choice - 1].contains("┌ \"The Grand 12:\" includes"), "{screen}");
        assert!(lines[choice + 1].contains(&"─".repeat(78)), "{screen}");
    }
}
