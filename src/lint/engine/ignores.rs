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

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::diagnostic::Diagnostic;
use crate::corpus::DialogRef;
use crate::dialog::{Dialog, Extent, Field, Payload, Turn};
use crate::lint::facts::Location;

/// The name of the file.
pub const IGNORES_FILE: &str = "turnwise.ignores.jsonl";

/// An ignored problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IgnoreEntry {
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
#[derive(Clone, Debug, Default)]
pub struct Ignores {
    pub all: Vec<IgnoreEntry>,
    /// Built on first use.
    index: OnceLock<Index>,
}

impl PartialEq for Ignores {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

/// The place of a dialog.
#[derive(Clone, Copy)]
pub struct DialogPlace<'a> {
    /// The path of its file, in the form that the lines of an ignore file end like.
    pub file: &'a str,
    /// Its position in the file.
    pub position: usize,
}

/// The places of lines by the dialogs they are about.
#[derive(Clone, Debug, Default)]
struct Index {
    /// The number of lines it covers; it is out of date if lines have been added.
    lines: usize,
    by_id: HashMap<String, Vec<usize>>,
    by_number: HashMap<usize, Vec<usize>>,
}

impl Index {
    fn new(all: &[IgnoreEntry]) -> Self {
        let mut index = Self {
            lines: all.len(),
            ..Self::default()
        };
        for (place, ignored) in all.iter().enumerate() {
            let places = match &ignored.dialog {
                DialogRef::Id(id) => index.by_id.entry(id.clone()).or_default(),
                DialogRef::Number(number) => index.by_number.entry(*number).or_default(),
            };
            places.push(place);
        }
        index
    }

    fn places(&self, id: &str, position: usize) -> Vec<usize> {
        let by_id = self.by_id.get(id).into_iter().flatten();
        let by_number = self.by_number.get(&position).into_iter().flatten();
        let mut places: Vec<_> = by_id.chain(by_number).copied().collect();
        places.sort_unstable();
        places
    }
}

/// Why a line of the ignore file is not valid.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadIgnoreLine {
    /// Counted from 1.
    pub line: usize,
    pub error: serde_json::Error,
}

impl Ignores {
    /// Reads the text of an ignore file, skipping empty lines.
    ///
    /// # Errors
    /// The first line that is not valid.
    pub fn read(text: &str) -> Result<Self, BadIgnoreLine> {
        let lines = text.lines().enumerate();
        let filled = lines.filter(|(_, line)| !line.trim().is_empty());
        let read = |(place, line)| {
            let ignored = match read_line(line) {
                Ok(ignored) => Ok(ignored?),
                Err(error) => Err(BadIgnoreLine {
                    line: place + 1,
                    error,
                }),
            };
            Some(ignored)
        };
        let all = filled.filter_map(read).collect::<Result<_, _>>()?;
        Ok(Self {
            all,
            index: OnceLock::new(),
        })
    }

    /// Restricts every line to a folder and everything below it.
    #[must_use]
    pub fn in_folder(mut self, folder: &str) -> Self {
        for ignored in &mut self.all {
            folder.clone_into(&mut ignored.beside);
        }
        self
    }

    /// Returns the text of the file, one line per problem.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ignored in &self.all {
            // Cannot fail: there are only strings and numbers.
            text.push_str(&serde_json::to_string(ignored).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// Removes the ignored problems of the dialog at `place` from `found`. Returns each with the index of
    /// its line in `all`.
    pub fn part(
        &self,
        place: DialogPlace<'_>,
        dialog: &Dialog,
        found: &mut Vec<Diagnostic>,
    ) -> Vec<(Diagnostic, usize)> {
        if self.all.is_empty() || found.is_empty() {
            return Vec::new();
        }
        let here = self.about(place, dialog);
        if here.is_empty() {
            return Vec::new();
        }
        let taken = pairs(dialog, &here, found);
        let (mut parted, mut left) = (Vec::with_capacity(taken.len()), Vec::new());
        for (number, diagnostic) in std::mem::take(found).into_iter().enumerate() {
            match taken.get(&number) {
                Some(place) => parted.push((diagnostic, *place)),
                None => left.push(diagnostic),
            }
        }
        *found = left;
        parted
    }

    /// Returns the lines about a dialog, each with its place in `all`.
    fn about(&self, place: DialogPlace<'_>, dialog: &Dialog) -> Vec<(usize, &IgnoreEntry)> {
        let DialogPlace { file, position } = place;
        let index = self.index.get_or_init(|| Index::new(&self.all));
        let places = if index.lines == self.all.len() {
            index.places(&dialog.id, position)
        } else {
            (0..self.all.len()).collect()
        };
        let is_here = |ignored: &IgnoreEntry| {
            let same = match &ignored.dialog {
                DialogRef::Id(id) => *id == dialog.id,
                DialogRef::Number(number) => *number == position,
            };
            same && ends_with(file, &ignored.file) && is_below(file, &ignored.beside)
        };
        let all = places.into_iter().map(|place| (place, &self.all[place]));
        all.filter(|(_, ignored)| is_here(ignored)).collect()
    }

    /// Ignores a problem.
    pub fn add(
        &mut self,
        file: &str,
        (position, dialog): (usize, &Dialog),
        diagnostic: &Diagnostic,
        reason: &str,
    ) {
        let ignored = IgnoreEntry::new(file, (position, dialog), diagnostic, reason);
        self.all.push(ignored);
    }
}

impl IgnoreEntry {
    /// Returns the line that ignores a problem in the dialog `position` of `file`.
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
            turn: diagnostic.location.turn,
            quoted: quoted(dialog, diagnostic.location),
            reason: reason.to_owned(),
            other: Map::new(),
            beside: String::new(),
        }
    }

    /// Returns the text of a file with this line appended. Keeps every byte of `text`.
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

    /// Returns the text of a file without the first line equal to this; None if there is no such line. Keeps
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

/// The most pairs of lines and problems for which the nearest are searched.
const PAIRS: usize = 10_000;

/// Pairs problems with the lines that ignore them: indexes of lines by indexes of problems.
fn pairs(
    dialog: &Dialog,
    lines: &[(usize, &IgnoreEntry)],
    found: &[Diagnostic],
) -> HashMap<usize, usize> {
    let mut groups: HashMap<(&str, Cow<'_, str>), LinesAndProblems> = HashMap::new();
    for (place, ignored) in lines {
        let key = (
            ignored.rule.as_str(),
            Cow::Borrowed(ignored.quoted.as_str()),
        );
        groups
            .entry(key)
            .or_default()
            .0
            .push((*place, ignored.turn));
    }
    let rules: HashSet<&str> = groups.keys().map(|(rule, _)| *rule).collect();
    let mut elements = HashMap::new();
    for (number, diagnostic) in found.iter().enumerate() {
        let rule = diagnostic.rule.name;
        if rules.contains(rule) {
            let quoted = quoted_in(dialog, diagnostic.location, &mut elements);
            if let Some((_, problems)) = groups.get_mut(&(rule, Cow::Owned(quoted))) {
                problems.push((number, diagnostic.location.turn));
            }
        }
    }
    let mut taken = HashMap::new();
    for (lines, problems) in groups.into_values() {
        pair(lines, problems, &mut taken);
    }
    taken
}

/// Lines and problems with the same rule and quote.
type LinesAndProblems = (Vec<Turned>, Vec<Turned>);

/// The index of a line or a problem, and its turn.
type Turned = (usize, Option<usize>);

/// Pairs lines with problems of the same rule and quote: nearest first, so that no line takes the problem
/// of another line.
fn pair(mut lines: Vec<Turned>, mut problems: Vec<Turned>, taken: &mut HashMap<usize, usize>) {
    if lines.len() * problems.len() > PAIRS {
        // Too many to compare: pair those of the same turn, then the others in their order.
        let mut by_turn: HashMap<Option<usize>, VecDeque<usize>> = HashMap::new();
        for (place, turn) in &lines {
            by_turn.entry(*turn).or_default().push_back(*place);
        }
        problems.retain(|(number, turn)| {
            let place = by_turn.get_mut(turn).and_then(VecDeque::pop_front);
            taken.extend(place.map(|place| (*number, place)));
            place.is_none()
        });
        let mut left: Vec<_> = by_turn.into_values().flatten().collect();
        left.sort_unstable();
        taken.extend(problems.into_iter().map(|(number, _)| number).zip(left));
        return;
    }
    lines.sort_unstable();
    let distances = lines.iter().flat_map(|(place, turn)| {
        let distance = move |other: &Turned| (distance(*turn, other.1), *place, other.0);
        problems.iter().map(distance)
    });
    let mut distances: Vec<_> = distances.collect();
    distances.sort_unstable();
    let mut used = HashSet::new();
    for (_, place, number) in distances {
        if !used.contains(&place) && !taken.contains_key(&number) {
            used.insert(place);
            taken.insert(number, place);
        }
    }
}

/// Reads a line; None if it is not about an ignored problem.
fn read_line(line: &str) -> Result<Option<IgnoreEntry>, serde_json::Error> {
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

/// Returns the text of the dialog that a problem concerns: the text of the segment, the call, the argument with
/// its value, the act, the slot with its value, or the annotator; else the text of the turn. Empty for
/// the whole dialog.
pub fn quoted(dialog: &Dialog, location: Location) -> String {
    quoted_in(dialog, location, &mut HashMap::new())
}

/// The names of the elements of turns, by their starts.
type Elements = HashMap<usize, HashMap<u32, String>>;

/// Like [`quoted`], for many problems.
fn quoted_in(dialog: &Dialog, location: Location, elements: &mut Elements) -> String {
    let number = location.turn.unwrap_or_default();
    let turn = dialog.turns.get(number).filter(|_| location.turn.is_some());
    let Some(turn) = turn else {
        return String::new();
    };
    let segment = location
        .segment
        .and_then(|segment| turn.segments.get(segment));
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
        None => {
            let elements = elements.entry(number).or_insert_with(|| elements_of(turn));
            let element = elements.get(&location.at.start);
            element.unwrap_or(&turn.text).clone()
        }
    };
    text.chars().take(QUOTED).collect()
}

/// Returns the names of the elements of a turn by their start; if several start at one place, the first.
fn elements_of(turn: &Turn) -> HashMap<u32, String> {
    let mut elements = HashMap::new();
    let mut add = |at: Extent, name: String| {
        if at.end > 0 {
            elements.entry(at.start).or_insert(name);
        }
    };
    for call in &turn.calls {
        add(call.at, call.name.to_string());
        let payloads = [&call.arguments, &call.response].into_iter().flatten();
        for payload in payloads {
            match payload {
                Payload::Fields(fields) => fields.iter().for_each(|f| add(f.at, named(f))),
                Payload::Embedded { text, at } | Payload::Text { text, at } => {
                    add(*at, text.to_string());
                }
            }
        }
        call.fields.iter().for_each(|f| add(f.at, named(f)));
    }
    for act in &turn.acts {
        add(act.at, act.name.to_string());
    }
    for slot in turn.state.iter().flatten() {
        add(slot.at, format!("{}={}", slot.slot, slot.value.as_str()));
    }
    for vote in &turn.votes {
        add(vote.at, vote.annotator.to_string());
    }
    elements
}

/// Returns a field with its value.
fn named(field: &Field) -> String {
    format!("{}={}", field.name, field.content.as_str())
}
