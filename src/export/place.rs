//! The places of dialogs and turns, as they are written beside what they have.

use serde::Serialize;

use super::export_format::ExportedDialog;

/// The place of a dialog.
#[derive(Serialize)]
pub struct DialogPlace<'a> {
    file: &'a str,
    dialog: usize,
    dialog_id: Option<&'a str>,
}

impl<'a> DialogPlace<'a> {
    pub fn of(dialog: &ExportedDialog<'a>) -> Self {
        Self { file: dialog.file, dialog: dialog.position, dialog_id: dialog.id() }
    }
}

/// The place of a turn.
#[derive(Serialize)]
pub struct TurnPlace<'a> {
    #[serde(flatten)]
    dialog: DialogPlace<'a>,
    turn: usize,
    speaker: &'a str,
}

impl<'a> TurnPlace<'a> {
    pub fn new(dialog: &ExportedDialog<'a>, turn: usize) -> Self {
        let speaker = dialog.dialog.turns.get(turn);
        let speaker = speaker.map_or("", |turn| turn.speaker.name.as_str());
        Self { dialog: DialogPlace::of(dialog), turn, speaker }
    }
}
