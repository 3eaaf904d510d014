//! Two dialogs on the screen: which one moves, what is marked, and what becomes of the pinned one.

use ratatui::style::Modifier;
use turnwise::app::pane::transcript::Transcript;
use turnwise::app::{MouseAction, Msg};

use super::{Driver, demo};

/// The dialog and the turn with the focus, and those of the pinned one.
fn places(driver: &Driver) -> [(u32, u32, usize); 2] {
    [&driver.app.panes.transcript, pinned(driver)].map(|t| {
        let at = t.at.expect("a dialog");
        (at.file, at.dialog, t.turn)
    })
}

fn pinned(driver: &Driver) -> &Transcript {
    &driver.app.panes.pinned.as_ref().expect("a pinned dialog").transcript
}

/// Two versions of a file, of which the second differs in one turn.
fn versions() -> [(&'static str, String); 2] {
    let (_, text) = demo("taskmaster-3.json");
    let other = text.replacen("something scary", "something funny", 1);
    assert_ne!(text, other);
    [("old.json", text), ("new.json", other)]
}

#[test]
fn two_keys_put_two_dialogs_side_by_side() {
    let mut driver = Driver::demo("taskmaster-3.json", 200, 60);
    driver.press("| J");
    assert_eq!(places(&driver), [(0, 1, 0), (0, 0, 0)]);
    let screen = driver.screen();
    let titles = screen.lines().nth(1).unwrap();
    let at = |id: &str| titles.find(id).unwrap_or_else(|| panic!("{id}: {titles}"));
    assert!(at("tm3-01") < at("tm3-02"), "{titles}");
    driver.shows("something scary").shows("2 of 3");
    // Both go on by turns; a shorter dialog waits at its end.
    driver.press("j j j");
    assert_eq!(places(&driver), [(0, 1, 3), (0, 0, 3)]);
    driver.press("G");
    let [_, (.., last)] = places(&driver);
    assert_eq!(last, driver.app.panes.transcript.len().min(16) - 1);
    driver.press("g");
    assert_eq!(places(&driver), [(0, 1, 0), (0, 0, 0)]);
    // The other one has the focus; both stay where they are.
    driver.press("j \\");
    assert_eq!(places(&driver), [(0, 0, 1), (0, 1, 1)]);
    driver.press("|").shows("unpinned");
    assert!(driver.app.panes.pinned.is_none());
    driver.shows("Transcript  turn 1");
}

/// A value of an argument differs in one of two calls of a turn.
#[test]
fn calls_that_the_other_version_has_not_are_marked() {
    let [old, (name, text)] = versions();
    let other = text.replacen(
        "\"name.theater\": \"The Grand 12\"",
        "\"name.theater\": \"The Grand 21\"",
        1,
    );
    assert_ne!(text, other);
    let mut driver = Driver::open(&[old, (name, other)], 200, 60);
    driver.press("4 g w i");
    let marked = |driver: &Driver| driver.screen().matches("↳ ≠ find_movies").count();
    assert_eq!(marked(&driver), 2, "{}", driver.screen());
    driver.shows_not("≠ find_showtimes");
}

#[test]
fn the_same_turns_of_two_versions_begin_on_the_same_row() {
    for (columns, rows) in [(200, 60), (60, 15)] {
        let mut driver = Driver::open(&versions(), columns, rows);
        driver.press("5 g w i");
        assert_eq!(places(&driver), [(0, 0, 5), (1, 0, 5)]);
        driver.shows("old.json  turn 5").shows("new.json  turn 5");
        for keys in ["g", "j", "pgdn", "G", "pgup", "l", "3 g"] {
            driver.press(keys);
            let [(.., turn), (.., other)] = places(&driver);
            assert_eq!(turn, other, "{keys}");
            let row = |transcript: &Transcript| transcript.rows_of_turn().start;
            let (one, other) = (row(&driver.app.panes.transcript), row(pinned(&driver)));
            // One row more or less where the halves of the screen differ by one.
            assert!(one.abs_diff(other) <= 1, "{keys} at {columns}: {one} {other}");
        }
        // The only file left that has this id is the one on the screen.
        driver.press("w i");
        assert_eq!(places(&driver)[1].0, 1);
    }
}

#[test]
fn apart_only_one_of_two_dialogs_moves() {
    // Also two versions of one dialog, and after they have changed places.
    let mut driver = Driver::open(&versions(), 200, 30);
    driver.press("w i w s 8 g w s j");
    assert_eq!(places(&driver), [(0, 0, 9), (1, 0, 1)]);
    driver.press("\\ j");
    assert_eq!(places(&driver), [(1, 0, 2), (0, 0, 10)]);
    let mut driver = Driver::demo("taskmaster-3.json", 200, 30);
    driver.press("2 g | J w s").shows("· apart");
    driver.press("j j j");
    assert_eq!(places(&driver), [(0, 1, 3), (0, 0, 2)]);
    // Together again, they keep their distance.
    driver.press("w s j j");
    assert_eq!(places(&driver), [(0, 1, 5), (0, 0, 4)]);
    driver.press("g 1 j");
    assert_eq!(places(&driver), [(0, 1, 1), (0, 0, 0)]);
    driver.press("5 g");
    // The wheel scrolls the one below it; a click goes there.
    let (column, row) = driver.place_of("dlg-demo-tm3-01  turn");
    let [_, (.., before)] = places(&driver);
    for _ in 0..9 {
        driver.wheel(MouseAction::WheelDown, column, row + 2);
    }
    let [focused, (.., after)] = places(&driver);
    assert_eq!(focused, (0, 1, 5));
    assert!(after > before, "{before} {after} {column} {row}\n{}", driver.screen());
    driver.press("k");
    assert_eq!(places(&driver), [(0, 1, 4), (0, 0, after - 1)]);
    driver.click(column + 3, row + 1);
    assert_eq!(places(&driver)[1], (0, 1, 4));
    assert_eq!(places(&driver)[0].1, 0);
}

#[test]
fn hits_and_marks_are_in_both_and_edits_in_the_one_with_the_focus() {
    let mut driver = Driver::open(&versions(), 200, 60);
    driver.press("w i / s o m e t h i n g enter");
    assert!(!pinned(&driver).hits.is_empty());
    assert_eq!(pinned(&driver).hits.len(), driver.app.panes.transcript.hits.len());
    driver.press("esc g");
    assert!(pinned(&driver).hits.is_empty());
    // An edit of the dialog that is on both sides is seen on both.
    driver.press("| | l d");
    let segments = |transcript: &Transcript| transcript.dialog.turns[0].segments.len();
    assert_eq!([&driver.app.panes.transcript, pinned(&driver)].map(segments), [2, 2]);
    assert!(driver.bytes(1).windows(15).any(|bytes| bytes == b"something funny"));
    // Undo leads to the dialog of the edit, and the pinned one follows its text.
    driver.press("\\ J u");
    assert_eq!(segments(pinned(&driver)), 3);
}

#[test]
fn votes_of_others_stay_hidden_in_the_pinned_dialog() {
    let logs = [demo("dbdc/demo_001.log.json"), demo("dbdc/demo_002.log.json")];
    let mut driver = Driver::open(&logs, 200, 60);
    let bars = |driver: &Driver| driver.screen().matches("majority").count();
    driver.press("D | J");
    let both = bars(&driver);
    driver.press("b");
    assert!(both > 2, "{both}");
    assert_eq!(bars(&driver), 0, "{}", driver.screen());
    // Also beside a dialog that nobody judges.
    let files = [demo("dbdc/demo_001.log.json"), demo("taskmaster-3.json")];
    let mut driver = Driver::open(&files, 200, 60);
    driver.press("D | b J");
    assert_eq!(places(&driver)[0].0, 1);
    assert_eq!(bars(&driver), 0, "{}", driver.screen());
}

#[test]
fn a_pinned_dialog_follows_its_file_or_goes() {
    let mut driver = Driver::open(&versions(), 200, 60);
    driver.press("w i 4 g");
    let [(_, text), _] = versions();
    let all: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    // It has moved to the end.
    let moved = serde_json::to_string_pretty(&[&all[1], &all[2], &all[0]]).unwrap();
    driver.reload(1, moved.replacen("something scary", "something sad", 1));
    assert_eq!(places(&driver), [(0, 0, 4), (1, 2, 4)]);
    driver.press("g").shows("something sad").shows("something scary");
    let without = serde_json::to_string_pretty(&all[1..]).unwrap();
    driver.reload(1, without);
    driver.shows("the pinned dialog is gone");
    assert!(driver.app.panes.pinned.is_none());
}

#[test]
fn where_two_have_no_room_one_is_shown_and_the_other_a_key_away() {
    let mut driver = Driver::demo("taskmaster-3.json", 40, 8);
    driver.press("|").shows("no room for two");
    driver.press("J G").shows("m3-02  turn 14");
    driver.press("\\").shows("tm3-01  turn 14");
    driver.tell(Msg::Resize(ratatui::layout::Size::new(40, 20)));
    driver.shows("tm3-01  turn 14").shows("m3-02  turn 14");
    // No other pane is covered.
    driver.press("tab").shows("turn 14 ·");
    driver.press("tab").shows("Dialogs");
}

#[test]
fn the_wheel_scrolls_through_turns_of_any_height() {
    for (columns, rows) in [(120, 30), (40, 8)] {
        let mut driver = Driver::demo("taskmaster-3.json", columns, rows);
        let steps = 300;
        let last = driver.app.panes.transcript.len() - 1;
        let (column, row) = driver.place_of("Transcript");
        for (action, end) in [(MouseAction::WheelDown, last), (MouseAction::WheelUp, 0)] {
            for _ in 0..steps {
                driver.wheel(action, column, row + 1);
            }
            let turn = driver.turn();
            assert_eq!(turn, end, "{columns}x{rows} {action:?}");
        }
    }
}

#[test]
fn what_differs_between_two_versions_is_marked() {
    let mut driver = Driver::open(&versions(), 200, 60);
    let is_marked = |driver: &Driver, word: &str| {
        let (column, row) = driver.place_of(word);
        let style = driver.cells()[(column, row)].style();
        style.add_modifier.contains(Modifier::BOLD | Modifier::UNDERLINED)
    };
    let mut turns = driver.app.panes.transcript.dialog.turns.iter();
    let turn = turns.position(|turn| turn.text.contains("something scary"));
    driver.press(&format!("{} g w i", turn.unwrap())).shows("something funny");
    assert!(is_marked(&driver, "scary") && is_marked(&driver, "funny"));
    assert!(!is_marked(&driver, "something scary"));
    driver.press("|");
    assert!(!is_marked(&driver, "scary"));
    // Other dialogs have nothing in common.
    driver.press("| J");
    assert!(!is_marked(&driver, "scary"));
}
