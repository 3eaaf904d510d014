//! Writes edits into the text, through the places that they were read from.

use super::description::Description;
use super::writer::Writer;
use super::{write_acts, write_calls};
use crate::dialog::{Edit, EditError, EditKind};
use crate::format::engine::edit::{EditedDialog, not_editable};
use crate::json::{Editor, Splice};

/// Returns the splices that write an edit.
///
/// # Errors
/// If a part that the edit changes is computed, or has no place in the text.
pub fn write(
    description: &'static Description,
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
) -> Result<Vec<Splice>, EditError> {
    let writer = Writer { description, editor, edited };
    match edited.edit.about() {
        EditKind::Text => writer.set_text(),
        EditKind::Speaker => writer.set_speaker(),
        EditKind::Tokens => {
            let (before, after) = edited.turns();
            let trail = writer.trail_of(before)?;
            writer.set_tokens(&trail, before, after)
        }
        EditKind::Segments => writer.segments(),
        EditKind::Calls => write_calls::write(&writer),
        EditKind::Acts | EditKind::State => write_acts::write(&writer),
        EditKind::Intents => writer.set_intents(),
        EditKind::Votes => Err(not_editable("votes", &"the format has none")),
        EditKind::Turns => match edited.edit {
            Edit::AddTurn { .. } => writer.add_turn(),
            _ => writer.remove_turn(),
        },
        EditKind::Fields => Err(not_editable("the field", &"it is not of a turn")),
        EditKind::Gold => Err(not_editable("gold labels", &"the format has none")),
        EditKind::Judgements => Err(not_editable("judgements", &"they are kept beside the corpus")),
    }
}
