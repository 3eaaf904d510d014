//! Finding things in dialogs.
//!
//! A [`Query`] is what is typed into the search line: a text, a condition, or several of them that
//! hold together for a turn. It finds [`Hit`]s in a dialog, and its
//! [`Prefilter`] rules dialogs out by their bytes, unread. This layer knows dialogs, not screens.

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
    /// Turns in which each of these finds something. None of them is several.
    All(Vec<Query>),
}

/// The beginnings by which queries are told apart, and what they find.
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

    /// What has to be found: itself, or each of several.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::All(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// The text that is looked for, or the name.
    pub fn pattern(&self) -> Option<&Pattern> {
        match self {
            Self::Text(p) | Self::Label(p) | Self::Api(p) | Self::Speaker(p) => Some(p),
            Self::Problem(_) | Self::All(_) => None,
        }
    }

    /// The beginning of a condition that lacks what it needs.
    pub fn lacking(&self) -> Option<&'static str> {
        let kind = |query: &Self| match query {
            Self::Label(p) if p.is_empty() => Some("label:"),
            Self::Api(p) if p.is_empty() => Some("api:"),
            Self::Speaker(p) if p.is_empty() => Some("speaker:"),
            _ => None,
        };
        self.parts().iter().find_map(kind)
    }

    /// A label as it is typed to be looked for.
    pub fn of_label(name: &str) -> Self {
        Self::Label(Pattern::new(name))
    }
}
