//! Converts offsets between the unit of a description and the code points of the model.

use super::description::{Ends, SpanRule, Unit};
use super::place::Place;
use crate::dialog::{Span, Turn};
use crate::text;

/// Returns the span with these two numbers.
///
/// # Errors
/// If one of them is inside a character: its place.
pub fn read<'r>(rule: &'r SpanRule, start: u32, end: u32, turn: &Turn) -> Result<Span, &'r Place> {
    let end = match rule.ends {
        Ends::Exclusive => end,
        Ends::Inclusive => end.saturating_add(1),
        Ends::Length => start.saturating_add(end),
    };
    let to = |offset| match rule.unit {
        Unit::Utf16 => code_points(&turn.text, offset, char::len_utf16),
        Unit::Bytes => code_points(&turn.text, offset, char::len_utf8),
        _ => Some(offset),
    };
    Ok(Span { start: to(start).ok_or(&rule.start)?, end: to(end).ok_or(&rule.end)? })
}

/// Returns the two numbers for a span.
pub fn written(rule: &SpanRule, span: Span, turn: &Turn) -> (u32, u32) {
    let from = |offset| match rule.unit {
        Unit::Utf16 => units(&turn.text, offset, char::len_utf16),
        Unit::Bytes => units(&turn.text, offset, char::len_utf8),
        _ => offset,
    };
    let (start, end) = (from(span.start), from(span.end));
    match rule.ends {
        Ends::Exclusive => (start, end),
        Ends::Inclusive => (start, end.saturating_sub(1)),
        Ends::Length => (start, end.saturating_sub(start)),
    }
}

/// Returns the code point at `offset` units, each character having as many as `size` says. Offsets past the end
/// stay as far past it. None if it is inside a character.
fn code_points(text: &str, offset: u32, size: impl Fn(char) -> usize) -> Option<u32> {
    let (mut seen, mut count, wanted) = (0, 0, offset as usize);
    for char in text.chars() {
        if seen >= wanted {
            break;
        }
        seen += size(char);
        count += 1;
    }
    if seen > wanted {
        return None;
    }
    u32::try_from(count + (wanted - seen)).ok()
}

/// Returns the units before code point `offset`, the reverse of [`code_points`].
fn units(text: &str, offset: u32, size: impl Fn(char) -> usize) -> u32 {
    let before = text.chars().take(offset as usize).map(size).sum::<usize>();
    let past = (offset as usize).saturating_sub(text::count(text));
    u32::try_from(before + past).unwrap_or(u32::MAX)
}
