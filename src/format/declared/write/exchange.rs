//! Adds and removes turns that share an element with others: what the system says, and the user's answer.
//!
//! Each has members of its own there: those with its text, and the lists that are `of` its speaker. What is left of the
//! element, such as the state after the answer, belongs to the last turn.

use super::form::fill;
use super::leaves::{At, Leaf, Rule, Val, of_turn};
use super::turns::{no_place, refuse};
use super::{Result, Writer};
use crate::dialog::{Dialog, Turn};
use crate::format::declared::description::{Description, TurnRule};
use crate::format::declared::place::{Place, Step};
use crate::json::{NewValue, Value};

impl Description {
    /// Returns the lists of segments and acts that belong to the turns of a speaker in an element with several.
    fn lists_of(&'static self, speaker: &str) -> impl Iterator<Item = &'static Place> {
        let spans = self.span.0.iter().map(Rule::Segment);
        let lists = spans.chain(self.act.0.iter().map(Rule::Act)).map(Rule::list);
        lists.filter(move |list| list.of == Some(speaker)).map(|list| list.at)
    }
}

impl TurnRule {
    /// Returns the name of the speaker of all its turns, in an element with several.
    fn speaks(&self) -> &str {
        self.alternate.first().map_or("", String::as_str)
    }
}

impl<'a> Writer<'a, '_> {
    /// Removes the members of a turn, whose element keeps another one.
    pub fn remove_side(&mut self, element: Value<'a>, turn: &Turn) -> Result<()> {
        let (_, rule) = self.side(&turn.speaker.name)?;
        let leaves = [Some(rule.text.at()), rule.tokens.as_ref(), rule.intents.as_ref()];
        let lists = self.description.lists_of(rule.speaks());
        let states = self.description.state.0.iter().map(Rule::Slot).map(Rule::list);
        let states = states.filter(|list| list.of == Some(rule.speaks())).map(|list| list.at);
        let places = leaves.into_iter().flatten().chain(lists).chain(states);
        let keys: Vec<_> = places.filter_map(member).collect();
        let own = element.members().filter(|(key, _)| keys.iter().any(|own| key.is_text(own)));
        self.remove(own.map(|(_, value)| value).collect());
        Ok(())
    }

    /// Adds the turn at a position of the new dialog: to the element of the turn behind it or before it, if that has none
    /// of its speaker, or as an element of its own.
    pub fn add_side(&mut self, after: &Dialog, position: usize) -> Result<()> {
        let (earlier, new) = after.turns.split_at(position);
        let Some((turn, later)) = new.split_first() else { return Ok(()) };
        let (place, rule) = self.side(&turn.speaker.name)?;
        let (last, next) = (earlier.last(), later.first());
        if last.zip(next).is_some_and(|(last, next)| last.is_in_exchange_of(next)) {
            return Err(refuse("it would come between the two turns of an exchange"));
        }
        let mut members = new_side(self.description, rule, turn)?;
        let place_of = |other: &Turn| self.side(&other.speaker.name).ok().map(|(own, _)| own);
        let behind = next.filter(|next| place_of(next).is_some_and(|own| own > place));
        let before = last.filter(|last| place_of(last).is_some_and(|own| own < place));
        let around = behind.or(before).and_then(|other| self.element_of(other));
        let answer = self.description.turn.0.get(place + 1).filter(|_| self.description.strict);
        if let (None, Some(answer)) = (around, answer) {
            let (name, next) = (rule.speaks(), answer.speaks());
            return Err(refuse(&format!("before each turn of {next}, {name} may speak only once")));
        }
        let next = later.iter().find_map(|next| self.element_of(next));
        let element = around.or(next).unwrap_or(self.elements.len());
        let state = turn.state.as_ref().and_then(|_| self.state_before(element));
        members.extend(state);
        if around.is_some() {
            let element = self.elements[element].here().value;
            let like = members.first().and_then(|(key, _)| self.editor.holder(key, element));
            members.sort_by_cached_key(|(key, _)| {
                let mut keys = like.into_iter().flat_map(Value::members);
                keys.position(|(own, _)| own.is_text(key))
            });
            for (key, value) in members {
                let added = self.add_member(element, &key, &value, like);
                self.splices.extend(added);
            }
            return Ok(());
        }
        let (list, index) = self.place_of_turn(element)?;
        let new = NewValue::Object(members);
        self.splices.push(self.editor.insert(list, index, &[new], None));
        Ok(())
    }

    /// Returns the rule of a speaker's turns, and its position.
    fn side(&self, speaker: &str) -> Result<(usize, &'static TurnRule)> {
        let mut rules = self.description.turn.0.iter().enumerate();
        rules.find(|(_, rule)| rule.speaks() == speaker).ok_or_else(|| {
            let names = self.description.turn.0.iter().map(|rule| format!("{:?}", rule.speaks()));
            let names: Vec<_> = names.collect();
            refuse(&format!("{speaker:?} is not one of the speakers {}", names.join(", ")))
        })
    }

    /// Returns the member with the state that holds before an element; an empty one if there is none before it.
    fn state_before(&self, element: usize) -> Option<(String, NewValue)> {
        let at = &self.description.state.0.first()?.at;
        let key = member(at)?;
        let mut earlier = self.elements[..element].iter().rev();
        let earlier = earlier.find_map(|trail| trail.here().value.get(key));
        let state =
            earlier.map_or_else(|| empty(at), |state| NewValue::Raw(state.raw().to_owned()));
        Some((key.to_owned(), state))
    }
}

/// Returns the member of the element that a place leads into.
fn member(at: &Place) -> Option<&str> {
    match at.steps.first()? {
        Step::Member(name) if at.up == 0 => Some(name),
        _ => None,
    }
}

/// Returns the members of a new turn: its text, what else it has, and its lists, which are empty.
fn new_side(
    description: &'static Description,
    rule: &'static TurnRule,
    turn: &Turn,
) -> Result<Vec<(String, NewValue)>> {
    let mut new = NewValue::Object(Vec::new());
    let mut put = |at: &Place, value| fill(&mut new, &at.steps, value).ok_or_else(|| no_place(at));
    put(rule.text.at(), NewValue::String(turn.text.clone()))?;
    for Leaf { at, value, .. } in of_turn(rule, turn) {
        if let (At::Place(at), false) = (at, value == Val::List(Vec::new())) {
            put(at, value.written())?;
        }
    }
    for at in description.lists_of(rule.speaks()) {
        put(at, empty(at))?;
    }
    match new {
        NewValue::Object(members) => Ok(members),
        _ => Err(no_place(rule.text.at())),
    }
}

/// Returns the empty list or object at a place of elements.
fn empty(at: &Place) -> NewValue {
    match at.steps.last() {
        Some(Step::Members) => NewValue::Map(Vec::new()),
        _ => NewValue::Array(Vec::new()),
    }
}
