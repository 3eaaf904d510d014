//! Searches of several conditions, and what is said where nothing is found.

use super::Driver;

fn find<'a>(driver: &'a mut Driver, text: &str) -> &'a mut Driver {
    driver.press("/").type_text(text).press("enter")
}

#[test]
fn conditions_hold_together_for_a_turn() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    for (text, first, told) in [
        ("grand", "turn 0 of", "grand: 1 of 5"),
        (
            "speaker:user grand",
            "turn 0 of",
            "speaker:user grand: 1 of 1",
        ),
        (
            "Grand speaker:assistant",
            "turn 1 of",
            "speaker:assistant Grand: 1 of 4",
        ),
        // What is marked is the text, or else the segments.
        (
            "label:name.theater 12",
            "turn 0 of",
            "label:name.theater 12: 1 of 4",
        ),
        (
            "label:name.theater api:find",
            "turn 3 of",
            "api:find: 1 of 1",
        ),
        (
            "speaker:user api:find_m",
            "turn 4 of",
            "speaker:user api:find_m: 1 of 3",
        ),
        (
            "problem:punctuation label:theater",
            "turn 5 of",
            "label:theater: 1 of 1",
        ),
        ("grand a:b", "turn 0 of", "nothing found: grand a:b"),
        (
            "label:\"name theater\"",
            "turn 0 of",
            "nothing found: label:\"name theater\"",
        ),
        ("label: grand", "turn 0 of", "label: and then a name"),
    ] {
        driver.press("esc K K g");
        find(&mut driver, text).shows(told).shows(first);
    }
}

#[test]
fn names_are_offered_for_the_condition_that_is_typed() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver
        .press("/")
        .type_text("speaker:user api:")
        .press("down");
    driver.shows("find speaker:user api:book_tickets");
    driver
        .press("enter")
        .shows("speaker:user api:book_tickets: 1 of");
}

#[test]
fn id_of_a_dialog_that_is_looked_for_as_text_is_told_where_to_look() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let told = "# goes to a dialog by its id";
    find(&mut driver, "DLG-demo-tm3-02")
        .shows("nothing found: DLG-demo-tm3-02")
        .shows(told);
    find(&mut driver, "dlg-demo-tm4")
        .shows("nothing found")
        .shows_not(told);
    find(&mut driver, "label:dlg-demo")
        .shows("nothing found")
        .shows_not(told);
}
