//! Compares texts: the known name that a misspelt one probably means, and two texts cut so that their first
//! difference is visible.

/// The largest number of characters to keep before the first difference.
const BEFORE: usize = 24;

/// Both texts without most of their common beginning, which an ellipsis replaces.
pub fn clipped(one: &str, other: &str) -> (String, String) {
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let skip = alike.count().saturating_sub(BEFORE);
    let clip = |text: &str| match skip {
        0 => text.to_owned(),
        _ => format!("…{}", text.chars().skip(skip).collect::<String>()),
    };
    (clip(one), clip(other))
}

/// The most typing errors in a name that is still recognized.
const TYPOS: usize = 3;

/// Returns the known name that is nearest to `name`, unless more than three characters, or more than half of
/// them, are changed, added, missing or swapped.
pub fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let distance = |known: &'static str| (strsim::osa_distance(name, known), known);
    let near = known.map(distance).min()?;
    (near.0 <= TYPOS.min(name.chars().count() / 2)).then_some(near.1)
}
