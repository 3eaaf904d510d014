//! Side branches of sessions, and events between turns.

use std::collections::{HashMap, HashSet};

use super::description::{BranchRule, TurnRule};
use super::place::Place;
use super::read_parts::Answering;
use super::trail::{Found, Trail};
use crate::dialog::{Branch, Content, Dialog, Extent, Payload, Short};
use crate::format::engine::read::extent;
use crate::json::NodeKind;
use crate::text::cut;

/// Joins the id of a side branch to that of the dialog around it, if the branch is a dialog of its own.
pub const BEFORE_BRANCH: char = '/';

/// The most characters of an event's text.
const LONGEST: usize = 200;

/// The side branches and events of a dialog, which are found element by element.
#[derive(Default)]
pub struct Asides {
    branches: Vec<Branch>,
    /// The position of the branch of each line, and of each id that the corpus has.
    lines: HashMap<Short, usize>,
    ids: HashMap<Short, usize>,
    /// The ids of branches in turns with answers of the calls that started them.
    started: Vec<Started>,
    /// Events before the first turn.
    early: Vec<String>,
    /// Turns that are events.
    told: Vec<usize>,
}

/// The id of a branch, in a turn with the answer of the call that started it.
struct Started {
    turn: usize,
    at: Extent,
    id: Short,
}

/// The branch of a turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnBranch {
    number: usize,
    /// The corpus names it. Else the lines tell it by those that they follow, of which some may be missing.
    has_id: bool,
}

impl TurnBranch {
    /// Returns ids that a call with this id has in no other branch or, the second one, in none that the corpus names.
    pub fn ids_of_call(self, id: &str) -> Vec<Short> {
        let own = format!("{}\n{id}", self.number).into();
        let others = (!self.has_id).then(|| format!("\n{id}").into());
        std::iter::once(own).chain(others).collect()
    }
}

impl Asides {
    /// Reads an element, which is the last turn of the dialog or, if `is_turn` is false, comes after that. Returns the
    /// turn if it is in no branch, and whether it is something else than an event.
    pub fn read(
        &mut self,
        rule: &TurnRule,
        trail: &mut Trail<'_>,
        dialog: &mut Dialog,
        is_turn: bool,
    ) -> (Option<usize>, bool) {
        let last = dialog.turns.len().checked_sub(1);
        let own = last.filter(|_| is_turn);
        if let Some(turn) = own {
            for event in self.early.drain(..) {
                dialog.events.add(turn, event);
            }
        }
        let mut is_own = true;
        if let Some(branch) = &rule.branch {
            let number = branch.is.holds(trail).then(|| self.branch(rule, branch, trail));
            is_own = number.is_none();
            if let Some((number, turn)) = number.zip(own) {
                self.branches[number].turns.push(turn);
            }
            if let Some((turn, place)) = own.zip(branch.answer.as_ref()) {
                trail.each(place, &mut |trail| {
                    let value = trail.here().value;
                    let (at, id) = (extent(value), Found::Value(value).text());
                    if value.kind() != NodeKind::Null && !id.is_empty() {
                        self.started.push(Started { turn, at, id });
                    }
                });
            }
        }
        for event in &rule.events.0 {
            if !event.is.holds(trail) {
                continue;
            }
            let more = event.at.as_ref().map(|place| text(place, trail));
            let told = match more.filter(|more| !more.is_empty()) {
                Some(more) => format!("{}: {}", event.name, shortened(&more)),
                None => event.name.clone(),
            };
            self.told.extend(own);
            match last {
                Some(turn) => dialog.events.add(turn, told),
                None => self.early.push(told),
            }
        }
        (own.filter(|_| is_own), self.told.last() != own.as_ref())
    }

    /// Returns the position of the branch that an element belongs to: that with its id or, without one, that of the
    /// line before it.
    fn branch(&mut self, turn: &TurnRule, rule: &BranchRule, trail: &Trail<'_>) -> usize {
        let text = |place: &Option<Place>| match place {
            Some(place) => text(place, trail),
            None => Short::default(),
        };
        let (id, line, after) = (text(&rule.id), text(&turn.line), text(&turn.after));
        let known = if id.is_empty() { self.lines.get(&after) } else { self.ids.get(&id) };
        let number = known.copied().unwrap_or(self.branches.len());
        if number == self.branches.len() {
            self.branches.push(Branch {
                id: if id.is_empty() { (number + 1).to_string().into() } else { id.clone() },
                ..Branch::default()
            });
        }
        if !id.is_empty() {
            self.ids.insert(id, number);
        }
        if !line.is_empty() {
            self.lines.insert(line, number);
        }
        number
    }

    /// Returns the branches of the turns that are in one.
    pub fn of_turns(&self) -> HashMap<usize, TurnBranch> {
        let with_id: HashSet<usize> = self.ids.values().copied().collect();
        let branches = self.branches.iter().enumerate();
        let turns = branches.flat_map(|(number, branch)| {
            let has_id = with_id.contains(&number);
            let own = TurnBranch { number, has_id };
            branch.turns.iter().map(move |turn| (*turn, own))
        });
        turns.collect()
    }

    /// Sets branches and events aside, so that nobody takes them for turns of the dialog. A dialog that is a
    /// branch and nothing else has the id of both. `taken_back` are the turns before which the session went back, each time.
    pub fn finish(self, dialog: &mut Dialog, answering: &[Answering], taken_back: Vec<Vec<usize>>) {
        for turn in self.told {
            dialog.turns[turn].set_aside();
        }
        let mut branches = self.branches;
        branches.retain(|branch| !branch.turns.is_empty());
        if let [only] = branches.as_slice()
            && only.turns.len() == dialog.turns.len()
        {
            if self.ids.contains_key(&only.id) {
                dialog.id = format!("{}{BEFORE_BRANCH}{}", dialog.id, only.id);
            }
            branches.clear();
        }
        let mut by_turn: HashMap<usize, Vec<&Answering>> = HashMap::new();
        for answer in answering.iter().filter(|_| !self.started.is_empty()) {
            by_turn.entry(answer.turn).or_default().push(answer);
        }
        for Started { turn, at, id } in self.started {
            // A turn may have several answers, with an id in each, or an id beside them.
            let own = by_turn.get(&turn).map_or(&[][..], Vec::as_slice);
            let is_inside = |answer: &&&Answering| {
                answer.element.start <= at.start && at.end <= answer.element.end
            };
            let Some(answer) = own.iter().find(is_inside).or(own.last()) else {
                continue;
            };
            let asked = Some(answer.asked);
            match branches.iter_mut().find(|branch| branch.id == id) {
                Some(branch) => branch.asked = asked,
                None => branches.push(Branch { id, asked, ..Branch::default() }),
            }
        }
        if branches.iter().any(|branch| branch.asked.is_none()) {
            find_callers(&mut branches, dialog);
        }
        for turns in taken_back {
            let id = (branches.len() + 1).to_string().into();
            branches.push(Branch { id, asked: None, turns, taken_back: true });
        }
        for turn in branches.iter().flat_map(|branch| &branch.turns) {
            dialog.turns[*turn].set_aside();
        }
        dialog.branches.0 = branches;
    }
}

/// Finds the call that started each branch, where nothing names it: one before it, with its first text as an argument.
fn find_callers(branches: &mut [Branch], dialog: &Dialog) {
    let mut by_text: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (number, turn) in dialog.turns.iter().enumerate() {
        for (position, call) in turn.calls.iter().enumerate() {
            let Some(Payload::Fields(fields)) = &call.arguments else {
                continue;
            };
            for field in fields {
                if let Content::Text(text) = &field.content {
                    by_text.entry(text).or_default().push((number, position));
                }
            }
        }
    }
    let known = branches.iter().filter_map(|branch| branch.asked);
    let mut taken: Vec<_> = known.collect();
    for branch in branches.iter_mut().filter(|branch| branch.asked.is_none()) {
        let first = branch.turns[0];
        let text = dialog.turns[first].text.as_str();
        let calls = by_text.get(text).filter(|_| !text.is_empty());
        let mut calls = calls.into_iter().flatten();
        branch.asked = calls.find(|asked| asked.0 < first && !taken.contains(asked)).copied();
        taken.extend(branch.asked);
    }
}

/// Returns the text at a place; empty if there is none, or null.
fn text(place: &Place, trail: &Trail<'_>) -> Short {
    let value = trail.find(place).and_then(Found::value);
    let value = value.filter(|value| value.kind() != NodeKind::Null);
    value.map(|value| Found::Value(value).text()).unwrap_or_default()
}

/// Returns the first line of a text, cut if it is long.
fn shortened(text: &str) -> String {
    cut(text.trim().lines().next().unwrap_or_default(), LONGEST)
}
