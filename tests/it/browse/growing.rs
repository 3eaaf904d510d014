//! Sessions of agents that grow while they are open, and votes on them.

use std::path::{Path, PathBuf};

use turnwise::app::{Effect, Msg};
use turnwise::workspace::AppearedFile;

use super::Driver;

const NAME: &str = "s.jsonl";

fn line(role: &str, text: &str) -> String {
    format!(
        r#"{{"type":"{role}","sessionId":"s-1","message":{{"role":"{role}","content":"{text}"}}}}"#
    ) + "\n"
}

fn begun() -> String {
    [
        line("user", "When is high tide?"),
        line("assistant", "Where?"),
        line("user", "In Porto."),
        line("assistant", "At 14:10."),
    ]
    .concat()
}

fn open(text: &str) -> Driver {
    let mut driver = Driver::open(&[(NAME, text.to_owned())], 120, 40);
    driver.app.workspace.files.logs.folders = vec![Path::new("votes").into()];
    driver
}

/// Another program writes the file: whether it is read again without a question.
fn grows(driver: &mut Driver, text: impl Into<Vec<u8>>) -> bool {
    let (file, saving) = (0, false);
    let effects = driver.app.update(Msg::Changed { file, saving });
    let is_followed = effects.contains(&Effect::Reload { file });
    if is_followed {
        driver.reload(file, text);
    }
    is_followed
}

#[test]
fn a_session_is_followed_from_its_last_turn_and_stays_at_any_other() {
    let text = begun();
    let mut driver = open(&text);
    driver.press("G");
    let longer = text.clone() + &line("user", "Thanks.") + &line("assistant", "Good luck!");
    assert!(grows(&mut driver, longer.as_str()));
    driver.shows("2 new turns").shows("Good luck!");
    assert_eq!(driver.turn(), 5);
    driver.press("g g j");
    let longest = longer.clone() + &line("user", "One more thing.");
    assert!(grows(&mut driver, longest.as_str()));
    driver.shows("1 new turn");
    assert_eq!(driver.turn(), 1);
    // Half of a line is written.
    let half = longest.clone() + r#"{"type":"assistant","sess"#;
    assert!(grows(&mut driver, half.as_str()));
    assert_eq!(driver.turn(), 1);
    driver.shows("One more thing.");
    // The half ends within a character.
    let done = longest.clone() + &line("assistant", "À bientôt!");
    let cut = done.find("À").unwrap() + 1;
    assert!(grows(&mut driver, &done.as_bytes()[..cut]));
    driver.shows("One more thing.");
    assert!(grows(&mut driver, done.as_str()));
    driver.shows("1 new turn").press("G").shows("À bientôt!");
}

#[test]
fn a_session_with_unsaved_edits_is_not_read_again_without_a_question() {
    let text = begun();
    let mut driver = open(&text);
    driver.press("e backspace enter").shows("1 unsaved");
    let longer = text + &line("user", "Thanks.");
    assert!(!grows(&mut driver, longer.as_str()));
    driver.shows("was changed by another program");
}

#[test]
fn votes_go_beside_a_session_and_stay_when_it_grows() {
    let text = begun();
    let mut driver = open(&text);
    driver.judge_as("mk").press("V esc");
    driver.press("2 G k x").shows("X on turn 1");
    assert_eq!(driver.bytes(0), text.as_bytes());
    let longer = text.clone() + &line("user", "Thanks.") + &line("assistant", "Good luck!");
    assert!(grows(&mut driver, longer.as_str()));
    driver.press("g g j").shows("you X");
    driver.press("G o");
    driver.press("g g j").shows("you X").press("G").shows("you O");
    assert_eq!(driver.bytes(0), longer.as_bytes(), "votes are elsewhere");
    let log: serde_json::Value = serde_json::from_slice(&driver.bytes(1)).unwrap();
    let turns = log["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 6);
    assert_eq!(turns[5]["utterance"], "Good luck!");
    assert_eq!(turns[5]["annotations"][0]["breakdown"], "O");
    assert_eq!(turns[1]["annotations"][0]["breakdown"], "X");
    // They are saved in a pause, though the log has got new turns, too.
    driver.shows("unsaved").tell(Msg::Pause);
    driver.shows_not("unsaved");
    // The new turns are a step of their own.
    driver.press("u").press("u").press("g g j").shows("you X");
}

/// A session of Gemini CLI with so many steps, as one value over several lines.
fn steps(count: usize) -> String {
    let step = |number: usize| serde_json::json!({"id": format!("m{number}"), "type": "gemini", "content": format!("step {number}")});
    let messages: Vec<_> = (0..count).map(step).collect();
    let session = serde_json::json!({"sessionId": "g", "projectHash": "1f", "messages": messages});
    serde_json::to_string_pretty(&session).unwrap()
}

#[test]
fn a_session_that_is_read_half_written_stays_as_it_was() {
    let mut driver = Driver::open(&[("g.json", steps(4))], 120, 40);
    driver.press("g g j").shows("step 1");
    let longer = steps(6);
    for half in [&longer[..longer.len() / 3], "", &longer[..longer.len() / 2]] {
        assert!(grows(&mut driver, half));
        driver.shows("g.json is being written").shows("step 3");
        assert!(driver.app.windows.open.is_none());
        assert_eq!(driver.turn(), 1);
    }
    assert!(grows(&mut driver, longer.as_str()));
    driver.shows("2 new turns").shows("step 5");
    assert_eq!(driver.turn(), 1);
}

#[test]
fn a_session_that_is_empty_at_the_start_is_followed() {
    let files = [(NAME, begun()), ("e.jsonl", String::new())];
    let mut driver = Driver::open(&files, 160, 40);
    driver.shows("▲ line 1");
    let (file, saving) = (1, false);
    let effects = driver.app.update(Msg::Changed { file, saving });
    assert!(effects.contains(&Effect::Reload { file }));
    driver.reload(1, begun().replace("s-1", "s-2"));
    driver.shows("1 of 2").shows_not("▲");
}

#[test]
fn a_search_finds_what_a_session_says_later() {
    let text = begun();
    let other = line("user", "Is it warm?");
    let files = [(NAME, text.clone()), ("t.jsonl", other.clone())];
    let mut driver = Driver::open(&files, 120, 40);
    driver.find("tide").shows("tide: 1 of 1").shows("1 in 1 dialog");
    let longer = text + &line("user", "And low tide?");
    assert!(grows(&mut driver, longer.as_str()));
    driver.shows("2 in 1 dialog");
    driver.press("n").shows("tide: 2 of 2");
    // A file that had no hits, and is not on the screen.
    let warm = other.clone() + &line("assistant", "The tide is.");
    driver.reload(1, warm.as_str());
    driver.shows("3 in 2 dialogs");
    driver.press("n").shows("tide: 3 of 3");
    driver.reload(1, other.as_str());
    driver.shows("2 in 1 dialog");
}

fn new(name: &str) -> AppearedFile {
    AppearedFile {
        name: name.to_owned(),
        path: PathBuf::from("/corpora").join(name),
        votes: Path::new("/corpora/votes").into(),
        gold: Path::new("/corpora/gold").into(),
        judgements: Path::new("/corpora/judgements").into(),
    }
}

#[test]
fn a_file_that_appears_is_listed_and_judged() {
    let mut driver = open(&begun());
    driver.find("tide");
    driver.tell(Msg::Appeared(vec![new("t.jsonl")]));
    driver.shows("new file: t.jsonl");
    assert!(driver.wanted.contains(&Effect::Load { file: 1 }));
    // It is the same one.
    driver.wanted.clear();
    driver.tell(Msg::Appeared(vec![new("t.jsonl")]));
    assert!(driver.wanted.is_empty());
    let text = line("user", "Is high tide late?") + &line("assistant", "No.");
    driver.read(1, text.replace("s-1", "s-2").into_bytes());
    driver.shows("2 in 2 dialogs").shows("Is high tide late?");
    driver.judge_as("mk").press("esc V esc").shows("0/2");
    driver.press("J G x").shows("X on turn 1");
    let files = &driver.app.workspace.files;
    assert!(files.place(2).unwrap().starts_with("/corpora/votes"));
}

#[test]
fn a_log_of_votes_does_not_change_the_shape_of_the_list() {
    let other = begun().replace("s-1", "s-2");
    let mut driver = Driver::open(&[(NAME, begun()), ("t.jsonl", other.clone())], 120, 40);
    driver.judge_beside().press("V esc g g j x").shows("X on turn 1");
    assert_eq!(driver.app.workspace.files.len(), 3);
    driver.tell(Msg::Appeared(vec![new("u.jsonl")]));
    driver.read(3, other.replace("s-2", "s-3").into_bytes());
    driver.shows(" of 3 ").shows_not("u.jsonl  1").shows_not("votes  ");
}

#[test]
fn an_edit_says_where_else_its_text_stays() {
    let copy = r#"{"type":"progress","sessionId":"s-1","note":"When is high tide?"}"#;
    let mut driver = open(&(begun() + copy + "\n"));
    driver.press("e ctrl-u x enter").shows("turnwise cannot edit: progress");
}
