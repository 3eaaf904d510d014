//! Adds and removes turns, with what lists beside them say of them.

use super::form::fill;
use super::leaves::{At, Leaf, Val, of_turn};
use super::{Result, Writer};
use crate::dialog::{Dialog, EditError, Extent, Field, Turn};
use crate::format::declared::description::Description;
use crate::format::declared::place::{Place, Step};
use crate::format::declared::trail::{Found, Trail};
use crate::format::engine::edit::not_editable;
use crate::format::engine::turns::empty_parts;
use crate::format::texts::reasoning::{self, REASONING_FIELD};
use crate::json::{NewValue, NodeKind, Value};

impl<'a> Writer<'a, '_> {
    /// Removes a turn; `after` is the dialog without it.
    pub fn remove_turn(&mut self, turn: &Turn, after: &Dialog) -> Result<()> {
        let element = self.element_of(turn).ok_or_else(|| refuse("it is not in a list"))?;
        let trail = self.elements[element].clone();
        if after.turns.iter().any(|other| other.is_in_exchange_of(turn)) {
            return self.remove_side(trail.here().value, turn);
        }
        list_of_turns(&trail)?;
        let beside = self.lists_beside(&trail).into_iter();
        let place = trail.turn..trail.turn + 1;
        self.splices.extend(beside.map(|list| self.editor.remove(list, place.clone())));
        self.remove(vec![trail.here().value]);
        Ok(())
    }

    /// Adds turns before the one at `position`.
    pub fn add_turns(&mut self, position: usize, turns: &[&Turn]) -> Result<()> {
        let rule = &self.description.turn.0[0];
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
            return Err(refuse(&format!("`{}` is not a single list", rule.at)));
        }
        if !rule.is.0.is_empty() || rule.opening.is_some() {
            return Err(refuse("the list of turns also holds other elements"));
        }
        if self.would_part_answer(position) {
            return Err(refuse("it would come between a call and its result"));
        }
        let new = turns.iter().map(|turn| new_turn(self.description, turn, like.as_ref(), list));
        let new: Vec<_> = new.collect::<Result<_>>()?;
        let beside = like.map(|like| self.lists_beside(&like)).unwrap_or_default();
        match (beside.as_slice(), rule.speaker.as_ref().filter(|at| at.up > 0)) {
            ([], None) => {}
            ([speakers], Some(_)) => {
                let names =
                    turns.iter().map(|turn| NewValue::String(turn.speaker.name.to_string()));
                let names: Vec<_> = names.collect();
                self.splices.push(self.editor.insert(*speakers, position, &names, None));
            }
            _ => return Err(refuse("a list beside the turns has an element for each turn")),
        }
        self.splices.push(self.editor.insert(list, place, &new, None));
        Ok(())
    }

    /// Returns the list for a new turn, and the place in it: behind the turn before it, if there is one.
    pub fn place_of_turn(&self, position: usize) -> Result<(Value<'a>, usize)> {
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
            (list.kind() == NodeKind::Array && !list.is_lines()).then_some((list, 0))
        });
        lists.next().ok_or_else(|| refuse("there is no list of turns"))
    }

    /// True if a turn at this position would come between a call and its result. Both would be read as before.
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
        let columns = self.description.columns();
        let mut lists: Vec<_> =
            columns.iter().map(|column| column.place).filter_map(list).collect();
        lists.sort_by_key(|list| list.range().start);
        lists.dedup_by_key(|list| list.range().start);
        lists
    }
}

pub fn refuse(reason: &str) -> EditError {
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

/// Returns the element of a new turn: its number, its speaker, its text, and what all others have, in the order of those of
/// `like`.
fn new_turn(
    description: &'static Description,
    turn: &Turn,
    like: Option<&Trail<'_>>,
    list: Value<'_>,
) -> Result<NewValue> {
    let rule = &description.turn.0[0];
    let text = rule.text.at();
    let value = like.map(|like| like.here().value);
    let said = reasoning::with_thought("", &Turn::default(), turn);
    let own = description.hooks.new_text.map(|new_text| new_text(value, &said));
    let said = NewValue::String(rule.with_prefix(&turn.speaker.name, &said));
    if own.is_none() {
        // Of several places, those of the turns beside it tell which one readers of the corpus expect.
        let first = Place { or: Vec::new(), ..text.clone() };
        let is_there = |at| like.is_some_and(|like| like.find(at).is_some());
        if text.or.len() > 1 || !text.or.is_empty() && !is_there(&first) {
            return Err(refuse("the new text could be in several places"));
        }
        if text.is_several() && !text.is_one_list() {
            return Err(refuse("a turn's text is a list of parts"));
        }
        if text.steps.is_empty() && text.up == 0 {
            return Ok(said);
        }
    }
    if description.strict
        && let Some(number) = rule.number.as_ref().filter(|_| turn.index.is_none())
    {
        return Err(refuse(&format!("no neighbouring turn has `{number}`")));
    }
    let all: Vec<_> = list.elements().collect();
    let mut new = NewValue::Object(Vec::new());
    let value_like = |at| like.and_then(|like| like.find(at)).and_then(Found::value);
    let (mut leaves, mut numbers) = (of_turn(rule, turn), Vec::new());
    while leaves.last().is_some_and(|leaf| matches!(leaf.value, Val::Number(_))) {
        numbers.extend(leaves.pop());
    }
    for Leaf { at, value, .. } in numbers.into_iter().chain(leaves) {
        if let At::Place(at @ Place { up: 0, .. }) = at {
            let value = written_like(value_like(at), &value);
            fill(&mut new, &at.steps, value).ok_or_else(|| no_place(at))?;
        }
    }
    match (own, &mut new) {
        (Some(own), NewValue::Object(members)) => members.push(own),
        _ => fill(&mut new, &text.steps, said).ok_or_else(|| no_place(text))?,
    }
    if let NewValue::Object(members) = &mut new {
        let fields = turn.fields.iter().filter(|field| field.name != REASONING_FIELD);
        let fields: Vec<_> = fields
            .map(|field: &Field| (field.name.to_string(), NewValue::from(&field.content)))
            .collect();
        let has = |key: &str| members.iter().chain(&fields).any(|(own, _)| own == key);
        let empty = value.map(|like| empty_parts(like, &all, &has)).unwrap_or_default();
        members.extend(empty.into_iter().chain(fields));
        let keys = || value.into_iter().flat_map(Value::members);
        members.sort_by_cached_key(|(own, _)| {
            keys().position(|(key, _)| key.is_text(own)).unwrap_or(usize::MAX)
        });
    }
    Ok(new)
}

pub fn no_place(at: &Place) -> EditError {
    refuse(&format!("a new turn has no place for `{at}`"))
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
