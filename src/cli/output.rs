//! Files that are written: where they go in a folder of their own, and whether they are there to stay.

use std::path::{Path, PathBuf};

use super::complain;
use super::paint::shown;
use crate::shell::{OwnerChange, SaveError, Saved};

/// Says so if it is not known whether a file that was `done`, "saved" or "written", survives a power
/// failure.
pub fn tell_doubt(path: &Path, done: &str, saved: &Saved) {
    if let Some(error) = &saved.doubt {
        let path = shown(path);
        complain(format_args!(
            "{path}: {done}, but may not survive a power failure: {error}"
        ));
    }
}

/// Flags of commands that save files in their place.
#[derive(clap::Args)]
pub struct Saving {
    /// Save files too whose owner, group, mode or access list cannot be kept
    #[arg(long)]
    change_owner: bool,
}

impl Saving {
    pub fn owner_change(&self) -> OwnerChange {
        if self.change_owner {
            OwnerChange::Allow
        } else {
            OwnerChange::Refuse
        }
    }
}

/// Why a file was not saved in its place, and what to do about it.
pub fn why_unsaved(error: &SaveError) -> String {
    match error {
        SaveError::AccessLoss(_) => format!("{error}; --change-owner saves it all the same"),
        _ => error.to_string(),
    }
}

/// The path of a file below the folder it was found in, or its name.
pub fn name_of(path: &Path, below: Option<&Path>) -> PathBuf {
    let name = below.and_then(|folder| path.strip_prefix(folder).ok());
    name.map_or_else(
        || path.file_name().unwrap_or_default().into(),
        Path::to_owned,
    )
}

/// True if a file found in the folder `below` is what an earlier run wrote into `output` below it.
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
