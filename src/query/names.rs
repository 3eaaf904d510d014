//! The names that dialogs use, with their frequencies, for pickers.

use std::collections::{BTreeMap, BTreeSet};

use crate::dialog::{Dialog, Payload, Short};
use crate::format::embedded;

/// The kind of thing that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Label,
    Api,
    /// An argument of a call.
    Argument,
    /// A field of the response to a call.
    Response,
    Act,
    Intent,
    /// A slot of an act or of the dialogue state.
    Slot,
    Speaker,
}

/// Names with their numbers of uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    seen: BTreeMap<NameKind, BTreeMap<Short, Uses>>,
}

/// How often a name is used, in which files, and where first: the file, the dialog in it, and the position
/// among the uses of names in that dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Uses {
    count: u32,
    files: BTreeSet<u32>,
    first: (u32, u32, u32),
}

impl Names {
    /// Counts the names in the dialog at `position` of file `file`.
    pub fn add(&mut self, dialog: &Dialog, file: u32, position: u32) {
        let mut uses = Counter { names: self, at: (file, position), next: 0 };
        for turn in &dialog.turns {
            uses.count(NameKind::Speaker, &turn.speaker.name);
            for label in turn.segments.iter().flat_map(|segment| &segment.labels) {
                uses.count(NameKind::Label, &label.name);
            }
            for call in &turn.calls {
                uses.count(NameKind::Api, &call.name);
                uses.count_fields(NameKind::Argument, call.arguments.as_ref());
                uses.count_fields(NameKind::Response, call.response.as_ref());
            }
            for act in &turn.acts {
                uses.count(NameKind::Act, &act.name);
                for slot in &act.slots {
                    uses.count(NameKind::Slot, &slot.slot);
                }
            }
            for intent in &turn.intents {
                uses.count(NameKind::Intent, intent);
            }
            for slot in turn.state.iter().flatten() {
                uses.count(NameKind::Slot, &slot.slot);
            }
        }
    }

    /// Adds other names. Returns whether the labels or their order changed.
    pub fn merge(&mut self, other: Self) -> bool {
        let mut changed = false;
        for (kind, names) in other.seen {
            let mine = self.seen.entry(kind).or_default();
            for (name, uses) in names {
                let moved = match mine.get_mut(&name) {
                    Some(known) => {
                        let moved = uses.first < known.first;
                        known.count += uses.count;
                        known.files.extend(uses.files);
                        known.first = known.first.min(uses.first);
                        moved
                    }
                    None => mine.insert(name, uses).is_none(),
                };
                changed |= moved && kind == NameKind::Label;
            }
        }
        changed
    }

    /// True if a name is in use.
    pub fn has(&self, kind: NameKind, name: &str) -> bool {
        let names = self.seen.get(&kind);
        names.is_some_and(|names| names.contains_key(name))
    }

    /// True if there are names of a kind.
    pub fn any(&self, kind: NameKind) -> bool {
        self.seen.get(&kind).is_some_and(|names| !names.is_empty())
    }

    /// True if a name is in use in the file with the number `file`.
    pub fn is_in_file(&self, kind: NameKind, name: &str, file: u32) -> bool {
        let uses = self.seen.get(&kind).and_then(|names| names.get(name));
        uses.is_some_and(|uses| uses.files.contains(&file))
    }

    /// Names of a kind, the most frequent first.
    pub fn of(&self, kind: NameKind) -> Vec<&Short> {
        let names = self.seen.get(&kind).into_iter().flatten();
        let mut names: Vec<_> = names.collect();
        names.sort_by_key(|(_, uses)| std::cmp::Reverse(uses.count));
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// Names of a kind in the order of their first uses: by file, dialog and place in the dialog.
    pub fn in_order(&self, kind: NameKind) -> Vec<&Short> {
        let names = self.seen.get(&kind).into_iter().flatten();
        let mut names: Vec<_> = names.collect();
        names.sort_by_key(|(_, uses)| uses.first);
        names.into_iter().map(|(name, _)| name).collect()
    }
}

/// Counts the names of one dialog.
struct Counter<'n> {
    names: &'n mut Names,
    at: (u32, u32),
    next: u32,
}

impl Counter<'_> {
    /// Counts the names of the values of a payload; of JSON in a string, only those of arguments, which are short.
    fn count_fields(&mut self, kind: NameKind, payload: Option<&Payload>) {
        match payload {
            Some(Payload::Fields(fields)) => {
                for field in fields {
                    self.count(kind, &field.name);
                }
            }
            Some(Payload::Embedded { text, .. } | Payload::Text { text, .. })
                if kind == NameKind::Argument =>
            {
                let pairs = embedded::arguments(text).unwrap_or_default();
                for (name, _) in pairs {
                    self.count(kind, &name.as_str().into());
                }
            }
            _ => {}
        }
    }

    fn count(&mut self, kind: NameKind, name: &Short) {
        if name.is_empty() {
            return;
        }
        let (file, dialog) = self.at;
        let first = (file, dialog, self.next);
        self.next += 1;
        let names = self.names.seen.entry(kind).or_default();
        match names.get_mut(name) {
            Some(uses) => uses.count += 1,
            None => {
                let files = BTreeSet::from([file]);
                let count = 1;
                names.insert(name.clone(), Uses { count, files, first });
            }
        }
    }
}
