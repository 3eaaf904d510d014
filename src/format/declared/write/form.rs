//! The form of new elements: as the example of a rule, or with the members that its places name.

use super::leaves::{At, Leaf, List, Val};
use super::names::{Part, split};
use crate::format::declared::forms::Parts;
use crate::format::declared::place::{Place, Step, Target};
use crate::format::declared::trail::Trail;
use crate::json::NewValue;

/// A new element.
pub struct NewPart<'a> {
    /// How messages call it.
    pub what: &'static str,
    pub list: List,
    pub leaves: Vec<Leaf>,
    /// The first byte of the element that it goes before; it goes behind the others if none begins there.
    pub next: Option<u32>,
    /// One that shows its form.
    pub like: Option<Trail<'a>>,
}

/// A value of a new element.
struct Piece {
    /// The name of its leaf.
    called: &'static str,
    spot: Spot,
    value: NewValue,
}

/// The place of a value in a new element.
#[derive(Clone, Copy)]
enum Spot {
    Inside(&'static Place),
    /// It is the name of the element in the object around.
    Key,
    /// It is there already.
    Outside,
}

impl Spot {
    fn of(at: &'static Place, is_member: bool) -> Self {
        match (at.up, at.target) {
            (0, Target::Value) => Self::Inside(at),
            (0, Target::Key) if is_member && at.steps.is_empty() => Self::Key,
            _ => Self::Outside,
        }
    }
}

impl Leaf {
    /// Returns the name that it is, if it is joined.
    pub fn name(&self) -> Option<(&'static Parts, &str)> {
        match (self.at, &self.value) {
            (At::Joined(parts), Val::Text(name)) => Some((parts, name)),
            _ => None,
        }
    }

    /// Returns the pieces of a new element at the end of the way `inside`; None if its name does not fit there.
    fn pieces(&self, inside: &Trail<'_>, is_member: bool) -> Option<Vec<Piece>> {
        let (called, spot) = (self.called, |at| Spot::of(at, is_member));
        let (parts, name) = match (self.at, self.name()) {
            (_, Some(name)) => name,
            (At::Joined(_), None) => return None,
            (At::Place(at), None) => {
                let value = self.value.written();
                return Some(vec![Piece { called, spot: spot(at), value }]);
            }
        };
        let kinds = parts.0.iter().map(|at| match spot(at) {
            Spot::Outside => Part::Fixed(inside.text(at).to_string()),
            _ => Part::Own(None),
        });
        let texts = split(name, &kinds.collect::<Vec<_>>())?;
        let piece = |(at, text)| Piece { called, spot: spot(at), value: NewValue::String(text) };
        Some(parts.0.iter().zip(texts).map(piece).collect())
    }
}

impl NewPart<'_> {
    /// Returns the name that it has, if that is joined.
    pub fn name(&self) -> Option<(&'static Parts, &str)> {
        self.leaves.iter().find_map(Leaf::name)
    }

    /// Returns its key, if it is a member of an object, and its value, at the end of the way `inside`; None if it does not
    /// fit there.
    pub fn made(&self, inside: &Trail<'_>) -> Option<(Option<String>, NewValue)> {
        let is_member = self.list.at.steps.last() == Some(&Step::Members);
        let mut pieces = Vec::new();
        for leaf in &self.leaves {
            pieces.extend(leaf.pieces(inside, is_member)?);
        }
        let key = pieces.iter().find_map(|piece| match (piece.spot, &piece.value) {
            (Spot::Key, NewValue::String(key)) => Some(key.clone()),
            _ => None,
        });
        let value = self.built(pieces).filter(|_| !is_member || key.is_some())?;
        Some((key, value))
    }

    /// Returns its value: the example of the rule, with each piece at its place.
    fn built(&self, pieces: Vec<Piece>) -> Option<NewValue> {
        let example =
            self.list.new.map(as_new).filter(|example| *example != NewValue::Object(Vec::new()));
        let is_empty = example.is_none();
        let mut value = example.unwrap_or(NewValue::Null);
        for Piece { called, spot, value: piece } in pieces {
            let Spot::Inside(at) = spot else { continue };
            // Some corpora quote only a part of their segments.
            let in_others = || self.like.as_ref().is_some_and(|like| like.find(at).is_some());
            if called != "quote" || is_empty || has(&value, &at.steps) || in_others() {
                fill(&mut value, &at.steps, piece)?;
            }
        }
        Some(value)
    }
}

/// True if a new value has one at the end of a way.
fn has(value: &NewValue, steps: &[Step]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return true;
    };
    let inner = match (step, value) {
        (Step::Member(name), NewValue::Object(members)) => {
            members.iter().find(|(own, _)| own == name).map(|(_, value)| value)
        }
        (Step::Position(place), NewValue::Array(all)) => all.get(*place),
        _ => None,
    };
    inner.is_some_and(|inner| has(inner, rest))
}

/// Returns a value of a description as one of JSON.
fn as_new(value: &toml::Value) -> NewValue {
    match value {
        toml::Value::String(text) => NewValue::String(text.clone()),
        toml::Value::Integer(number) => NewValue::Integer(*number),
        toml::Value::Array(all) => NewValue::Array(all.iter().map(as_new).collect()),
        toml::Value::Table(members) => {
            NewValue::Object(members.iter().map(|(key, one)| (key.clone(), as_new(one))).collect())
        }
        other => NewValue::Raw(other.to_string()),
    }
}

/// Puts a value at the end of a way into a new one, with the objects and lists on the way; None if it has no place there.
pub fn fill(into: &mut NewValue, steps: &[Step], new: NewValue) -> Option<()> {
    let Some((step, rest)) = steps.split_first() else {
        *into = new;
        return Some(());
    };
    match (step, &mut *into) {
        (Step::Member(_), NewValue::Null) => *into = NewValue::Object(Vec::new()),
        (Step::Position(_), NewValue::Null) => *into = NewValue::Array(Vec::new()),
        _ => {}
    }
    match (step, into) {
        (Step::Member(name), NewValue::Object(members)) => {
            let place = members.iter().position(|(own, _)| own == name);
            let place = place.unwrap_or_else(|| {
                members.push((name.clone(), NewValue::Null));
                members.len() - 1
            });
            fill(&mut members[place].1, rest, new)
        }
        (Step::Position(place), NewValue::Array(all)) if *place <= all.len() => {
            all.extend((*place == all.len()).then_some(NewValue::Null));
            fill(&mut all[*place], rest, new)
        }
        (Step::Elements, into @ (NewValue::Null | NewValue::Array(_))) => {
            let values = match new {
                NewValue::Array(values) => values,
                one => vec![one],
            };
            let element = |value| {
                let mut element = NewValue::Null;
                fill(&mut element, rest, value).map(|()| element)
            };
            *into = NewValue::Array(values.into_iter().map(element).collect::<Option<_>>()?);
            Some(())
        }
        // The members of a new object, all at once.
        (Step::Members, into @ NewValue::Null) if rest.is_empty() => {
            *into = new;
            Some(())
        }
        _ => None,
    }
}
