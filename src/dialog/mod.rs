//! What a corpus says, and what an annotator can mean to change about it.
//!
//! One model for all datasets: a [`Dialog`] is a list of [`Turn`]s, one for each utterance, and a
//! turn has whatever its corpus knows of it: segments, API calls, dialogue acts, state, votes. What
//! a dataset lacks is empty. Every element carries its [`Extent`], where it stands in the text it
//! was read from.
//!
//! An [`Edit`] says what is meant, free of any format, and [`Edit::apply`] what a dialog says after
//! it; bringing that into a file's text is the business of the layers above.
//!
//! This layer does not know JSON, files or screens.

mod apply;
mod apply_acts;
mod apply_calls;
mod apply_text;
mod basis;
mod edit;
mod issue;
mod model;
mod places;
mod spans;
mod touched;
mod value;
mod without;

pub use apply::Refused;
pub use apply_text::Lost;
pub use basis::Basis;
pub use edit::{About, Edit, Mark, Part, SlotValue};
pub use issue::{Issue, Problem};
pub use model::{
    Act, ActSlot, ApiCall, Breakdown, Content, Counts, Detection, Dialog, Extent, Field, Label,
    Payload, Role, Segment, Short, Span, Speaker, StateSlot, Turn, Vote,
};
pub use places::Places;
pub use spans::TurnSpans;
pub use touched::{Touched, TouchedParts};
pub use value::Said;
