//! Finds the values with which the conditions of a query hold together.
//!
//! A turn matches a query with variables if there is a value for each of them with which it does. Values are tried one
//! variable after another. As long as some have no value yet, their conditions are taken to be met wherever they may
//! be; if no turn matches even so, the values of the others are not tried.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use super::expression::{Condition, Query};
use super::matching::{Matches, Place};
use super::target::Target;
use super::value::{FoundValue, Operator};
use crate::dialog::Dialog;

/// The most combinations of values that are tried in a dialog.
const COMBINATIONS: usize = 10_000;

impl Query {
    /// For each turn of the dialog, whether it matches.
    pub fn matches(&self, target: &Target<'_>) -> Matches {
        if self.has_variables() {
            return Solutions::any(self, target).matches;
        }
        let people = target.people();
        Matches {
            turns: self.matches_with(Place::of(&people, target.dialog), &mut |condition, place| {
                condition.turns(target, place)
            }),
            is_complete: true,
        }
    }
}

/// The values of a variable with which a query finds a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableValues {
    /// The name, without the dollar sign.
    pub name: String,
    /// The values as the file has them, in the order in which the dialog has them; at least one.
    pub values: Vec<String>,
}

/// The turns that a query with variables matches, and the values with which it does.
pub(super) struct Solutions<'q> {
    variables: Vec<Candidates<'q>>,
    list: Vec<Solution>,
    pub matches: Matches,
}

/// A variable, and the values that it may have.
struct Candidates<'q> {
    name: &'q str,
    /// In the order in which the dialog has them.
    values: Vec<FoundValue>,
}

/// A value for each variable, and the turns that match with them.
pub(super) struct Solution {
    /// The positions of the values among the candidates; None for a variable without any, which only alternatives
    /// use that are not met.
    chosen: Vec<Option<usize>>,
    turns: Vec<bool>,
}

impl<'q> Solutions<'q> {
    /// Finds all values with which turns match.
    pub fn all(query: &'q Query, target: &Target<'q>) -> Self {
        Solver::new(query, target).solved(true)
    }

    /// Finds for each turn whether there are values with which it matches.
    pub fn any(query: &'q Query, target: &Target<'q>) -> Self {
        Solver::new(query, target).solved(false)
    }

    pub fn of_turn(&self, turn: usize) -> impl Iterator<Item = &Solution> {
        self.list.iter().filter(move |solution| solution.turns[turn])
    }

    /// Returns solutions in groups that agree in the values of the variables of these conditions, in the order of
    /// the values.
    pub fn grouped<'s>(
        &self,
        mut solutions: Vec<&'s Solution>,
        conditions: &[&Condition],
    ) -> Vec<Vec<&'s Solution>> {
        let variables = conditions.iter().filter_map(|of| self.variable_of(of));
        let mut variables: Vec<_> = variables.collect();
        variables.sort_unstable();
        let compare = |one: &&Solution, other: &&Solution| {
            let mut each = variables.iter().map(|v| one.chosen[*v].cmp(&other.chosen[*v]));
            each.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        solutions.sort_by(compare);
        let groups = solutions.chunk_by(|one, other| compare(one, other).is_eq());
        groups.map(<[_]>::to_vec).collect()
    }

    /// Returns the position of the value that the variable of a condition has in a solution; None if it has none.
    pub fn value_in(&self, solution: &Solution, condition: &Condition) -> Option<usize> {
        solution.chosen[self.variable_of(condition)?]
    }

    /// Returns a condition with the value that its variable has in a solution.
    pub fn with_value(&self, condition: &Condition, solution: &Solution) -> Condition {
        let mut condition = condition.clone();
        let variable = self.variable_of(&condition);
        let value = variable.and_then(|variable| {
            let value = solution.chosen[variable]?;
            self.variables[variable].values.get(value).cloned()
        });
        condition.set_value(value);
        condition
    }

    /// Returns the position of the variable of a condition.
    fn variable_of(&self, condition: &Condition) -> Option<usize> {
        let (name, _) = condition.variable()?;
        self.variables.iter().position(|of| of.name == name)
    }

    /// Returns the values of the variables in solutions.
    pub fn values(&self, solutions: &[&Solution]) -> Box<[VariableValues]> {
        let all = self.variables.iter().enumerate().map(|(place, variable)| {
            let mut is_chosen = vec![false; variable.values.len()];
            for value in solutions.iter().filter_map(|of| of.chosen[place]) {
                is_chosen[value] = true;
            }
            let values = variable.values.iter().zip(is_chosen);
            let values = values.filter(|(_, is_chosen)| *is_chosen);
            VariableValues {
                name: variable.name.to_owned(),
                values: values.map(|(value, _)| value.as_str().to_owned()).collect(),
            }
        });
        all.filter(|variable| !variable.values.is_empty()).collect()
    }
}

/// A condition of the query, in the order in which conditions are asked for.
enum Part {
    /// The turns that meet a condition without variables.
    Met(Vec<bool>),
    /// A comparison with a variable.
    Compared(Compared),
}

/// The values that a condition compares with a variable.
struct Compared {
    /// The position of the variable.
    variable: usize,
    operator: Operator,
    /// For each turn.
    values: Vec<Vec<FoundValue>>,
    /// The turns that meet it for this condition are left out.
    is_negated: bool,
}

impl Compared {
    /// For each turn, whether it has a value that compares so with another one.
    fn turns_with(&self, other: &FoundValue) -> Vec<bool> {
        let compares = |value: &FoundValue| value.compares(self.operator, other);
        self.values.iter().map(|values| values.iter().any(compares)).collect()
    }

    /// For each turn, whether it may meet the condition as long as the variable has no value.
    fn open_turns(&self) -> Vec<bool> {
        self.values.iter().map(|values| !values.is_empty() && !self.is_negated).collect()
    }
}

/// Tries values.
struct Solver<'q> {
    query: &'q Query,
    dialog: &'q Dialog,
    /// All who judged the dialog, and the user.
    people: Vec<&'q str>,
    parts: Vec<Part>,
    chosen: Vec<Option<usize>>,
    tried: usize,
    /// True if all values with which a turn matches are wanted, and not only whether there are any.
    wants_all: bool,
    solutions: Solutions<'q>,
}

impl<'q> Solver<'q> {
    fn new(query: &'q Query, target: &Target<'q>) -> Self {
        let dialog = target.dialog;
        let people = target.people();
        let names = query.variables();
        let mut parts = Vec::new();
        query.matches_with(Place::of(&people, dialog), &mut |condition: &Condition, place| {
            let variable = condition.variable().zip(condition.wanted());
            parts.push(match variable {
                None => Part::Met(condition.turns(target, place)),
                Some(((name, operator), wanted)) => Part::Compared(Compared {
                    variable: names.iter().position(|n| *n == name).unwrap_or_default(),
                    operator,
                    values: wanted.asked().compared(target, place.by),
                    is_negated: place.is_negated,
                }),
            });
            vec![false; dialog.turns.len()]
        });
        let variables = names.into_iter().enumerate();
        let variables =
            variables.map(|(place, name)| Candidates { name, values: candidates(&parts, place) });
        let variables = variables.collect();
        Self {
            dialog,
            query,
            people,
            chosen: Vec::new(),
            tried: 0,
            wants_all: true,
            solutions: Solutions {
                variables,
                list: Vec::new(),
                matches: Matches { turns: vec![false; dialog.turns.len()], is_complete: true },
            },
            parts,
        }
    }

    fn solved(mut self, wants_all: bool) -> Solutions<'q> {
        self.wants_all = wants_all;
        self.solve();
        self.solutions
    }

    /// Tries the values of the next variable.
    fn solve(&mut self) {
        if self.tried == COMBINATIONS {
            self.solutions.matches.is_complete = false;
            return;
        }
        self.tried += 1;
        let turns = self.turns();
        let known = &mut self.solutions.matches.turns;
        let mut new = turns.iter().zip(&*known);
        if !new.any(|(is_met, is_known)| *is_met && (self.wants_all || !is_known)) {
            return;
        }
        let Some(next) = self.solutions.variables.get(self.chosen.len()) else {
            for (known, is_met) in known.iter_mut().zip(&turns) {
                *known |= is_met;
            }
            let chosen = self.chosen.clone();
            self.solutions.list.push(Solution { chosen, turns });
            return;
        };
        let count = next.values.len();
        let none = (count == 0).then_some(None);
        for value in (0..count).map(Some).chain(none) {
            self.chosen.push(value);
            self.solve();
            self.chosen.pop();
        }
    }

    /// Returns the turns that match with the values chosen; those that may match, if variables are left.
    fn turns(&self) -> Vec<bool> {
        let mut parts = self.parts.iter();
        let mut turns_of = |_: &Condition, _: Place<'_>| match parts.next() {
            None => Vec::new(),
            Some(Part::Met(turns)) => turns.clone(),
            Some(Part::Compared(compared)) => match self.chosen.get(compared.variable) {
                None => compared.open_turns(),
                // A variable without values compares with nothing.
                Some(None) => vec![false; compared.values.len()],
                Some(Some(number)) => {
                    let values = &self.solutions.variables[compared.variable].values;
                    compared.turns_with(&values[*number])
                }
            },
        };
        self.query.matches_with(Place::of(&self.people, self.dialog), &mut turns_of)
    }
}

/// Returns the values that conditions give a variable, without repetitions.
fn candidates(parts: &[Part], wanted: usize) -> Vec<FoundValue> {
    let mut by_turn: BTreeMap<usize, Vec<&FoundValue>> = BTreeMap::new();
    let giving = parts.iter().filter_map(|part| match part {
        Part::Compared(of) if of.variable == wanted && of.operator == Operator::Equal => Some(of),
        _ => None,
    });
    for of in giving {
        for (turn, values) in of.values.iter().enumerate() {
            by_turn.entry(turn).or_default().extend(values);
        }
    }
    let mut known = HashSet::new();
    let all = by_turn.into_values().flatten();
    let new = all.filter(|value| known.insert(value.key()));
    new.cloned().collect()
}
