//! The state of the program, and what features have in common: messages and effects, commands, overlays,
//! reports, opening dialogs, making edits, locks.

pub mod app;
pub mod edit;
pub mod input;
pub mod locking;
pub mod msg;
pub mod names;
pub mod navigate;
pub mod offered;
pub mod others_votes;
pub mod overlay;
pub mod prompt;
pub mod question;
pub mod report;

pub use app::App;
pub use edit::and_n_more;
pub use input::{Action, Input, Pending, Unavailable, WaitingAction};
pub use msg::{EditsToExport, Effect, IgnoresChange, Msg};
pub use offered::{at, offered_to_export};
pub use overlay::{
    Answer, Digits, Overlay, Overlays, Prompt, PromptInput, PromptKind, Question, QuestionDetails,
};
pub use report::wrapped_around;
