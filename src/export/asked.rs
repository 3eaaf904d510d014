//! A dialog as commands read it that judge dialogs: its turns by their positions, and as messages of chat APIs.

use serde::Serialize;

use super::cells::CallCell;
use super::chat_messages::{Message, messages};
use super::left_out::LeftOut;
use crate::dialog::{Dialog, Role};
use crate::format::Family;

/// A dialog, and what is asked about it.
#[derive(Serialize)]
pub struct AskedDialog<'a> {
    /// The name of the file, without its folders.
    pub file: &'a str,
    /// The id under which it is judged.
    pub dialog: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<&'a AskedQuestion>,
    turns: Vec<AskedTurn<'a>>,
    messages: Vec<Message>,
}

/// The question that is asked.
#[derive(Debug, Serialize)]
pub struct AskedQuestion {
    pub scheme: String,
    pub name: String,
    pub text: String,
    pub of: &'static str,
    pub kind: &'static str,
    /// The values that it takes, or the tags to offer.
    pub values: Vec<String>,
}

#[derive(Serialize)]
struct AskedTurn<'a> {
    /// Its position, from 0.
    turn: usize,
    speaker: &'a str,
    role: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<CallCell<'a>>,
    /// True if the question is about the turn or a part of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    asked: bool,
}

impl<'a> AskedDialog<'a> {
    /// Returns a dialog of the file `file`, which is judged as `id`; `asked` has the turns that the question is about.
    pub fn new(
        dialog: &'a Dialog,
        format: &'static Family,
        [file, id]: [&'a str; 2],
        asked: &[usize],
    ) -> Self {
        let turns = dialog.turns.iter().enumerate();
        let turns = turns.map(|(number, turn)| AskedTurn {
            turn: number,
            speaker: &turn.speaker.name,
            role: match turn.speaker.role {
                Role::User => "user",
                Role::System => "assistant",
                Role::Context => "context",
                Role::Other => "other",
            },
            text: &turn.text,
            calls: turn.calls.iter().map(CallCell::of).collect(),
            asked: asked.contains(&number),
        });
        let messages = messages(dialog, format, &mut LeftOut::default());
        Self {
            file,
            dialog: id,
            question: None,
            turns: turns.collect(),
            messages: messages.into_iter().flatten().collect(),
        }
    }
}
