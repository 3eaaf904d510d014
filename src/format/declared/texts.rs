//! The text of a turn: one value, or the elements of a list, which are joined.

use std::borrow::Cow;

use super::description::{ReasoningRule, TextRule, TurnRule};
use super::forms::PlaceOr;
use super::place::{Place, Step};
use super::trail::{Found, Trail};
use super::writer::Writer;
use crate::dialog::EditError;
use crate::format::engine::edit::not_editable;
use crate::json::{NewValue, NodeKind, Splice, Value};

impl PlaceOr<TextRule> {
    pub fn at(&self) -> &Place {
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

impl<'a> Writer<'a, '_> {
    /// Sets a text that is joined: tokens are those of the new text, and of other parts, such as sentences, one
    /// may change.
    ///
    /// # Errors
    /// If several parts would change, so that nothing says where one ends.
    pub fn set_joined_text(
        &self,
        trail: &Trail<'a>,
        rule: &TurnRule,
        text: &str,
    ) -> Result<Vec<Splice>, EditError> {
        let refuse = |reason: &str| not_editable("the text", &reason);
        let list = rule.text_value(trail);
        let list = list.filter(|list| list.kind() == NodeKind::Array);
        let list = list.ok_or_else(|| refuse("the list of its parts is not there"))?;
        let at = text_place(rule.text.at(), trail);
        let are_elements = at.is_one_list();
        let separator = rule.text.separator().unwrap_or(LINE);
        let values = if are_elements { list.elements().collect() } else { rule.spoken(at, trail) };
        let parts: Option<Vec<_>> = values.iter().map(|value| value.as_str()).collect();
        let parts = parts.ok_or_else(|| refuse("not all of its parts are texts"))?;
        if parts.is_empty() {
            if !are_elements {
                return Err(refuse("none of its parts is a text"));
            }
            let new = NewValue::String(text.to_owned());
            return Ok(vec![self.editor.insert(list, 0, &[new], None)]);
        }
        let is_part = |part: &Cow<'_, str>| !part.contains(separator);
        if are_elements && !separator.is_empty() && parts.iter().all(is_part) {
            let tokens: Vec<_> = text.split(separator).collect();
            return Ok(self.editor.set_strings(list, &tokens));
        }
        for (number, value) in values.into_iter().enumerate() {
            let (before, after) = (&parts[..number], &parts[number + 1..]);
            let mut rest = Some(text);
            for part in before {
                rest = rest.and_then(|rest| rest.strip_prefix(&**part)?.strip_prefix(separator));
            }
            for part in after.iter().rev() {
                rest = rest.and_then(|rest| rest.strip_suffix(&**part)?.strip_suffix(separator));
            }
            if let Some(new) = rest {
                return Ok(vec![self.editor.set_string(value, new)]);
            }
        }
        let reason = format!(
            "it is joined from `{at}`, and more than one of them would change; change one at a time"
        );
        Err(refuse(&reason))
    }
}
