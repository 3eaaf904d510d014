//! The slots of dialogue states and the values that they may have.
//!
//! Corpora spell the names of slots differently in their ontology and in their dialogs: `hotel-semi-price
//! range`, `hotel.pricerange`. Names are therefore compared by their letters and digits.

use std::collections::{BTreeMap, BTreeSet};

use super::near;

/// Slots of dialogue states, each with the values that it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateNames {
    /// By the plain name.
    slots: BTreeMap<String, Slot>,
    /// The plain first parts of their names, such as `hotel`.
    domains: BTreeSet<String>,
}

/// A slot as the ontology has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Slot {
    name: String,
    /// Empty: any value.
    values: BTreeSet<String>,
    plain_values: BTreeSet<String>,
}

/// Values that every slot may have: it was left open, or the user does not care.
const ANYWHERE: [&str; 6] = [
    "",
    "dontcare",
    "donotcare",
    "notmentioned",
    "none",
    // "Not mentioned" in the Chinese MultiWOZ.
    "未提及",
];

impl StateNames {
    /// Adds a slot. `values` are all that it may have; if there are none, it may have any.
    pub fn add(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        let plain = plain(name);
        if let Some(domain) = domain(name) {
            self.domains.insert(domain);
        }
        let slot = self.slots.entry(plain).or_default();
        if slot.name.is_empty() {
            name.clone_into(&mut slot.name);
        }
        for value in values {
            slot.plain_values.insert(letters(&value));
            slot.values.insert(value);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// True if it has the slot, or no slot of its domain.
    pub fn knows(&self, slot: &str) -> bool {
        self.slots.contains_key(&plain(slot))
            || domain(slot).is_some_and(|domain| !self.domains.contains(&domain))
    }

    /// True if it has the slot, or some slot of the domain of a label such as `Hotel-Inform.Area`.
    pub fn claims(&self, name: &str) -> bool {
        let domain = name.split(['.', '-']).next().unwrap_or_default();
        self.slots.contains_key(&plain(name)) || self.domains.contains(&letters(domain))
    }

    /// Returns the names of its slots.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.slots.values().map(|slot| slot.name.as_str())
    }

    /// Returns the values that a slot may have; None if it may have any.
    pub fn values(&self, slot: &str) -> Option<&BTreeSet<String>> {
        let values = &self.slots.get(&plain(slot))?.values;
        (!values.is_empty()).then_some(values)
    }

    /// True if the slot may have the value. Several values with bars between them are alternatives.
    pub fn allows(&self, slot: &str, value: &str) -> bool {
        let Some(slot) = self.slots.get(&plain(slot)) else {
            return true;
        };
        let knows = |value: &str| {
            let value = letters(value);
            ANYWHERE.contains(&value.as_str()) || slot.plain_values.contains(&value)
        };
        slot.values.is_empty() || knows(value) || value.split(['|', '>', '<']).all(knows)
    }

    /// Adds the slots and values of another ontology.
    pub fn absorb(&mut self, other: Self) {
        for slot in other.slots.into_values() {
            self.add(&slot.name, slot.values);
        }
    }
}

/// Returns the letters and digits of a name in lower case, and the dots between its parts.
fn plain(name: &str) -> String {
    let is_part = |c: &char| c.is_alphanumeric() || *c == '.';
    let kept = name.chars().filter(is_part);
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns the letters and digits of a text in lower case; all of it if it has none.
fn letters(text: &str) -> String {
    match near::letters(text) {
        kept if kept.is_empty() => text.trim().to_owned(),
        kept => kept,
    }
}

/// Returns the plain first part of a name of several parts.
fn domain(name: &str) -> Option<String> {
    name.split_once('.').map(|(domain, _)| letters(domain))
}
