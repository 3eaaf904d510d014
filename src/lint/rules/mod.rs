//! The rules, one file each.
//!
//! The leading comment of a rule's file is its manual page: what it finds in one line, then why it
//! matters, what its fixes do and how safe they are, and at least one example that has the problem and
//! one that has not. Examples are fenced blocks, ```` ```text bad ```` and ```` ```text good ````, in
//! the notation of segments (`user: see «No Time»{name.movie}`, a line a turn), or ```` ```json bad ````
//! with a whole dialog of any family. A test runs them.

mod span_cuts_word;
mod span_out_of_range;

use super::Rule;

/// Every rule, in the order in which they are listed.
pub static RULES: &[&Rule] = &[&span_out_of_range::RULE, &span_cuts_word::RULE];

/// The rule called `name`.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}
