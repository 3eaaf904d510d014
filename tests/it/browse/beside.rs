//! Judging dialogs of families that hold no votes: keys in, votes in a log beside the corpus, which is that of one
//! dialog of one file, whatever other files and dialogs have its id and its texts.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::fixtures::{self, answer, calls, message};
use super::{Driver, at, demo};
use crate::support::{run_in, scratch};

/// The program on corpora whose votes go to the folder `votes`.
fn judging(files: &[(&str, String)]) -> Driver {
    let mut driver = Driver::open(files, 120, 40);
    driver.judge_beside();
    driver
}

/// A log that was begun, as it would be saved.
fn log(driver: &Driver, file: usize) -> Value {
    serde_json::from_slice(&driver.bytes(file)).unwrap()
}

/// Breakdowns in a log with the numbers of their turns, such as "1O 3X".
fn votes(log: &Value) -> String {
    let turns = log["turns"].as_array().unwrap().iter().enumerate();
    let votes = turns.flat_map(|(number, turn)| {
        let votes = turn["annotations"].as_array().unwrap().iter();
        votes.map(move |vote| format!("{number}{}", vote["breakdown"].as_str().unwrap()))
    });
    votes.collect::<Vec<_>>().join(" ")
}

/// The files, opened later with these logs beside them.
fn later(files: &[(&str, String)], logs: &[Value]) -> Driver {
    let places = ["votes/d.log.json", "votes/d-2.log.json"];
    let mut all: Vec<_> = files.iter().map(|(name, _)| (*name, String::new())).collect();
    all.extend(places.iter().zip(logs).map(|(place, _)| (*place, String::new())));
    let mut driver = Driver::unopened(&all, 120, 40);
    driver.app.workspace.files.logs.folders = vec![Path::new("votes").into(); files.len()];
    for (number, log) in logs.iter().enumerate() {
        let file = files.len() + number;
        driver.expect_log(file, places[number], false);
        driver.read(file, log.to_string().into_bytes());
    }
    driver.read_all(files);
    driver
}

#[test]
fn a_key_means_a_vote_only_once_the_corpus_is_judged() {
    let mut driver = judging(&[demo("taskmaster-3.json")]);
    driver.press("j o").shows("o is not bound here · V to turn judging on");
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
    driver.shows("not changed: the turn has 1 vote, and only system turns are judged");
    assert_eq!(driver.bytes(0), before);
}

#[test]
fn votes_go_to_a_log_in_the_form_of_the_challenge_and_nowhere_else() {
    for name in
        ["taskmaster-3.json", "sim-m.json", "sim-gen.json", "messages.jsonl", "sharegpt.json"]
    {
        let mut driver = judging(&[demo(name)]);
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
        let letters = votes(&log).replace(|char: char| char.is_ascii_digit(), "");
        assert_eq!(letters, "O X T", "{name}");
        driver.press("C-s").shows("as a new file").shows_not("unsaved");
    }
}

#[test]
fn in_chats_only_messages_of_the_assistant_are_judged() {
    let mut driver = judging(&[demo("messages.jsonl")]);
    driver.press("V 0 G o").shows("turn 0 is not the system's; only system turns are judged");
    driver.press("3 G x").shows("turn 3 is not the system's");
    driver.press("1 G x").shows("turn 1 is a user turn");
    driver.press("2 G o 4 G x").shows("judged 2/");
    let log = log(&driver, 1);
    assert_eq!(votes(&log), "2O 4X");
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
        assert_eq!(votes(&log(&driver, file)), "1O");
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

#[test]
fn dialogs_of_two_corpora_with_one_id_have_logs_of_their_own() {
    let files = [("a.json", said("d", &SAID)), ("b.json", said("d", &ALIKE))];
    let files = files.map(|(name, text)| (name, format!("[{text}]")));
    let mut driver = judging(&files);
    driver.press("V space o o o").shows("judged 3/6");
    driver.press("x x x").shows("judged 6/6");
    assert_eq!(votes(&log(&driver, 2)), "1O 3O 5O");
    assert_eq!(votes(&log(&driver, 3)), "1X 3X 5X");
    assert_eq!(log(&driver, 3)["group-id"], "b.json");
    // The second corpus alone does not take the first one's log for its own, and does not list it.
    let mut other = later(&files[1..], &[log(&driver, 2)]);
    other.judge_as("mk").press("V space").shows("judged 0/3").shows("Dialogs  1 of 1");
    other.press("x");
    assert_eq!(votes(&log(&other, 2)), "1X");
    assert_eq!(votes(&log(&other, 1)), "1O 3O 5O");
}

/// The log of a vote on the first turn to judge of a file.
fn voted(name: &str, text: String) -> Value {
    let mut driver = judging(&[(name, text)]);
    driver.press("V space o").shows("judged 1/3");
    log(&driver, 1)
}

#[test]
fn votes_that_no_longer_fit_are_reported() {
    let log = voted("a.json", format!("[{}]", said("d", &SAID)));
    let longer = format!("[{}]", said("d", &[&["bye"], &SAID[..]].concat()));
    let mut later = later(&[("a.json", longer)], &[log]);
    later.shows("votes in votes/d.log.json are not shown").shows_not("you O");
}

/// Judges files of which the last one is a log that was found in their folder, as they were.
fn judging_with_log(files: &[(&str, String)]) -> Driver {
    let mut driver = Driver::unopened(files, 120, 40);
    driver.judge_as("mk").app.judging.on = true;
    driver.app.workspace.files.logs.folders = vec![Path::new("votes").into(); files.len()];
    driver.expect_log(files.len() - 1, "votes/d.log.json", true);
    driver.read_all(files);
    driver
}

#[test]
fn the_votes_on_a_renamed_file_stay_on_it() {
    let text = |id: &str| format!("[{}]", said(id, &SAID));
    let log = voted("old.json", text("d")).to_string();
    let files = [("a.json", text("c")), ("new.json", text("d")), ("votes/d.log.json", log)];
    let mut later = judging_with_log(&files);
    later.shows("Dialogs  1 of 2").shows("judged 1/6");
    later.press("J").shows("you O").shows("judged 1/6");
    // Votes stay on a renamed file without ids.
    let log = voted("old.json", text("")).to_string();
    assert!(log.contains("old-0"), "{log}");
    let files = [("new.json", text("")), ("votes/old-0.log.json", log)];
    let mut later = judging_with_log(&files);
    later.shows("you O").shows("judged 1/3");
    // The log of a file whose name another one has is known once its dialog is opened.
    let log = voted("a.json", text("d")).to_string();
    let files = [("a.json", text("c")), ("b.json", text("d")), ("votes/d.log.json", log)];
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
    let (log, now) = (log(&driver, 1), format!("[{}]", said("d", &ALIKE)));
    let mut later = later(&[("a.json", now.clone())], std::slice::from_ref(&log));
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
    assert_eq!((later.bytes(0), later.bytes(1)), (now.into_bytes(), log.to_string().into_bytes()));
}

/// A chat in which the agent runs a command, with a line for each answer.
fn chat(id: &str, command: &str, said: &str) -> String {
    let messages = [
        message("user", "Tidy up."),
        calls(&[("c", "run", json!({"command": command}))]),
        answer("c", &said),
        message("assistant", "Done."),
    ];
    let chat = if id.is_empty() {
        json!({"messages": messages})
    } else {
        json!({"id": id, "messages": messages})
    };
    format!("{chat}\n")
}

/// As [`later`], and judged.
fn judging_again(files: &[(&str, String)], logs: &[Value]) -> Driver {
    let mut driver = later(files, logs);
    driver.judge_as("mk").press("V");
    driver
}

#[test]
fn a_vote_stays_on_the_dialog_of_its_file() {
    let texts = [chat("d", "rm -rf /", "denied"), chat("d", "rm x", "ok")];
    // Without an id, the name of the file up to the first dot is that of its logs.
    let bare = [chat("", "rm -rf /", "denied"), chat("", "rm x", "ok")];
    let same = [chat("d", "rm x", "ok"), chat("d", "rm x", "ok")];
    for texts in [texts, bare, same] {
        let files: Vec<_> = ["run.1.jsonl", "run.2.jsonl"].into_iter().zip(texts).collect();
        let mut driver = judging(&files);
        driver.press("V 1 G x").shows("judged 1/4");
        driver.press("J 1 G").shows_not("you X");
        driver.press("o").shows("judged 2/4");
        driver.press("K 1 G").shows("you X");
        let logs = [log(&driver, 2), log(&driver, 3)];
        assert_eq!(logs.each_ref().map(votes), ["1X", "1O"]);
        let mut again = judging_again(&files, &logs);
        again.shows("judged 2/4").press("1 G").shows("you X");
        again.press("J 1 G").shows("you O");
        let mut again = judging_again(&files, &logs[..1]);
        again.shows("judged 1/4").press("J 1 G").shows_not("you");
    }
}

#[test]
fn dialogs_of_one_file_that_differ_in_their_calls_have_logs_of_their_own() {
    let text = chat("d", "rm -rf /", "denied") + &chat("d", "rm x", "ok");
    let files = [("run.jsonl", text)];
    let mut driver = judging(&files);
    driver.press("V 1 G x J 1 G").shows_not("you X");
    driver.press("o").shows("judged 2/4");
    let logs = [log(&driver, 1), log(&driver, 2)];
    assert_eq!(logs.each_ref().map(votes), ["1X", "1O"]);
    let mut again = judging_again(&files, &logs[..1]);
    again.shows("judged 1/4").press("J 1 G").shows_not("you X");
}

#[test]
fn commands_find_votes_on_the_file_that_a_log_names() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    let texts = [chat("d", "rm -rf /", "denied"), chat("d", "rm x", "ok")];
    let files = [("a.jsonl", texts[0].clone()), ("b.jsonl", texts[1].clone())];
    let mut driver = judging(&files);
    driver.press("V 1 G x");
    fs::create_dir(path("votes")).unwrap();
    fs::write(path("votes/d.log.json"), driver.bytes(2)).unwrap();
    for (name, text) in &files {
        fs::write(path(name), text).unwrap();
    }
    // The log itself is a file like others if it is about none of them.
    let found = |query: &str| {
        let ran = run_in(folder.path(), &["find", query, ".", "--format", "jsonl"], "");
        let lines = ran.out.lines().map(|line| {
            let hit: Value = serde_json::from_str(line).unwrap();
            hit["file"].as_str().unwrap().to_owned()
        });
        lines.filter(|file| !file.contains("votes/")).collect::<Vec<_>>()
    };
    assert_eq!(found("majority:X"), ["./a.jsonl"]);
    let ran = run_in(folder.path(), &["export", "kto", ".", "-o", "-"], "");
    assert!(ran.out.contains("rm -rf"), "{ran:?}");
    assert!(!ran.out.contains("rm x"), "{ran:?}");
    // A file that has another name now is the same dialog, in its calls too.
    fs::remove_file(path("a.jsonl")).unwrap();
    assert!(found("majority:X").is_empty());
    fs::write(path("c.jsonl"), &texts[0]).unwrap();
    assert_eq!(found("majority:X"), ["./c.jsonl"]);
}
