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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::Edit;
    use crate::dialog::apply::tests::{dialog, quotes};

    #[test]
    fn changed_text_shifts_spans_and_refuses_to_cut_them() {
        let before = dialog("two for Dune at seven", &[(0, 3), (8, 12), (16, 21)]);
        let set = |text: &str, drop| Edit::SetText {
            turn: 0,
            text: text.to_owned(),
            drop,
            shrink: false,
        };
        let after = set("two seats for Dune at seven", false).apply(&before).expect("fits");
        let quotes_after: Vec<_> = quotes(&after).into_iter().map(|(covered, _)| covered).collect();
        assert_eq!(quotes_after, ["two", "Dune", "seven"]);
        let cut = set("two for Alien at seven", false).apply(&before);
        let message = cut.expect_err("cut").to_string();
        assert_eq!(message, "the new text cuts segment 1; add \"drop\": true to remove it");
        let after = set("two for Alien at seven", true).apply(&before).expect("dropped");
        assert_eq!(after.turns[0].segments.len(), 2);
    }

    #[test]
    fn segments_without_a_place_do_not_stay_behind_unnoticed() {
        let mut before = dialog("two for Dune at seven", &[(0, 3), (8, 12), (16, 21)]);
        before.turns[0].segments[0].span = None;
        let set = |text: &str, drop| {
            let text = text.to_owned();
            let turn = 0;
            let shrink = false;
            let edit = Edit::SetText { turn, text, drop, shrink };
            edit.apply(&before)
        };
        let why = |text: &str| set(text, false).expect_err(text).to_string();
        assert_eq!(
            why("2 for Dune at seven"),
            "the edges of segment 0 cannot be read; add \"drop\": true to remove it"
        );
        assert_eq!(
            why("2 for Alien at seven"),
            "the new text cuts segment 1, and the edges of segment 0 cannot be read; \
             add \"drop\": true to remove them"
        );
        let after = set("2 for Dune at seven", true).expect("dropped");
        assert_eq!(quotes(&after)[0].0, "Dune");
        let same = set("two for Dune at seven", false);
        assert_eq!(same.as_ref(), Ok(&before));
    }
    #[test]
    fn a_cut_segment_covers_the_rest_if_the_edit_asks_for_it() {
        let before = dialog("two for Dune Part Two at seven pm", &[(0, 3), (8, 21), (25, 33)]);
        let set = |text: &str, drop| {
            let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop, shrink: true };
            let after = edit.apply(&before)?;
            let quotes = quotes(&after);
            assert!(quotes.iter().all(|(covered, quote)| covered == quote));
            let quotes = quotes.into_iter().map(|(_, quote)| quote.to_string());
            Ok::<_, EditError>(quotes.collect::<Vec<_>>())
        };
        let kept = |text: &str| set(text, false).expect("fits");
        assert_eq!(kept("two for Dune Part at 7 pm"), ["two", "Dune Part", "7 pm"]);
        assert_eq!(kept("two for Dune Two at seven pm"), ["two", "Dune Two", "seven pm"]);
        let refused = set("two for Dune Part Two", false).expect_err("nothing is left of one");
        assert!(refused.to_string().contains("cuts segment 2; add \"drop\""));
        assert_eq!(set("two for Dune", true), Ok(vec!["two".to_owned(), "Dune".to_owned()]));
        let asked =
            Edit::SetText { turn: 0, text: "two for Dune".to_owned(), drop: false, shrink: false };
        assert_eq!(
            asked.apply(&before).expect_err("cut").to_string(),
            "the new text cuts segment 1, 2; add \"shrink\": true to keep what is left of \
             segment 1, \"drop\": true to remove them"
        );
    }
}
