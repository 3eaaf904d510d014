//! Facts about a dialog that rules use: its segments with their texts, its calls, the values it mentions.
//!
//! [`Subject`] has the facts that most rules need, computed once per dialog. The other modules compare
//! texts, labels and values.

pub mod alike;
mod call;
mod call_edits;
pub mod call_faults;
mod chat;
pub mod elsewhere;
pub mod issues;
pub mod label_support;
pub mod labels;
mod lookup;
mod mention;
pub mod overlap;
mod return_values;
mod schema_check;
pub mod slot_lookup;
pub mod slots;
pub mod span_fault;
mod subject;
pub mod tokens;
pub mod transcript;
pub mod value;
pub mod whitespace;

pub use call::{Call, Values};
pub use chat::{Chat, ChatCall};
pub use mention::{Location, Mention};
pub use subject::{ParsedDialog, Subject, ontology_of};
pub use transcript::LowercaseTranscript;
