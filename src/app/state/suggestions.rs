//! The suggested edits of a file, and what the user has decided about each.

use std::collections::HashSet;

use crate::corpus::{Proposal, Suggestion};
use crate::dialog::{Edit, Span};
use crate::workspace::DialogId;

/// The suggestions to review; none unless the user has named a file of them.
#[derive(Clone, Debug, Default)]
pub struct Suggestions {
    pub all: Vec<Suggested>,
    /// Position of the selected suggestion.
    pub chosen: usize,
    /// True while the window is open, or covered by a question.
    pub reviewing: bool,
    /// True once the dialog of each suggestion has been searched for.
    pub placed: bool,
}

/// A suggestion in the list.
#[derive(Clone, Debug)]
pub struct Suggested {
    /// Its line in its file, counted from 1.
    pub line: usize,
    pub suggestion: Suggestion,
    /// The files that it may be for; None for any file.
    pub files: Option<Vec<u32>>,
    pub place: SuggestionPlace,
    pub decision: Decision,
    /// The span that the user has moved it to.
    pub moved: Option<Span>,
    /// The edit in its dialog, or why it does not fit; None until it is on the screen.
    pub seen: Option<Result<SuggestedEdit, String>>,
}

/// The dialog of a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuggestionPlace {
    /// The dialogs are still being read.
    Unknown,
    At(DialogId),
    /// The reason why there is no dialog for it.
    Nowhere(String),
}

/// The user's decision about a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Open,
    Taken,
    Left,
}

/// A suggestion as an edit of its dialog.
#[derive(Clone, Debug)]
pub struct SuggestedEdit {
    pub edit: Edit,
    /// A short description: `add "ten": time`.
    pub title: String,
    /// The changed part of the turn, one line each; empty if the change does not show there.
    pub before: String,
    pub after: String,
    /// True if it is a vote that the annotator must not see yet.
    pub hidden: bool,
}

impl Suggested {
    /// Returns a suggestion on `line` of its file, counted from 1, for a dialog of `files`, or of any file.
    pub fn new(line: usize, suggestion: Suggestion, files: Option<Vec<u32>>) -> Self {
        Self {
            line,
            suggestion,
            files,
            place: SuggestionPlace::Unknown,
            decision: Decision::Open,
            moved: None,
            seen: None,
        }
    }

    /// Position of its turn.
    pub fn turn(&self) -> usize {
        match &self.suggestion.proposal {
            Proposal::Edit(edit) => edit.turn(),
            Proposal::Quoted(quoted) => quoted.turn,
        }
    }

    /// Returns the dialog it is for, if that is known.
    pub fn at(&self) -> Option<DialogId> {
        match self.place {
            SuggestionPlace::At(at) => Some(at),
            SuggestionPlace::Unknown | SuggestionPlace::Nowhere(_) => None,
        }
    }

    /// True if nothing is decided about it and nothing is known against it.
    pub fn is_open(&self) -> bool {
        let fits = !matches!(self.place, SuggestionPlace::Nowhere(_));
        self.decision == Decision::Open && fits && !matches!(self.seen, Some(Err(_)))
    }
}

impl Suggestions {
    pub fn new(all: Vec<Suggested>) -> Self {
        Self {
            reviewing: !all.is_empty(),
            all,
            chosen: 0,
            placed: false,
        }
    }

    pub fn current(&self) -> Option<&Suggested> {
        self.all.get(self.chosen)
    }

    /// Counts the suggestions with this decision.
    pub fn count(&self, decision: Decision) -> usize {
        let all = self.all.iter();
        all.filter(|one| one.decision == decision).count()
    }

    /// Counts the suggestions that are still to be decided.
    pub fn open(&self) -> usize {
        self.all.iter().filter(|one| one.is_open()).count()
    }

    /// Returns the next suggestion to decide after the selected one, or else the first.
    pub fn next_open(&self) -> Option<usize> {
        let after = self.chosen + 1..self.all.len();
        let before = 0..(self.chosen + 1).min(self.all.len());
        after
            .chain(before)
            .find(|&number| self.all[number].is_open())
    }

    /// Position of the first suggestion on the screen if it lists `rows` at once.
    pub fn first_listed(&self, rows: usize) -> usize {
        let last = self.all.len().saturating_sub(rows);
        (self.chosen / rows.max(1) * rows).min(last)
    }

    /// Opens those again that were taken and undone since: their edits are not among those `applied`.
    /// Returns the position of the last of them.
    pub fn reopen_undone(&mut self, applied: &HashSet<&Edit>) -> Option<usize> {
        let mut last = None;
        for (number, one) in self.all.iter_mut().enumerate() {
            let is_made = matches!(&one.seen, Some(Ok(seen)) if applied.contains(&seen.edit));
            if one.decision == Decision::Taken && !is_made {
                one.decision = Decision::Open;
                one.seen = None;
                last = Some(number);
            }
        }
        last
    }

    /// Drops what is known about the edits in a dialog, which has changed, or in all.
    pub fn forget(&mut self, at: Option<DialogId>) {
        // One that is taken keeps its description.
        let stale = |one: &&mut Suggested| {
            one.decision != Decision::Taken && (at.is_none() || one.at() == at)
        };
        for one in self.all.iter_mut().filter(stale) {
            one.seen = None;
        }
    }
}
