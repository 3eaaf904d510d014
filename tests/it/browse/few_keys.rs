//! How many keys the usual work takes.

use serde_json::Value;
use turnwise::app::Effect;

use super::{Driver, demo};

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

#[test]
fn a_span_of_three_words_is_made_and_labelled() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    press(&mut driver, "enter W W W a 1", 8).shows("●1 unsaved");
    let turn = &driver.app.panes.transcript.dialog.turns[0];
    let added =
        turn.segments.iter().find(|segment| segment.span.is_some_and(|span| span.start == 0));
    let span = added.and_then(|segment| segment.span).unwrap();
    let covered: String = turn.text.chars().take(span.end as usize).collect();
    assert_eq!(covered.split_whitespace().count(), 3, "{covered:?}");
}

/// Three logs with ten system turns each.
#[test]
fn thirty_judgements_take_thirty_keys() {
    let (name, log) = demo("dbdc/demo_002.log.json");
    let files: Vec<_> = (0..3).map(|number| (format!("{number}-{name}"), log.clone())).collect();
    let files: Vec<_> = files.iter().map(|(name, log)| (name.as_str(), log.clone())).collect();
    let mut driver = Driver::open(&files, 120, 40);
    "mk".clone_into(&mut driver.app.judging.annotator);
    press(&mut driver, &"o t x ".repeat(10), 30).shows("judged 30/30");
    let mut votes = 0;
    for file in 0..3 {
        let log: Value = serde_json::from_slice(&driver.bytes(file)).unwrap();
        let turns = log["turns"].as_array().unwrap().iter();
        let all = turns.flat_map(|turn| turn["annotations"].as_array().unwrap());
        votes += all.filter(|vote| vote["annotator-id"] == "mk").count();
    }
    assert_eq!(votes, 30);
}
