//! Writes what calls have besides a name: arguments and responses. They have places of their own, which may be in a later
//! turn, and are written there. A call in the text of its turn is that text.

use super::compare::Change;
use super::leaves::Rule;
use super::{Result, Writer};
use crate::dialog::{ApiCall, CallPart, Dialog, Payload, Turn};
use crate::format::declared::description::{CallRule, Description, PayloadRule};
use crate::format::declared::forms::PlaceOr;
use crate::format::declared::place::Place;
use crate::format::declared::trail::{Found, Trail};
use crate::format::engine::edit::not_editable;
use crate::format::engine::values::{embed, written_payload};
use crate::json::{NodeKind, Value};

/// Gives a new call the form in which the calls of the description have their values.
pub fn complete(rules: &[CallRule], after: &mut Dialog, turn: usize) {
    let Some(rule) = rules.first() else {
        return;
    };
    let arguments = rule.arguments.as_ref();
    if arguments.is_some_and(|arguments| arguments.json().is_some()) {
        embed(after, turn, CallPart::Arguments);
    }
    if rule.response.as_ref().is_some_and(|response| response.json().is_some()) {
        embed(after, turn, CallPart::Response);
    }
    let call = after.turns.get_mut(turn).and_then(|turn| turn.calls.last_mut());
    let has_values =
        |payload: &Payload| !matches!(payload, Payload::Fields(fields) if fields.is_empty());
    if let Some(call) = call.filter(|_| arguments.is_none()) {
        call.arguments = call.arguments.take().filter(has_values);
    }
}

/// True if the calls in the text of a turn differ.
pub fn differ_in_text(Change { old, new }: Change<'_, Turn>) -> bool {
    fn in_text(turn: &Turn) -> impl Iterator<Item = &ApiCall> {
        turn.calls.iter().filter(|call| call.in_text)
    }
    !in_text(old).eq(in_text(new))
}

/// Refuses a new call whose form is not known.
pub fn may_be_new(description: &Description, rule: Rule) -> Result<()> {
    let refuse = |reason: &str| Err(not_editable("the call", &reason));
    match rule {
        Rule::Call(_) if description.call.0.len() > 1 => {
            refuse("the format has several kinds of calls")
        }
        Rule::Call(rule) if rule.id.is_some() || rule.when.is_some() || !rule.is.0.is_empty() => {
            refuse("its calls have ids or marks that only the corpus can give")
        }
        _ => Ok(()),
    }
}

/// Returns the response beside a call, in the object around it.
pub fn beside<'a>(rule: Rule, trail: &Trail<'a>) -> Option<Value<'a>> {
    let Rule::Call(rule) = rule else { return None };
    let response = rule.own_response().filter(|at| at.up == 1)?;
    trail.find_of(response, 1)
}

impl<'a> Writer<'a, '_> {
    /// Writes the arguments and the response of a call.
    pub fn values_of_call(
        &mut self,
        rule: &'static CallRule,
        trail: &Trail<'a>,
        Change { old, new }: Change<'_, ApiCall>,
    ) -> Result<()> {
        let arguments = rule.arguments.as_ref().map(PlaceOr::<PayloadRule>::at);
        self.payload(trail, arguments, [&old.arguments, &new.arguments])?;
        self.payload(trail, rule.own_response(), [&old.response, &new.response])
    }

    fn payload(
        &mut self,
        trail: &Trail<'a>,
        at: Option<&Place>,
        [old, new]: [&Option<Payload>; 2],
    ) -> Result<()> {
        let refuse = |reason| not_editable("the call", &reason);
        // A response is gone with its turn.
        let Some(new) = new.as_ref().filter(|new| old.as_ref() != Some(new)) else {
            return Ok(());
        };
        match (old, new) {
            (Some(Payload::Fields(old)), Payload::Fields(new)) => {
                let holder = at.filter(|at| !at.is_several()).and_then(|at| trail.find(at));
                self.fields(Change { old: &old[..], new }, holder.and_then(Found::value))
            }
            (Some(Payload::Embedded { at, .. } | Payload::Text { at, .. }), new) => {
                let text = self.editor.tree().value_at(at.start);
                let text = text.filter(|text| text.kind() == NodeKind::String).zip(new.text());
                let (text, new) = text.ok_or_else(|| refuse("it is not one text in the file"))?;
                self.splices.push(self.editor.set_string(text, new));
                Ok(())
            }
            (_, new) => {
                let at = at.ok_or_else(|| refuse("the format has no place for it"))?;
                self.splices.push(self.added(trail, at, "the call", written_payload(new))?);
                Ok(())
            }
        }
    }
}
