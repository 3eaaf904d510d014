//! The interactive program as a state machine.
//!
//! [`App`] holds the whole state; [`App::update`] takes a [`Msg`] and returns [`Effect`]s. Equal
//! states and messages give equal states and effects: nothing here draws, reads a clock or touches a
//! file. The bytes of corpora are read through the trait of `corpus/`.
//!
//! A folder imports those below it in this table; folders in one row do not import each other. Methods of [`App`] are in
//! `core`, but for `update` (`update/mod.rs`) and `run`, `can` and `run_now` (`commands/mod.rs`): commands call features,
//! and windows and prompts run commands.
//!
//! | folder | purpose |
//! |---|---|
//! | `update` | handles each message, then updates what depends on the changes |
//! | `session` | restores the place of the last run |
//! | `commands` | running commands: an arm for each |
//! | `hints` | the keys on the last line, and the menu of what fits the selection |
//! | `help` | the help window and the tables of the manual |
//! | `tabs` | the details pane, and the tabs that only show |
//! | `feature` | what commands do, by subject, with its prompts, windows and tabs; subjects do not import each other |
//! | `core` | [`App`], messages and effects, windows, and ways to edit, to go somewhere, to report |
//! | `state` | the parts of the state that belong to no pane |
//! | `manual` | the chapters of the manual |
//! | `pane` | the panes and what they show as lines |
//! | `input`, `settings` | keys, keymaps, text fields; the user's settings |
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

pub use core::app::App;
pub use core::msg::{
    CopiedBy, EditsToExport, Effect, FiguresOf, FoundFixes, HitCounts, IgnoresChange, Msg,
    SaveOutcome, SearchHits,
};
pub use core::prompt::Prompt;
pub use core::question::{Answer, Question, QuestionWindow};
pub use core::window::{Window, WindowContent, Windows};
pub use feature::problems::problem::problems_here;
pub use feature::recovery::restore_edits::RestoreEdits;
pub use feature::review::conflict_list::conflicts_while_saving;
pub use feature::review::fixes::fixes_in;
pub use feature::review::window::ReviewWindow;
pub use input::field::TextField;
pub use input::mouse::{Mouse, MouseAction};
pub use pane::caret::{Caret, stepped};
pub use pane::{Focus, Panes};
pub use state::judging::{Blind, Guideline, Judging, SchemeFrom};
pub use state::review::{
    ConflictList, Decision, FixSource, ProposalPlace, Proposed, ProposedChange, ProposedEdit,
    Review,
};
pub use state::search::{DialogExcerpts, Search};
pub use state::session::{Session, SessionState};
pub use state::status::Status;
