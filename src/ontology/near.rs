//! Names that a name may be meant to be.

/// A known name that is like another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near<'a> {
    pub name: &'a str,
    pub likeness: Likeness,
}

/// Why two names are taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// A few letters differ.
    Close,
    /// Only capitals, separators or blanks differ.
    Spelling,
    /// The slip is known.
    Alias,
}

/// Names that are offered, at the most.
pub(super) const MOST: usize = 3;

/// Up to this many letters, one edit makes another word of a name.
const SHORT: usize = 4;

impl<'a> Near<'a> {
    /// What `name` is known to be meant by.
    pub fn alias(name: &'a str) -> Self {
        let likeness = Likeness::Alias;
        Self { name, likeness }
    }

    pub(super) fn close(name: &'a str) -> Self {
        let likeness = Likeness::Close;
        Self { name, likeness }
    }
}

/// Those of `known` that `name` may be meant to be: the same but for capitals, separators and blanks,
/// or else the fewest edits away. None if nothing is near, or too much is equally near.
pub fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<Near<'a>> {
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
        0 => Likeness::Spelling,
        _ => Likeness::Close,
    };
    let near = |(_, name)| Near { name, likeness };
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
