//! Flags that several commands have: which corpora to read, which rules to run, which turns to find.

mod gold;
mod input;
mod query;
mod rules;
mod scheme;

pub use gold::GoldLabels;
pub use input::{
    AnnotatorsOption, ExcludedOption, ExitOptions, FamilyOption, InputOptions, PartLine, PartOf,
    PartOptions, refuse_stdin_with_others,
};
pub use query::{FoundTurns, QueryOptions, parsed, saved_queries};
pub use rules::{RuleOptions, project_settings};
pub use scheme::{scheme_of, schemes_of};

/// Parses the share of votes in a flag.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}
