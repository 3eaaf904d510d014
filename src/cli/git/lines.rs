//! The file of git's attributes.

use std::io;
use std::path::Path;

use crate::shell::{LARGEST_SETTINGS, RealFs, put_text, read_side_text};

/// The attributes that name the drivers.
const NAMED: &str = "diff=turnwise merge=turnwise";

/// A file of attributes.
pub struct Attributes {
    before: String,
    lines: Vec<String>,
    ends: bool,
}

impl Attributes {
    /// Reads the file; it is empty if there is none.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = match read_side_text(path, LARGEST_SETTINGS) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            other => other?,
        };
        Ok(Self {
            lines: text.lines().map(str::to_owned).collect(),
            ends: text.is_empty() || text.ends_with('\n'),
            before: text,
        })
    }

    /// Returns the lines that name the drivers.
    pub fn lines_of_turnwise(&self) -> impl Iterator<Item = &String> {
        self.lines.iter().filter(|line| line.ends_with(NAMED))
    }

    /// Adds a line for each pattern that has none; returns these lines. With `lfs_safe` they come first, so that later
    /// lines, such as those of git LFS, win.
    pub fn add(&mut self, patterns: &[String], lfs_safe: bool) -> Vec<String> {
        let lines = patterns.iter().map(|pattern| format!("{pattern} {NAMED}"));
        let new: Vec<String> = lines.filter(|line| !self.lines.contains(line)).collect();
        let at = if lfs_safe { 0 } else { self.lines.len() };
        self.lines.splice(at..at, new.clone());
        self.ends |= !new.is_empty();
        new
    }

    /// Removes the lines that name the drivers, and returns them.
    pub fn remove(&mut self) -> Vec<String> {
        let removed = self.lines_of_turnwise().cloned().collect();
        self.lines.retain(|line| !line.ends_with(NAMED));
        removed
    }

    /// Writes the file if it has changed; a file without a line is removed.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = self.lines.join("\n");
        if self.ends && !text.is_empty() {
            text.push('\n');
        }
        if text == self.before {
            return Ok(());
        }
        if text.is_empty() {
            return std::fs::remove_file(path);
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let written = put_text(&RealFs, path, text.as_bytes(), &[]);
        written.map(|_| ()).map_err(io::Error::other)
    }
}
