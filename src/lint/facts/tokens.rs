//! Compares the tokens of a turn with its text and with the segments that count them.

use super::mention::Mention;
use crate::dialog::{Short, Span, Turn};

/// Returns the tokens of a turn.
pub fn tokens(turn: &Turn) -> Vec<&str> {
    turn.tokens.iter().map(Short::as_str).collect()
}

/// Returns the tokens that a turn should have: its text split at whitespace.
pub fn words(turn: &Turn) -> Vec<&str> {
    turn.text.split_whitespace().collect()
}

/// Returns the text that `span` covers of `tokens`; None if it is empty or extends past them.
pub fn covered(tokens: &[&str], span: Span) -> Option<String> {
    let covered = tokens.get(span.range())?;
    (!covered.is_empty()).then(|| covered.join(" "))
}

/// Position of the first token that differs from the text; the number of tokens if the text continues
/// after them; None if both agree.
pub fn first_difference(turn: &Turn) -> Option<usize> {
    let mut rest = turn.text.as_str();
    for (place, token) in turn.tokens.iter().enumerate() {
        match rest.trim_start().strip_prefix(token.as_str()) {
            Some(after) => rest = after,
            None => return Some(place),
        }
    }
    (!rest.trim_start().is_empty()).then_some(turn.tokens.len())
}

/// True if a segment of a turn is empty or extends past the tokens, which other rules report.
pub fn is_broken(turn: &Turn, mention: &Mention<'_>) -> bool {
    let length = turn.tokens.len();
    let valid = |span: Span| span.start < span.end && span.end as usize <= length;
    mention.of.span.is_some_and(|span| !valid(span))
}
