//! Edit records: reading them, and finding the dialogs that they name.

mod answers;
mod place;

use std::io;
use std::path::Path;

use super::CommandOutcome;
use super::errors::{file_error, line_error};
use crate::corpus::{DialogRef, Proposal, Suggestion};
use crate::dialog::{Edit, EditKind};
use crate::shell::{STDIN, as_text, read_at_most, read_named_file};
use crate::text::counted;
use answers::AnswerFile;
pub use place::{Placed, TargetFile, Wanted, names, place};

/// The most bytes of all records together.
const LARGEST_EDITS: u64 = 1 << 30;

/// A record and its line number, counted from 1.
pub struct RecordLine {
    pub number: usize,
    pub record: Suggestion,
}

impl RecordLine {
    /// Returns what the record asks for.
    pub fn wanted(&self) -> Wanted {
        let Suggestion { file, dialog, dialog_id, proposal, .. } = &self.record;
        let mut wanted = Wanted {
            line: self.number,
            file: file.clone(),
            dialog: dialog.clone(),
            id: dialog_id.clone(),
            only_there: true,
            position: None,
            about: Some(EditKind::Segments),
            answers: None,
        };
        if let Proposal::Edit(edit) = proposal {
            wanted.about = Some(edit.about());
            wanted.answers = AnswerFile::of(file.as_deref(), edit);
            if let Edit::Judge { judgement } = edit {
                let file = &judgement.file;
                wanted.file = (!file.is_empty()).then(|| file.clone());
                wanted.dialog = DialogRef::Id(judgement.dialog.clone());
                wanted.id = None;
            }
        }
        wanted
    }
}

/// Reads a file of records or annotations, or standard input.
///
/// # Errors
/// If it cannot be read, is too large or is not UTF-8.
pub fn read_edits(path: &Path) -> io::Result<String> {
    as_text(if path == Path::new(STDIN) {
        read_at_most(io::stdin().lock(), LARGEST_EDITS)?
    } else {
        read_named_file(path, LARGEST_EDITS)?
    })
}

/// Reads and parses a file of records. Reports why that fails.
///
/// # Errors
/// The outcome if it cannot be read, or if a line is not a record.
pub fn read_records(path: &Path) -> Result<Vec<RecordLine>, CommandOutcome> {
    let text = read_edits(path).map_err(|error| {
        file_error(path, &format_args!("cannot be read: {error}"));
        CommandOutcome::Unusable
    })?;
    parse(path, &text).ok_or(CommandOutcome::Issues)
}

/// The most lines that are reported because they are not records.
const MOST_ERRORS: usize = 20;

/// Parses all records. Returns None if a line is not a record: its target is unknown, so nothing is
/// applied to any file.
fn parse(edits: &Path, text: &str) -> Option<Vec<RecordLine>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = Vec::new();
    let mut errors = 0;
    let lines = text.lines().enumerate();
    for (i, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match line.parse() {
            Ok(record) => records.push(RecordLine { number: i + 1, record }),
            Err(error) => {
                errors += 1;
                if errors <= MOST_ERRORS {
                    line_error(edits, i + 1, &error);
                }
            }
        }
    }
    if errors > MOST_ERRORS {
        let more = counted(errors - MOST_ERRORS, "more line");
        let why = match errors - MOST_ERRORS {
            1 => format!("{more} is not a record"),
            _ => format!("{more} are not records"),
        };
        file_error(edits, &why);
    }
    (errors == 0).then_some(records)
}
