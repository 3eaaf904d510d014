//! Dialogs, and the edits that annotators can make.
//!
//! There is one model for all datasets: a [`Dialog`] is a list of [`Turn`]s, one for each utterance, and
//! a turn has whatever its corpus provides: segments, API calls, dialogue acts, state, votes. Lists that a
//! dataset lacks are empty. Every element has an [`Extent`], its place in the text it was read from.
//!
//! An [`Edit`] describes a change independently of any format, and [`Edit::apply`] computes the changed
//! dialog; the layers above change the text of the file.
//!
//! This layer does not know files or screens, and of JSON only values that a text holds: the arguments of a call may
//! be JSON in a string (`apply_calls.rs`, `value.rs`).

mod apply;
mod apply_acts;
mod apply_calls;
mod apply_gold;
mod apply_text;
mod apply_turns;
mod aside;
mod edit;
mod edit_context;
mod edit_fields;
mod edited_parts;
mod error;
mod failure;
mod issue;
mod judgement;
mod model;
mod nested;
mod places;
mod tag;
mod text_preview;
mod unread;
mod value;

pub use apply_gold::position as gold_position;
pub use aside::{Branch, Branches, Events, LineAgain, LineIds};
pub use edit::{CallPart, Edit, EditKind, Mark, NamedValue, SlotValue};
pub use edit_context::EditContext;
pub use edit_fields::EditFields;
pub use edited_parts::{EditedPart, EditedParts};
pub use error::{EditError, LostSegments};
pub use issue::{Issue, IssueKind};
pub use judgement::{
    Answer, BREAKDOWN, GOLD, Judgement, JudgementKey, PairedWith, Place, side_names, side_order,
};
pub use model::{
    Act, ActSlot, ApiCall, Breakdown, Content, Counts, Detection, Dialog, Extent, Field, Label,
    Payload, Role, Segment, Short, Sides, Span, Speaker, StateSlot, Turn, Vote,
};
pub use nested::Nested;
pub use places::{Places, TurnSpans};
pub use tag::{folded_tag, joined_tag, spelled_tag, tags_in_note};
pub use text_preview::NewPlace;
pub use unread::{BROKEN_LINE, LOST_ANSWER, UnreadParts};
pub use value::{EditValue, content_of_list};
