//! How many keys the usual work takes.

use turnwise::app::Effect;

use super::Driver;

/// Presses at most `most` keys.
#[track_caller]
fn press<'d>(driver: &'d mut Driver, keys: &str, most: usize) -> &'d mut Driver {
    let count = keys.split_whitespace().count();
    assert!(count <= most, "{count} keys");
    driver.press(keys)
}

/// In the file that the demo shows first: find a problem, repair it, save, undo that, and quit without saving.
#[test]
fn a_repair_is_made_saved_and_undone() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut driver = Driver::demo("taskmaster-1.json", columns, rows);
        let before = driver.bytes(0);
        // Every key is one that the screen shows when it is needed.
        driver.shows("n problem").press("n").shows("f end at 17");
        driver.press("f").shows("▸ 1 end at 17").press("1");
        driver.shows("Ctrl-S save").press("C-s").shows("saved");
        assert_ne!(driver.bytes(0), before);
        driver.press("u").shows("undone").press("q");
        driver.shows("n quit without saving");
        assert_eq!(driver.bytes(0), before);
        let mut driver = Driver::demo("taskmaster-1.json", columns, rows);
        press(&mut driver, "n f 1 C-s u q n", 7);
        assert!(driver.wanted.contains(&Effect::Quit), "{:?}", driver.wanted);
    }
}

/// The keys that go from turn to turn go from fix to fix.
#[test]
fn fixes_are_chosen_like_turns() {
    let mut driver = Driver::demo("taskmaster-1.json", 80, 24);
    driver.press("n f j").shows("▸ 2 end at 11");
    driver.press("k").shows("▸ 1 end at 17");
    driver.press("j enter").shows("end at 11");
    driver.shows("Ctrl-S save");
}
