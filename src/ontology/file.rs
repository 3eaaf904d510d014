//! Reads ontologies in the TOML format of turnwise.
//!
//! ```toml
//! title = "Taskmaster-3"
//! families = ["taskmaster-3"]      # dataset families, as `turnwise formats` names them
//! verticals = ["Movie Tickets"]    # any if left out
//! complete = true                  # unlisted names are wrong; otherwise they may be new
//! labels = ["name.movie"]
//! acts = ["INFORM"]
//! intents = ["BUY_MOVIE_TICKETS"]
//!
//! [values]                         # all values that a slot of the state may have
//! meal = ["lunch", "dinner"]
//!
//! [[tasks]]                        # labels with a task prefix: flight1_detail.fare.accept
//! prefixes = ["flight1_detail", "flight2_detail"]
//! labels = ["fare"]
//! suffixes = ["accept", "reject"]  # optional, separated by a dot
//!
//! [aliases]                        # known typos
//! "rating.movies" = "rating.movie"
//!
//! [apis.find_showtimes]
//! required = ["name.movie"]
//! optional = ["date.showing"]
//! responses = ["time.showing"]     # may be numbered: time.showing_2
//! ```

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Deserialize;

use super::{Api, Ontology};
use crate::json::BadText;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    #[serde(default)]
    families: Vec<String>,
    #[serde(default)]
    verticals: Vec<String>,
    #[serde(default)]
    complete: bool,
    #[serde(default)]
    labels: HashSet<String>,
    #[serde(default)]
    acts: BTreeSet<String>,
    #[serde(default)]
    intents: BTreeSet<String>,
    #[serde(default)]
    tasks: Vec<Task>,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    #[serde(default)]
    apis: BTreeMap<String, Api>,
    #[serde(default)]
    values: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub prefixes: Vec<String>,
    pub labels: Vec<String>,
    #[serde(default)]
    pub suffixes: Vec<String>,
}

pub(super) fn read(text: &str) -> Result<Ontology, BadText> {
    let file: File = toml::from_str(text).map_err(|error| BadText::in_toml(text, &error))?;
    let mut ontology = Ontology {
        title: file.title,
        families: file.families,
        verticals: file.verticals,
        complete: file.complete,
        labels: file.labels,
        aliases: file.aliases,
        apis: file.apis,
        acts: file.acts,
        intents: file.intents,
        ..Ontology::default()
    };
    // Without other slots, those of the state are called like labels.
    if !file.values.is_empty() {
        for label in &ontology.labels {
            ontology.state.add(label, []);
        }
    }
    for (slot, values) in file.values {
        ontology.state.add(&slot, values);
    }
    for task in file.tasks {
        ontology.add_task(task);
    }
    Ok(ontology)
}

impl Ontology {
    /// Adds every prefix with every label, with and without each suffix.
    pub(super) fn add_task(&mut self, task: Task) {
        for prefix in &task.prefixes {
            for label in &task.labels {
                let label = format!("{prefix}.{label}");
                let suffixed = task.suffixes.iter().map(|s| format!("{label}.{s}"));
                self.labels.extend(suffixed);
                self.labels.insert(label);
            }
        }
        self.tasks.extend(task.prefixes);
    }
}
