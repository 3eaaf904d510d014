//! Judging: the turn that follows a vote, and the report of the vote.

use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

fn judge() -> Driver {
    let mut driver = Driver::demo(LOG, 120, 40);
    driver.judge_as("mk").press("esc");
    driver
}

#[test]
fn backspace_that_empties_a_line_neither_leaves_it_nor_withdraws_a_vote() {
    let mut driver = judge();
    driver.press("x 1 G c").type_text("odd");
    driver.press("backspace backspace backspace backspace backspace").shows("Your comment");
    driver.press("esc").shows("judged 1/");
    driver.press("1 G c").type_text("no").press("enter 1 G c");
    driver.press("backspace backspace backspace").shows("Your comment");
    driver.press("esc").shows("judged 1/");
    // A line in which nothing was yet is left at once.
    driver.press(": backspace").shows("turn 1 ·");
    assert!(driver.app.windows.open.is_none());
    driver.press("/ backspace");
    assert!(driver.app.windows.open.is_none());
}

#[test]
fn a_comment_that_is_given_up_leads_on_like_one_that_is_made() {
    let mut driver = judge();
    driver.press("o").shows("turn 3 ·");
    driver.press("c").shows("turn 1 ·").press("esc");
    driver.shows("turn 3 ·").press("x").shows("judged 2/");
    driver.press("c backspace").shows("turn 5 ·");
    // An annotator who went back by hand stays there.
    driver.press("1 G c esc").shows("turn 1 ·").shows("you O");
}

#[test]
fn a_vote_that_leads_into_another_dialog_is_reported_there() {
    let logs = [demo(LOG), demo("dbdc/demo_002.log.json")];
    let mut driver = Driver::open(&logs, 120, 40);
    driver.judge_as("mk").press("1 9 G x").shows("X on turn 19 of demo_001");
    assert_eq!(driver.app.panes.transcript.dialog.id, "demo_002");
    driver.press("C-g").shows("turn 19 of demo_001 is marked as ungrammatical");
    assert_eq!(driver.app.panes.transcript.dialog.id, "demo_002");
    driver.press("o").shows("O on turn 1").shows_not("of demo_00");
}

#[test]
fn a_later_start_counts_judged_turns_of_the_queue() {
    for queue in ["queue_ties", "queue_undecided", "queue_entropy"] {
        let begin = |log: String| {
            let mut driver = Driver::open(&[(LOG, log)], 120, 40);
            driver.judge_as("mk").run(queue);
            driver
        };
        let mut driver = begin(demo("dbdc/demo_002.log.json").1);
        let before: Vec<_> = driver.app.judging.queue.iter().flatten().copied().collect();
        assert!(!before.is_empty(), "{queue}");
        driver.press("x");
        let judged = driver.app.judging.progress();
        assert_eq!(judged, Some((1, before.len())), "{queue}");
        let again = begin(String::from_utf8(driver.bytes(0)).unwrap());
        assert_eq!(again.app.judging.progress(), judged, "{queue}");
        let after = again.app.judging.queue.iter().flatten();
        let turns: Vec<_> = after.map(|item| item.turn).collect();
        let turns_before: Vec<_> = before.iter().map(|item| item.turn).collect();
        assert_eq!(turns, turns_before, "{queue}");
    }
}

/// An opening that others have not judged is not to be judged, also after one has; and one begins behind it.
#[test]
fn an_opening_left_out_stays_left_out() {
    let (name, text) = demo(LOG);
    let mut log: serde_json::Value = serde_json::from_str(&text).unwrap();
    let turns = log["turns"].as_array_mut().unwrap();
    turns.remove(0);
    turns[0]["annotations"] = serde_json::json!([]);
    let text = serde_json::to_string_pretty(&log).unwrap();
    let mut driver = Driver::open(&[(name, text)], 120, 40);
    driver.judge_as("mk").press("esc").shows("turn 2 ·").shows("judged 0/9");
    driver.press("0 g x").shows("judged 0/9");
    driver.run("queue_all").shows("judged 0/9").shows_not("judged 1/");
}
