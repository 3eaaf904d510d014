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
