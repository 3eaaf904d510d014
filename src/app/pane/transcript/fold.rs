//! Folds long texts to their first rows: instructions, calls and their responses.

use std::collections::{HashMap, HashSet};

use crate::app::pane::{Ink, Item, Line, TextRun};
use crate::text::{width, wrap};

/// How much of long instructions, calls and responses is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Folding {
    /// The first rows of each.
    #[default]
    Long,
    /// All of them.
    Nothing,
    /// The first rows of instructions and calls, one line of each response.
    Responses,
    /// The first rows of instructions, one line of each call, and no responses but those of calls that failed.
    Calls,
    /// The turns of users alone.
    Prompts,
}

/// How the calls of a dialog are folded.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// How calls and instructions are folded unless the user folded or unfolded one of them.
    pub all: Folding,
    /// The calls, by turn and position, that the user folded to one line (true) or unfolded.
    own: HashMap<(usize, usize), bool>,
    /// The parts of calls that the user folded in the details.
    parts: HashSet<Item>,
    /// The first turns of the side branches that the user unfolded.
    branches: HashSet<usize>,
    /// The user went to a match: parts that hide it are unfolded at the next layout of the details.
    hit: bool,
}

impl Folds {
    /// Folds all calls alike.
    pub fn alike(all: Folding) -> Self {
        Self { all, ..Self::default() }
    }

    /// Returns how a call is folded.
    pub fn of(&self, turn: usize, call: usize) -> Folding {
        match self.own.get(&(turn, call)) {
            Some(true) => Folding::Calls,
            Some(false) => Folding::Nothing,
            None => self.all,
        }
    }

    /// True if the user folded this very call.
    pub fn has_own(&self, turn: usize, call: usize) -> bool {
        self.own.get(&(turn, call)) == Some(&true)
    }

    /// Folds a call to a line, or shows all of it again. Returns true if it is folded now.
    pub fn toggle(&mut self, turn: usize, call: usize) -> bool {
        let folds = self.of(turn, call) != Folding::Calls;
        self.own.insert((turn, call), folds);
        folds
    }

    /// True if the user unfolded the side branch that begins with this turn.
    pub fn shows_branch(&self, first: usize) -> bool {
        self.branches.contains(&first)
    }

    /// Unfolds a side branch, or folds it again. Returns true if all of it is shown now.
    pub fn toggle_branch(&mut self, first: usize) -> bool {
        let shows = !self.branches.remove(&first);
        if shows {
            self.branches.insert(first);
        }
        shows
    }

    /// True if the user folded this part of a call.
    pub fn has_part(&self, part: &Item) -> bool {
        self.parts.contains(part)
    }

    /// Folds a part of a call to its first row in the details, or shows all of it again. Returns true if it is
    /// folded now.
    pub fn toggle_part(&mut self, part: &Item) -> bool {
        let folds = !self.parts.remove(part);
        if folds {
            self.parts.insert(part.clone());
        }
        folds
    }

    /// Unfolds the call with the match that the user goes to. Returns whether that was folded.
    pub fn go_to_hit(&mut self, turn: usize, call: usize) -> bool {
        self.hit = true;
        self.has_own(turn, call) && self.own.remove(&(turn, call)).is_some()
    }

    /// Returns true once after the user went to a match in a call.
    pub fn take_hit(&mut self) -> bool {
        std::mem::take(&mut self.hit)
    }

    /// Unfolds those parts of calls that `hides` is true for.
    pub fn unfold_parts(&mut self, hides: impl Fn(&Item) -> bool) {
        self.parts.retain(|part| !hides(part));
    }

    /// True if the user folded a part of a call.
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// Returns `line` with a note at its end, cut to make room for it: between members of JSON, or else between words,
/// unless most of the row would be lost. The note begins with the sign for what is cut off.
pub fn with_note(line: &Line, note: &str, columns: usize) -> Line {
    let mut left = kept_bytes(&line.text(), columns.saturating_sub(width(note)));
    let mut noted = Line { runs: Vec::new(), ..line.clone() };
    for run in &line.runs {
        let kept = left.min(run.text.len());
        left -= kept;
        if kept > 0 {
            noted.runs.push(TextRun { text: run.text[..kept].into(), ..run.clone() });
        }
    }
    noted.with(Ink::Dim, note)
}

/// Returns how many bytes of `text` to keep in so many columns.
fn kept_bytes(text: &str, columns: usize) -> usize {
    if width(text) <= columns {
        return text.len();
    }
    // A row has at least one grapheme, even if that is too wide.
    let fitting = |end: usize| {
        if width(&text[..end]) <= columns { end } else { 0 }
    };
    let rows = wrap(text, columns);
    let end = rows.first().map_or(0, |row| row.end);
    if let Some(member) = last_member(text, columns) {
        return member;
    }
    let Some(word) = rows.get(1).map(|row| row.start) else {
        return fitting(end);
    };
    let used = width(&text[..word]);
    if 2 * used > columns && !text[..end].trim().is_empty() {
        return fitting(end);
    }
    // The first word, and one of half a row, are cut between graphemes.
    let within = wrap(&text[word..], columns.saturating_sub(used));
    let end = fitting(word + within.first().map_or(0, |row| row.end));
    if end > 0 { end } else { fitting(word) }
}

/// Returns where JSON can be cut in so many columns: the byte after its last comma between members, or else after
/// the last bracket before one. None if there is none, or little of the row would be left.
fn last_member(text: &str, columns: usize) -> Option<usize> {
    let is_before_member = |at: usize| {
        let after = text[at + 1..].trim_start_matches(' ').chars().next();
        after.is_some_and(|c| matches!(c, '"' | '{' | '['))
    };
    let is_after_value = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_some_and(|c| matches!(c, '"' | '}' | ']') || c.is_alphanumeric())
    };
    let is_fitting = |at: usize| {
        let kept = width(&text[..=at]);
        kept <= columns && 3 * kept > columns
    };
    let mut commas = text.rmatch_indices(',').map(|(at, _)| at);
    let mut brackets = text.rmatch_indices(['{', '[']).map(|(at, _)| at);
    let comma = commas.find(|at| is_fitting(*at) && is_before_member(*at) && is_after_value(*at));
    let cut = comma.or_else(|| brackets.find(|at| is_fitting(*at) && is_before_member(*at)));
    cut.map(|at| at + 1)
}
