//! Searches with several conditions, and the messages when there is no match.

use super::Driver;

fn find<'a>(driver: &'a mut Driver, text: &str) -> &'a mut Driver {
    driver.press("/").type_text(text).press("enter")
}

#[test]
fn conditions_hold_together_for_a_turn() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    for (text, first, told) in [
        ("grand", "turn 0 ·", "grand: 1 of 5"),
        (
            "speaker:user grand",
            "turn 0 ·",
            "speaker:user \"grand\": 1 of 1",
        ),
        (
            "Grand speaker:assistant",
            "turn 1 ·",
            "\"Grand\" speaker:assistant: 1 of 4",
        ),
        // The text is marked, or else the segments.
        (
            "label:name.theater 12",
            "turn 0 ·",
            "label:name.theater \"12\": 1 of 4",
        ),
        (
            "label:name.theater api:find",
            "turn 3 ·",
            "api:find: 1 of 1",
        ),
        (
            "speaker:user api:find_m",
            "turn 4 ·",
            "speaker:user api:find_m: 1 of 3",
        ),
        (
            "problem:punctuation label:theater",
            "turn 5 ·",
            "label:theater: 1 of 1",
        ),
        ("grand a:b", "turn 0 ·", "no match: grand a:b"),
        (
            "label:\"name theater\"",
            "turn 0 ·",
            "no match: label:\"name theater\"",
        ),
        (
            "label: grand",
            "turn 0 ·",
            "type a name, or part of one, after label:",
        ),
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
fn a_search_for_the_id_of_a_dialog_names_the_key_for_it() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let told = "# goes to a dialog by its id";
    find(&mut driver, "DLG-demo-tm3-02")
        .shows("no match: DLG-demo-tm3-02")
        .shows(told);
    find(&mut driver, "dlg-demo-tm4")
        .shows("no match")
        .shows_not(told);
    find(&mut driver, "label:dlg-demo")
        .shows("no match")
        .shows_not(told);
}

/// Several calls in one turn are visited one by one, like all other matches.
#[test]
fn calls_of_one_turn_are_counted_one_by_one() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("A").type_text("find").press("enter");
    let count = driver.app.panes.transcript.hits.len();
    let turns: std::collections::HashSet<_> = driver
        .app
        .panes
        .transcript
        .hits
        .iter()
        .map(|hit| hit.turn)
        .collect();
    assert!(turns.len() < count, "a turn has two calls");
    driver.shows("api:find: 1 of ");
    for number in 2..=count {
        driver.press("n").shows(&format!("api:find: {number} of "));
    }
    for number in (1..count).rev() {
        driver.press("p").shows(&format!("api:find: {number} of "));
    }
}

#[test]
fn a_filter_that_ends_with_a_jump_is_reported() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("F").type_text("tm3-02").press("enter");
    driver.press("#").type_text("tm3-03").press("enter");
    driver.shows("filter cleared: tm3-02");
    driver
        .shows("Dialogs  3 of 3")
        .press("j")
        .shows_not("filter cleared");
}

#[test]
fn straight_quotes_enclose_a_text_and_curly_ones_are_part_of_it() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("/").type_text("\"tonight\"").press("enter");
    driver.shows("tonight: 1 of 3");
    driver
        .press("esc / ctrl-u")
        .type_text("“tonight”")
        .press("enter");
    driver.shows("quotation marks are searched for too; try without them");
}

/// A letter that is found tens of thousands of times in one turn is marked where it is seen.
#[test]
fn very_many_hits_in_a_turn_are_marked_on_the_screen_only() {
    let text = "tea to the tent ".repeat(40_000);
    let corpus = serde_json::json!([{"conversation_id": "d", "vertical": "v", "utterances": [
        {"index": 0, "speaker": "user", "text": text, "segments": []}
    ]}]);
    let mut driver = Driver::open(&[("long.json", corpus.to_string())], 120, 40);
    driver.press("/").type_text("te");
    assert_eq!(driver.app.panes.transcript.hits.len(), 80_000);
    let (column, row) = driver.place_of("tea to the tent");
    let cells = driver.cells();
    let shown = |x: u16| cells[(column + x, row)].style();
    assert_eq!(shown(0), shown(1));
    assert_ne!(shown(1), shown(2));
    assert_eq!(shown(11), shown(0));
}
