//! Applies an edit to a dialog, or returns the reason why it does not fit.

use super::apply_text::{CutPolicy, set_text, set_tokens};
use super::edit::{Edit, EditKind, Mark};
use super::error::EditError;
use super::model::{
    Breakdown, Content, Dialog, Extent, Field, Label, Role, Segment, Short, Span, Speaker, Turn,
    Vote,
};
use super::{apply_acts, apply_calls, apply_gold, apply_turns};
use crate::text::Units;

impl Edit {
    /// Returns the dialog after this edit.
    ///
    /// # Errors
    /// If the edit does not fit the dialog.
    pub fn apply(&self, dialog: &Dialog) -> Result<Dialog, EditError> {
        let mut dialog = dialog.clone();
        self.apply_to(&mut dialog)?;
        Ok(dialog)
    }

    /// Applies this edit to `dialog`, which stays unchanged if the edit is refused.
    ///
    /// # Errors
    /// If the edit does not fit the dialog.
    pub fn apply_to(&self, dialog: &mut Dialog) -> Result<(), EditError> {
        if let Self::Put { .. } = self {
            let reason = "a `put` edit applies only to the JSON of a dialog".to_owned();
            return Err(EditError::NotEditable { what: "this", reason });
        }
        if self.about() == EditKind::Gold {
            return apply_gold::apply(self, dialog);
        }
        if self.about() == EditKind::Turns {
            return apply_turns::apply(self, dialog);
        }
        if let Self::SetField { name, text } = self {
            dialog.text_field_mut(name)?.content = Content::Text(text.as_str().into());
            return Ok(());
        }
        let (units, position, count) = (dialog.units, self.turn(), dialog.turns.len());
        let neutral = match self {
            Self::CastVote { .. } => neutral_mark(dialog),
            _ => Short::default(),
        };
        let turn = dialog.turns.get_mut(position);
        let turn = turn.ok_or(EditError::NoTurn { turn: position, count })?;
        match self {
            Self::SetSpan { segment, start, end, .. } => {
                let to = covered(turn, *start, *end, units)?;
                let old = segment_mut(turn, position, *segment)?.span;
                let was = old.and_then(|old| turn.covered(old, units));
                let segment = segment_mut(turn, position, *segment)?;
                segment.span = Some(to.0);
                segment.has_misspelled_span = false;
                segment.requote(was.as_ref(), &to.1);
            }
            Self::AddSegment { start, end, labels, .. } => {
                let (span, covered) = covered(turn, *start, *end, units)?;
                let new = Segment {
                    span: Some(span),
                    quote: (units == Units::CodePoints).then_some(covered),
                    labels: named(labels)?,
                    ..Segment::default()
                };
                turn.segments.insert(turn.place_of_segment(span), new);
            }
            Self::RemoveSegment { segment, .. } => {
                segment_mut(turn, position, *segment)?;
                turn.segments.remove(*segment);
            }
            Self::SetLabels { segment, labels, .. } => {
                segment_mut(turn, position, *segment)?.labels = named(labels)?;
            }
            Self::SetQuote { segment, text, .. } => {
                set_quote(turn, position, *segment, text.as_deref(), units)?;
            }
            Self::SetText { text, drop, shrink, .. } => {
                let (drop, shrink) = (*drop, *shrink);
                set_text(turn, text, CutPolicy { drop, shrink }, units)?;
            }
            Self::SetSpeaker { speaker, .. } => {
                turn.speaker = named_speaker(speaker)?;
            }
            Self::SetTokens { tokens, .. } => set_tokens(turn, tokens)?,
            Self::CastVote { annotator, breakdown, comment, ungrammatical, .. } => {
                let vote = own_vote(turn, position, annotator)?;
                cast(vote, *breakdown, comment.as_ref(), ungrammatical.as_ref(), neutral);
            }
            Self::WithdrawVote { annotator, .. } => {
                let cast = votes_of(turn, position, annotator)?;
                let vote = cast.ok_or_else(|| no_vote(position, annotator))?;
                turn.votes.remove(vote);
            }
            other => match other.about() {
                EditKind::Calls => apply_calls::apply(other, turn)?,
                EditKind::Acts | EditKind::Intents | EditKind::State => {
                    apply_acts::apply(other, turn)?;
                }
                // The others are of the whole dialog, or above.
                _ => {}
            },
        }
        Ok(())
    }
}

impl Dialog {
    /// Returns the text of the whole dialog that an edit may change.
    ///
    /// # Errors
    /// If there is none with this name, or several, or it is not a text.
    fn text_field_mut(&mut self, name: &str) -> Result<&mut Field, EditError> {
        let refused = |reason: String| EditError::NotEditable { what: "the field", reason };
        let place = only(self.fields.iter().map(|field| &field.name), name)?;
        let place = place.ok_or_else(|| refused(format!("the dialog has no {name:?}")))?;
        let field = &mut self.fields[place];
        match field.content {
            Content::Text(_) => Ok(field),
            Content::Raw(_) => Err(refused(format!("{name:?} is not a string"))),
        }
    }
}

fn covered(turn: &Turn, start: u32, end: u32, units: Units) -> Result<(Span, Short), EditError> {
    if start >= end {
        return Err(EditError::EmptySpan { start, end });
    }
    let span = Span { start, end };
    let covered = turn.covered(span, units).ok_or_else(|| EditError::OutOfRange {
        start,
        end,
        length: turn.length(units),
        units: units.name(),
    })?;
    Ok((span, covered))
}

fn segment_mut(
    turn: &mut Turn,
    position: usize,
    segment: usize,
) -> Result<&mut Segment, EditError> {
    let count = turn.segments.len();
    let found = turn.segments.get_mut(segment);
    found.ok_or(EditError::NoSegment { turn: position, segment, count })
}

/// Returns a speaker by name.
fn named_speaker(name: &str) -> Result<Speaker, EditError> {
    if name.is_empty() {
        return Err(EditError::NotEditable {
            what: "the speaker",
            reason: "the new name is empty".to_owned(),
        });
    }
    Ok(Speaker::named(name.into()))
}

/// Sets the quote of a segment, to the text that its span covers if `text` is None.
fn set_quote(
    turn: &mut Turn,
    position: usize,
    segment: usize,
    text: Option<&str>,
    units: Units,
) -> Result<(), EditError> {
    let span = segment_mut(turn, position, segment)?.span;
    let new = match (text, span) {
        (Some(text), _) => text.into(),
        (None, Some(Span { start, end })) => covered(turn, start, end, units)?.1,
        (None, None) => return Err(no_quote("the segment covers no text")),
    };
    let quote = &mut segment_mut(turn, position, segment)?.quote;
    *quote.as_mut().ok_or_else(|| no_quote("the segment has no quote"))? = new;
    Ok(())
}

/// Position of the only one of `names` that is `name`.
///
/// # Errors
/// If there are several.
pub(super) fn only<'n>(
    names: impl Iterator<Item = &'n Short>,
    name: &str,
) -> Result<Option<usize>, EditError> {
    let mut same = names.enumerate().filter(|(_, other)| *other == name);
    let first = same.next().map(|(position, _)| position);
    match same.count() {
        0 => Ok(first),
        more => Err(EditError::SeveralValues { name: name.to_owned(), count: more + 1 }),
    }
}

fn no_quote(reason: &str) -> EditError {
    EditError::NotEditable { what: "the quote", reason: reason.to_owned() }
}

fn named(labels: &[String]) -> Result<Vec<Label>, EditError> {
    if labels.iter().any(String::is_empty) {
        return Err(EditError::EmptyLabel);
    }
    let label = |name: &String| Label { name: name.as_str().into(), at: Extent::default() };
    Ok(labels.iter().map(label).collect())
}

/// Position of the one vote of `annotator`.
fn votes_of(turn: &Turn, position: usize, annotator: &str) -> Result<Option<usize>, EditError> {
    if annotator.is_empty() {
        return Err(EditError::NoAnnotator);
    }
    let mut own = turn.votes.iter().enumerate().filter(|(_, vote)| vote.annotator == annotator);
    let first = own.next().map(|(position, _)| position);
    match own.count() {
        0 => Ok(first),
        more => Err(EditError::SeveralVotes {
            turn: position,
            annotator: annotator.to_owned(),
            count: more + 1,
        }),
    }
}

fn no_vote(turn: usize, annotator: &str) -> EditError {
    EditError::NoVote { turn, annotator: annotator.to_owned() }
}

/// Returns the vote of `annotator`, added with an empty mark if there is none.
fn own_vote<'a>(
    turn: &'a mut Turn,
    position: usize,
    annotator: &str,
) -> Result<&'a mut Vote, EditError> {
    if turn.speaker.role == Role::User {
        return Err(EditError::UserTurn { turn: position });
    }
    if turn.speaker.role == Role::Context {
        return Err(EditError::NotEditable {
            what: "the vote",
            reason: "only system turns are judged".to_owned(),
        });
    }
    let vote = votes_of(turn, position, annotator)?.unwrap_or_else(|| {
        turn.votes.push(Vote { annotator: annotator.into(), ..Vote::default() });
        turn.votes.len() - 1
    });
    Ok(&mut turn.votes[vote])
}

fn cast(
    vote: &mut Vote,
    breakdown: Breakdown,
    comment: Option<&String>,
    ungrammatical: Option<&Mark>,
    neutral: Short,
) {
    let new = vote.breakdown.is_none();
    vote.breakdown = Some(breakdown);
    if let Some(comment) = comment {
        vote.comment = comment.as_str().into();
    }
    match ungrammatical {
        Some(Mark::Text(text)) => vote.ungrammatical = text.as_str().into(),
        Some(Mark::Flag(true)) => vote.ungrammatical = "X".into(),
        Some(Mark::Flag(false)) => vote.ungrammatical = neutral,
        None if new && vote.ungrammatical.is_empty() => vote.ungrammatical = neutral,
        None => {}
    }
}

/// Returns the mark of votes in a dialog for a sentence that is not ungrammatical: `O` in the Japanese logs, empty
/// in the English ones.
fn neutral_mark(dialog: &Dialog) -> Short {
    let mut marks = dialog.turns.iter().flat_map(|t| &t.votes).map(|v| v.ungrammatical.as_str());
    let neutral = marks.find(|mark| matches!(*mark, "" | "O"));
    neutral.unwrap_or_default().into()
}
