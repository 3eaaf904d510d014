//! Writes calls through their places.

use super::description::CallRule;
use super::place::Place;
use super::trail::{Found, Trail};
use super::writer::{Writer, element};
use crate::dialog::{ApiCall, CallPart, Edit, EditError, EditValue, Field, Payload, Turn};
use crate::format::engine::edit::{not_editable, value_of};
use crate::format::engine::values::{remove_members, set_member, written};
use crate::format::families::chat::{answering, response_place};
use crate::json::{NewValue, NodeKind, Splice, Value};

/// The splices for an edit of calls.
///
/// # Errors
/// If a part has no place in the text.
pub fn write(writer: &Writer<'_, '_>) -> Result<Vec<Splice>, EditError> {
    let (turn, _) = writer.check.turns();
    writer.refuse_shared_response()?;
    match writer.check.edit {
        Edit::SetApi { call, name, .. } => {
            let (rule, trail) = writer.call(turn, &turn.calls[*call])?;
            writer.set_joined(&trail, &rule.name, "the API", name)
        }
        Edit::SetValue {
            call,
            part,
            name,
            value,
            ..
        } => writer.set_field(turn, &turn.calls[*call], *part, name, value),
        Edit::RenameValue {
            call,
            part,
            name,
            to,
            ..
        } => {
            let field = field_of(&turn.calls[*call], *part, name)?;
            let (object, key) = writer.member(field, *part)?;
            let to = match name.strip_prefix(key.as_str().unwrap_or_default().as_ref()) {
                // A field of one of several results has a number in the model only.
                Some(number) if !number.is_empty() => to.strip_suffix(number).ok_or_else(|| {
                    let reason = format!("the name of a value of this result ends in {number}");
                    not_editable(part.name(), &reason)
                })?,
                _ => to,
            };
            if object.get(to).is_some() && !key.is_text(to) {
                let reason = format!("there already is {to:?}");
                return Err(not_editable(part.name(), &reason));
            }
            Ok(vec![writer.editor.set_string(key, to)])
        }
        Edit::RemoveValue {
            call, part, name, ..
        } => {
            let field = field_of(&turn.calls[*call], *part, name)?;
            let (object, key) = writer.member(field, *part)?;
            let name = key.as_str().unwrap_or_default();
            Ok(remove_members(writer.editor, object, &[&name]))
        }
        Edit::SetJson {
            call, part, text, ..
        } => match payload_of(&turn.calls[*call], *part) {
            Some(Payload::Embedded { at, .. } | Payload::Text { at, .. }) => {
                let value = value_of(writer.editor, *at, part.name())?;
                let new = NewValue::String(text.clone());
                Ok(vec![writer.editor.replace(value, &new)])
            }
            _ => Err(not_editable(part.name(), &"the call has none")),
        },
        _ => Ok(Vec::new()),
    }
}

fn payload_of(call: &ApiCall, part: CallPart) -> Option<&Payload> {
    match part {
        CallPart::Arguments => call.arguments.as_ref(),
        CallPart::Response => call.response.as_ref(),
    }
}

fn field_of<'c>(call: &'c ApiCall, part: CallPart, name: &str) -> Result<&'c Field, EditError> {
    let fields = match payload_of(call, part) {
        Some(Payload::Fields(fields)) => fields.as_slice(),
        _ => &[],
    };
    let field = fields.iter().find(|field| field.name == name);
    field.ok_or_else(|| EditError::NoValue {
        part: part.name(),
        name: name.to_owned(),
    })
}

impl<'a> Writer<'a, '_> {
    /// Refuses to edit a response that is also the text of a turn, because segments or tokens count in it.
    fn refuse_shared_response(&self) -> Result<(), EditError> {
        let (before, after) = self.check.turns();
        let mut calls = before.calls.iter().zip(&after.calls);
        let changed = calls.find(|(before, after)| before.response != after.response);
        let at = changed.and_then(|(before, _)| response_place(before));
        let turns = &self.check.before.turns;
        let turn = at.and_then(|at| answering(turns, self.check.edit.turn(), at));
        match turn
            .filter(|turn| !turns[*turn].text.is_empty() && self.answered_by_text(*turn).is_some())
        {
            Some(turn) => Err(not_editable(
                CallPart::Response.name(),
                &format!("it is the text of turn {turn}, too, with segments or tokens"),
            )),
            None => Ok(()),
        }
    }

    /// The rule and the way by which a call was read.
    fn call(
        &self,
        turn: &Turn,
        call: &ApiCall,
    ) -> Result<(&'static CallRule, Trail<'a>), EditError> {
        let own = self.trail_of(turn)?;
        for rule in &self.description.call.0 {
            let at = (&rule.at, rule.when.as_ref());
            if let Some(trail) = element(&own, at, call.at.start) {
                return Ok((rule, trail));
            }
        }
        Err(not_editable("the call", &"it is not there"))
    }

    fn set_field(
        &self,
        turn: &Turn,
        call: &ApiCall,
        part: CallPart,
        name: &str,
        new: &EditValue,
    ) -> Result<Vec<Splice>, EditError> {
        if let Ok(field) = field_of(call, part, name) {
            let value = value_of(self.editor, field.at, part.name())?;
            return Ok(vec![self.editor.replace(value, &written(new))]);
        }
        let (rule, trail) = self.call(turn, call)?;
        let later = rule
            .response
            .as_ref()
            .filter(|response| response.later().is_some());
        let place = match (part, &rule.arguments, &rule.response) {
            (CallPart::Arguments, Some(arguments), _) => arguments.at(),
            (CallPart::Response, _, Some(response)) if later.is_none() => response.at(),
            _ => {
                let reason = "the format has no place for new values in it";
                return Err(not_editable(part.name(), &reason));
            }
        };
        let holders = holders(&trail, place);
        match holders.as_slice() {
            [] => {
                let object = NewValue::Object(vec![(name.to_owned(), written(new))]);
                Ok(vec![self.set_value(&trail, place, part.name(), &object)?])
            }
            [only] if only.kind() == NodeKind::Object => {
                Ok(vec![set_member(self.editor, *only, name, &written(new))?])
            }
            [_] => Err(not_editable(part.name(), &"it is not an object")),
            several => {
                let reason = format!("there are {} results", several.len());
                Err(not_editable(part.name(), &reason))
            }
        }
    }

    /// The object with a field, and the key of the field.
    fn member(&self, field: &Field, part: CallPart) -> Result<(Value<'a>, Value<'a>), EditError> {
        let value = value_of(self.editor, field.at, part.name())?;
        let parent = self
            .editor
            .parent(value)
            .filter(|p| p.kind() == NodeKind::Object);
        let member = parent.and_then(|object| {
            let mut members = object.members();
            let (key, _) = members.find(|(_, v)| v.range().start == value.range().start)?;
            Some((object, key))
        });
        member.ok_or_else(|| not_editable(part.name(), &"the value has no name"))
    }
}

/// The values at a place.
fn holders<'a>(trail: &Trail<'a>, place: &Place) -> Vec<Value<'a>> {
    let mut holders = Vec::new();
    if place.is_several() {
        trail
            .clone()
            .each(place, &mut |trail| holders.push(trail.here().value));
    } else {
        holders.extend(trail.find(place).and_then(Found::value));
    }
    holders
}
