//! Syntax errors of JSON texts, and their positions.
//!
//! Errors carry a byte offset; [`Position`] converts it to a line and a column. This module does not know
//! which file a text is from.

use std::fmt;

/// Why a text is not JSON, at a byte offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SyntaxError {
    /// Byte offset of the first invalid byte.
    pub at: usize,
    pub kind: SyntaxKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxKind {
    #[error("expected a JSON value, found an empty text")]
    Empty,
    #[error("expected a value")]
    ValueExpected,
    #[error("expected a key in double quotes")]
    KeyExpected,
    #[error("expected `:` after the key")]
    ColonExpected,
    #[error("expected `,` or `}}`")]
    CommaOrBraceExpected,
    #[error("expected `,` or `]`")]
    CommaOrBracketExpected,
    #[error("`{{` is never closed")]
    ObjectNotClosed,
    #[error("`[` is never closed")]
    ArrayNotClosed,
    #[error("the file ends inside the value that starts here")]
    FileEndsInside,
    #[error("the string is never closed")]
    StringNotClosed,
    #[error("not a JSON number")]
    BadNumber,
    #[error(
        "not a JSON value; expected true, false, null, a number, a string, an array or an object"
    )]
    BadLiteral,
    #[error("unknown escape in a string")]
    BadEscape,
    #[error("raw control character in a string; write it as an escape")]
    ControlInString,
    #[error("not valid UTF-8")]
    NotUtf8,
    #[error("the file is UTF-16; JSON must be UTF-8")]
    Utf16,
    #[error("unexpected text after the value")]
    TrailingText,
    #[error("the lines end in CR alone; JSON Lines need LF")]
    LinesEndInReturn,
    #[error("the value is longer than 4 GiB")]
    TooLong,
}

impl SyntaxKind {
    pub(super) fn at(self, at: usize) -> SyntaxError {
        SyntaxError { at, kind: self }
    }
}

/// A byte offset as line and column, both from 1. Columns count code points; a byte that is not UTF-8
/// counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

impl Default for Position {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Position {
    /// Returns the position of byte `at` in `text`; past the end, that of the end.
    pub fn of(text: &[u8], at: usize) -> Self {
        let mut position = Self::default();
        position.advance(&text[..at.min(text.len())]);
        position
    }

    /// Returns the position of `further`, which counts from this position.
    #[must_use]
    pub fn then(self, further: Self) -> Self {
        if further.line > 1 {
            let line = self.line + further.line - 1;
            return Self { line, ..further };
        }
        let column = self.column + further.column - 1;
        Self { column, ..self }
    }

    /// Moves past `bytes`. A long text may be passed in parts.
    pub fn advance(&mut self, bytes: &[u8]) {
        let last_line = match memchr::memrchr(b'\n', bytes) {
            None => bytes,
            Some(newline) => {
                self.line += memchr::memchr_iter(b'\n', &bytes[..=newline]).count() as u64;
                self.column = 1;
                &bytes[newline + 1..]
            }
        };
        self.column += last_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The number of characters that an excerpt keeps on each side.
const EXCERPT_SIDE: usize = 32;

/// Returns the line of `text` around byte `at`, cut to fit a message, as the parts before and after `at`. Bytes
/// that are not UTF-8 become U+FFFD.
pub fn excerpt(text: &[u8], at: usize) -> (String, String) {
    let at = at.min(text.len());
    let line_start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |i| i + 1);
    let line_end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |i| at + i);
    // A character has at most four bytes, so this is enough of a very long line.
    let from = line_start.max(at.saturating_sub(4 * EXCERPT_SIDE));
    let to = line_end.min(at + 4 * EXCERPT_SIDE);
    let before = String::from_utf8_lossy(&text[from..at]).trim_start().to_owned();
    let after = String::from_utf8_lossy(&text[at..to]).trim_end().to_owned();
    let skip = before.chars().count().saturating_sub(EXCERPT_SIDE);
    (before.chars().skip(skip).collect(), after.chars().take(EXCERPT_SIDE).collect())
}
