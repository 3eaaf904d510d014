//! Facts about a dialog that rules use: its segments with their texts, its calls, the values it mentions.
//!
//! [`Subject`] has the facts that most rules need, computed once per dialog. The other modules compare
//! texts, labels and values.

pub mod alike;
mod call;
pub mod chat;
pub mod labels;
pub mod schema_check;
pub mod slots;
pub mod spans;
pub mod subject;
pub mod transcript;
pub mod value;

pub use call::{Call, Values};
pub use chat::Chat;
pub use subject::{Location, Mention, ParsedDialog, Subject, ontology_of};
pub use transcript::LowercaseTranscript;
