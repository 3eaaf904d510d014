//! Votes are saved while nobody types; other edits are saved when the user says so.

use serde_json::Value;
use turnwise::app::settings::Autosave;
use turnwise::app::{Effect, Msg};

use crate::browse::{Driver, demo};

/// A log of the demo, opened by the annotator mk.
fn log() -> Driver {
    let mut driver = Driver::open(&[demo("dbdc/demo_001.log.json")], 120, 40);
    driver.judge_as("mk");
    driver
}

fn wants_to_save(driver: &Driver) -> bool {
    wants_to_save_file(driver, 0)
}

fn wants_to_save_file(driver: &Driver, number: usize) -> bool {
    let is_save = |effect: &Effect| matches!(effect, Effect::Save { file, .. } if *file == number);
    driver.wanted.iter().any(is_save)
}

/// The votes of mk in a file as it is saved or would be: the letters, in the order of the turns.
fn votes(driver: &Driver) -> String {
    let log: Value = serde_json::from_slice(&driver.bytes(0)).unwrap();
    let turns = log["turns"].as_array().unwrap().iter();
    let all = turns.flat_map(|turn| turn["annotations"].as_array().unwrap());
    let own = all.filter(|vote| vote["annotator-id"] == "mk");
    own.map(|vote| vote["breakdown"].as_str().unwrap()).collect()
}

fn is_unsaved(driver: &Driver) -> bool {
    driver.screen().contains("unsaved")
}

#[test]
fn votes_are_saved_in_a_pause() {
    let mut driver = log();
    driver.press("o t");
    assert!(is_unsaved(&driver));
    let shown = driver.screen();
    driver.tell(Msg::Pause);
    assert!(!is_unsaved(&driver));
    let message = |screen: &str| {
        let row = screen.lines().last().unwrap();
        row.split("   ").next().unwrap().to_owned()
    };
    assert_eq!(message(&driver.screen()), message(&shown), "without a word");
    driver.tell(Msg::Pause);
    driver.press("u").shows("unsaved");
    assert_eq!(votes(&driver), "O");
    driver.tell(Msg::Pause);
    assert!(!is_unsaved(&driver), "what was undone, too");
    driver.press("C-r").tell(Msg::Pause);
    assert_eq!(votes(&driver), "OT");
}

#[test]
fn only_votes_are_saved_and_only_if_wanted() {
    let mut driver = log();
    driver.press("o e").type_text("!").press("enter");
    driver.tell(Msg::Pause);
    assert!(is_unsaved(&driver), "the text of a turn has changed, too");
    let mut driver = log();
    driver.app.settings.autosave = Autosave::Off;
    driver.press("o").tell(Msg::Pause);
    assert!(is_unsaved(&driver));
}

/// A vote cast during a save is refused, and says so; it can be cast once the save has ended, however it does.
#[test]
fn votes_cast_during_a_save_are_refused() {
    let failed = Msg::SaveFailed { file: 0, reason: "the disk is full".to_owned() };
    for ending in [None, Some(failed)] {
        let mut driver = log();
        driver.is_disk_slow = true;
        driver.press("o").tell(Msg::Pause);
        assert!(wants_to_save(&driver));
        driver.press("t").shows("demo_001.log.json is being saved; try again in a moment");
        driver.press("x").shows("demo_001.log.json is being saved; try again in a moment");
        assert_eq!(votes(&driver), "O");
        match ending {
            None => driver.save(0),
            Some(failed) => driver.tell(failed),
        }
        driver.press("t x");
        assert_eq!(votes(&driver), "OTX");
    }
}

/// After a save that failed, only the user saves again.
#[test]
fn a_failed_save_is_not_repeated() {
    let mut driver = log();
    driver.is_disk_slow = true;
    driver.press("o").tell(Msg::Pause);
    driver.tell(Msg::SaveFailed { file: 0, reason: "the disk is full".to_owned() });
    driver.shows("was not saved: the disk is full");
    driver.wanted.clear();
    driver.tell(Msg::Pause);
    assert!(!wants_to_save(&driver));
}

/// A file that another program has changed is asked about once.
#[test]
fn a_pause_asks_once() {
    let mut driver = log();
    driver.is_disk_slow = true;
    driver.press("o").tell(Msg::Pause);
    driver.tell(Msg::Changed { file: 0, saving: true });
    driver.shows("changed");
    driver.wanted.clear();
    driver.tell(Msg::Pause);
    driver.press("esc").tell(Msg::Pause);
    assert!(!wants_to_save(&driver));
    driver.press("C-s");
    assert!(wants_to_save(&driver), "a key still saves");
}

/// The save of one file ends nothing for another one, whose save was refused.
#[test]
fn a_refused_file_waits_while_others_are_saved() {
    let logs = [demo("dbdc/demo_001.log.json"), demo("dbdc/demo_002.log.json")];
    let mut driver = Driver::open(&logs, 120, 40);
    driver.judge_as("mk").is_disk_slow = true;
    driver.press("o").tell(Msg::Pause);
    driver.tell(Msg::AccessLoss { file: 0, lost: "owner".to_owned() });
    driver.shows("demo_001.log.json not saved: the owner cannot be kept").press("n J o");
    driver.wanted.clear();
    driver.tell(Msg::Pause);
    assert!(wants_to_save_file(&driver, 1), "the other file is saved");
    driver.save(1);
    driver.wanted.clear();
    driver.tell(Msg::Pause);
    assert!(!wants_to_save(&driver));
    driver.press("q").shows("export them to a file");
}

/// Quitting right after a vote saves it first; with other edits it asks.
#[test]
fn quitting_saves_the_last_votes() {
    let quits = |driver: &Driver| driver.wanted.iter().any(|effect| matches!(effect, Effect::Quit));
    let mut driver = log();
    driver.press("o t q");
    assert!(quits(&driver), "{}", driver.screen());
    assert_eq!(votes(&driver), "OT");
    let mut driver = log();
    driver.is_disk_slow = true;
    driver.press("o q").shows("saving the last votes");
    driver.save(0);
    assert!(quits(&driver));
    let mut driver = log();
    driver.press("o e").type_text("!").press("enter q").shows("2 unsaved edits;");
}
