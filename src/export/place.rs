//! The place of a turn, as it is written beside its text.

use serde::Serialize;

use super::export_format::ExportedDialog;

/// The place of a turn.
#[derive(Serialize)]
pub struct TurnPlace<'a> {
    pub file: &'a str,
    pub dialog: usize,
    pub dialog_id: Option<&'a str>,
    pub turn: usize,
    pub speaker: &'a str,
}

impl<'a> TurnPlace<'a> {
    pub fn new(dialog: &ExportedDialog<'a>, turn: usize) -> Self {
        let speaker = dialog.dialog.turns.get(turn);
        Self {
            file: dialog.file,
            dialog: dialog.position,
            dialog_id: dialog.id(),
            turn,
            speaker: speaker.map_or("", |turn| turn.speaker.name.as_str()),
        }
    }
}

/// The words for turns that have nothing to label.
pub const EMPTY: [&str; 2] = ["turn without text", "turns without text"];
