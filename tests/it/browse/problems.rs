//! Problems: found while one reads, walked, repaired by key.

use super::Driver;
use turnwise::app::worth_changing;

#[test]
fn a_problem_is_found_shown_and_repaired_with_two_keys() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let original = driver.bytes(0);
    driver.shows("▲2 problems").press("n").shows("turn 5 of");
    driver.shows("\"The Grand 12:\"").shows("swallowed");
    driver
        .press("f")
        .shows("end at 40, \"The Grand 12\"")
        .press("1");
    driver
        .shows("▲1 problem")
        .shows("●1 unsaved")
        .shows("1 left in this dialog");
    driver.press("u").shows("▲2 problems");
    assert!(driver.bytes(0) == original);
    driver.press("f enter").shows("●1 unsaved");
}

#[test]
fn a_nudge_that_breaks_a_word_is_noticed_at_once() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let before = driver.app.transcript.problems.len();
    driver.press("l [").shows("▲3 problems");
    assert_eq!(driver.app.transcript.problems.len(), before + 1);
    driver.press("]").shows("▲2 problems");
}

#[test]
fn problems_are_walked_through_the_corpus() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("!").shows("problem:: 1 of");
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push((driver.app.transcript.at, driver.app.transcript.turn));
        driver.press("n");
    }
    assert!(
        seen.iter().any(|(at, _)| at.unwrap().dialog == 1),
        "{seen:?}"
    );
    driver
        .press("esc")
        .press("/")
        .type_text("problem:label")
        .press("enter")
        .shows("1 of 1");
    driver.shows("rating.movies");
}

#[test]
fn the_details_list_problems_and_go_to_them() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver
        .press("J P")
        .shows("1 error, 2 warnings")
        .press("f7 j")
        .shows("turn 5 of");
    driver
        .press("j j enter")
        .shows("turn 6 of")
        .press("f 1")
        .shows("▲2 problems");
}

/// All that can be repaired unseen is repaired in one step, and taken back in one.
#[test]
fn everything_certain_is_repaired_at_once() {
    for name in [
        "taskmaster-1.json",
        "taskmaster-3.json",
        "taskmaster-4.json",
    ] {
        let mut driver = Driver::demo(name, 120, 40);
        for _ in 0..3 {
            let (original, before) = (driver.bytes(0), driver.app.steps.done);
            let found = worth_changing(&driver.app.transcript.problems);
            driver.press(":").type_text("fix_all_safe").press("enter");
            assert!(worth_changing(&driver.app.transcript.problems) <= found);
            if driver.app.steps.done > before {
                driver.shows("repaired").press("u");
                assert!(driver.bytes(0) == original, "{name}");
                assert_eq!(driver.app.steps.done, before);
            }
            driver.press("J");
        }
    }
}

#[test]
fn everything_that_one_rule_finds_is_repaired_at_once() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver
        .press("n")
        .press(":")
        .type_text("fix_all_of_rule")
        .press("enter");
    driver
        .shows("1 repaired · 1 left in this dialog")
        .press("u")
        .shows_not("unsaved");
}
