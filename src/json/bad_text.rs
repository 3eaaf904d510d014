//! Mistakes in texts that people write: settings, keymaps, themes, schemes, descriptions of formats, ontologies.

use std::fmt;
use std::path::Path;

use super::Position;

/// Why a text is not what it should be, with the position if it is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadText {
    pub at: Option<Position>,
    pub reason: String,
}

impl BadText {
    /// Returns the reason why byte `at` of a text is wrong.
    pub fn at(text: &str, at: usize, reason: impl Into<String>) -> Self {
        Self { at: Some(Position::of(text.as_bytes(), at)), reason: reason.into() }
    }

    /// Returns the reason why a text as a whole is wrong, or cannot be read.
    pub fn whole(reason: &(impl ToString + ?Sized)) -> Self {
        Self { at: None, reason: reason.to_string() }
    }

    /// Returns an error in a text that should be TOML.
    pub fn in_toml(text: &str, error: &toml::de::Error) -> Self {
        let at = error.span().map(|span| Position::of(text.as_bytes(), span.start));
        Self { at, reason: error.message().to_owned() }
    }

    /// Returns the message about the file at `path` that has this text.
    pub fn in_file(&self, path: &Path) -> String {
        let gap = if self.at.is_some() { "" } else { " " };
        format!("{}:{gap}{self}", path.display())
    }
}

impl fmt::Display for BadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{at}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for BadText {}
