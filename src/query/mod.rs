//! Finding things in dialogs.
//!
//! A [`Query`] is what is typed into the search line. It finds [`Hit`]s in a dialog, and its
//! [`Sieve`] rules dialogs out by their bytes, unread. This layer knows dialogs, not screens.

mod hits;
mod names;
mod sieve;
mod text;

pub use hits::{Hit, Outline};
pub use names::{Named, Names};
pub use sieve::Sieve;
pub use text::Pattern;

use std::fmt;
use std::str::FromStr;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// A text in what is said.
    Text(Pattern),
    /// Segments, acts and state slots with a label.
    Label(Pattern),
    /// Calls of an API.
    Api(Pattern),
    /// What a speaker says.
    Speaker(Pattern),
    /// Whatever has a problem that a rule finds with this in its name.
    Problem(String),
}

/// The beginnings by which queries are told apart, and what they find.
pub const KINDS: [(&str, &str); 4] = [
    ("label:", "turns with a label"),
    ("api:", "calls of an API"),
    ("speaker:", "turns of a speaker"),
    ("problem:", "turns with a problem"),
];

impl Query {
    pub fn is_problem(&self) -> bool {
        matches!(self, Self::Problem(_))
    }
}

impl FromStr for Query {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let kind = KINDS
            .iter()
            .find_map(|(kind, _)| Some((*kind, text.strip_prefix(kind)?)));
        Ok(match kind {
            Some(("label:", rest)) => Self::Label(Pattern::new(rest)),
            Some(("api:", rest)) => Self::Api(Pattern::new(rest)),
            Some(("speaker:", rest)) => Self::Speaker(Pattern::new(rest)),
            Some((_, rest)) => Self::Problem(rest.to_owned()),
            None => Self::Text(Pattern::new(text)),
        })
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(pattern) => write!(f, "{pattern}"),
            Self::Label(pattern) => write!(f, "label:{pattern}"),
            Self::Api(pattern) => write!(f, "api:{pattern}"),
            Self::Speaker(pattern) => write!(f, "speaker:{pattern}"),
            Self::Problem(rule) => write!(f, "problem:{rule}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_round_trip() {
        for text in [
            "two tickets",
            "label:name.theater",
            "api:find_movies",
            "speaker:user",
            "problem:",
            "problem:span",
            "",
            "a:b",
        ] {
            let Ok(query) = text.parse::<Query>();
            assert_eq!(query.to_string(), text);
        }
    }
}
