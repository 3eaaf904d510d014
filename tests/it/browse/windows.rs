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
