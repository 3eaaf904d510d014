//! Writes texts, tokens and intents through their places.

use super::description::TurnRule;
use super::place::{Place, Step};
use super::texts::text_place;
use super::trail::{Found, Trail};
use super::writer::Writer;
use crate::dialog::{Edit, EditError, Short, Turn};
use crate::format::engine::edit::not_editable;
use crate::format::engine::read::extent;
use crate::format::families::chat::text_is_response;
use crate::format::families::reasoning_in_text::with_said;
use crate::json::{NewValue, NodeKind, Splice, Value};
use crate::text::MappedSpan;

/// Refuses a new text if something else has the old one.
fn refuse_shared(
    rule: &TurnRule,
    trail: &Trail<'_>,
    at: &Place,
    turn: &Turn,
) -> Result<(), EditError> {
    let refuse = |reason: String| Err(not_editable("the text", &reason));
    let here = trail.find_only(at).and_then(Found::value).map(extent);
    let mut calls = turn.calls.iter();
    if let Some(call) = calls.find(|call| here.is_some_and(|here| call.has_argument_at(here))) {
        return refuse(format!("it is an argument of {}, too", call.name));
    }
    let mut others = rule.text.at().all().filter(|place| *place != at);
    let is_same = |place: &&Place| {
        let value = trail.find_only(place).and_then(Found::value);
        value.is_some_and(|value| !turn.text.is_empty() && value.is_text(&turn.text))
    };
    match others.find(is_same) {
        Some(other) => refuse(format!("`{}` repeats it", other.first_text())),
        None => Ok(()),
    }
}

impl<'a> Writer<'a, '_> {
    pub fn set_text(&self) -> Result<Vec<Splice>, EditError> {
        let Edit::SetText { text, shrink, .. } = self.edited.edit else {
            return Ok(Vec::new());
        };
        let (before, after) = self.edited.turns();
        if let Some(opening) = self.opening(before) {
            return Ok(vec![self.replace(opening, text)]);
        }
        let trail = self.trail_of(before)?;
        let rule = self.rule_of(&trail, before);
        if let Some(reason) = &rule.read_only {
            return Err(not_editable("the text", reason));
        }
        if let Some(asked) = self.answered_by_text(self.edited.edit.turn()) {
            return Err(text_is_response(asked));
        }
        let at = text_place(rule.text.at(), &trail);
        let old = trail.find_only(at).and_then(Found::value).map(Value::kind);
        if let Some(kind @ (NodeKind::Array | NodeKind::Object)) = old.filter(|_| !at.is_several())
        {
            return Err(not_editable("the text", &format!("it is {}", kind.name())));
        }
        refuse_shared(rule, &trail, at, before)?;
        let whole = (rule.text_value(&trail)).and_then(|value| rule.text_in(value, &trail));
        let whole = whole.unwrap_or_default();
        let new = match rule.parted(&whole) {
            Some((name, _)) => rule.with_prefix(name, text),
            None => with_said(&whole, &before.text, text),
        };
        let mut splices = if at.is_several() {
            self.set_joined_text(&trail, rule, &new)?
        } else {
            vec![self.set(&trail, at, "the text", &new)?]
        };
        let is_text = |tokens: &Place| tokens.steps == at.steps && tokens.up == at.up;
        if rule.tokens.as_ref().is_some_and(|tokens| !is_text(tokens)) {
            splices.extend(self.set_tokens(&trail, before, after)?);
        }
        let moved = before.moved_by(text, *shrink, self.edited.before.units);
        let mut kept = after.segments.iter();
        let mut cut = Vec::new();
        for (segment, moved) in before.segments.iter().zip(&moved) {
            if *moved == Some(MappedSpan::Cut) {
                cut.push(self.segment(&trail, before, segment)?);
            } else if let Some(after_segment) = kept.next() {
                let (rule, element) = self.segment(&trail, before, segment)?;
                splices.extend(self.span(rule, &element, segment, after_segment, after)?);
            }
        }
        for rule in &self.description.span.0 {
            let own = cut.iter().filter(|(other, _)| std::ptr::eq(*other, rule));
            let own: Vec<_> = own.map(|(_, element)| element.clone()).collect();
            if !own.is_empty() {
                splices.extend(self.remove(&rule.at, &own)?);
            }
        }
        Ok(splices)
    }

    pub fn set_tokens(
        &self,
        trail: &Trail<'a>,
        before: &Turn,
        after: &Turn,
    ) -> Result<Vec<Splice>, EditError> {
        let Some(place) = &self.rule_of(trail, before).tokens else {
            let reason = "the words of the text are the tokens";
            return Err(not_editable("the tokens", &reason));
        };
        let tokens: Vec<_> = after.tokens.iter().map(Short::as_str).collect();
        let list = match place.steps.split_last() {
            Some((Step::Elements, list)) => trail.find_of(place, list.len()),
            _ => None,
        };
        let list = list.filter(|list| list.kind() == NodeKind::Array);
        let list = list.ok_or_else(|| not_editable("the tokens", &"they are not in an array"))?;
        if list.elements().next().is_none() {
            let new: Vec<_> = tokens.iter().map(|t| NewValue::String((*t).to_owned())).collect();
            return Ok(vec![self.editor.insert(list, 0, &new, None)]);
        }
        Ok(self.editor.set_strings(list, &tokens))
    }

    pub fn set_intents(&self) -> Result<Vec<Splice>, EditError> {
        let Edit::SetIntents { intents, .. } = self.edited.edit else {
            return Ok(Vec::new());
        };
        let (before, _) = self.edited.turns();
        let mut trail = self.trail_of(before)?;
        let rule = self.rule_of(&trail, before);
        let Some(place) = &rule.intents else {
            return Err(not_editable("the intents", &"this turn has no place for them"));
        };
        let mut values = Vec::new();
        trail.each(place, &mut |trail| values.push(trail.here().value));
        if values.len() == intents.len() {
            let changed = values.iter().zip(intents).filter(|(v, new)| !v.is_text(new));
            return Ok(changed.map(|(value, new)| self.replace(*value, new)).collect());
        }
        let list = match place.steps.split_last() {
            Some((Step::Elements, list)) => trail.find_of(place, list.len()),
            _ => None,
        };
        let Some(list) =
            list.filter(|_| place.steps.iter().filter(|s| s.is_several()).count() == 1)
        else {
            let reason = format!("each `{place}` holds one, and none can be added or removed");
            return Err(not_editable("the intents", &reason));
        };
        let new: Vec<_> = intents.iter().map(String::as_str).collect();
        if values.is_empty() {
            let new: Vec<_> = intents.iter().cloned().map(NewValue::String).collect();
            return Ok(vec![self.editor.insert(list, 0, &new, None)]);
        }
        Ok(self.editor.set_strings(list, &new))
    }
}
