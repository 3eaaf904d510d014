//! A text to search for: case-sensitive if it contains capitals.

use std::fmt;
use std::ops::Range;

/// A text to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    /// Its characters, in lower case unless `exact`.
    wanted: Vec<char>,
    exact: bool,
}

impl Pattern {
    pub fn new(text: &str) -> Self {
        let exact = text.chars().any(char::is_uppercase);
        let wanted = text.chars().map(|c| if exact { c } else { small(c) }).collect();
        Self { text: text.to_owned(), wanted, exact }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if the search is case-sensitive.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns its occurrences in `text`, in bytes, left to right without overlaps. An empty text never occurs.
    pub fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let Some(&first) = self.wanted.first() else {
            return found;
        };
        let mut past = 0;
        for (at, char) in text.char_indices() {
            if at >= past
                && self.fold(char) == first
                && let Some(len) = self.len_at(&text[at..])
            {
                past = at + len;
                found.push(at..past);
            }
        }
        found
    }

    /// True if it occurs in `text`.
    pub fn is_in(&self, text: &str) -> bool {
        let Some(&first) = self.wanted.first() else {
            return false;
        };
        let mut chars = text.char_indices();
        chars.any(|(at, char)| self.fold(char) == first && self.len_at(&text[at..]).is_some())
    }

    /// True if `text` is this text.
    pub fn is_all(&self, text: &str) -> bool {
        self.len_at(text) == Some(text.len())
    }

    fn fold(&self, char: char) -> char {
        if self.exact { char } else { small(char) }
    }

    /// Returns the number of bytes that it matches at the start of `text`.
    fn len_at(&self, text: &str) -> Option<usize> {
        let mut chars = text.char_indices();
        for wanted in &self.wanted {
            let (_, char) = chars.next()?;
            if self.fold(char) != *wanted {
                return None;
            }
        }
        Some(chars.next().map_or(text.len(), |(at, _)| at))
    }
}

/// Returns a text in lower case, as patterns without capitals compare it.
pub(super) fn folded(text: &str) -> String {
    text.chars().map(small).collect()
}

/// Returns the lower case; the character itself if its lower case has several characters.
fn small(char: char) -> char {
    if char.is_ascii() {
        return char.to_ascii_lowercase();
    }
    let mut small = char.to_lowercase();
    match (small.next(), small.next()) {
        (Some(one), None) => one,
        _ => char,
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
