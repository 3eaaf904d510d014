//! Columns of the list of dialogs: the number or the member of each dialog that one shows.

use serde::{Deserialize, Serialize};

use super::members::each_of_fields;
use super::totals::Totals;
use super::value::Value;
use crate::dialog::{Dialog, Field, Role, Short, Turn};
use crate::text::{counted_seconds, moment};

/// A column of the list, by what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Column {
    Votes,
    Segments,
    Calls,
    /// The number of calls that failed; empty if none did.
    Failed,
    /// The first words of a user. As the first column, they take the place of the dialogs' ids.
    Beginning,
    /// The day on which it began, as the file has it.
    Started,
    /// The minutes between its first and its last time.
    Minutes,
    /// The tokens that its models have read and written.
    Tokens,
    /// The models that answered.
    Model,
    /// The member of the dialog with this path, or else the first one whose path ends in it.
    Member(String),
}

/// The most bytes of a value that a column shows.
const LONGEST: usize = 48;

/// Ends of the names of members with the time at which something began.
pub(super) const TIMES: [&str; 4] = ["timestamp", "startTime", "start_time", "created_at"];

/// The number of characters of a day.
const DAY: usize = 10;

impl Column {
    /// Those of sessions of agents, if the user has chosen none.
    pub const OF_SESSIONS: [Self; 4] = [Self::Beginning, Self::Calls, Self::Failed, Self::Started];

    /// Returns the column called `name`.
    ///
    /// # Errors
    /// If no member can be meant: what a column may be.
    pub fn named(name: &str) -> Result<Self, &'static str> {
        match name {
            "votes" => Ok(Self::Votes),
            "segments" => Ok(Self::Segments),
            "calls" => Ok(Self::Calls),
            "failed" => Ok(Self::Failed),
            "beginning" => Ok(Self::Beginning),
            "started" => Ok(Self::Started),
            "minutes" => Ok(Self::Minutes),
            "tokens" => Ok(Self::Tokens),
            "model" => Ok(Self::Model),
            "id" | "turns" | "problems" => {
                Err("a column other than those that the list always shows")
            }
            _ if name.trim() != name || name.is_empty() || name.contains(char::is_control) => Err(
                "`votes`, `segments`, `calls`, `failed`, `beginning`, `started`, `minutes`, `tokens`, `model` or the name of a field of the dialogs",
            ),
            _ => Ok(Self::Member(name.to_owned())),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Votes => "votes",
            Self::Segments => "segments",
            Self::Calls => "calls",
            Self::Failed => "failed",
            Self::Beginning => "beginning",
            Self::Started => "started",
            Self::Minutes => "minutes",
            Self::Tokens => "tokens",
            Self::Model => "model",
            Self::Member(name) => name,
        }
    }

    /// Returns its value for a dialog; empty if the dialog has no such member, and for what its summary counts: votes,
    /// which may be in other files, and calls that failed.
    pub fn value(&self, dialog: &Dialog) -> Short {
        let sum = |count: fn(&Turn) -> usize| {
            let all: usize = dialog.turns.iter().map(count).sum();
            all.to_string().into()
        };
        match self {
            Self::Votes | Self::Failed => Short::default(),
            Self::Segments => sum(|turn| turn.segments.len()),
            Self::Calls => sum(|turn| turn.calls.len()),
            Self::Beginning => beginning(dialog),
            Self::Started => started(dialog),
            Self::Minutes | Self::Tokens | Self::Model => self.total(dialog),
            Self::Member(name) => member(dialog, name),
        }
    }
}

impl TryFrom<String> for Column {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::named(&name).map_err(|expected| format!("`{name}` should be {expected}"))
    }
}

impl From<Column> for String {
    fn from(column: Column) -> Self {
        column.name().to_owned()
    }
}

impl Column {
    /// Returns the value of a column of totals, or else that of the member with its name.
    fn total(&self, dialog: &Dialog) -> Short {
        let totals = Totals::of(dialog);
        let total = match self {
            Self::Minutes => totals.seconds.map(|seconds| (seconds / 60).to_string()),
            Self::Tokens => totals.tokens.map(|[read, written]| (read + written).to_string()),
            _ => (!totals.models.is_empty()).then(|| totals.models.join(", ")),
        };
        total.map_or_else(|| member(dialog, self.name()), |total| shortened(&total))
    }
}

fn shortened(value: &str) -> Short {
    value[..value.floor_char_boundary(LONGEST)].into()
}

fn beginning(dialog: &Dialog) -> Short {
    let mut turns = dialog.turns.iter();
    let said = turns.find(|turn| turn.speaker.role == Role::User && !turn.text.is_empty());
    let line = said.and_then(|turn| turn.text.trim_start().lines().next());
    line.map(shortened).unwrap_or_default()
}

fn started(dialog: &Dialog) -> Short {
    let fields = dialog.turns.iter().flat_map(|turn| &turn.fields);
    let mut fields = dialog.fields.iter().chain(fields);
    let is_time = |field: &&Field| TIMES.iter().any(|end| field.name.ends_with(end));
    let time = fields.find(is_time).map(|field| field.content.as_str());
    time.map(day).unwrap_or_default()
}

/// Returns the day of a time, which is a text or a number of seconds or milliseconds since 1970.
fn day(time: &str) -> Short {
    match counted_seconds(time) {
        Some(seconds) => moment(seconds)[..DAY].into(),
        None => time.get(..DAY).unwrap_or(time).into(),
    }
}

fn member(dialog: &Dialog, name: &str) -> Short {
    let mut top = dialog.fields.iter();
    if let Some(field) = top.find(|field| field.name == name) {
        return shortened(field.content.as_str());
    }
    let mut found = None;
    each_of_fields(&dialog.fields, &mut |path, value| {
        let before = path.strip_suffix(name);
        if found.is_none()
            && before.is_some_and(|path| path.is_empty() || path.ends_with('.'))
            && let Value::Text(text) | Value::Open(text) = value
        {
            found = Some(shortened(text));
        }
    });
    found.unwrap_or_default()
}
