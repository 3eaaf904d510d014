//! Searching dialogs.
//!
//! A [`Query`] is the content of the search line: a text, a condition, or several of these that must all
//! match the same turn. It finds [`Hit`]s in a dialog, and its [`Prefilter`] excludes dialogs by their
//! bytes, without parsing them. This layer knows dialogs, not screens.

mod hits;
mod names;
mod prefilter;
mod summary;
mod text;
mod typed;

pub use hits::Hit;
pub use names::{NameKind, Names};
pub use prefilter::Prefilter;
pub use summary::DialogSummary;
pub use text::Pattern;
pub use typed::Condition;

/// A search query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Matches a text in utterances.
    Text(Pattern),
    /// Matches segments, acts and state slots with a label.
    Label(Pattern),
    /// Matches calls of an API.
    Api(Pattern),
    /// Matches turns by a speaker.
    Speaker(Pattern),
    /// Matches the places of problems whose rule has this in its name.
    Problem(String),
    /// Matches turns that all these queries match; none of them is itself an `All`.
    All(Vec<Query>),
}

/// The prefixes of conditions, with their descriptions.
pub const KINDS: [(&str, &str); 4] = [
    ("label:", "turns with a label"),
    ("api:", "calls of an API"),
    ("speaker:", "turns by a speaker"),
    ("problem:", "turns with a problem"),
];

impl Query {
    pub fn is_problem(&self) -> bool {
        matches!(self, Self::Problem(_))
    }

    /// The conditions that must all match.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::All(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// The text or name to search for.
    pub fn pattern(&self) -> Option<&Pattern> {
        match self {
            Self::Text(p) | Self::Label(p) | Self::Api(p) | Self::Speaker(p) => Some(p),
            Self::Problem(_) | Self::All(_) => None,
        }
    }

    /// The prefix of a condition that lacks its value.
    pub fn lacking(&self) -> Option<&'static str> {
        let kind = |query: &Self| match query {
            Self::Label(p) if p.is_empty() => Some("label:"),
            Self::Api(p) if p.is_empty() => Some("api:"),
            Self::Speaker(p) if p.is_empty() => Some("speaker:"),
            _ => None,
        };
        self.parts().iter().find_map(kind)
    }

    /// The query for a label, as it is typed.
    pub fn of_label(name: &str) -> Self {
        Self::Label(Pattern::new(name))
    }
}
