//! Output files: they are written beside their places, and put there when the command has not failed; their paths,
//! obstacles, and sync failures.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::errors::{complain, file_error};
use crate::shell::{OwnerChange, SaveError, SaveReport, StreamedFile};
use crate::text::counted;

/// The most bytes of a file's name that file systems allow.
pub const LONGEST_NAME: usize = 255;

/// The output files of a command: all of them, or none.
pub struct OutputFiles {
    /// Files that are read, which no output may replace.
    inputs: Vec<PathBuf>,
    open: BTreeMap<PathBuf, StreamedFile>,
    /// The folders that were made for them, the deepest ones last.
    made: Vec<PathBuf>,
}

/// The numbers of output files that were written, and of those that already had the right content.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilesWritten {
    pub new: u64,
    pub unchanged: u64,
}

impl fmt::Display for FilesWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} written", counted(self.new, "file"))?;
        match self.unchanged {
            0 => Ok(()),
            some => write!(f, ", {} unchanged", counted(some, "file")),
        }
    }
}

impl OutputFiles {
    /// Returns no files yet; `inputs` are those to read.
    pub fn new(inputs: Vec<PathBuf>) -> Self {
        Self { inputs, open: BTreeMap::new(), made: Vec::new() }
    }

    /// Makes a folder for output files, unless it is there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn make_folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.exists() && !folder.is_dir() {
            return Err(io::Error::other("this is a file, not a folder"));
        }
        let above: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
        std::fs::create_dir_all(folder)?;
        self.made.extend(above.into_iter().rev().map(Path::to_owned));
        Ok(())
    }

    /// Returns the file to write for `path`, in a folder that exists.
    ///
    /// # Errors
    /// If it would replace a file that is read, or cannot be made. The message names it.
    pub fn file(&mut self, path: &Path) -> io::Result<&mut StreamedFile> {
        if !self.open.contains_key(path) {
            let file = self.begin(path);
            let file = file.map_err(|error| {
                let why = format!("{}: {error}", path.display());
                io::Error::new(error.kind(), why)
            })?;
            self.open.insert(path.to_owned(), file);
        }
        let file = self.open.get_mut(path);
        Ok(file.ok_or(io::ErrorKind::NotFound)?)
    }

    fn begin(&mut self, path: &Path) -> io::Result<StreamedFile> {
        if path.file_name().unwrap_or_default().len() > LONGEST_NAME {
            return Err(io::Error::other("the name is too long for a file"));
        }
        if self.inputs.iter().any(|input| same_file(input, path)) {
            return Err(io::Error::other(CLASH));
        }
        StreamedFile::begin(path.to_owned())
    }

    /// Puts all files into their places, unless the command has failed, or one of them cannot be written. Reports that.
    pub fn finish(mut self, overwrite: bool, outcome: &mut CommandOutcome) -> FilesWritten {
        let (mut written, mut complete) = (FilesWritten::default(), Vec::new());
        let report = |path: &Path, error: &SaveError, outcome: &mut CommandOutcome| {
            report_save_error(path, error);
            *outcome = CommandOutcome::Unusable;
        };
        let is_any = !self.open.is_empty();
        for (path, mut file) in std::mem::take(&mut self.open) {
            match file.complete(overwrite) {
                Ok(true) => complete.push((path, file)),
                Ok(false) => written.unchanged += 1,
                Err(error) => report(&path, &error, outcome),
            }
        }
        if *outcome == CommandOutcome::Unusable {
            drop(complete);
            if is_any {
                report_nothing_written();
            }
            return FilesWritten::default();
        }
        for (path, file) in complete {
            match file.put() {
                Ok(saved) => {
                    written.new += 1;
                    tell_doubt(&path, "written", &saved);
                }
                Err(error) => report(&path, &error, outcome),
            }
        }
        written
    }
}

impl Drop for OutputFiles {
    /// Removes the folders in which there is no file.
    fn drop(&mut self) {
        self.open.clear();
        for folder in self.made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

const CLASH: &str = "the output would overwrite an input file";
const ALREADY: &str = "the file exists; use --overwrite to replace it";

/// Warns that a file which was `done` ("saved" or "written") may not survive a power failure, if its
/// sync failed.
pub fn tell_doubt(path: &Path, done: &str, saved: &SaveReport) {
    if let Some(error) = &saved.doubt {
        let why = format!("{done}, but may not survive a power failure: {error}");
        file_error(path, &why);
    }
}

/// Reports why a file was not written.
pub fn report_save_error(path: &Path, error: &SaveError) {
    match error {
        SaveError::Exists(path) => file_error(path, &ALREADY),
        SaveError::AccessLoss(_) => {
            file_error(path, &format!("{error}; use --change-owner to save it anyway"));
        }
        other => file_error(path, other),
    }
}

/// Reports a file at the path of the folder `output`; returns true if there is one.
pub fn blocked_by_file(output: &Path) -> bool {
    let other = output.exists() && !output.is_dir();
    if other {
        file_error(output, &"this is a file, not a folder");
    }
    other
}

/// Reports files in `goals` that would replace each other, or one of the files in `read`; returns true
/// if there are any.
pub fn goals_clash(goals: &[PathBuf], read: &[&Path]) -> bool {
    let is_read = |goal: &&PathBuf| read.iter().any(|path| same_file(goal, path));
    if let Some(goal) = goals.iter().find(is_read) {
        file_error(goal, &CLASH);
        return true;
    }
    let mut sorted: Vec<_> = goals.iter().collect();
    sorted.sort_unstable();
    let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
    if let Some(twice) = twice {
        file_error(twice[0], &"two files would be written to this path");
    }
    twice.is_some()
}

/// Reports which of `goals` exist; returns true if any does.
pub fn goals_exist<'g>(goals: impl IntoIterator<Item = &'g Path>) -> bool {
    let mut taken = false;
    for goal in goals {
        if goal.symlink_metadata().is_ok() {
            file_error(goal, &ALREADY);
            taken = true;
        }
    }
    taken
}

pub fn report_nothing_written() {
    complain(format_args!("nothing was written"));
}

/// Flags of commands that save files in place.
#[derive(Clone, Copy, Default, clap::Args)]
pub struct SaveOptions {
    /// Save files even if their owner, group, mode or access list would change
    #[arg(long)]
    change_owner: bool,
}

impl SaveOptions {
    pub fn owner_change(self) -> OwnerChange {
        if self.change_owner { OwnerChange::Allow } else { OwnerChange::Refuse }
    }
}

/// Returns the path of a file below the folder it was found in, or its file name.
pub fn name_of(path: &Path, below: Option<&Path>) -> PathBuf {
    let name = below.and_then(|folder| path.strip_prefix(folder).ok());
    let name = name.filter(|name| !name.as_os_str().is_empty());
    name.map_or_else(|| path.file_name().unwrap_or(path.as_os_str()).into(), Path::to_owned)
}

/// Returns true if a file found in the folder `below` is the output of an earlier run in `output`.
pub fn is_below(path: &Path, below: Option<&Path>, output: &Path) -> bool {
    let Some(folder) = below else {
        return false;
    };
    let below = |path: &Path, folder: &Path| matches!((path.canonicalize(), folder.canonicalize()), (Ok(p), Ok(f)) if p.starts_with(&f));
    below(path, output) && !below(folder, output)
}

pub fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
