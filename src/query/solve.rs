//! Finds the values with which the conditions of a query hold together.
//!
//! A turn matches a query with variables if there is a value for each of them with which it does. Values are tried one
//! variable after another. As long as some have no value yet, their conditions are taken to be met wherever they may
//! be; if no turn matches even so, the values of the others are not tried.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::expression::{Condition, Query};
use super::matching::{Matches, Place, Target};
use super::value::{FoundValue, Operator};

/// The most combinations of values that are tried in a dialog.
const COMBINATIONS: usize = 10_000;

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
    pub fn all(query: &'q Query, target: &Target<'_>) -> Self {
        Solver::new(query, target).solved(true)
    }

    /// Finds for each turn whether there are values with which it matches.
    pub fn any(query: &'q Query, target: &Target<'_>) -> Self {
        Solver::new(query, target).solved(false)
    }

    pub fn of_turn(&self, turn: usize) -> impl Iterator<Item = &Solution> {
        self.list
            .iter()
            .filter(move |solution| solution.turns[turn])
    }

    /// Returns the query with each choice of values that its places depend on, and the solutions with these values.
    pub fn with_values<'s>(
        &self,
        query: &Query,
        solutions: &[&'s Solution],
    ) -> Vec<(Query, Vec<&'s Solution>)> {
        let mut shown = Vec::new();
        query.shown(None, &mut shown);
        let shown: HashSet<_> = shown
            .iter()
            .filter_map(|(condition, _)| Some(condition.variable()?.0))
            .collect();
        let mut groups: BTreeMap<Vec<Option<usize>>, Vec<&Solution>> = BTreeMap::new();
        for solution in solutions {
            let chosen = self.variables.iter().zip(&solution.chosen);
            let chosen =
                chosen.map(|(variable, value)| value.filter(|_| shown.contains(variable.name)));
            groups.entry(chosen.collect()).or_default().push(solution);
        }
        let with_values = |chosen: &[Option<usize>]| {
            let value_of = |name: &str| {
                let place = self.variables.iter().position(|v| v.name == name)?;
                let value = chosen.get(place).copied().flatten()?;
                self.variables[place].values.get(value).cloned()
            };
            let mut query = query.clone();
            query.visit_mut(&mut |condition| condition.set_value(&value_of));
            query
        };
        let groups = groups.into_iter();
        groups
            .map(|(chosen, solutions)| (with_values(&chosen), solutions))
            .collect()
    }

    /// Returns the values of the variables in solutions.
    pub fn values(&self, solutions: &[&Solution]) -> Box<[VariableValues]> {
        let all = self.variables.iter().enumerate().map(|(place, variable)| {
            let chosen = solutions
                .iter()
                .filter_map(|solution| solution.chosen[place]);
            let chosen: BTreeSet<usize> = chosen.collect();
            let values = chosen.iter().map(|value| &variable.values[*value]);
            VariableValues {
                name: variable.name.to_owned(),
                values: values.map(|value| value.as_str().to_owned()).collect(),
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
    Compared {
        /// The position of the variable.
        variable: usize,
        operator: Operator,
        /// For each turn, the values that are compared.
        values: Vec<Vec<FoundValue>>,
    },
}

/// Tries values.
struct Solver<'q> {
    query: &'q Query,
    parts: Vec<Part>,
    chosen: Vec<Option<usize>>,
    tried: usize,
    /// True if all values with which a turn matches are wanted, and not only whether there are any.
    wants_all: bool,
    solutions: Solutions<'q>,
}

impl<'q> Solver<'q> {
    fn new(query: &'q Query, target: &Target<'_>) -> Self {
        let dialog = target.dialog;
        let names = query.variables();
        let mut parts = Vec::new();
        query.matches_with(Place::default(), &mut |condition: &Condition, place| {
            parts.push(match condition.variable() {
                None => Part::Met(condition.turns(target, place.within)),
                Some((name, operator)) => Part::Compared {
                    variable: names.iter().position(|n| *n == name).unwrap_or_default(),
                    operator,
                    values: condition.compared_values(dialog),
                },
            });
            vec![false; dialog.turns.len()]
        });
        let variables = names.into_iter().enumerate();
        let variables = variables.map(|(place, name)| Candidates {
            name,
            values: candidates(&parts, place),
        });
        Self {
            query,
            chosen: Vec::new(),
            tried: 0,
            wants_all: true,
            solutions: Solutions {
                variables: variables.collect(),
                list: Vec::new(),
                matches: Matches {
                    turns: vec![false; dialog.turns.len()],
                    is_complete: true,
                },
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
        let mut turns_of = |_: &Condition, place: Place| match parts.next() {
            None => Vec::new(),
            Some(Part::Met(turns)) => turns.clone(),
            Some(Part::Compared {
                variable,
                operator,
                values,
            }) => {
                let chosen = self.chosen.get(*variable);
                let candidates = &self.solutions.variables[*variable].values;
                let values = values.iter();
                let is_met = |values: &Vec<FoundValue>| match chosen {
                    Some(chosen) => {
                        let wanted = chosen.and_then(|chosen| candidates.get(chosen));
                        let mut values = values.iter();
                        wanted.is_some_and(|wanted| {
                            values.any(|value| value.compares(*operator, wanted))
                        })
                    }
                    None => !place.is_negated && !values.is_empty(),
                };
                values.map(is_met).collect()
            }
        };
        self.query.matches_with(Place::default(), &mut turns_of)
    }
}

/// Returns the values that conditions give a variable, without repetitions.
fn candidates(parts: &[Part], wanted: usize) -> Vec<FoundValue> {
    let mut by_turn: BTreeMap<usize, Vec<&FoundValue>> = BTreeMap::new();
    for part in parts {
        if let Part::Compared {
            variable,
            operator: Operator::Equal,
            values,
        } = part
            && *variable == wanted
        {
            for (turn, values) in values.iter().enumerate() {
                by_turn.entry(turn).or_default().extend(values);
            }
        }
    }
    let mut known = HashSet::new();
    let all = by_turn.into_values().flatten();
    let new = all.filter(|value| known.insert(value.key()));
    new.cloned().collect()
}
