//! Mistakes in files that people write, by their lines.

/// Why a text cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadLine {
    /// From 1.
    pub line: usize,
    pub reason: String,
}

impl BadLine {
    /// Returns the mistake at byte `at` of `text`; past the end, it is on the last line.
    pub fn at(text: &str, at: usize, reason: impl Into<String>) -> Self {
        let before = &text.as_bytes()[..at.min(text.len())];
        let lines = before.split(|byte| *byte == b'\n');
        Self { line: lines.count(), reason: reason.into() }
    }

    /// Returns the mistake for which `text` is not the TOML that is expected.
    pub fn of_toml(text: &str, error: &toml::de::Error) -> Self {
        Self::at(text, error.span().map_or(0, |span| span.start), error.message())
    }
}
