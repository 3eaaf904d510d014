//! The parts of the state that belong to no pane, each with its own methods.

pub mod judging;
pub mod jumps;
pub mod review;
pub mod saving;
pub mod search;
pub mod session;
pub mod status;

pub use judging::{Blind, GivenLast, Guideline, Judging, SchemeFrom};
pub use jumps::{Jumps, TurnPlace};
pub use review::{
    ConflictList, Decision, FixSearch, FixSource, ProposalPlace, Proposed, ProposedChange,
    ProposedEdit, Reach, Review,
};
pub use saving::SaveBatch;
pub use search::{DialogExcerpts, Search};
pub use session::{
    Arrivals, Bookmark, Draft, DraftAbout, LabelDigits, Session, SessionPlace, SessionState,
};
pub use status::{Status, Subject};
