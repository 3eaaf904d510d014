//! The files in which git reads lines: its attributes, and what it ignores.

use std::io;
use std::path::Path;

use crate::shell::{Content, Expect, LARGEST_SETTINGS, RealFs, Save, read_side_text};

/// The attributes that name the drivers.
pub const NAMED: &str = "diff=turnwise merge=turnwise";

/// The lists of conflicts, which are not meant to be committed.
pub const IGNORED: &str = "*.conflicts.jsonl";

/// A file of lines.
pub struct Lines {
    before: String,
    lines: Vec<String>,
    ends: bool,
}

impl Lines {
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

    /// Returns the lines that turnwise has written.
    pub fn of_turnwise(&self) -> impl Iterator<Item = &String> {
        self.lines.iter().filter(|line| is_of_turnwise(line))
    }

    /// Returns the lines that concern turnwise, also those that somebody has written by hand.
    pub fn with_turnwise(&self) -> impl Iterator<Item = &String> {
        let names = |line: &str| {
            let mut words = line.split_whitespace().skip(1);
            words.any(|word| NAMED.split(' ').any(|named| named == word))
        };
        let lines = self.lines.iter();
        lines.filter(move |line| is_of_turnwise(line) || !line.starts_with('#') && names(line))
    }

    /// Adds the lines that are not there; returns these. With `first` they come before the others, so that later lines
    /// win.
    pub fn add(&mut self, lines: impl IntoIterator<Item = String>, first: bool) -> Vec<String> {
        let lines = lines.into_iter();
        let new: Vec<String> = lines.filter(|line| !self.lines.contains(line)).collect();
        let at = if first { 0 } else { self.lines.len() };
        self.lines.splice(at..at, new.clone());
        self.ends |= !new.is_empty();
        new
    }

    /// Removes the lines that turnwise has written, and returns them.
    pub fn remove(&mut self) -> Vec<String> {
        let removed = self.of_turnwise().cloned().collect();
        self.lines.retain(|line| !is_of_turnwise(line));
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
        let save = Save::at(path, Expect::Anything);
        let written = save.put(&RealFs, Content::Text(text.as_bytes()));
        written.map(|_| ()).map_err(io::Error::other)
    }
}

fn is_of_turnwise(line: &str) -> bool {
    line.ends_with(NAMED) || line == IGNORED
}
