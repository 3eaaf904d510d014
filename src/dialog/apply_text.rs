//! Replaces the text of a turn and moves its segments accordingly.
//!
//! # Why cut segments are shrunk only on request
//!
//! The rest of a cut segment may be what its label means, or only half of it. Only the annotator can tell,
//! so a text that cuts segments is refused unless the edit says what to do with them.

use super::error::{EditError, LostSegments};
use super::model::{Segment, Short, Span, Turn};
use crate::text::{MappedSpan, TextChanges, Units};

/// How to treat segments that a new text cuts; refused if neither is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutPolicy {
    /// Removes cut segments of which nothing is left, or which are not shrunk.
    pub drop: bool,
    /// Shrinks cut segments to the text that is left of them.
    pub shrink: bool,
}

/// Sets the text of a turn and moves its segments.
///
/// # Errors
/// If segments are cut and `cuts` does not say what to do with them.
pub(super) fn set_text(
    turn: &mut Turn,
    text: &str,
    cuts: CutPolicy,
    units: Units,
) -> Result<(), EditError> {
    let moved = turn.moved_by(text, cuts.shrink, units);
    let lost: Vec<_> = (0..moved.len()).filter(|&i| moved[i] == Some(MappedSpan::Cut)).collect();
    if !lost.is_empty() && !cuts.drop {
        let (cut, unplaced) = lost.iter().partition(|i| turn.segments[**i].span.is_some());
        let left = turn.moved_by(text, true, units);
        let left = lost.iter().filter_map(|i| match &left[*i] {
            Some(MappedSpan::To(range)) => Some((*i, span_of(range))),
            _ => None,
        });
        let left = left.collect();
        return Err(EditError::CutsSegments(LostSegments { cut, unplaced, left }));
    }
    let whole = turn.moved_by(text, false, units);
    let cut = |i: usize| whole[i] == Some(MappedSpan::Cut);
    let covered = |segment: &Segment| turn.covered(segment.span?, units);
    let was = turn.segments.iter().enumerate();
    let was = was.map(|(i, segment)| cut(i).then(|| covered(segment)).flatten());
    let was: Vec<_> = was.collect();
    turn.tokens = tokens_of(text, units);
    text.clone_into(&mut turn.text);
    for (i, moved) in moved.iter().enumerate() {
        if let Some(MappedSpan::To(range)) = moved {
            let span = span_of(range);
            turn.segments[i].span = Some(span);
            // A cut segment now covers a different text.
            if cut(i)
                && let Some(now) = turn.covered(span, units)
            {
                turn.segments[i].requote(was[i].as_ref(), &now);
            }
        }
    }
    for position in lost.into_iter().rev() {
        turn.segments.remove(position);
    }
    Ok(())
}

/// Returns a span far past the end of the text may have no room left to move.
fn span_of(range: &std::ops::Range<usize>) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: offset(range.start), end: offset(range.end) }
}

/// Sets the tokens of a turn and changes nothing else.
pub fn set_tokens(turn: &mut Turn, tokens: &[String]) -> Result<(), EditError> {
    if tokens.iter().any(String::is_empty) {
        return Err(EditError::EmptyToken);
    }
    turn.tokens = tokens.iter().map(|t| Short::from(t.as_str())).collect();
    Ok(())
}

/// Returns the tokens of a new text.
pub(super) fn tokens_of(text: &str, units: Units) -> Vec<Short> {
    let tokens = units.tokens(text).into_iter();
    tokens.map(Short::from).collect()
}

impl Turn {
    /// Returns the new span of each segment when the turn's text becomes `text`; None if the text stays the same.
    /// If `shrink` is true, a cut segment keeps what remains of its span. A segment without a span counts
    /// as cut, because no new place can be computed for it.
    pub fn moved_by(&self, text: &str, shrink: bool, units: Units) -> Vec<Option<MappedSpan>> {
        let changes = match units {
            Units::CodePoints => TextChanges::of_text(&self.text, text),
            Units::Tokens(_) => TextChanges::of_tokens(&self.tokens, &tokens_of(text, units)),
        };
        let moved = |s: &Segment| {
            let changes = changes.as_ref()?;
            let Some(span) = s.span.map(Span::range) else {
                return Some(MappedSpan::Cut);
            };
            let left = || match units {
                Units::CodePoints => changes.left_in_text(&span, &self.text, text),
                Units::Tokens(_) => changes.left_of(&span),
            };
            Some(match changes.map_span(&span) {
                MappedSpan::Cut if shrink => left().map_or(MappedSpan::Cut, MappedSpan::To),
                shifted => shifted,
            })
        };
        self.segments.iter().map(moved).collect()
    }
}
