//! A text to look for: with the case as written if it has capitals, else in any case.

use std::fmt;
use std::ops::Range;

/// A text to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    /// Its characters, small unless `exact`.
    wanted: Vec<char>,
    exact: bool,
}

impl Pattern {
    pub fn new(text: &str) -> Self {
        let exact = text.chars().any(char::is_uppercase);
        let wanted = text
            .chars()
            .map(|c| if exact { c } else { small(c) })
            .collect();
        Self {
            text: text.to_owned(),
            wanted,
            exact,
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if capitals and small letters are told apart.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Where it stands in `text`, in bytes, left to right without overlaps. Nothing stands nowhere.
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

    pub fn is_in(&self, text: &str) -> bool {
        !self.find_all(text).is_empty()
    }

    fn fold(&self, char: char) -> char {
        if self.exact { char } else { small(char) }
    }

    /// The bytes it takes at the beginning of `text`.
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

/// The small letter; the character itself where it would become several.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_matters_only_where_it_is_written() {
        let find = |pattern: &str, text: &str| Pattern::new(pattern).find_all(text);
        assert_eq!(find("two", "Two or two"), [0..3, 7..10]);
        assert_eq!(find("Two", "Two or two"), [0..3]);
        assert_eq!(find("ÉT", "été ÉTÉ"), [6..9]);
        assert_eq!(find("é", "Ée\u{301}"), [0..2]);
        assert_eq!(find("aa", "aaaa"), [0..2, 2..4]);
        assert!(find("", "a").is_empty());
        assert_eq!(find("世界", "こんにちは世界"), [15..21]);
    }
}
