//! Writes what calls have besides a name: arguments and responses. They have places of their own, which may be in a later
//! turn, and are written there. A call in the text of its turn is that text.

use super::leaves::{Rule, Val};
use super::{Around, Result, Writer};
use crate::dialog::{ApiCall, CallPart, Dialog, Extent, Payload};
use crate::format::declared::description::{CallRule, Description, PayloadRule};
use crate::format::declared::forms::PlaceOr;
use crate::format::declared::place::Place;
use crate::format::declared::texts::LINE;
use crate::format::declared::trail::{Found, Trail};
use crate::format::engine::compare::Change;
use crate::format::engine::edit::not_editable;
use crate::format::engine::values::embed;
use crate::format::families::homes;
use crate::format::texts;
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

/// Refuses a new call whose form is not known.
pub fn may_be_new(description: &Description, rule: Rule) -> Result<()> {
    let refuse = |reason: &str| Err(not_editable("the call", &reason));
    match rule {
        Rule::Call(_) if description.call.0.len() > 1 => {
            refuse("a new call could be of several kinds")
        }
        Rule::Call(rule) if rule.id.is_some() || rule.when.is_some() || !rule.is.0.is_empty() => {
            refuse("a new call would need an id or mark that turnwise cannot invent")
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
    /// True if a call is written in a text: that of its turn, or a string of its own.
    pub fn is_in_text(&self, call: &ApiCall) -> bool {
        let is_string = |at: Extent| {
            let value = self.editor.tree().value_at(at.start).filter(|_| at.is_placed());
            value.is_some_and(|value| value.kind() == NodeKind::String)
        };
        call.in_text || self.description.hooks.has_calls_in_texts && is_string(call.at)
    }

    /// Writes the calls of a turn that are the JSON of strings, and the responses to all that are in texts.
    pub fn calls_in_texts(&mut self, around: Around<'_>) {
        let [old, new] = [around.old, around.new].map(|turn| {
            let calls = turn.calls.iter().filter(|call| self.is_in_text(call));
            calls.collect::<Vec<_>>()
        });
        // A new text has new calls.
        if old.is_empty() || old == new || old.len() != new.len() {
            return;
        }
        let pairs: Vec<_> = old.iter().copied().zip(new.iter().copied()).collect();
        for pairs in pairs.chunk_by(|(one, _), (next, _)| one.at.start == next.at.start) {
            let is_changed = |(old, new): &(&ApiCall, &ApiCall)| {
                !old.in_text && (&old.name, &old.arguments) != (&new.name, &new.arguments)
            };
            let value = self.editor.tree().value_at(pairs[0].0.at.start);
            if let Some(value) = value.filter(|_| pairs.iter().any(is_changed)) {
                let [old, new]: [Vec<ApiCall>; 2] = [
                    pairs.iter().map(|(old, _)| (*old).clone()).collect(),
                    pairs.iter().map(|(_, new)| (*new).clone()).collect(),
                ];
                let text = value.as_str().unwrap_or_default();
                let text = texts::with_calls(&text, &old, &new);
                self.splices.extend(text.map(|text| self.editor.set_string(value, &text)));
            }
        }
        let trail = self.elements[around.element].clone();
        // Others follow from texts.
        let has_place = |(old, _): &(&ApiCall, &ApiCall)| old.response_place().is_some();
        for (old, new) in pairs.into_iter().filter(has_place) {
            self.response(around, &trail, None, Change { old, new });
        }
    }

    /// Writes the arguments and the response of a call.
    pub fn values_of_call(
        &mut self,
        around: Around<'_>,
        rule: &'static CallRule,
        trail: &Trail<'a>,
        change: Change<'_, ApiCall>,
    ) {
        let Change { old, new } = change;
        let arguments = rule.arguments.as_ref().map(PlaceOr::<PayloadRule>::at);
        self.payload(trail, arguments, [&old.arguments, &new.arguments], &|_, new| new.to_owned());
        self.response(around, trail, rule.own_response(), change);
    }

    /// Writes the response of a call, and the name that it gives the call.
    fn response(
        &mut self,
        around: Around<'_>,
        trail: &Trail<'a>,
        at: Option<&Place>,
        Change { old, new }: Change<'_, ApiCall>,
    ) {
        if let (Some(was), Some(name)) = (&old.answered_as, &new.answered_as)
            && was != name
        {
            let names = |holder: Value<'a>| holder.get(homes::NAME).filter(|own| own.is_text(was));
            let place = old.response_place().unwrap_or_default();
            let mut value = self.editor.tree().value_at(place.start);
            let own = std::iter::from_fn(|| {
                let here = value?;
                value = self.editor.parent(here);
                Some(here)
            });
            let own = { own }.find_map(names);
            self.splices.extend(own.map(|own| self.editor.set_string(own, name)));
        }
        let is_own = |call: &ApiCall| std::ptr::eq(call, old);
        let number = around.old.calls.iter().position(is_own).unwrap_or_default();
        // Texts may hold several responses.
        let may_share = self.description.hooks.has_calls_in_texts;
        self.payload(trail, at, [&old.response, &new.response], &|whole, new| {
            if may_share {
                texts::tags::with_answer(whole, around.old, number, new)
            } else {
                new.to_owned()
            }
        });
    }

    /// Writes arguments or a response. `put` puts a new text into that of the string which has it.
    fn payload(
        &mut self,
        trail: &Trail<'a>,
        at: Option<&Place>,
        [old, new]: [&Option<Payload>; 2],
        put: &dyn Fn(&str, &str) -> String,
    ) {
        // A response is gone with its turn.
        let Some(new) = new.as_ref().filter(|new| old.as_ref() != Some(new)) else {
            return;
        };
        match (old, new) {
            (Some(Payload::Fields(old)), Payload::Fields(new)) => {
                let holder = at.filter(|at| !at.is_several()).and_then(|at| trail.find(at));
                self.fields(Change { old: &old[..], new }, holder.and_then(Found::value));
            }
            (Some(Payload::Embedded { text: old, at } | Payload::Text { text: old, at }), new) => {
                let value = self.editor.tree().value_at(at.start).filter(|_| at.is_placed());
                let Some((new, value)) = new.text().zip(value) else { return };
                if let Some(whole) = value.as_str() {
                    self.splices.push(self.editor.set_string(value, &put(&whole, new)));
                    return;
                }
                let texts = self.description.hooks.texts.filter(|_| !old.is_empty());
                let texts = texts.map(|texts| self.editor.parent(value).map_or(Vec::new(), texts));
                self.joined(&texts.unwrap_or_default(), LINE, new);
            }
            (_, new) => {
                let Some(at) = at else { return };
                let here = trail.here().value;
                let other = self.editor.holder(at.last_name(), here);
                let other = other.and_then(|other| other.get(at.last_name()));
                let is_string = other.is_some_and(|other| other.kind() == NodeKind::String);
                // It would be read well, and not be as that of other calls.
                if !is_string || !matches!(new, Payload::Fields(_)) {
                    let new = Val::Payload(new.clone());
                    let splices = match trail.find(at).and_then(Found::value) {
                        Some(own) => self.replaced(own, &new).unwrap_or_default(),
                        None => self.added(trail, at, new.written()).into_iter().collect(),
                    };
                    self.splices.extend(splices);
                }
            }
        }
    }
}
