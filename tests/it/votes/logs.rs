//! Small logs to try things with.

use serde_json::{Value, json};

/// A turn of a log: its speaker, its text, and its votes, each an annotator and a label.
pub type Turn<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// A log in the form of the challenge.
pub fn log(id: &str, turns: &[Turn<'_>]) -> String {
    let vote = |(annotator, label): &(&str, &str)| {
        json!({
            "annotator-id": annotator,
            "breakdown": label,
            "comment": "",
            "ungrammatical-sentence": "",
        })
    };
    let turn = |(index, (speaker, text, votes)): (usize, &Turn<'_>)| {
        json!({
            "turn-index": index,
            "speaker": speaker,
            "utterance": text,
            "annotations": votes.iter().map(vote).collect::<Value>(),
        })
    };
    let log = json!({
        "dialogue-id": id,
        "turns": turns.iter().enumerate().map(turn).collect::<Value>(),
    });
    serde_json::to_string_pretty(&log).unwrap()
}
