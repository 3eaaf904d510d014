//! Finds the turns of a dialog that a query matches.

use super::expression::{Condition, Query};
use super::keys::Found;
use super::places::{InJson, TextKind, TextPlace, any_text, places};
use super::sought::Sought;
use super::target::Target;
use crate::dialog::{ApiCall, Dialog};
use crate::format::answering;

impl Query {
    /// Returns the kind of text that its parts side by side are restricted to: by `in:` among them, or else `within`.
    pub(super) fn restricted(parts: &[Self], within: Option<TextKind>) -> Option<TextKind> {
        let own = parts.iter().find_map(|part| match part {
            Self::Is(Condition::In(kind)) => Some(*kind),
            _ => None,
        });
        own.or(within)
    }

    /// True if it asks for the results of calls.
    fn asks_results(&self) -> bool {
        self.has(|condition| condition.has_key("result") || condition.has_key("failed"))
    }

    /// True if it asks what somebody said, so that what else is asked beside it is asked of the same person.
    fn is_of_somebody(&self) -> bool {
        match self {
            Self::Is(condition) => condition.is_about_own(),
            Self::Any(parts) => parts.iter().any(Self::is_of_somebody),
            _ => false,
        }
    }

    /// For each turn, whether it matches, if `turns_of` returns the turns that meet each condition.
    pub(super) fn matches_with<'q>(
        &'q self,
        place: Place<'_>,
        turns_of: &mut dyn FnMut(&'q Condition, Place<'_>) -> Vec<bool>,
    ) -> Vec<bool> {
        match self {
            Self::Is(condition) => turns_of(condition, place),
            Self::All(parts) => {
                let within = Self::restricted(parts, place.within);
                let place = Place { within, ..place }.of_anybody();
                let both = |one, other| one && other;
                let (of_one, others): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|part| part.is_of_somebody());
                if of_one.len() < 2 {
                    return merged(parts, place, turns_of, both);
                }
                let people = place.people.iter().map(|person| {
                    let by = Some(*person);
                    merged(of_one.iter().copied(), Place { by, ..place }, turns_of, both)
                });
                let of_somebody = joined(people, |one, other| one || other);
                if others.is_empty() {
                    return of_somebody;
                }
                let others = merged(others, place, turns_of, both);
                joined([of_somebody, others], both)
            }
            Self::Any(parts) => merged(parts, place, turns_of, |one, other| one || other),
            Self::Not(part) => {
                let matches = part.matches_with(place.negated(), turns_of).into_iter();
                matches.map(|matches| !matches).collect()
            }
            Self::InDialog(part) => {
                let mut turns = part.matches_with(place.of_anybody(), turns_of);
                let is_there = turns.contains(&true);
                turns.fill(is_there);
                turns
            }
            Self::Then { first, later, within: most } => {
                let place = place.of_anybody();
                let mut found = later.matches_with(place, turns_of);
                let asked = first.asks_results();
                let mut first = first.matches_with(place, turns_of);
                if let Some(dialog) = place.dialog.filter(|_| asked) {
                    first = at_results(dialog, &first);
                }
                for turns in agents(place.dialog, first.len()) {
                    let mut last = None;
                    for (number, turn) in turns.into_iter().enumerate() {
                        let near =
                            |last: usize| most.is_none_or(|most| number - last <= most as usize);
                        found[turn] &= last.is_some_and(near);
                        if first[turn] {
                            last = Some(number);
                        }
                    }
                }
                found
            }
            Self::NotBefore { absent, turn } => {
                let absent = absent.matches_with(place.negated(), turns_of);
                let mut found = turn.matches_with(place.of_anybody(), turns_of);
                let first = absent.iter().position(|is_there| *is_there);
                if let Some(first) = first {
                    found[first + 1..].fill(false);
                }
                found
            }
        }
    }
}

/// Returns the turns from which on the results of the calls of turns are known, in place of these turns: calls that are
/// made at the same time come before that.
fn at_results(dialog: &Dialog, turns: &[bool]) -> Vec<bool> {
    let mut known = vec![false; turns.len()];
    for (turn, _) in turns.iter().enumerate().filter(|(_, matches)| **matches) {
        let calls = dialog.turns[turn].calls.iter();
        let places = calls.filter_map(ApiCall::response_place);
        let answers = places.filter_map(|at| answering(&dialog.turns, turn, at));
        known[answers.max().unwrap_or(turn).max(turn)] = true;
    }
    known
}

/// Returns the turns of the dialog itself, and those of each side branch: each agent goes on in its own turns.
fn agents(dialog: Option<&Dialog>, count: usize) -> Vec<Vec<usize>> {
    let branches = dialog.map_or(&[][..], |dialog| &dialog.branches.0);
    let mut is_aside = vec![false; count];
    for turn in branches.iter().flat_map(|branch| &branch.turns) {
        is_aside[*turn] = true;
    }
    let own = (0..count).filter(|turn| !is_aside[*turn]).collect();
    let others = branches.iter().map(|branch| branch.turns.clone());
    std::iter::once(own).chain(others).collect()
}

/// The turns that any or all of the parts match, as `merge` says.
fn merged<'q>(
    parts: impl IntoIterator<Item = &'q Query>,
    place: Place<'_>,
    turns_of: &mut dyn FnMut(&'q Condition, Place<'_>) -> Vec<bool>,
    merge: fn(bool, bool) -> bool,
) -> Vec<bool> {
    let parts = parts.into_iter();
    joined(parts.map(|part| part.matches_with(place, &mut *turns_of)), merge)
}

/// Merges turns as `merge` says.
fn joined(all: impl IntoIterator<Item = Vec<bool>>, merge: fn(bool, bool) -> bool) -> Vec<bool> {
    let mut all = all.into_iter();
    let first = all.next().unwrap_or_default();
    all.fold(first, |sum, part| {
        let pairs = sum.into_iter().zip(part);
        pairs.map(|(one, other)| merge(one, other)).collect()
    })
}

/// The remark on a dialog in which not all values of the variables were tried.
pub const UNTRIED: &str =
    "in this dialog, variables may have too many values to try them all; more turns may match";

/// The turns of a dialog that a query matches.
#[derive(Debug)]
pub struct Matches {
    /// For each turn, whether it matches.
    pub turns: Vec<bool>,
    /// False if variables may have so many values that not all were tried; further turns may match.
    pub is_complete: bool,
}

/// The place of a condition in a query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place<'p> {
    /// The kind of text that texts are searched for in, if it is restricted.
    pub within: Option<TextKind>,
    /// Turns that meet the condition do not match for it, but are left out.
    pub is_negated: bool,
    /// The person whose judgements are meant; None for anybody's.
    pub by: Option<&'p str>,
    /// All who may be meant; at least one.
    people: &'p [&'p str],
    /// The dialog in which the condition is met.
    dialog: Option<&'p Dialog>,
}

impl<'p> Place<'p> {
    pub fn of(people: &'p [&'p str], dialog: &'p Dialog) -> Self {
        Self { people, dialog: Some(dialog), ..Self::default() }
    }

    fn negated(self) -> Self {
        Self { is_negated: !self.is_negated, ..self.of_anybody() }
    }

    fn of_anybody(self) -> Self {
        Self { by: None, ..self }
    }
}

impl Condition {
    /// For each turn, whether it meets the condition.
    pub(super) fn turns(&self, target: &Target<'_>, place: Place<'_>) -> Vec<bool> {
        let all = 0..target.dialog.turns.len();
        if let Self::Has(wanted) = self {
            let met = &mut |found: &Found<'_>| wanted.is_met(found, place.by).then_some(());
            let met = wanted.asked().kept(target, all, met);
            return met.iter().map(|met| !met.is_empty()).collect();
        }
        let (within, sought) = match self {
            Self::In(kind) => (Some(*kind), None),
            _ => (place.within, Sought::of(self, place.within)),
        };
        let has_text = |turn: usize, place: TextPlace| match &sought {
            Some(sought) => sought.is_at(target.dialog, turn, place),
            None => {
                any_text(target.dialog, turn, place, InJson::Escaped, &mut |text| !text.is_empty())
            }
        };
        all.map(|turn| places(target, turn, within).any(|place| has_text(turn, place))).collect()
    }
}
