//! The leaves of turns, segments, acts, slots of the state and calls: what each has, and where its rule says that this
//! lies.
//!
//! They are functions of the model: offsets follow from the span and the text, in the unit of the description. Only how a
//! quote is spelled, and whether a slot has a list of values, is as it is in the text.

use std::sync::LazyLock;

use super::{Result, Writer};
use crate::dialog::{
    Act, ActSlot, ApiCall, CallPart, Content, EditError, EditValue, Extent, Payload, Segment,
    Short, StateSlot, Turn, Vote,
};
use crate::format::declared::description::{
    ActRule, CallRule, Description, PayloadRule, Quoted, ResponseRule, SpanRule, StateRule,
    TurnRule, VoteRule,
};
use crate::format::declared::forms::{Parts, PlaceOr};
use crate::format::declared::offsets;
use crate::format::declared::place::{Place, Step, Target};
use crate::format::declared::trail::{Found, Trail};
use crate::format::engine::edit::not_editable;
use crate::format::engine::values::written_payload;
use crate::json::{NewValue, NodeKind, decode};
use crate::text::Units;

/// A value that an element has at a place.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its name in refusals.
    pub called: &'static str,
    pub at: At,
    pub value: Val,
}

impl Leaf {
    /// True for another leaf of the same rule, at the same place, with the same value.
    pub fn is_same(&self, other: &Self) -> bool {
        self.called == other.called && self.value == other.value
    }
}

#[derive(Clone, Copy, Debug)]
pub enum At {
    Place(&'static Place),
    /// Several places whose texts are joined by dots.
    Joined(&'static Parts),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A text, which is a number where it was one.
    Text(String),
    /// A number, which is in a string where it was.
    Number(u32),
    /// A number in a string, which is a number where it was.
    Digits(u32),
    Value(Content),
    /// The elements of a list.
    List(Vec<Content>),
    /// The values of names.
    Map(Vec<(Short, Content)>),
    Payload(Payload),
}

impl Val {
    pub fn written(&self) -> NewValue {
        match self {
            Self::Text(text) => NewValue::String(text.clone()),
            Self::Number(number) => NewValue::Integer((*number).into()),
            Self::Digits(number) => NewValue::String(number.to_string()),
            Self::Value(value) => NewValue::from(value),
            Self::Payload(payload) => written_payload(payload),
            Self::List(values) => NewValue::Array(values.iter().map(NewValue::from).collect()),
            Self::Map(values) => {
                let member = |(name, value): &(Short, _)| (name.to_string(), NewValue::from(value));
                NewValue::Map(values.iter().map(member).collect())
            }
        }
    }

    /// Returns the values at a place: a list, or the only one. None if there is another number of them.
    fn at(at: &Place, mut values: Vec<Content>) -> Option<Self> {
        match values.len() {
            _ if at.is_several() => Some(Self::List(values)),
            1 => values.pop().map(Self::Value),
            _ => None,
        }
    }

    fn names<'n>(names: impl Iterator<Item = &'n Short>) -> Self {
        Self::List(names.cloned().map(Content::Text).collect())
    }
}

/// An element of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part<'t> {
    Segment(&'t Segment),
    Act(&'t Act),
    Slot(&'t StateSlot),
    Call(&'t ApiCall),
    Vote(&'t Vote),
}

/// A rule of the description for elements of turns.
#[derive(Clone, Copy)]
pub enum Rule {
    Segment(&'static SpanRule),
    Act(&'static ActRule),
    Slot(&'static StateRule),
    Call(&'static CallRule),
    Vote(&'static VoteRule),
}

/// The list of the elements of a rule.
#[derive(Clone, Copy)]
pub struct List {
    pub at: &'static Place,
    pub when: Option<&'static Place>,
    /// Whose turns have them, or that they belong to the turn before.
    pub of: Option<&'static str>,
    pub new: Option<&'static toml::Value>,
}

/// The example of elements that have no other members than their leaves.
static LEAVES_ONLY: LazyLock<toml::Value> =
    LazyLock::new(|| toml::Value::Table(toml::Table::new()));

/// The element itself.
static HERE: LazyLock<Place> = LazyLock::new(Place::here);

impl<'t> Part<'t> {
    /// Returns the parts of a turn, by their kinds. A call that is written in a text is none.
    pub fn kinds(turn: &'t Turn, is_in_text: impl Fn(&ApiCall) -> bool) -> [Vec<Self>; 5] {
        let calls = turn.calls.iter().filter(|call| !is_in_text(call));
        [
            turn.segments.iter().map(Self::Segment).collect(),
            turn.acts.iter().map(Self::Act).collect(),
            turn.state.iter().flatten().map(Self::Slot).collect(),
            calls.map(Self::Call).collect(),
            turn.votes.iter().map(Self::Vote).collect(),
        ]
    }

    pub fn at(self) -> Extent {
        match self {
            Self::Segment(segment) => segment.at,
            Self::Act(act) => act.at,
            Self::Slot(slot) => slot.at,
            Self::Call(call) => call.at,
            Self::Vote(vote) => vote.at,
        }
    }

    /// Returns how messages call it, and the rules by which it may have been read.
    pub fn rules(self, of: &'static Description) -> (&'static str, Vec<Rule>) {
        match self {
            Self::Segment(_) => ("the segment", of.span.0.iter().map(Rule::Segment).collect()),
            Self::Act(_) => ("the act", of.act.0.iter().map(Rule::Act).collect()),
            Self::Slot(_) => ("the slot", of.state.0.iter().map(Rule::Slot).collect()),
            Self::Call(_) => ("the call", of.call.0.iter().map(Rule::Call).collect()),
            Self::Vote(_) => ("the vote", of.vote.0.iter().map(Rule::Vote).collect()),
        }
    }
}

impl Rule {
    pub fn list(self) -> List {
        let (at, when, of, new) = match self {
            Self::Segment(SpanRule { at, when, of, new, .. })
            | Self::Act(ActRule { at, when, of, new, .. })
            | Self::Slot(StateRule { at, when, of, new, .. }) => (at, when, of, new.as_ref()),
            Self::Call(CallRule { at, when, of, .. }) => (at, when, of, Some(&*LEAVES_ONLY)),
            Self::Vote(VoteRule { at, .. }) => (at, &None, &None, Some(&*LEAVES_ONLY)),
        };
        List { at, when: when.as_ref(), of: of.as_deref(), new }
    }

    /// True if the element at the end of a way is one of this rule.
    pub fn fits(self, trail: &Trail<'_>) -> bool {
        match self {
            Self::Call(rule) => rule.is.holds(trail),
            _ => true,
        }
    }
}

fn leaf(called: &'static str, at: &'static Place, value: Val) -> Leaf {
    Leaf { called, at: At::Place(at), value }
}

fn named(called: &'static str, at: &'static Parts, name: &Short) -> Leaf {
    Leaf { called, at: At::Joined(at), value: Val::Text(name.to_string()) }
}

/// Returns the leaves of a turn but its text, as far as they have places.
pub fn of_turn(rule: &'static TurnRule, turn: &Turn) -> Vec<Leaf> {
    let text = rule.text.at();
    // The elements of the text may be the tokens.
    let is_text = |at: &&Place| at.up == text.up && at.steps == text.steps;
    let tokens = rule.tokens.as_ref().filter(|at| !is_text(at));
    let speaker = Val::Text(turn.speaker.name.to_string());
    let leaves = [
        rule.speaker.as_ref().map(|at| leaf("the speaker", at, speaker)),
        tokens.map(|at| leaf("the tokens", at, Val::names(turn.tokens.iter()))),
        rule.intents.as_ref().map(|at| leaf("the intents", at, Val::names(turn.intents.iter()))),
        rule.number
            .as_ref()
            .filter(|at| at.target == Target::Value)
            .zip(turn.index)
            .map(|(at, number)| leaf("the number of the turn", at, Val::Number(number))),
    ];
    leaves.into_iter().flatten().collect()
}

impl<'a> Writer<'a, '_> {
    /// Returns the leaves of a part of `turn` by a rule. It is at the end of `trail`, or is new.
    ///
    /// # Errors
    /// If the rule has no place for something that it has.
    pub fn leaves(
        &self,
        part: Part<'_>,
        rule: Rule,
        turn: &Turn,
        trail: Option<&Trail<'a>>,
    ) -> Result<Vec<Leaf>> {
        match (part, rule) {
            (Part::Segment(segment), Rule::Segment(own)) => {
                let is_text = own.digits && self.has_digits(own, trail);
                self.of_segment(own, segment, turn, is_text)
            }
            (Part::Act(act), Rule::Act(rule)) => self.of_act(rule, act, trail),
            (Part::Slot(slot), Rule::Slot(rule)) => self.of_slot(rule, slot, trail),
            (Part::Call(call), Rule::Call(rule)) => Ok(of_call(rule, call)),
            (Part::Vote(vote), Rule::Vote(rule)) => Ok(of_vote(rule, vote)),
            _ => Ok(Vec::new()),
        }
    }

    /// True if the offsets of a segment are in strings: those of its own, or else of another one, unless they are numbers.
    fn has_digits(&self, rule: &'static SpanRule, trail: Option<&Trail<'a>>) -> bool {
        let own = trail.cloned().or_else(|| self.like(Rule::Segment(rule).list()));
        let own = own.and_then(|own| own.find(&rule.start)).and_then(Found::value);
        own.is_none_or(|own| own.kind() == NodeKind::String)
    }

    fn of_segment(
        &self,
        rule: &'static SpanRule,
        segment: &Segment,
        turn: &Turn,
        has_digits: bool,
    ) -> Result<Vec<Leaf>> {
        let mut leaves = Vec::new();
        if let Some(span) = segment.span {
            let (start, end) = offsets::written(rule, span, turn);
            let number = |number: u32| {
                let in_text = segment.has_misspelled_span || has_digits;
                if in_text { Val::Digits(number) } else { Val::Number(number) }
            };
            leaves.push(leaf("start", &rule.start, number(start)));
            leaves.push(leaf("end", &rule.end, number(end)));
        }
        let quote = rule.quote.as_ref().zip(self.quote(rule, segment, turn));
        leaves.extend(quote.map(|(at, quote)| leaf("quote", at, quote)));
        let names = segment.labels.iter().map(|label| &label.name);
        leaves.push(match (rule.label.0.as_slice(), segment.labels.as_slice()) {
            ([list], _) if list.is_several() => leaf("label", list, Val::names(names)),
            (_, [only]) => named("label", &rule.label, &only.name),
            _ => return Err(EditError::OneLabel { family: &self.description.name }),
        });
        Ok(leaves)
    }

    /// Returns the quote of a segment. That of a new one is the text, unless it has an exact one. Half of a surrogate pair
    /// reads as U+FFFD, so a quote with one is copied from the text.
    fn quote(&self, rule: &SpanRule, segment: &Segment, turn: &Turn) -> Option<Val> {
        let is_own = segment.at.is_placed() || rule.quoted == Quoted::Exact;
        let own = segment.quote.as_ref().filter(|_| is_own).map(ToString::to_string);
        let covered = || match self.before.units {
            Units::Tokens(_) => Some(turn.tokens.get(segment.span?.range())?.join(" ")),
            units @ Units::CodePoints => turn.covered(segment.span?, units).map(Into::into),
        };
        let quote = own.or_else(|| covered().filter(|_| !segment.at.is_placed()))?;
        let spelled = || {
            let own = &self.elements[self.element_of(turn)?];
            let text = self.rule_of(own, turn).text_value(own)?;
            let is_text = text.kind() == NodeKind::String && self.before.units == Units::CodePoints;
            match self.editor.quote(text, segment.span.filter(|_| is_text)?.range()) {
                // The text may have moved.
                NewValue::Raw(raw) if decode(&raw[1..raw.len() - 1]) == quote => {
                    Some(Val::Value(Content::Raw(raw.into())))
                }
                _ => None,
            }
        };
        let spelled = quote.contains(char::REPLACEMENT_CHARACTER).then(spelled).flatten();
        Some(spelled.unwrap_or(Val::Text(quote)))
    }

    fn of_act(
        &self,
        rule: &'static ActRule,
        act: &Act,
        trail: Option<&Trail<'a>>,
    ) -> Result<Vec<Leaf>> {
        let mut leaves = vec![named("name", &rule.name, &act.name)];
        let slot = act.slots.first().map(|slot| slot.slot.clone()).unwrap_or_default();
        if let Some(slots) = &rule.slots {
            let value = |slot: &ActSlot| Some((slot.slot.clone(), slot.value.clone()?));
            let all: Vec<_> = act.slots.iter().filter_map(value).collect();
            let is_there = !all.is_empty() || act.at.is_placed();
            leaves.extend(is_there.then(|| leaf("slots", slots, Val::Map(all))));
            return Ok(leaves);
        }
        if act.slots.iter().any(|other| other.slot != slot) {
            return Err(EditError::OneSlot { family: &self.description.name });
        }
        let is_bare = trail.is_none() && slot.is_empty() && self.is_bare(rule);
        match &rule.slot {
            Some(_) if slot.is_empty() && (self.description.strict || is_bare) => {}
            Some(at) => leaves.push(leaf("slot", at, Val::Text(slot.to_string()))),
            None => {}
        }
        let values: Vec<_> = act.slots.iter().filter_map(|slot| slot.value.clone()).collect();
        let has_values = !values.is_empty();
        if has_values && rule.values.is_none() {
            return Err(not_editable("the act", &"this turn has no place for the value"));
        }
        let at = rule.values.as_ref().filter(|at| has_values || at.is_several() && !is_bare);
        let value = at.and_then(|at| Some((at, Val::at(at, values)?)));
        leaves.extend(value.map(|(at, value)| {
            let called = if at.is_several() { "values" } else { "value" };
            leaf(called, at, value)
        }));
        leaves.extend(self.canonical(rule, act, trail));
        Ok(leaves)
    }

    /// True if acts without a slot have no member for one: the first in the dialog, of any list with such acts.
    fn is_bare(&self, rule: &ActRule) -> bool {
        let place = |rule: &ActRule| rule.slot.as_ref().map(|at| at.text.clone());
        let mut first = None;
        for other in self.description.act.0.iter().filter(|other| place(other) == place(rule)) {
            self.each(Rule::Act(other).list(), &mut |trail| {
                let found = other.slot.as_ref().and_then(|at| trail.find(at));
                let has_none = found.is_none_or(|found| found.text().is_empty());
                first = first.or(has_none.then_some(found.is_none()));
            });
        }
        first == Some(true)
    }

    /// Some corpora have one value where others have lists: it is written as it is in the text, or in its neighbours.
    fn of_slot(
        &self,
        rule: &'static StateRule,
        slot: &StateSlot,
        trail: Option<&Trail<'a>>,
    ) -> Result<Vec<Leaf>> {
        let values: Vec<_> = match EditValue::of(&slot.value) {
            Some(EditValue::Several(values)) => values.iter().map(EditValue::content).collect(),
            // No value at all, in a list.
            Some(EditValue::Text(text)) if text.is_empty() => Vec::new(),
            _ => vec![slot.value.clone()],
        };
        let at = rule.values.as_ref().unwrap_or(&HERE);
        let is_list = at.steps == [Step::Elements];
        let whole = if is_list { &HERE } else { at };
        let there = trail.cloned().or_else(|| self.like(Rule::Slot(rule).list()));
        let is_array = there.map(|trail| {
            let value = trail.find(whole).and_then(Found::value);
            value.is_some_and(|value| value.kind() == NodeKind::Array)
        });
        let value = if is_list && (values.len() > 1 || is_array != Some(false)) {
            leaf("value", at, Val::List(values))
        } else if values.len() > 1 && is_array != Some(true) {
            // A list would be read well, too.
            return Err(not_editable("the state", &"a slot of this format has only one value"));
        } else {
            leaf("value", whole, Val::Value(slot.value.clone()))
        };
        Ok(vec![named("name", &rule.name, &slot.slot), value])
    }
}

/// Returns the number and the name of a call, and the values of a new one: those of others have places of their own in the
/// text.
fn of_call(rule: &'static CallRule, call: &ApiCall) -> Vec<Leaf> {
    let number = rule.number.as_ref().and_then(|at| {
        let own = call.fields.iter().find(|field| field.name == at.last_name())?;
        Some(leaf("the number", at, Val::Value(own.content.clone())))
    });
    let mut leaves: Vec<_> = number.into_iter().collect();
    leaves.push(named("name", &rule.name, &call.name));
    let arguments = rule.arguments.as_ref().map(PlaceOr::<PayloadRule>::at);
    let values = [(CallPart::Arguments, arguments), (CallPart::Response, rule.own_response())];
    for ((part, at), payload) in values.into_iter().zip([&call.arguments, &call.response]) {
        let new = payload.as_ref().zip(at).filter(|_| !call.at.is_placed());
        leaves
            .extend(new.map(|(payload, at)| leaf(part.name(), at, Val::Payload(payload.clone()))));
    }
    leaves
}

/// Returns the answer of a vote and its texts. A new one has all of them, and another one those that are there or said.
fn of_vote(rule: &'static VoteRule, vote: &Vote) -> Vec<Leaf> {
    let letter = vote.breakdown.map(|breakdown| breakdown.letter().into());
    let texts = [
        ("the annotator", &rule.annotator, Some(&vote.annotator)),
        ("the answer", &rule.answer, letter.as_ref()),
        ("the comment", &rule.comment, Some(&vote.comment)),
        ("the mark", &rule.ungrammatical, Some(&vote.ungrammatical)),
    ];
    let leaf = |(called, at, text): (_, &'static Option<Place>, Option<&Short>)| {
        Some(leaf(called, at.as_ref()?, Val::Text(text?.to_string())))
    };
    texts.into_iter().filter_map(leaf).collect()
}

impl CallRule {
    /// Returns the place of the response, unless that is in a later turn.
    pub fn own_response(&self) -> Option<&Place> {
        let response = self.response.as_ref().filter(|response| response.later().is_none());
        response.map(PlaceOr::<ResponseRule>::at)
    }
}
