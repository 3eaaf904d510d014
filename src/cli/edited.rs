//! The end of commands that edit: what they have changed is printed, or saved.

use std::io::{self, Write as _};
use std::path::Path;

use super::CommandOutcome;
use super::conflicts::OpenConflicts;
use super::edit_diff::{self, DiffForm};
use super::errors::{Ended, file_error};
use super::output::{report_save_error, tell_doubt};
use super::printer::Printer;
use super::style::shown;
use crate::corpus::CorpusFile;
use crate::shell::{Content, OpenedFile, RealFs, Save, SaveError, SaveReport, UserFolders};

/// Flags that show changes instead of making them.
#[derive(Debug, Default, clap::Args)]
pub struct PreviewOptions {
    /// Print the changes without changing files [default form: auto]
    #[arg(
        long,
        value_name = "FORM",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "auto"
    )]
    diff: Option<DiffForm>,
    /// Report what would be done without doing it
    #[arg(long, conflicts_with = "diff")]
    pub dry_run: bool,
}

impl PreviewOptions {
    /// True if nothing is to be written.
    pub fn is_asked(&self) -> bool {
        self.dry_run || self.diff.is_some()
    }

    /// Prints the changes of a file, or `would`, which says what would be done. Returns None if neither was asked for.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn print(
        &self,
        path: &Path,
        file: &CorpusFile,
        would: &str,
        out: &mut Printer,
    ) -> io::Result<Option<CommandOutcome>> {
        if let Some(form) = self.diff {
            if let Err(error) = edit_diff::print(path, file, form, out)? {
                file_error(path, &error);
                return Ok(Some(CommandOutcome::Unusable));
            }
        } else if self.dry_run {
            writeln!(out, "{}: {would}", shown(path))?;
        } else {
            return Ok(None);
        }
        Ok(Some(CommandOutcome::Clean))
    }

    /// Writes edited standard input to standard output: all bytes that the edits do not change as they came (see
    /// [`Printer`] for a terminal). Prints the preview instead if one was asked for. `said` is what would be done, and
    /// what was done then; None if there is nothing to say.
    ///
    /// # Errors
    /// If standard output cannot be written, or the edits would change how other spans are read.
    pub fn pass_on(
        &self,
        opened: &OpenedFile,
        said: Option<[String; 2]>,
        out: &mut Printer,
    ) -> Ended {
        let OpenedFile { path, file, .. } = opened;
        if self.is_asked() {
            let end = said.map(|[would, _]| self.print(path, file, &would, out)).transpose()?;
            return Ok(end.flatten().unwrap_or_default());
        }
        if !file.keeps_unit() {
            return Err(io::Error::other(SaveError::OtherUnit).into());
        }
        out.as_json(|out| file.write_to(out))?;
        if let Some([_, done]) = said {
            file_error(path, &done);
        }
        Ok(CommandOutcome::Clean)
    }
}

/// Saves an edited file, and reports what was `done`. The open conflicts of the file stay listed beside it.
///
/// # Errors
/// If `out` cannot be written.
pub fn save(
    save: &Save<'_>,
    file: &CorpusFile,
    open: Option<OpenConflicts>,
    done: &str,
    out: &mut Printer,
) -> Ended {
    let Some(saved) = put(save, file) else {
        return Ok(CommandOutcome::Unusable);
    };
    writeln!(out, "{}: {done}", shown(save.path))?;
    if saved.linked {
        file_error(save.path, &"the file has hard links; its other names keep the old text");
    }
    let is_kept = open.is_none_or(|open| open.keep(save.path, file, saved.hash));
    Ok(if is_kept { CommandOutcome::Clean } else { CommandOutcome::Unusable })
}

/// Saves a file. Reports that it may not survive a power failure, or why it cannot be saved; None then.
pub fn put(save: &Save<'_>, file: &CorpusFile) -> Option<SaveReport> {
    let state = UserFolders::find().state;
    let save = Save { state: state.as_deref(), ..*save };
    match save.put(&RealFs, Content::Corpus(file)) {
        Ok(saved) => {
            tell_doubt(save.path, "saved", &saved);
            Some(saved)
        }
        Err(error) => {
            report_save_error(save.path, &error);
            None
        }
    }
}
