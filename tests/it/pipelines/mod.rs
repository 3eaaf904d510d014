//! turnwise as a part of pipelines: exit codes, standard input, filters, sums of parts.

mod filters;
mod ids;
mod input;
mod parts;
mod peers;
mod queries;

use serde_json::{Value, json};

/// A dialog of two turns, with a space too much at the end of each, on one line.
fn padded(id: &str) -> String {
    let turn = |index: u64, speaker: &str, text: &str| json!({"index": index, "speaker": speaker, "text": text});
    let dialog = json!({
        "conversation_id": id,
        "vertical": "v",
        "utterances": [turn(0, "user", "Two for Ran "), turn(1, "assistant", "Booked.  ")],
    });
    format!("{dialog}\n")
}

/// The objects in JSON Lines.
fn records(text: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap();
    text.lines().map(read).collect()
}
