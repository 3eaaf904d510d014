//! The files of an export: written next to their places, and put there when all are complete.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::CommandOutcome;
use crate::cli::output::{LONGEST_NAME, report_save_error, same_file, tell_doubt};
use crate::cli::printer::Printer;
use crate::export::ExportFiles;
use crate::shell::{Fs as _, RealFs, StreamedFile};

/// The place of the output.
pub enum Goal {
    Folder(PathBuf),
    /// The one file of the export.
    File(PathBuf),
    Stdout,
}

/// The output files of one export.
pub struct OutputFiles {
    goal: Goal,
    /// Files that are read, which no output may replace.
    inputs: Vec<PathBuf>,
    open: BTreeMap<String, StreamedFile>,
    stdout: Option<Printer>,
}

impl OutputFiles {
    /// Prepares the output; `inputs` are the files to read.
    ///
    /// # Errors
    /// If the output folder cannot be made.
    pub fn new(goal: Goal, inputs: Vec<PathBuf>) -> io::Result<Self> {
        if let Goal::Folder(folder) = &goal {
            if folder.exists() && !folder.is_dir() {
                return Err(io::Error::other("this is a file, not a folder"));
            }
            RealFs.make_folder(folder)?;
        }
        let stdout = matches!(goal, Goal::Stdout).then(Printer::stdout);
        Ok(Self { goal, inputs, open: BTreeMap::new(), stdout })
    }

    pub fn is_stdout(&self) -> bool {
        self.stdout.is_some()
    }

    /// Puts all files into their places, and reports those that cannot be. Returns the number of files
    /// written, and of those that already had the right content.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn finish(self, overwrite: bool, outcome: &mut CommandOutcome) -> io::Result<(u64, u64)> {
        if let Some(mut stdout) = self.stdout {
            stdout.flush()?;
        }
        let (mut written, mut unchanged) = (0, 0);
        for file in self.open.into_values() {
            let path = file.path().to_owned();
            match file.finish(overwrite) {
                Ok(Some(saved)) => {
                    written += 1;
                    tell_doubt(&saved.path, "written", &saved);
                }
                Ok(None) => unchanged += 1,
                Err(error) => {
                    report_save_error(&path, &error);
                    *outcome = CommandOutcome::Unusable;
                }
            }
        }
        Ok((written, unchanged))
    }

    /// Returns the path of the file called `name`, in a folder that exists.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let path = match &self.goal {
            Goal::Folder(folder) => {
                let path = folder.join(name);
                if let Some(folder) = Path::new(name).parent() {
                    RealFs
                        .make_folder(&path.with_file_name(""))
                        .map_err(|error| named(folder, &error))?;
                }
                path
            }
            Goal::File(path) => path.clone(),
            Goal::Stdout => PathBuf::new(),
        };
        let name = path.file_name().unwrap_or_default();
        if name.len() > LONGEST_NAME {
            let why = io::Error::other("the name is too long for a file");
            return Err(named(&path, &why));
        }
        if self.inputs.iter().any(|input| same_file(input, &path)) {
            let why = io::Error::other("the output would replace a file that is read");
            return Err(named(&path, &why));
        }
        Ok(path)
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl ExportFiles for OutputFiles {
    fn file(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        if self.stdout.is_none() && !self.open.contains_key(name) {
            let path = self.path(name)?;
            let file = StreamedFile::begin(path.clone()).map_err(|error| named(&path, &error))?;
            self.open.insert(name.to_owned(), file);
        }
        if let Some(stdout) = &mut self.stdout {
            let ending = Path::new(name).extension();
            stdout.set_json(ending.is_some_and(|ending| ending == "jsonl"));
            return Ok(stdout);
        }
        let file = self.open.get_mut(name);
        Ok(file.ok_or(io::ErrorKind::NotFound)?)
    }
}
