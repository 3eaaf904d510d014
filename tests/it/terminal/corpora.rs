//! Corpora made for single tests, in the form of Taskmaster-3.

use serde_json::json;

/// Dialogs with these utterances; their ids are `dlg-0`, `dlg-1` and so on.
pub fn corpus<T: AsRef<str>>(dialogs: &[Vec<T>]) -> String {
    let utterance = |(index, text): (usize, &T)| {
        let speaker = ["user", "assistant"][index % 2];
        json!({"index": index, "speaker": speaker, "text": text.as_ref()})
    };
    let dialog = |(number, turns): (usize, &Vec<T>)| {
        let utterances: Vec<_> = turns.iter().enumerate().map(utterance).collect();
        json!({"conversation_id": format!("dlg-{number}"), "vertical": "v", "utterances": utterances})
    };
    let dialogs: Vec<_> = dialogs.iter().enumerate().map(dialog).collect();
    serde_json::to_string_pretty(&dialogs).unwrap()
}

/// `dialogs` dialogs with `turns` turns each; the text of a turn is its place.
pub fn numbered(dialogs: usize, turns: usize) -> String {
    let said = |dialog: usize| (0..turns).map(|turn| format!("said {dialog}.{turn}")).collect();
    corpus(&(0..dialogs).map(said).collect::<Vec<Vec<String>>>())
}
