//! What several tests need: a second opinion on JSON, corpora to try, edits and their outcome.

pub mod check;
pub mod files;
pub mod oracle;
pub mod plan;
pub mod style;
pub mod value;
