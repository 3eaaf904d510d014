//! Dialogs in the notation of manual pages: `user: see «No Time»{name.movie} now`, a line a turn.

use serde_json::{Value, json};

/// The dialog as Taskmaster-2 writes it. Segments may be nested; `{a + b}` are two labels.
pub fn dialog(notation: &str) -> String {
    let turns: Vec<_> = notation.lines().enumerate().map(|(i, l)| turn(i, l)).collect();
    let dialog = json!({"conversation_id": "d", "instruction_id": "i", "utterances": turns});
    serde_json::to_string_pretty(&dialog).unwrap()
}

/// The dialog as Taskmaster-3 writes it.
pub fn taskmaster_3(notation: &str, vertical: &str) -> Value {
    let mut dialog: Value = serde_json::from_str(&dialog(notation)).unwrap();
    let members = dialog.as_object_mut().unwrap();
    members.remove("instruction_id");
    members.insert("vertical".to_owned(), json!(vertical));
    for utterance in dialog["utterances"].as_array_mut().unwrap() {
        utterance["speaker"] = json!(utterance["speaker"].as_str().unwrap().to_lowercase());
    }
    dialog
}

fn turn(index: usize, line: &str) -> Value {
    let (speaker, marked) = line.split_once(": ").expect("speaker: text");
    let (mut text, mut open, mut segments) = (String::new(), Vec::new(), Vec::new());
    let mut chars = marked.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '«' => open.push(text.chars().count()),
            '»' => {
                let (start, end) = (open.pop().unwrap(), text.chars().count());
                let mut labels = String::new();
                if chars.next_if_eq(&'{').is_some() {
                    labels.extend(chars.by_ref().take_while(|c| *c != '}'));
                }
                segments.push((start, end, labels));
            }
            _ => text.push(char),
        }
    }
    segments.sort();
    let segments: Vec<_> = segments
        .into_iter()
        .map(|(start, end, labels)| {
            let quote: String = text.chars().skip(start).take(end - start).collect();
            let labels = labels.split(" + ").filter(|l| !l.is_empty());
            let labels: Vec<_> = labels.map(|name| json!({"name": name})).collect();
            json!({"start_index": start, "end_index": end, "text": quote, "annotations": labels})
        })
        .collect();
    let mut turn = json!({"index": index, "speaker": speaker.to_uppercase(), "text": text});
    if !segments.is_empty() {
        turn["segments"] = segments.into();
    }
    turn
}
