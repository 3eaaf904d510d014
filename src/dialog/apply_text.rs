//! What a turn says after an edit of its text or its tokens, and where its segments go.

use super::apply::{Lost, Refused};
use super::model::{Segment, Short, Span, Turn};
use crate::text::{Changes, Shifted, Units};

pub fn set_text(turn: &mut Turn, text: &str, drop: bool, units: Units) -> Result<(), Refused> {
    let moved = turn.moved_by(text, units);
    let lost: Vec<_> = (0..moved.len())
        .filter(|&i| moved[i] == Some(Shifted::Cut))
        .collect();
    if !lost.is_empty() && !drop {
        let (cut, unplaced) = lost.iter().partition(|i| turn.segments[**i].span.is_some());
        return Err(Refused::CutsSegments(Lost { cut, unplaced }));
    }
    for (segment, moved) in turn.segments.iter_mut().zip(moved) {
        if let Some(Shifted::To(range)) = moved {
            // A span far beyond the text may have no room left to move.
            let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
            segment.span = Some(Span {
                start: offset(range.start),
                end: offset(range.end),
            });
        }
    }
    for position in lost.into_iter().rev() {
        turn.segments.remove(position);
    }
    turn.tokens = tokens_of(text, units);
    text.clone_into(&mut turn.text);
    Ok(())
}

/// Makes these the tokens of a turn; nothing else changes.
pub fn set_tokens(turn: &mut Turn, tokens: &[String]) -> Result<(), Refused> {
    if tokens.iter().any(String::is_empty) {
        return Err(Refused::EmptyToken);
    }
    turn.tokens = tokens.iter().map(|t| Short::from(t.as_str())).collect();
    Ok(())
}

/// The tokens of a new text. The corpora that count tokens separate all of them by blanks.
fn tokens_of(text: &str, units: Units) -> Vec<Short> {
    match units {
        Units::CodePoints => Vec::new(),
        Units::Tokens => text.split_whitespace().map(Short::from).collect(),
    }
}

impl Turn {
    /// What becomes of the span of each segment when the turn's text becomes `text`; None if the text
    /// stays. A segment without a span counts as cut: nobody can say where it would go.
    pub fn moved_by(&self, text: &str, units: Units) -> Vec<Option<Shifted>> {
        let changes = match units {
            Units::CodePoints => Changes::of_text(&self.text, text),
            Units::Tokens => Changes::of_tokens(&self.tokens, &tokens_of(text, units)),
        };
        let moved = |s: &Segment| {
            let changes = changes.as_ref()?;
            Some(
                s.span
                    .map_or(Shifted::Cut, |span| changes.shift(&span.range())),
            )
        };
        self.segments.iter().map(moved).collect()
    }
}
