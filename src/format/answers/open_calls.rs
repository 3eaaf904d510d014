//! Calls without answers, found by their ids or by their order in a time that does not grow with them.

use std::collections::{HashMap, HashSet, VecDeque};

use super::CallPlace;
use crate::dialog::{Role, Short, Turn};

/// The number of calls that were tried again, in place of that of those that were made together.
const TRIED_AGAIN: usize = usize::MAX;

/// The most calls among which an answer is found by its name.
const NAMED: usize = 256;

/// The id, the name and the place that lead from an answer to its call.
#[derive(Clone, Copy)]
pub struct Wanted<'n> {
    /// The rule of its call, if there are several.
    pub rule: usize,
    /// The turn of the answer.
    pub turn: usize,
    /// Empty if it gives none.
    pub id: &'n str,
    /// Empty if it gives none.
    pub name: &'n str,
    /// It should have an id and has none.
    pub is_lost: bool,
    /// The calls just before it that were made together, if it may be an answer to one of them.
    pub before: Option<usize>,
}

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

    /// Adds a call of a rule with its ids.
    pub fn add(&mut self, rule: usize, ids: Vec<Short>, place: CallPlace, is_again: bool) {
        let number = self.add_together(ids, place, is_again);
        self.in_order.entry(rule).or_default().push_back(number);
        self.by_turn.entry(place.0).or_default().push_back(number);
    }

    /// Adds a call that is found by its ids, or among those that were made together.
    pub fn add_together(
        &mut self,
        ids: impl IntoIterator<Item = Short>,
        place: CallPlace,
        is_again: bool,
    ) -> usize {
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
        self.by_group.entry(self.together).or_default().push_back(number);
        number
    }

    /// Returns the calls with this id that were made together last, if these are the last of all.
    pub fn last_with(&self, id: &str) -> Vec<CallPlace> {
        let last = self.by_id.get(id).and_then(|all| all.last());
        let last = last.filter(|(last, _)| *last == self.together);
        let numbers = last.into_iter().flat_map(|(_, calls)| calls);
        numbers.filter_map(|number| self.calls[*number]).collect()
    }

    /// Puts some of these behind the others.
    pub fn put_behind(&mut self, id: &str, again: &[CallPlace]) {
        let Some(all) = self.by_id.get_mut(id) else {
            return;
        };
        let Some((together, mut calls)) = all.pop() else {
            return;
        };
        let place = |number: &usize| self.calls[*number];
        let find = |wanted: &CallPlace| {
            calls.iter().copied().find(|number| place(number).as_ref() == Some(wanted))
        };
        let behind: VecDeque<_> = again.iter().filter_map(find).collect();
        let again: HashSet<_> = behind.iter().copied().collect();
        calls.retain(|number| !again.contains(number));
        all.push((TRIED_AGAIN, behind));
        all.extend((!calls.is_empty()).then_some((together, calls)));
    }

    /// Returns the number of the last calls that were made together, but for the first ones that are answered.
    pub fn count(&self) -> usize {
        self.by_group.get(&self.together).map_or(0, VecDeque::len)
    }

    /// True if the last calls that were made together are all of this turn.
    pub fn are_of(&self, turn: usize) -> bool {
        let numbers = self.by_group.get(&self.together).into_iter().flatten();
        let mut places = numbers.filter_map(|number| self.calls[*number]);
        places.all(|(own, _)| own == turn)
    }

    /// Takes the first such call with an id of those that were made together last.
    pub fn take_with_id(
        &mut self,
        id: &str,
        is_it: impl Fn(CallPlace) -> bool,
    ) -> Option<CallPlace> {
        let all = self.by_id.get_mut(id)?;
        let (_, calls) = all.last_mut()?;
        let is_it = |number: &usize| self.calls[*number].is_some_and(&is_it);
        let at = calls.iter().take(NAMED).position(is_it)?;
        let place = calls.remove(at).and_then(|number| self.calls[number]);
        if calls.is_empty() {
            all.pop();
        }
        place
    }

    /// Takes the next call with an id, latest groups first, of those that are still open.
    pub fn take_next_with_id(
        &mut self,
        id: &str,
        is_open: impl Fn(CallPlace) -> bool,
    ) -> Option<CallPlace> {
        let all = self.by_id.get_mut(id)?;
        while let Some((_, calls)) = all.last_mut() {
            let number = calls.pop_front();
            if calls.is_empty() {
                all.pop();
            }
            let place = number.and_then(|number| self.calls[number]);
            if let Some(place) = place.filter(|place| is_open(*place)) {
                return Some(place);
            }
        }
        None
    }

    /// Takes the first such call of the last that were made together, after those at the front that are not open.
    pub fn take_together(
        &mut self,
        is_open: impl Fn(CallPlace) -> bool,
        finds: &[&dyn Fn(CallPlace) -> bool],
    ) -> Option<CallPlace> {
        let numbers = self.by_group.get_mut(&self.together)?;
        let holds = |number: &usize, is_it: &dyn Fn(CallPlace) -> bool| {
            self.calls[*number].is_some_and(is_it)
        };
        while numbers.front().is_some_and(|number| !holds(number, &is_open)) {
            numbers.pop_front();
        }
        let position = |is_it: &&dyn Fn(CallPlace) -> bool| {
            numbers.iter().take(NAMED).position(|number| holds(number, *is_it))
        };
        let at = finds.iter().find_map(position)?;
        let number = numbers.remove(at)?;
        self.calls[number]
    }

    /// Takes the call of an answer that came before it or in its own turn.
    pub fn in_any_order(&mut self, wanted: Wanted<'_>, turns: &[Turn]) -> Option<CallPlace> {
        match (wanted.is_lost, wanted.id.is_empty()) {
            (true, _) => self.take_of_turn(wanted.turn),
            (false, true) => None,
            (false, false) => self.take(wanted, turns),
        }
    }

    /// Takes the call that an answer without an id names.
    pub fn named(&mut self, wanted: Wanted<'_>, turns: &[Turn]) -> Option<CallPlace> {
        let name = Some(wanted.name).filter(|name| !name.is_empty())?;
        self.take_just_before(wanted, |(turn, call)| turns[turn].calls[call].name == *name)
    }

    /// Takes the call at the place of an answer without an id.
    pub fn next(&mut self, wanted: Wanted<'_>, _: &[Turn]) -> Option<CallPlace> {
        self.take_just_before(wanted, |_| true)
    }

    /// Takes the first such call of those just before an answer without an id.
    fn take_just_before(
        &mut self,
        wanted: Wanted<'_>,
        is_it: impl Fn(CallPlace) -> bool,
    ) -> Option<CallPlace> {
        let group = wanted.before.filter(|_| wanted.is_lost)?;
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
    pub fn take(&mut self, wanted: Wanted<'_>, turns: &[Turn]) -> Option<CallPlace> {
        loop {
            let number = if wanted.id.is_empty() {
                self.in_order.get_mut(&wanted.rule)?.pop_front()?
            } else {
                let with_id = self.by_id.get_mut(wanted.id)?;
                let (_, calls) = with_id.last_mut()?;
                let misfit = |number: &usize| match self.calls[*number] {
                    Some((own, call)) => {
                        let is_other = turns[own].calls[call].name != wanted.name;
                        (own != wanted.turn, is_other)
                    }
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
