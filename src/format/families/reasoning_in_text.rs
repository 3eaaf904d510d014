//! The model's reasoning at the head of a text, as models of `DeepSeek` and Qwen write it: `<think>…</think>`.
//!
//! It is a field of its turn, and the text of the turn is what follows. In the file, both are one value.

use crate::dialog::{Content, Dialog, Edit, Extent, Field, Role, Turn};
use crate::json::{Editor, Value};

/// The name of the field with the model's reasoning, wherever that is in the file.
pub const REASONING_FIELD: &str = "reasoning";

/// The tags around it.
const TAGS: [[&str; 2]; 2] = [["<think>", "</think>"], ["<thinking>", "</thinking>"]];

/// A text that begins with reasoning.
struct Parted<'t> {
    /// All that comes before the spoken words.
    head: &'t str,
    thought: &'t str,
    said: &'t str,
}

fn parted(text: &str) -> Option<Parted<'_>> {
    let own = text.trim_start();
    if !own.starts_with('<') {
        return None;
    }
    TAGS.iter().find_map(|[open, close]| {
        let (thought, rest) = own.strip_prefix(open)?.split_once(close)?;
        let said = rest.trim_start();
        Some(Parted { head: &text[..text.len() - said.len()], thought: thought.trim(), said })
    })
}

/// Returns what follows the reasoning at the head of a text, or all of it.
pub fn said_in(text: &str) -> &str {
    parted(text).map_or(text, |parted| parted.said)
}

/// Makes the reasoning at the head of what a model says, which is at `at` in the file, a field of its turn.
pub fn take(turn: &mut Turn, at: Extent) {
    if turn.speaker.role != Role::System {
        return;
    }
    let Some(Parted { thought, said, .. }) = parted(&turn.text) else {
        return;
    };
    turn.fields.push(Field {
        name: REASONING_FIELD.into(),
        content: Content::Text(thought.into()),
        known: true,
        at,
    });
    turn.text = said.to_owned();
}

/// Does so in a turn whose text or speaker has changed.
pub fn complete(edit: &Edit, after: &mut Dialog) {
    if let Edit::SetText { turn, .. } | Edit::SetSpeaker { turn, .. } | Edit::AddTurn { turn, .. } =
        edit
        && let Some(turn) = after.turns.get_mut(*turn)
        && !turn.fields.iter().any(|field| field.name == REASONING_FIELD)
    {
        take(turn, turn.at);
    }
}

/// Returns the text of a file in which the spoken words change from `old` to `new`.
pub fn with_said(whole: &str, old: &str, new: &str) -> String {
    match parted(whole) {
        Some(Parted { head, said, .. }) if said == old => format!("{head}{new}"),
        _ => new.to_owned(),
    }
}

/// True if the text of a turn begins with reasoning.
pub fn has_reasoning(editor: &Editor<'_>, turn: &Turn) -> bool {
    turn.fields.iter().any(|field| {
        let value = editor.tree().value_at(field.at.start);
        let text = value.and_then(Value::as_str);
        field.name == REASONING_FIELD && text.is_some_and(|text| parted(&text).is_some())
    })
}
