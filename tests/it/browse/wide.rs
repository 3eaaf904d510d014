//! Wide screens, and one pane on the whole screen.

use super::Driver;

#[test]
fn a_pane_fills_the_screen_until_escape() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut driver = Driver::demo("dbdc/demo_002.log.json", columns, rows);
        driver.press("f7");
        let before = driver.screen();
        driver.press("w z").shows("w z shows all panes again");
        driver.shows("entropy").shows_not("Transcript");
        let title = driver.screen().lines().nth(1).unwrap_or_default().to_owned();
        assert!(title.starts_with(" Answers"), "{title}");
        driver.press("w t").shows("Transcript").shows_not("entropy");
        driver.press("w d").shows_not("Transcript");
        driver.press("w z");
        assert_eq!(driver.screen(), before);
        driver.press("w z esc").shows("Transcript");
        driver.press("esc esc").shows("quits");
    }
}
