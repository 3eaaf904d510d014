//! Follows places through a parsed dialog.

use super::forms::{Is, Parts};
use super::place::{Place, Step, Target};
use crate::dialog::{Content, Short};
use crate::json::{NodeKind, Value};

/// A value on the way to an element, and how it was reached.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    pub value: Value<'a>,
    /// The name of the last member on the way.
    pub key: Option<Value<'a>>,
    /// The position of the last element on the way.
    pub index: usize,
    /// True if it is one of several: reached by `[*]` or `{*}`.
    is_one_of_several: bool,
}

/// The values from the dialog down to an element.
#[derive(Clone)]
pub struct Trail<'a> {
    stops: Vec<Stop<'a>>,
    /// The position of the turn that contains the element.
    pub turn: usize,
    /// The number of elements that may hold turns, if it is known. A list beside the turns with another number of
    /// elements says nothing about any of them.
    pub turns: Option<usize>,
}

/// Something that a place leads to.
#[derive(Clone, Copy)]
pub enum Found<'a> {
    Value(Value<'a>),
    Key(Value<'a>),
    Index(usize),
}

impl<'a> Found<'a> {
    /// It as text: a string decoded, anything else as it is written.
    pub fn text(self) -> Short {
        match self {
            Self::Value(value) | Self::Key(value) => text_of(value),
            Self::Index(index) => index.to_string().into(),
        }
    }

    pub fn content(self) -> Content {
        match self {
            Self::Value(value) => Content::of(value),
            other => Content::Text(other.text()),
        }
    }

    /// Returns the value, unless it is a name or a position.
    pub fn value(self) -> Option<Value<'a>> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// Returns a string decoded, and anything else as it is written.
pub fn text_of(value: Value<'_>) -> Short {
    match value.as_str() {
        Some(text) => text.into(),
        None => value.raw().into(),
    }
}

impl<'a> Trail<'a> {
    pub fn new(root: Value<'a>, key: Option<Value<'a>>) -> Self {
        let stop = Stop { value: root, key, index: 0, is_one_of_several: false };
        Self { stops: vec![stop], turn: 0, turns: None }
    }

    /// Returns the element at its end.
    pub fn here(&self) -> Stop<'a> {
        self.stops[self.stops.len() - 1]
    }

    /// Returns the container of the element; None for the dialog.
    pub fn parent(&self) -> Option<Stop<'a>> {
        let above = self.stops.len().checked_sub(2)?;
        Some(self.stops[above])
    }

    /// How many stops remain after going up: to the object around each time, or to an array that is one of
    /// several. Before a name, only an object counts.
    fn above(&self, place: &Place) -> Option<usize> {
        let mut left = self.stops.len();
        let counts =
            |stop: &Stop<'_>| stop.is_one_of_several || stop.value.kind() == NodeKind::Object;
        for _ in 0..place.up {
            left = self.stops[..left - 1].iter().rposition(counts)? + 1;
        }
        if place.up > 0 && matches!(place.steps.first(), Some(Step::Member(_))) {
            let is_object = |stop: &Stop<'_>| stop.value.kind() == NodeKind::Object;
            left = self.stops[..left].iter().rposition(is_object)? + 1;
        }
        Some(left)
    }

    /// Returns the first value that `place` leads to.
    pub fn find(&self, place: &Place) -> Option<Found<'a>> {
        let found = self.find_only(place);
        found.or_else(|| place.or.iter().find_map(|place| self.find_only(place)))
    }

    /// Like [`Self::find`], without the places that count if this one does not exist.
    pub fn find_only(&self, place: &Place) -> Option<Found<'a>> {
        let stop = self.stops[self.above(place)? - 1];
        first(stop, &place.steps, place.target, self.beside())
    }

    /// Returns the first value that the first `count` steps of `place` lead to.
    pub fn find_of(&self, place: &Place, count: usize) -> Option<Value<'a>> {
        let stop = self.stops[self.above(place)? - 1];
        first(stop, &place.steps[..count], Target::Value, self.beside())?.value()
    }

    /// Returns the way to an element that the container at its end does not have yet.
    #[must_use]
    pub fn to_new_element(&self) -> Self {
        let mut trail = self.clone();
        let here = self.here();
        trail.stops.push(Stop { is_one_of_several: true, ..here });
        trail
    }

    /// Returns the first value that `place` leads to, as text; empty if there is none.
    pub fn text(&self, place: &Place) -> Short {
        self.find(place).map(Found::text).unwrap_or_default()
    }

    /// Calls `visit` at every value that `place` leads to.
    pub fn each(&mut self, place: &Place, visit: &mut dyn FnMut(&mut Self)) {
        let mut all = place.all();
        let place = if place.or.is_empty() {
            Some(place)
        } else {
            all.find(|place| self.find_only(place).is_some())
        };
        if let Some(place) = place {
            self.each_of(place, place.steps.len(), visit);
        }
    }

    /// Like [`Self::each`], for the first `count` steps of `place`.
    pub fn each_of(&mut self, place: &Place, count: usize, visit: &mut dyn FnMut(&mut Self)) {
        let Some(left) = self.above(place) else {
            return;
        };
        let below = self.stops.split_off(left);
        self.walk(&place.steps[..count], visit);
        self.stops.extend(below);
    }

    /// Calls `visit` at every value that `steps` lead to.
    pub fn walk(&mut self, steps: &[Step], visit: &mut dyn FnMut(&mut Self)) {
        let Some((step, rest)) = steps.split_first() else {
            visit(self);
            return;
        };
        let here = self.here();
        match step {
            Step::Elements => {
                for (index, value) in here.value.elements().enumerate() {
                    self.step(
                        Stop { value, index, key: here.key, is_one_of_several: true },
                        rest,
                        visit,
                    );
                }
            }
            Step::Members => {
                for (index, (key, value)) in here.value.members().enumerate() {
                    self.step(
                        Stop { value, index, key: Some(key), is_one_of_several: true },
                        rest,
                        visit,
                    );
                }
            }
            one => {
                if let Some(stop) = next(here, one, self.beside()) {
                    self.step(stop, rest, visit);
                }
            }
        }
    }

    /// Returns what steps in lists beside the turns need.
    fn beside(&self) -> Beside {
        Beside { turn: self.turn, turns: self.turns }
    }

    fn step(&mut self, stop: Stop<'a>, rest: &[Step], visit: &mut dyn FnMut(&mut Self)) {
        self.stops.push(stop);
        self.walk(rest, visit);
        self.stops.pop();
    }
}

/// The position of a turn in lists beside the turns, and the length of these lists if it is known.
#[derive(Clone, Copy)]
struct Beside {
    turn: usize,
    turns: Option<usize>,
}

/// Returns the value that a step which leads to one value leads to.
fn next<'a>(here: Stop<'a>, step: &Step, beside: Beside) -> Option<Stop<'a>> {
    let of = |value, key, index| Stop { value, key, index, is_one_of_several: false };
    match step {
        Step::Member(name) => {
            let (key, value) = here.value.member(name)?;
            Some(of(value, Some(key), here.index))
        }
        Step::Position(at) => Some(of(here.value.elements().nth(*at)?, here.key, *at)),
        Step::SamePosition => {
            let turn = beside.turn;
            let mut elements = here.value.elements();
            let element = elements.nth(turn)?;
            let is_own = beside.turns.is_none_or(|turns| elements.count() + turn + 1 == turns);
            is_own.then(|| of(element, here.key, turn))
        }
        Step::Elements | Step::Members => None,
    }
}

fn first<'a>(here: Stop<'a>, steps: &[Step], target: Target, beside: Beside) -> Option<Found<'a>> {
    let Some((step, rest)) = steps.split_first() else {
        return match target {
            Target::Value => Some(Found::Value(here.value)),
            Target::Key => here.key.map(Found::Key),
            Target::Index => Some(Found::Index(here.index)),
        };
    };
    let stop = |value, key, index| Stop { value, key, index, is_one_of_several: true };
    match step {
        Step::Elements => {
            let mut elements = here.value.elements().enumerate();
            elements.find_map(|(i, value)| first(stop(value, here.key, i), rest, target, beside))
        }
        Step::Members => {
            let mut members = here.value.members().enumerate();
            members.find_map(|(i, (key, value))| {
                first(stop(value, Some(key), i), rest, target, beside)
            })
        }
        one => first(next(here, one, beside)?, rest, target, beside),
    }
}

/// Calls `visit` at every element at `at`, relative to the turn, at which the place `when` exists.
pub fn each<'a>(
    trail: &mut Trail<'a>,
    at: &Place,
    when: Option<&Place>,
    visit: &mut dyn FnMut(&mut Trail<'a>),
) {
    trail.each(at, &mut |trail| {
        if when.is_none_or(|when| trail.find(when).is_some()) {
            visit(trail);
        }
    });
}

/// Any value, in conditions.
const ANY: &str = "*";

/// Before a value, any other one.
const NOT: char = '!';

impl Is {
    /// True if every place has one of its values: `*` is any but null, `!` and a value any but null and that, and the empty
    /// text is that of a place which does not exist.
    pub fn holds(&self, trail: &Trail<'_>) -> bool {
        self.0.iter().all(|(place, values)| {
            let found = trail.text(place);
            let is_there = !found.is_empty() && found != "null";
            let is_other = |value: &str| value.strip_prefix(NOT).is_some_and(|not| found != not);
            let is =
                |value: &String| *value == found || is_there && (value == ANY || is_other(value));
            values.0.iter().any(is)
        })
    }
}

/// Returns the parts of a name, joined by dots; parts that do not exist are left out.
pub fn joined(parts: &Parts, trail: &Trail<'_>) -> Short {
    if let [only] = parts.0.as_slice() {
        return trail.text(only);
    }
    let mut all = Short::default();
    for part in parts.0.iter().filter_map(|part| trail.find(part)) {
        if !all.is_empty() {
            all.push('.');
        }
        all.push_str(&part.text());
    }
    all
}
