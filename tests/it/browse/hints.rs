//! The last row: it offers only keys that do something.

use super::Driver;

const LOG: &str = "dbdc/demo_001.log.json";

/// The last row of the screen.
fn last_row(driver: &Driver) -> String {
    let screen = driver.screen();
    screen.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn commands_that_can_do_nothing_are_not_hinted() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut driver = Driver::demo("taskmaster-3.json", columns, rows);
        driver.press("enter").shows("W select word");
        for hint in [" a add", " u undo"] {
            assert!(!last_row(&driver).contains(hint), "{}", driver.screen());
        }
        driver.press("u").shows("nothing to undo");
        assert!(!last_row(&driver).contains("u undo"));
        driver.press("W").shows(" a add");
        let mut driver = Driver::demo(LOG, columns, rows);
        "mk".clone_into(&mut driver.app.judging.annotator);
        driver.press("1 G esc").shows("o no breakdown");
        driver.press("0 G esc").shows("Space skip");
        for hint in [" o no breakdown", " t possible", " x breakdown"] {
            assert!(!last_row(&driver).contains(hint), "{}", driver.screen());
        }
    }
}
