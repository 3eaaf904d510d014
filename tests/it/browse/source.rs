//! The Source tab and copying: the JSON of the current item as it is in its file.

use turnwise::app::Effect;

use super::Driver;

#[test]
fn a_turn_of_an_exchange_is_shown_with_the_fields_beside_it() {
    for file in ["sim-m.json", "sim-r.json", "sim-gen.json"] {
        let mut driver = Driver::demo(file, 200, 120);
        let turns = driver.app.panes.transcript.dialog.turns.clone();
        let first = turns
            .windows(2)
            .position(|two| two[0].index == two[1].index);
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
