//! The parts of a turn that a draft looks for: the usual names of each, and the values that it may have.

use super::columns::{Column, word};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// A part of a turn, of a call, of a span or of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Text,
    Reasoning,
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

/// What shows that a column is a leaf.
struct Usual {
    leaf: Leaf,
    /// Whole names, the likeliest first.
    names: &'static [&'static str],
    /// Parts of other names.
    parts: &'static [&'static str],
    /// Parts of names of something else.
    never: &'static [&'static str],
    fits: fn(Value<'_>) -> bool,
}

const TABLE: [Usual; 14] = [
    Usual {
        leaf: Leaf::Text,
        names: &[
            "text",
            "content",
            "message",
            "utterance",
            "said",
            "says",
            "value",
            "transcript",
            "turn",
            "sentence",
            "body",
            "msg",
            "token",
            "word",
            "line",
        ],
        parts: &[
            "utt",
            "text",
            "transcript",
            "message",
            "content",
            "value",
            "turn",
            "sentence",
            "said",
            "says",
            "token",
            "word",
            "line",
        ],
        never: &["context"],
        fits: |value| matches!(value.kind(), NodeKind::String | NodeKind::Array),
    },
    Usual {
        leaf: Leaf::Reasoning,
        names: &["reasoning", "thinking", "thought"],
        parts: &["reasoning", "thinking", "thought", "rationale"],
        never: &["type", "id"],
        fits: is_text,
    },
    Usual {
        leaf: Leaf::Speaker,
        names: &[],
        parts: &[
            "speaker", "role", "from", "agent", "sender", "author", "who", "user", "name", "side",
            "player", "by",
        ],
        never: &["filename", "file_name"],
        fits: |value| !matches!(value.kind(), NodeKind::Array | NodeKind::Object),
    },
    Usual {
        leaf: Leaf::Dialog,
        names: &["run"],
        parts: &["sess", "conversation", "dialog", "chat", "thread", "trace", "conv", "run_"],
        never: &[],
        fits: |value| word(value).is_some(),
    },
    Usual {
        leaf: Leaf::Id,
        names: &["id", "uuid", "guid", "uid"],
        parts: &["id", "file", "idx"],
        never: &[],
        fits: |value| {
            let text = value.as_str();
            text.map_or(value.as_integer().is_some(), |text| text.len() < 80 && !text.contains(' '))
        },
    },
    Usual {
        leaf: Leaf::Kind,
        names: &["type", "kind"],
        parts: &["type"],
        never: &["id"],
        fits: |value| word(value).is_some(),
    },
    Usual {
        leaf: Leaf::CallName,
        names: &[
            "name",
            "tool",
            "tool_name",
            "toolname",
            "function_name",
            "function",
            "fn",
            "func",
        ],
        parts: &[],
        never: &[],
        fits: |value| word(value).is_some(),
    },
    Usual {
        leaf: Leaf::Arguments,
        names: &["input", "arguments", "args", "parameters", "params", "kwargs", "with"],
        parts: &[],
        never: &[],
        fits: |value| {
            let is_json = |text: &str| text.trim_start().starts_with('{');
            value.kind() == NodeKind::Object || value.as_str().is_some_and(|text| is_json(&text))
        },
    },
    Usual {
        leaf: Leaf::CallId,
        names: &["call_id", "callid", "tool_call_id", "toolcallid", "id"],
        parts: &["call_"],
        never: &[],
        fits: |value| word(value).is_some(),
    },
    Usual {
        leaf: Leaf::Response,
        names: &[
            "output",
            "out",
            "result",
            "response",
            "observation",
            "content",
            "answer",
            "value",
            "text",
            "message",
        ],
        parts: &[],
        never: &[],
        fits: |value| value.kind() != NodeKind::Null,
    },
    Usual { leaf: Leaf::Failed, names: &[], parts: &["error", "fail"], never: &[], fits: |_| true },
    Usual {
        leaf: Leaf::Start,
        names: &["start", "begin", "from"],
        parts: &["start", "begin", "from"],
        never: &[],
        fits: |value| value.as_integer().is_some(),
    },
    Usual {
        leaf: Leaf::End,
        names: &["end", "stop", "length", "to"],
        parts: &["end", "stop", "length", "to"],
        never: &[],
        fits: |value| value.as_integer().is_some(),
    },
    Usual {
        leaf: Leaf::Label,
        names: &["label", "slot", "type", "tag", "entity", "name"],
        parts: &["label", "slot", "type", "tag", "entity", "name"],
        never: &[],
        fits: is_text,
    },
];

impl Leaf {
    fn usual(self) -> &'static Usual {
        TABLE.iter().find(|usual| usual.leaf == self).unwrap_or(&TABLE[0])
    }

    /// True for a value that it may have.
    pub fn fits(self, value: Value<'_>) -> bool {
        (self.usual().fits)(value)
    }

    /// Returns how unusual a name is for it, 0 for the most usual one; None for names of something else.
    pub fn rank(self, name: &str) -> Option<usize> {
        let Usual { names, parts, never, .. } = self.usual();
        let name = name.to_lowercase();
        let whole = || names.iter().position(|usual| name == *usual);
        let part = || parts.iter().position(|part| name.contains(part)).map(|at| names.len() + at);
        if never.iter().any(|part| name.contains(part)) { None } else { whole().or_else(part) }
    }

    /// True if a name is one of its whole names, which may be in the plural.
    pub fn is_named(self, name: &str) -> bool {
        let single = name.strip_suffix('s').unwrap_or(name);
        [name, single].iter().any(|name| self.usual().names.contains(name))
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

fn has_part(name: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| name.contains(part))
}

const USERS: [&str; 12] = [
    "user",
    "usr",
    "customer",
    "human",
    "apprentice",
    "client",
    "driver",
    "caller",
    "seeker",
    "incoming",
    "inbound",
    "visitor",
];
const SYSTEMS: [&str; 13] = [
    "sys",
    "assistant",
    "agent",
    "wizard",
    "bot",
    "gpt",
    "operator",
    "recommender",
    "gemini",
    "claude",
    "outgoing",
    "outbound",
    "staff",
];

fn is_user(name: &str) -> bool {
    has_part(name, &USERS) && !name.contains("guide") || name == "u"
}

fn is_system(name: &str) -> bool {
    has_part(name, &SYSTEMS) || ["s", "ai", "model", "machine"].contains(&name)
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
    let asks = has_part(&name, &["question", "query", "request", "prompt", "instruction"]);
    let answers = has_part(&name, &["answer", "response", "reply", "completion"]);
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
    has_part(&name.to_lowercase(), &["tool", "function", "observation"])
}

/// True for the name of those who instruct a model.
pub fn is_instruction(name: &str) -> bool {
    let name = name.to_lowercase();
    ["system", "developer"].contains(&name.as_str()) || name.starts_with("system_")
}
