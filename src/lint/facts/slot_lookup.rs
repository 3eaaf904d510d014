//! Lookups of slots and their values, built once per dialog.

use std::borrow::Cow;
use std::cell::OnceCell;

use foldhash::{HashMap, HashMapExt as _};
use memchr::memmem;

use super::mention::Mention;
use super::subject::Subject;
use super::tokens::{covered, first_difference, tokens, words};
use crate::dialog::{Content, StateSlot, Turn};

/// The lookup tables for the slots of one dialog.
#[derive(Default)]
pub(super) struct SlotLookup<'a> {
    said: OnceCell<HashMap<(&'a str, Cow<'a, str>), usize>>,
    times: OnceCell<HashMap<(&'a str, &'a str), usize>>,
    letters: OnceCell<Letters>,
    differ: OnceCell<Vec<bool>>,
}

/// Returns the values that a segment covers: in the text and, if the tokens differ from the text, in the tokens.
fn texts_of<'a>(
    mention: &Mention<'a>,
    turn: &'a Turn,
    differs: bool,
) -> impl Iterator<Item = Cow<'a, str>> {
    let span = mention.of.span.filter(|_| differs && !turn.tokens.is_empty());
    let others = span.into_iter().flat_map(|span| {
        [covered(&tokens(turn), span), covered(&words(turn), span)].into_iter().flatten()
    });
    std::iter::once(Cow::Borrowed(mention.text())).chain(others.map(Cow::Owned))
}

impl<'a> Subject<'a> {
    /// True if the tokens of a turn differ from its text.
    pub fn tokens_differ(&self, number: usize) -> bool {
        let differs = |(_, turn): (usize, &Turn)| first_difference(turn).is_some();
        self.slots.differ.get_or_init(|| self.turns().map(differs).collect())[number]
    }

    /// Returns the first turn in which an act has the value for the slot, or a segment of the slot covers it.
    pub fn first_said(&self, slot: &str, value: &str) -> Option<usize> {
        let said = self.slots.said.get_or_init(|| {
            let mut first = HashMap::new();
            let mut mentions = self.mentions();
            for (number, turn) in self.turns() {
                for said in turn.acts.iter().flat_map(|act| &act.slots) {
                    let value = said.value.as_ref().map(Content::as_str);
                    let values = value.into_iter().flat_map(|v| v.split('|').chain([v]));
                    for value in values {
                        let key = (said.slot.as_str(), Cow::Borrowed(value));
                        first.entry(key).or_insert(number);
                    }
                }
                let behind = mentions.partition_point(|m| m.turn == number);
                let own;
                (own, mentions) = mentions.split_at(behind);
                let differs = !own.is_empty() && self.tokens_differ(number);
                for mention in own {
                    for text in texts_of(mention, turn, differs) {
                        first.entry((mention.label(), text)).or_insert(number);
                    }
                }
            }
            first
        });
        said.get(&(slot, Cow::Borrowed(value))).copied()
    }

    /// Returns the number of acts and states of the dialog that have `value` for `slot`.
    pub fn times_said(&self, slot: &str, value: &str) -> usize {
        let times = self.slots.times.get_or_init(|| {
            let mut times: HashMap<_, usize> = HashMap::new();
            for (_, turn) in self.turns() {
                for (slot, value) in values(turn) {
                    let mut parts: Vec<_> = value.split('|').chain([value]).collect();
                    parts.sort_unstable();
                    parts.dedup();
                    for part in parts {
                        *times.entry((slot, part)).or_default() += 1;
                    }
                }
            }
            times
        });
        times.get(&(slot, value)).copied().unwrap_or_default()
    }

    /// Returns the first turn that mentions a value of the state, ignoring spaces and punctuation between letters.
    pub fn first_in_letters(&self, value: &str) -> Option<usize> {
        let Letters { text, ends } = self.slots.letters.get_or_init(|| {
            let mut all = Letters::default();
            for (_, turn) in self.turns() {
                all.text.push_str(&letters(&turn.text));
                all.ends.push(all.text.len());
                all.text.push('\n');
            }
            all
        });
        let value = letters(value);
        // A value without letters matches everywhere.
        let at = memmem::find(text.as_bytes(), value.as_bytes())?;
        Some(ends.partition_point(|end| *end < at + value.len()))
    }
}

/// The letters of all turns, in lower case.
#[derive(Default)]
struct Letters {
    text: String,
    /// The end of each turn, in bytes.
    ends: Vec<usize>,
}

fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// The slots of a state, by name.
#[derive(Clone, Copy)]
pub struct StateSlots<'t>(pub &'t [StateSlot]);

impl<'t> StateSlots<'t> {
    fn named(self, name: &str) -> impl Iterator<Item = &'t StateSlot> {
        self.0.iter().filter(move |slot| slot.slot == name)
    }

    /// Returns the first slot with this name.
    pub fn first(self, name: &str) -> Option<&'t StateSlot> {
        self.named(name).next()
    }

    /// True if a slot with this name has the value.
    pub fn has(self, name: &str, value: &str) -> bool {
        self.named(name).any(|slot| slot.value.as_str() == value)
    }

    /// True if there is more than one slot with this name.
    pub fn has_several(self, name: &str) -> bool {
        self.named(name).nth(1).is_some()
    }
}

/// Returns the values of slots in the acts and the state of a turn, each with its slot.
fn values(turn: &Turn) -> impl Iterator<Item = (&str, &str)> {
    let acts = turn.acts.iter().flat_map(|act| &act.slots);
    let acts = acts.filter_map(|slot| Some((slot.slot.as_str(), slot.value.as_ref()?.as_str())));
    let state = turn.state.iter().flatten();
    acts.chain(state.map(|slot| (slot.slot.as_str(), slot.value.as_str())))
}
