//! The lists of dialogs, each of which may have their turns.

use std::collections::HashMap;

use super::super::place::Step;
use super::columns::{Cell, items, last_name};
use super::leaves::role_of_member;
use super::spelling::place;
use crate::json::{NodeKind, Value};

/// How deep lists are in dialogs, in members.
const DEPTH: usize = 3;
/// The elements of each list, and of all lists at a place, to look at.
const ELEMENTS: usize = 500;
const ALL_ELEMENTS: usize = 10_000;
/// The most places that are compared.
const PLACES: usize = 500;

/// A list in the same place of several dialogs.
pub struct List<'a> {
    pub at: Vec<Step>,
    pub each: Step,
    /// The list of each dialog that has it, or several of one dialog.
    pub lists: Vec<Value<'a>>,
}

impl<'a> List<'a> {
    pub fn turns(&self) -> Vec<Cell<'a>> {
        let lists = self.lists.iter().enumerate();
        let all = lists.flat_map(|(object, list)| {
            items(*list, &self.each).take(ELEMENTS).map(move |value| Cell { object, value })
        });
        all.take(ALL_ELEMENTS).collect()
    }

    pub fn lengths(&self) -> impl Iterator<Item = usize> {
        self.lists.iter().map(|list| items(*list, &self.each).count())
    }

    /// True for two members of one object whose lists are of the same length in every dialog.
    pub fn is_parallel(&self, other: &Self) -> bool {
        let (Some((Step::Member(own), before)), Some((Step::Member(name), parent))) =
            (self.at.split_last(), other.at.split_last())
        else {
            return false;
        };
        own != name && parent == before && self.lengths().eq(other.lengths())
    }

    /// True for a list in elements that are in a list themselves.
    pub fn is_nested(&self) -> bool {
        is_nested(&self.at)
    }

    /// True if a name on the way to it is that of a user's or of a system's turns, such as `more_answers.first`.
    pub fn has_role(&self) -> bool {
        let is_role =
            |step: &Step| matches!(step, Step::Member(name) if role_of_member(name).is_some());
        self.at.iter().any(is_role)
    }

    /// How likely texts are those of turns: by their length, and by what else there is.
    pub fn score(&self, length: usize, has_speaker: bool, is_named: bool) -> usize {
        let usual = [
            "dial",
            "turn",
            "utter",
            "log",
            "conv",
            "message",
            "chat",
            "transcript",
            "talk",
            "event",
        ];
        let name = last_name(&self.at).to_lowercase();
        let is_usual = usual.iter().any(|usual| name.contains(usual));
        length
            * (2 + 2 * usize::from(has_speaker) + 2 * usize::from(is_named) + usize::from(is_usual))
    }
}

/// True for a way to a member of the elements of a list.
pub fn is_nested(at: &[Step]) -> bool {
    at.windows(2).any(|pair| matches!(pair, [Step::Elements, Step::Member(_)]))
}

/// Returns the lists of dialogs, those in the same place together.
pub fn all_lists<'a>(dialogs: &[Value<'a>]) -> Vec<List<'a>> {
    let mut all: Vec<List<'a>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for dialog in dialogs {
        visit_lists(*dialog, &mut Vec::new(), &mut |at, each, list| {
            let place = place(&[at, std::slice::from_ref(&each)].concat());
            match known.get(&place) {
                Some(number) => all[*number].lists.push(list),
                None if all.len() == PLACES => {}
                None => {
                    known.insert(place, all.len());
                    all.push(List { at: at.to_vec(), each, lists: vec![list] });
                }
            }
        });
    }
    all
}

/// Calls `visit` with every list in `value`, down to some depth.
fn visit_lists<'a>(
    value: Value<'a>,
    at: &mut Vec<Step>,
    visit: &mut dyn FnMut(&[Step], Step, Value<'a>),
) {
    let kind = |value: &Value<'_>| value.kind();
    let depth = at.iter().filter(|step| matches!(step, Step::Member(_))).count();
    if value.kind() == NodeKind::Array {
        visit(at, Step::Elements, value);
        let is_deep = at.iter().filter(|step| **step == Step::Elements).count() > 1;
        if is_deep || is_nested(at) {
            return;
        }
        // Turns in parts of a dialog.
        for (key, list) in value.elements().flat_map(Value::members) {
            if list.kind() == NodeKind::Array {
                let name = Step::Member(key.as_str().unwrap_or_default().into_owned());
                visit(&[at.as_slice(), &[Step::Elements, name]].concat(), Step::Elements, list);
            }
        }
        let inner: Vec<_> =
            value.elements().filter(|inner| kind(inner) == NodeKind::Array).collect();
        // The parts of a pair, such as the turns and notes about them.
        let firsts: Vec<_> =
            inner.iter().map(|list| list.elements().next().map(Value::kind)).collect();
        let is_pair = (2..=4).contains(&inner.len()) && inner.len() == value.elements().count();
        if is_pair && firsts[1..].iter().all(|first| *first != firsts[0]) {
            for (position, list) in inner.into_iter().enumerate() {
                at.push(Step::Position(position));
                visit(at, Step::Elements, list);
                at.pop();
            }
            return;
        }
        at.push(Step::Elements);
        for list in inner {
            visit_lists(list, at, visit);
        }
        at.pop();
        return;
    }
    let members: Vec<_> = value.members().take(2).collect();
    if members.len() > 1 && value.members().all(|(_, member)| kind(&member) == NodeKind::Object) {
        visit(at, Step::Members, value);
    }
    for (key, member) in value.members() {
        let is_near = depth + 1 < DEPTH && !at.contains(&Step::Elements);
        if kind(&member) == NodeKind::Array || kind(&member) == NodeKind::Object && is_near {
            at.push(Step::Member(key.as_str().unwrap_or_default().into_owned()));
            visit_lists(member, at, visit);
            at.pop();
        }
    }
}
