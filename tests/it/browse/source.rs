//! The Source tab and copying: the JSON of the current item as it is in its file.

use turnwise::app::Effect;

use super::Driver;
use super::fixtures::{chat, message};

#[test]
fn a_turn_of_an_exchange_is_shown_with_the_fields_beside_it() {
    for file in ["sim-m.json", "sim-r.json", "sim-gen.json"] {
        let mut driver = Driver::demo(file, 200, 120);
        let turns = driver.app.panes.transcript.dialog.turns.clone();
        let first = turns.windows(2).position(|two| two[0].index == two[1].index);
        let first = first.unwrap();
        let mut copied = Vec::new();
        for turn in [first, first + 1] {
            driver.app.panes.transcript.go(turn);
            driver.press("S").shows("\"user_utterance\"");
            driver.shows("\"system_acts\"").shows("\"dialogue_state\"");
            driver.shows("\"system_utterance\"");
            driver.press("C-y");
            let Some(Effect::Copy { text: json, .. }) = driver.wanted.pop() else {
                panic!("nothing is copied");
            };
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert!(json["system_acts"].is_array(), "{json}");
            copied.push(json);
        }
        assert_eq!(copied[0], copied[1], "{file}");
    }
}

#[test]
fn n_and_p_step_through_the_rows_of_the_json_and_then_to_the_next_turn() {
    let filler = "and something else that takes a row or two of the pane, ";
    let long = format!("Tea, {filler}{filler}tea, {filler}{filler}tea.");
    let chat = chat(&[
        message("user", &long),
        message("assistant", "Green?"),
        message("user", "No tea, then."),
    ]);
    let mut driver = Driver::open(&[("chat.jsonl", chat)], 160, 40);
    driver.press("S").find("tea").press("f7");
    assert_eq!(driver.app.panes.transcript.hits.len(), 4);
    let turn = |driver: &Driver| driver.turn();
    driver.press("n").shows("row 2 of 3 here");
    driver.press("n").shows("row 3 of 3 here");
    assert_eq!(turn(&driver), 0);
    driver.press("n").shows("tea: 4 of 4");
    assert_eq!(turn(&driver), 2);
    driver.press("p").shows("tea: 3 of 4");
    assert_eq!(turn(&driver), 0);
    driver.press("p").shows("row 2 of 3 here");
    // In the transcript, each match is one step.
    driver.press("w t n").shows("tea: 4 of 4");
}
