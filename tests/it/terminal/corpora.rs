//! Corpora made for single tests, in the form of Taskmaster-3.

use serde_json::Value;

use crate::browse::fixtures::said;

/// Dialogs with these utterances; their ids are `dlg-0`, `dlg-1` and so on.
pub fn corpus<T: AsRef<str>>(dialogs: &[Vec<T>]) -> String {
    let dialog = |(number, turns): (usize, &Vec<T>)| {
        let texts: Vec<_> = turns.iter().map(AsRef::as_ref).collect();
        said(&format!("dlg-{number}"), &texts)
    };
    let dialogs: Vec<Value> = dialogs.iter().enumerate().map(dialog).collect();
    serde_json::to_string_pretty(&dialogs).unwrap()
}

/// `dialogs` dialogs with `turns` turns each; the text of a turn is its place.
pub fn numbered(dialogs: usize, turns: usize) -> String {
    let said = |dialog: usize| (0..turns).map(|turn| format!("said {dialog}.{turn}")).collect();
    corpus(&(0..dialogs).map(said).collect::<Vec<Vec<String>>>())
}
