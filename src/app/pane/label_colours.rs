//! The colours of labels: in one dialog, each label has a colour of its own; and their short names.
//!
//! A label takes the colour of its place among all labels of the corpora, in the order in which the files
//! use them, so that it has the same colour in most dialogs and in each run. If another label of the dialog
//! has that colour already, it takes the next free one.

use std::collections::HashMap;

use crate::app::pane::Ink;
use crate::app::settings::{COLOURS, LabelPins};
use crate::dialog::Short;

/// The order of the labels and the pinned ones, by which colours are assigned in each dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelOrder {
    /// The places of labels in the order of use, from 0.
    places: HashMap<Short, usize>,
    pins: LabelPins,
}

impl LabelOrder {
    /// `labels` are in the order of their first use.
    pub fn new<'s>(labels: impl IntoIterator<Item = &'s Short>, pins: LabelPins) -> Self {
        let places = labels.into_iter().cloned().zip(0..).collect();
        Self { places, pins }
    }
}

/// The colours of the labels of one dialog, counted from 0, and the beginning that their names share.
#[derive(Clone, Debug, Default)]
pub struct LabelColours {
    numbers: HashMap<Short, u8>,
    taken: Vec<bool>,
    prefix: String,
}

impl LabelColours {
    /// `labels` are those of the dialog, in the order of their first use there.
    pub fn new<'s>(labels: impl IntoIterator<Item = &'s Short>, order: &LabelOrder) -> Self {
        let mut labels: Vec<_> = labels.into_iter().collect();
        // The sort is stable: labels that no file uses yet come last, in the order of the dialog.
        labels.sort_by_key(|label| order.places.get(*label).copied().unwrap_or(usize::MAX));
        let names: Vec<&str> = labels.iter().map(|label| label.as_str()).collect();
        let mut colours = Self {
            numbers: HashMap::new(),
            taken: vec![false; COLOURS.into()],
            prefix: common_prefix(&names).to_owned(),
        };
        let (pinned, free): (Vec<_>, Vec<_>) =
            labels.into_iter().partition(|label| order.pins.colour(label).is_some());
        for label in pinned.into_iter().chain(free) {
            let number = colours.number(label, order);
            if colours.taken.len() <= number {
                colours.taken.resize(number + 1, false);
            }
            colours.taken[number] = true;
            colours.numbers.insert(label.clone(), number as u8);
        }
        colours
    }

    /// Returns these colours, with names that lack the beginning they lacked before an edit: one more label
    /// should not make all others longer. Not if a short name would be that of another label.
    #[must_use]
    pub fn shortened_as(mut self, before: &Self) -> Self {
        let labels = self.numbers.keys();
        let mut short = labels.filter_map(|label| label.strip_prefix(before.prefix.as_str()));
        if !before.prefix.is_empty() && !short.any(|name| self.numbers.contains_key(name)) {
            self.prefix.clone_from(&before.prefix);
        }
        self
    }

    /// Returns these colours, with whole names.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.prefix.clear();
        self
    }

    /// Returns the ink of a label of the dialog; for another label, the ink that it would get here.
    pub fn ink(&self, label: &str, order: &LabelOrder) -> Ink {
        let number = self.numbers.get(label).copied();
        Ink::Label(number.unwrap_or_else(|| self.number(label, order) as u8))
    }

    /// Returns a label without the beginning that all labels of the dialog have in common, or had when it was
    /// opened.
    pub fn short<'l>(&self, label: &'l str) -> &'l str {
        label.strip_prefix(self.prefix.as_str()).unwrap_or(label)
    }

    /// Returns the colour that a label gets next to those that have one.
    fn number(&self, label: &str, order: &LabelOrder) -> usize {
        if let Some(pinned) = order.pins.colour(label) {
            return usize::from(pinned) - 1;
        }
        let colours = usize::from(COLOURS);
        let place = order.places.get(label).copied();
        let first = place.unwrap_or(order.places.len()) % colours;
        let around = (first..colours).chain(0..first).chain(colours..256);
        let is_free = |number: &usize| self.taken.get(*number).is_none_or(|taken| !taken);
        // A theme cannot tell apart so many colours anyway.
        around.clone().find(is_free).unwrap_or(first)
    }
}

/// Returns the parts, each with its full stop, that several names begin with.
pub fn common_prefix<'l>(labels: &[&'l str]) -> &'l str {
    let [first, others @ ..] = labels else {
        return "";
    };
    let in_all = |prefix: &&str| others.iter().all(|other| other.starts_with(*prefix));
    let stops = first.rmatch_indices('.').map(|(at, _)| &first[..=at]);
    let mut prefixes = stops.filter(|_| !others.is_empty());
    let is_beginning = |prefix: &&str| labels.iter().all(|label| label.len() > prefix.len());
    prefixes.find(|prefix| in_all(prefix) && is_beginning(prefix)).unwrap_or("")
}
