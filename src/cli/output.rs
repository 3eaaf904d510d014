//! Helpers for output files: their paths, obstacles, and sync failures.

use std::path::{Path, PathBuf};

use super::errors::{complain, file_error};
use crate::shell::{OwnerChange, SaveError, SaveReport};

/// The most bytes of a file's name that file systems allow.
pub const LONGEST_NAME: usize = 255;

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
        file_error(goal, &"the output would overwrite an input file");
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
#[derive(clap::Args)]
pub struct SaveOptions {
    /// Save files even if their owner, group, mode or access list would change
    #[arg(long)]
    change_owner: bool,
}

impl SaveOptions {
    pub fn owner_change(&self) -> OwnerChange {
        if self.change_owner { OwnerChange::Allow } else { OwnerChange::Refuse }
    }
}

/// Returns the path of a file below the folder it was found in, or its file name.
pub fn name_of(path: &Path, below: Option<&Path>) -> PathBuf {
    let name = below.and_then(|folder| path.strip_prefix(folder).ok());
    name.map_or_else(|| path.file_name().unwrap_or_default().into(), Path::to_owned)
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
