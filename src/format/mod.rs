//! The dataset families and their ways of writing dialogs in JSON.
//!
//! A [`Family`] is a description in TOML, bundled or written by the user: see [`declared`] and [`Formats`]. A few have
//! functions in Rust beside it, for what no description can say (`families`). It is recognized by the shape of its
//! dialogs, never by a file's name. Reading accepts bad data and reports its issues; writing compares a dialog before and
//! after edits with the text.
//!
//! This layer knows JSON and dialogs. It does not know which file a text is from.

mod answers;
pub mod declared;
pub mod embedded;
mod engine;
mod families;
mod family;
mod media;
mod ontology_form;
mod registry;
mod texts;

pub use declared::BEFORE_BRANCH;
pub use engine::batch::{
    AppliedEdit, EditBatch, EditGroup, EditedBatch, EditedText, edit, edit_all,
};
pub use engine::edit::{EditedDialog, FileStyle, SlotKinds};
pub use engine::numbers::{Numbers, number_keys, renumbered};
pub use engine::put::{Part, put};
pub use engine::read::brief;
pub use engine::shape::Sign;
pub use families::chat::{ChatForm, ChatRole, answered_call, answering};
pub use families::dataset_info;
pub use families::dbdc_log::{
    CALLS_DIGEST, JUDGEMENTS_END, LOG_END, gold_name, is_log_stem, judgements_name, log_name,
    log_name_apart, log_speaker, log_text,
};
pub use families::gold::{GOLD_FOLDER, LABELS_END, gold_text};
pub use families::message_parts::LOST_FIELD;
pub use families::messages::{JOINED_TO_ID, call_id, is_empty_run};
pub use family::{Code, Family};
pub use media::{media_lines, other_unread};
pub use ontology_form::{OntologyForm, state_slot};
pub use registry::detect::{FamilyHint, UnknownFamily, describe, detect};
pub use registry::file_format::FileFormat;
pub use registry::formats::{FORMATS, Formats, all, bundled, descriptions, named};
pub use texts::reasoning::REASONING_FIELD;
pub use texts::tags::{tools_in_text, without_calls};
