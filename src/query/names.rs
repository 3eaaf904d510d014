//! The names that dialogs use, with their frequencies, for pickers.

use std::collections::BTreeMap;

use crate::dialog::{Dialog, Payload, Short};

/// The kind of thing that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Label,
    Api,
    /// An argument of a call, or a field of its response.
    Argument,
    Act,
    Intent,
    /// A slot of an act or of the dialogue state.
    Slot,
}

/// Names with their numbers of uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    seen: BTreeMap<NameKind, BTreeMap<Short, u32>>,
}

impl Names {
    /// Counts the names in a dialog.
    pub fn add(&mut self, dialog: &Dialog) {
        for turn in &dialog.turns {
            for label in turn.segments.iter().flat_map(|segment| &segment.labels) {
                self.count(NameKind::Label, &label.name);
            }
            for call in &turn.calls {
                self.count(NameKind::Api, &call.name);
                for payload in [&call.arguments, &call.response].into_iter().flatten() {
                    if let Payload::Fields(fields) = payload {
                        for field in fields {
                            self.count(NameKind::Argument, &field.name);
                        }
                    }
                }
            }
            for act in &turn.acts {
                self.count(NameKind::Act, &act.name);
                for slot in &act.slots {
                    self.count(NameKind::Slot, &slot.slot);
                }
            }
            for intent in &turn.intents {
                self.count(NameKind::Intent, intent);
            }
            for slot in turn.state.iter().flatten() {
                self.count(NameKind::Slot, &slot.slot);
            }
        }
    }

    fn count(&mut self, kind: NameKind, name: &Short) {
        if name.is_empty() {
            return;
        }
        let names = self.seen.entry(kind).or_default();
        match names.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                names.insert(name.clone(), 1);
            }
        }
    }

    pub fn merge(&mut self, other: Self) {
        for (kind, names) in other.seen {
            let mine = self.seen.entry(kind).or_default();
            for (name, count) in names {
                *mine.entry(name).or_default() += count;
            }
        }
    }

    /// True if a name is in use.
    pub fn has(&self, kind: NameKind, name: &str) -> bool {
        let names = self.seen.get(&kind);
        names.is_some_and(|names| names.contains_key(name))
    }

    /// Names of a kind, the most frequent first.
    pub fn of(&self, kind: NameKind) -> Vec<&Short> {
        let names = self.seen.get(&kind).into_iter().flatten();
        let mut names: Vec<_> = names.collect();
        names.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        names.into_iter().map(|(name, _)| name).collect()
    }
}
