//! Finds the known names that an unknown name may be meant to be.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A known name that resembles an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearName<'a> {
    pub name: &'a str,
    pub likeness: MatchReason,
}

/// Why two names match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchReason {
    /// A few letters differ.
    Close,
    /// Only case, separators or whitespace differ.
    Spelling,
    /// The unknown name is a known typo.
    Alias,
}

/// The largest number of names to offer.
pub(super) const MOST: usize = 3;

/// In names of up to this many letters, one edit makes another word.
const SHORT: usize = 4;

impl<'a> NearName<'a> {
    /// Returns the intended name behind a known typo.
    pub fn alias(name: &'a str) -> Self {
        let likeness = MatchReason::Alias;
        Self { name, likeness }
    }

    pub(super) fn close(name: &'a str) -> Self {
        let likeness = MatchReason::Close;
        Self { name, likeness }
    }
}

/// The labels near the unknown ones that were looked up before. A corpus repeats its labels in every
/// dialog, and to compare one with all known labels takes a third of a millisecond.
#[derive(Debug, Default)]
pub(super) struct NearLabels(Mutex<HashMap<String, Vec<(String, MatchReason)>>>);

/// The most labels to remember.
const REMEMBERED: usize = 10_000;

impl NearLabels {
    /// Returns the labels near `label`, from `find` if they are not known yet.
    pub fn get<'a>(
        &self,
        label: &str,
        find: impl FnOnce() -> Vec<NearName<'a>>,
    ) -> Vec<(String, MatchReason)> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(near) = known().get(label) {
            return near.clone();
        }
        // Others may look labels up meanwhile.
        let near = find().into_iter();
        let near: Vec<_> = near.map(|n| (n.name.to_owned(), n.likeness)).collect();
        let mut known = known();
        if known.len() < REMEMBERED {
            known.insert(label.to_owned(), near.clone());
        }
        near
    }
}

/// A copy begins empty: its labels may change.
impl Clone for NearLabels {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Always equal: it holds nothing that cannot be found again.
impl PartialEq for NearLabels {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for NearLabels {}

/// Returns the names of `known` that `name` may be meant to be: those that differ only in case, separators and
/// whitespace, or else those with the fewest edits. Empty if no name is near, or too many are equally
/// near.
pub fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<NearName<'a>> {
    let plain = letters(name);
    let count = plain.chars().count();
    let mut most = if count <= SHORT { 0 } else { count.min(18) / 6 + 1 };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for known in known {
        let other = letters(known);
        if other.len().abs_diff(plain.len()) > 4 * most {
            continue;
        }
        let edits = strsim::osa_distance(&plain, &other);
        if edits <= most {
            found.push((edits, known));
            most = edits;
        }
    }
    found.retain(|(edits, _)| *edits == most);
    found.sort_unstable();
    if found.len() > MOST {
        return Vec::new();
    }
    let likeness = match most {
        0 => MatchReason::Spelling,
        _ => MatchReason::Close,
    };
    let near = |(_, name)| NearName { name, likeness };
    found.into_iter().map(near).collect()
}

/// Returns the letters and digits of a name, in lower case.
pub fn letters(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}
