//! Decodes JSON strings, and encodes text in the same style.
//!
//! A corpus writes `’` literally or as `\u2019`, `/` plain or as `\/`, and hexadecimal digits in lower or
//! upper case. [`Escapes`] learns the style from existing text and applies it to new text.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Decodes `quoted`, the inside of a valid JSON string. Half of a surrogate pair on its own becomes
/// U+FFFD.
#[inline]
pub fn decode(quoted: &str) -> Cow<'_, str> {
    match memchr::memchr(b'\\', quoted.as_bytes()) {
        None => Cow::Borrowed(quoted),
        Some(first) => Cow::Owned(decode_from(quoted, first)),
    }
}

/// So many bytes behind an escape are searched one by one for the next.
const NEAR: usize = 8;

/// Decodes `quoted`, whose first escape starts at byte `escape`.
fn decode_from(quoted: &str, mut escape: usize) -> String {
    let mut text = String::with_capacity(quoted.len());
    let mut units = StringChars::new(quoted);
    loop {
        text.push_str(&quoted[units.at..escape]);
        units.at = escape;
        // Fast path for the most common escapes in long texts, and in JSON inside strings.
        let common = match quoted.as_bytes().get(escape + 1) {
            Some(b'n') => Some('\n'),
            Some(b'"') => Some('"'),
            _ => None,
        };
        if let Some(char) = common {
            text.push(char);
            units.at += 2;
        } else {
            let (char, len) = units.escape();
            text.push(char);
            units.at = (escape + len).min(quoted.len());
        }
        // JSON inside strings has an escape every few bytes, for which a vector search takes too long.
        let rest = &quoted.as_bytes()[units.at..];
        let near = rest.iter().take(NEAR).position(|byte| *byte == b'\\');
        let next = near.or_else(|| {
            let far = rest.get(NEAR..)?;
            Some(NEAR + memchr::memchr(b'\\', far)?)
        });
        match next {
            Some(next) => escape = units.at + next,
            None => break,
        }
    }
    text.push_str(&quoted[units.at..]);
    text
}

/// A character of a string with the bytes that spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StringChar {
    pub char: char,
    /// Byte range in the quoted text, half-open.
    pub start: usize,
    pub end: usize,
}

/// Iterates over the characters of a quoted text.
pub(super) struct StringChars<'a> {
    quoted: &'a str,
    at: usize,
}

impl<'a> StringChars<'a> {
    pub fn new(quoted: &'a str) -> Self {
        Self { quoted, at: 0 }
    }

    /// Returns the value of the escape `\uXXXX` at byte `at`, if there is one.
    fn hex(&self, at: usize) -> Option<u32> {
        let bytes = self.quoted.as_bytes().get(at..at + 6)?;
        let digits = bytes.strip_prefix(b"\\u")?.iter();
        let digit = |&byte: &u8| char::from(byte).to_digit(16);
        digits.map(digit).try_fold(0, |number, digit| Some(number << 4 | digit?))
    }

    fn escape(&self) -> (char, usize) {
        let short = match self.quoted.as_bytes().get(self.at + 1) {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            Some(&byte) => char::from(byte),
            None => '\\',
        };
        (short, 2)
    }

    fn unicode_escape(&self) -> (char, usize) {
        let Some(high) = self.hex(self.at) else {
            return (char::REPLACEMENT_CHARACTER, 2);
        };
        if let Some(char) = char::from_u32(high) {
            return (char, 6);
        }
        match self.hex(self.at + 6) {
            Some(low @ 0xdc00..0xe000) if high < 0xdc00 => {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
            }
            _ => (char::REPLACEMENT_CHARACTER, 6),
        }
    }
}

impl Iterator for StringChars<'_> {
    type Item = StringChar;

    fn next(&mut self) -> Option<StringChar> {
        let first = self.quoted[self.at..].chars().next()?;
        let (char, len) = if first == '\\' { self.escape() } else { (first, first.len_utf8()) };
        let start = self.at;
        self.at = (start + len).min(self.quoted.len());
        Some(StringChar { char, start, end: self.at })
    }
}

/// How a text spells the characters for which JSON allows several spellings. `None` if the text does not
/// show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Escapes {
    /// True: characters beyond ASCII are written `\uXXXX`; false: literally.
    non_ascii: Option<bool>,
    /// True: hexadecimal digits are `A` to `F`.
    upper_hex: Option<bool>,
    /// True: `/` is written `\/`.
    solidus: Option<bool>,
}

impl Escapes {
    /// Learns the style of `text`, a valid JSON text or part of one.
    pub fn seen_in(text: &str) -> Self {
        let mut seen = Self::default();
        let bytes = text.as_bytes();
        let mut past = 0;
        for at in memchr::memchr_iter(b'\\', bytes) {
            if at < past {
                continue;
            }
            past = at + 2;
            match bytes.get(at + 1) {
                Some(b'/') => seen.solidus = Some(true),
                Some(b'u') => {
                    let digits = &bytes[at + 2..bytes.len().min(at + 6)];
                    // An escaped ASCII character does not show how others are written.
                    if digits > b"007f".as_slice() {
                        seen.non_ascii = Some(true);
                    }
                    if let Some(letter) = digits.iter().find(|d| d.is_ascii_alphabetic()) {
                        seen.upper_hex = Some(letter.is_ascii_uppercase());
                    }
                }
                _ => {}
            }
        }
        if !text.is_ascii() {
            // A writer that escapes non-ASCII characters leaves none; others may still escape U+2028.
            seen.non_ascii = Some(false);
        }
        if seen.solidus.is_none() && memchr::memchr(b'/', bytes).is_some() {
            seen.solidus = Some(false);
        }
        seen
    }

    /// This style, completed by `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            non_ascii: self.non_ascii.or(other.non_ascii),
            upper_hex: self.upper_hex.or(other.upper_hex),
            solidus: self.solidus.or(other.solidus),
        }
    }

    /// True if the spelling of characters beyond ASCII is known.
    pub fn is_settled(self) -> bool {
        self.non_ascii.is_some()
    }

    /// Appends `text` as the inside of a JSON string.
    pub fn encode(self, text: &str, out: &mut String) {
        for char in text.chars() {
            match char {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                '/' if self.solidus == Some(true) => out.push_str("\\/"),
                '\0'..' ' => self.hex(char, out),
                // Writers that escape everything beyond ASCII also escape DEL.
                '\u{7f}' if self.non_ascii == Some(true) => self.hex(char, out),
                _ if char.is_ascii() || self.non_ascii != Some(true) => out.push(char),
                _ => self.hex(char, out),
            }
        }
    }

    fn hex(self, char: char, out: &mut String) {
        for unit in char.encode_utf16(&mut [0; 2]) {
            // Writing to a String cannot fail.
            let _ = if self.upper_hex == Some(true) {
                write!(out, "\\u{unit:04X}")
            } else {
                write!(out, "\\u{unit:04x}")
            };
        }
    }
}
