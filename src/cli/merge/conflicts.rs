//! The list of conflicts beside a merged file.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::errors::file_error;
use crate::cli::output::report_save_error;
use crate::cli::records::RecordLine;
use crate::cli::style::shown;
use crate::compare::{ConflictLine, MergedFile};
use crate::shell::{RealFs, write_new};
use crate::text::visible;

/// The conflicts of a merged file.
pub struct Conflicts {
    path: PathBuf,
    pub lines: Vec<ConflictLine>,
}

impl Conflicts {
    /// Returns those of the merged file at `path`.
    pub fn of(merged: MergedFile, path: &Path) -> Self {
        let lines = merged.conflicts.into_iter().map(ConflictLine::from);
        Self {
            path: path.to_owned(),
            lines: lines.collect(),
        }
    }

    /// Returns the file that lists them.
    fn list(&self) -> PathBuf {
        let mut name: OsString = self.path.clone().into();
        name.push(".conflicts.jsonl");
        name.into()
    }

    /// Writes the list, or removes an old one if there are none. False, with a report, if that fails.
    pub fn write(&self) -> bool {
        let list = self.list();
        if self.lines.is_empty() {
            return match std::fs::remove_file(&list) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    file_error(&list, &error);
                    false
                }
                _ => true,
            };
        }
        let lines = self.lines.iter().map(serde_json::to_string);
        let lines: Result<Vec<_>, _> = lines.collect();
        let text = lines.unwrap_or_default().join("\n") + "\n";
        match write_new(&RealFs, &list, text.as_bytes(), true) {
            Ok(_) => true,
            Err(error) => {
                report_save_error(&list, &error);
                false
            }
        }
    }

    /// Returns each in a line.
    pub fn told(&self) -> impl Iterator<Item = String> {
        self.lines.iter().map(|conflict| {
            let number = conflict.dialog.map_or(String::new(), |at| format!(" {at}"));
            let turn = conflict
                .turn
                .map_or(String::new(), |at| format!(", turn {at}"));
            let (id, kind, said) = (&conflict.dialog_id, &conflict.conflict, conflict.said());
            visible(&format!("dialog{number} {id}{turn}, {kind}: {said}")).into_owned()
        })
    }

    /// Returns the edits that take the other side, for a review.
    pub fn records(&self) -> Vec<RecordLine> {
        let lines = self.lines.iter().enumerate();
        let records = lines.flat_map(|(at, conflict)| {
            let suggested = conflict.suggestions().into_iter();
            suggested.map(move |record| RecordLine {
                number: at + 1,
                record,
            })
        });
        records.collect()
    }

    /// Returns the command that decides them on the screen.
    pub fn command(&self) -> String {
        let (path, list) = (shown(&self.path), shown(&self.list()));
        format!("turnwise {path} --suggestions {list}")
    }
}
