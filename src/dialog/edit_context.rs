//! The context of an edit, as a line of text that can be compared and read.
//!
//! Edits refer to elements by position: the second segment may become the third if somebody adds one. So
//! an edit in a journal or a file of records carries the element as it was when the edit was made, and is
//! applied only if that is unchanged. This module does not know how dialogs came to differ.

use std::fmt;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::apply_gold;
use super::edit::{Edit, EditKind};
use super::error::EditError;
use super::judgement::Judgement;
use super::model::{Act, ApiCall, Content, Dialog, Field, Payload, Segment, StateSlot, Turn, Vote};
use crate::text::{clipped, cut, visible};

/// The longest context, in bytes, to write in full. Of a longer one, the start and a hash are written.
const WRITTEN: usize = 2000;

/// The part of a turn that an edit is about: speaker and text, and the segments, calls, acts, intents,
/// state or the annotator's own vote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditContext(Box<str>);

impl EditContext {
    /// Returns the context of `edit` in `dialog`; None if its turn does not exist. Of the votes, only those of the
    /// edit's annotator count.
    pub fn of(edit: &Edit, dialog: &Dialog) -> Option<Self> {
        if edit.about() == EditKind::Gold {
            return Some(Self(apply_gold::context(edit.turn(), dialog).into()));
        }
        if let Edit::SetField { name, .. } = edit {
            let field = dialog.fields.iter().find(|field| field.name == *name)?;
            return Some(Self::written(of_field(field)));
        }
        if let Edit::AddTurn { turn, .. } = edit {
            return Self::between(dialog, *turn);
        }
        // It says itself what it replaces.
        if let Edit::Put { .. } = edit {
            return None;
        }
        let turn = dialog.turns.get(edit.turn())?;
        let mut all = format!("{}: {}", turn.speaker.name, turn.text);
        match edit.about() {
            EditKind::Text | EditKind::Tokens | EditKind::Segments => {
                add(&mut all, turn.tokens.iter().map(|token| format!("{token:?}")));
                let (first, near) = segments_near(edit, &turn.segments);
                if near.len() < turn.segments.len() {
                    add(
                        &mut all,
                        std::iter::once(format!("{} segments, from {first}", turn.segments.len())),
                    );
                }
                add(&mut all, near.iter().map(of_segment));
            }
            EditKind::Calls => add(&mut all, turn.calls.iter().map(of_call)),
            EditKind::Acts => add(&mut all, turn.acts.iter().map(of_act)),
            EditKind::Intents => add(&mut all, turn.intents.iter().map(ToString::to_string)),
            EditKind::State => add(&mut all, turn.state.iter().flatten().map(of_slot)),
            EditKind::Votes => add(&mut all, own_votes(edit, turn)),
            EditKind::Turns => add(&mut all, whole_turn(turn)),
            EditKind::Speaker
            | EditKind::Gold
            | EditKind::Fields
            | EditKind::Parts
            | EditKind::Judgements => {}
        }
        Some(Self::written(all))
    }

    /// Returns the context of a judgement: what the same annotator said before.
    pub fn of_judgement(before: Option<&Judgement>) -> Self {
        Self::written(match before {
            Some(before) => format!("{} {:?}", before.says(), before.note),
            None => "no judgement".to_owned(),
        })
    }

    /// Returns the turns around a new one; None if there is no such place.
    fn between(dialog: &Dialog, turn: usize) -> Option<Self> {
        let (before, behind) = dialog.turns.split_at_checked(turn)?;
        let around = before.last().into_iter().chain(behind.first());
        let around = around.map(|turn| format!("{}: {}", turn.speaker.name, turn.text));
        Some(Self::written(around.collect::<Vec<_>>().join(" | ")))
    }

    fn written(mut all: String) -> Self {
        if all.len() > WRITTEN {
            let hash = XxHash3_64::oneshot(all.as_bytes());
            all.truncate(all.floor_char_boundary(WRITTEN));
            all = format!("{all}… {hash:016x}");
        }
        Self(all.into())
    }
}

/// The number of characters of a context that a message shows.
const SHOWN: usize = 120;

impl EditContext {
    /// True if an edit that was made in this context may be made in the context `now`: if it is the same, or an answer that the
    /// edit replaces is gone.
    pub fn allows(&self, edit: &Edit, now: &Self) -> bool {
        let is_gone = match edit.about() {
            EditKind::Judgements => *now == Self::of_judgement(None),
            EditKind::Gold => *now == Self(apply_gold::NO_LABEL.into()),
            EditKind::Votes => {
                self.0.strip_prefix(&*now.0).is_some_and(|own| own.starts_with(BETWEEN))
            }
            _ => false,
        };
        is_gone || self == now
    }

    /// Returns the error that refuses an edit made in this context, when the context `now` differs.
    pub fn refusal(&self, edit: &Edit, now: &Self) -> EditError {
        let (was, is) = clipped(&visible(&self.0), &visible(&now.0));
        EditError::MadeOnOther {
            what: match edit {
                Edit::SetField { .. } => "the field".to_owned(),
                Edit::AddTurn { turn, .. } => format!("the place of turn {turn}"),
                Edit::Judge { .. } => "the judgement".to_owned(),
                _ => format!("turn {}", edit.turn()),
            },
            was: cut(&was, SHOWN),
            is: cut(&is, SHOWN),
        }
    }
}

impl fmt::Display for EditContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Separates the text of a turn from its elements.
const BETWEEN: &str = " | ";

/// Appends elements of the turn after its text.
fn add(all: &mut String, parts: impl Iterator<Item = String>) {
    for part in parts {
        *all += BETWEEN;
        *all += &part;
    }
}

/// The most segments of a turn that are all part of an edit's context.
const FEW: usize = 64;

/// In a longer list, the number of segments in the context: on either side of an edited one, or before an
/// added one. With all of them, many edits of one turn would take quadratic time.
const NEAR: usize = 8;

/// Returns the segments that are the context of an edit, and the position of the first of them.
fn segments_near<'t>(edit: &Edit, segments: &'t [Segment]) -> (usize, &'t [Segment]) {
    match (edit, edit.element()) {
        (_, Some(segment)) if segments.len() > FEW => {
            let end = segments.len().min(segment.saturating_add(NEAR + 1));
            let start = segment.saturating_sub(NEAR).min(end);
            (start, &segments[start..end])
        }
        (Edit::AddSegment { .. }, _) if segments.len() > FEW => {
            let start = segments.len() - NEAR;
            (start, &segments[start..])
        }
        _ => (0, segments),
    }
}

fn of_segment(segment: &Segment) -> String {
    let span = segment.span.map_or_else(|| "?".to_owned(), |span| span.to_string());
    let labels: Vec<_> = segment.labels.iter().map(|label| label.name.as_str()).collect();
    let quote = segment.quote.as_deref().unwrap_or_default();
    format!("{span} {quote:?} {}", labels.join(", "))
}

fn of_call(call: &ApiCall) -> String {
    let [arguments, response] = [&call.arguments, &call.response]
        .map(|payload| payload.as_ref().map_or_else(String::new, of_payload));
    format!("{}({arguments}) → {response}", call.name)
}

fn of_payload(payload: &Payload) -> String {
    match payload {
        Payload::Fields(fields) => fields.iter().map(of_field).collect::<Vec<_>>().join(", "),
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => text.to_string(),
    }
}

fn of_field(field: &Field) -> String {
    format!("{}={}", field.name, of_content(&field.content))
}

fn of_content(content: &Content) -> String {
    match content {
        Content::Text(text) => format!("{text:?}"),
        Content::Raw(raw) => raw.to_string(),
    }
}

fn of_act(act: &Act) -> String {
    let value = |value: &Option<Content>| value.as_ref().map_or_else(String::new, of_content);
    let slots = act.slots.iter().map(|slot| format!("{}={}", slot.slot, value(&slot.value)));
    format!("{}({})", act.name, slots.collect::<Vec<_>>().join(", "))
}

/// Returns all that a turn holds besides its text.
fn whole_turn(turn: &Turn) -> impl Iterator<Item = String> {
    let tokens = turn.tokens.iter().map(|token| format!("{token:?}"));
    let segments = turn.segments.iter().map(of_segment);
    let calls = turn.calls.iter().map(of_call);
    let acts = turn.acts.iter().map(of_act);
    let intents = turn.intents.iter().map(ToString::to_string);
    let state = turn.state.iter().flatten().map(of_slot);
    let votes = turn.votes.iter().map(of_vote);
    let said = tokens.chain(segments).chain(calls).chain(acts);
    said.chain(intents).chain(state).chain(votes)
}

fn of_slot(slot: &StateSlot) -> String {
    format!("{}={}", slot.slot, of_content(&slot.value))
}

fn own_votes<'t>(edit: &Edit, turn: &'t Turn) -> impl Iterator<Item = String> + use<'t> {
    let own = match edit {
        Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
            annotator.clone()
        }
        _ => String::new(),
    };
    let own = move |vote: &&Vote| vote.annotator == own;
    turn.votes.iter().filter(own).map(of_vote)
}

fn of_vote(vote: &Vote) -> String {
    let breakdown = vote.breakdown.map_or("?", |breakdown| breakdown.letter());
    format!("{} {breakdown} {:?} {:?}", vote.annotator, vote.comment, vote.ungrammatical)
}
