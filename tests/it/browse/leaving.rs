//! Quitting when nothing can be saved, and the report of the next run about the last one.

use turnwise::app::{Blind, Effect, Msg};
use turnwise::workspace::{EditHistory, JournalEntry, JournalOp};

use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

#[test]
fn edits_that_could_not_be_saved_can_be_kept_on_leaving() {
    let files = [demo("taskmaster-3.json"), demo("sim-m.json")];
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("l ] J J J l ] q").shows("2 unsaved edits;");
    driver.shows_not("export them to a file").press("f").shows("2 unsaved edits;").press("esc");
    driver.app.update(Msg::Key("C-s".parse().unwrap()));
    let reason = "no room".to_owned();
    driver.tell(Msg::SaveFailed { file: 1, reason });
    driver.press("q").shows("f export them to a file").press("f").shows_not("unsaved edits;");
    driver.shows("●2 unsaved");
    let Some(Effect::ExportEdits { files, all: false }) = driver.wanted.last() else {
        panic!("{:?}", driver.wanted);
    };
    let kept: Vec<_> =
        files.iter().map(|kept| (kept.file, kept.records.len(), kept.undone)).collect();
    assert_eq!(kept, [(0, 1, 0), (1, 1, 0)]);
    assert!(files[0].records[0].contains("\"set_span\""), "{files:?}");
    assert!(!driver.wanted.contains(&Effect::Quit));
}

/// The unsaved edits of a run in which `annotator` judges.
pub fn unsaved(annotator: &str, keys: &str) -> Vec<JournalEntry> {
    let mut driver = Driver::demo(LOG, 120, 40);
    annotator.clone_into(&mut driver.app.judging.annotator);
    driver.press("esc").press(keys);
    let made = driver.wanted.iter().filter_map(|effect| match effect {
        Effect::Journal { file: 0, what: JournalOp::Did(entry) } => Some(entry.clone()),
        _ => None,
    });
    made.collect()
}

/// Says that the last run left these edits of a file unsaved.
fn left(driver: &mut Driver, file: usize, unsaved: Vec<JournalEntry>) {
    driver.tell(Msg::History { file, past: EditHistory::default(), unsaved });
}

/// The next run, in which `mk` judges.
pub fn next_run(told: Option<&str>, unsaved: Vec<JournalEntry>) -> Driver {
    let files = [demo(LOG)];
    let mut driver = Driver::unopened(&files, 120, 40);
    driver.judge_as("mk");
    if let Some(told) = told {
        driver.tell(Msg::Complaint(told.to_owned()));
    }
    left(&mut driver, 0, unsaved);
    driver.read_all(&files);
    driver
}

#[test]
fn messages_behind_a_question_are_shown_once_it_is_answered() {
    let told = "2 edits of a.log.json, which has changed meanwhile, are kept";
    for before in [true, false] {
        let mut driver = next_run(before.then_some(told), unsaved("mk", "x x"));
        if !before {
            driver.tell(Msg::Complaint(told.to_owned()));
        }
        driver.shows("left 2 unsaved edits");
        driver.press("n").shows("for good?").press("y");
        driver.shows("discarded the edits from the last run").shows(told);
        // The next message does not replace it; the next key does.
        driver.tell(Msg::Focused);
        driver.shows(told).press("j").shows_not(told);
    }
    // A question does not repeat the answer to a key.
    let mut driver = next_run(None, unsaved("mk", "x x"));
    driver.press("n esc").shows("left 2 unsaved edits").press("v esc esc");
    driver.shows("2 unsaved edits still undecided · :recover asks again");
    driver.press("x").shows("left 2 unsaved edits");
    driver.press("y").shows_not("first decide about");
}

#[test]
fn votes_of_another_annotator_are_named_where_edits_are_listed() {
    let made = unsaved("kk", "o x");
    let mut driver = next_run(None, made.clone());
    driver.press("v").shows("kk's vote O on turn 1");
    driver.press("y E").shows("kk's vote X on turn 3");
    // One's own are not, and a blind judge reads no other's.
    let mut own = next_run(None, unsaved("mk", "o"));
    own.press("v").shows("vote O on turn 1").shows_not("mk's vote");
    let mut blind = next_run(None, Vec::new());
    blind.app.judging.blind = Blind::Always;
    blind.press("esc");
    left(&mut blind, 0, made);
    blind.read_all(&[demo(LOG)]);
    blind.press("v").shows("a vote on turn 1, hidden").shows_not("kk's").shows_not("breakdown\"");
    // Nor does a blind judge read one that was saved and undone.
    let mut saved = Driver::demo(LOG, 120, 40);
    saved.judge_as("kk").press("esc o");
    let made = unsaved("kk", "o u");
    let mut blind = Driver::unopened(&[demo(LOG)], 120, 40);
    blind.judge_as("mk").app.judging.blind = Blind::Always;
    let past = EditHistory::default().after(&made[..1]);
    blind.tell(Msg::History { file: 0, past, unsaved: made[1..].to_vec() });
    blind.read(0, saved.bytes(0));
    blind.press("v").shows("undone a vote on turn 1, hidden").shows_not("breakdown\"");
}

#[test]
pub fn unsaved_edits_are_asked_about_once_all_files_are_read() {
    let (name, text) = demo(LOG);
    let other = name.replace("log", "other.log");
    let files = [(name, String::new()), (other.as_str(), String::new())];
    let mut driver = Driver::unopened(&files, 120, 40);
    driver.judge_as("mk");
    for (file, keys) in [(0, "x x"), (1, "o")] {
        left(&mut driver, file, unsaved("mk", keys));
    }
    driver.read(0, text.clone().into_bytes());
    driver.shows_not("unsaved edits");
    driver.read(1, text.into_bytes());
    driver.shows("left 3 unsaved edits");
    // A user who asks earlier, or edits such a file, gets the question at once.
    for (key, told) in [("E", "2 edits from the last run:"), ("x", "unsaved edits")] {
        let mut early = Driver::unopened(&files, 120, 40);
        left(early.judge_as("mk"), 0, unsaved("mk", "x x"));
        early.read(0, demo(LOG).1.into_bytes());
        early.shows_not("unsaved edits").press(key).shows(told);
    }
}
