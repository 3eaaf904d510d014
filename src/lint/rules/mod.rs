//! The rules, one table a topic.
//!
//! The comment of a row is the manual page of its rule: the problem in one line, then why it
//! matters, what the fixes do and how safe they are, and at least one example with the problem and one
//! without. Examples are fenced blocks, ```` ```text bad ```` and ```` ```text good ````, in the
//! notation of segments (`user: see «No Time»{name.movie}`, one turn per line), or ```` ```json bad ````
//! with a whole dialog of any family. If the name of the file matters, it follows the verdict; all named
//! examples of a verdict are in one folder. A test runs every example, also as a file of its own: the
//! bad one must be reported at the severity of the rule, the good one at most as a note.

mod calls;
mod chats;
mod files;
mod labels;
mod names;
mod overlaps;
mod spans;
mod states;
mod turns;
mod votes;

pub use chats::{MemberTypes, PROFILES, Profile, profile};
pub use files::{KnownDialog, duplicates, text_hash};
pub use overlaps::{LabelledText, mentions_to_label};
pub use votes::{file_name, labels_file};

use std::sync::LazyLock;

use super::engine::{Rule, Selection};

/// Every rule, in the order of listings: rules come before those that depend on them. A fix may reveal
/// problems of later rules, see [`fn@super::fix`].
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| TOPICS.concat());

/// The tables of the topics.
static TOPICS: &[&[&Rule]] = &[
    files::RULES,
    turns::RULES,
    spans::RULES,
    labels::RULES,
    overlaps::RULES,
    calls::RULES,
    chats::RULES,
    states::RULES,
    votes::RULES,
];

/// Returns the rule named `name`.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

impl Default for Selection {
    /// Selects the rules that are on by default.
    fn default() -> Self {
        Self::defaults_of(&RULES)
    }
}

impl Selection {
    /// Selects no rule.
    pub fn none() -> Self {
        Self::none_of(&RULES)
    }
}
