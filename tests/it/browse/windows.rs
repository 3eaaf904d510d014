//! Windows over the panes: their sides, and the turn that they are about.

use super::Driver;

/// The fixes of a turn, on a screen where the turn would be behind the window.
#[test]
fn a_window_does_not_cover_the_turn_it_is_about() {
    let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
    driver.press(&"j ".repeat(12)).press("f").shows("▸ 1");
    let (_, title) = driver.place_of("▸ 1");
    let (_, turn) = driver.place_of(&format!("▸▲ {:>2} ", driver.turn()));
    assert!(turn.max(1) < title, "{}", driver.screen());
}
