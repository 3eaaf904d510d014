//! The totals of a session: its model, its time and tokens where the file has them, and its calls by tool.

use serde_json::{Map, Value};

use super::columns::TIMES;
use crate::dialog::{Dialog, Field};
use crate::text::{counted, grouped, seconds};

/// Names of the number of tokens that a model has read, of those that it has read from and written to a cache besides, and
/// of those that it has written.
const READ: [&str; 5] =
    ["input_tokens", "prompt_tokens", "promptTokenCount", "inputTokens", "input"];
const CACHED: [&str; 2] = ["cache_read_input_tokens", "cache_creation_input_tokens"];
const WRITTEN: [&str; 5] =
    ["output_tokens", "completion_tokens", "candidatesTokenCount", "outputTokens", "output"];

/// The last names of members with the tokens of an answer.
const USAGE: [&str; 4] = ["usage", "usageMetadata", "tokens", "metrics"];

/// The totals of a dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The models that answered, in the order of their first answers.
    pub models: Vec<String>,
    /// The seconds between its first and its last time.
    pub seconds: Option<u64>,
    /// The tokens that its models have read and written; None if the file does not say.
    pub tokens: Option<[u64; 2]>,
    /// The tools that were called, those with the most calls first.
    pub tools: Vec<ToolTotals>,
}

/// The calls of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolTotals {
    pub name: String,
    pub calls: u64,
    pub failed: u64,
}

impl Totals {
    pub fn of(dialog: &Dialog) -> Self {
        let mut totals = Self::default();
        let mut times: Option<(u64, u64)> = None;
        // Several turns may be parts of one answer; the last one has the tokens of all of it.
        let mut answers: Vec<(Option<&str>, [u64; 2])> = Vec::new();
        let turns = dialog.turns.iter().map(|turn| &turn.fields);
        for fields in std::iter::once(&dialog.fields).chain(turns) {
            for field in fields {
                let value = field.content.as_str();
                match last(field) {
                    "model" if !totals.models.iter().any(|known| known == value) => {
                        totals.models.push(value.to_owned());
                    }
                    name if TIMES.contains(&name) => {
                        if let Some(at) = seconds(value) {
                            let (first, end) = times.unwrap_or((at, at));
                            times = Some((first.min(at), end.max(at)));
                        }
                    }
                    name if USAGE.contains(&name) => {
                        let id = fields.iter().find(|other| other.name == "message.id");
                        let id = id.map(|id| id.content.as_str());
                        if id.is_some() && answers.last().is_some_and(|(last, _)| *last == id) {
                            answers.pop();
                        }
                        answers.extend(tokens(value).map(|tokens| (id, tokens)));
                    }
                    _ => {}
                }
            }
        }
        totals.seconds = times.map(|(first, end)| end - first);
        let sum = |which: usize| answers.iter().map(|(_, tokens)| tokens[which]).sum();
        totals.tokens = (!answers.is_empty()).then(|| [sum(0), sum(1)]);
        totals.count_calls(dialog);
        totals
    }

    fn count_calls(&mut self, dialog: &Dialog) {
        for call in dialog.turns.iter().flat_map(|turn| &turn.calls) {
            let known = self.tools.iter().position(|tool| tool.name == *call.name);
            let place = known.unwrap_or_else(|| {
                self.tools
                    .push(ToolTotals { name: call.name.to_string(), ..ToolTotals::default() });
                self.tools.len() - 1
            });
            self.tools[place].calls += 1;
            self.tools[place].failed += u64::from(call.has_failed());
        }
        self.tools.sort_by_key(|tool| std::cmp::Reverse(tool.calls));
    }

    /// Returns a name and a text for each total that is known.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let told = |calls: u64, failed: u64| match failed {
            0 => grouped(calls),
            _ => format!("{} ({} failed)", grouped(calls), grouped(failed)),
        };
        let mut lines = Vec::new();
        if !self.models.is_empty() {
            lines.push(("model", self.models.join(", ")));
        }
        if let Some(seconds) = self.seconds {
            lines.push(("time", lasting(seconds)));
        }
        if let Some([read, written]) = self.tokens {
            lines.push(("tokens", format!("{} in, {} out", grouped(read), grouped(written))));
        }
        if !self.tools.is_empty() {
            let calls = self.tools.iter().map(|tool| tool.calls).sum();
            let failed = self.tools.iter().map(|tool| tool.failed).sum();
            lines.push(("calls", told(calls, failed)));
            let tools = self.tools.iter();
            let tools =
                tools.map(|tool| format!("{} {}", tool.name, told(tool.calls, tool.failed)));
            lines.push(("tools", tools.collect::<Vec<_>>().join(", ")));
        }
        lines
    }
}

/// Returns the tokens that an answer has read and written, by a member with JSON.
fn tokens(usage: &str) -> Option<[u64; 2]> {
    let members: Map<String, Value> = serde_json::from_str(usage).ok()?;
    let number = |name: &&str| members.get(*name)?.as_u64();
    let cached: u64 = CACHED.iter().filter_map(number).sum();
    Some([READ.iter().find_map(number)? + cached, WRITTEN.iter().find_map(number)?])
}

/// Returns a number of seconds in words.
fn lasting(seconds: u64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => counted(seconds, "second"),
        (0, _) => format!("{minutes} min"),
        _ => format!("{} h {minutes} min", grouped(hours)),
    }
}

fn last(field: &Field) -> &str {
    field.name.rsplit('.').next().unwrap_or(&field.name)
}
