//! The way back from searches, jumps and other dialogs.

use serde_json::Value;

use super::{Driver, demo};

#[test]
fn the_way_back_leads_through_hits_turns_and_dialogs() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("j j J 4 g J");
    assert_eq!(driver.place(), (2, 0));
    for (key, wanted) in [
        ("C-o", (1, 4)),
        ("C-o", (1, 0)),
        // A step to the next turn is not a jump.
        ("C-o", (0, 2)),
        ("C-n", (1, 0)),
        ("A-right", (1, 4)),
        ("A-left", (1, 0)),
        ("2 C-n", (2, 0)),
    ] {
        driver.press(key);
        assert_eq!(driver.place(), wanted, "{key}");
    }
    driver.press("C-n").shows("nowhere to go forward to");
    // A new jump begins another way.
    driver.press("C-o C-o 9 g C-n").shows("nowhere to go forward to");
    assert_eq!(driver.place(), (1, 9));
    // A list that one goes through is left at once; the way back works from every pane.
    driver.press("f6 k j j C-o");
    assert_eq!(driver.place(), (1, 9));
    driver.press("esc J J K J K K C-o");
    assert_eq!(driver.place(), (1, 9));
    driver.press("n n").press("C-o");
    assert_eq!(driver.place(), (1, 9));
    driver.press("P f7 k k");
    assert_ne!(driver.place(), (1, 9));
    driver.press("C-o");
    assert_eq!(driver.place(), (1, 9));
}

#[test]
fn a_search_ends_where_the_user_is_and_one_key_goes_back_to_before_it() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("J j j j").find("tickets").press("n n n n n");
    let hit = driver.place();
    assert_ne!(hit, (1, 3));
    driver.press("esc").shows("the search has ended · Ctrl-O returns to where you were before");
    assert_eq!(driver.place(), hit);
    driver.press("C-o");
    assert_eq!(driver.place(), (1, 3));
}

#[test]
fn places_in_a_file_that_has_changed_are_forgotten() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("9 g J");
    let mut dialogs: Vec<Value> = serde_json::from_slice(&driver.bytes(0)).expect("JSON");
    dialogs.truncate(1);
    let bytes = serde_json::to_vec(&dialogs).expect("JSON");
    driver.reload(0, bytes);
    driver.press("C-o").shows("nowhere to go back to");
}

#[test]
fn bookmarks_are_listed_found_by_words_and_kept_for_the_next_run() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("' 3 g '").shows("turn 3 · 16 turns · bookmarked");
    driver.press("J 5 g '");
    driver.press("K").shows("◆   3 assistant").shows("turn 0 · 16 turns · bookmarked");
    // The newest comes first; words of the text narrow the list.
    driver.press("\" enter");
    assert_eq!(driver.place(), (1, 5));
    driver.press("\"").type_text("Sorry about").shows_not("tm3-02, turn 5").press("enter");
    assert_eq!(driver.place(), (0, 3));
    driver.press("C-o");
    assert_eq!(driver.place(), (1, 5));
    let mut next = driver.next_run(&[demo("taskmaster-3.json")], "");
    next.press("K").shows("◆   3 assistant").press("3 g '").shows("bookmark removed");
    next.press("\"").shows_not("tm3-01, turn 3").shows("Bookmarks").type_text("qqqq");
    next.press("enter").shows("no matching bookmark: qqqq");
}
