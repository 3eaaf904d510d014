//! Functions of families whose dialogs have more forms than a description can have.

use super::description::Description;
use super::place::Place;
use crate::dialog::{ApiCall, Turn};
use crate::format::engine::compare::Change;
use crate::json::{Editor, NewValue, Splice, Value};

/// The functions of a family; a description of a user has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks {
    /// Returns the places of the turns of a dialog, given its root.
    pub turns: Option<fn(&Description, Value<'_>) -> Vec<Place>>,
    /// Returns the values with the text of the element of a turn, which is joined from them.
    pub texts: Option<fn(Value<'_>) -> Vec<Value<'_>>>,
    /// Returns the member with the text of a new turn, written as that of another element.
    pub new_text: Option<NewText>,
    /// Returns the splice that adds a call to the element of a turn, which is one of the turns, if it has a place there.
    pub new_call: Option<NewCall>,
    /// Returns the splices that write the calls of the element of a turn, which has changed.
    pub calls: Option<WriteCalls>,
    /// Texts may hold calls and the responses to them.
    pub has_calls_in_texts: bool,
}

type WriteCalls = for<'a> fn(&Editor<'a>, Value<'a>, Change<'_, Turn>) -> Vec<Splice>;

pub type NewText = fn(Option<Value<'_>>, &str) -> (String, NewValue);

type NewCall = for<'a> fn(&Editor<'a>, Value<'a>, &[Turn], &Turn, &ApiCall) -> Option<Splice>;
