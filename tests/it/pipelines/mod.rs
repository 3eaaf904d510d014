//! turnwise as a part of pipelines: sums of parts, ids, other programs. `tests/cases/cli/pipes.md` shows its filters.

mod ids;
mod input;
mod parts;
mod peers;

use serde_json::json;

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
