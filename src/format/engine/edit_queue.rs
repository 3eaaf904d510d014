//! The order in which groups of edits are tried when several rounds are needed to apply them.
//!
//! A group is tried as soon as no earlier group of the same turns is left, so each round tries at most one group
//! per turn in vain. Trying all that are left in each round would take quadratic time for many edits of
//! one turn.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::dialog::{Edit, EditContext};

/// Edits that are applied all or none, each to the result of the one before.
#[derive(Clone, Copy, Debug)]
pub struct EditGroup<'e> {
    pub edits: &'e [Edit],
    /// The context of the first edit, if the group is to be refused once that has changed.
    pub on: Option<&'e EditContext>,
}

/// Groups of edits that are not applied yet. Groups of the same turn are applied in order.
#[derive(Debug)]
pub struct EditQueue<'e> {
    groups: &'e [EditGroup<'e>],
    turns: Vec<Vec<usize>>,
    /// The groups left of each turn, in order.
    waiting: HashMap<usize, VecDeque<usize>>,
    /// The groups that are the first of all their turns and not tried in this round.
    ready: BTreeSet<usize>,
    /// The groups that have become ready in this round.
    added: Vec<usize>,
    settled: Vec<usize>,
    deferred: Vec<usize>,
    /// The most groups to settle in a round.
    most: usize,
    tries: usize,
}

impl<'e> EditQueue<'e> {
    pub fn new(groups: &'e [EditGroup<'e>]) -> Self {
        let turns_of = |group: &EditGroup<'_>| {
            let turns: BTreeSet<_> = group.edits.iter().map(Edit::turn).collect();
            turns.into_iter().collect::<Vec<_>>()
        };
        let turns: Vec<_> = groups.iter().map(turns_of).collect();
        let mut waiting: HashMap<usize, VecDeque<usize>> = HashMap::new();
        for (group, turns) in turns.iter().enumerate() {
            for turn in turns {
                waiting.entry(*turn).or_default().push_back(group);
            }
        }
        let mut queue = Self {
            groups,
            turns,
            waiting,
            ready: BTreeSet::new(),
            added: Vec::new(),
            settled: Vec::new(),
            deferred: Vec::new(),
            most: groups.len(),
            tries: 0,
        };
        let first = (0..groups.len()).filter(|group| queue.is_first(*group));
        queue.ready = first.collect();
        queue
    }

    fn is_first(&self, group: usize) -> bool {
        let mut turns = self.turns[group].iter();
        turns.all(|turn| self.waiting[turn].front() == Some(&group))
    }

    /// Returns true if no group is left.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// Returns the number of the next group to try in this round; None at the end of the round.
    pub fn next_group(&mut self) -> Option<(usize, EditGroup<'e>)> {
        if self.settled.len() >= self.most {
            return None;
        }
        let group = self.ready.pop_first()?;
        self.tries += 1;
        Some((group, self.groups[group]))
    }

    /// Notes that a group was applied or refused: others of its turns can be tried.
    pub fn settle(&mut self, group: usize) {
        for turn in &self.turns[group] {
            let groups = self.waiting.entry(*turn).or_default();
            groups.pop_front();
        }
        for turn in &self.turns[group] {
            let next = self.waiting[turn].front().copied();
            if let Some(next) = next.filter(|next| self.is_first(*next))
                && self.ready.insert(next)
            {
                self.added.push(next);
            }
        }
        self.settled.push(group);
    }

    /// Notes that a group has to wait for the next round.
    pub fn defer(&mut self, group: usize) {
        self.deferred.push(group);
    }

    /// Ends a round whose edits are in the text; the next one may have twice as many.
    pub fn commit(&mut self) {
        self.ready.extend(self.deferred.drain(..));
        self.added.clear();
        self.settled.clear();
        self.most = self.most.saturating_mul(2);
    }

    /// Ends a round whose edits cannot be made together; the next one has half as many. Returns the groups
    /// that were settled in it.
    pub fn roll_back(&mut self) -> Vec<usize> {
        let groups = self.settled.clone();
        self.most = (self.settled.len() / 2).max(1);
        while let Some(group) = self.settled.pop() {
            for turn in &self.turns[group] {
                self.waiting.entry(*turn).or_default().push_front(group);
            }
            self.ready.insert(group);
        }
        self.ready.extend(self.deferred.drain(..));
        for group in self.added.drain(..) {
            self.ready.remove(&group);
        }
        groups
    }

    /// Removes a group that is ready.
    pub fn drop_first(&mut self, group: usize) {
        self.ready.remove(&group);
        self.settle(group);
        self.settled.clear();
        self.added.clear();
    }

    /// Returns the edits of a group.
    pub fn edits(&self, group: usize) -> &'e [Edit] {
        self.groups[group].edits
    }

    /// Returns the groups that are left, in order.
    pub fn left(&self) -> BTreeSet<usize> {
        let waiting = self.waiting.values().flatten();
        waiting.chain(&self.ready).copied().collect()
    }

    /// Returns the number of tries so far, of all groups together.
    pub fn tries(&self) -> usize {
        self.tries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(turns: &[usize]) -> Vec<Edit> {
        let edit = |turn: &usize| Edit::RemoveSegment { turn: *turn, segment: 0 };
        turns.iter().map(edit).collect()
    }

    /// Returns the groups of a round, of which those in `deferred` are.
    fn round(queue: &mut EditQueue<'_>, deferred: &[usize]) -> Vec<usize> {
        let mut tried = Vec::new();
        while let Some((group, _)) = queue.next_group() {
            tried.push(group);
            if deferred.contains(&group) {
                queue.defer(group);
            } else {
                queue.settle(group);
            }
        }
        tried
    }

    #[test]
    fn a_group_waits_for_all_earlier_ones_of_its_turns() {
        let edits = [&[0][..], &[0], &[0, 1], &[1], &[2]].map(edits);
        let groups = edits.each_ref().map(|edits| EditGroup { edits, on: None });
        let mut queue = EditQueue::new(&groups);
        assert_eq!(round(&mut queue, &[1]), [0, 1, 4]);
        // Nothing of a round that fails has happened.
        assert_eq!(queue.roll_back(), [0, 4]);
        assert_eq!(queue.left(), (0..5).collect());
        assert_eq!(round(&mut queue, &[]), [0]);
        assert_eq!(queue.roll_back(), [0]);
        assert_eq!(round(&mut queue, &[]), [0]);
        queue.commit();
        assert_eq!(round(&mut queue, &[2]), [1, 2, 4]);
        queue.commit();
        assert_eq!(round(&mut queue, &[]), [2, 3]);
        queue.commit();
        assert!(queue.is_empty());
        assert_eq!(queue.tries(), 10);
    }
}
