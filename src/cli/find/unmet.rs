//! Finds conditions that no turn meets, to explain why a query finds nothing.

use crate::cli::scan::{Collector, ScannedDialog, examine};
use crate::query::{Prefilter, Query, Target};
use crate::shell::FoundPath;

/// A condition with a name, as a query of its own.
struct NamedCondition {
    query: Query,
    prefilter: Prefilter,
}

/// Returns the names that a query asks for and no dialog has, if it finds nothing.
pub fn unmet(query: &Query, files: &[FoundPath]) -> Vec<String> {
    if let Query::Is(only) = query {
        let name = Query::Is(only.without_variable()).to_string();
        return only.named().map(|_| name).into_iter().collect();
    }
    let all = query.wanted();
    let named = all.iter().filter(|condition| condition.named().is_some());
    let named = named.map(|condition| {
        let query = Query::Is(condition.without_variable());
        NamedCondition { prefilter: Prefilter::new(&query), query }
    });
    let named: Vec<_> = named.collect();
    if named.is_empty() {
        return Vec::new();
    }
    let reports = examine(files, |_| Met { conditions: &named, met: vec![false; named.len()] });
    let is_met = |number: usize| reports.iter().any(|report| report.gathered.met[number]);
    let unmet = (0..named.len()).filter(|number| !is_met(*number));
    unmet.map(|number| named[number].query.to_string()).collect()
}

/// Which of the conditions some turn meets.
struct Met<'c> {
    conditions: &'c [NamedCondition],
    met: Vec<bool>,
}

impl Met<'_> {
    fn unmet(&self) -> impl Iterator<Item = usize> {
        (0..self.met.len()).filter(|number| !self.met[*number])
    }
}

impl Collector for Met<'_> {
    const FORM: bool = false;

    fn skips(&self, bytes: &[u8]) -> bool {
        let may_be_met = |number| {
            let condition: &NamedCondition = &self.conditions[number];
            condition.prefilter.may_hit(bytes)
        };
        !self.unmet().any(may_be_met)
    }

    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let target = Target::new(&read.dialog, &[]);
        let is_met = |number: &usize| {
            let query = &self.conditions[*number].query;
            query.matches(&target).turns.contains(&true)
        };
        let met: Vec<_> = self.unmet().filter(is_met).collect();
        for number in met {
            self.met[number] = true;
        }
    }

    fn join(&mut self, later: Self) {
        for (met, later) in self.met.iter_mut().zip(later.met) {
            *met |= later;
        }
    }
}
