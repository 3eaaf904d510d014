//! Searching dialogs.
//!
//! A [`Query`] is the content of the search line: conditions on a turn, combined, negated and in sequence.
//! It finds [`Hit`]s in a dialog, and its [`Prefilter`] excludes dialogs by their bytes, without parsing
//! them. This layer knows dialogs, not screens.

mod asked;
mod columns;
mod count;
mod error;
mod excerpt;
mod explain;
mod expression;
mod hits;
mod keys;
mod matching;
mod meant;
mod members;
mod names;
mod parse;
mod places;
mod prefilter;
mod print;
mod record;
mod scan;
mod solve;
mod sought;
mod summary;
mod target;
mod text;
mod totals;
mod typed;
mod value;
mod variables;

pub use columns::Column;
pub use count::{CountKey, ValueCounts, shown_value};
pub use error::{QueryError, QueryProblem};
pub use excerpt::HitExcerpt;
pub use expression::{Condition, Query, Wanted};
pub use hits::{FoundHits, Hit};
pub use keys::{CONDITIONS, ConditionKey, Takes};
pub use matching::{Matches, UNTRIED};
pub use meant::MeantNames;
pub use names::{NameKind, Names};
pub use places::{TextKind, TextPlace};
pub use prefilter::Prefilter;
pub use record::HitRecord;
pub use solve::VariableValues;
pub use sought::Sought;
pub use summary::DialogSummary;
pub use target::{DialogSource, HiddenAnswers, Target, is_own};
pub use text::Pattern;
pub use totals::Totals;
pub use typed::TypedCondition;
pub use value::{Closeness, NamePattern, RegexPattern, is_equal};
