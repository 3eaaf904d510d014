//! Finds the turns of a dialog that a query matches.

use super::expression::{Condition, Query, TextKind};
use super::members::{Lookup, Member, each_of, each_of_fields, is_in_answer, is_in_arguments};
use super::places::{InJson, any_text, places};
use super::solve::Solutions;
use super::value::{Closeness, NamePattern, NamedValue};
use crate::dialog::{ApiCall, Dialog, Field, Judgement, Role, Segment, Short, Turn};
use crate::format::answering;
use crate::lint::Diagnostic;
use crate::text::Units;
use crate::votes::{Counted, Tally};

/// A dialog to search, and what its file knows about it.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub dialog: &'a Dialog,
    /// The problems of the dialog, ordered by turn; empty if the query does not need them.
    pub problems: &'a [Diagnostic],
    pub source: DialogSource<'a>,
}

/// The origin of a dialog, and who reads it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialogSource<'a> {
    /// The name of the file, as it is shown.
    pub file: &'a str,
    /// The name of its format.
    pub family: &'a str,
    /// The dialog has unsaved edits.
    pub edited: bool,
    /// The dialog is excluded.
    pub excluded: bool,
    /// The id of the user as an annotator; empty if unknown.
    pub annotator: &'a str,
    /// The comments and judgements that are not searched; votes are.
    pub hidden: HiddenAnswers,
}

/// The answers that are hidden from the user, who judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenAnswers {
    #[default]
    None,
    /// Those by models.
    Models,
    /// All but the user's own: the user judges blind.
    Others,
}

impl DialogSource<'_> {
    /// True if an annotator is the user.
    pub(super) fn is_own(&self, annotator: &str) -> bool {
        !annotator.is_empty() && annotator == self.annotator
    }

    /// True if a judgement is hidden from the user.
    pub(super) fn hides(&self, judgement: &Judgement) -> bool {
        let hides = match self.hidden {
            HiddenAnswers::None => false,
            HiddenAnswers::Models => judgement.run.is_some(),
            HiddenAnswers::Others => true,
        };
        hides && !self.is_own(&judgement.by)
    }
}

impl<'a> Target<'a> {
    /// Returns a dialog of which nothing else is known.
    pub fn new(dialog: &'a Dialog, problems: &'a [Diagnostic]) -> Self {
        Self { dialog, problems, source: DialogSource::default() }
    }

    /// Returns the problems of a turn. A problem of the whole dialog counts as one of its first turn.
    pub(super) fn problems_of(&self, turn: usize) -> &'a [Diagnostic] {
        let place = |d: &Diagnostic| d.location.turn.unwrap_or_default();
        let start = self.problems.partition_point(|d| place(d) < turn);
        let end = self.problems.partition_point(|d| place(d) <= turn);
        &self.problems[start..end]
    }
}

impl Query {
    /// For each turn of the dialog, whether it matches.
    pub fn matches(&self, target: &Target<'_>) -> Matches {
        if self.has_variables() {
            return Solutions::any(self, target).matches;
        }
        let people = target.people();
        Matches {
            turns: self.matches_with(Place::of(&people, target.dialog), &mut |condition, place| {
                condition.turns(target, place)
            }),
            is_complete: true,
        }
    }

    /// Returns the kind of text that its parts side by side are restricted to: by `in:` among them, or else `within`.
    pub(super) fn restricted(parts: &[Self], within: Option<TextKind>) -> Option<TextKind> {
        let own = parts.iter().find_map(|part| match part {
            Self::Is(Condition::In(kind)) => Some(*kind),
            _ => None,
        });
        own.or(within)
    }

    /// True if it asks for the answers to calls.
    fn asks_answers(&self) -> bool {
        let mut asks = false;
        self.visit(&mut |condition| {
            asks |= matches!(condition, Condition::Response(_) | Condition::Failed(_));
        });
        asks
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
                let asked = first.asks_answers();
                let mut first = first.matches_with(place, turns_of);
                if let Some(dialog) = place.dialog.filter(|_| asked) {
                    first = at_answers(dialog, &first);
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

/// Returns the turns from which on the answers to the calls of turns are known, in place of these turns: calls that are
/// made at the same time come before that.
fn at_answers(dialog: &Dialog, turns: &[bool]) -> Vec<bool> {
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
    "variables may have too many values to try all in this dialog; more turns may match";

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

    /// True if what somebody said is meant.
    pub fn is_by(self, person: &str) -> bool {
        self.by.is_none_or(|by| by == person)
    }
}

impl Condition {
    /// For each turn, whether it meets the condition.
    pub(super) fn turns(&self, target: &Target<'_>, place: Place<'_>) -> Vec<bool> {
        match self {
            Self::Field(wanted) => return FieldLookup::of(wanted, target.dialog).turns,
            Self::Question(wanted) => return target.answered(wanted, place),
            _ => {}
        }
        (0..target.dialog.turns.len()).map(|turn| self.is_met(target, turn, place)).collect()
    }
}

impl Condition {
    /// True if the turn at this position meets the condition.
    fn is_met(&self, target: &Target<'_>, position: usize, place: Place<'_>) -> bool {
        let Target { dialog, source, .. } = target;
        let within = place.within;
        let turn = &dialog.turns[position];
        let tally = || Tally::of(&turn.votes);
        match self {
            Self::Text(pattern) => {
                let is_found = &mut |text: &str| pattern.is_in(text);
                is_read(target, position, within, InJson::Escaped, is_found)
            }
            Self::Regex(regex) => {
                let is_found = &mut |text: &str| regex.regex.is_match(text);
                is_read(target, position, within, InJson::Values, is_found)
            }
            Self::In(kind) => {
                let is_found = &mut |text: &str| !text.is_empty();
                is_read(target, position, Some(*kind), InJson::Escaped, is_found)
            }
            Self::Label(wanted) => has_label(turn, dialog.units, wanted),
            Self::Api(name) => turn.calls.iter().any(|call| name.matches(&call.name)),
            Self::Speaker(name) => is_of(turn, name),
            Self::Problem(rule) => {
                target.problems_of(position).iter().any(|problem| is_wanted(problem, rule))
            }
            Self::Argument(wanted) => {
                let mut calls = turn.calls.iter();
                calls.any(|call| is_in_arguments(wanted, call.arguments.as_ref()))
            }
            Self::Response(wanted) => {
                let mut calls = turn.calls.iter();
                calls.any(|call| is_in_answer(wanted, call))
            }
            Self::Failed(api) => {
                let mut calls = turn.calls.iter();
                calls.any(|call| is_failed(api.as_ref(), call))
            }
            Self::Act(name) => turn.acts.iter().any(|act| name.matches(&act.name)),
            Self::Slot(wanted) => {
                let mut lookup = Lookup::new(wanted);
                for slot in turn.acts.iter().flat_map(|act| &act.slots) {
                    match &slot.value {
                        Some(value) => {
                            each_of(&slot.slot, value, &mut |member| lookup.see(&member));
                        }
                        None => lookup.see(&Member { path: &slot.slot, value: "", is_open: false }),
                    }
                }
                lookup.is_met()
            }
            Self::State(wanted) => {
                let mut lookup = Lookup::new(wanted);
                for slot in turn.state.iter().flatten() {
                    each_of(&slot.slot, &slot.value, &mut |member| lookup.see(&member));
                }
                lookup.is_met()
            }
            Self::Intent(name) => turn.intents.iter().any(|intent| name.matches(intent)),
            Self::Service(name) => services(turn).any(|service| name.matches(service)),
            Self::Field(wanted) => FieldLookup::of(wanted, dialog).turns[position],
            Self::Annotator(name) => turn.votes.iter().any(|vote| name.matches(&vote.annotator)),
            Self::Majority(label) => tally().majority() == Some(*label),
            Self::Gold(label) => {
                let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
                gold == Some(*label)
            }
            Self::Tie => tally().tie().is_some(),
            Self::Judged
            | Self::Mine
            | Self::Question(_)
            | Self::Tag(_)
            | Self::Note(_)
            | Self::By(_) => self.is_judged(target, position, place),
            Self::Votes(label, number) => {
                let tally = tally();
                match label {
                    None => number.matches(f64::from(tally.total())),
                    // A turn that nobody has judged has no votes to compare.
                    Some(label) => {
                        tally.total() > 0 && number.matches(f64::from(tally.count(*label)))
                    }
                }
            }
            Self::Entropy(number) => tally().entropy().is_some_and(|bits| number.matches(bits)),
            Self::Turn(number) => {
                let index = turn.index.map_or(position as f64, f64::from);
                number.matches(index)
            }
            Self::Words(number) => number.matches(turn.text.split_whitespace().count() as f64),
            Self::Turns(number) => number.matches(dialog.turns.len() as f64),
            Self::Id(name) => name.matches(&dialog.id),
            Self::File(name) => name.matches(source.file),
            Self::Family(name) => name.matches(source.family),
            Self::Edited => source.edited,
            Self::Excluded => source.excluded,
        }
    }
}

/// The turns that `field:` finds in a dialog.
pub(super) struct FieldLookup {
    /// For each turn, whether it or the dialog has the member.
    turns: Vec<bool>,
    /// No turn has a member of its own that the name means.
    pub is_about_dialog: bool,
}

impl FieldLookup {
    /// Looks members up. What the name means is the same in all turns: the members with the closest names of the
    /// whole dialog.
    pub fn of(wanted: &NamedValue, dialog: &Dialog) -> Self {
        let look = |fields: &mut dyn Iterator<Item = &Field>| {
            let mut lookup = Lookup::new(wanted);
            each_of_fields(fields, &mut |member| lookup.see(&member));
            lookup
        };
        let whole = look(&mut dialog.fields.iter());
        let each: Vec<_> = dialog.turns.iter().map(|turn| look(&mut turn.all_fields())).collect();
        let all = each.iter().chain([&whole]);
        let closest: Option<Closeness> = all.filter_map(Lookup::closest).min();
        let is_met = |lookup: &Lookup<'_>| lookup.is_met() && lookup.closest() == closest;
        Self {
            turns: each.iter().map(|own| is_met(own) || is_met(&whole)).collect(),
            is_about_dialog: closest.is_none() || each.iter().all(|own| own.closest() != closest),
        }
    }
}

/// True if a text of a turn that people read meets `is_found`: of one kind, or of any.
fn is_read(
    target: &Target<'_>,
    position: usize,
    within: Option<TextKind>,
    json: InJson,
    is_found: &mut dyn FnMut(&str) -> bool,
) -> bool {
    let mut places = places(target, position, within);
    places.any(|place| any_text(target.dialog, position, place, json, is_found))
}

/// True for a call that failed, of this API if one is given.
pub(super) fn is_failed(api: Option<&NamePattern>, call: &ApiCall) -> bool {
    api.is_none_or(|api| api.matches(&call.name)) && call.has_failed()
}

/// True for a problem that `problem:rule` finds; without a rule, notes do not count.
pub(super) fn is_wanted(problem: &Diagnostic, rule: &str) -> bool {
    (problem.is_worth_changing() || !rule.is_empty()) && problem.rule.name.contains(rule)
}

/// True if the speaker of a turn has this name or role. Turns of the user that are set aside are answers and events.
fn is_of(turn: &Turn, wanted: &NamePattern) -> bool {
    let (named, role) = (&turn.speaker.name, turn.speaker.role);
    let is_aside = role == Role::Context && named == Role::User.name();
    wanted.matches(role.name()) || wanted.matches(named) && !is_aside
}

/// True if a segment has a label with this name and the text wanted, or an act the name if the turn has no segments.
fn has_label(turn: &Turn, units: Units, wanted: &NamedValue) -> bool {
    if turn.segments.is_empty() {
        let mut acts = turn.acts.iter();
        return wanted.value.is_none() && acts.any(|act| wanted.name.matches(&act.name));
    }
    labelled(turn, units, wanted).next().is_some()
}

/// Returns the positions of the segments that have a label with this name, and the text wanted.
pub(super) fn labelled<'t>(
    turn: &'t Turn,
    units: Units,
    wanted: &'t NamedValue,
) -> impl Iterator<Item = usize> {
    let segments = turn.segments.iter().enumerate();
    let named = segments.filter(|(_, segment)| {
        let mut labels = segment.labels.iter();
        labels.any(|label| wanted.name.matches(&label.name))
    });
    let wanted = named.filter(move |(_, segment)| {
        wanted.value.is_none()
            || wanted.is_value(&Member {
                path: wanted.name.as_str(),
                value: &text_of(turn, units, segment),
                is_open: false,
            })
    });
    wanted.map(|(number, _)| number)
}

/// Returns the text of a segment: that which the corpus quotes, or else that which the offsets cover.
pub(super) fn text_of(turn: &Turn, units: Units, segment: &Segment) -> Short {
    let covered = || segment.span.and_then(|span| turn.covered(span, units));
    let quote = segment.quote.clone();
    quote.or_else(covered).unwrap_or_default()
}

/// Returns the services of a turn's labels and state, as in `Hotels_1.area` and `hotel-area`.
pub(super) fn services(turn: &Turn) -> impl Iterator<Item = &str> {
    let labels = turn.segments.iter().flat_map(|segment| &segment.labels);
    let slots = turn.state.iter().flatten().map(|slot| slot.slot.as_str());
    let names = labels.map(|label| label.name.as_str()).chain(slots);
    names.filter_map(|name| Some(name.split_once(['.', '-'])?.0))
}
