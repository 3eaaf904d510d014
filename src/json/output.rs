//! Writes JSON for other programs that is also safe to show in a terminal.
//!
//! JSON allows several spellings of a character. Characters that a terminal would interpret, hide, or
//! take for a line end are written as `\uXXXX`: every parser reads the same text, and it is harmless to
//! look at.

use std::fmt::Write as _;
use std::io;

use serde::Serialize;

/// Serializes `value` on one line.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(escaped)
}

/// Serializes `value` on several lines, indented by two.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_string_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(escaped)
}

/// Writes `value` on one line, without a line end.
///
/// # Errors
/// If the value cannot be serialized or written.
pub fn to_writer(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    out.write_all(to_string(value)?.as_bytes())
}

/// Writes `value` on several lines, indented by two, without a line end after the last.
///
/// # Errors
/// If the value cannot be serialized or written.
pub fn to_writer_pretty(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    out.write_all(to_string_pretty(value)?.as_bytes())
}

/// True for characters to escape although JSON allows them raw: DEL, C1 controls, line and paragraph
/// separators, and bidirectional controls.
fn is_escaped(char: char) -> bool {
    matches!(
        char,
        '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Escapes more characters in JSON than JSON requires. Valid JSON has them only inside strings.
fn escaped(json: String) -> String {
    if json.is_ascii() && !json.contains('\u{7f}') {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    let mut done = 0;
    for (at, char) in json.char_indices().filter(|(_, char)| is_escaped(*char)) {
        escaped.push_str(&json[done..at]);
        // All of them are in the basic multilingual plane.
        let _ = write!(escaped, "\\u{:04x}", char as u32);
        done = at + char.len_utf8();
    }
    escaped.push_str(&json[done..]);
    escaped
}
