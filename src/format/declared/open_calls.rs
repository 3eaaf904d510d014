//! Calls without answers, and which of them an answer in a later turn is of.

use std::collections::{HashMap, HashSet, VecDeque};

use super::read_calls::{Answer, Late};
use crate::dialog::{Role, Short, Turn};
use crate::format::families::chat::{CallPlace, TRIED_AGAIN};

/// The most calls among which an answer without an id is found by its name.
const NAMED: usize = 256;

/// Calls without answers, found by their ids or by their order in a time that does not grow with them.
#[derive(Default)]
pub struct OpenCalls {
    /// The turn and position of each call; None if it was answered.
    calls: Vec<Option<CallPlace>>,
    /// The turns with an answer.
    pub answering: HashSet<usize>,
    /// The calls of each id, by the number of those that were made together.
    by_id: HashMap<Short, Vec<(usize, VecDeque<usize>)>>,
    pub together: usize,
    /// The turn of the last call.
    last: usize,
    /// Those that were made together with the last call.
    last_together: usize,
    /// The first turn after the last call that has none and is not a tool's, as far as that was searched.
    said: Option<usize>,
    looked: usize,
    in_order: HashMap<usize, VecDeque<usize>>,
    /// The calls of each turn.
    by_turn: HashMap<usize, VecDeque<usize>>,
    by_group: HashMap<usize, VecDeque<usize>>,
}

impl OpenCalls {
    /// Goes on to a turn with a call. Calls of turns that follow each other are made together, until somebody says or
    /// answers something in a turn without a call.
    pub fn go_to(&mut self, turn: usize, turns: &[Turn]) {
        self.together += usize::from(self.is_over_before(turn, turns));
        (self.last, self.looked, self.said) = (turn, turn + 1, None);
        self.last_together = self.together;
    }

    /// True if a turn between the last call and this one has no call and is not a tool's.
    fn is_over_before(&mut self, turn: usize, turns: &[Turn]) -> bool {
        let says = |at: &usize| {
            let is_tool = turns[*at].text.is_empty() && self.answering.contains(at);
            turns[*at].calls.is_empty() && turns[*at].speaker.role != Role::Context && !is_tool
        };
        let said = (self.looked..turn).find(says);
        self.said = self.said.or(said);
        self.looked = self.looked.max(turn);
        self.said.is_some_and(|said| said < turn)
    }

    /// Returns the calls that were made together just before a turn with an answer, unless the agent says that.
    pub fn made_before(&mut self, turn: usize, turns: &[Turn]) -> Option<usize> {
        let is_tool = turns[turn].speaker.role != Role::System;
        let is_just_before = is_tool && !self.is_over_before(turn, turns);
        is_just_before.then_some(self.last_together)
    }

    pub fn add(&mut self, rule: usize, ids: Vec<Short>, place: CallPlace, is_again: bool) {
        let number = self.calls.len();
        self.calls.push(Some(place));
        for id in ids {
            let all = self.by_id.entry(id).or_default();
            let mut last = all.pop_if(|(last, _)| *last == self.together);
            if is_again {
                all.push((TRIED_AGAIN, VecDeque::from([number])));
            } else {
                let (_, calls) = last.get_or_insert_with(|| (self.together, VecDeque::new()));
                calls.push_back(number);
            }
            all.extend(last);
        }
        self.in_order.entry(rule).or_default().push_back(number);
        self.by_turn.entry(place.0).or_default().push_back(number);
        let group = self.by_group.entry(self.together).or_default();
        group.push_back(number);
    }

    /// Takes the call of an answer that came before it or in its own turn.
    pub fn in_any_order(&mut self, late: &Late, turns: &[Turn]) -> Option<CallPlace> {
        match (late.answer.is_lost, late.answer.id.is_empty()) {
            (true, _) => self.take_of_turn(late.turn),
            (false, true) => None,
            (false, false) => self.take(late.rule, late.turn, &late.answer, turns),
        }
    }

    /// Takes the call that an answer without an id names.
    pub fn named(&mut self, late: &Late, turns: &[Turn]) -> Option<CallPlace> {
        let name = Some(&late.answer.name).filter(|name| !name.is_empty())?;
        self.take_just_before(late, |(turn, call)| turns[turn].calls[call].name == *name)
    }

    /// Takes the call at the place of an answer without an id.
    pub fn next(&mut self, late: &Late, _: &[Turn]) -> Option<CallPlace> {
        self.take_just_before(late, |_| true)
    }

    /// Takes the first such call of those just before an answer without an id.
    fn take_just_before(
        &mut self,
        late: &Late,
        is_it: impl Fn(CallPlace) -> bool,
    ) -> Option<CallPlace> {
        let group = late.before.filter(|_| late.answer.is_lost)?;
        let numbers = self.by_group.get_mut(&group)?;
        while numbers.front().is_some_and(|number| self.calls[*number].is_none()) {
            numbers.pop_front();
        }
        let mut near = numbers.iter().take(NAMED);
        let number = near.find(|number| self.calls[**number].is_some_and(&is_it))?;
        self.calls[*number].take()
    }

    /// Takes the first call of a turn.
    fn take_of_turn(&mut self, turn: usize) -> Option<CallPlace> {
        let numbers = self.by_turn.get_mut(&turn)?;
        std::iter::from_fn(|| numbers.pop_front()).find_map(|number| self.calls[number].take())
    }

    /// Takes the call of an answer in a turn, which has an id: of the last that were made together, the first one of its own
    /// turn, or else with its name, or else the first one. In a format without ids, takes the first call.
    pub fn take(
        &mut self,
        rule: usize,
        turn: usize,
        answer: &Answer,
        turns: &[Turn],
    ) -> Option<CallPlace> {
        loop {
            let number = if answer.id.is_empty() {
                self.in_order.get_mut(&rule)?.pop_front()?
            } else {
                let with_id = self.by_id.get_mut(&answer.id)?;
                let (_, calls) = with_id.last_mut()?;
                let misfit = |number: &usize| match self.calls[*number] {
                    Some((own, call)) => (own != turn, turns[own].calls[call].name != answer.name),
                    None => (true, true),
                };
                let near = calls.iter().take(NAMED).enumerate();
                let best = near.min_by_key(|(_, number)| misfit(number));
                let best = best.map(|(at, _)| at);
                let Some(number) = best.and_then(|at| calls.remove(at)) else {
                    with_id.pop();
                    continue;
                };
                number
            };
            if let Some(place) = self.calls[number].take() {
                return Some(place);
            }
        }
    }
}
