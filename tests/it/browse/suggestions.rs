//! Suggested edits: shown one by one in their turns, nudged, taken or left.

use turnwise::app::{Proposed, Review};

use super::{Driver, demo};

pub const NAME: &str = r#"{"edit":"set_span","dialog":"dlg-demo-tm1-01","turn":3,"segment":0,"quote":"La Boqueria Chica","by":"finder","score":0.914,"why":"one more letter"}"#;
pub const DAY: &str = r#"{"edit":"add_segment","dialog":0,"turn":0,"quote":"friday","labels":["date"],"by":"finder"}"#;
const OF_NEXT: &str =
    r#"{"edit":"remove_segment","dialog":1,"dialog_id":"dlg-demo-tm1-02","turn":2,"segment":0}"#;

fn text(driver: &Driver) -> String {
    String::from_utf8(driver.bytes(0)).unwrap()
}

/// Opens the review of these records.
pub fn review(name: &str, records: &[&str], columns: u16, rows: u16) -> Driver {
    let (name, text) = demo(name);
    let mut driver = Driver::unopened(&[(name, text.clone())], columns, rows);
    let all = records.iter().enumerate().map(|(number, record)| {
        let suggestion: turnwise::corpus::Suggestion = record.parse().unwrap();
        let files = suggestion.file.as_ref().map(|file| {
            let is_here = name.ends_with(file.as_str());
            (0..u32::from(is_here)).collect()
        });
        Proposed::new(number + 1, suggestion, files)
    });
    driver.app.suggestions = Review::new(all.collect());
    driver.read(0, text.into_bytes());
    driver
}

#[test]
fn each_is_shown_in_its_turn_and_taken_or_left() {
    let mut driver = review("taskmaster-1.json", &[NAME, DAY, OF_NEXT], 120, 40);
    let before = text(&driver);
    driver.shows("suggestion 1 of 3 · 0 taken").shows("turn 3 ·");
    driver.shows("finder 0.91").shows("one more letter");
    driver.shows("- «La Boqueria Chic»").shows("+ «La Boqueria Chica»");
    assert!(text(&driver) == before, "nothing is edited yet");
    driver.press("enter").shows("suggestion 2 of 3 · 1 taken");
    driver.shows("turn 0 ·").shows("add \"Friday\": date").shows("●1 unsaved");
    driver.press("-").shows("suggestion 3 of 3 · 1 taken");
    driver.shows("dlg-demo-tm1-02  2 of 3").shows("remove \"The Corner Bean\"");
    driver.press("esc").shows("1 taken, 1 left, 1 open");
    driver.press("K E").shows("turn 3 · by");
    let after = text(&driver);
    let differing = before.lines().zip(after.lines()).filter(|(a, b)| a != b);
    assert_eq!(differing.count(), 2, "the end and the text of one segment");
    driver.press("u").shows_not("unsaved");
    assert!(text(&driver) == before);
}

#[test]
fn a_span_is_moved_before_it_is_taken() {
    let mut driver = review("taskmaster-1.json", &[DAY], 120, 40);
    driver.shows("[ ] dlg-demo-tm1-01 turn 0 add \"Friday\": date");
    driver.press("{ { {").shows("add \"on Friday\": date");
    driver.press(")").shows("add \"on Friday and\": date");
    driver.press("( enter").shows("[✓] dlg-demo-tm1-01").shows("1 suggestion taken, none open");
    let after = text(&driver);
    assert!(after.contains("\"on Friday\""), "{after}");
    driver.press("]").shows("this edit has no span to move");
    driver.press("enter").shows("already applied");
    driver.press("esc u").shows_not("unsaved");
    // What was undone can be taken again, where it was moved to.
    driver.run("suggestions").shows("[ ] dlg-demo-tm1-01 turn 0 add \"on Friday\": date");
    driver.press("enter").shows("●1 unsaved");
}

#[test]
fn what_does_not_fit_says_why_and_cannot_be_taken() {
    let records = [
        r#"{"edit":"add_segment","dialog":"dlg-demo-tm1-01","turn":5,"quote":"pm","labels":["x"]}"#,
        r#"{"edit":"add_segment","dialog":"dlg-other","turn":5,"quote":"pm","labels":["x"]}"#,
        r#"{"edit":"remove_segment","dialog":0,"turn":3,"segment":7}"#,
        r#"{"edit":"remove_segment","dialog":0,"turn":99,"segment":0}"#,
        r#"{"edit":"remove_segment","dialog":0,"turn":3,"segment":0,"on":"USER: another text"}"#,
        r#"{"edit":"remove_segment","file":"other.json","dialog":0,"turn":3,"segment":0}"#,
        r#"{"edit":"remove_segment","dialog":0,"dialog_id":"dlg-other","turn":3,"segment":0}"#,
    ];
    let mut driver = review("taskmaster-1.json", &records, 120, 40);
    let before = text(&driver);
    let reasons = [
        "not possible:",
        "dialog \"dlg-other\" was not found",
        "segment 7",
        "turn 99",
        "another text",
        "no open file has a path that ends in \"other.json\"",
        "dialog number 0 was not found",
    ];
    driver.press("g");
    for reason in reasons {
        driver.shows(reason).shows("[!]").press("enter").shows(" 0 taken").press("down");
    }
    assert!(text(&driver) == before);
    driver.press("esc").shows("0 taken, 0 left");
}

/// A model's vote is shown only to those who have judged.
#[test]
fn a_suggested_vote_is_hidden_until_the_turn_is_judged() {
    let record = r#"{"edit":"cast_vote","dialog":0,"turn":3,"annotator":"model-a","breakdown":"X","by":"model-a","score":0.77,"why":"off topic"}"#;
    let mut driver = review("dbdc/demo_002.log.json", &[record], 120, 40);
    driver.shows("vote X by model-a").shows("off topic");
    driver.press("esc").run("annotator");
    driver.type_text("mk").press("enter");
    driver.run("suggestions").shows("a vote by model-a, hidden until you have judged the turn");
    driver.shows_not("off topic").shows_not("0.77").shows_not("\"X\"");
    driver.press("enter").shows("1 taken");
    assert!(text(&driver).contains("model-a"));
}

#[test]
fn the_last_suggestion_taken_is_undone_in_the_review() {
    let mut driver = review("taskmaster-1.json", &[NAME, DAY], 120, 40);
    let before = text(&driver);
    driver.press("enter").shows("u undo").press("enter").shows("2 of 2 · 2 taken");
    driver.press("u").shows("suggestion 2 of 2 · 1 taken");
    driver.shows("undone:").press("u").shows("suggestion 1 of 2 · 0 taken");
    assert!(text(&driver) == before);
    driver.press("enter").shows("1 taken");
    assert!(text(&driver) != before);
    // One that repeats a segment says so.
    let mut driver = review("taskmaster-1.json", &[DAY, DAY, NAME], 120, 40);
    driver.press("enter").shows("not possible: segment ");
    driver.shows("already has this span and the label date");
    let before = text(&driver);
    driver.press("enter").shows("1 taken");
    assert!(text(&driver) == before);
}

#[test]
fn whole_turns_are_suggested_too() {
    let last = r#"{"edit":"remove_turn","dialog":"dlg-demo-tm1-01","turn":13,"by":"finder"}"#;
    let new = r#"{"edit":"add_turn","dialog":"dlg-demo-tm1-01","turn":13,"speaker":"USER","text":"Bye."}"#;
    let mut driver = review("taskmaster-1.json", &[last, new], 120, 40);
    driver.shows("remove the turn").shows("- ASSISTANT: \"Order the octopus first");
    driver.press("enter").shows("suggestion 2 of 2 · 1 taken");
    driver.shows("add a turn by USER").shows("+ USER: \"Bye.\"");
    driver.press("enter").shows("2 taken");
    let after = text(&driver);
    assert!(after.contains("Bye.") && !after.contains("Order the octopus"));
}

/// Only the dialogs on the screen are read.
#[test]
fn thousands_of_records_are_looked_up_a_page_at_a_time() {
    let mut driver = review("taskmaster-1.json", &vec![DAY; 5000], 120, 40);
    let seen = |driver: &Driver| {
        let all = driver.app.suggestions.all.iter();
        all.filter(|one| one.seen.is_some()).count()
    };
    assert_eq!(seen(&driver), 10);
    driver.press("G").shows("suggestion 5,000 of 5,000");
    assert_eq!(seen(&driver), 20);
    driver.press("pgup").shows("suggestion 4,990 of 5,000");
}

/// Those that are ticked are made as one step, in all their dialogs, each as its dialog then is.
#[test]
fn what_is_ticked_is_made_together() {
    let other = r#"{"edit":"remove_segment","dialog":"dlg-demo-tm1-01","turn":3,"segment":1}"#;
    let mut driver = review("taskmaster-1.json", &[NAME, DAY, other, OF_NEXT, DAY], 120, 40);
    let before = text(&driver);
    driver.press("a").shows("0 taken · 5 ticked").press("g j space").shows("4 ticked");
    driver.press("A").shows("4 taken, 0 left, 1 open").shows("●1 unsaved");
    let after = text(&driver);
    assert_eq!(driver.app.workspace.steps.applied().len(), 4);
    assert!(after.contains("\"La Boqueria Chica\""));
    // The one that was not ticked says the same as one that was.
    driver.press("g j").shows("not possible: segment ");
    driver.press("u").shows_not("unsaved").shows("4 ticked");
    assert!(text(&driver) == before);
    driver.press("A").shows("●1 unsaved");
    assert!(text(&driver) == after);
}

/// A suggestion of what the dialog has already cannot be taken: nothing would be there to undo.
#[test]
fn a_suggestion_that_changes_nothing_is_not_taken() {
    let mut driver = review("taskmaster-1.json", &[NAME, DAY], 120, 40);
    driver.press("[ enter").shows("the dialog already has this").shows(" 0 taken");
    driver.shows_not("unsaved");
}

#[test]
fn a_click_selects() {
    let mut driver = review("taskmaster-1.json", &[NAME, DAY, OF_NEXT], 120, 40);
    let (_, at) = driver.place_of("add \"Friday\"");
    driver.click(30, at).shows("suggestion 2 of 3").click(30, at + 2).shows("suggestion 2 of 3");
}
