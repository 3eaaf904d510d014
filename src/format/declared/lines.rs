//! The lines of a session that name each other: which are written again, and which were taken back.
//!
//! The path from the last line that is a turn up to the first is the dialog. A turn beside it was taken back, and with it
//! everything that follows it, unless it is a part of a message on the path or answers a call there: an agent that
//! calls several tools at once has lines with several followers. Lines without a turn stay with the line that they follow.

use foldhash::{HashMap, HashSet};

use super::description::{Description, PartsRule, TurnRule};
use super::forms::PlaceOr;
use super::place::Place;
use super::trail::{Found, Trail, text_of};
use crate::dialog::{Role, Short, Turn};
use crate::json::{NodeKind, Value};

/// The lines of a dialog, found element by element.
#[derive(Default)]
pub struct Lines<'a> {
    all: Vec<Line<'a>>,
    /// The last line with each id, as it is written.
    by_id: HashMap<&'a str, usize>,
    /// The line with which the dialog ends, if it names one.
    last: Option<usize>,
    /// The line that the first one follows. While it is not here, other lines may be missing, too.
    start: Option<(Value<'a>, &'static Place)>,
    /// The first value that should be the id of an earlier line and is not, with its place.
    pub lost: Option<(Value<'a>, &'static Place)>,
}

struct Line<'a> {
    element: Value<'a>,
    /// Its turn.
    read: Option<usize>,
    /// Its turn, if that is in no side branch.
    turn: Option<usize>,
    /// Somebody says the turn, or it is an answer.
    is_spoken: bool,
    /// The session went back here.
    goes_back: bool,
    /// The line that it follows, which is always an earlier one.
    after: Option<usize>,
    /// The message that it is a part of, as it is written; empty if none is named.
    message: &'a str,
}

/// How a line belongs to the dialog.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Path,
    /// Beside the path and in the dialog.
    Beside,
    Back(usize),
}

/// An element with the id of an earlier one.
pub struct Again {
    /// The turn of the earlier one.
    pub first: usize,
    /// Both hold the same.
    pub is_same: bool,
}

impl<'a> Lines<'a> {
    /// Returns the earlier turn with the id of an element that may be one.
    pub fn again(&self, description: &Description, trail: &Trail<'a>) -> Option<Again> {
        let id = written(description.turn.0[0].line.as_ref()?, trail)?;
        let first = &self.all[*self.by_id.get(id.raw())?];
        let contents = |element| contents(description, element);
        let is_same = contents(first.element) == contents(trail.here().value);
        first.read.map(|first| Again { first, is_same })
    }

    /// Adds an element with its turn, and with that again if it is in no side branch.
    pub fn add(
        &mut self,
        rule: &'static TurnRule,
        trail: &Trail<'a>,
        read: Option<usize>,
        (turn, is_spoken): (Option<usize>, bool),
    ) {
        let Some(line) = &rule.line else {
            return;
        };
        let number = self.all.len();
        let is_first = self.by_id.is_empty();
        let named = |place: &'static Option<Place>| {
            let place = place.as_ref()?;
            Some((written(place, trail)?, place))
        };
        let (after, back) = (named(&rule.after), named(&rule.back));
        let known = |(id, _): (Value<'a>, _)| self.by_id.get(id.raw()).copied();
        let goes_back = back.and_then(known);
        let follows = after.and_then(known);
        let is_lost = follows.is_none() && goes_back.is_none();
        let begins = is_lost && self.begins(rule, trail, after.map(|(id, _)| id));
        if is_lost && is_first {
            self.start = after;
        } else if is_lost && !begins && self.start.is_none() && (turn.is_some() || back.is_some()) {
            self.lost = self.lost.or(after).or(back);
        }
        if let Some(id) = written(line, trail) {
            self.by_id.insert(id.raw(), number);
            let comes_late = self.start.filter(|(start, _)| start.raw() == id.raw());
            self.lost = self.lost.or(comes_late);
        }
        let message = rule.message.as_ref().and_then(|place| written(place, trail));
        self.all.push(Line {
            element: trail.here().value,
            read,
            turn,
            is_spoken,
            goes_back: goes_back.is_some(),
            // Without a line that it names, it follows the one before it in the file.
            after: match goes_back {
                Some(first) => first.checked_sub(1),
                None if begins => None,
                None => follows.or(number.checked_sub(1)),
            },
            message: message.map_or("", Value::raw),
        });
    }

    /// True if a line that follows no known one begins a dialog of its own: it follows what the first one does or, in
    /// files in any order, says what it follows.
    fn begins(&self, rule: &TurnRule, trail: &Trail<'a>, after: Option<Value<'a>>) -> bool {
        let start = self.start.map(|(start, _)| start.raw());
        let named = rule.after.as_ref().filter(|_| rule.last.is_some());
        start.is_some() && start == after.map(Value::raw)
            || named.is_some_and(|named| trail.find(named).is_some())
    }

    /// Sets the line with which the dialog ends.
    pub fn end_with(&mut self, last: &Place, dialog: &Trail<'a>) {
        let id = written(last, dialog);
        self.last = id.and_then(|id| self.by_id.get(id.raw()).copied());
    }

    /// Returns the id of the line of the first turn; empty if it has none.
    pub fn first(&self, rule: &TurnRule) -> Short {
        let line = self.all.iter().find(|line| line.read.is_some());
        let trail = line.map(|line| Trail::new(line.element, None));
        let id = trail.and_then(|trail| written(rule.line.as_ref()?, &trail));
        id.map(text_of).unwrap_or_default()
    }

    /// Returns the turns that were taken back, each time that the session went back. `answers` returns the turns with
    /// answers, each with the turn of the call.
    pub fn taken_back(
        &self,
        turns: &[Turn],
        answers: impl FnOnce() -> Vec<(usize, usize)>,
    ) -> Vec<Vec<usize>> {
        let ends = |line: &Line<'_>| line.goes_back || line.turn.is_some() && line.is_spoken;
        let mut path = self.last.or_else(|| self.all.iter().rposition(ends));
        let mut sides: Vec<Option<Side>> = vec![None; self.all.len()];
        let (mut in_dialog, mut messages) = (vec![false; turns.len()], HashSet::default());
        while let Some(number) = path {
            let line = &self.all[number];
            sides[number] = Some(Side::Path);
            messages.insert(line.message);
            line.turn.into_iter().for_each(|turn| in_dialog[turn] = true);
            path = line.after;
        }
        let mut back: Vec<Vec<usize>> = Vec::new();
        let mut all = self.all.iter().zip(&sides);
        if all.all(|(line, side)| side.is_some() || line.turn.is_none()) {
            return back;
        }
        let answers: HashMap<usize, usize> = answers().into_iter().collect();
        for (number, line) in self.all.iter().enumerate() {
            let before = line.after.and_then(|after| sides[after]).unwrap_or(Side::Path);
            let side = match (sides[number], before, line.turn) {
                (Some(side), ..) => side,
                (None, Side::Back(_), _) | (None, _, None) => before,
                (None, _, Some(_)) if !line.is_spoken => before,
                (None, _, Some(turn)) => {
                    let is_part = !line.message.is_empty() && messages.contains(line.message);
                    let is_answer = answers.get(&turn).is_some_and(|asked| in_dialog[*asked]);
                    // What a tool adds to an answer.
                    let is_more =
                        before == Side::Beside && turns[turn].speaker.role != Role::System;
                    if is_part || is_answer || is_more {
                        Side::Beside
                    } else {
                        back.push(Vec::new());
                        Side::Back(back.len() - 1)
                    }
                }
            };
            sides[number] = Some(side);
            match (line.turn, side) {
                (Some(turn), Side::Back(branch)) => back[branch].push(turn),
                (Some(turn), _) => in_dialog[turn] = true,
                (None, _) => {}
            }
        }
        back
    }
}

/// Returns the elements that may be turns, each after the one that it follows, and else as they are written.
pub fn in_order<'a>(
    rule: &TurnRule,
    description: &Description,
    dialog: &mut Trail<'a>,
) -> Vec<Trail<'a>> {
    let mut elements: Vec<Option<Trail<'a>>> = Vec::new();
    let mut by_id: HashMap<&str, usize> = HashMap::default();
    description.each_turn(dialog, &mut |element| {
        let id = rule.line.as_ref().and_then(|line| written(line, element));
        by_id.extend(id.map(|id| (id.raw(), elements.len())));
        elements.push(Some(element.clone()));
    });
    let mut order = Vec::with_capacity(elements.len());
    for number in 0..elements.len() {
        let (mut way, mut next) = (Vec::new(), Some(number));
        while let Some(element) = next.and_then(|next| elements[next].take()) {
            let after = rule.after.as_ref().and_then(|after| written(after, &element));
            next = after.and_then(|after| by_id.get(after.raw()).copied());
            way.push(element);
        }
        order.extend(way.into_iter().rev());
    }
    order
}

/// Returns the value at a place, unless it is empty or null.
fn written<'a>(place: &Place, trail: &Trail<'a>) -> Option<Value<'a>> {
    let value = trail.find(place).and_then(Found::value)?;
    (value.kind() != NodeKind::Null && !value.is_text("")).then_some(value)
}

/// Returns who says an element, its texts, parts and calls, as they are written.
fn contents<'a>(description: &Description, element: Value<'a>) -> Vec<&'a str> {
    let mut trail = Trail::new(element, None);
    let rule = &description.turn.0[0];
    let calls = description.call.0.iter().map(|call| &call.at);
    let places =
        [rule.text.at()].into_iter().chain(rule.parts.0.iter().map(PlaceOr::<PartsRule>::at));
    let places = places.chain(&rule.speaker).chain(calls.filter(|at| **at != Place::here()));
    let mut all: Vec<_> = rule.reasoning(&trail).into_iter().map(Value::raw).collect();
    for place in places {
        trail.each(place, &mut |trail| all.push(trail.here().value.raw()));
    }
    all
}
