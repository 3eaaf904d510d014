//! The problems of a dialog, and which of them to fix.

use std::collections::HashMap;

use super::options::FixOptions;
use crate::lint::engine::{Diagnostic, DiagnosticKey, Rule, Severity};
use crate::lint::facts::ParsedDialog;

/// The problems of a text.
#[derive(Debug, Default)]
pub struct ProblemSet {
    /// All rules, in their order.
    pub rules: &'static [&'static Rule],
    pub all: Vec<Diagnostic>,
    /// For each problem, whether to fix it.
    pub wanted: Vec<bool>,
}

impl ProblemSet {
    /// Returns the problems of a dialog.
    pub fn in_dialog(
        read: ParsedDialog<'_>,
        with: &FixOptions<'_>,
        is_wanted: &dyn Fn(&Diagnostic) -> bool,
    ) -> Self {
        let all = with.linter.problems(read, with.place);
        let wanted = all.iter().map(is_wanted).collect();
        Self { rules: with.linter.selection.table(), all, wanted }
    }

    /// Returns every problem, and whether to fix it.
    pub fn iter(&self) -> impl Iterator<Item = (&Diagnostic, bool)> {
        self.all.iter().zip(self.wanted.iter().copied())
    }

    /// Returns the problems to fix.
    pub fn wanted(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|(_, wanted)| *wanted).map(|(d, _)| d)
    }

    /// Returns the first problem of each key, with whether to fix it.
    pub fn by_key(&self) -> HashMap<DiagnosticKey<'_>, bool> {
        let mut by_key = HashMap::with_capacity(self.all.len());
        for (diagnostic, wanted) in self.iter() {
            by_key.entry(diagnostic.key()).or_insert(wanted);
        }
        by_key
    }
}

/// The number of problems of one rule and severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeverityCount {
    pub all: usize,
    /// The number of these to fix.
    pub wanted: usize,
}

/// The numbers of problems by rule and severity.
#[derive(Clone, Debug)]
pub struct ProblemTally {
    rules: &'static [&'static Rule],
    /// The counts of each rule.
    pub counts: Vec<[SeverityCount; Severity::ALL.len()]>,
}

impl ProblemTally {
    /// Counts problems of these rules.
    pub fn of<'d>(
        rules: &'static [&'static Rule],
        found: impl Iterator<Item = (&'d Diagnostic, bool)>,
    ) -> Self {
        let mut counts = vec![<[SeverityCount; Severity::ALL.len()]>::default(); rules.len()];
        for (diagnostic, wanted) in found {
            if let Some(rule) = rules.iter().position(|rule| diagnostic.is_of(rule)) {
                let count = &mut counts[rule][diagnostic.severity as usize];
                count.all += 1;
                count.wanted += usize::from(wanted);
            }
        }
        Self { rules, counts }
    }

    /// True if some rule and severity has more problems than in `other`, or more to fix.
    pub fn exceeds(&self, other: &Self) -> bool {
        let pairs = self.counts.iter().flatten().zip(other.counts.iter().flatten());
        let is_more = |(one, other): (&SeverityCount, &SeverityCount)| {
            one.all > other.all || one.wanted > other.wanted
        };
        pairs.into_iter().any(is_more)
    }

    /// For each rule, in their order, its numbers of problems at each severity.
    fn rules(
        &self,
    ) -> impl Iterator<Item = (&'static Rule, &[SeverityCount; Severity::ALL.len()])> {
        self.rules.iter().copied().zip(&self.counts)
    }

    /// For each rule, its total here and its total in `other`, over the severities for which `counts` is
    /// true.
    pub fn pairs<'t>(
        &'t self,
        other: &'t Self,
        counts: impl Fn(Severity) -> bool + Copy + 't,
    ) -> impl Iterator<Item = (&'static Rule, SeverityCount, SeverityCount)> + 't {
        let sum = move |of: &[SeverityCount; Severity::ALL.len()]| {
            let severities = Severity::ALL.into_iter().filter(|s| counts(*s));
            severities.fold(SeverityCount::default(), |sum, severity| {
                let SeverityCount { all, wanted } = of[severity as usize];
                SeverityCount { all: sum.all + all, wanted: sum.wanted + wanted }
            })
        };
        let pairs = self.rules().zip(&other.counts);
        pairs.map(move |((rule, one), other)| (rule, sum(one), sum(other)))
    }
}
