//! Unsaved edits of earlier runs, as records to export.

use crate::app::core::{App, EditsToExport};
use crate::corpus::{DialogRef, Record};
use crate::workspace::{DialogId, MadeEdit};

/// Returns the unsaved edits of a file as records to export.
pub fn offered_to_export(app: &App, file: usize) -> Option<EditsToExport> {
    let (past, entries) = app.workspace.files.offered(file)?;
    let after = past.after(entries);
    let shared = past.shared(&after);
    let made = after.applied()[shared..].iter();
    let record = |made: &MadeEdit| {
        let record = made.record(app.workspace.files.name(file));
        match app.id_of(at(file, made)) {
            Some(id) => Record { dialog: DialogRef::Id(id), ..record },
            None => record,
        }
    };
    Some(EditsToExport {
        file,
        records: made.map(|made| record(made).to_string()).collect(),
        undone: past.applied_count - shared,
    })
}

/// Returns the dialog of a journaled edit.
pub fn at(file: usize, made: &MadeEdit) -> DialogId {
    DialogId::new(file, made.change.dialog)
}
