//! Recognizes what terminals answer, whole or in parts, and tells it from what people type.

use super::piece::{ESC, STRINGS};

const BELL: u8 = 7;

/// Most bytes of a string without an end that a person may have typed so fast, with the escape.
const TYPED: usize = 16;

/// The end of a string.
pub enum StringEnd {
    /// At its end, behind the bell or the escape and backslash.
    At(usize),
    /// Before a byte that is in no string.
    BrokenOff(usize),
    /// Later; not in the first `searched` bytes.
    Missing { searched: usize },
}

/// Returns where the string at the start of `bytes` ends, of which `searched` bytes are known to belong to it.
pub fn string_end(bytes: &[u8], searched: usize) -> StringEnd {
    let is_control = |byte: &u8| *byte < b' ' || *byte == 0x7f;
    let controls = bytes[searched..].iter().position(is_control);
    let Some(end) = controls.map(|at| searched + at) else {
        let searched = bytes.len();
        return StringEnd::Missing { searched };
    };
    match &bytes[end..] {
        [BELL, ..] => StringEnd::At(end + 1),
        [ESC, b'\\', ..] => StringEnd::At(end + 2),
        [ESC] => StringEnd::Missing { searched: end },
        _ => StringEnd::BrokenOff(end),
    }
}

/// Returns true if a string without an end is from the terminal: it begins as answers do, or nobody types so fast.
pub fn is_answer(string: &[u8]) -> bool {
    string.len() > TYPED || begins_answer(string)
}

/// Returns true if the first `searched` bytes, whose rest was late, and those behind them are an answer.
pub fn continues_answer(bytes: &[u8], searched: usize) -> bool {
    let is_string = bytes.get(1).is_some_and(|kind| STRINGS.contains(kind));
    let (begins, rest) = bytes.split_at(searched);
    is_string && matches!(string_end(bytes, 2), StringEnd::At(_))
        || !is_typed(rest) && (is_answer(begins) || begins_answer(bytes))
}

/// Returns true if `bytes` came by one press of a key for a character.
pub fn is_typed(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().count() == 1)
}

/// Returns true if `bytes` are the primary device attributes, which terminals send after all other answers.
pub fn is_attributes(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1b[?") && bytes.ends_with(b"c")
}

/// Returns true if `bytes` begin as the answers of terminals do.
fn begins_answer(bytes: &[u8]) -> bool {
    match bytes {
        // Such as ?62;22c, and Gi=31;OK
        [ESC, b'[', b'<'..=b'?', ..] | [ESC, b'_', b'G', _, ..] => true,
        // Such as 11;rgb:0000/0000/0000, and 12;40R
        [ESC, b']' | b'[', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && rest.get(digits) == Some(&b';')
        }
        // Such as >|name, 1$r0m and 1+r436f
        [ESC, b'P', first, second, ..] => {
            b">!01".contains(first) && matches!(second, b'|' | b'$' | b'+')
        }
        _ => false,
    }
}
