//! Adds and removes turns, with what lists beside them say of them.

use super::form::fill;
use super::leaves::{At, Leaf, Val, of_turn};
use super::{Result, Writer};
use crate::dialog::{EditError, Extent, Field, Turn};
use crate::format::declared::description::TurnRule;
use crate::format::declared::hooks::NewText;
use crate::format::declared::place::{Place, Step};
use crate::format::declared::trail::Trail;
use crate::format::engine::edit::not_editable;
use crate::format::engine::turns::empty_parts;
use crate::format::engine::values::written_content;
use crate::format::texts::reasoning::{self, REASONING_FIELD};
use crate::json::{NewValue, NodeKind, Value};

impl<'a> Writer<'a, '_> {
    pub fn remove_turn(&mut self, turn: &Turn) -> Result<()> {
        let element = self.element_of(turn).ok_or_else(|| refuse("it is not there"))?;
        let trail = self.elements[element].clone();
        list_of_turns(&trail)?;
        let beside = self.lists_beside(&trail).into_iter();
        let place = trail.turn..trail.turn + 1;
        self.splices.extend(beside.map(|list| self.editor.remove(list, place.clone())));
        self.remove(vec![trail.here().value])
    }

    pub fn add_turn(&mut self, position: usize, turn: &Turn) -> Result<()> {
        let [rule] = self.description.turn.0.as_slice() else {
            return Err(refuse("its element holds several turns"));
        };
        if !rule.then.0.is_empty() {
            return Err(refuse("the turns are in several places, each with a form of its own"));
        }
        let (list, place) = self.place_of_turn(position)?;
        let is_in_list = |like: &&Trail<'a>| {
            like.parent().is_some_and(|parent| parent.value.range() == list.range())
        };
        let next = self.elements.get(position).filter(is_in_list);
        let like = next.or_else(|| self.elements.get(..position)?.last()).cloned();
        if !rule.at.is_one_list() {
            return Err(refuse(&format!("`{}` is not one list", rule.at)));
        }
        if !rule.is.0.is_empty() || rule.opening.is_some() {
            return Err(refuse("its list holds more than turns"));
        }
        if self.would_part_answer(position) {
            return Err(refuse("it would come between a call and its response"));
        }
        let new_text = self.description.hooks.new_text;
        let new = new_turn(rule, turn, like.as_ref(), list, new_text)?;
        let beside = like.map(|like| self.lists_beside(&like)).unwrap_or_default();
        match (beside.as_slice(), rule.speaker.as_ref().filter(|at| at.up > 0)) {
            ([], None) => {}
            ([speakers], Some(_)) => {
                let name = NewValue::String(turn.speaker.name.to_string());
                self.splices.push(self.editor.insert(*speakers, position, &[name], None));
            }
            _ => return Err(refuse("a list beside the turns has an element for each")),
        }
        self.splices.push(self.editor.insert(list, place, &[new], None));
        Ok(())
    }

    /// Returns the list for a new turn, and the place in it: behind the turn before it, if there is one.
    fn place_of_turn(&self, position: usize) -> Result<(Value<'a>, usize)> {
        let before = position.checked_sub(1).and_then(|before| self.elements.get(before));
        if let Some(like) = before.or(self.elements.get(position)) {
            let place = like.here().index + usize::from(before.is_some());
            return Ok((list_of_turns(like)?, place));
        }
        let root = Trail::new(self.description.root(self.editor.tree().root()), None);
        let places = match self.description.hooks.turns {
            Some(turns) => turns(self.description, root.here().value),
            None => self.description.turns().cloned().collect(),
        };
        let mut lists = places.iter().filter_map(|at| {
            let list = root.find_of(at, at.steps.len().checked_sub(1)?)?;
            (list.kind() == NodeKind::Array).then_some((list, 0))
        });
        lists.next().ok_or_else(|| refuse("there is no list of turns"))
    }

    /// True if a turn at this position would come between a call and its response. Both would be read as before.
    fn would_part_answer(&self, position: usize) -> bool {
        let turns = &self.before.turns;
        let mut calls = turns.iter().take(position).flat_map(|turn| &turn.calls);
        turns.get(position).is_some_and(|next| {
            let is_behind = |at: Extent| at.start >= next.at.start;
            calls.any(|call| call.response_place().is_some_and(is_behind))
        })
    }

    /// Returns the lists beside the turns that have an element for each.
    fn lists_beside(&self, trail: &Trail<'a>) -> Vec<Value<'a>> {
        let list = |place: &Place| {
            let step = place.steps.iter().position(|step| *step == Step::SamePosition)?;
            let list = trail.find_of(place, step)?;
            (Some(list.elements().count()) == trail.turns).then_some(list)
        };
        let mut lists: Vec<_> = self.description.places().filter_map(list).collect();
        lists.sort_by_key(|list| list.range().start);
        lists.dedup_by_key(|list| list.range().start);
        lists
    }
}

fn refuse(reason: &str) -> EditError {
    not_editable("the turn", &reason)
}

/// Returns the list that holds the element of a turn.
fn list_of_turns<'a>(trail: &Trail<'a>) -> Result<Value<'a>> {
    let list = trail.parent().map(|stop| stop.value);
    let list = list.filter(|list| list.kind() == NodeKind::Array);
    match list {
        None => Err(refuse("it is not in a list")),
        Some(list) if list.is_lines() => {
            Err(refuse("each line of the file is a turn, and other lines may refer to it"))
        }
        Some(list) => Ok(list),
    }
}

/// Returns the element of a new turn: its text, its speaker, its number, and the lists and objects that all others have,
/// in the order of the turn that it is like. `new_text` is the hook for its text.
fn new_turn(
    rule: &'static TurnRule,
    turn: &Turn,
    like: Option<&Trail<'_>>,
    list: Value<'_>,
    new_text: Option<NewText>,
) -> Result<NewValue> {
    let said = reasoning::with_thought("", &Turn::default(), turn);
    let text = rule.text.at();
    let element = like.map(|like| like.here().value);
    let all: Vec<_> = list.elements().collect();
    let member = new_text.map(|new_text| new_text(element, &said));
    let is_text = |key: &str| member.as_ref().is_some_and(|(own, _)| own == key);
    let parts = element.map(|element| empty_parts(element, &all, &is_text));
    let mut new =
        NewValue::Object(member.iter().cloned().chain(parts.unwrap_or_default()).collect());
    match (member, like) {
        (Some(_), _) => {}
        (None, None) => return Err(refuse("the dialog has no turn that it could be like")),
        (None, Some(like)) => {
            // Of several places, those of the turns beside it tell which one readers of the corpus expect.
            let first = Place { or: Vec::new(), ..text.clone() };
            if text.or.len() > 1 || !text.or.is_empty() && like.find(&first).is_none() {
                return Err(refuse("its text may be in several places"));
            }
            if text.is_several() && !text.is_one_list() {
                return Err(refuse("its text is a list of parts"));
            }
            let said = NewValue::String(rule.with_prefix(&turn.speaker.name, &said));
            if text.steps.is_empty() && text.up == 0 {
                return Ok(said);
            }
            fill(&mut new, &text.steps, said).ok_or_else(|| no_place(text))?;
        }
    }
    for Leaf { at, value, .. } in of_turn(rule, turn) {
        if let At::Place(at @ Place { up: 0, .. }) = at {
            let other = like.and_then(|like| like.find(at)?.value());
            let value = written_like(other, &value);
            fill(&mut new, &at.steps, value).ok_or_else(|| no_place(at))?;
        }
    }
    if let NewValue::Object(members) = &mut new {
        let fields = turn.fields.iter().filter(|field| field.name != REASONING_FIELD);
        let field = |field: &Field| (field.name.to_string(), written_content(&field.content));
        members.extend(fields.map(field));
        let keys: Vec<_> = element.iter().flat_map(|own| own.members()).collect();
        let place = |name: &str| keys.iter().position(|(key, _)| key.is_text(name));
        members.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    }
    Ok(new)
}

fn no_place(at: &Place) -> EditError {
    refuse(&format!("a new one has no place for `{at}`"))
}

/// Returns a value in a string or as a number, as another one is written.
fn written_like(other: Option<Value<'_>>, value: &Val) -> NewValue {
    match (other.map(Value::kind), value) {
        (Some(NodeKind::Number), Val::Text(name)) if name.parse::<u64>().is_ok() => {
            NewValue::Raw(name.clone())
        }
        (Some(NodeKind::String), Val::Number(number)) => NewValue::String(number.to_string()),
        (_, value) => value.written(),
    }
}
