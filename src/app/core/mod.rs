//! The state of the program, and what features have in common: messages and effects, windows,
//! reports, opening dialogs, making edits, locks.

pub mod app;
pub mod edit;
pub mod input;
pub mod leftover_edits;
pub mod locking;
pub mod motion;
pub mod moved_turns;
pub mod msg;
pub mod names;
pub mod navigate;
pub mod others_votes;
pub mod pager;
pub mod picker;
pub mod pinning;
pub mod prompt;
pub mod question;
pub mod report;
pub mod tab;
pub mod window;

pub use app::App;
pub use edit::{JudgementChange, StepWords, and_n_more};
pub use input::{Input, Pending, Unavailable};
pub use leftover_edits::at;
pub use motion::RowMotion;
pub use msg::{
    EditsToExport, Effect, FiguresOf, FoundFixes, HitCounts, IgnoresChange, Msg, SaveOutcome,
    SearchHits,
};
pub use pager::Pager;
pub use picker::{Picker, TextPrompt, like};
pub use prompt::{Choices, Digits, Prompt, PromptInput, PromptWords};
pub use question::{Answer, Question, QuestionWindow};
pub use report::wrapped_around;
pub use tab::Tab;
pub use window::{Window, WindowContent, Windows};
