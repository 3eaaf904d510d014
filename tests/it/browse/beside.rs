//! Judging dialogs of families that hold no votes: keys in, votes in a log beside the corpus.

use std::path::{Path, PathBuf};

use serde_json::Value;
use turnwise::workspace::FoundLog;

use super::{Driver, at, demo, fixtures};

/// The program on corpora whose votes go to the folder `votes`.
fn judge(names: &[&str]) -> Driver {
    let files: Vec<_> = names.iter().map(|name| demo(name)).collect();
    let mut driver = Driver::open(&files, 120, 40);
    driver.judge_beside();
    driver
}

/// A log that was begun, as it would be saved.
fn log(driver: &Driver, file: usize) -> Value {
    serde_json::from_slice(&driver.bytes(file)).unwrap()
}

/// Breakdowns in a log, turn by turn.
fn votes(log: &Value) -> Vec<(usize, String)> {
    let turns = log["turns"].as_array().unwrap().iter().enumerate();
    let votes = turns.flat_map(|(number, turn)| {
        let votes = turn["annotations"].as_array().unwrap().iter();
        votes.map(move |vote| (number, vote["breakdown"].as_str().unwrap().to_owned()))
    });
    votes.collect()
}

/// Says that a file, the last one, is a log found beside the others; `named` if it was opened like these.
fn expect_log(driver: &mut Driver, file: usize, named: bool) {
    let files = &mut driver.app.workspace.files;
    files.logs.folders = vec![Path::new("votes").into(); file + 1];
    files.expect_log(FoundLog {
        file,
        place: PathBuf::from("votes/d.log.json"),
        new: false,
        named,
    });
}

#[test]
fn a_key_means_a_vote_only_once_the_corpus_is_judged() {
    let mut driver = judge(&["taskmaster-3.json"]);
    driver.press("j o").shows("o is not bound here · V turns judging on");
    driver.press("V").shows("votes are saved in votes").shows("judged 0/");
    driver.press("o").shows("judged 1/").shows("●1 unsaved").shows("you O");
    assert_eq!(driver.app.workspace.files.len(), 2);
    driver.press("V").shows("judging is off").shows_not("judged");
    driver.press("V u").shows("judged 0/").shows_not("unsaved").press("U");
    // An edit of the corpus does not lose the votes on it, but a turn with one does not become a user's.
    driver.press("1 g e").type_text(" So.").press("enter").shows("you O");
    assert!(driver.app.workspace.files.is_modified(0) && driver.app.workspace.files.is_modified(1));
    driver.press("C-s").shows_not("unsaved");
    assert_eq!(driver.app.workspace.files.log_of(at(0, 0)), Some(at(1, 0)));
    let before = driver.bytes(0);
    driver.run("set_speaker").press("1");
    driver.shows("the turn has 1 vote, but only system turns are judged");
    assert_eq!(driver.bytes(0), before);
}

#[test]
fn votes_go_to_a_log_in_the_form_of_the_challenge_and_nowhere_else() {
    for name in
        ["taskmaster-3.json", "sim-m.json", "sim-gen.json", "messages.jsonl", "sharegpt.json"]
    {
        let mut driver = judge(&[name]);
        let before = driver.bytes(0);
        driver.press("V space o x t");
        assert_eq!(driver.bytes(0), before, "{name}");
        assert!(!driver.app.workspace.files.is_modified(0));
        let log = log(&driver, 1);
        let dialog = &driver.app.panes.transcript.dialog;
        assert_eq!(log["dialogue-id"], dialog.id.as_str());
        assert_eq!(log["group-id"], name);
        assert_eq!(log["turns"].as_array().unwrap().len(), dialog.turns.len());
        for (number, turn) in dialog.turns.iter().enumerate() {
            let logged = &log["turns"][number];
            assert_eq!(logged["turn-index"], number);
            assert_eq!(logged["utterance"], turn.text.as_str());
            assert!(logged["speaker"] == "U" || logged["speaker"] == "S");
        }
        let letters: Vec<_> = votes(&log).into_iter().map(|(_, vote)| vote).collect();
        assert_eq!(letters, ["O", "X", "T"], "{name}");
        driver.press("C-s").shows("as a new file").shows_not("unsaved");
    }
}

#[test]
fn in_chats_only_messages_of_the_assistant_are_judged() {
    let mut driver = judge(&["messages.jsonl"]);
    driver.press("V 0 G o").shows("turn 0 is not the system's; only system turns are judged");
    driver.press("3 G x").shows("turn 3 is not the system's");
    driver.press("1 G x").shows("turn 1 is a user's");
    driver.press("2 G o 4 G x").shows("judged 2/");
    let log = log(&driver, 1);
    assert_eq!(votes(&log), [(2, "O".to_owned()), (4, "X".to_owned())]);
    let speakers: Vec<_> = log["turns"].as_array().unwrap().iter().map(|t| &t["speaker"]).collect();
    assert_eq!(speakers, ["U", "U", "S", "U", "S", "U", "S", "U", "S"]);
    // The last message of this dialog is empty.
    driver.press("J J J J 7 G o").shows("turn 7 is empty; only system turns are judged");
}

#[test]
fn dialogs_with_one_id_or_none_have_logs_of_their_own() {
    let ids = ["same", "same", "SAME", "", "../x"].into_iter().enumerate();
    let dialogs: Vec<_> =
        ids.map(|(number, id)| said(id, &["hi", &format!("no. {number}"), "bye"])).collect();
    let mut driver = judging(&[("a.json", format!("[{}]", dialogs.join(",\n")))]);
    driver.press("V space o o o o o").shows("judged 5/5");
    let mut places = Vec::new();
    for file in 1..6 {
        assert_eq!(votes(&log(&driver, file)), [(1, "O".to_owned())]);
        let place = driver.app.workspace.files.place(file).unwrap();
        assert_eq!(place.parent(), Some(Path::new("votes")));
        places.push(place.to_string_lossy().to_lowercase());
    }
    assert_eq!(places[0], "votes/same.log.json");
    assert!(places[3].starts_with("votes/a-3.log"), "{places:?}");
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 5);
}

/// A dialog in which every second turn, from the second, is the system's.
fn said(id: &str, texts: &[&str]) -> String {
    fixtures::said(id, texts).to_string()
}

const SAID: [&str; 6] = ["hi", "hello", "two seats", "for when?", "now", "done"];

/// As [`SAID`], but for one utterance.
const ALIKE: [&str; 6] = ["hi", "welcome", "two seats", "for when?", "now", "done"];

fn judging(files: &[(&str, String)]) -> Driver {
    let mut driver = Driver::open(files, 120, 40);
    driver.judge_beside();
    driver
}

#[test]
fn dialogs_of_two_corpora_with_one_id_have_logs_of_their_own() {
    let files = [("a.json", said("d", &SAID)), ("b.json", said("d", &ALIKE))];
    let files = files.map(|(name, text)| (name, format!("[{text}]")));
    let mut driver = judging(&files);
    driver.press("V space o o o").shows("judged 3/6");
    driver.press("x x x").shows("judged 6/6");
    let cast = |file| votes(&log(&driver, file));
    let letters = |file: usize| cast(file).into_iter().map(|(_, vote)| vote).collect::<String>();
    assert_eq!((letters(2), letters(3)), ("OOO".to_owned(), "XXX".to_owned()));
    assert_eq!(log(&driver, 3)["group-id"], "b.json");

    // The second corpus alone does not take the first one's log for its own, and does not list it.
    let mut other = Driver::open(
        &[files[1].clone(), ("votes/d.log.json", log(&driver, 2).to_string())],
        120,
        40,
    );
    expect_log(&mut other, 1, false);
    other.read(1, log(&driver, 2).to_string().into_bytes());
    other.judge_as("mk").press("V space").shows("judged 0/3").shows("Dialogs  1 of 1");
    other.press("x");
    assert_eq!(votes(&log(&other, 2)), [(1, "X".to_owned())]);
    assert_eq!(votes(&log(&other, 1)).len(), 3);
}

#[test]
fn votes_that_no_longer_fit_are_reported() {
    let mut driver = judging(&[("a.json", format!("[{}]", said("d", &SAID)))]);
    driver.press("V space o").shows("judged 1/3");
    let votes = log(&driver, 1).to_string();
    let longer = format!("[{}]", said("d", &[&["bye"], &SAID[..]].concat()));
    let mut later = Driver::unopened(
        &[("a.json", longer.clone()), ("votes/d.log.json", votes.clone())],
        120,
        40,
    );
    expect_log(&mut later, 1, false);
    later.read(1, votes.into_bytes());
    later.read(0, longer.into_bytes());
    later.shows("votes in votes/d.log.json are not shown").shows_not("you O");
}

/// Judges files of which the last one is a log that was found in their folder, as they were.
fn judging_with_log(files: &[(&str, String)]) -> Driver {
    let mut driver = Driver::unopened(files, 120, 40);
    driver.judge_as("mk").app.judging.on = true;
    expect_log(&mut driver, files.len() - 1, true);
    for (file, (_, text)) in files.iter().enumerate() {
        driver.read(file, text.clone().into_bytes());
    }
    driver
}

#[test]
fn the_votes_on_a_renamed_file_stay_on_it() {
    let text = |id: &str| format!("[{}]", said(id, &SAID));
    let mut driver = judging(&[("old.json", text("d"))]);
    driver.press("V space o").shows("judged 1/3");
    let votes = log(&driver, 1).to_string();
    let files = [("a.json", text("c")), ("new.json", text("d")), ("votes/d.log.json", votes)];
    let mut later = judging_with_log(&files);
    later.shows("Dialogs  1 of 2").shows("judged 1/6");
    later.press("J").shows("you O").shows("judged 1/6");
    // Votes stay on a renamed file without ids.
    let text = format!("[{}]", said("", &SAID));
    let mut driver = judging(&[("old.json", text.clone())]);
    driver.press("V space o").shows("judged 1/3");
    let votes = log(&driver, 1).to_string();
    assert!(votes.contains("old-0"), "{votes}");
    let files = [("new.json", text), ("votes/old-0.log.json", votes)];
    let mut later = judging_with_log(&files);
    later.shows("you O").shows("judged 1/3");
    // The log of a file whose name another one has is known once its dialog is opened.
    let text = |id: &str| format!("[{}]", said(id, &SAID));
    let mut driver = judging(&[("a.json", text("d"))]);
    driver.press("V space o").shows("judged 1/3");
    let votes = log(&driver, 1).to_string();
    let files = [("a.json", text("c")), ("b.json", text("d")), ("votes/d.log.json", votes)];
    let mut later = judging_with_log(&files);
    later.press("x x x").shows("judged 4/6").shows("you O");
    later.press("x").shows("judged 5/6").shows("you O");
}

#[test]
fn a_dialog_opens_at_its_first_turn_without_an_answer() {
    let both = format!("[{}, {}]", said("c", &SAID), said("d", &SAID));
    let mut driver = judging(&[("a.json", both)]);
    driver.press("V space o").shows("judged 1/6");
    driver.press("J").shows("Transcript  turn 1");
    driver.press("K").shows("Transcript  turn 3").shows("you O");
}

#[test]
fn a_turn_that_says_something_else_than_when_it_was_judged_tells_so() {
    let long = format!("hello, {}", "and good evening, ".repeat(12));
    let mut before = SAID;
    before[1] = &long;
    let mut driver = judging(&[("a.json", format!("[{}]", said("d", &before)))]);
    driver.press("V space o x").shows_not("text when judged");
    let votes = log(&driver, 1).to_string();
    let now = format!("[{}]", said("d", &ALIKE));
    let files = [("a.json", String::new()), ("votes/d.log.json", String::new())];
    let mut later = Driver::unopened(&files, 120, 40);
    expect_log(&mut later, 1, false);
    later.read(1, votes.clone().into_bytes());
    later.read(0, now.clone().into_bytes());
    // Once in the transcript and once among the votes, in one row each.
    later.press("j");
    later.app.panes.details.show("answers");
    later.press("j k").shows("welcome").shows("O 1");
    let screen = later.screen();
    let told = screen.matches("▲ text when judged: hello, and").count();
    let more = screen.matches("evening").count();
    assert_eq!((told, more <= told), (2, true), "{screen}");
    // The other turn has its old text again, and nothing is written.
    later.press("j j").shows("X 1").shows_not("unsaved");
    assert_eq!(later.screen().matches("text when judged").count(), 1);
    assert_eq!((later.bytes(0), later.bytes(1)), (now.into_bytes(), votes.into_bytes()));
}
