//! Completes a dialog after an edit with what the description of its format decides.

use super::description::{Description, TurnRule};
use super::{read, write};
use crate::dialog::{Content, Dialog, Edit, Extent, Field, Short, Turn};
use crate::format::engine::turns;
use crate::format::texts::{reasoning, xml};

/// Completes the numbers of new turns and calls, and what new turns have beside their parts.
pub fn complete(description: &Description, edit: &Edit, after: &mut Dialog) {
    description.number(edit, after);
    description.fill(edit, after);
    if let Edit::AddTurn { turn, .. } = edit
        && description.turn.0.len() > 1
    {
        description.keep_state(after, *turn);
    }
}

/// Completes an edited or new turn, given by its position, with the role of its speaker and the calls in its text. `before`
/// is the turn before the edit; empty for a new one. `turn` is None if it was removed.
pub fn follow(description: &Description, before: &Turn, after: &mut Dialog, turn: Option<usize>) {
    let Some(own) = turn.and_then(|turn| after.turns.get_mut(turn)) else {
        if description.is_session() {
            xml::read(&mut after.turns);
        }
        return;
    };
    let is_new = *before == Turn::default();
    let is_renamed = before.speaker != own.speaker;
    let has_words = is_renamed || before.text != own.text;
    let has_calls = own.calls.len() > before.calls.len();
    let mut rules = description.turn.0.iter();
    let has_speaker = |rule: &&TurnRule| rule.speaker.is_some() || rule.prefix.is_some() || is_new;
    if let Some(rule) = rules.find(has_speaker).filter(|_| is_renamed) {
        own.speaker = read::named_speaker(rule, own.speaker.name.clone());
    }
    let rule = description.turn.0.first();
    if is_new && rule.is_some_and(|rule| rule.tokens.is_some()) {
        let tokens = own.text.split_whitespace();
        own.tokens = tokens.map(Short::from).collect();
    }
    if description.is_session() && has_words {
        reasoning::follow(own);
        xml::read(&mut after.turns);
    } else if let Some(turn) = turn.filter(|_| has_calls) {
        write::complete(&description.call.0, after, turn);
    }
}

impl Description {
    /// Gives a new turn the texts that the format has for new ones, where all others have some.
    fn fill(&self, edit: &Edit, after: &mut Dialog) {
        let Edit::AddTurn { turn, .. } = edit else {
            return;
        };
        for (name, text) in self.turn.0.iter().filter_map(|rule| rule.new.as_ref()).flatten() {
            let has = |turn: &Turn| turn.fields.iter().any(|field| field.name == *name);
            let others = after.turns.iter().enumerate().filter(|(place, _)| place != turn);
            let all_have = others.clone().count() > 0 && others.map(|(_, other)| other).all(has);
            if let Some(new) = after.turns.get_mut(*turn).filter(|_| all_have) {
                let text = Content::Text(text.as_str().into());
                new.fields.push(Field::known(name.as_str(), text, Extent::default()));
            }
        }
    }

    /// Gives the last turn of a new element the state before it, which its element repeats.
    fn keep_state(&self, after: &mut Dialog, turn: usize) {
        let last = self.turn.0.last();
        let (earlier, rest) = after.turns.split_at_mut(turn);
        let Some((new, later)) = rest.split_first_mut() else { return };
        if last.is_none_or(|rule| !rule.alternate.iter().any(|name| new.speaker.name == *name)) {
            return;
        }
        let before = earlier.iter().rev().find_map(|turn| turn.state.clone());
        let others = || later.iter().any(|turn| turn.state.is_some());
        new.state = before.or_else(|| others().then(Vec::new));
        for slot in new.state.iter_mut().flatten() {
            slot.at = Extent::default();
        }
    }

    /// Gives the first turn of a dialog a number, and calls that of their turns.
    fn number(&self, edit: &Edit, after: &mut Dialog) {
        let mut turns = self.turn.0.iter();
        if turns.any(|rule| rule.number.is_some()) {
            turns::number_first(edit, after);
        }
        for place in self.call.0.iter().filter_map(|rule| rule.number.as_ref()) {
            turns::number_calls(edit, after, place.last_name());
            let mut calls = after.turns.iter().flat_map(|turn| &turn.calls);
            let is_number = |field: &Field| field.name == place.last_name();
            let are_numbered = calls.any(|call| call.fields.iter().any(is_number));
            if let Edit::AddCall { turn, .. } = edit
                && let Some(turn) = after.turns.get_mut(*turn).filter(|_| are_numbered)
                && let Some((number, call)) = turn.index.zip(turn.calls.last_mut())
            {
                let number = Content::Raw(number.to_string().into());
                call.fields.push(Field::known(place.last_name(), number, Extent::default()));
            }
        }
    }
}
