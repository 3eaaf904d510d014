//! Ontologies: the labels, API names and dialogue acts that a corpus may use.
//!
//! An ontology is data. The built-in ones are in `assets/ontologies`, with one line each in [`TABLE`];
//! turnwise also reads the files that are published with Taskmaster, SGD, `MultiWOZ` and the corpora of
//! `ConvLab`. The family, the vertical and
//! the names of a dialog decide which ontology it follows, see [`Ontologies::of`].
//!
//! This layer does not know dialogs. The rules above it look names up here.

mod domains;
mod file;
mod google;
mod near;
mod read;
mod state;
mod table;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::format::SlotKinds;

pub use near::{MatchReason, NearName, letters, near};
pub use state::StateNames;
pub use table::{Ontologies, TABLE};

/// The names that a corpus may use. An empty list allows every name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ontology {
    /// The title, usually the name of the corpus. Google's files have none; see [`Self::set_title`].
    pub title: String,
    /// The dataset families whose dialogs may follow it.
    pub families: Vec<String>,
    /// True if all dialogs of its families follow it, whichever names they have.
    pub is_for_all: bool,
    /// The verticals it is for, if dialogs name theirs. Empty: any.
    pub verticals: Vec<String>,
    /// True if it lists all names, so that any other name is wrong, not just new.
    pub complete: bool,
    /// Labels of segments.
    pub labels: HashSet<String>,
    /// The first parts of labels, up to the first dot, that name a task: `flight_search`.
    pub tasks: BTreeSet<String>,
    /// Known wrong names, each with the right one.
    pub aliases: BTreeMap<String, String>,
    /// APIs by name.
    pub apis: BTreeMap<String, Api>,
    /// Names of dialogue acts.
    pub acts: BTreeSet<String>,
    pub intents: BTreeSet<String>,
    /// Slots of dialogue states with their values. Empty: they are called like labels.
    pub state: StateNames,
    /// Whether the values of each slot are a closed list, where the ontology says so.
    pub slots: Arc<SlotKinds>,
    /// The labels with a task prefix of all other ontologies. They are known here too: a file may
    /// mix corpora, and such a label is in the wrong place rather than misspelled.
    elsewhere: Arc<HashSet<String>>,
    near: near::NearLabels,
}

/// The arguments and responses of an API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table with `required`, `optional` or `responses`"
)]
pub struct Api {
    /// The arguments that every call must have.
    pub required: BTreeSet<String>,
    pub optional: BTreeSet<String>,
    pub responses: BTreeSet<String>,
}

impl Ontology {
    /// Sets the title to the name of the file, if there is none.
    pub fn set_title(&mut self, path: &Path) {
        if self.title.is_empty() {
            let name = path.file_name().unwrap_or_default();
            self.title = name.to_string_lossy().into_owned();
        }
    }

    /// True if the ontology has `label`, or has no labels at all.
    pub fn knows_label(&self, label: &str) -> bool {
        self.labels.is_empty()
            || self.labels.contains(label)
            || self.elsewhere.contains(label)
            || without_number(label).is_some_and(|label| self.labels.contains(label))
    }

    /// True if it has the act, also if its domain `general` has a capital.
    pub fn knows_act(&self, act: &str) -> bool {
        let general = || Some(format!("{}.general", act.strip_suffix(".General")?));
        self.acts.contains(act) || general().is_some_and(|act| self.acts.contains(&act))
    }

    /// True if the dialogue state may have `slot`.
    pub fn knows_slot(&self, slot: &str) -> bool {
        if self.state.is_empty() {
            return self.knows_label(slot);
        }
        self.state.knows(slot) || self.labels.contains(slot)
    }

    /// Returns the API named `name`.
    pub fn api(&self, name: &str) -> Option<&Api> {
        self.apis.get(name)
    }

    /// Returns the labels that an unknown `label` may be meant to be, the most likely first.
    pub fn labels_near(&self, label: &str) -> Vec<NearName<'_>> {
        if let Some(right) = self.aliases.get(label) {
            return vec![NearName::alias(right)];
        }
        let near = self.near.get(label, || self.find_near(label)).into_iter();
        let own = |(name, likeness): (String, _)| {
            let name = self.labels.get(&name)?;
            Some(NearName { name, likeness })
        };
        near.filter_map(own).collect()
    }

    fn find_near(&self, label: &str) -> Vec<NearName<'_>> {
        let found = near(label, self.labels.iter().map(String::as_str));
        if !found.is_empty() {
            return found;
        }
        // The label may lack its task prefix.
        let whole = self.labels.iter().filter(|known| {
            let task = known.strip_suffix(label).and_then(|t| t.strip_suffix('.'));
            task.is_some_and(|task| self.tasks.contains(task))
        });
        let mut whole: Vec<_> = whole.map(|known| NearName::close(known)).collect();
        whole.sort_unstable_by_key(|near| near.name);
        whole.truncate(near::MOST);
        whole
    }

    /// Returns the slots of the state that an unknown `slot` may be meant to be, the most likely first.
    pub fn slots_near(&self, slot: &str) -> Vec<NearName<'_>> {
        if self.state.is_empty() {
            return self.labels_near(slot);
        }
        near(slot, self.state.names())
    }

    /// True if the ontology has `name` or its task. Used to find the ontology of a dialog.
    fn claims(&self, name: &str) -> bool {
        let task = name.split('.').next().unwrap_or_default();
        self.labels.contains(name)
            || self.tasks.contains(task)
            || self.apis.contains_key(name)
            || self.state.claims(name)
    }

    /// Adds the names of another ontology, except known typos.
    fn absorb(&mut self, other: Self) {
        let Self { aliases, labels, tasks, apis, acts, intents, state, slots, .. } = self;
        if !other.slots.is_empty() {
            let new = other.slots.iter().map(|(slot, kind)| (slot.clone(), *kind));
            Arc::make_mut(slots).extend(new);
        }
        let right = |name: &String| !aliases.contains_key(name);
        labels.extend(other.labels.into_iter().filter(right));
        tasks.extend(other.tasks);
        acts.extend(other.acts);
        intents.extend(other.intents);
        state.absorb(other.state);
        for (name, mut api) in other.apis {
            api.required.retain(right);
            api.optional.retain(right);
            api.responses.retain(right);
            add_api(apis, name, api);
        }
    }
}

/// Adds an API, or its arguments if there is one of that name: several services may have a method of one name.
fn add_api(apis: &mut BTreeMap<String, Api>, name: String, api: Api) {
    match apis.entry(name) {
        Entry::Vacant(new) => {
            new.insert(api);
        }
        Entry::Occupied(own) => own.into_mut().absorb(api),
    }
}

impl Api {
    /// Adds the arguments of another API of that name. Calls of both must only have what both require.
    fn absorb(&mut self, other: Self) {
        if !other.required.is_empty() || !other.optional.is_empty() {
            let required = &self.required & &other.required;
            let all = [&self.required, &other.required, &other.optional];
            let given = all.into_iter().flatten().cloned();
            self.optional.extend(given.filter(|name| !required.contains(name)));
            self.required = required;
        }
        self.responses.extend(other.responses);
    }

    /// True if a call may have the argument `name`, with or without a number.
    pub fn takes(&self, name: &str) -> bool {
        let has = |name: &str| self.required.contains(name) || self.optional.contains(name);
        has(name) || without_number(name).is_some_and(has)
    }

    /// True if a response may have the field `name`, with or without a number.
    pub fn answers(&self, name: &str) -> bool {
        let has = |name: &str| self.responses.contains(name);
        has(name) || without_number(name).is_some_and(has)
    }
}

/// Returns the name without its number: `time.showing` for `time.showing_2`; None if it has none.
pub fn without_number(name: &str) -> Option<&str> {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = plain.strip_suffix('_')?;
    (plain.len() < name.len() && !stem.is_empty()).then_some(stem)
}
