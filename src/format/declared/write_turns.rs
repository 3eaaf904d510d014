//! Removes turns of declared formats, with what lists beside them say of them.

use super::description::{StateRule, TurnRule};
use super::place::{Place, Step};
use super::trail::{Found, Trail};
use super::writer::Writer;
use crate::dialog::{EditError, Turn};
use crate::format::engine::edit::not_editable;
use crate::format::engine::turns::numbers;
use crate::format::families::chat::keeps_responses;
use crate::json::{Splice, Value};

impl<'a> Writer<'a, '_> {
    /// Removes a turn.
    pub fn remove_turn(&self) -> Result<Vec<Splice>, EditError> {
        let (turns, turn) = (&self.check.before.turns, self.check.edit.turn());
        let rule = self.only_rule()?;
        let refused = |reason: &str| Err(not_editable("the turn", &reason));
        if is_alternating(rule) && turn + 1 < turns.len() {
            return refused(
                "the order of the turns says who speaks, so only the last one can be removed",
            );
        }
        let trail = self.trail_of(&turns[turn])?;
        if turn > 0 && self.holds_earlier_state(&trail) {
            return refused(&format!("it holds the state after turn {}", turn - 1));
        }
        if let Some(next) = turns.get(turn + 1)
            && self.holds_earlier_state(&self.trail_of(next)?)
        {
            return refused(&format!("turn {} holds the state after it", turn + 1));
        }
        keeps_responses(self.check)?;
        let mut splices: Vec<_> = self
            .lists_beside(&trail)
            .into_iter()
            .map(|list| self.editor.remove(list, trail.turn..trail.turn + 1))
            .collect();
        splices.extend(self.remove(&rule.at, &[trail])?);
        splices.extend(self.turn_numbers(rule)?);
        Ok(splices)
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
        let set = |turn: &Turn, number: u32| {
            let trail = self.trail_of(turn)?;
            let old = rule.number.as_ref().and_then(|place| trail.find(place));
            let old = old.and_then(Found::value);
            let old =
                old.ok_or_else(|| not_editable("the number of a turn", &"it is not there"))?;
            Ok(self.editor.set_integer(old, i64::from(number)))
        };
        numbers(self.editor, self.check, set)
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

/// True if the speakers take turns.
fn is_alternating(rule: &TurnRule) -> bool {
    rule.speaker.is_none() && rule.alternate.len() > 1
}
