//! Checks that fixes have removed their problems without causing worse ones.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::outcome::SkipReason;
use super::problem_set::{ProblemSet, ProblemTally};
use crate::lint::engine::{Diagnostic, Rule, Severity};

/// The reason why fixes are rejected.
#[derive(Clone, Debug)]
pub enum Objection {
    Stays,
    /// There are more problems of these rules, all more severe than this severity.
    Worse(Vec<&'static Rule>, Severity),
    /// There are more problems of this rule to fix.
    More(&'static Rule),
}

/// Compares the problems before and after some fixes. `repaired` are the problems that the fixes are for.
///
/// # Errors
/// If one of the problems remains, a worse one is new, or fixing might never end.
///
/// # Why
/// A fix may reveal a problem that was hidden before: once a segment has the right label, it may
/// contradict a call. That is acceptable if the revealed problem is at most as severe as the fixed one.
///
/// Fixes that reveal problems could undo each other forever. To prevent this, a fix may add fixable problems
/// of the same severity only if they belong to rules that come later in the table of rules. Read the numbers of
/// problems to fix, most severe and first rules first, as the digits of a number: each fix makes that
/// number smaller, so fixing ends.
///
/// Problems are counted by rule: when a segment is removed, the next one takes its position and may have
/// the same problem.
pub fn check(
    before: &ProblemTally,
    after: &ProblemTally,
    repaired: &[&Diagnostic],
) -> Result<(), Objection> {
    let least = repaired.iter().map(|d| d.severity).min();
    let least = least.unwrap_or(Severity::Error);
    for (rule, old, new) in before.pairs(after, |_| true) {
        let gone = repaired.iter().filter(|d| d.is_of(rule)).count();
        if gone > 0 && new.all + gone > old.all {
            return Err(Objection::Stays);
        }
    }
    let worse = before.pairs(after, |severity| severity > least);
    let worse = worse.filter(|(_, old, new)| new.all > old.all);
    let worse: Vec<_> = worse.map(|(rule, ..)| rule).collect();
    if !worse.is_empty() {
        return Err(Objection::Worse(worse, least));
    }
    match first_difference(before, after) {
        Some((Ordering::Less, _)) => Ok(()),
        Some((_, rule)) => Err(Objection::More(rule)),
        None => Err(Objection::Stays),
    }
}

/// Returns the first rule whose number of problems to fix has changed, beginning with the most severe problems.
fn first_difference(
    before: &ProblemTally,
    after: &ProblemTally,
) -> Option<(Ordering, &'static Rule)> {
    Severity::ALL.into_iter().find_map(|severity| {
        let mut pairs = before.pairs(after, move |s| s == severity);
        pairs.find_map(|(rule, old, new)| match new.wanted.cmp(&old.wanted) {
            Ordering::Equal => None,
            differs => Some((differs, rule)),
        })
    })
}

impl Objection {
    /// Returns the reason why a fix was skipped, naming the problems that it would add to those `before`.
    pub fn why(&self, before: &[(&Diagnostic, bool)], after: &[(&Diagnostic, bool)]) -> SkipReason {
        let is_brought = |(d, wanted): &&(&Diagnostic, bool)| match self {
            Self::Stays => false,
            Self::Worse(rules, least) => d.severity > *least && rules.iter().any(|r| d.is_of(r)),
            Self::More(rule) => d.is_of(rule) && *wanted,
        };
        let known: HashSet<_> = before.iter().map(|(d, _)| d.key()).collect();
        let mut brought = after.iter().filter(is_brought).map(|(d, _)| *d);
        // If there are several of its rule, the new one.
        let first = brought.next();
        let mut all = first.into_iter().chain(brought);
        let new = all.find(|d| !known.contains(&d.key())).or(first);
        new.map_or(SkipReason::Stays, |d| SkipReason::Brings(d.rule.name, d.message.clone()))
    }
}

/// The effect of fixes on the problems to fix.
#[derive(Debug, Default)]
pub struct FixProgress {
    pub repaired: usize,
    pub uncovered: usize,
    /// Problems that are still there but can no longer be fixed.
    pub lost: Vec<Diagnostic>,
}

impl FixProgress {
    /// Counts by rule, because a problem that remains may have moved and its message may have changed.
    pub fn between(before: &ProblemSet, after: &ProblemSet) -> Self {
        let mut progress = Self::default();
        let now = after.by_key();
        let is_lost = |d: &&Diagnostic| now.get(&d.key()) == Some(&false);
        let mut lost: Vec<Vec<&Diagnostic>> = vec![Vec::new(); before.rules.len()];
        for diagnostic in before.wanted().filter(is_lost) {
            if let Some(rule) = before.rules.iter().position(|rule| diagnostic.is_of(rule)) {
                lost[rule].push(diagnostic);
            }
        }
        let (old, new) = (
            ProblemTally::of(before.rules, before.iter()),
            ProblemTally::of(before.rules, after.iter()),
        );
        for ((_, old, new), lost) in old.pairs(&new, |_| true).zip(lost) {
            progress.uncovered += new.wanted.saturating_sub(old.wanted);
            let fewer = old.wanted.saturating_sub(new.wanted);
            let gone = fewer.min(old.all.saturating_sub(new.all));
            let lost = lost.into_iter().take(fewer - gone);
            let known = progress.lost.len();
            progress.lost.extend(lost.cloned());
            // A problem that is not found again is gone, and another one is new.
            progress.repaired += fewer - (progress.lost.len() - known);
        }
        progress
    }
}
