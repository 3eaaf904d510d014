//! Judging: where a vote leads, and what is said of it.

use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

fn judge() -> Driver {
    let mut driver = Driver::demo(LOG, 120, 40);
    "mk".clone_into(&mut driver.app.judging.annotator);
    driver.press("esc");
    driver
}

#[test]
fn backspace_that_empties_a_line_neither_leaves_it_nor_withdraws_a_vote() {
    let mut driver = judge();
    driver.press("x 1 G c").type_text("odd");
    driver
        .press("backspace backspace backspace backspace backspace")
        .shows("Your comment");
    driver.press("esc").shows("judged 1/");
    driver.press("1 G c").type_text("no").press("enter 1 G c");
    driver
        .press("backspace backspace backspace")
        .shows("Your comment");
    driver.press("esc").shows("judged 1/");
    // A line in which nothing was yet is left at once.
    driver.press(": backspace").shows("turn 1 of");
    assert!(driver.app.overlay.is_none());
    driver.press("/ backspace");
    assert!(driver.app.overlay.is_none());
}

#[test]
fn a_comment_that_is_given_up_leads_on_like_one_that_is_made() {
    let mut driver = judge();
    driver.press("o").shows("turn 3 of");
    driver.press("c").shows("turn 1 of").press("esc");
    driver.shows("turn 3 of").press("x").shows("judged 2/");
    driver.press("c backspace").shows("turn 5 of");
    // Who has gone back by hand stays there.
    driver.press("1 G c esc").shows("turn 1 of").shows("you O");
}
