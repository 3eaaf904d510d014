//! Makes the edits of records in memory, and reports those that are refused.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::RecordLine;
use crate::cli::CommandOutcome;
use crate::cli::errors::{file_error, file_issues, line_error};
use crate::cli::scan::broken_dialog;
use crate::corpus::{Change, CorpusFile, Proposal, QuotedEdit};
use crate::dialog::{Dialog, Edit, EditError, EditKind};
use crate::format::EditGroup;
use crate::lint::quoted_span;

/// The outcome of the edits of a file.
pub struct AppliedEdits {
    pub outcome: CommandOutcome,
    /// The number of edits that changed something.
    pub changes: usize,
}

/// Applies all edits of a file in memory: `placed` has the index of each record and the position of its
/// dialog. Reports those that fail, in the order of the records.
pub fn edit(
    edits: &Path,
    path: &Path,
    file: &mut CorpusFile,
    placed: &[(usize, usize)],
    lines: &[RecordLine],
) -> AppliedEdits {
    let mut of_dialog: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (line, position) in placed {
        of_dialog.entry(*position).or_default().push(*line);
    }
    let (mut outcome, mut changes) = (CommandOutcome::Clean, 0);
    let mut refused = BTreeMap::new();
    let mut broken = HashMap::new();
    let mut copies = Vec::new();
    for (position, places) in of_dialog {
        let Batch { refused: failed, changes: made, .. } =
            edit_dialog(file, position, &places, lines);
        changes += made.len();
        if failed.is_empty() {
            let dialog = &lines[places[0]].record.dialog;
            copies.extend(file.copies(position, &made).map(|why| (dialog, why)));
            continue;
        }
        refused.extend(failed.into_iter().map(|(line, why)| (line, (position, why))));
        if let Err(error) = file.dialog(position) {
            broken.insert(position, Some(broken_dialog(file, position, &error)));
        }
    }
    for (line, (position, why)) in refused {
        let RecordLine { number, record } = &lines[line];
        let dialog = &record.dialog;
        if let Some(broken) = broken.get_mut(&position) {
            // Reported once for all records of the dialog.
            if let Some(issue) = broken.take() {
                outcome = outcome.max(file_issues(path, &[issue]));
            }
            line_error(edits, *number, &format_args!("{dialog} cannot be read"));
        } else {
            line_error(edits, *number, &format_args!("{dialog}: {why}"));
        }
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if outcome != CommandOutcome::Clean {
        file_error(path, &"not changed");
        copies.clear();
    }
    for (dialog, why) in copies {
        file_error(path, &format_args!("{dialog}: {why}"));
    }
    AppliedEdits { outcome, changes }
}

/// The edits of one dialog that are made together, each with the index of its record.
#[derive(Default)]
struct Batch {
    edits: Vec<(usize, Edit)>,
    /// The dialog before them, if a quotation needed it.
    dialog: Option<Dialog>,
    /// The reason for each record of this and earlier batches that is refused.
    refused: BTreeMap<usize, String>,
    /// The changes that this and earlier batches made.
    changes: Vec<Change>,
}

impl Batch {
    /// True if a turn would have another text, or another number.
    fn changes_text(&self, turn: usize) -> bool {
        self.edits.iter().any(|(_, edit)| match edit.about() {
            EditKind::Turns => true,
            EditKind::Text | EditKind::Tokens | EditKind::Calls => edit.turn() == turn,
            _ => false,
        })
    }

    /// Makes the edits, and begins another batch.
    fn make(&mut self, file: &mut CorpusFile, position: usize, lines: &[RecordLine]) {
        let groups = self.edits.iter().map(|(line, edit)| EditGroup {
            edits: std::slice::from_ref(edit),
            on: lines[*line].record.on.as_ref(),
        });
        let groups: Vec<_> = groups.collect();
        let made = file.edit_all(position, &groups);
        let changes = made.changes.into_iter();
        self.changes.extend(changes.map(|(_, change)| change));
        for ((line, _), result) in self.edits.drain(..).zip(made.results) {
            self.refused.extend(result.err().map(|why| (line, why.to_string())));
        }
        self.dialog = None;
    }

    /// Returns the edit at the place of its quotation.
    fn found(
        &mut self,
        file: &CorpusFile,
        position: usize,
        quoted: &QuotedEdit,
    ) -> Result<Edit, String> {
        if self.dialog.is_none() {
            let read = file.dialog(position);
            let read = read.map_err(|error| error.to_string())?;
            self.dialog = read.map(|(dialog, _)| dialog);
        }
        let Some(dialog) = &self.dialog else {
            return Err("the file holds no known dialogs".to_owned());
        };
        let Some(turn) = dialog.turns.get(quoted.turn) else {
            let (turn, count) = (quoted.turn, dialog.turns.len());
            return Err(EditError::NoTurn { turn, count }.to_string());
        };
        let span = quoted_span(turn, dialog.units, &quoted.quote, quoted.nth);
        match span {
            Ok(span) => Ok(quoted.at(span)),
            Err(error) => Err(format!("turn {}: {error}", quoted.turn)),
        }
    }
}

/// Applies the records `places` of one dialog.
fn edit_dialog(
    file: &mut CorpusFile,
    position: usize,
    places: &[usize],
    lines: &[RecordLine],
) -> Batch {
    let mut batch = Batch::default();
    for line in places {
        let edit = match &lines[*line].record.proposal {
            Proposal::Edit(edit) => edit.clone(),
            Proposal::Quoted(quoted) => {
                // An earlier record may bring the words.
                if batch.changes_text(quoted.turn) {
                    batch.make(file, position, lines);
                }
                match batch.found(file, position, quoted) {
                    Ok(edit) => edit,
                    Err(why) => {
                        batch.refused.insert(*line, why);
                        continue;
                    }
                }
            }
        };
        batch.edits.push((*line, edit));
    }
    batch.make(file, position, lines);
    batch
}
