//! Adds and removes turns of declared formats, with what lists beside them say of them.

use super::description::{StateRule, TurnRule};
use super::forms::PlaceOr;
use super::place::{Place, Step};
use super::trail::{Found, Trail};
use super::writer::Writer;
use crate::dialog::{ApiCall, EditError, Turn};
use crate::format::engine::edit::not_editable;
use crate::format::engine::turns::{empty_parts, numbers};
use crate::format::engine::values::written_content;
use crate::format::families::chat::keeps_responses;
use crate::json::{NewValue, NodeKind, Splice, Value};

/// Why turns are neither added nor removed in some files.
const IS_LINE: &str = "each line of the file is a turn, and other lines may refer to it";

impl<'a> Writer<'a, '_> {
    /// Removes a turn.
    pub fn remove_turn(&self) -> Result<Vec<Splice>, EditError> {
        let (turns, turn) = (&self.edited.before.turns, self.edited.edit.turn());
        let rule = self.only_rule()?;
        let refused = |reason: &str| Err(not_editable("the turn", &reason));
        if is_alternating(rule) && turn + 1 < turns.len() {
            return refused(
                "the order of the turns says who speaks, so only the last one can be removed",
            );
        }
        let trail = self.trail_of(&turns[turn])?;
        let list = trail.parent().map(|list| list.value);
        if list.is_some_and(Value::is_lines) {
            return refused(IS_LINE);
        }
        if !rule.then.0.is_empty() && list.is_none_or(|list| list.kind() != NodeKind::Array) {
            return refused("it is not in a list");
        }
        if turn > 0 && self.holds_earlier_state(&trail) {
            return refused(&format!("it holds the state after turn {}", turn - 1));
        }
        if let Some(next) = turns.get(turn + 1)
            && self.holds_earlier_state(&self.trail_of(next)?)
        {
            return refused(&format!("turn {} holds the state after it", turn + 1));
        }
        keeps_responses(self.edited)?;
        let mut splices: Vec<_> = self
            .lists_beside(&trail)
            .into_iter()
            .map(|list| self.editor.remove(list, trail.turn..trail.turn + 1))
            .collect();
        splices.extend(self.remove(&rule.at, &[trail])?);
        splices.extend(self.turn_numbers(rule)?);
        Ok(splices)
    }

    /// Adds a turn.
    pub fn add_turn(&self) -> Result<Vec<Splice>, EditError> {
        let (turns, turn) = (&self.edited.before.turns, self.edited.edit.turn());
        let rule = self.only_rule()?;
        let refused = |reason: &str| Err(not_editable("the turn", &reason));
        let name = &self.edited.after.turns[turn].speaker.name;
        if is_alternating(rule) {
            let next = &rule.alternate[turns.len() % rule.alternate.len()];
            if turn < turns.len() || name != next {
                return refused(&format!(
                    "the order of the turns says who speaks, so only one of {next:?} can be added, at the end"
                ));
            }
        }
        self.comes_between(turn)?;
        let elements = self.elements();
        let Some(like) = elements.get(turn).or_else(|| elements.last()) else {
            return refused("the dialog has no turn that it could be like");
        };
        let Some(list) = like.parent().map(|stop| stop.value) else {
            return refused("the turns are not in a list");
        };
        if list.is_lines() {
            return refused(IS_LINE);
        }
        if !rule.then.0.is_empty() {
            return refused("the turns are in several places, each with a form of its own");
        }
        if !rule.is.0.is_empty() || rule.opening.is_some() {
            return refused("its list holds more than turns");
        }
        if !rule.at.is_one_list() || list.kind() != NodeKind::Array {
            return refused(&format!("`{}` is not one list", rule.at));
        }
        let new = self.new_element(rule, like, list)?;
        let mut splices = self.beside_new(rule, like, turn)?;
        splices.push(self.editor.insert(list, turn, &[new], None));
        splices.extend(self.turn_numbers(rule)?);
        Ok(splices)
    }

    /// Refuses a place between a turn and what belongs to it.
    fn comes_between(&self, turn: usize) -> Result<(), EditError> {
        let refused = |reason: &str| Err(not_editable("the turn", &reason));
        let (before, behind) = self.edited.before.turns.split_at(turn);
        let Some(next) = behind.first() else {
            return Ok(());
        };
        let places = before.iter().flat_map(|turn| &turn.calls);
        let places = places.filter_map(ApiCall::response_place);
        if places.into_iter().any(|at| at.start >= next.at.start) {
            return refused("it would come between a call and its response");
        }
        if turn > 0 && self.holds_earlier_state(&self.trail_of(next)?) {
            let reason = format!("turn {turn} holds the state after turn {}", turn - 1);
            return refused(&reason);
        }
        Ok(())
    }

    /// Returns the element of a new turn: its text, who says it, its number, and the lists and objects that all
    /// others have.
    fn new_element(
        &self,
        rule: &TurnRule,
        like: &Trail<'a>,
        list: Value<'a>,
    ) -> Result<NewValue, EditError> {
        let refused = |reason: &str| Err(not_editable("the turn", &reason));
        let new = &self.edited.after.turns[self.edited.edit.turn()];
        let PlaceOr::Place(text) = &rule.text else {
            return refused("its text is a list of parts");
        };
        // Among several places, those of the turns beside it tell which one readers of the corpus expect.
        let first = Place { or: Vec::new(), ..text.clone() };
        if text.or.len() > 1 || !text.or.is_empty() && like.find(&first).is_none() {
            return refused("its text may be in several places");
        }
        let said = rule.with_prefix(&new.speaker.name, self.edited.new_text());
        let said = NewValue::String(said);
        if text.steps.is_empty() && text.up == 0 {
            return Ok(said);
        }
        let all: Vec<_> = list.elements().collect();
        let mut members = empty_parts(like.here().value, &all, &|_| false);
        let counting = new.fields.iter();
        members.extend(counting.map(|f| (f.name.to_string(), written_content(&f.content))));
        put(&mut members, text, said)?;
        if let Some(place) = rule.speaker.as_ref().filter(|place| place.up == 0) {
            let name = &new.speaker.name;
            let old = like.find(place).and_then(Found::value);
            let is_number = old.is_some_and(|old| old.kind() == NodeKind::Number);
            let name = match name.parse::<u64>() {
                Ok(_) if is_number => NewValue::Raw(name.to_string()),
                _ if is_number => return refused("the speakers of this dialog are numbers"),
                _ => NewValue::String(name.to_string()),
            };
            put(&mut members, place, name)?;
        }
        if let Some((place, number)) = rule.number.as_ref().zip(new.index) {
            let old = like.find(place).and_then(Found::value);
            let is_text = old.is_some_and(|old| old.kind() == NodeKind::String);
            let number = if is_text {
                NewValue::String(number.to_string())
            } else {
                NewValue::Integer(i64::from(number))
            };
            put(&mut members, place, number)?;
        }
        if let Some(place) = &rule.tokens {
            let (Some((Step::Elements, steps)), 0) = (place.steps.split_last(), place.up) else {
                return refused("its tokens have no list of their own");
            };
            let tokens = new.text.split_whitespace();
            let tokens = tokens.map(|token| NewValue::String(token.to_owned()));
            put_at(&mut members, steps, NewValue::Array(tokens.collect()))
                .ok_or_else(|| no_place(place))?;
        }
        Ok(NewValue::Object(members))
    }

    /// Writes the speaker of a new turn into the list beside the turns, if that has the speakers.
    fn beside_new(
        &self,
        rule: &TurnRule,
        like: &Trail<'a>,
        turn: usize,
    ) -> Result<Vec<Splice>, EditError> {
        let refused = |reason: &str| Err(not_editable("the turn", &reason));
        let lists = self.lists_beside(like);
        let speakers = rule.speaker.as_ref().filter(|place| place.up > 0);
        let Some(place) = speakers else {
            return if lists.is_empty() {
                Ok(Vec::new())
            } else {
                refused("a list beside the turns has an element for each")
            };
        };
        let name = &self.edited.after.turns[turn].speaker.name;
        match (lists.as_slice(), place.steps.last()) {
            ([list], Some(Step::SamePosition)) => {
                let new = NewValue::String(name.to_string());
                Ok(vec![self.editor.insert(*list, turn, &[new], None)])
            }
            _ => refused(&format!("`{place}` is not one list beside the turns")),
        }
    }

    /// Returns the rule of the turns.
    fn only_rule(&self) -> Result<&'static TurnRule, EditError> {
        match self.description.turn.0.as_slice() {
            [only] => Ok(only),
            _ => Err(not_editable("the turn", &"its element holds several turns")),
        }
    }

    /// Writes the new numbers of later turns.
    fn turn_numbers(&self, rule: &TurnRule) -> Result<Vec<Splice>, EditError> {
        // In the order of the text.
        let elements = match rule.number {
            Some(_) => self.elements(),
            None => Vec::new(),
        };
        let set = |turn: &Turn, number: u32| {
            let start = turn.whole().start;
            let place = elements.binary_search_by_key(&start, |e| e.here().value.range().start);
            let trail =
                &elements[place.map_err(|_| not_editable("the turn", &"it is not there"))?];
            let old = rule.number.as_ref().and_then(|place| trail.find(place));
            let old = old.and_then(Found::value);
            let old =
                old.ok_or_else(|| not_editable("the number of a turn", &"it is not there"))?;
            Ok(self.editor.set_integer(old, i64::from(number)))
        };
        numbers(self.editor, self.edited, set)
    }

    /// True if the element of a turn holds the state of the turn before.
    fn holds_earlier_state(&self, trail: &Trail<'a>) -> bool {
        let is_earlier = |rule: &&StateRule| rule.of.as_deref() == Some("turn-before");
        let mut rules = self.description.state.0.iter().filter(is_earlier);
        rules.any(|rule| {
            let steps = &rule.at.steps;
            let ends = steps.last().is_some_and(Step::is_several);
            let mut found = false;
            let list = steps.len() - usize::from(ends);
            let visit = &mut |_: &mut Trail<'a>| found = true;
            trail.clone().each_of(&rule.at, list, visit);
            found
        })
    }

    /// Returns the lists beside the turns that have an element for each.
    fn lists_beside(&self, trail: &Trail<'a>) -> Vec<Value<'a>> {
        let description = self.description;
        let turn = description.turn.0.iter().flat_map(|rule| {
            let parts = [&rule.speaker, &rule.tokens, &rule.intents, &rule.number];
            parts.into_iter().flatten().chain([rule.text.at()])
        });
        let spans = description.span.0.iter().map(|rule| &rule.at);
        let acts = description.act.0.iter().map(|rule| &rule.at);
        let calls = description.call.0.iter().map(|rule| &rule.at);
        let states = description.state.0.iter().map(|rule| &rule.at);
        let votes = description.vote.0.iter().map(|rule| &rule.at);
        let all = turn.chain(spans).chain(acts).chain(calls);
        let list = |place: &Place| {
            let step = place.steps.iter().position(|s| *s == Step::SamePosition)?;
            let list = trail.find_of(place, step)?;
            (Some(list.elements().count()) == trail.turns).then_some(list)
        };
        let mut lists: Vec<_> = all.chain(states).chain(votes).filter_map(list).collect();
        lists.sort_by_key(|list| list.range().start);
        lists.dedup_by_key(|list| list.range().start);
        lists
    }
}

/// Sets the value at a place of a new element.
fn put(
    members: &mut Vec<(String, NewValue)>,
    place: &Place,
    new: NewValue,
) -> Result<(), EditError> {
    put_at(members, &place.steps, new).ok_or_else(|| no_place(place))
}

fn no_place(place: &Place) -> EditError {
    not_editable("the turn", &format!("a new one has no place for `{place}`"))
}

fn put_at(members: &mut Vec<(String, NewValue)>, steps: &[Step], new: NewValue) -> Option<()> {
    let (Step::Member(name), rest) = steps.split_first()? else {
        return None;
    };
    let place = members.iter().position(|(key, _)| key == name);
    let place = place.unwrap_or_else(|| {
        members.push((name.clone(), NewValue::Object(Vec::new())));
        members.len() - 1
    });
    let member = &mut members[place].1;
    match (rest, member) {
        ([], member) => {
            *member = new;
            Some(())
        }
        (rest, NewValue::Object(inner)) => put_at(inner, rest, new),
        _ => None,
    }
}

/// True if the speakers take turns.
fn is_alternating(rule: &TurnRule) -> bool {
    rule.speaker.is_none() && rule.alternate.len() > 1
}
