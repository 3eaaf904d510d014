//! Unsaved edits of a file whose text is another one now, as after a crash or where another program has changed it: they are
//! made again where they fit, and can be exported as records.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::core::{App, EditsToExport};
use crate::dialog::EditKind;
use crate::workspace::{DialogId, MadeEdit};

impl App {
    /// Makes edits again, each in its dialog of `places`. Returns each as it was made now, None for one that changes nothing,
    /// or the edit itself if it does not fit. If `checks`, the parts that they change have to be as they were.
    pub fn make_again(
        &mut self,
        edits: &[Arc<MadeEdit>],
        places: &[Option<DialogId>],
        checks: bool,
    ) -> Vec<Result<Option<Arc<MadeEdit>>, Arc<MadeEdit>>> {
        // Dialogs whose turns are not where later edits count them.
        let mut unmoved = BTreeSet::new();
        let again = edits.iter().zip(places).map(|(made, place)| {
            let files = &mut self.workspace.files;
            let at = place.filter(|at| files.can_hold(*at) && !unmoved.contains(at));
            let on = made.change.on.as_ref().filter(|_| checks);
            match at.map(|at| files.edit_on(at, made.edit(), on)) {
                Some(Ok(change)) => Ok(change.map(|change| Arc::new(made.with(change)))),
                _ => {
                    unmoved.extend(place.filter(|_| made.edit().about() == EditKind::Turns));
                    Err(Arc::clone(made))
                }
            }
        });
        again.collect()
    }

    /// Returns edits of a file as records to export; `undone` saved ones were undone since.
    pub fn to_export(&self, file: usize, edits: &[Arc<MadeEdit>], undone: usize) -> EditsToExport {
        let name = self.workspace.files.name(file);
        let records = edits.iter().map(|made| made.record(name).to_string());
        EditsToExport { file, records: records.collect(), undone }
    }

    /// Returns the edits of an earlier run that are offered for a file, to export them.
    pub fn offered_to_export(&self, file: usize) -> Option<EditsToExport> {
        let (past, entries) = self.workspace.files.offered(file)?;
        let after = past.after(entries);
        let shared = past.shared(&after);
        Some(self.to_export(file, &after.applied()[shared..], past.applied_count - shared))
    }
}

/// Returns the dialog of a journaled edit.
pub fn at(file: usize, made: &MadeEdit) -> DialogId {
    DialogId::new(file, made.change.dialog)
}
