//! Finds the known names that an unknown name may be meant to be.

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
    /// The intended name behind a known typo.
    pub fn alias(name: &'a str) -> Self {
        let likeness = MatchReason::Alias;
        Self { name, likeness }
    }

    pub(super) fn close(name: &'a str) -> Self {
        let likeness = MatchReason::Close;
        Self { name, likeness }
    }
}

/// The names of `known` that `name` may be meant to be: those that differ only in case, separators and
/// whitespace, or else those with the fewest edits. Empty if no name is near, or too many are equally
/// near.
pub fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<NearName<'a>> {
    let plain = folded(name);
    let letters = plain.chars().count();
    let mut most = if letters <= SHORT {
        0
    } else {
        letters.min(18) / 6 + 1
    };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for known in known {
        let other = folded(known);
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

/// The letters and digits of a name, in lower case.
fn folded(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: &str) -> Vec<&'static str> {
        let known = [
            "name.movie",
            "name.theater",
            "flight1_detail.date",
            "flight2_detail.date",
            "to",
            "type",
        ];
        near(name, known.into_iter())
            .iter()
            .map(|n| n.name)
            .collect()
    }

    #[test]
    fn the_nearest_are_found() {
        assert_eq!(names("Name_Movie"), ["name.movie"]);
        assert_eq!(names("name.theatre"), ["name.theater"]);
        assert_eq!(names("name.moveis"), ["name.movie"]);
        assert_eq!(names("flight2_details.date"), ["flight2_detail.date"]);
        let either = ["flight1_detail.date", "flight2_detail.date"];
        assert_eq!(names("flight3_detail.date"), either);
        assert_eq!(names("seating"), [""; 0]);
        assert_eq!(names("from"), [""; 0]);
        assert_eq!(names("typ"), [""; 0]);
    }
}
