//! The numbers in headings, each as a whole and compared with what there is: `2 of 3` is also in `12 of 30`.

use super::{Driver, at, demo};

/// The parts of a row of the screen: two spaces or the side of a pane are between them.
fn parts(driver: &Driver, row: usize) -> Vec<String> {
    let screen = driver.screen();
    let row = screen.lines().nth(row).unwrap_or_default();
    let parts = row.split('│').flat_map(|part| part.split("  "));
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// A row of the screen has this part.
fn has(driver: &Driver, row: usize, part: &str) {
    let parts = parts(driver, row);
    assert!(parts.iter().any(|own| own == part), "{part}: {parts:?}");
}

/// A file of `count` dialogs: every second one says "two".
fn file(name: &str, count: usize) -> (&str, String) {
    let dialog = |number: usize| {
        let word = ["one", "two"][number % 2];
        format!(
            r#"{{"conversation_id": "{}-{number}", "instruction_id": "i", "utterances": [
                {{"index": 0, "speaker": "USER", "text": "{word} times"}}]}}"#,
            &name[..1]
        )
    };
    let dialogs: Vec<_> = (0..count).map(dialog).collect();
    (name, format!("[{}]", dialogs.join(",\n")))
}

#[test]
fn the_place_of_a_dialog_is_counted_in_its_file_and_in_all() {
    let files = [file("a.json", 12), file("b.json", 1203)];
    let mut driver = Driver::open(&files, 120, 30);
    for number in 1..=12 {
        has(&driver, 0, &format!("{number} of 12 in this file"));
        has(&driver, 1, &format!("{number} of 1,215"));
        driver.press("J");
    }
    has(&driver, 0, "1 of 1,203 in this file");
    has(&driver, 1, "13 of 1,215");
    driver.press("f6 G");
    has(&driver, 0, "1,203 of 1,203 in this file");
    has(&driver, 1, "1,215 of 1,215");
    // One dialog in its file, and one file.
    let one = Driver::open(&[file("a.json", 1), file("b.json", 2)], 120, 30);
    assert_eq!(parts(&one, 0), ["turnwise", "a.json", "a-0"]);
    let one = Driver::open(&[file("b.json", 2)], 120, 30);
    assert_eq!(parts(&one, 0), ["turnwise", "b.json", "b-0", "1 of 2"]);
}

#[test]
fn hits_are_counted_in_their_heading_and_one_by_one() {
    let mut driver = Driver::open(&[file("a.json", 12), file("b.json", 1203)], 120, 30);
    driver.press("/").type_text("two").press("enter");
    // Every second dialog: 6 of 12 and 601 of 1,203.
    has(&driver, 2, "607 hits in 607 dialogs");
    for number in 1..=8 {
        has(&driver, 29, &format!("two: {number} of 607 · n next"));
        driver.press("n");
    }
    driver.press("p p p p p p p p p");
    let last = parts(&driver, 29);
    assert!(last[0].starts_with("two: 607 of 607 · "), "{last:?}");
}

#[test]
fn problems_and_unsaved_edits_of_a_dialog_are_counted() {
    let mut driver = Driver::open(&[demo("taskmaster-3.json")], 120, 30);
    for dialog in 0..3 {
        let found = driver.found(at(0, dialog)).problems;
        let worth = found.iter().filter(|p| p.is_worth_changing()).count();
        assert!(worth > 1);
        has(&driver, 0, &format!("▲{worth} problems"));
        driver.press("J");
    }
    for edits in 1..=3 {
        driver.press("right d");
        has(&driver, 0, &format!("●{edits} unsaved"));
    }
    driver.press("u");
    has(&driver, 0, "●2 unsaved");
}
