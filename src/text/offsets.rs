//! Offsets in the units that corpora and programs count in.

use super::tokens::Splitting;

/// The unit that an offset counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Units {
    /// Unicode scalar values, as Python counts. The unit of Taskmaster's segments.
    #[default]
    CodePoints,
    /// Words as the corpus splits them; a new text is split in this way. The unit of the simulated dialogues'
    /// slots.
    Tokens(Splitting),
}

impl Units {
    /// For messages: "at least one character".
    pub fn one(self) -> &'static str {
        match self {
            Self::CodePoints => "character",
            Self::Tokens(_) => "token",
        }
    }

    /// For messages: "12 code points".
    pub fn name(self) -> &'static str {
        match self {
            Self::CodePoints => "code points",
            Self::Tokens(_) => "tokens",
        }
    }

    /// Returns the tokens of a text; none if it counts code points.
    pub fn tokens(self, text: &str) -> Vec<&str> {
        match self {
            Self::CodePoints => Vec::new(),
            Self::Tokens(splitting) => splitting.tokens(text),
        }
    }

    pub fn is_tokens(self) -> bool {
        matches!(self, Self::Tokens(_))
    }
}

/// Returns the number of code points in `text`.
pub fn count(text: &str) -> usize {
    // Bytes that do not continue a character; the compiler makes this a vector loop.
    text.bytes().filter(|&byte| byte & 0xc0 != 0x80).count()
}

/// Cuts a text to `longest` code points; an ellipsis replaces the others.
pub fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the byte offset of code point `offset` of `text`; its length if `offset` is the number of code
/// points; None beyond.
pub fn byte_of(text: &str, offset: usize) -> Option<usize> {
    // Up to the first character beyond ASCII, bytes and code points are the same.
    if text.len() >= offset && text.as_bytes()[..offset].is_ascii() {
        return Some(offset);
    }
    let mut starts = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    starts.nth(offset)
}

/// Returns the byte offset after the first `units` UTF-16 code units of `text`, as Java and JavaScript
/// count; None beyond the text, or between the halves of a surrogate pair.
pub fn byte_of_utf16(text: &str, units: usize) -> Option<usize> {
    let mut seen = 0;
    for (byte, char) in text.char_indices() {
        if seen >= units {
            return (seen == units).then_some(byte);
        }
        seen += char.len_utf16();
    }
    (seen == units).then_some(text.len())
}

/// Returns the text from code point `start` to `end`; None unless `start <= end <= count(text)`.
pub fn slice(text: &str, start: usize, end: usize) -> Option<&str> {
    let from = byte_of(text, start)?;
    let to = from + byte_of(&text[from..], end.checked_sub(start)?)?;
    Some(&text[from..to])
}
