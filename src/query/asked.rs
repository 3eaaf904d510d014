//! Finds what a name means under a key, and which turns of a dialog have it.
//!
//! A name means the member called exactly so if there is one; else the members whose paths end in it;
//! else all members with it in their paths. So `reward` never counts what `info.reward_info` holds.

use std::collections::HashSet;
use std::ops::Range;

use super::keys::{ConditionKey, Found, Scene, Scope, Takes};
use super::target::Target;
use super::value::{Closeness, FoundValue, NamePattern, Value};

/// A list among which the closest names count: of a call, of a turn or of the dialog.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    turn: usize,
    call: Option<usize>,
    /// A text in place of members is found beside them.
    is_plain: bool,
}

/// A name under a key.
#[derive(Clone, Copy)]
pub(super) struct Asked<'q> {
    pub key: &'static ConditionKey,
    /// None for any.
    pub name: Option<&'q NamePattern>,
    /// False if values make no difference.
    pub wants_values: bool,
}

impl Asked<'_> {
    /// Passes all that a turn has under a name like this to `see`, and how close the name is.
    pub fn each(
        self,
        target: &Target<'_>,
        at: usize,
        see: &mut dyn FnMut(List, Closeness, &Found<'_>),
    ) {
        let Self { key, name, wants_values } = self;
        let scene = Scene { target, at, turn: &target.dialog.turns[at], name, wants_values };
        (key.each)(&scene, &mut |found| {
            let is_named = |text: &str| name.is_none_or(|name| name.matches(text));
            let exact = |is_named: bool| is_named.then_some(Closeness::Exact);
            let close = match (found.value, name) {
                (Value::Plain(text), _) => exact(is_named(text)),
                (Value::Text(text), _) if key.takes != Takes::Pair => exact(is_named(text)),
                // The elements of a list alone have no name.
                (_, Some(name)) if key.scope != Scope::None => {
                    name.closeness(found.path).filter(|_| !found.path.is_empty())
                }
                _ => exact(is_named(found.path)),
            };
            if let Some(close) = close {
                let list = List {
                    turn: if key.scope == Scope::Dialog { 0 } else { at },
                    call: found.place.call().filter(|_| key.scope == Scope::Call),
                    is_plain: matches!(found.value, Value::Plain(_)),
                };
                see(list, close, &found);
            }
        });
    }

    /// For each of these turns, what `keep` makes of that which the name means. Where the closest names of the whole
    /// dialog count, the turns have to be all.
    pub fn kept<T: Clone>(
        self,
        target: &Target<'_>,
        turns: Range<usize>,
        keep: &mut dyn FnMut(&Found<'_>) -> Option<T>,
    ) -> Vec<Vec<T>> {
        struct Closest<T> {
            list: List,
            close: Closeness,
            kept: Vec<(Option<usize>, T)>,
        }
        let mut all: Vec<Closest<T>> = Vec::new();
        for at in turns.clone() {
            self.each(target, at, &mut |list, close, found| {
                if all.last().is_none_or(|last| last.list != list) {
                    all.push(Closest { list, close, kept: Vec::new() });
                }
                let Some(last) = all.last_mut().filter(|last| close <= last.close) else {
                    return;
                };
                if close < last.close {
                    last.close = close;
                    last.kept.clear();
                }
                let turn = (!found.is_of_dialog).then_some(at);
                last.kept.extend(keep(found).map(|kept| (turn, kept)));
            });
        }
        let mut of_turns = vec![Vec::new(); turns.len()];
        for (turn, kept) in all.into_iter().flat_map(|closest| closest.kept) {
            match turn {
                Some(turn) => of_turns[turn - turns.start].push(kept),
                None => of_turns.iter_mut().for_each(|turn| turn.push(kept.clone())),
            }
        }
        of_turns
    }

    /// True if no turn has anything of its own that the name means.
    pub fn is_about_dialog(self, target: &Target<'_>) -> bool {
        let turns = 0..target.dialog.turns.len();
        let kept = self.kept(target, turns, &mut |found| Some(found.is_of_dialog));
        kept.iter().flatten().all(|is_of_dialog| *is_of_dialog)
    }

    /// For each turn, the values that are compared with a variable, without repetitions; with a person, only what that one
    /// said.
    pub fn compared(self, target: &Target<'_>, person: Option<&str>) -> Vec<Vec<FoundValue>> {
        let turns = 0..target.dialog.turns.len();
        let kept = self.kept(target, turns, &mut |found| match found.value {
            Value::Text(text) if found.is_by(person) => Some(text.to_owned()),
            _ => None,
        });
        let distinct = |values: Vec<String>| {
            let mut known = HashSet::new();
            let values = values.iter().map(|text| FoundValue::of(text));
            values.filter(|value| known.insert(value.key().clone())).collect()
        };
        kept.into_iter().map(distinct).collect()
    }
}
