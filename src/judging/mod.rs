//! Schemes: the questions that annotators and models answer about dialogs.
//!
//! A [`Scheme`] is a list of [`Question`]s, written in TOML: a bundled one, a `judging.toml` beside a corpus, the
//! questions of its project file, or any file. The votes O, T and X of the breakdown challenge are the bundled scheme `breakdown`.
//!
//! This layer knows dialogs and queries, but not files or screens.

mod answer_set;
mod answers;
mod asked;
mod assignment;
mod figures;
mod opinions;
mod question;
mod scheme;
mod scheme_file;
pub mod tables;
mod team;

pub use crate::dialog::BREAKDOWN;
pub use answer_set::{AnswerSet, AnsweredAbout, AnsweredDialog};
pub use answers::{AnswerTable, DialogAnswers, GivenAnswer, number_of, poles, tags_of};
pub use asked::{Asked, Kept, Remarks};
pub use assignment::{
    ASSIGNMENTS_FOLDER, AssignedDialog, AssignmentLine, Assignments, Division, listed,
};
pub use figures::{AnswerFigures, CodeFigures, RatedQuestion, ValueFigures};
pub use opinions::{OpinionError, OpinionSource, Opinions, ValueNames};
pub use question::{BOTH_BAD, Choice, Kind, Level, Question, Subject, TIE};
pub use scheme::{BUNDLED, FILE, Scheme, Stop, unasked};
pub use scheme_file::SchemeTest;
pub use tables::progress;
pub use team::{Member, TeamWork, Work};
