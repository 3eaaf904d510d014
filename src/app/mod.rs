//! The interactive program as a state machine.
//!
//! [`App`] holds the whole state; [`App::update`] takes a [`Msg`] and returns [`Effect`]s. Equal
//! states and messages give equal states and effects: nothing here draws, reads a clock or touches a
//! file. The bytes of corpora are read through the trait of `corpus/`.
//!
//! Imports go one way: `update` and the help may use `commands`, which use `feature`, which use `tabs` and
//! `core`, which use `state` and `pane`, which use `input`.
//!
//! # Why panes are laid out here
//!
//! Scrolling, the mouse and "keep the cursor visible" depend on how many rows things take. So this
//! layer lays panes out as [`pane::line::Line`]s, which carry meaning and not colour; the layer above only
//! draws.

pub mod commands;
mod core;
mod feature;
pub mod help;
pub mod hints;
pub mod input;
pub mod manual;
pub mod pane;
pub mod session;
pub mod settings;
mod state;
pub mod tabs;
mod update;

pub use core::Input;
pub use core::app::App;
pub use core::msg::{EditsToExport, Effect, IgnoresChange, Msg};
pub use core::overlay::{
    Answer, Digits, Overlay, Overlays, Prompt, PromptInput, PromptKind, Question, QuestionDetails,
    long_text_area,
};
pub use feature::editing::segments::stepped;
pub use feature::problems::bulk_fix::{bulk_fixes_in, wider};
pub use feature::problems::problem::problems_here;
pub use feature::recovery::restore_edits::RestoreEdits;
pub use input::field::TextField;
pub use input::mouse::{Mouse, MouseAction};
pub use pane::caret::Caret;
pub use pane::{Focus, Panes};
pub use state::bulk_fix::{BulkFix, BulkFixScope, PlannedFix};
pub use state::help::Help;
pub use state::judging::{Blind, Judging};
pub use state::search::Search;
pub use state::session::{Session, SessionState};
pub use state::status::Status;
