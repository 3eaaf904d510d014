//! The parts of a turn that a draft finds: the usual names of each, and the values that it may have.

use super::columns::{Column, word};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// A part of a turn, of a call, of a span or of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Text,
    Reasoning,
    /// The kind of a part that is reasoning.
    Thought,
    Speaker,
    /// The id of the dialog of a row.
    Dialog,
    Id,
    Kind,
    CallName,
    Arguments,
    CallId,
    Response,
    Failed,
    Start,
    End,
    Label,
}

/// The names and values that show a column to be a leaf.
struct Usual {
    leaf: Leaf,
    /// Whole names, the likeliest first.
    names: &'static str,
    /// Parts of other names.
    parts: &'static str,
    /// Parts of names of something else.
    never: &'static str,
    fits: fn(Value<'_>) -> bool,
}

const fn row(
    leaf: Leaf,
    names: &'static str,
    parts: &'static str,
    never: &'static str,
    fits: fn(Value<'_>) -> bool,
) -> Usual {
    Usual { leaf, names, parts, never, fits }
}

const TEXTS: &str = "text content message utterance said says value transcript turn sentence body msg token word line";
const SPEAKERS: &str =
    "speaker role from agent sender author who user name side player by id turn [";
/// Those of the parts of names that need more than a name.
const WEAK: [&str; 3] = ["id", "turn", "["];
const CALLS: &str = "name tool tool_name toolname function_name function fn func";
const RESPONSES: &str = "output out result response observation content answer value text message";

#[rustfmt::skip]
const TABLE: [Usual; 15] = [
    row(Leaf::Text, TEXTS, "utt text transcript message content value turn sentence said says token word line", "context", is_text_or_list),
    row(Leaf::Reasoning, "", "reasoning thinking thought rationale", "type id", is_text),
    row(Leaf::Thought, "", "think thought reason", "", is_word),
    row(Leaf::Speaker, "", SPEAKERS, "filename file_name", |_| true),
    row(Leaf::Dialog, "run", "sess conversation dialog chat thread trace conv run_", "", is_word),
    row(Leaf::Id, "id uuid guid uid", "id file idx", "", is_id),
    row(Leaf::Kind, "type kind", "type", "id", is_word),
    row(Leaf::CallName, CALLS, "", "", is_word),
    row(Leaf::Arguments, "input arguments args parameters params kwargs with", "", "", is_object),
    row(Leaf::CallId, "call_id callid tool_call_id toolcallid id", "call_", "", is_word),
    row(Leaf::Response, RESPONSES, "", "", |value| value.kind() != NodeKind::Null),
    row(Leaf::Failed, "", "error fail", "", |_| true),
    row(Leaf::Start, "", "start begin from", "", is_number),
    row(Leaf::End, "", "end stop len to", "", is_number),
    row(Leaf::Label, "", "label slot type tag entity name", "", is_text),
];

fn is_text_or_list(value: Value<'_>) -> bool {
    matches!(value.kind(), NodeKind::String | NodeKind::Array)
}

fn is_word(value: Value<'_>) -> bool {
    word(value).is_some()
}

fn is_number(value: Value<'_>) -> bool {
    value.as_integer().is_some()
}

/// True for an object, or JSON of one in a text.
fn is_object(value: Value<'_>) -> bool {
    let is_json = |text: &str| text.trim_start().starts_with('{');
    value.kind() == NodeKind::Object || value.as_str().is_some_and(|text| is_json(&text))
}

fn is_id(value: Value<'_>) -> bool {
    let is_short = |text: &str| text.len() < 80 && !text.contains(' ');
    value.as_str().map_or(is_number(value), |text| is_short(&text))
}

/// The rank of names that have a part of a usual one.
pub const PART: usize = 100;

impl Leaf {
    fn usual(self) -> &'static Usual {
        TABLE.iter().find(|usual| usual.leaf == self).unwrap_or(&TABLE[0])
    }

    /// True for a value that it may have.
    pub fn fits(self, value: Value<'_>) -> bool {
        (self.usual().fits)(value)
    }

    /// Returns how unusual a name is for it, 0 for the most usual one and [`PART`] or more for one that only has a part of a
    /// usual one; None for names of something else.
    pub fn rank(self, name: &str) -> Option<usize> {
        let Usual { names, parts, never, .. } = self.usual();
        let name = name.to_lowercase();
        let whole = || names.split_whitespace().position(|usual| name == usual);
        let part = || parts.split_whitespace().position(|part| name.contains(part));
        let is_other = never.split_whitespace().any(|part| name.contains(part));
        if is_other { None } else { whole().or_else(|| Some(PART + part()?)) }
    }

    /// True for a name that may as well be that of a number.
    pub fn is_weak(self, name: &str) -> bool {
        let parts = self.usual().parts.split_whitespace();
        parts.filter(|part| name.contains(part)).all(|part| WEAK.contains(&part))
    }

    /// Returns the columns that may be it, the likeliest first.
    pub fn columns<'c, 'a>(self, columns: &'c [Column<'a>]) -> Vec<&'c Column<'a>> {
        let fits = |column: &Column<'_>| {
            column.is_single() && column.cells.iter().any(|cell| self.fits(cell.value))
        };
        let rank = |column: &&Column<'_>| (self.rank(&column.name), column.way.len());
        let mut all: Vec<_> = columns.iter().filter(|column| rank(column).0.is_some()).collect();
        all.retain(|column| fits(column));
        all.sort_by_key(rank);
        all
    }
}

pub fn is_text(value: Value<'_>) -> bool {
    value.kind() == NodeKind::String
}

fn has_part(name: &str, parts: &str) -> bool {
    parts.split_whitespace().any(|part| name.contains(part))
}

const USERS: &str =
    "user usr customer human apprentice client driver caller seeker incoming inbound visitor";
const SYSTEMS: &str =
    "sys assistant agent wizard bot gpt operator recommender gemini claude outgoing outbound staff";

fn is_user(name: &str) -> bool {
    has_part(name, USERS) && !name.contains("guide") || name == "u"
}

fn is_system(name: &str) -> bool {
    has_part(name, SYSTEMS) || ["s", "ai", "model", "machine"].contains(&name)
}

/// Returns the role that the name of a speaker has.
pub fn role_of_speaker(name: &str) -> Option<Role> {
    let name = name.to_lowercase();
    match (is_user(&name), is_system(&name)) {
        (true, _) => Some(Role::User),
        (_, true) => Some(Role::System),
        _ => None,
    }
}

/// Returns the role of those whose texts are in a member, by its name; None if it has none, or both.
pub fn role_of_member(name: &str) -> Option<Role> {
    let name = name.to_lowercase();
    let asks = has_part(&name, "question query request prompt instruction");
    let answers = has_part(&name, "answer response reply completion");
    match (is_user(&name), is_system(&name)) {
        (true, true) => None,
        (true, _) => Some(Role::User),
        (_, true) => Some(Role::System),
        _ if asks || name == "q" => Some(Role::User),
        _ if answers || name == "a" => Some(Role::System),
        _ => None,
    }
}

/// True for the name of a tool, which is nobody's partner.
pub fn is_tool(name: &str) -> bool {
    has_part(&name.to_lowercase(), "tool function observation")
}

/// True for the name of those who instruct a model.
pub fn is_instruction(name: &str) -> bool {
    let name = name.to_lowercase();
    ["system", "developer"].contains(&name.as_str()) || name.starts_with("system_")
}
