//! The files of an export, by their names in its output folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::output::OutputFiles;
use crate::cli::printer::Printer;
use crate::export::ExportFiles;
use crate::shell::folder_of;

/// The place of the output.
pub enum Goal {
    Folder(PathBuf),
    /// The one file of the export.
    File(PathBuf),
    Stdout(Printer),
}

/// The output of an export.
pub struct ExportOutput {
    pub goal: Goal,
    pub files: OutputFiles,
}

impl ExportFiles for ExportOutput {
    fn file(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let path = match &mut self.goal {
            Goal::Stdout(stdout) => {
                let ending = Path::new(name).extension();
                stdout.set_json(ending.is_some_and(|ending| ending == "jsonl"));
                return Ok(stdout);
            }
            Goal::Folder(folder) => {
                let path = folder.join(name);
                self.files.make_folder(folder_of(&path))?;
                path
            }
            Goal::File(path) => path.clone(),
        };
        Ok(self.files.file(&path)?)
    }
}
