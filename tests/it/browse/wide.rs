//! Wide screens, and one pane on the whole screen.

use super::{Driver, demo};

/// Ids of the Taskmaster corpora have 40 characters.
#[test]
fn ids_are_whole_on_a_wide_screen() {
    let (name, text) = demo("taskmaster-1.json");
    let long = |number: &str| format!("dlg-{number}0a4c9-1f2e-4b6d-9c3a-5d7e8f9a0b1c");
    let mut text = text;
    for number in ["01", "02", "03"] {
        text = text.replace(&format!("dlg-demo-tm1-{number}"), &long(number));
    }
    let mut driver = Driver::open(&[(name, text)], 200, 60);
    for number in ["01", "02", "03"] {
        driver.shows(&format!(" {} ", long(number)));
    }
}

#[test]
fn a_pane_fills_the_screen_until_escape() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
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

/// A bar has two columns for each of 30 votes if they fit, or one, or fewer.
#[test]
fn bars_of_votes_grow_with_the_screen() {
    let bar = |columns, keys: &str| {
        let mut driver = Driver::demo("dbdc/demo_002.log.json", columns, 60);
        driver.press(keys);
        let screen = driver.screen();
        let line = screen.lines().find(|line| line.contains("T 4  X 1  majority O"));
        let line = line.unwrap_or_else(|| panic!("{screen}"));
        let bar = line.split("  O 25").next().unwrap_or_default();
        bar.chars().filter(|char| "─═┅".contains(*char)).count()
    };
    assert_eq!(bar(120, "w t"), 6);
    assert_eq!(bar(200, "w t"), 30);
    assert_eq!(bar(200, "w t w z"), 60);
}

/// A string that does not fit goes on below its first character.
#[test]
fn long_strings_of_the_source_hang_below_their_beginning() {
    let mut driver = Driver::demo("taskmaster-3.json", 200, 60);
    driver.press("S");
    let screen = driver.screen();
    let rows: Vec<_> = screen.lines().collect();
    let at = rows.iter().position(|row| row.contains("\"text\": \""));
    let at = at.unwrap_or_else(|| panic!("{screen}"));
    let column = |row: &str, text: &str| row.find(text).map(|byte| row[..byte].chars().count());
    let begins = column(rows[at], "\"text\": \"").unwrap() + "\"text\": \"".len();
    let below: Vec<char> = rows[at + 1].chars().collect();
    assert!(below[begins] != ' ' && below[begins - 1] == ' ', "{screen}");
}
