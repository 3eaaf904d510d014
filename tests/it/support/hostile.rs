//! Text that a terminal would obey or hide, and corpora full of it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// Escape sequences (a colour, a title, a cleared screen), control characters of both sets, and
/// characters that turn the direction of text.
pub const HOSTILE: &str = "a\0b\u{1b}[5;33mc\u{1b}]0;title\u{7}d\u{1b}[2Je\u{9b}2Jf\u{85}g\u{7f}h\u{8}\
     i\u{202e}j\u{2066}k\u{61c}l\u{200f}m\u{2028}n\u{2029}o\rp\tq\ns\"t\\u,v%w:x";

/// The same for the name of a file, which can have neither a NUL nor a slash.
pub fn file_name(ending: &str) -> String {
    HOSTILE.replace('\0', "") + ending
}

/// True of a character that a terminal obeys, hides, or takes for the end of a line.
pub fn is_obeyed(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// JSON that writes every character raw that JSON allows to be raw.
pub fn raw(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}

/// A breakdown log: its id, its corpus, its speakers, its annotators and its utterances are hostile, and
/// one vote is odd.
pub fn log() -> Value {
    let vote = |annotator: &str, breakdown: &str| {
        json!({"annotator-id": annotator, "breakdown": breakdown, "comment": HOSTILE,
            "ungrammatical-sentence": ""})
    };
    json!({
        "dialogue-id": HOSTILE,
        "group-id": HOSTILE,
        "speaker-id": HOSTILE,
        "turns": [
            {"turn-index": 0, "speaker": "U", "time": "", "utterance": HOSTILE, "annotations": []},
            {"turn-index": 1, "speaker": "S", "time": "", "utterance": HOSTILE,
             "annotations": [vote(HOSTILE, "O"), vote("b", "X"), vote("c", HOSTILE)]},
        ],
    })
}

/// A dialog of Taskmaster-3 with a space before its first utterance, which is hostile as everything else.
pub fn dialog() -> Value {
    let said = format!(" {HOSTILE}.");
    let length = said.chars().count();
    json!({
        "conversation_id": HOSTILE,
        "vertical": HOSTILE,
        "instructions": HOSTILE,
        "utterances": [
            {"index": 0, "speaker": "user", "text": said, HOSTILE: HOSTILE, "segments": [
                {"start_index": 1, "end_index": length, "text": &said[1..],
                 "annotations": [{"name": HOSTILE}]}]},
            {"index": 1, "speaker": HOSTILE, "text": "So", "apis": [
                {"name": HOSTILE, "args": {HOSTILE: HOSTILE}, "response": {HOSTILE: HOSTILE}}]},
        ],
    })
}

/// The first utterance of [`dialog`] without the space at its edge.
pub fn repaired() -> String {
    format!("{HOSTILE}.")
}

/// Writes both into a folder under hostile names; the names.
pub fn write(folder: &Path) -> [String; 2] {
    let names = [file_name(".json"), file_name(".log.json")];
    fs::write(folder.join(&names[0]), raw(&json!([dialog()]))).unwrap();
    fs::write(folder.join(&names[1]), raw(&log())).unwrap();
    names
}
