//! What labels, API names and dialogue acts a corpus is meant to use.
//!
//! An ontology is data: ours are in `assets/ontologies`, one line each in [`TABLE`], and the files that
//! Google published beside its corpora can be read too. Which one a dialog is meant to follow is told
//! by its family, its vertical and the names it uses, see [`Ontologies::of`].
//!
//! This folder knows nothing of dialogs; it stands below the rules, which look names up in it.

mod file;
mod google;
mod near;
mod table;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

pub use file::Unreadable;
pub use near::{Likeness, Near, near};
pub use table::{Ontologies, TABLE};

/// The names a corpus is meant to use. What is empty says nothing: no name is unknown to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ontology {
    /// Of the corpus. Google's files have none; whoever has read them says the name of the file.
    pub title: String,
    /// The dataset families whose dialogs may follow it.
    pub families: Vec<String>,
    /// The verticals it is for, where dialogs name theirs. None: any.
    pub verticals: Vec<String>,
    /// It lists everything there is, so that a name it lacks is wrong and not only new.
    pub complete: bool,
    /// Labels of segments.
    pub labels: HashSet<String>,
    /// First parts of labels, up to the first full stop, that name a task: `flight_search`.
    pub tasks: BTreeSet<String>,
    /// Names that are wrong and known to be met, with what they should be.
    pub aliases: BTreeMap<String, String>,
    /// APIs by their name.
    pub apis: BTreeMap<String, Api>,
    /// Names of dialogue acts.
    pub acts: BTreeSet<String>,
    pub intents: BTreeSet<String>,
    /// Labels with a task of the other ontologies: corpora are mixed, and such a label can be wrong in
    /// no other way than by being in the wrong place.
    elsewhere: Arc<HashSet<String>>,
}

/// What goes into an API and comes out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Api {
    /// Arguments that every call has.
    pub required: BTreeSet<String>,
    pub optional: BTreeSet<String>,
    pub responses: BTreeSet<String>,
}

impl Ontology {
    /// An ontology in our own TOML or in the JSON that Google published.
    ///
    /// # Errors
    /// If it is neither, and where.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        if text.trim_start().starts_with('{') {
            google::read(text)
        } else {
            file::read(text)
        }
    }

    /// Gives one without a title that of its file.
    pub fn be_called(&mut self, path: &Path) {
        if self.title.is_empty() {
            let name = path.file_name().unwrap_or_default();
            self.title = name.to_string_lossy().into_owned();
        }
    }

    /// True unless segments have labels of their own here and `label` is none of them.
    pub fn knows_label(&self, label: &str) -> bool {
        self.labels.is_empty()
            || self.labels.contains(label)
            || self.elsewhere.contains(label)
            || without_number(label).is_some_and(|label| self.labels.contains(label))
    }

    /// The API called `name`.
    pub fn api(&self, name: &str) -> Option<&Api> {
        self.apis.get(name)
    }

    /// Labels that `label`, which is not known, may be meant to be; the most likely first.
    pub fn labels_near(&self, label: &str) -> Vec<Near<'_>> {
        if let Some(right) = self.aliases.get(label) {
            return vec![Near::alias(right)];
        }
        let found = near(label, self.labels.iter().map(String::as_str));
        if !found.is_empty() {
            return found;
        }
        // Its task may have been left out.
        let whole = self.labels.iter().filter(|known| {
            let task = known.strip_suffix(label).and_then(|t| t.strip_suffix('.'));
            task.is_some_and(|task| self.tasks.contains(task))
        });
        let mut whole: Vec<_> = whole.map(|known| Near::close(known)).collect();
        whole.sort_unstable_by_key(|near| near.name);
        whole.truncate(near::MOST);
        whole
    }

    /// True if `name` is one that only a corpus with this ontology uses.
    fn claims(&self, name: &str) -> bool {
        let task = name.split('.').next().unwrap_or_default();
        self.labels.contains(name) || self.tasks.contains(task) || self.apis.contains_key(name)
    }

    /// Takes over the names of another one, except those that are known slips.
    fn absorb(&mut self, other: Self) {
        let Self {
            aliases,
            labels,
            tasks,
            apis,
            acts,
            intents,
            ..
        } = self;
        let right = |name: &String| !aliases.contains_key(name);
        labels.extend(other.labels.into_iter().filter(right));
        tasks.extend(other.tasks);
        acts.extend(other.acts);
        intents.extend(other.intents);
        for (name, api) in other.apis {
            let own = apis.entry(name).or_default();
            let arguments = api.optional.into_iter().chain(api.required);
            let new = arguments.filter(|name| right(name) && !own.required.contains(name));
            own.optional.extend(new.collect::<Vec<_>>());
            own.responses
                .extend(api.responses.into_iter().filter(right));
        }
    }
}

impl Api {
    /// True if a call may have the argument `name`, which may be numbered.
    pub fn takes(&self, name: &str) -> bool {
        let has = |name: &str| self.required.contains(name) || self.optional.contains(name);
        has(name) || without_number(name).is_some_and(has)
    }

    /// True if its response may have `name`, which may be numbered.
    pub fn answers(&self, name: &str) -> bool {
        let has = |name: &str| self.responses.contains(name);
        has(name) || without_number(name).is_some_and(has)
    }
}

/// The name without the number of one of several: `time.showing` of `time.showing_2`.
pub fn without_number(name: &str) -> Option<&str> {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = plain.strip_suffix('_')?;
    (plain.len() < name.len() && !stem.is_empty()).then_some(stem)
}
