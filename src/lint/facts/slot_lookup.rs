//! Lookups of slots and their values, built once per dialog, and per turn if it has many.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::first_occurrence::first_ends;
use super::mention::Mention;
use super::subject::Subject;
use super::tokens::{covered, first_difference, is_broken, tokens, words};
use crate::dialog::{Content, Span, StateSlot, Turn};

/// The lookup tables for the slots of one dialog.
#[derive(Default)]
pub(super) struct SlotLookup<'a> {
    said: OnceCell<HashMap<(&'a str, Cow<'a, str>), usize>>,
    times: OnceCell<HashMap<(&'a str, &'a str), usize>>,
    letters: OnceCell<HashMap<String, usize>>,
    turns: RefCell<HashMap<usize, Rc<TurnSlots<'a>>>>,
}

/// Turns with fewer elements are searched linearly.
const FEW: usize = 64;

/// The slots of a turn with many elements.
pub struct TurnSlots<'a> {
    /// Labels of segments with the values that they cover.
    says: HashSet<(&'a str, Cow<'a, str>)>,
    /// Labels of segments that are empty or extend past the tokens.
    broken: HashSet<&'a str>,
    /// Texts of segments with their labels.
    labels: HashMap<&'a str, Vec<&'a str>>,
    taken: HashSet<(&'a str, Span)>,
    /// Values of acts and state.
    values: HashSet<(&'a str, &'a str)>,
    /// The positions of each token.
    tokens: HashMap<&'a str, Vec<usize>>,
}

impl<'a> TurnSlots<'a> {
    fn new(subject: &Subject<'a>, number: usize, turn: &'a Turn) -> Self {
        let mut slots = Self {
            says: HashSet::new(),
            broken: HashSet::new(),
            labels: HashMap::new(),
            taken: HashSet::new(),
            values: HashSet::new(),
            tokens: HashMap::new(),
        };
        let differs = first_difference(turn).is_some();
        for mention in subject.mentions_of(number) {
            let label = mention.label();
            slots.says.extend(texts_of(mention, turn, differs).map(|text| (label, text)));
            if is_broken(turn, mention) {
                slots.broken.insert(label);
            }
            slots.labels.entry(mention.text()).or_default().push(label);
            slots.taken.extend(mention.of.span.map(|span| (label, span)));
        }
        slots.values.extend(values(turn));
        for (place, token) in turn.tokens.iter().enumerate() {
            slots.tokens.entry(token).or_default().push(place);
        }
        slots
    }

    /// True if a segment of `slot` covers exactly `value`.
    pub fn says(&self, slot: &str, value: &str) -> bool {
        self.says.contains(&(slot, Cow::Borrowed(value)))
    }

    /// True if a segment of this name is broken.
    pub fn has_broken(&self, slot: &str) -> bool {
        self.broken.contains(slot)
    }

    /// Returns the names of the segments that cover `text`.
    pub fn labels_of(&self, text: &str) -> &[&'a str] {
        self.labels.get(text).map_or(&[], Vec::as_slice)
    }

    pub fn is_taken(&self, slot: &str, span: Span) -> bool {
        self.taken.contains(&(slot, span))
    }

    /// True if an act, or the state, has this value for the slot.
    pub fn has_value(&self, slot: &str, value: &str) -> bool {
        self.values.contains(&(slot, value))
    }

    /// Returns the positions of a token.
    pub fn places_of(&self, token: &str) -> &[usize] {
        self.tokens.get(token).map_or(&[], Vec::as_slice)
    }
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
    /// Returns the slots of a turn; None if it has so few that a linear search is faster.
    pub fn slots_of(&self, number: usize) -> Option<Rc<TurnSlots<'a>>> {
        let turn = self.dialog.turns.get(number)?;
        let state = turn.state.as_ref().map_or(0, Vec::len);
        let acts: usize = turn.acts.iter().map(|act| act.slots.len()).sum();
        if turn.segments.len() + turn.tokens.len() + acts + state < FEW {
            return None;
        }
        let mut known = self.slots.turns.borrow_mut();
        let slots =
            known.entry(number).or_insert_with(|| Rc::new(TurnSlots::new(self, number, turn)));
        Some(Rc::clone(slots))
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
                let differs = !own.is_empty() && first_difference(turn).is_some();
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
        let first = self.slots.letters.get_or_init(|| {
            let (mut text, mut ends) = (String::new(), Vec::new());
            for (_, turn) in self.turns() {
                text.push_str(&letters(&turn.text));
                ends.push(text.len());
                text.push('\n');
            }
            let states = self.turns().filter_map(|(_, turn)| turn.state.as_ref());
            let values = states.flatten().map(|s| letters(s.value.as_str()));
            let values = values.filter(|value| !value.is_empty()).collect();
            let turn = |end: usize| ends.partition_point(|other| *other < end);
            let first = first_ends(&text, values).into_iter();
            first.map(|(value, end)| (value, turn(end))).collect()
        });
        let value = letters(value);
        // A value without letters matches everywhere.
        if value.is_empty() { Some(0) } else { first.get(&value).copied() }
    }
}

fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// The slots of a state, by name.
pub struct StateSlots<'t> {
    all: &'t [StateSlot],
    /// For each name, its first position and whether there are several; only for states with many slots.
    by_name: Option<HashMap<&'t str, (usize, bool)>>,
}

impl<'t> StateSlots<'t> {
    pub fn new(all: &'t [StateSlot]) -> Self {
        let by_name = (all.len() >= FEW).then(|| {
            let mut by_name: HashMap<&str, (usize, bool)> = HashMap::new();
            for (place, slot) in all.iter().enumerate() {
                let known = by_name.entry(&slot.slot);
                known.and_modify(|(_, several)| *several = true).or_insert((place, false));
            }
            by_name
        });
        Self { all, by_name }
    }

    /// Returns the first slot with this name.
    pub fn first(&self, name: &str) -> Option<&'t StateSlot> {
        match &self.by_name {
            Some(by_name) => by_name.get(name).map(|(place, _)| &self.all[*place]),
            None => self.all.iter().find(|slot| slot.slot == name),
        }
    }

    /// True if a slot with this name has the value.
    pub fn has(&self, name: &str, value: &str) -> bool {
        let is = |slot: &StateSlot| slot.slot == name && slot.value.as_str() == value;
        let first = self.first(name);
        first.is_some_and(is) || self.has_several(name) && self.all.iter().any(is)
    }

    /// True if there is more than one slot with this name.
    pub fn has_several(&self, name: &str) -> bool {
        match &self.by_name {
            Some(by_name) => by_name.get(name).is_some_and(|(_, several)| *several),
            None => self.all.iter().filter(|s| s.slot == name).nth(1).is_some(),
        }
    }
}

/// Returns the values of slots in the acts and the state of a turn, each with its slot.
fn values(turn: &Turn) -> impl Iterator<Item = (&str, &str)> {
    let acts = turn.acts.iter().flat_map(|act| &act.slots);
    let acts = acts.filter_map(|slot| Some((slot.slot.as_str(), slot.value.as_ref()?.as_str())));
    let state = turn.state.iter().flatten();
    acts.chain(state.map(|slot| (slot.slot.as_str(), slot.value.as_str())))
}
