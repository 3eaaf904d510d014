//! The problems of a dialog, and which of them to repair.

use std::collections::HashMap;

use super::{Fixing, LetBe};
use crate::dialog::{Dialog, Issue};
use crate::json::Tree;
use crate::lint::{Diagnostic, Key, RULES, Rule, Severity, Subject, lint};

/// The problems of a text.
#[derive(Debug, Default)]
pub struct Found {
    pub all: Vec<Diagnostic>,
    /// For each, whether it is to be repaired.
    pub wanted: Vec<bool>,
}

impl Found {
    /// The problems of a dialog that was read from `tree`.
    pub fn in_dialog(
        (tree, dialog, issues): (Tree<'_>, &Dialog, &[Issue]),
        with: &Fixing<'_>,
        is_wanted: &dyn Fn(&Diagnostic) -> bool,
    ) -> Self {
        let subject = Subject::new(dialog, issues, with.format, with.ontology, tree);
        let mut all = lint(&subject, with.selection);
        if let Some(LetBe {
            ignores,
            file,
            position,
        }) = with.let_be
        {
            ignores.part(file, (position, dialog), &mut all);
        }
        let wanted = all.iter().map(is_wanted).collect();
        Self { all, wanted }
    }

    /// Every problem with whether it is to be repaired.
    pub fn iter(&self) -> impl Iterator<Item = (&Diagnostic, bool)> {
        self.all.iter().zip(self.wanted.iter().copied())
    }

    /// Those that are to be repaired.
    pub fn wanted(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|(_, wanted)| *wanted).map(|(d, _)| d)
    }

    /// Each problem, of several that read the same the first, with whether it is to be repaired.
    pub fn by_key(&self) -> HashMap<Key<'_>, bool> {
        let mut by_key = HashMap::with_capacity(self.all.len());
        for (diagnostic, wanted) in self.iter() {
            by_key.entry(diagnostic.key()).or_insert(wanted);
        }
        by_key
    }
}

/// How many problems of one rule and severity there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub all: usize,
    /// Of them, those to be repaired.
    pub wanted: usize,
}

/// How many problems there are, by rule and severity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally(Vec<[Count; Severity::ALL.len()]>);

impl Tally {
    pub fn of<'d>(found: impl Iterator<Item = (&'d Diagnostic, bool)>) -> Self {
        let mut counts = vec![<[Count; Severity::ALL.len()]>::default(); RULES.len()];
        for (diagnostic, wanted) in found {
            if let Some(rule) = RULES.iter().position(|rule| diagnostic.is_of(rule)) {
                let count = &mut counts[rule][diagnostic.severity as usize];
                count.all += 1;
                count.wanted += usize::from(wanted);
            }
        }
        Self(counts)
    }

    /// True if there are more problems of some rule and severity than in `other`, or more to repair.
    pub fn exceeds(&self, other: &Self) -> bool {
        let pairs = self.0.iter().flatten().zip(other.0.iter().flatten());
        let is_more =
            |(one, other): (&Count, &Count)| one.all > other.all || one.wanted > other.wanted;
        pairs.into_iter().any(is_more)
    }

    /// For each rule, how many problems it has found at each severity, in the order of the rules.
    fn rules(&self) -> impl Iterator<Item = (&'static Rule, &[Count; Severity::ALL.len()])> {
        RULES.iter().copied().zip(&self.0)
    }

    /// For each rule, its problems in both, added up over those severities for which `counts` is true.
    pub fn pairs<'t>(
        &'t self,
        other: &'t Self,
        counts: impl Fn(Severity) -> bool + Copy + 't,
    ) -> impl Iterator<Item = (&'static Rule, Count, Count)> + 't {
        let sum = move |of: &[Count; Severity::ALL.len()]| {
            let severities = Severity::ALL.into_iter().filter(|s| counts(*s));
            severities.fold(Count::default(), |sum, severity| {
                let Count { all, wanted } = of[severity as usize];
                Count {
                    all: sum.all + all,
                    wanted: sum.wanted + wanted,
                }
            })
        };
        let pairs = self.rules().zip(&other.0);
        pairs.map(move |((rule, one), other)| (rule, sum(one), sum(other)))
    }
}
