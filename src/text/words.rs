//! Finds the units of a text that a segment should not cut: words, numbers with their units, times,
//! abbreviations.
//!
//! In doubt, a place is not inside a unit: `scifi` is one word, but `sci-fi` may be two, and in
//! `Kitchen's` the name ends before the apostrophe.
//!
//! Scripts differ. Adjacent Latin, Greek, Cyrillic or Armenian letters are one word. Hebrew and Arabic
//! attach "in" and "the" as letters to the start of a word, so a value may start after them; the scripts
//! of India and Georgia attach them to the end, so a value may end before them. Han, kana, Thai and the
//! like have no spaces, and Hangul has endings and compounds: there, letters do not show where words
//! end.

use std::ops::Range;

use super::boundary::Direction;
use unicode_segmentation::GraphemeCursor;

/// An edge of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanEdge {
    Start,
    End,
}

impl SpanEdge {
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

/// True if byte `at` of `text` lies inside a word, a number, a price, a time, an abbreviation or a
/// character of several code points. In `I'll go`, a segment can end before the apostrophe, but not start there.
///
/// In scripts whose letters do not show where words end, see above, no place is inside a word.
pub fn inside_word(text: &str, at: usize, edge: SpanEdge) -> bool {
    let (before, after) = text.split_at(at);
    let (Some(left), Some(right)) = (before.chars().next_back(), after.chars().next()) else {
        return false;
    };
    if left == ' ' || right == ' ' {
        return false;
    }
    letters(left, right)
        || number(before, after)
        || price(left, right)
        || apostrophe(before, after, edge)
        || abbreviation(before, after)
        || (right >= '\u{300}' && (joined(before, left, right, edge) || character(text, at)))
}

/// Returns the byte range of the word around byte `at` of `text`; empty if `at` is not inside a word.
pub fn word_at(text: &str, at: usize, edge: SpanEdge) -> Range<usize> {
    outside_word(text, at, edge, Direction::Back)..outside_word(text, at, edge, Direction::Forward)
}

/// The most characters in a word. A longer run of letters is not treated as a word, so that it is not
/// walked through for each segment in it.
const LONGEST: usize = 1000;

/// Returns the nearest place from `at` on, forward or back, that is not inside a word.
pub fn outside_word(text: &str, mut at: usize, edge: SpanEdge, direction: Direction) -> usize {
    for _ in 0..LONGEST {
        if !inside_word(text, at, edge) {
            break;
        }
        let next = if direction.is_forward() {
            text[at..].chars().next().map(|c| at + c.len_utf8())
        } else {
            text[..at].chars().next_back().map(|c| at - c.len_utf8())
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// Words that join two values and belong to neither.
const JOINTS: &[&str] = &[
    "a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with",
];

/// True for a word that joins two values, in lower case only, because titles may start with any word.
pub fn is_joint(word: &str) -> bool {
    JOINTS.contains(&word)
}

/// Returns a letter, or a mark on one, of a script that separates words by spaces.
fn is_letter(char: char) -> bool {
    char.is_ascii_alphabetic()
        || is_mark(char)
        || (char.is_alphabetic() && (char < '\u{590}' || ('\u{1e00}'..='\u{1fff}').contains(&char)))
}

fn is_mark(char: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&char)
}

/// True inside a word of a script that attaches words such as "in" and "the" to other words, or inside a
/// number in digits other than 0 to 9.
fn joined(before: &str, left: char, right: char, edge: SpanEdge) -> bool {
    match (WordJoin::of(left), WordJoin::of(right)) {
        (WordJoin::Before(_), WordJoin::Before(clitics)) => {
            let stem = |c: &char| matches!(WordJoin::of(*c), WordJoin::Before(_));
            let word: Vec<char> = before.chars().rev().take_while(stem).collect();
            edge == SpanEdge::End || word.len() > 4 || !word.iter().all(|c| clitics.contains(*c))
        }
        (WordJoin::Behind, WordJoin::Behind) => edge == SpanEdge::Start,
        _ => wide_digits(left, right),
    }
}

/// Digits of other scripts: `７` and `٧`.
fn wide_digits(left: char, right: char) -> bool {
    let digit = |c: char| c.is_numeric() && !c.is_ascii() && c >= '\u{300}';
    digit(left) && digit(right)
}

/// Whether a script attaches words such as "in" and "the" to a word, so that a value may be only part of
/// it.
enum WordJoin {
    /// At the start, as some of these letters.
    Before(&'static str),
    /// At the end.
    Behind,
    /// Nowhere: other scripts.
    Nothing,
}

impl WordJoin {
    /// For a letter, or a mark on one.
    fn of(char: char) -> Self {
        match char {
            '\u{591}'..='\u{5bd}' | '\u{5d0}'..='\u{5ea}' => Self::Before("והבכלמש"),
            '\u{620}'..='\u{65f}' | '\u{66e}'..='\u{6d3}' => Self::Before("وفبكلاس"),
            // Devanagari to Sinhala, and Georgian, without the full stops of the former.
            '\u{964}' | '\u{965}' => Self::Nothing,
            '\u{900}'..='\u{ddf}' | '\u{10a0}'..='\u{10ff}' if !char.is_numeric() => Self::Behind,
            _ => Self::Nothing,
        }
    }
}

/// True between two letters of a word. `theAMC` is two words without a space.
fn letters(left: char, right: char) -> bool {
    is_letter(left) && is_letter(right) && !(left.is_lowercase() && right.is_uppercase())
}

pub fn is_currency(char: char) -> bool {
    matches!(char, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}')
}

/// True if byte `at` of `text` is between a number and its currency sign or `%`.
pub fn is_beside_unit(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let sides = before.chars().next_back().zip(after.chars().next());
    sides.is_some_and(|(left, right)| price(left, right))
}

fn price(left: char, right: char) -> bool {
    (is_currency(left) && right.is_ascii_digit())
        || (left.is_ascii_digit() && (is_currency(right) || right == '%'))
}

/// True between the digits and separators of a number, and before a suffix such as `pm`.
fn number(before: &str, after: &str) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let mut left = before.as_bytes().iter().rev();
    let mut right = after.as_bytes().iter();
    match (left.next(), right.next()) {
        (Some(b'0'..=b'9'), Some(b'0'..=b'9')) => true,
        (Some(b'0'..=b'9'), Some(b'.' | b':')) => digit(right.next()),
        (Some(b'.' | b':' | b'h'), Some(b'0'..=b'9')) => digit(left.next()),
        (Some(b'0'..=b'9'), Some(b',')) => fraction(before, &after[1..]),
        (Some(b','), Some(b'0'..=b'9')) => digit(left.next()) && fraction(before, after),
        (Some(b'0'..=b'9'), Some(b'a'..=b'z' | b'A'..=b'Z')) => counted(after),
        _ => false,
    }
}

/// True if the digits after a comma belong to the number before it: three, as in `3,200`, or two of a
/// price, as in `12,50 €` and `€12,50`.
fn fraction(before: &str, text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits != 2 {
        return digits == 3;
    }
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let currency = |char: Option<char>| char.is_some_and(is_currency);
    // In `5€ 7,15`, the currency sign belongs to the other number.
    let mut first = before.trim_end_matches(number).trim_end().chars().rev();
    let named = currency(first.next()) && !first.next().is_some_and(|c| c.is_ascii_digit());
    let behind = text[digits..].trim_start();
    named || currency(behind.chars().next()) || starts(behind, "EUR")
}

/// True if `text` starts with a suffix that makes the number before it a time or an ordinal.
fn counted(text: &str) -> bool {
    let dotted = ["a.m", "p.m"];
    if dotted.iter().any(|half| starts(text, half)) {
        return true;
    }
    // As in French, `19h30`.
    if starts(text, "h") && text[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let ends = ["am", "pm", "st", "nd", "rd", "th"];
    letters == 2 && ends.iter().any(|end| starts(text, end))
}

fn starts(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

pub fn is_apostrophe(char: char) -> bool {
    matches!(char, '\'' | '’')
}

/// True next to an apostrophe inside a word. `o'clock` and `O'Hare` are one word. A segment can end
/// before the `'s` of `Kitchen's` and the `'ll` of `it'll`, and start after the `l'` of `l'orange`.
fn apostrophe(before: &str, after: &str, edge: SpanEdge) -> bool {
    let mut left = before.chars().rev();
    let mut right = after.chars();
    match (left.next(), right.next()) {
        (Some(last), Some(first)) if is_letter(last) && is_apostrophe(first) => {
            let rest = right.as_str();
            rest.starts_with(is_letter) && (edge == SpanEdge::Start || !is_tail(rest))
        }
        (Some(last), Some(first)) if is_apostrophe(last) && is_letter(first) => {
            let word: Vec<char> = left.take_while(|c| is_letter(*c)).take(2).collect();
            match (&word[..], edge) {
                (['o'], _) => starts(after, "clock"),
                ([], _) | (['a'..='z'], SpanEdge::Start) => false,
                (_, SpanEdge::Start) => true,
                (_, SpanEdge::End) => !is_tail(after),
            }
        }
        _ => false,
    }
}

/// True if `text` starts with an ending that follows an apostrophe, such as the `s` of `'s`.
fn is_tail(text: &str) -> bool {
    let letters = text.chars().take_while(|c| is_letter(*c)).count();
    let tails = ["s", "d", "m", "ll", "re", "ve"];
    tails.iter().any(|t| letters == t.len() && starts(text, t))
}

/// True between the letters and dots of `p.m.` and `U.S.A.`.
fn abbreviation(before: &str, after: &str) -> bool {
    let mut left = before.bytes().rev();
    let mut right = after.bytes();
    let stop = Some(b'.');
    // Fast path: nearly every full stop ends a sentence.
    let likely = match (left.next(), right.next()) {
        (_, stopped) if stopped == stop => left.next() == stop || right.nth(1) == stop,
        (stopped, Some(_)) if stopped == stop => left.nth(1) == stop || right.next() == stop,
        _ => false,
    };
    if !likely {
        return false;
    }
    let part = |c: &char| is_letter(*c) || *c == '.';
    let left: Vec<char> = before.chars().rev().take_while(part).take(12).collect();
    let right: Vec<char> = after.chars().take_while(part).take(12).collect();
    let whole: Vec<char> = left.iter().rev().chain(&right).copied().collect();
    !left.is_empty() && !right.is_empty() && is_dotted(&whole)
}

/// True for two or more single letters, each with a dot; the last dot may be missing.
pub fn is_dotted(chars: &[char]) -> bool {
    let alternates = |(i, c): (usize, &char)| if i % 2 == 1 { *c == '.' } else { is_letter(*c) };
    chars.len() >= 3 && chars.iter().enumerate().all(alternates)
}

/// True inside a grapheme, such as a letter with its marks, a syllable or an emoji.
fn character(text: &str, at: usize) -> bool {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    // The cursor has the whole text, so this cannot fail.
    !cursor.is_boundary(text, 0).unwrap_or(true)
}
