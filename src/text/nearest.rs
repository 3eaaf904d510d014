//! Finds the name that a misspelt one probably means.

/// The most typing errors in a name that is still recognized.
const TYPOS: usize = 3;

/// Returns the known name that is nearest to `name`, unless more than three characters, or more than half of
/// them, are changed, added, missing or swapped.
pub fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let distance = |known: &'static str| (strsim::osa_distance(name, known), known);
    let near = known.map(distance).min()?;
    (near.0 <= TYPOS.min(name.chars().count() / 2)).then_some(near.1)
}
