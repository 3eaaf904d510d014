//! Says which members the names in a query mean, where that is not clear from the names themselves.

use std::collections::BTreeSet;

use super::asked::List;
use super::expression::{Condition, Query, Wanted};
use super::keys::Scope;
use super::print::name;
use super::target::Target;
use super::value::Closeness;
use crate::dialog::Dialog;

/// The names that the conditions of a query compare the values of, and the members that they mean.
#[derive(Debug, Default)]
pub struct MeantNames {
    names: Vec<MeantName>,
}

#[derive(Debug)]
struct MeantName {
    condition: Condition,
    /// The paths of members that are called exactly so.
    exact: BTreeSet<String>,
    /// The paths of other members that were meant, because no member is called exactly so.
    others: BTreeSet<String>,
    /// The paths of members that have the name in theirs, and were not meant.
    left_out: BTreeSet<String>,
}

impl MeantNames {
    /// Returns the names of a query, before any dialog is seen.
    pub fn of(query: &Query) -> Self {
        let mut names: Vec<MeantName> = Vec::new();
        for condition in query.every() {
            let compares = condition
                .wanted()
                .is_some_and(|of| of.key.scope != Scope::None && of.test.is_some());
            if compares && !names.iter().any(|name| name.condition == *condition) {
                names.push(MeantName {
                    condition: condition.clone(),
                    exact: BTreeSet::new(),
                    others: BTreeSet::new(),
                    left_out: BTreeSet::new(),
                });
            }
        }
        Self { names }
    }

    /// Takes note of the members of a dialog.
    pub fn see(&mut self, dialog: &Dialog) {
        for name in &mut self.names {
            name.see(dialog);
        }
    }

    /// Adds what was seen elsewhere for the same query.
    pub fn join(&mut self, other: Self) {
        for (name, other) in self.names.iter_mut().zip(other.names) {
            name.exact.extend(other.exact);
            name.others.extend(other.others);
            name.left_out.extend(other.left_out);
        }
    }

    /// Returns a sentence for each name that means something else than the one member called so.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.names.iter().filter_map(MeantName::note) {
            // A name may be compared with several values.
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}

impl MeantName {
    fn see(&mut self, dialog: &Dialog) {
        let Some(asked) = self.condition.wanted().map(Wanted::asked) else {
            return;
        };
        let target = Target::new(dialog, &[]);
        let mut seen: Vec<(List, Vec<(Closeness, String)>)> = Vec::new();
        for turn in 0..dialog.turns.len() {
            asked.each(&target, turn, &mut |list, close, found| {
                if seen.last().is_none_or(|(last, _)| *last != list) {
                    seen.push((list, Vec::new()));
                }
                if let Some((_, all)) = seen.last_mut()
                    && !all.iter().any(|(_, other)| other == found.path)
                {
                    all.push((close, found.path.to_owned()));
                }
            });
        }
        for (_, all) in seen {
            let closest = all.iter().map(|(close, _)| *close).min();
            for (close, path) in all {
                let paths = match close {
                    Closeness::Exact => &mut self.exact,
                    _ if Some(close) == closest => &mut self.others,
                    _ => &mut self.left_out,
                };
                paths.insert(path);
            }
        }
    }

    fn note(&self) -> Option<String> {
        let Wanted { key, name: Some(pattern), .. } = self.condition.wanted()? else {
            return None;
        };
        if pattern.has_wildcards() || self.others.is_empty() && self.left_out.is_empty() {
            return None;
        }
        let name = format!("{}:{}", key.name, name(pattern));
        let exact = self.exact.first().map(|exact| format!("`{exact}`"));
        let others = (!self.others.is_empty()).then(|| listed(&self.others));
        let meant = match (exact, others) {
            (Some(exact), Some(others)) => format!("{exact}, or, if a dialog lacks it, {others}"),
            (Some(exact), None) => exact,
            (None, others) => others.unwrap_or_default(),
        };
        // Members that were meant in one dialog may be left out in another.
        let left_out: BTreeSet<_> = self.left_out.difference(&self.others).cloned().collect();
        let left_out = match left_out.len() {
            0 => String::new(),
            _ => format!("; not {}", listed(&left_out)),
        };
        Some(format!("{name} means {meant}{left_out}"))
    }
}

/// Names in a few words: all, if there are at most three.
fn listed(paths: &BTreeSet<String>) -> String {
    const FEW: usize = 3;
    let quoted = |path: &String| format!("`{path}`");
    if paths.len() <= FEW {
        return paths.iter().map(quoted).collect::<Vec<_>>().join(", ");
    }
    let count = paths.len();
    let common =
        paths.iter().skip(1).fold(paths.first().map_or("", String::as_str), |common, path| {
            let same = common.bytes().zip(path.bytes());
            let same = same.take_while(|(one, other)| one == other).count();
            // Up to a whole name.
            let ends = |at: &usize| {
                let is_end = |text: &str| matches!(text.as_bytes().get(*at), None | Some(b'.'));
                is_end(common) && is_end(path)
            };
            &common[..(0..=same).rev().find(ends).unwrap_or(0)]
        });
    match common {
        "" => {
            let first: Vec<_> = paths.iter().take(2).map(quoted).collect();
            format!("{count} fields such as {}", first.join(", "))
        }
        common => format!("{count} fields under `{common}`"),
    }
}
