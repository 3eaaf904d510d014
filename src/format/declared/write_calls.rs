//! Writes calls through their places.

use super::description::{CallRule, PayloadRule};
use super::forms::PlaceOr;
use super::place::{Place, Step, Target};
use super::trail::{Found, Trail};
use super::writer::{Writer, check_kind, element, is_of};
use crate::dialog::{
    ApiCall, CallPart, Content, Dialog, Edit, EditError, EditValue, Field, Nested, Payload, Turn,
};
use crate::format::engine::edit::{not_editable, value_of};
use crate::format::engine::read::extent;
use crate::format::engine::values::{embed, remove_members, set_member, written, written_payload};
use crate::format::families::chat::answering;
use crate::json::{NewValue, NodeKind, Splice, Value};

/// Returns the splices for an edit of calls.
///
/// # Errors
/// If a part has no place in the text.
pub fn write(writer: &Writer<'_, '_>) -> Result<Vec<Splice>, EditError> {
    let (turn, after) = writer.edited.turns();
    writer.refuse_shared_response()?;
    let mut calls = turn.calls.iter().enumerate().filter(|(_, call)| call.in_text);
    if calls.any(|(number, call)| after.calls.get(number) != Some(call)) {
        return Err(not_editable("the call", &"it is written in the text; edit the text"));
    }
    match writer.edited.edit {
        Edit::SetApi { call, name, .. } => {
            let (rule, trail) = writer.call(turn, &turn.calls[*call])?;
            for place in &rule.name.0 {
                check_kind(&rule.is, place, "the API", name)?;
            }
            writer.set_joined(&trail, &rule.name, "the API", name)
        }
        Edit::SetValue { call, part, name, value, .. } => {
            writer.set_field(turn, &turn.calls[*call], *part, name, value)
        }
        Edit::RenameValue { call, part, name, to, .. } => {
            let field = field_of(&turn.calls[*call], *part, name)?;
            writer.refuse_whole(turn, &turn.calls[*call], *part, field)?;
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
        Edit::RemoveValue { call, part, name, .. } => {
            let field = field_of(&turn.calls[*call], *part, name)?;
            writer.refuse_whole(turn, &turn.calls[*call], *part, field)?;
            let (object, key) = writer.member(field, *part)?;
            let name = key.as_str().unwrap_or_default();
            Ok(remove_members(writer.editor, object, &[&name]))
        }
        Edit::SetJson { call, part, text, .. } => match payload_of(&turn.calls[*call], *part) {
            Some(Payload::Embedded { at, .. } | Payload::Text { at, .. }) => {
                let value = value_of(writer.editor, *at, part.name())?;
                if value.kind() != NodeKind::String {
                    let reason = "it is not one text in the file";
                    return Err(not_editable(part.name(), &reason));
                }
                let new = NewValue::String(text.clone());
                Ok(vec![writer.editor.replace(value, &new)])
            }
            _ => Err(not_editable(part.name(), &"the call has none")),
        },
        Edit::AddCall { .. } => writer.add_call(),
        Edit::RemoveCall { call, .. } => writer.remove_call(turn, &turn.calls[*call]),
        _ => Ok(Vec::new()),
    }
}

/// Gives a new call the form in which the calls of the description have their values.
pub fn complete(rules: &[CallRule], after: &mut Dialog, turn: usize) {
    let Some(rule) = rules.first() else {
        return;
    };
    let arguments = rule.arguments.as_ref();
    if arguments.is_some_and(|arguments| arguments.json().is_some()) {
        embed(after, turn, CallPart::Arguments);
    }
    let response = rule.response.as_ref();
    if response.is_some_and(|response| response.json().is_some()) {
        embed(after, turn, CallPart::Response);
    }
    let call = after.turns.get_mut(turn).and_then(|turn| turn.calls.last_mut());
    let is_empty =
        |payload: &Payload| matches!(payload, Payload::Fields(fields) if fields.is_empty());
    if let Some(call) = call.filter(|_| arguments.is_none()) {
        call.arguments = call.arguments.take().filter(|arguments| !is_empty(arguments));
    }
}

/// Returns the names of the members on a place that leads down through objects only; None for any other place.
fn names_on(place: &Place, steps: &[Step]) -> Option<Vec<String>> {
    let name = |step: &Step| match step {
        Step::Member(name) => Some(name.clone()),
        _ => None,
    };
    let is_plain = place.target == Target::Value && !steps.is_empty();
    steps.iter().map(name).collect::<Option<_>>().filter(|_| is_plain)
}

/// Puts a value at the end of a path of names.
fn put(members: &mut Vec<(String, NewValue)>, names: &[String], new: NewValue) {
    let [name, rest @ ..] = names else {
        return;
    };
    if rest.is_empty() {
        members.push((name.clone(), new));
        return;
    }
    let known = members.iter().position(|(key, _)| key == name);
    let at = known.unwrap_or_else(|| {
        members.push((name.clone(), NewValue::Object(Vec::new())));
        members.len() - 1
    });
    if let NewValue::Object(inner) = &mut members[at].1 {
        put(inner, rest, new);
    }
}

/// Returns the response of a call beside it, in the object around: the name of its member, and whether that is
/// a list.
fn beside(rule: &CallRule) -> Option<(&str, bool)> {
    let at = rule.response.as_ref()?.at();
    match (at.up, at.steps.as_slice(), rule.at.steps.last()?) {
        (1, [Step::Member(name)], Step::Member(_)) => Some((name, false)),
        (1, [Step::Member(name), Step::Elements], Step::Member(_)) => Some((name, true)),
        _ => None,
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
    field.ok_or_else(|| EditError::NoValue { part: part.name(), name: name.to_owned() })
}

impl<'a> Writer<'a, '_> {
    /// Refuses to edit a response that is also the text of a turn, because segments or tokens count in it.
    fn refuse_shared_response(&self) -> Result<(), EditError> {
        let (before, after) = self.edited.turns();
        let mut calls = before.calls.iter().zip(&after.calls);
        let changed = calls.find(|(before, after)| before.response != after.response);
        let at = changed.and_then(|(before, _)| before.response_place());
        let turns = &self.edited.before.turns;
        let turn = at.and_then(|at| answering(turns, self.edited.edit.turn(), at));
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

    /// Returns the rule and the way by which a call was read.
    fn call(
        &self,
        turn: &Turn,
        call: &ApiCall,
    ) -> Result<(&'static CallRule, Trail<'a>), EditError> {
        let own = self.trail_of(turn)?;
        for rule in &self.description.call.0 {
            if let Some(trail) = element(&own, &rule.at, rule.when.as_ref(), call.at.start)
                && rule.is.holds(&trail)
            {
                return Ok((rule, trail));
            }
        }
        Err(not_editable("the call", &"it is not there"))
    }

    /// Refuses to rename or remove what is all of the arguments, such as a text, because its name is that of the place.
    fn refuse_whole(
        &self,
        turn: &Turn,
        call: &ApiCall,
        part: CallPart,
        field: &Field,
    ) -> Result<(), EditError> {
        let (rule, trail) = self.call(turn, call)?;
        let place = rule.arguments.as_ref().map(PlaceOr::<PayloadRule>::at);
        let whole = place.and_then(|place| trail.find(place)?.value());
        let is_it = whole.is_some_and(|whole| extent(whole).start == field.at.start);
        if part == CallPart::Arguments && is_it {
            return Err(not_editable(part.name(), &"it is all of them"));
        }
        Ok(())
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
            let own = self.trail_of(turn)?;
            let text = self.rule_of(&own, turn).text_value(&own);
            if part == CallPart::Arguments
                && text.is_some_and(|text| extent(text).start == field.at.start)
            {
                let reason = "it is the text of the turn, too";
                return Err(not_editable(part.name(), &reason));
            }
            let value = value_of(self.editor, field.at, part.name())?;
            return Ok(vec![self.editor.replace(value, &written(new))]);
        }
        let container = |name: &str| {
            let is_one = |field: &&Field| match &field.content {
                Content::Raw(raw) => raw.starts_with(['[', '{']),
                Content::Text(_) => false,
            };
            field_of(call, part, name).ok().filter(is_one)
        };
        let nested = Nested::of(name, |name| container(name).is_some());
        if let Some((nested, field)) = nested.and_then(|own| Some((own, container(own.member)?))) {
            let member = value_of(self.editor, field.at, part.name())?;
            let value = nested.value(member)?;
            return Ok(vec![self.editor.replace(value, &written(new))]);
        }
        let (rule, trail) = self.call(turn, call)?;
        let later = rule.response.as_ref().filter(|response| response.later().is_some());
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

    /// Adds a call where the turn has one place for it.
    fn add_call(&self) -> Result<Vec<Splice>, EditError> {
        let (before, after) = self.edited.turns();
        let refused = |reason: &str| not_editable("the call", &reason);
        let Some(call) = after.calls.last() else {
            return Ok(Vec::new());
        };
        let [rule] = self.description.call.0.as_slice() else {
            return Err(refused("the format has several kinds of calls"));
        };
        if !is_of(rule.of.as_deref(), before) || !self.is_last_of_element(rule, before) {
            return Err(refused("the format has no calls in such turns"));
        }
        if rule.id.is_some() || rule.when.is_some() || !rule.is.0.is_empty() {
            return Err(refused("its calls have ids or marks that only the corpus can give"));
        }
        let no_place = || refused("the format has no place for a new one");
        let own = self.trail_of(before)?;
        let (last, above) = rule.at.steps.split_last().ok_or_else(no_place)?;
        let mut holders = Vec::new();
        own.clone().each_of(&rule.at, above.len(), &mut |trail| {
            holders.push(trail.here().value);
        });
        if holders.len() > 1 {
            let reason = format!("the turn has {} places for calls", holders.len());
            return Err(refused(&reason));
        }
        let (object, response) = new_object(rule, call)?;
        let holder = holders.first().copied();
        let mut splices = match (last, holder) {
            (Step::Member(name), Some(holder)) if holder.kind() == NodeKind::Object => {
                if holder.get(name).is_some() {
                    return Err(refused("the turn already has one, and there is room for one"));
                }
                let like = self.editor.holder(name, holder);
                vec![self.editor.add_member(holder, name, &object, like)]
            }
            (Step::Elements, Some(list)) if list.kind() == NodeKind::Array => {
                let like = self.editor.namesake(rule.at.last_name(), list);
                vec![self.editor.insert(list, usize::MAX, &[object], like)]
            }
            (Step::Elements, None) => {
                let list = Place { steps: above.to_vec(), ..rule.at.clone() };
                vec![self.set_value(&own, &list, "the call", &NewValue::Array(vec![object]))?]
            }
            _ => return Err(no_place()),
        };
        let Some(((name, _), holder)) = beside(rule).zip(holder) else {
            return Ok(splices);
        };
        if holder.get(name).is_some() {
            return Err(refused("the turn already has the response of a call"));
        }
        if let Some(response) = response {
            let like = self.editor.holder(name, holder);
            let added = self.editor.add_member(holder, name, &response, like);
            match splices.iter_mut().find(|other| other.range == added.range) {
                // Both are added at one place.
                Some(other) if other.range.is_empty() => other.text += &added.text,
                Some(_) => return Err(no_place()),
                None => splices.push(added),
            }
        }
        Ok(splices)
    }

    /// True unless the calls of the element of a turn belong to a later turn of the element.
    fn is_last_of_element(&self, rule: &CallRule, turn: &Turn) -> bool {
        let mut turns = self.edited.before.turns.iter().rev();
        let last = turns.find(|other| other.whole().start == turn.whole().start);
        rule.of.is_some() || last.is_none_or(|last| last.at.start == turn.at.start)
    }

    /// Removes a call, with its response if that is in the same turn.
    fn remove_call(&self, turn: &Turn, call: &ApiCall) -> Result<Vec<Splice>, EditError> {
        let (rule, trail) = self.call(turn, call)?;
        let refused = |reason: &str| Err(not_editable("the call", &reason));
        let asked = self.edited.edit.turn();
        let place = call.response_place();
        if let Some(answer) = place.and_then(|at| answering(&self.edited.before.turns, asked, at)) {
            return refused(&format!("turn {answer} is its response, which would answer nothing"));
        }
        let response = rule.response.as_ref().filter(|_| call.response.is_some());
        let is_apart = response.is_some_and(|response| response.at().up > 0);
        let beside = beside(rule).map(|(name, _)| name);
        if is_apart && beside.is_none() {
            return refused("its response is shared with other elements");
        }
        let Some(Step::Member(name)) = rule.at.steps.last() else {
            return self.remove(&rule.at, &[trail]);
        };
        match trail.parent().map(|stop| stop.value) {
            Some(holder) if holder.kind() == NodeKind::Object => {
                let mut names = vec![name.as_str()];
                names.extend(beside.filter(|_| is_apart));
                Ok(remove_members(self.editor, holder, &names))
            }
            _ => refused("it is not in an object"),
        }
    }

    /// Returns the object with a field, and the key of the field.
    fn member(&self, field: &Field, part: CallPart) -> Result<(Value<'a>, Value<'a>), EditError> {
        let value = value_of(self.editor, field.at, part.name())?;
        let parent = self.editor.parent(value).filter(|p| p.kind() == NodeKind::Object);
        let member = parent.and_then(|object| {
            let mut members = object.members();
            let (key, _) = members.find(|(_, v)| v.range().start == value.range().start)?;
            Some((object, key))
        });
        member.ok_or_else(|| not_editable(part.name(), &"the value has no name"))
    }
}

/// Returns the object for a new call, and its response if that is beside it.
fn new_object(rule: &CallRule, call: &ApiCall) -> Result<(NewValue, Option<NewValue>), EditError> {
    let no_place = |what: &'static str| not_editable(what, &"the format has no place for it");
    let mut members = Vec::new();
    let inside = |place: &Place| {
        let is_inside = place.up == 0;
        names_on(place, &place.steps).filter(|_| is_inside)
    };
    let [name] = rule.name.0.as_slice() else {
        return Err(not_editable("the API", &"its name is joined from several places"));
    };
    let names = inside(name).ok_or_else(|| no_place("the API"))?;
    put(&mut members, &names, NewValue::String(call.name.to_string()));
    if let Some(arguments) = &call.arguments {
        let part = CallPart::Arguments.name();
        let place = rule.arguments.as_ref().ok_or_else(|| no_place(part))?;
        let names = inside(place.at()).ok_or_else(|| no_place(part))?;
        put(&mut members, &names, written_payload(arguments));
    }
    let Some(response) = &call.response else {
        return Ok((NewValue::Object(members), None));
    };
    let part = CallPart::Response.name();
    let place = rule.response.as_ref().ok_or_else(|| no_place(part))?;
    if place.later().is_some() {
        return Err(not_editable(part, &"it would be a turn of its own"));
    }
    let new = written_payload(response);
    if let Some((_, is_list)) = beside(rule) {
        let new = if is_list { NewValue::Array(vec![new]) } else { new };
        return Ok((NewValue::Object(members), Some(new)));
    }
    let place = place.at();
    let (steps, is_list) = match place.steps.split_last() {
        Some((Step::Elements, above)) => (above, true),
        _ => (place.steps.as_slice(), false),
    };
    let names = names_on(place, steps).filter(|_| place.up == 0);
    let names = names.ok_or_else(|| no_place(part))?;
    let new = if is_list { NewValue::Array(vec![new]) } else { new };
    put(&mut members, &names, new);
    Ok((NewValue::Object(members), None))
}

/// Returns the values at a place.
fn holders<'a>(trail: &Trail<'a>, place: &Place) -> Vec<Value<'a>> {
    let mut holders = Vec::new();
    if place.is_several() {
        trail.clone().each(place, &mut |trail| holders.push(trail.here().value));
    } else {
        holders.extend(trail.find(place).and_then(Found::value));
    }
    holders
}
