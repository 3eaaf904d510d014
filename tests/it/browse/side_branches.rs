//! Side branches of sessions on the screen: folded, unfolded, and as dialogs of other files.

use super::Driver;

fn open() -> Driver {
    let session = include_str!("../../sessions/branches.jsonl").to_owned();
    let agent = include_str!("../../sessions/agent-a17.jsonl").to_owned();
    Driver::open(&[("s.jsonl", session), ("agent-a17.jsonl", agent)], 160, 60)
}

#[test]
fn a_side_branch_is_folded_to_its_first_turn_until_it_is_opened() {
    let mut driver = open();
    driver.shows("side branch 1: 4 turns, 1 call, folded");
    driver.shows("side branch 2: 2 turns, from turn 3");
    driver.shows("side branch a17, in a dialog");
    driver.shows_not("Dora leaves at 8:00.").shows_not("Read(");
    driver.shows("API error, tried again: Overloaded").shows("image, not shown (image/png)");
    // Its other turns are skipped.
    driver.press("j j j j");
    assert_eq!(driver.turn(), 9);
    driver.press("k k");
    assert_eq!(driver.turn(), 2);
    driver.shows("Enter side branch").press("Enter").shows("Dora leaves at 8:00.").shows("Read(");
    driver.shows_not("Elsa leaves");
    driver.press("j j");
    assert_eq!(driver.turn(), 4);
    driver.press("Enter").shows_not("Dora leaves at 8:00.");
    assert_eq!(driver.turn(), 2);
    // From the call, one goes there.
    driver.press("k");
    assert_eq!(driver.turn(), 1);
    driver.press("Enter").shows("Dora leaves at 8:00.");
    assert_eq!(driver.turn(), 2);
}

#[test]
fn a_match_in_a_folded_branch_unfolds_it() {
    let mut driver = open();
    driver.press("/").type_text("Elsa leaves").press("Enter").shows("Elsa leaves at 9:00.");
    assert_eq!(driver.turn(), 5);
}

/// Of two with one id, the nearest.
#[test]
fn a_branch_that_is_a_dialog_of_its_own_is_opened() {
    let session = include_str!("../../sessions/branches.jsonl").to_owned();
    let agent = include_str!("../../sessions/agent-a17.jsonl");
    let files = [
        ("copy/agent-a17.jsonl", agent.replace("Both cost 4.00.", "Both cost 5.00.")),
        ("first/agent-a17.jsonl", agent.to_owned()),
        ("first/s.jsonl", session),
    ];
    let mut driver = Driver::open(&files, 80, 60);
    driver.press("J J").press("G k k k k");
    assert_eq!(driver.turn(), 10);
    driver.press("Enter").shows("s-1/a17").shows("Both cost 4.00.");
    assert_eq!(driver.app.panes.transcript.dialog.id, "s-1/a17");
}
