//! Text as cells of a terminal: its width, and visible marks for invisible characters.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Returns the number of columns of `text`, by grapheme: a family emoji is two columns wide, not six.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    if is_plain(text) {
        return text.chars().count();
    }
    text.graphemes(true).map(unicode_width::UnicodeWidthStr::width).sum()
}

/// True for common characters that fill one cell each, whatever their neighbours: printable ASCII,
/// letters of western Europe, quotation marks, and the arrows, lines and blocks of charts. For text of
/// only these, by far the most common, graphemes and widths need no computation.
fn is_one_cell(char: char) -> bool {
    matches!(
        char,
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}' | '–'..='—' | '‘'..='”' | '…' | '↑'..='↳' | '─'..='▟' | '▲' | '▸' | '●'
    )
}

/// True for characters on whose width all terminals agree: those of `is_one_cell`, and letters and
/// ideographs that terminals have long supported. Other characters may be newer than a terminal, or
/// unassigned.
pub fn is_agreed(char: char) -> bool {
    is_one_cell(char)
        || matches!(
            char,
            // Latin, Greek and Cyrillic; Hebrew and Arabic letters.
            '\u{100}'..='\u{24f}' | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3ce}' | '\u{400}'..='\u{482}'
            | '\u{5d0}'..='\u{5ea}' | '\u{621}'..='\u{63a}' | '\u{641}'..='\u{64a}'
            // Punctuation of East Asia, kana, ideographs, Hangul, and the full width forms.
            | '\u{3000}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}'
            | '\u{3400}'..='\u{4db5}' | '\u{4e00}'..='\u{9fa5}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff01}'..='\u{ff60}'
        )
}

/// True for text of only such characters as `is_one_cell` accepts.
pub fn is_plain(text: &str) -> bool {
    // Without an early exit, the compiler checks many bytes at once.
    let other = |byte: u8| !matches!(byte, b' '..=b'~');
    !text.bytes().fold(false, |any, byte| any | other(byte)) || text.chars().all(is_one_cell)
}

/// `text` in quotation marks for messages, with the marks of [`visible`].
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text))
}

/// `text` with a visible mark in place of each character that a terminal would interpret or hide: control
/// characters, bidirectional controls, and zero-width characters that join nothing.
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(replaced(text, mark))
}

/// `text` of several lines with the marks of [`visible`]; line feeds and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    if is_plain_layout(text) {
        return Cow::Borrowed(text);
    }
    let mark = |char, out: &mut String| match char {
        '\n' | '\t' => out.push(char),
        _ => mark(char, out),
    };
    Cow::Owned(replaced(text, mark))
}

/// JSON with an escape in place of each character that [`visible`] marks: it is the same JSON. Line feeds and tabs
/// stay.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    if is_plain_layout(text) {
        return Cow::Borrowed(text);
    }
    let escape = |char: char, out: &mut String| match char {
        '\n' | '\t' => out.push(char),
        // Outside of strings, where there are no escapes, it is a space.
        '\r' => out.push(' '),
        _ => {
            for unit in char.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    };
    Cow::Owned(replaced(text, escape))
}

/// True for lines of printable ASCII, by far the most common ones.
fn is_plain_layout(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
}

/// `text` in which `replace` appends what is shown in place of each hidden character.
fn replaced(text: &str, replace: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        // Joiners have no effect on Latin letters, and terminals disagree on their width there.
        let joined = grapheme.width() > 0 && !grapheme.starts_with(is_one_cell);
        // A joiner at the end would join the next text on the terminal.
        let loose = grapheme.strip_suffix('\u{200d}').map_or(grapheme.len(), str::len);
        for (at, char) in grapheme.char_indices() {
            if is_hidden(char, joined && at < loose) {
                replace(char, &mut out);
            } else {
                out.push(char);
            }
        }
    }
    out
}

/// True for a character that a terminal would interpret or hide. `joined` is true inside a visible grapheme, where
/// joiners have an effect.
fn is_hidden(char: char, joined: bool) -> bool {
    match char {
        '\u{200c}' | '\u{200d}' => !joined,
        '\0'..' '
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        // Noncharacters, like the range above from FDD0 on.
        _ => char as u32 & 0xfffe == 0xfffe,
    }
}

/// Appends the mark of a hidden character.
fn mark(char: char, out: &mut String) {
    match char {
        '\t' => out.push('→'),
        '\n' => out.push('↵'),
        '\0'..' ' => out.extend(char::from_u32(0x2400 + char as u32)),
        '\u{7f}' => out.push('␡'),
        '\u{200b}' => out.push_str("⟨ZWSP⟩"),
        '\u{200c}' => out.push_str("⟨ZWNJ⟩"),
        '\u{200d}' => out.push_str("⟨ZWJ⟩"),
        '\u{200e}' => out.push_str("⟨LRM⟩"),
        '\u{200f}' => out.push_str("⟨RLM⟩"),
        '\u{feff}' => out.push_str("⟨BOM⟩"),
        _ => number(char, out),
    }
}

/// Appends the code point of a character instead of the character.
fn number(char: char, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = write!(out, "⟨U+{:04X}⟩", char as u32);
}
