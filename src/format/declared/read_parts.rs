//! The parts of turns, of which those that are not read are kept as they are.

use super::description::TurnRule;
use super::texts::text_place;
use super::trail::Trail;
use crate::dialog::{Content, Extent, Field, LOST_ANSWER, Payload, Role, Short, Turn};
use crate::format::engine::read::extent;
use crate::json::Tree;

/// The parts of the turns of a dialog.
#[derive(Default)]
pub struct TurnParts {
    all: Vec<Part>,
    /// The starts of values that are read.
    pub read: Vec<u32>,
    /// The starts of responses that belong to no call.
    pub lost: Vec<u32>,
    /// The starts of parts of responses that are fields of their turns.
    pub kept: Vec<u32>,
    /// The starts of values that are marks of calls.
    pub marks: Vec<u32>,
    /// Turns with a response in a list of them.
    pub answering: Vec<Answering>,
}

/// A turn with the response of a call.
pub struct Answering {
    pub turn: usize,
    /// The turn and the position of the call.
    pub asked: (usize, usize),
    /// The element that is the response.
    pub element: Extent,
}

struct Part {
    turn: usize,
    kind: Short,
    at: Extent,
    /// It may be left unread, because it says nothing.
    is_other: bool,
}

impl TurnParts {
    /// Adds the parts of a turn, and what its text is read from.
    pub fn add(&mut self, rule: &TurnRule, trail: &mut Trail<'_>, turn: usize) {
        let at = text_place(rule.text.at(), trail);
        let texts = rule.spoken(at, trail).into_iter();
        self.read.extend(texts.map(|text| extent(text).start));
        for parts in &rule.parts.0 {
            trail.each(parts.at(), &mut |trail| {
                let part = trail.here().value;
                let kind = parts.kind(trail);
                let is_other = parts.is_other(&kind);
                self.all.push(Part { turn, kind, at: extent(part), is_other });
            });
        }
    }

    /// Puts the parts of all turns in the order of the text.
    pub fn sort(&mut self) {
        self.all.sort_by_key(|part| part.at.start);
    }

    /// True if a value is one of them.
    pub fn has(&self, at: Extent) -> bool {
        let part = self.all.binary_search_by_key(&at.start, |part| part.at.start);
        part.is_ok()
    }

    /// Makes the turns of users that hold responses and nothing else context, because nobody says them.
    fn hide_answers(answering: &[Answering], turns: &mut [Turn]) {
        for Answering { turn, .. } in answering {
            let turn = &mut turns[*turn];
            let is_empty = turn.text.is_empty() && turn.calls.is_empty() && turn.unread.is_empty();
            if is_empty && turn.speaker.role == Role::User {
                turn.speaker.role = Role::Context;
            }
        }
    }

    /// Keeps each part in which nothing is read as a field of its turn, and counts it. Adds its start to `kept`. Returns
    /// the turns with responses.
    pub fn keep_unread(
        mut self,
        tree: Tree<'_>,
        turns: &mut [Turn],
        kept: &mut Vec<u32>,
    ) -> Vec<Answering> {
        kept.append(&mut self.kept);
        if self.all.is_empty() && self.answering.is_empty() {
            return self.answering;
        }
        for call in turns.iter().flat_map(|turn| &turn.calls) {
            self.read.push(call.at.start);
            if let Some(Payload::Fields(fields)) = &call.response {
                self.read.extend(fields.iter().map(|field| field.at.start));
            }
        }
        self.read.sort_unstable();
        for Part { turn, kind, at, is_other } in self.all {
            let first = self.read.partition_point(|start| *start < at.start);
            if self.read.get(first).is_some_and(|start| *start < at.end) {
                continue;
            }
            kept.push(at.start);
            let is_lost = self.lost.contains(&at.start);
            let unread = if is_lost { LOST_ANSWER.into() } else { kind.clone() };
            turns[turn].unread.add(unread, u64::from(!is_other));
            let text = tree.text()[at.start as usize..at.end as usize].into();
            turns[turn].fields.push(Field::known(kind, Content::Raw(text), at));
        }
        Self::hide_answers(&self.answering, turns);
        self.answering
    }
}
