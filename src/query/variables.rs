//! Variables of queries: which there are, and whether each has a value wherever it compares.
//!
//! A condition with `=$m` that a turn must meet gives the variable its value: that of the member found. All other
//! uses compare. A variable has a value in an alternative alone if only this one gives it; in a negation, none.

use std::collections::BTreeSet;

use super::error::QueryProblem;
use super::expression::{Condition, Query};
use super::value::Operator;

/// The most variables of a query. Each is a level of the search for their values.
const VARIABLES: usize = 16;

/// A use of a variable that has no value there.
pub(super) struct Misuse {
    /// The position among all uses of variables, from left to right.
    pub number: usize,
    pub problem: QueryProblem,
}

impl Query {
    /// Returns the names of its variables, in the order of their first uses.
    pub fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for (name, _) in self.every().into_iter().filter_map(Condition::variable) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// True if some condition compares with a variable.
    pub fn has_variables(&self) -> bool {
        self.has(|condition| condition.variable().is_some())
    }

    /// Returns the first use of a variable that has no value there.
    pub(super) fn misused_variable(&self) -> Option<Misuse> {
        if let Some(one_more) = self.variables().get(VARIABLES) {
            let mut uses = self.every().into_iter().filter_map(Condition::variable);
            let number = uses.position(|(name, _)| name == *one_more)?;
            let problem = QueryProblem::TooManyVariables;
            return Some(Misuse { number, problem });
        }
        let mut number = 0;
        let name = self.unbound(&self.bound(), false, &mut number)?;
        let binds = |condition: &Condition| condition.variable() == Some((name, Operator::Equal));
        let mut wanted = self.wanted().into_iter();
        let problem = match name.to_owned() {
            name if !self.has(binds) => QueryProblem::Unbound(name),
            name if wanted.any(binds) => QueryProblem::BoundInOther(name),
            name => QueryProblem::BoundInNot(name),
        };
        Some(Misuse { number, problem })
    }

    /// Returns the variables that have a value wherever it matches.
    fn bound(&self) -> BTreeSet<&str> {
        match self {
            Self::Is(condition) => {
                let variable = condition.variable().into_iter();
                let binding = variable.filter(|(_, operator)| *operator == Operator::Equal);
                binding.map(|(name, _)| name).collect()
            }
            Self::All(parts) => parts.iter().flat_map(Self::bound).collect(),
            Self::Any(parts) => {
                let all = parts.iter().map(Self::bound);
                all.reduce(|one, other| &one & &other).unwrap_or_default()
            }
            Self::Not(_) => BTreeSet::new(),
            Self::InDialog(part) => part.bound(),
            Self::Then { first, later, .. } => &first.bound() | &later.bound(),
            Self::NotBefore { turn, .. } => turn.bound(),
        }
    }

    /// Returns the first variable without a value where it is used, and counts the uses before it. `bound` has those
    /// with a value from outside.
    fn unbound<'q>(
        &'q self,
        bound: &BTreeSet<&str>,
        is_negated: bool,
        number: &mut usize,
    ) -> Option<&'q str> {
        match self {
            Self::Is(condition) => {
                let (name, _) = condition.variable()?;
                if !bound.contains(name) {
                    return Some(name);
                }
                *number += 1;
                None
            }
            Self::All(parts) => {
                let mut parts = parts.iter();
                parts.find_map(|part| part.unbound(bound, is_negated, number))
            }
            Self::Any(parts) => parts.iter().find_map(|part| {
                // An alternative may have variables of its own.
                let own = if is_negated { BTreeSet::new() } else { part.bound() };
                part.unbound(&(bound | &own), is_negated, number)
            }),
            Self::Not(part) => part.unbound(bound, true, number),
            Self::InDialog(part) => part.unbound(bound, is_negated, number),
            Self::Then { first, later, .. } => first
                .unbound(bound, is_negated, number)
                .or_else(|| later.unbound(bound, is_negated, number)),
            Self::NotBefore { absent, turn } => absent
                .unbound(bound, true, number)
                .or_else(|| turn.unbound(bound, is_negated, number)),
        }
    }
}
