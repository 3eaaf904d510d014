//! The text of a turn: one value, or the elements of a list, which are joined.

use std::borrow::Cow;

use super::description::{ReasoningRule, TextRule, TurnRule};
use super::forms::PlaceOr;
use super::place::{Place, Step};
use super::trail::{Found, Trail};
use crate::json::{NodeKind, Value};

impl PlaceOr<TextRule> {
    pub fn at(&self) -> &Place {
        match self {
            Self::Place(at) | Self::Table(TextRule { at, .. }) => at,
        }
    }

    pub fn at_mut(&mut self) -> &mut Place {
        match self {
            Self::Place(at) | Self::Table(TextRule { at, .. }) => at,
        }
    }

    /// Returns the text between its parts, if it has parts.
    pub fn separator(&self) -> Option<&str> {
        match self {
            Self::Place(_) => None,
            Self::Table(rule) => Some(&rule.separator),
        }
    }
}

/// The text between the parts of one, if the description says nothing else.
pub const LINE: &str = "\n";

/// Returns the place that has a text, of several.
pub fn text_place<'p>(at: &'p Place, trail: &Trail<'_>) -> &'p Place {
    let is_text = |place: &&Place| {
        let value = trail.find_only(place).and_then(Found::value);
        value.is_some_and(|value| value.kind() == NodeKind::String)
    };
    match at.or.as_slice() {
        [] => at,
        _ => at.all().find(is_text).unwrap_or(at),
    }
}

/// Returns the list with the parts of a text.
pub fn list_of_parts<'a>(place: &Place, trail: &Trail<'a>) -> Option<Value<'a>> {
    let last = place.steps.iter().rposition(Step::is_several)?;
    trail.find_of(place, last)
}

/// Returns the values at a place that are texts, also those that are not said, without the places that count if it does not exist.
pub fn parts_of_text<'a>(place: &Place, trail: &Trail<'a>) -> Vec<Value<'a>> {
    let mut parts = Vec::new();
    let steps = place.steps.len();
    trail.clone().each_of(place, steps, &mut |trail| {
        let value = trail.here().value;
        parts.extend((value.kind() == NodeKind::String).then_some(value));
    });
    parts
}

impl TurnRule {
    /// Returns the texts of a turn that are not said.
    pub fn reasoning<'a>(&self, trail: &Trail<'a>) -> Vec<Value<'a>> {
        let mut all = Vec::new();
        match &self.reasoning {
            None => {}
            Some(PlaceOr::Place(place)) => {
                (trail.clone()).each(place, &mut |trail| all.push(trail.here().value));
            }
            Some(PlaceOr::Table(ReasoningRule { inside, is, at })) => {
                trail.clone().each(inside, &mut |trail| {
                    let thought = trail.find(at).filter(|_| is.holds(trail));
                    all.extend(thought.and_then(Found::value));
                });
            }
        }
        all
    }

    /// Returns the values at a place of the text that are texts and no reasoning.
    pub fn spoken<'a>(&self, place: &Place, trail: &Trail<'a>) -> Vec<Value<'a>> {
        let mut all = parts_of_text(place, trail);
        if let Some(PlaceOr::Table(_)) = &self.reasoning {
            let thoughts = self.reasoning(trail);
            let start = |value: &Value<'_>| value.range().start;
            all.retain(|text| thoughts.binary_search_by_key(&start(text), start).is_err());
        }
        all
    }

    /// Returns the value that holds the text: a string, or the list of its parts.
    pub fn text_value<'a>(&self, trail: &Trail<'a>) -> Option<Value<'a>> {
        let at = text_place(self.text.at(), trail);
        if at.is_several() {
            list_of_parts(at, trail)
        } else {
            trail.find_only(at).and_then(Found::value)
        }
    }

    /// Returns the text in the `value` that holds it; None if there is none.
    pub fn text_in<'a>(&self, value: Value<'a>, trail: &Trail<'a>) -> Option<Cow<'a, str>> {
        let at = text_place(self.text.at(), trail);
        if !at.is_several() {
            // All of the element may be reasoning.
            let may_be_thought = matches!(self.reasoning, Some(PlaceOr::Table(_)));
            let is_thought = may_be_thought && self.spoken(at, trail).is_empty();
            return value.as_str().filter(|_| !is_thought);
        }
        let parts = self.spoken(at, trail).into_iter();
        let parts: Vec<_> = parts.filter_map(Value::as_str).collect();
        let separator = self.text.separator().unwrap_or(LINE);
        (value.kind() == NodeKind::Array).then(|| parts.join(separator).into())
    }
}
