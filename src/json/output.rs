//! Writes JSON for other programs that is also safe to show in a terminal.
//!
//! JSON allows several spellings of a character. Characters that a terminal would interpret, hide, or
//! take for a line end are written as `\uXXXX`: every parser reads the same text, and it is harmless to
//! look at.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// Serializes `value` on one line.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    text(value, CompactFormatter)
}

/// Serializes `value` on several lines, indented by two.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_string_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    text(value, PrettyFormatter::new())
}

/// Writes `value` on one line, without a line end.
///
/// # Errors
/// If the value cannot be serialized or written.
pub fn to_writer(out: &mut dyn io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    write(out, value, CompactFormatter)
}

/// Writes `value` on several lines, indented by two, without a line end after the last.
///
/// # Errors
/// If the value cannot be serialized or written.
pub fn to_writer_pretty(out: &mut dyn io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    write(out, value, PrettyFormatter::new())
}

fn text(value: &impl Serialize, formatter: impl Formatter) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    write(&mut bytes, value, formatter)?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

fn write(
    out: &mut dyn io::Write,
    value: &impl Serialize,
    formatter: impl Formatter,
) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(formatter)))
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

/// A formatter that escapes more characters than JSON requires.
struct Escaping<F>(F);

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut done = 0;
        if !fragment.is_ascii() || fragment.contains('\u{7f}') {
            for (at, char) in fragment.char_indices().filter(|(_, char)| is_escaped(*char)) {
                out.write_all(&fragment.as_bytes()[done..at])?;
                // All of them are in the basic multilingual plane.
                out.write_fmt(format_args!("\\u{:04x}", char as u32))?;
                done = at + char.len_utf8();
            }
        }
        out.write_all(&fragment.as_bytes()[done..])
    }

    // The other formatter decides the layout of arrays and objects.

    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}
