//! The available ontologies, and the choice of one for a dialog.

use std::collections::HashSet;
use std::sync::Arc;

use super::Ontology;
use crate::format::SlotKinds;
use crate::json::BadText;

/// The built-in ontologies by name. If several fit a dialog equally well, the first one wins.
pub static TABLE: &[(&str, &str)] = &[
    ("taskmaster-1", include_str!("../../assets/ontologies/taskmaster-1.toml")),
    ("taskmaster-2", include_str!("../../assets/ontologies/taskmaster-2.toml")),
    ("taskmaster-3", include_str!("../../assets/ontologies/taskmaster-3.toml")),
    ("taskmaster-4", include_str!("../../assets/ontologies/taskmaster-4.toml")),
    ("sim-m", include_str!("../../assets/ontologies/sim-m.toml")),
    ("sim-r", include_str!("../../assets/ontologies/sim-r.toml")),
    ("sim-gen", include_str!("../../assets/ontologies/sim-gen.toml")),
];

/// The number of names of a dialog that decide its ontology.
const SAMPLE: usize = 24;

/// The ontologies from which [`Ontologies::of`] chooses.
#[derive(Clone, Debug)]
pub struct Ontologies {
    all: Vec<Ontology>,
    /// True if there is one ontology, for every dialog.
    only: bool,
    /// An empty ontology, for dialogs that no other one fits.
    none: Ontology,
}

impl Default for Ontologies {
    /// Returns the built-in ontologies. Empty if one of them is not valid, which a test rules out.
    fn default() -> Self {
        Self::built_in().unwrap_or_else(|_| Self {
            all: Vec::new(),
            only: false,
            none: Ontology::default(),
        })
    }
}

impl Ontologies {
    /// Returns the built-in ontologies.
    ///
    /// # Errors
    /// If one of them is not valid, which a test rules out.
    pub fn built_in() -> Result<Self, BadText> {
        let all: Result<_, _> = TABLE.iter().map(|(_, text)| Ontology::read(text)).collect();
        let mut built_in = Self { all: all?, only: false, none: Ontology::default() };
        built_in.share_labels();
        Ok(built_in)
    }

    /// One ontology, for every dialog.
    pub fn only(ontology: Ontology) -> Self {
        Self { all: vec![ontology], only: true, none: Ontology::default() }
    }

    /// Adds an ontology found next to the data. Its names are added to the ontology with which it shares
    /// the most names, or it is kept separately if there is none.
    pub fn add(&mut self, ontology: Ontology) {
        // The first of the ontologies that share the most names with it.
        let shared = |own: &Ontology| {
            let family = own.families.iter().any(|f| ontology.families.contains(f));
            let names = ontology.labels.iter().chain(ontology.apis.keys());
            names.filter(|name| family && own.claims(name)).count()
        };
        let counts: Vec<usize> = self.all.iter().map(shared).collect();
        let most = counts.iter().copied().max().filter(|most| *most > 0);
        match most.and_then(|most| counts.iter().position(|count| *count == most)) {
            Some(place) => self.all[place].absorb(ontology),
            None => self.all.push(ontology),
        }
        self.share_labels();
    }

    /// Returns the ontology of a dialog: the one for its family and vertical, or, among those for its family, the
    /// one that has most of the `names` in the dialog. If it has less than half of them, the corpus is
    /// a different one, and the result is an empty ontology.
    pub fn of<'n>(
        &self,
        family: &str,
        vertical: Option<&str>,
        names: &(impl Iterator<Item = &'n str> + Clone),
    ) -> &Ontology {
        if self.only {
            return self.all.first().unwrap_or(&self.none);
        }
        let mut best = (0, &self.none);
        for ontology in &self.all {
            if !ontology.families.iter().any(|own| own == family) {
                continue;
            }
            if ontology.is_for_all {
                return ontology;
            }
            match vertical {
                Some(vertical) if !ontology.verticals.is_empty() => {
                    if ontology.is_for(vertical) {
                        return ontology;
                    }
                }
                _ => {
                    let names = || names.clone().take(SAMPLE);
                    let claimed = names().filter(|name| ontology.claims(name)).count();
                    if claimed > best.0 && claimed * 2 >= names().count() {
                        best = (claimed, ontology);
                    }
                }
            }
        }
        best.1
    }

    /// Returns the slots of a family whose ontologies say whether their values are closed lists.
    pub fn slots(&self, family: &str) -> Arc<SlotKinds> {
        let of_family = |own: &&Ontology| own.families.iter().any(|name| name == family);
        let mut all = self.all.iter().filter(of_family).map(|own| &own.slots);
        all.find(|slots| !slots.is_empty()).cloned().unwrap_or_default()
    }

    /// Adds to each ontology those labels of the other ontologies that begin with the name of a task.
    fn share_labels(&mut self) {
        let with_task = |ontology: &Ontology| {
            let tasks = ontology.tasks.clone();
            let task = move |label: &&String| {
                label.split('.').next().is_some_and(|task| tasks.contains(task))
            };
            let labels: Vec<_> = ontology.labels.iter().filter(task).cloned().collect();
            labels
        };
        let all: HashSet<_> = self.all.iter().flat_map(with_task).collect();
        let all = Arc::new(all);
        for ontology in &mut self.all {
            ontology.elsewhere = Arc::clone(&all);
        }
    }
}

impl Ontology {
    fn is_for(&self, vertical: &str) -> bool {
        self.verticals.iter().any(|own| own.eq_ignore_ascii_case(vertical))
    }
}
