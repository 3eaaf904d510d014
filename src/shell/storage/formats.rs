//! Finds the descriptions of formats that apply to a file: in folders `formats` beside it and above it,
//! in the settings folder, and in LLaMA-Factory's list of data sets beside it.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::beside::{files_in, has_extension};
use super::disk::{LARGEST_DATA, LARGEST_SETTINGS, is_there, read_side_text};
use super::paths::folder_of;
use super::user::UserFolders;
use crate::format::dataset_info::{DATASET_INFO, DataSet, formats as data_sets, of_file};
use crate::format::{Family, Formats};
use crate::text::quoted;

/// The name of a folder with descriptions.
const FOLDER: &str = "formats";

/// The name of the project file. Its `family` is that of all dialogs beside and below it.
pub const PROJECT: &str = "turnwise.toml";

/// The part of a project file that this module reads; `lint` reports one that cannot be read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Project {
    family: Option<String>,
}

/// Reads descriptions, each once.
#[derive(Default)]
pub struct FormatFinder {
    /// The family that the user has named for all files.
    family: Option<String>,
    /// The formats in each folder that was read.
    read: HashMap<PathBuf, Vec<&'static Family>>,
    /// The formats that apply to the files of each folder, by the folder's path as it was given.
    beside: HashMap<PathBuf, Applying>,
    /// Descriptions that cannot be used, as `file:line:column`, and the reasons.
    pub wrong: Vec<(PathBuf, io::Error)>,
}

/// The formats and the family that apply to the files of a folder.
#[derive(Clone)]
struct Applying {
    formats: Formats,
    /// The family that the nearest project file names.
    family: Option<String>,
}

impl FormatFinder {
    /// Returns a finder for files whose dialogs are all of one family, if one is named.
    pub fn of_family(family: Option<String>) -> Self {
        Self { family, ..Self::default() }
    }

    /// Returns the formats that apply to the corpus at `path`: only the family that the user has named, on the
    /// command line or in the nearest project file, if there is one.
    ///
    /// # Errors
    /// If no format has that name.
    pub fn of_corpus(&mut self, path: &Path) -> io::Result<Formats> {
        let Applying { formats, family } = self.applying(path).clone();
        let Some(family) = self.family.clone().or(family) else {
            return Ok(formats);
        };
        formats.named(&family).ok_or_else(|| {
            io::Error::other(format!(
                "unknown family {}; `turnwise formats` lists them",
                quoted(&family)
            ))
        })
    }

    /// Returns the formats that apply to the file at `path`, the nearest first.
    pub fn of(&mut self, path: &Path) -> Formats {
        self.applying(path).formats.clone()
    }

    fn applying(&mut self, path: &Path) -> &Applying {
        let beside = path.parent().unwrap_or(Path::new(""));
        if !self.beside.contains_key(beside) {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let folder = path.parent().unwrap_or(Path::new(""));
            let mut own = self.data_sets(folder);
            for folder in folders(folder) {
                own.extend_from_slice(self.in_folder(folder));
            }
            let (formats, family) = (Formats::with(own), family_in_project(folder));
            self.beside.insert(beside.to_owned(), Applying { formats, family });
        }
        &self.beside[beside]
    }

    /// True if a description that applies to the file at `path` gives it its name.
    pub fn names(&mut self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let formats = self.of(path);
        formats.all().any(|format| format.has_file(&name))
    }

    /// Returns the formats that LLaMA-Factory's list of data sets in a folder describes, if there is one.
    fn data_sets(&mut self, folder: &Path) -> Vec<&'static Family> {
        let path = folder.join(DATASET_INFO);
        if !is_there(&path) {
            return Vec::new();
        }
        let text = read_side_text(&path, LARGEST_DATA);
        let found = text.and_then(|text| data_sets(&text).map_err(io::Error::other));
        found.unwrap_or_else(|error| {
            self.wrong.push((path, error));
            Vec::new()
        })
    }

    /// Returns the formats in a folder with descriptions.
    fn in_folder(&mut self, folder: PathBuf) -> &[&'static Family] {
        let wrong = &mut self.wrong;
        self.read.entry(folder).or_insert_with_key(|folder| {
            let mut formats: Vec<&'static Family> = Vec::new();
            for path in files_in(folder, |path| has_extension(path, "toml")) {
                match read_format(&path) {
                    Ok(declared) => {
                        let format = declared.keep();
                        match formats.iter().find(|other| other.name() == format.name()) {
                            Some(other) => wrong.push((path, same_name(other))),
                            None => formats.push(format),
                        }
                    }
                    Err((place, error)) => wrong.push((place, error)),
                }
            }
            formats
        })
    }
}

/// Returns the family that the nearest project file names for the corpora in a folder.
fn family_in_project(folder: &Path) -> Option<String> {
    // Links are not followed: the folder of a project may have one to its data.
    let mut files = folder.ancestors().map(|above| above.join(PROJECT));
    let text = read_side_text(&files.find(|file| is_there(file))?, LARGEST_SETTINGS).ok()?;
    toml::from_str::<Project>(&text).ok()?.family
}

/// Returns what LLaMA-Factory's list of data sets beside a file says of it.
pub fn data_set_of(path: &Path) -> Option<DataSet> {
    let list = folder_of(path).join(DATASET_INFO);
    let text = is_there(&list).then(|| read_side_text(&list, LARGEST_DATA).ok()).flatten()?;
    of_file(&text, &path.file_name()?.to_string_lossy())
}

/// Returns the folders whose descriptions apply to the files in `folder`, the nearest first.
fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let settings = UserFolders::find().settings;
    let all = folder.ancestors().map(Path::to_owned).chain(settings);
    all.map(|above| above.join(FOLDER))
}

/// True if a description at `description` is in a folder whose descriptions apply to the corpus at `corpus`.
pub fn is_description_found(description: &Path, corpus: &Path) -> bool {
    let folder_of = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        path.parent().map(Path::to_owned).unwrap_or_default()
    };
    let own = fs::canonicalize(folder_of(description)).ok();
    let beside = folder_of(corpus);
    let mut all = folders(&beside);
    own.is_some() && all.any(|folder| fs::canonicalize(folder).ok() == own)
}

/// Returns the error of a description whose name another one in its folder has.
fn same_name(other: &'static Family) -> io::Error {
    let path = other.path().map(|path| path.display().to_string()).unwrap_or_default();
    io::Error::other(format!(
        "the name {:?} is already used by {path}; choose another",
        other.name()
    ))
}

/// Reads the description at `path`.
///
/// # Errors
/// The place, with line and column if they are known, and the reason.
pub fn read_format(path: &Path) -> Result<Family, (PathBuf, io::Error)> {
    let text = read_side_text(path, LARGEST_SETTINGS).map_err(|error| (path.to_owned(), error))?;
    Family::read_from(&text, Some(path.to_owned())).map_err(|error| {
        let place = match error.at {
            Some(at) => PathBuf::from(format!("{}:{at}", path.display())),
            None => path.to_owned(),
        };
        (place, io::Error::other(error.reason))
    })
}
