//! The rules, one file each, in one folder per topic.
//!
//! The leading comment of a rule's file is its manual page: the problem in one line, then why it
//! matters, what the fixes do and how safe they are, and at least one example with the problem and one
//! without. Examples are fenced blocks, ```` ```text bad ```` and ```` ```text good ````, in the
//! notation of segments (`user: see «No Time»{name.movie}`, one turn per line), or ```` ```json bad ````
//! with a whole dialog of any family. If the name of the file matters, it follows the verdict; all named
//! examples of a verdict are in one folder. A test runs every example, also as a file of its own: the
//! bad one must be reported at the severity of the rule, the good one at most as a note.

mod calls;
mod chat;
mod labels;
mod names;
mod segments;
mod simulated;
mod structure;
mod votes;

pub use chat::{MemberTypes, PROFILES, Profile, profile};
pub use segments::{LabelledText, mentions_to_label};
pub use structure::{KnownDialog, duplicates, text_hash};
pub use votes::{file_name, labels_file};

use super::engine::{Rule, Selection};

/// Every rule, in the order of listings: rules come before those that depend on them. A fix may reveal
/// problems of later rules, see [`fn@super::fix`].
pub static RULES: &[&Rule] = &joined::<{ count(TOPICS) }>(TOPICS);

/// The tables of the topics.
static TOPICS: &[&[&Rule]] = &[
    structure::RULES,
    segments::RULES,
    labels::RULES,
    segments::SEVERAL,
    calls::RULES,
    chat::RULES,
    simulated::RULES,
    votes::RULES,
];

const fn count(tables: &[&[&Rule]]) -> usize {
    let (mut count, mut table) = (0, 0);
    while table < tables.len() {
        count += tables[table].len();
        table += 1;
    }
    count
}

/// Returns the rows of all tables, whose number is `COUNT`.
const fn joined<const COUNT: usize>(tables: &[&[&'static Rule]]) -> [&'static Rule; COUNT] {
    let mut all = [tables[0][0]; COUNT];
    let (mut next, mut table) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[next] = tables[table][row];
            next += 1;
            row += 1;
        }
        table += 1;
    }
    all
}

/// Returns the rule named `name`.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

impl Default for Selection {
    /// Selects the rules that are on by default.
    fn default() -> Self {
        Self::defaults_of(RULES)
    }
}

impl Selection {
    /// Selects no rule.
    pub fn none() -> Self {
        Self::none_of(RULES)
    }
}
