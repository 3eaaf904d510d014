//! Problems that somebody ignored on purpose, kept in a side file next to the corpus.
//!
//! The file is JSON Lines, one problem per line, so that people can read it in a diff and merge it. It is
//! never part of the data. A line names the dialog, the rule, the text in question, and the reason why
//! the data is right:
//!
//! ```json
//! {"file":"a.json","dialog":"dlg-7","rule":"span-cuts-word","turn":3,"quoted":"Kitche","reason":"as on the sign"}
//! ```
//!
//! Other lines, JSON objects with neither a `file` nor a `rule`, are skipped when the file is read and
//! kept when it is written.
//!
//! # Matching problems
//! Turns move while a corpus is repaired. A line matches a problem if the rule, the dialog and the quoted
//! text are the same; the turn only decides between several matches. If the quoted text changes, the
//! problem is a new one and is reported again. One line ignores one problem.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Diagnostic, Spot};
use crate::corpus::DialogRef;
use crate::dialog::{ApiCall, Dialog, Extent, Payload, Turn};

/// The name of the file.
pub const IGNORES_FILE: &str = "turnwise.ignores.jsonl";

/// An ignored problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ignored {
    /// The end of the path of the corpus file.
    pub file: String,
    pub dialog: DialogRef,
    pub rule: String,
    /// Position of the turn when the problem was ignored; None if the problem concerns the dialog.
    pub turn: Option<usize>,
    /// The text in question, see [`quoted`].
    pub quoted: String,
    /// Why the data is right.
    pub reason: String,
    /// The other fields of the line.
    #[serde(flatten)]
    pub other: Map<String, Value>,
    /// The folder of the ignore file. The line applies to that folder and everything below it, or
    /// everywhere if this is empty.
    #[serde(skip)]
    pub beside: String,
}

/// The ignored problems, in the order of their lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignores {
    pub all: Vec<Ignored>,
}

/// Why a line of the ignore file is not valid.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    /// Counted from 1.
    pub line: usize,
    pub error: serde_json::Error,
}

impl Ignores {
    /// Reads the text of an ignore file, skipping empty lines.
    ///
    /// # Errors
    /// The first line that is not valid.
    pub fn read(text: &str) -> Result<Self, BadLine> {
        let lines = text.lines().enumerate();
        let filled = lines.filter(|(_, line)| !line.trim().is_empty());
        let read = |(place, line)| {
            let ignored = match read_line(line) {
                Ok(ignored) => Ok(ignored?),
                Err(error) => Err(BadLine {
                    line: place + 1,
                    error,
                }),
            };
            Some(ignored)
        };
        let all = filled.filter_map(read).collect::<Result<_, _>>()?;
        Ok(Self { all })
    }

    /// Restricts every line to a folder and everything below it.
    #[must_use]
    pub fn in_folder(mut self, folder: &str) -> Self {
        for ignored in &mut self.all {
            folder.clone_into(&mut ignored.beside);
        }
        self
    }

    /// The text of the file, one line per problem.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ignored in &self.all {
            // Cannot fail: there are only strings and numbers.
            text.push_str(&serde_json::to_string(ignored).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// Removes the ignored problems of the dialog `position` of `file` from `found`. Returns each with
    /// the index of its line in `all`.
    pub fn part(
        &self,
        file: &str,
        (position, dialog): (usize, &Dialog),
        found: &mut Vec<Diagnostic>,
    ) -> Vec<(Diagnostic, usize)> {
        if self.all.is_empty() || found.is_empty() {
            return Vec::new();
        }
        let is_here = |ignored: &Ignored| {
            let same = match &ignored.dialog {
                DialogRef::Id(id) => *id == dialog.id,
                DialogRef::Number(number) => *number == position,
            };
            same && ends_with(file, &ignored.file) && is_below(file, &ignored.beside)
        };
        let here = self.all.iter().enumerate().filter(|(_, i)| is_here(i));
        let mut pairs: Vec<_> = here
            .flat_map(|(place, ignored)| {
                let about = found.iter().enumerate().filter(|(_, diagnostic)| {
                    let rule = diagnostic.rule.name == ignored.rule;
                    rule && quoted(dialog, diagnostic.spot) == ignored.quoted
                });
                about.map(move |(f, d)| (distance(ignored.turn, d.spot.turn), place, f))
            })
            .collect();
        // Nearest first, so that no line takes the problem of another line.
        pairs.sort_unstable();
        let mut taken: Vec<(usize, usize)> = Vec::new();
        for (_, place, diagnostic) in pairs {
            if taken.iter().all(|(p, d)| *p != place && *d != diagnostic) {
                taken.push((place, diagnostic));
            }
        }
        taken.sort_unstable_by_key(|(_, diagnostic)| *diagnostic);
        let mut parted: Vec<_> = taken
            .into_iter()
            .rev()
            .map(|(place, diagnostic)| (found.remove(diagnostic), place))
            .collect();
        parted.reverse();
        parted
    }

    /// Ignores a problem.
    pub fn add(
        &mut self,
        file: &str,
        (position, dialog): (usize, &Dialog),
        diagnostic: &Diagnostic,
        reason: &str,
    ) {
        let ignored = Ignored::new(file, (position, dialog), diagnostic, reason);
        self.all.push(ignored);
    }
}

impl Ignored {
    /// The line that ignores a problem in the dialog `position` of `file`.
    pub fn new(
        file: &str,
        (position, dialog): (usize, &Dialog),
        diagnostic: &Diagnostic,
        reason: &str,
    ) -> Self {
        let reference = if dialog.id.is_empty() {
            DialogRef::Number(position)
        } else {
            DialogRef::Id(dialog.id.clone())
        };
        Self {
            file: file.to_owned(),
            dialog: reference,
            rule: diagnostic.rule.name.to_owned(),
            turn: diagnostic.spot.turn,
            quoted: quoted(dialog, diagnostic.spot),
            reason: reason.to_owned(),
            other: Map::new(),
            beside: String::new(),
        }
    }

    /// The text of a file with this line appended. Keeps every byte of `text`.
    pub fn added_to(&self, text: &str) -> String {
        let line_end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        // Cannot fail: there are only strings and numbers.
        let line = serde_json::to_string(self).unwrap_or_default();
        format!("{text}{line_end}{line}\n")
    }

    /// The text of a file without the first line equal to this; None if there is no such line. Keeps
    /// every byte of all other lines.
    pub fn removed_from(&self, text: &str) -> Option<String> {
        let wanted = Self {
            beside: String::new(),
            ..self.clone()
        };
        let is_it = |line: &&str| {
            let read = read_line(line.trim_end());
            matches!(read, Ok(Some(ignored)) if ignored == wanted)
        };
        let line = text.split_inclusive('\n').find(is_it)?;
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        Some(format!("{}{}", &text[..at], &text[at + line.len()..]))
    }
}

/// Reads a line; None if it is not about an ignored problem.
fn read_line(line: &str) -> Result<Option<Ignored>, serde_json::Error> {
    let value: Value = serde_json::from_str(line)?;
    let other = value
        .as_object()
        .is_some_and(|fields| !fields.contains_key("file") && !fields.contains_key("rule"));
    if other {
        return Ok(None);
    }
    // Parsed again from the text, so that an error has a position.
    serde_json::from_str(line).map(Some)
}

/// True if `path` is in the folder `folder` or below it, by whole names; every path is below "".
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty()
        || rest.is_some_and(|rest| rest.starts_with(['/', '\\']) || folder.ends_with('/'))
}

fn distance(one: Option<usize>, other: Option<usize>) -> usize {
    match (one, other) {
        (Some(one), Some(other)) => one.abs_diff(other),
        (None, None) => 0,
        _ => usize::MAX,
    }
}

/// True if `path` ends with `end`, by whole names.
fn ends_with(path: &str, end: &str) -> bool {
    let names = |path: &str| -> Vec<String> {
        let names = path.split(['/', '\\']).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    names(path).ends_with(&names(end))
}

/// The largest number of characters to quote.
const QUOTED: usize = 80;

/// The text of the dialog that a problem concerns: the text of the segment, the call, the argument with
/// its value, the act, the slot with its value, or the annotator; else the text of the turn. Empty for
/// the whole dialog.
pub fn quoted(dialog: &Dialog, spot: Spot) -> String {
    let turn = spot.turn.and_then(|turn| dialog.turns.get(turn));
    let Some(turn) = turn else {
        return String::new();
    };
    let segment = spot.segment.and_then(|segment| turn.segments.get(segment));
    let text = match segment {
        Some(segment) => {
            let covered = || turn.covered(segment.span?, dialog.units);
            segment
                .quote
                .clone()
                .or_else(covered)
                .unwrap_or_default()
                .into()
        }
        None => element(turn, spot.at).unwrap_or_else(|| turn.text.clone()),
    };
    text.chars().take(QUOTED).collect()
}

/// The element of a turn that starts at `at`.
fn element(turn: &Turn, at: Extent) -> Option<String> {
    let here = |of: Extent| of.start == at.start && of.end > 0;
    let call = turn.calls.iter().find_map(|call| in_call(call, &here));
    let act = || {
        turn.acts
            .iter()
            .find(|act| here(act.at))
            .map(|act| act.name.to_string())
    };
    let slot = || {
        let slot = turn.state.iter().flatten().find(|slot| here(slot.at))?;
        Some(format!("{}={}", slot.slot, slot.value.as_str()))
    };
    let vote = || {
        let vote = turn.votes.iter().find(|vote| here(vote.at))?;
        Some(vote.annotator.to_string())
    };
    call.or_else(act).or_else(slot).or_else(vote)
}

fn in_call(call: &ApiCall, here: &impl Fn(Extent) -> bool) -> Option<String> {
    let mut fields = call.fields.iter();
    let mut payloads = [&call.arguments, &call.response].into_iter().flatten();
    if here(call.at) {
        return Some(call.name.to_string());
    }
    let field = |field: &crate::dialog::Field| {
        here(field.at).then(|| format!("{}={}", field.name, field.content.as_str()))
    };
    let in_payload = |payload: &Payload| match payload {
        Payload::Fields(fields) => fields.iter().find_map(field),
        Payload::Embedded { text, at } => here(*at).then(|| text.to_string()),
    };
    payloads
        .find_map(in_payload)
        .or_else(|| fields.find_map(field))
}
