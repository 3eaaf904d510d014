//! Every corpus there is: found, read, edited, and given back to the byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnwise::corpus::{Arrangement, Contents};
use turnwise::dialog::{ActSlot, Content, Dialog, Edit, Payload, Span};

use crate::support::amount;
use crate::support::check::{Tried, every_edit, family, many_edits};
use crate::support::files::{
    dialogs_of, gaps, neighbours, open, open_path, original, own, own_files, own_sessions,
    real_files, saved, say, spread, traces, without_key,
};
use crate::support::value::mended;

/// Files edited of each folder.
const FILES: usize = 5;

fn expected_family(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy().to_lowercase();
    let families = [
        (".labels.", "dbdc-labels"),
        ("dbdc", "dbdc"),
        ("taskmaster-1", "taskmaster-1-2"),
        ("taskmaster-2", "taskmaster-1-2"),
        ("taskmaster-3", "taskmaster-3"),
        ("taskmaster-4", "taskmaster-4"),
        ("sim-gen", "sim-gen"),
        ("sim-m", "sim"),
        ("sim-r", "sim"),
    ];
    let found = families.iter().find(|(part, _)| path.contains(part));
    found.map(|(_, family)| *family)
}

/// Finds all dialogs of a file and reads them; returns how many there are.
fn reads(path: &Path) -> usize {
    let told = path.display();
    let Some(file) = open_path(path) else {
        let name = path.to_string_lossy();
        assert!(name.contains("ontology"), "{told} was taken for an ontology");
        return 0;
    };
    assert_eq!(file.index().error, None, "{told}");
    let seen = dialogs_of(&original(&file));
    let pieces = &file.index().pieces;
    // The lines of a session are turns of one dialog.
    let are_turns = file.index().arrangement == Arrangement::Turns;
    let seen = if are_turns { &seen[..1] } else { &seen };
    assert_eq!(pieces.len(), seen.len(), "{told}");
    let mut bytes = Vec::new();
    for (position, gap) in gaps(&file).into_iter().enumerate() {
        bytes.extend(gap);
        let Some(seen) = seen.get(position) else {
            continue;
        };
        let text = file.text(position).unwrap();
        if !are_turns {
            let piece: serde_json::Value =
                serde_json::from_str(&mended(without_key(&text))).unwrap();
            assert!(piece == *seen, "{told}: dialog {position} was cut wrongly");
        }
        bytes.extend_from_slice(text.as_bytes());
    }
    assert!(bytes == original(&file), "{told}: gaps and pieces are not the file");
    if !seen.is_empty() {
        assert_eq!(Some(family(&file)), expected_family(path).or(Some(family(&file))), "{told}");
    }
    for position in 0..pieces.len() {
        let (dialog, issues) = file.dialog(position).unwrap().unwrap();
        assert!(issues.is_empty(), "{told}: dialog {position}: {issues:?}");
        // Many chats have no id.
        let has_id = !dialog.id.is_empty() || matches!(family(&file), "messages" | "sharegpt");
        assert!(has_id, "{told}: dialog {position} has no id");
    }
    seen.len()
}

/// Edits a sample of the dialogs of a file.
pub fn edits(path: &Path) -> Tried {
    let mut tried = Tried::default();
    let Some(mut file) = open_path(path) else {
        return tried;
    };
    // Edits of formats that are described in TOML are tried in `declared`.
    if file.format().is_some_and(|format| format.declared().is_some()) {
        return tried;
    }
    let positions = spread((0..file.index().pieces.len()).collect(), amount(2, 4));
    for position in &positions {
        tried += every_edit(&mut file, *position);
    }
    if tried.edits > 0 {
        many_edits(&mut file, &positions);
    }
    tried
}

fn is_recognized(path: &Path) -> bool {
    open(std::fs::read(path).unwrap()).format().is_some()
}

/// Some files of each folder.
fn sample(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut folders: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in files {
        let folder = path.parent().unwrap_or(&path).to_owned();
        folders.entry(folder).or_default().push(path);
    }
    folders.into_values().flat_map(|files| spread(files, FILES)).collect()
}

#[test]
fn own_files_read() {
    let files = [own_files(), own_sessions()].concat();
    assert!(files.len() > 10);
    let dialogs: usize = files.iter().map(|path| reads(path)).sum();
    assert!(dialogs > 10);
}

#[test]
fn demo_takes_many_edits() {
    let mut tried = Tried::default();
    for path in own_files() {
        if path.starts_with(own("assets/demo")) {
            tried += edits(&path);
        }
    }
    assert!(tried.edits > 100 && tried.refused > 5, "{tried:?}");
    assert!(tried.printed > tried.edits / 2, "{tried:?}");
}

#[test]
fn real_corpora_read() {
    let Some(files) = real_files("reading") else {
        return;
    };
    let dialogs: usize = files.iter().map(|path| reads(path)).sum();
    say(&format!("{dialogs} real dialogs read in {} files", files.len()));
}

#[test]
fn real_corpora_take_many_edits() {
    let Some(files) = real_files("editing") else {
        return;
    };
    let mut tried = Tried::default();
    for path in sample(files) {
        tried += edits(&path);
    }
    // Logs of Inspect and chats of LLaMA-Factory.
    for path in traces("editing").into_iter().flatten() {
        if is_recognized(&path) {
            tried += edits(&path);
        }
    }
    say(&format!("real corpora: {tried:?}"));
    assert!(tried.edits > 100, "{tried:?}");
}

/// Returns records of edits that say of a dialog what it says already. Of values with one name, only the first
/// would be meant.
fn said_again(dialog: &Dialog) -> Vec<Value> {
    fn alone<'v, T>(all: &'v [T], name: impl Fn(&T) -> &str + Copy) -> impl Iterator<Item = &'v T> {
        all.iter()
            .filter(move |one| all.iter().filter(|other| name(other) == name(one)).count() == 1)
    }
    fn value(content: &Content) -> Value {
        match content {
            Content::Text(text) => json!(text),
            Content::Raw(raw) => match serde_json::from_str(raw) {
                Ok(Value::Array(several)) if several.iter().all(Value::is_string) => several.into(),
                _ => json!({"json": raw}),
            },
        }
    }
    let mut all = Vec::new();
    for field in alone(&dialog.fields, |field| &field.name) {
        if let Content::Text(text) = &field.content {
            all.push(json!({"edit": "set_field", "name": field.name, "text": text}));
        }
    }
    for (turn, at) in dialog.turns.iter().enumerate() {
        all.push(json!({"edit": "set_text", "turn": turn, "text": at.text}));
        all.push(json!({"edit": "set_speaker", "turn": turn, "speaker": at.speaker.name}));
        all.push(json!({"edit": "set_tokens", "turn": turn, "tokens": at.tokens}));
        all.push(json!({"edit": "set_intents", "turn": turn, "intents": at.intents}));
        for (segment, of) in at.segments.iter().enumerate() {
            let labels: Vec<_> = of.labels.iter().map(|label| &label.name).collect();
            all.push(
                json!({"edit": "set_labels", "turn": turn, "segment": segment, "labels": labels}),
            );
            if let Some(quote) = &of.quote {
                all.push(
                    json!({"edit": "set_quote", "turn": turn, "segment": segment, "text": quote}),
                );
            }
            // A wrong quote follows the span.
            let span = of
                .span
                .filter(|span| at.covered(*span, dialog.units).as_deref() == of.quote.as_deref());
            if let Some(Span { start, end }) = span {
                all.push(json!({"edit": "set_span", "turn": turn, "segment": segment, "start": start, "end": end}));
            }
        }
        for (call, of) in at.calls.iter().enumerate() {
            all.push(json!({"edit": "set_api", "turn": turn, "call": call, "name": of.name}));
            for (part, payload) in [("arguments", &of.arguments), ("response", &of.response)] {
                match payload {
                    Some(Payload::Fields(fields)) => {
                        for field in alone(fields, |field| &field.name) {
                            all.push(json!({"edit": "set_value", "turn": turn, "call": call, "part": part,
                                "name": field.name, "value": value(&field.content)}));
                        }
                    }
                    Some(Payload::Embedded { text, .. }) => {
                        all.push(json!({"edit": "set_json", "turn": turn, "call": call, "part": part, "text": text}));
                    }
                    _ => {}
                }
            }
        }
        for (act, of) in at.acts.iter().enumerate() {
            let slot = |slot: &ActSlot| match &slot.value {
                Some(of) => json!({"slot": slot.slot, "value": value(of)}),
                None => json!({"slot": slot.slot}),
            };
            let slots: Vec<_> = of.slots.iter().map(slot).collect();
            all.push(json!({"edit": "set_act", "turn": turn, "act": act, "name": of.name, "slots": slots}));
        }
        for slot in alone(at.state.as_deref().unwrap_or_default(), |slot| &slot.slot) {
            all.push(json!({"edit": "set_state", "turn": turn, "slot": slot.slot, "value": value(&slot.value)}));
            all.push(
                json!({"edit": "rename_state", "turn": turn, "slot": slot.slot, "to": slot.slot}),
            );
        }
        for vote in alone(&at.votes, |vote| &vote.annotator) {
            if let Some(breakdown) = vote.breakdown {
                all.push(json!({"edit": "cast_vote", "turn": turn, "annotator": vote.annotator, "breakdown": breakdown}));
            }
        }
    }
    all
}

/// Says again what some dialogs of each file say; returns how many edits there were, and how many of them refused.
fn says_again(files: Vec<PathBuf>) -> (usize, usize) {
    let (mut made, mut refused, mut wrong) = (0, 0, Vec::new());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let mut file = open(bytes.clone());
        if !matches!(file.index().contents, Contents::Dialogs(_)) {
            continue;
        }
        for position in spread((0..file.index().pieces.len()).collect(), 2) {
            let Ok(Some((dialog, _))) = file.dialog(position) else { continue };
            for record in said_again(&dialog) {
                made += 1;
                // No record says an object.
                let edit = serde_json::from_value::<Edit>(record.clone());
                let changed = edit.ok().and_then(|edit| file.edit(position, &edit).ok());
                refused += usize::from(changed.is_none());
                if changed == Some(true) {
                    wrong.push(format!("{}: dialog {position}: {record}", path.display()));
                    file.undo();
                }
            }
        }
        assert!(saved(&file) == bytes, "{}", path.display());
    }
    assert!(
        wrong.is_empty(),
        "{} of {made} edits change something:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    (made, refused)
}

#[test]
fn what_a_dialog_says_already_changes_no_byte() {
    let (made, refused) = says_again([own_files(), own_sessions()].concat());
    assert!(made > 1000 && refused * 2 < made, "{refused} of {made} refused");
}

#[test]
fn what_real_dialogs_say_already_changes_no_byte() {
    let Some(files) = real_files("saying again") else {
        return;
    };
    let others = neighbours("saying again").into_iter().chain(traces("saying again")).flatten();
    let (made, refused) = says_again(sample(files.into_iter().chain(others).collect()));
    say(&format!("{made} edits that repeat the dialog, {refused} refused"));
    assert!(made > 1000);
}
