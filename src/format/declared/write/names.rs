//! Splits a name into the parts that it is joined from.

/// A part of a joined name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is elsewhere in the text and keeps this value.
    Fixed(String),
    /// It can be written; with its present text, if it has one.
    Own(Option<String>),
}

/// Returns the texts of the parts that, joined by dots, are `name`; None if they cannot be. A part keeps its
/// present text where that fits, so that dots in it do not matter.
pub fn split(name: &str, parts: &[Part]) -> Option<Vec<String>> {
    let (first, rest) = parts.split_first()?;
    if rest.is_empty() {
        let fits = match first {
            Part::Fixed(text) => text == name,
            Part::Own(_) => !name.is_empty(),
        };
        return fits.then(|| vec![name.to_owned()]);
    }
    let with = |text: &str| {
        let after = match text {
            "" => name,
            text => name.strip_prefix(text)?.strip_prefix('.')?,
        };
        let mut all = vec![text.to_owned()];
        all.extend(split(after, rest)?);
        Some(all)
    };
    match first {
        Part::Fixed(text) => with(text),
        Part::Own(old) => {
            let kept = old.as_deref().filter(|old| !old.is_empty()).and_then(with);
            let dots = name.match_indices('.');
            kept.or_else(|| dots.filter(|(at, _)| *at > 0).find_map(|(at, _)| with(&name[..at])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Part::{Fixed, Own};
    use super::*;

    #[test]
    fn names_are_split_at_dots_and_known_parts() {
        let own = |text: &str| Own(Some(text.to_owned()));
        let fixed = |text: &str| Fixed(text.to_owned());
        let split = |name: &str, parts: &[Part]| split(name, parts).map(|texts| texts.join("|"));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(split("a.b", &[Own(None)]), some("a.b"));
        assert_eq!(split("a.b", &[Own(None), Own(None)]), some("a|b"));
        assert_eq!(split("a.b.c", &[Own(None), Own(None)]), some("a|b.c"));
        assert_eq!(split("a.b.c", &[own("a.b"), own("x")]), some("a.b|c"));
        assert_eq!(split("a.b.c", &[fixed("a.b"), own("x")]), some("a.b|c"));
        assert_eq!(split("a.b.c", &[own("x"), fixed("b.c")]), some("a|b.c"));
        assert_eq!(split("b.c", &[fixed("a"), own("c")]), None);
        assert_eq!(split("a", &[Own(None), Own(None)]), None);
        assert_eq!(split("a.", &[Own(None), Own(None)]), None);
        assert_eq!(split("c", &[fixed(""), own("b")]), some("|c"));
    }
}
