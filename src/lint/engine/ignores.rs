//! Problems that somebody ignored on purpose and dialogs that somebody excluded, kept in a side file next to
//! the corpus.
//!
//! The file is JSON Lines, one problem or dialog per line, so that people can read it in a diff and merge it.
//! It is never part of the data. A line names the dialog, the rule, the text in question, and the reason why
//! the data is right:
//!
//! ```json
//! {"file":"a.json","dialog":"dlg-7","rule":"span-cuts-word","turn":3,"quoted":"Kitche","reason":"as on the sign"}
//! ```
//!
//! A line with `excluded` instead of a rule excludes the whole dialog: commands leave it out, and the screen
//! passes over it.
//!
//! ```json
//! {"file":"a.json","dialog":"dlg-9","excluded":true,"reason":"a test call"}
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

use crate::corpus::DialogRef;
use crate::dialog::{Content, Dialog, Extent, Field, Payload, Turn};
use crate::lint::engine::rule::Diagnostic;
use crate::lint::facts::Location;

/// The name of the file.
pub const IGNORES_FILE: &str = "turnwise.ignores.jsonl";

/// The dialog that a line is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineDialog {
    /// The end of the path of the corpus file.
    pub file: String,
    pub dialog: DialogRef,
    /// The folder of the ignore file. The line applies to that folder and everything below it, or
    /// everywhere if this is empty.
    #[serde(skip)]
    pub beside: String,
}

/// An ignored problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IgnoreEntry {
    #[serde(flatten)]
    pub of: LineDialog,
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
}

/// An excluded dialog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExcludedDialog {
    #[serde(flatten)]
    pub of: LineDialog,
    /// False in a line that excludes nothing.
    pub excluded: bool,
    /// Why it is left out.
    #[serde(default)]
    pub reason: String,
    /// The other fields of the line.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum IgnoresLine {
    Problem(IgnoreEntry),
    Dialog(ExcludedDialog),
}

/// The ignored problems and the excluded dialogs, each in the order of their lines.
#[derive(Clone, Debug, Default)]
pub struct Ignores {
    pub all: Vec<IgnoreEntry>,
    pub excluded: Vec<ExcludedDialog>,
    /// Built on first use.
    problems_by_dialog: OnceLock<Index>,
    excluded_by_dialog: OnceLock<Index>,
}

impl PartialEq for Ignores {
    fn eq(&self, other: &Self) -> bool {
        (&self.all, &self.excluded) == (&other.all, &other.excluded)
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
    fn new<'l>(lines: impl Iterator<Item = &'l LineDialog>) -> Self {
        let mut index = Self::default();
        for (place, line) in lines.enumerate() {
            let places = match &line.dialog {
                DialogRef::Id(id) => index.by_id.entry(id.clone()).or_default(),
                DialogRef::Number(number) => index.by_number.entry(*number).or_default(),
            };
            places.push(place);
            index.lines += 1;
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
#[error("line {line}: {}", reason(error))]
pub struct BadIgnoreLine {
    /// Counted from 1.
    pub line: usize,
    pub error: serde_json::Error,
}

/// Returns the reason why a line cannot be read; its line is known.
fn reason(error: &serde_json::Error) -> String {
    if error.is_syntax() || error.is_eof() {
        return format!("not valid JSON at column {}", error.column());
    }
    let message = error.to_string();
    let end = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&end).unwrap_or(&message).to_owned()
}

impl Ignores {
    /// Reads the text of an ignore file, skipping empty lines.
    ///
    /// # Errors
    /// The first line that is not valid.
    pub fn read(text: &str) -> Result<Self, BadIgnoreLine> {
        let lines = text.lines().enumerate();
        let mut ignores = Self::default();
        for (place, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let read = read_line(line).map_err(|error| BadIgnoreLine { line: place + 1, error })?;
            match read {
                Some(IgnoresLine::Problem(ignored)) => ignores.all.push(ignored),
                Some(IgnoresLine::Dialog(dialog)) => ignores.excluded.push(dialog),
                None => {}
            }
        }
        Ok(ignores)
    }

    /// Adds the lines of another file.
    pub fn extend(&mut self, other: Self) {
        self.all.extend(other.all);
        self.excluded.extend(other.excluded);
    }

    /// Restricts every line to a folder and everything below it.
    #[must_use]
    pub fn in_folder(mut self, folder: &str) -> Self {
        let problems = self.all.iter_mut().map(|line| &mut line.of);
        let dialogs = self.excluded.iter_mut().map(|line| &mut line.of);
        for line in problems.chain(dialogs) {
            folder.clone_into(&mut line.beside);
        }
        self
    }

    /// Returns the text of the file: the problems, then the dialogs, one per line.
    pub fn text(&self) -> String {
        let problems = self.all.iter().cloned().map(IgnoresLine::Problem);
        let dialogs = self.excluded.iter().cloned().map(IgnoresLine::Dialog);
        let lines = problems.chain(dialogs);
        lines.map(|line| line.text()).collect()
    }

    /// Returns the line that excludes the dialog with this id at `place`, if there is one.
    pub fn excluding(&self, place: DialogPlace<'_>, id: &str) -> Option<&ExcludedDialog> {
        if self.excluded.is_empty() {
            return None;
        }
        let lines = || self.excluded.iter().map(|line| &line.of);
        let index = self.excluded_by_dialog.get_or_init(|| Index::new(lines()));
        let mut places = index.places(id, place.position).into_iter();
        let here = places.find(|line| {
            let line = &self.excluded[*line];
            line.excluded && line.of.is_about(place, id)
        });
        here.map(|line| &self.excluded[line])
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
        let lines = || self.all.iter().map(|line| &line.of);
        let index = self.problems_by_dialog.get_or_init(|| Index::new(lines()));
        let places = if index.lines == self.all.len() {
            index.places(&dialog.id, place.position)
        } else {
            (0..self.all.len()).collect()
        };
        let all = places.into_iter().map(|line| (line, &self.all[line]));
        all.filter(|(_, ignored)| ignored.of.is_about(place, &dialog.id)).collect()
    }

    /// Ignores a problem.
    pub fn add(
        &mut self,
        place: DialogPlace<'_>,
        dialog: &Dialog,
        diagnostic: &Diagnostic,
        reason: &str,
    ) {
        let ignored = IgnoreEntry::new(place, dialog, diagnostic, reason);
        self.all.push(ignored);
    }
}

impl LineDialog {
    /// Returns the dialog at `place`, by its id if it has one.
    pub fn of(place: DialogPlace<'_>, dialog: &Dialog) -> Self {
        let reference = if dialog.id.is_empty() {
            DialogRef::Number(place.position)
        } else {
            DialogRef::Id(dialog.id.clone())
        };
        Self { file: place.file.to_owned(), dialog: reference, beside: String::new() }
    }

    /// True if the dialog with this id at `place` is meant.
    fn is_about(&self, place: DialogPlace<'_>, id: &str) -> bool {
        let same = match &self.dialog {
            DialogRef::Id(of) => of == id,
            DialogRef::Number(number) => *number == place.position,
        };
        same && ends_with(place.file, &self.file) && is_below(place.file, &self.beside)
    }
}

impl IgnoreEntry {
    /// Returns the line that ignores a problem in the dialog at `place`.
    pub fn new(
        place: DialogPlace<'_>,
        dialog: &Dialog,
        diagnostic: &Diagnostic,
        reason: &str,
    ) -> Self {
        Self {
            of: LineDialog::of(place, dialog),
            rule: diagnostic.rule.name.to_owned(),
            turn: diagnostic.location.turn,
            quoted: quoted(dialog, diagnostic.location),
            reason: reason.to_owned(),
            other: Map::new(),
        }
    }
}

impl ExcludedDialog {
    /// Returns the line that excludes the dialog at `place`.
    pub fn new(place: DialogPlace<'_>, dialog: &Dialog, reason: &str) -> Self {
        Self {
            of: LineDialog::of(place, dialog),
            excluded: true,
            reason: reason.to_owned(),
            other: Map::new(),
        }
    }
}

impl IgnoresLine {
    /// Returns the dialog it is about.
    pub fn of(&self) -> &LineDialog {
        match self {
            Self::Problem(ignored) => &ignored.of,
            Self::Dialog(dialog) => &dialog.of,
        }
    }

    /// Returns the dialog it is about, to change its place.
    pub fn of_mut(&mut self) -> &mut LineDialog {
        match self {
            Self::Problem(ignored) => &mut ignored.of,
            Self::Dialog(dialog) => &mut dialog.of,
        }
    }

    /// Returns the line with its end.
    fn text(&self) -> String {
        // Cannot fail: there are only strings and numbers.
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Returns the text of a file with this line appended. Keeps every byte of `text`.
    pub fn added_to(&self, text: &str) -> String {
        let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        format!("{text}{line_end}{}", self.text())
    }

    /// Returns the text of a file without the first line equal to this; None if there is no such line. Keeps
    /// every byte of all other lines.
    pub fn removed_from(&self, text: &str) -> Option<String> {
        let mut wanted = self.clone();
        wanted.of_mut().beside.clear();
        let is_it = |line: &&str| {
            let read = read_line(line.trim_end());
            matches!(read, Ok(Some(line)) if line == wanted)
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
        let key = (ignored.rule.as_str(), Cow::Borrowed(ignored.quoted.as_str()));
        groups.entry(key).or_default().0.push((*place, ignored.turn));
    }
    let rules: HashSet<&str> = groups.keys().map(|(rule, _)| *rule).collect();
    for (number, diagnostic) in found.iter().enumerate() {
        let rule = diagnostic.rule.name;
        if rules.contains(rule) {
            let quoted = quoted(dialog, diagnostic.location);
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

/// Reads a line; None if it is about neither a problem nor a dialog.
fn read_line(line: &str) -> Result<Option<IgnoresLine>, serde_json::Error> {
    let value: Value = serde_json::from_str(line)?;
    let has = |field| value.as_object().is_none_or(|line| line.contains_key(field));
    // Parsed again from the text, so that an error has a position.
    let read = if !has("file") && !has("rule") {
        return Ok(None);
    } else if has("excluded") && !has("rule") {
        IgnoresLine::Dialog(serde_json::from_str(line)?)
    } else {
        IgnoresLine::Problem(serde_json::from_str(line)?)
    };
    Ok(Some(read))
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
    let turn = location.turn.and_then(|turn| dialog.turns.get(turn));
    let Some(turn) = turn else {
        return String::new();
    };
    let segment = location.segment.and_then(|segment| turn.segments.get(segment));
    let text: Cow<'_, str> = match segment {
        Some(segment) => {
            let covered = || turn.covered(segment.span?, dialog.units);
            let text = segment.quote.clone().or_else(covered).unwrap_or_default();
            text.to_string().into()
        }
        None => element_at(turn, location.at.start).unwrap_or(Cow::Borrowed(&turn.text)),
    };
    text.chars().take(QUOTED).collect()
}

/// Returns the name of the element of a turn that starts at a place; the first of several.
fn element_at(turn: &Turn, start: u32) -> Option<Cow<'_, str>> {
    let is_here = |at: Extent| at.end > 0 && at.start == start;
    let named = |name: &str, value: &Content| Cow::Owned(format!("{name}={}", value.as_str()));
    let field = |field: &Field| named(&field.name, &field.content);
    for call in &turn.calls {
        if is_here(call.at) {
            return Some(Cow::Borrowed(&call.name));
        }
        let mut fields = Vec::new();
        for payload in [&call.arguments, &call.response].into_iter().flatten() {
            match payload {
                Payload::Embedded { text, at } | Payload::Text { text, at } if is_here(*at) => {
                    return Some(Cow::Borrowed(text));
                }
                Payload::Fields(all) => fields.extend(all),
                _ => {}
            }
        }
        fields.extend(&call.fields);
        if let Some(here) = fields.into_iter().find(|field| is_here(field.at)) {
            return Some(field(here));
        }
    }
    let act = turn.acts.iter().find(|act| is_here(act.at)).map(|act| Cow::Borrowed(&*act.name));
    let slot = || turn.state.iter().flatten().find(|slot| is_here(slot.at));
    let vote = || turn.votes.iter().find(|vote| is_here(vote.at));
    act.or_else(|| slot().map(|slot| named(&slot.slot, &slot.value)))
        .or_else(|| vote().map(|vote| Cow::Borrowed(&*vote.annotator)))
}
