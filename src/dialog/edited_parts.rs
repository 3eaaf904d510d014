//! The part of a turn that an edit changes, which decides whether two edits can be applied at once, each as
//! if it were alone.

use std::collections::{HashMap, HashSet};

use super::apply_acts::removed_slot;
use super::edit::{Edit, EditKind};
use super::model::{Extent, Turn};

/// The part of a turn that an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditedPart {
    /// The segment, call, act, slot or vote that starts at this byte of the dialog's text.
    Element(EditKind, u32),
    /// A new element after the existing ones.
    New(EditKind),
    /// The whole turn.
    Turn,
    /// The dialog, whose form may depend on it.
    Dialog,
}

impl Edit {
    /// Returns the part of `turn`, in its current state, that it changes.
    pub fn touches(&self, turn: &Turn) -> EditedPart {
        let about = self.about();
        // Elements that are not in a text yet have no place there.
        let in_text = |at: Extent| at.end > 0;
        let element = |at: Option<Extent>| match at {
            Some(at) if in_text(at) => EditedPart::Element(about, at.start),
            _ => EditedPart::Turn,
        };
        let added = |first: Option<Extent>| match first {
            Some(at) if in_text(at) => EditedPart::New(about),
            _ => EditedPart::Turn,
        };
        let vote = |annotator: &str| {
            let mut votes = turn.votes.iter();
            votes.find(|v| v.annotator == annotator).map(|v| v.at)
        };
        match self {
            Self::AddSegment { .. } => added(turn.segments.first().map(|s| s.at)),
            Self::CastVote { annotator, .. } => match vote(annotator) {
                None => added(turn.votes.first().map(|v| v.at)),
                cast => element(cast),
            },
            Self::WithdrawVote { annotator, .. } => element(vote(annotator)),
            // The first act of its name may make the member that the second one is in.
            Self::AddAct { name, .. } => {
                let mut acts = turn.acts.iter();
                added(acts.find(|act| act.name == *name).map(|act| act.at))
            }
            Self::RemoveState { slot, value, .. } => {
                let state = turn.state.as_deref().unwrap_or_default();
                let place = removed_slot(state, slot, value.as_ref()).ok().flatten();
                element(place.map(|place| state[place].at))
            }
            Self::AddCall { .. } | Self::RemoveCall { .. } => EditedPart::Dialog,
            _ => match (about, self.element()) {
                (EditKind::Segments, Some(at)) => element(turn.segments.get(at).map(|s| s.at)),
                (EditKind::Acts, Some(at)) => element(turn.acts.get(at).map(|act| act.at)),
                (EditKind::Calls, Some(at)) => element(turn.calls.get(at).map(|call| call.at)),
                (
                    EditKind::Text
                    | EditKind::Tokens
                    | EditKind::Intents
                    | EditKind::State
                    | EditKind::Gold,
                    _,
                ) => EditedPart::Turn,
                _ => EditedPart::Dialog,
            },
        }
    }
}

/// The parts of a dialog's turns that edits change.
#[derive(Debug, Default)]
pub struct EditedParts {
    turns: HashMap<usize, HashSet<EditedPart>>,
    /// Turns in which all new elements are of one kind, and nothing else of that kind is changed.
    about: HashMap<(usize, EditKind), bool>,
    closed: HashSet<usize>,
    all_closed: bool,
}

impl EditedParts {
    /// True if a part of a turn can be changed independently of all these.
    pub fn is_free(&self, turn: usize, part: EditedPart) -> bool {
        if self.all_closed || self.closed.contains(&turn) {
            return false;
        }
        if part == EditedPart::Dialog {
            return self.turns.is_empty() && self.closed.is_empty();
        }
        let Some(touched) = self.turns.get(&turn) else {
            return true;
        };
        // Edits that refer to positions of elements cannot be combined with edits that add elements.
        let same_kind = |about: EditKind, new: bool| {
            let known = self.about.get(&(turn, about));
            known.is_none_or(|known| *known == new)
        };
        match part {
            EditedPart::Turn | EditedPart::Dialog => false,
            EditedPart::New(about) => same_kind(about, true),
            EditedPart::Element(about, _) => !touched.contains(&part) && same_kind(about, false),
        }
    }

    pub fn add(&mut self, turn: usize, part: EditedPart) {
        self.turns.entry(turn).or_default().insert(part);
        match part {
            EditedPart::New(about) => _ = self.about.insert((turn, about), true),
            EditedPart::Element(about, _) => _ = self.about.insert((turn, about), false),
            EditedPart::Turn | EditedPart::Dialog => self.close(turn, part),
        }
    }

    /// Marks a whole turn as changed, or the whole dialog if `part` is that.
    pub fn close(&mut self, turn: usize, part: EditedPart) {
        self.closed.insert(turn);
        self.all_closed |= part == EditedPart::Dialog;
    }
}
