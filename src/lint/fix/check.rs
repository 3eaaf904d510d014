//! Checks that repairs have removed their problems and caused none that are worse.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::SkipReason;
use super::problem_set::{ProblemSet, ProblemTally};
use crate::lint::{Diagnostic, RULES, Rule, Severity};

/// Why repairs are rejected.
#[derive(Clone, Debug)]
pub enum Objection {
    Stays,
    /// There are more problems of these rules that are worse than this.
    Worse(Vec<&'static Rule>, Severity),
    /// There is more to repair of a rule.
    More(&'static Rule),
}

/// Compares the problems before some repairs with those after them. `repaired` are the problems that the
/// repairs are for.
///
/// # Errors
/// If one of the problems remains, a worse one is new, or repairing might never end.
///
/// # Why
/// A repair may bring to light what its problem has hidden: with its label right, a segment is seen to
/// contradict a call. That is no reason to leave the label wrong, as long as what comes to light is no
/// worse than what was repaired.
///
/// Repairs could undo each other then. So rules have an order, that of [`RULES`]: of what is as
/// bad, and would be repaired in its turn, only problems of rules behind its own may become more. The
/// numbers of problems to repair, the worst and the first rules first, then go down with every repair as
/// numbers with digits do, which comes to an end.
///
/// Problems are counted by rule: a segment that is removed gives its place to the next one, which may
/// have the same problem.
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

/// The first of all rules, the worst problems first, of which there is more or less to repair than
/// before.
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
    /// Why a repair was not made, in words about the problems it would bring to those `before`.
    pub fn why(&self, before: &[(&Diagnostic, bool)], after: &[(&Diagnostic, bool)]) -> SkipReason {
        let is_brought = |(d, wanted): &&(&Diagnostic, bool)| match self {
            Self::Stays => false,
            Self::Worse(rules, least) => d.severity > *least && rules.iter().any(|r| d.is_of(r)),
            Self::More(rule) => d.is_of(rule) && *wanted,
        };
        let known: HashSet<_> = before.iter().map(|(d, _)| d.key()).collect();
        let mut brought = after.iter().filter(is_brought).map(|(d, _)| *d);
        // The new one, if there are several of its rule.
        let first = brought.next();
        let mut all = first.into_iter().chain(brought);
        let new = all.find(|d| !known.contains(&d.key())).or(first);
        new.map_or(SkipReason::Stays, |d| {
            SkipReason::Brings(d.rule.name, d.message.clone())
        })
    }
}

/// What repairs did to the problems that are to be repaired.
#[derive(Debug, Default)]
pub struct FixProgress {
    pub repaired: usize,
    pub uncovered: usize,
    /// Still there, and not to be repaired any more.
    pub lost: Vec<Diagnostic>,
}

impl FixProgress {
    /// Counted by rule, as a problem that stays may have moved and say other numbers.
    pub fn between(before: &ProblemSet, after: &ProblemSet) -> Self {
        let mut progress = Self::default();
        let now = after.by_key();
        let is_lost = |d: &&Diagnostic| now.get(&d.key()) == Some(&false);
        let mut lost: Vec<Vec<&Diagnostic>> = vec![Vec::new(); RULES.len()];
        for diagnostic in before.wanted().filter(is_lost) {
            if let Some(rule) = RULES.iter().position(|rule| diagnostic.is_of(rule)) {
                lost[rule].push(diagnostic);
            }
        }
        let (old, new) = (
            ProblemTally::of(before.iter()),
            ProblemTally::of(after.iter()),
        );
        for ((_, old, new), lost) in old.pairs(&new, |_| true).zip(lost) {
            progress.uncovered += new.wanted.saturating_sub(old.wanted);
            let fewer = old.wanted.saturating_sub(new.wanted);
            let gone = fewer.min(old.all.saturating_sub(new.all));
            let lost = lost.into_iter().take(fewer - gone);
            let known = progress.lost.len();
            progress.lost.extend(lost.cloned());
            // What cannot be found again is gone, and another one has come.
            progress.repaired += fewer - (progress.lost.len() - known);
        }
        progress
    }
}
