//! What labels, API names and dialogue acts a corpus is meant to use.
//!
//! An ontology is data: ours are in `assets/ontologies`, and Google's own files can be read too. This
//! folder knows nothing of dialogs; it stands below the rules, which look things up in it.

use std::collections::{BTreeMap, BTreeSet};

/// The names a corpus is meant to use. What is empty says nothing: no name is unknown to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ontology {
    /// Labels of segments.
    pub labels: BTreeSet<String>,
    /// APIs by their name.
    pub apis: BTreeMap<String, Api>,
    /// Names of dialogue acts.
    pub acts: BTreeSet<String>,
    pub intents: BTreeSet<String>,
}

/// What goes into an API and comes out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Api {
    /// Arguments that every call has.
    pub required: BTreeSet<String>,
    pub optional: BTreeSet<String>,
    pub responses: BTreeSet<String>,
}
