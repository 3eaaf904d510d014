//! The last row: it offers only keys that do something.

use turnwise::workspace::LockOutcome;

use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

#[test]
fn commands_that_can_do_nothing_are_not_hinted() {
    let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
    driver.press("enter").shows("W select word").shows_not(" a add").shows_not(" u undo");
    driver.press("u").shows("nothing to undo").shows_not("u undo");
    driver.press("W").shows(" a add");
    let mut driver = Driver::demo(LOG, 80, 24);
    driver.judge_as("mk").press("1 G esc").shows("o no breakdown");
    driver.press("0 G esc").shows("Space skip").shows_not(" o no breakdown");
}

/// Edits can wait in files other than that of the open dialog.
#[test]
fn the_hint_saves_where_edits_wait() {
    let files = [demo("taskmaster-3.json"), demo("sim-m.json")];
    let mut driver = Driver::open(&files, 80, 24);
    driver.press("l ] j").shows("Ctrl-S save").shows_not("W save all");
    driver.press("J J J").shows("W save all").shows_not("Ctrl-S save").shows("u undo");
    driver.press("l ]").shows("W save all").shows("Ctrl-S save");
    driver.press("C-s j").shows("W save all");
    // With the caret in a turn, its key selects a word.
    driver.press("enter").shows_not("W save all");
    driver.press("esc W j").shows_not("save");
    // Votes beside a corpus are saved like edits in it.
    let mut driver = Driver::open(&[demo("taskmaster-3.json")], 120, 40);
    driver.judge_beside().press("V space o space").shows("Ctrl-S save");
}

/// Another process edits the file: the header says so as long as it does.
#[test]
fn a_file_that_another_process_edits_is_marked() {
    let mut driver = Driver::demo("taskmaster-1.json", 80, 24);
    driver.press("n").shows("end at 17").press("esc").shows("f fix").shows("Enter edit");
    driver.lock_with(LockOutcome::Taken("7".to_owned()));
    driver.press("l ]").shows("is being edited by another process");
    driver.press("j k").shows_not("edited by").shows("read-only");
    driver.shows_not("f fix").shows_not("Enter edit");
    driver.press("p n").shows("n next").shows_not("· f end at");
    // The next edit tries again.
    driver.lock_with(LockOutcome::Ours);
    driver.press("l ]").shows("●1 unsaved").shows_not("read-only").shows("Ctrl-S save");
}

/// The header and the list count errors and warnings only, so the sign of a note is another.
#[test]
fn a_note_has_another_sign_than_a_problem() {
    let mut driver = Driver::demo(LOG, 80, 24);
    driver.press("1 9 G").shows("· the utterance ends with").shows_not("▲");
    driver.press("?").shows("· text");
    let mut driver = Driver::demo("taskmaster-1.json", 80, 24);
    driver.press("n").shows("▲").press("?").shows_not("· text");
}

/// Queries as long as the screen is wide, all of which find turns of the system.
const LONG: &str = "speaker:system not words>100 not words>101 not words>102 not words>103 not words>104 \
                    not words>105 not words>106";

#[test]
fn a_message_leaves_the_keys_their_row() {
    let mut driver = Driver::demo(LOG, 80, 24);
    driver.judge_as("mk");
    let votes = |driver: &Driver| {
        let screen = driver.screen();
        let row = screen.lines().last().unwrap_or_default();
        for key in ["o no breakdown", "t possible", "x breakdown"] {
            assert!(row.contains(key), "{screen}");
        }
        assert!(row.matches("not words").count() < 9, "{row}");
    };
    votes(driver.find(LONG));
    driver.shows("1 of 10").shows("10 in 1 dialog");
    votes(driver.press("Q"));
    driver.shows("queue \"system turns found by speaker:system");
    for key in ["o", "n", "C-g", "x"] {
        votes(driver.press(key));
    }
    // An error, which says what to do, is whole.
    votes(driver.find(&format!("{LONG} \"")));
    // A query with a name is called by it.
    let queries = toml::from_str(&format!("\"long ones\" = '{LONG}'")).unwrap();
    driver.app.settings.queries = queries;
    driver.press("esc esc : l o n g enter").shows("“long ones”: ").shows_not("words>100");
    driver.press("Q").shows("system turns found by “long ones”").shows_not("words>100");
}

/// A key that begins several sequences lists what may follow.
#[test]
fn keys_that_may_follow_are_listed() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("w").shows("┌ w ─").shows("focus the details");
    driver.press("d").shows_not("┌ w ─");
    driver.press("w esc").shows_not("┌ w ─");
}
