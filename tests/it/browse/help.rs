//! The help: an overview of the place one is at, the marks, the keys that work there, the manual.

use ratatui::layout::Size;
use turnwise::app::Msg;
use turnwise::app::help::filled;
use turnwise::app::input::{Command, KeyLookup};
use turnwise::app::manual::plain;

use super::Driver;
use crate::support::amount;

/// Files, the keys pressed in them, and the title of the help there.
const PLACES: &[(&str, &str, &str)] = &[
    ("taskmaster-3.json", "", "Help: reading a dialog"),
    ("taskmaster-3.json", "5 g l l", "Help: reading a dialog"),
    ("taskmaster-3.json", "f6", "Help: choosing a dialog"),
    ("taskmaster-3.json", "f7", "Help: in the details"),
    ("taskmaster-3.json", "dot f7 j j", "Help: in the details"),
    ("taskmaster-3.json", "P f7", "Help: in the details"),
    ("taskmaster-3.json", "enter", "Help: editing spans in a turn"),
    ("taskmaster-1.json", "V", "Help: judging a dialog"),
    ("sim-m.json", "", "Help: reading a dialog"),
    ("sim-gen.json", "", "Help: reading a dialog"),
    ("dbdc/demo_001.log.json", "", "Help: judging a dialog"),
    ("dbdc/demo_001.log.json", "f7", "Help: in the details"),
    ("dbdc/demo_001.labels.json", "", "Help: reading a dialog"),
];

fn place(file: &str, before: &str) -> Driver {
    let mut driver = Driver::demo(file, 80, 24);
    driver.press(before);
    driver
}

/// The rows of the help from the one that begins with `from` to the one with `to`, on a screen with room for
/// all of it.
fn rows(mut driver: Driver, from: &str, to: &str) -> Vec<String> {
    let (columns, rows) = (80, 250);
    driver.tell(Msg::Resize(Size::new(columns, rows)));
    let screen = driver.press("?").screen();
    let inside = |row| str::trim_matches(row, ['│', '┌', '─', '┐']).trim_end();
    let begun = screen.lines().map(inside).skip_while(|row| !row.trim_start().starts_with(from));
    let rows = begun.skip(1).take_while(|row| !row.trim_start().starts_with(to));
    rows.map(str::to_owned).collect()
}

#[test]
fn help_begins_with_an_overview_of_the_place() {
    for (file, before, title) in PLACES {
        let overview = rows(place(file, before), "Help: ", "Marks on the screen");
        let filled = overview.iter().filter(|row| !row.is_empty()).count();
        assert!((6..=15).contains(&filled), "{file} {before}\n{overview:#?}");
        let mut driver = place(file, before);
        driver.press("?").shows(title).shows("Marks on the screen");
        for what in ["  Undo ", "  Save ", "any command by name", "the manual, below"] {
            driver.shows(what);
        }
    }
}

/// Parts of the messages for a key that can do nothing where it is pressed.
const REFUSALS: &[&str] = &[
    "is not bound here",
    "these dialogs have no",
    "these dialogs cannot",
    "no votes here",
    "judge in the transcript",
    "nothing can be added",
    "select an item with a name",
    "nothing is selected in the details",
    "this cannot be deleted",
    "no problems found",
    "no open file has",
    "always judged",
    "judge the breakdown log",
];

#[test]
fn many_keys_that_are_listed_work_there() {
    // A few of each place: other ones in the next.
    let step = amount(6, 1);
    for (number, (file, before, _)) in PLACES.iter().enumerate() {
        let keys = rows(place(file, before), "Marks on the screen", "The manual");
        let mut tried = 0;
        for row in keys.iter().skip(number % step).step_by(step) {
            // Keys, and from column 26 on their descriptions.
            let (keys, doc) =
                row.split_at(row.char_indices().nth(26).map_or(row.len(), |(at, _)| at));
            if !keys.starts_with("  ") || keys.chars().nth(2) == Some(' ') || doc.trim().is_empty()
            {
                continue;
            }
            let is_it = |c: &Command| c.doc().starts_with(doc.trim()) && !doc.starts_with(' ');
            for command in Command::ALL.iter().copied().filter(is_it) {
                tried += 1;
                let mut driver = place(file, before);
                let Some(keys) = keys_of(&driver, command) else {
                    continue;
                };
                driver.press(&keys);
                let screen = driver.screen();
                let refused = REFUSALS.iter().find(|refusal| screen.contains(**refusal));
                assert_eq!(refused, None, "{file} {before}: {row:?} {command:?}\n{screen}");
            }
        }
        assert!(tried > 20 / step, "{file} {before}: {tried}");
    }
}

/// Keys that run `command` where the driver is, as they are written in keymaps.
fn keys_of(driver: &Driver, command: Command) -> Option<String> {
    let (keymap, scopes) = (&driver.app.input.keymap, driver.app.scopes());
    let runs = |keys: &[turnwise::app::input::key::Key]| matches!(keymap.find(scopes, keys), KeyLookup::Command(found) if found == command);
    let mut all = keymap.bindings().iter();
    let binding = all.find(|b| scopes.contains(&b.scope) && runs(&b.keys))?;
    let keys: Vec<_> = binding.keys.iter().map(|key| key.shown(keymap.names)).collect();
    Some(keys.join(" "))
}

/// A place, texts of the help there, and texts that it does not have.
type Case<'c> = (&'c dyn Fn() -> Driver, &'c [&'c str], &'c [&'c str]);

#[test]
fn help_has_no_keys_for_what_is_not_there() {
    let log = "dbdc/demo_001.log.json";
    let adjudicated = || {
        let mut driver = Driver::demo("dbdc/demo_001.log.json", 80, 24);
        driver.run("adjudicate").press("f7");
        driver
    };
    let cases: [Case<'_>; 5] = [
        (
            &|| place(log, ""),
            &["vote X (a breakdown)", "▁▃▅ OOOT=X·", "tie O/T"],
            // Nor is there anything to search for that no file has, or a log to turn judging on for.
            &["merge with", "spans", "API", "L label", "← segment", "turn judging on"],
        ),
        // Only an adjudicator votes in the details.
        (&|| place(log, "f7"), &[], &["vote X"]),
        (&adjudicated, &["vote X"], &[]),
        // Commands that need a segment are listed with the keys that select one.
        (
            &|| place("taskmaster-3.json", ""),
            &["  select a segment first (→)\n  ]   "],
            &["vote X", "tie O/T"],
        ),
        (&|| place("taskmaster-3.json", "l"), &[], &["select a segment first"]),
    ];
    for (driver, there, not) in cases {
        let listed = rows(driver(), "Help: ", "The manual").join("\n");
        assert!(there.iter().all(|text| listed.contains(text)), "{there:?}\n{listed}");
        assert!(!not.iter().any(|text| listed.contains(text)), "{not:?}\n{listed}");
    }
}

#[test]
fn chapters_are_opened_and_closed_again() {
    let mut driver = Driver::demo("taskmaster-3.json", 80, 30);
    // Down at the end, the chapters are selected, the first one that is seen first.
    driver.press("? G down").shows("▸ browsing").press("down down up").shows("▸ searching");
    driver.press("enter pgdn").shows("If nothing is found").press("esc");
    driver.shows("▸ searching").press("esc").shows("→ segment");
    // A chapter leads to others.
    driver.press("? tab tab tab enter tab enter").shows("Manual: scripting").press("esc esc");
    driver.shows("▸ repairing").press("enter q").shows("→ segment");
    driver.press("? tab tab tab enter tab");
    let (column, row) = driver.place_of("▸");
    driver.click(column, row).shows("Manual: scripting").press("esc").shows("Manual: repairing");
    driver.press("q").shows("→ segment");
    // Enter closes the help if nothing is selected, or if the selection was scrolled away.
    driver.press("? enter").shows("→ segment").press("? tab home enter").shows("→ segment");
    driver.press("? G");
    let (column, row) = driver.place_of("judging  ");
    driver.click(column, row).shows("Manual: judging");
    driver.click(column, row).shows("The manual").click(2, 2).shows("→ segment");
    // At its end, a chapter stays there on a screen of another size.
    driver.press("? tab tab enter G");
    for (columns, rows) in [(50, 9), (120, 40)] {
        driver.tell(Msg::Resize(Size::new(columns, rows)));
        driver.shows("Manual: searching").press("G").shows("say?");
    }
}

#[test]
fn every_chapter_is_shown_whole_on_every_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 15), (40, 8)] {
        let mut driver = Driver::demo("taskmaster-3.json", columns, rows);
        for chapter in turnwise::app::manual::CHAPTERS {
            driver.press("? tab");
            for _ in turnwise::app::manual::CHAPTERS {
                if driver.screen().contains(&format!("▸ {} ", chapter.name)) {
                    break;
                }
                driver.press("tab");
            }
            driver.press("enter").shows(&format!("Manual: {}", chapter.name));
            // Its last word is on the last page.
            let text = plain(&filled(chapter.text, &driver.app.input.keymap));
            let mut words = text.split_whitespace().rev();
            let last = words.find(|word| word.chars().all(char::is_alphabetic));
            driver.press("G").shows(last.unwrap()).press("q");
        }
    }
}

#[test]
fn keys_in_the_help_and_in_prompts_are_the_users() {
    let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
    let own = "[everywhere]\nquit = \"F10\"\n[transcript]\nsegment_next = \"F8\"\n[judging]\nvote_x = \"F9\"";
    driver.app.input.keymap.merge(own).unwrap();
    driver.press("?").shows("F10 asks first").shows("F8 ← segment");
    driver.press("tab tab tab tab enter").shows("Manual: judging").shows("o t F9");
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("e").shows("Enter saves · Alt-Enter new line · Esc cancels");
    let own = "[prompt]\naccept = \"F2\"\ncancel = \"F10\"\ndown = \"F8\"";
    driver.app.input.keymap.merge(own).unwrap();
    driver.shows("F2 saves · Enter new line · F10 cancels");
}

/// `/` lists the lines of the page with a text, and Enter goes to one.
#[test]
fn lines_of_the_help_are_found() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 24);
    driver.press("? /").type_text("BOOKMARK").shows("Lines of this page").press("down enter");
    driver.shows("Help: reading a dialog").shows("bookmark");
    driver.find("no such words");
    driver.shows("no line contains no such words").press("/ esc").shows("Help: reading a dialog");
    // In a chapter, which closes to the overview as before.
    driver.press("G tab enter / C-u").type_text("mouse").press("enter");
    driver.shows("Manual: ").press("esc").shows("Help: reading a dialog");
}
