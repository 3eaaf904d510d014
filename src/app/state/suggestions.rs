//! The suggested edits of a file, the conflicts of a merge, and what the user has decided about each.

use std::collections::HashSet;
use std::sync::Arc;

use crate::compare::{ConflictLine, Side};
use crate::corpus::{DialogRef, Origin, Proposal, Suggestion};
use crate::dialog::{Dialog, Edit, EditKind, Span};
use crate::workspace::DialogId;

/// The suggestions to review; none unless the user has named a file of them, or opened one with conflicts.
#[derive(Clone, Debug, Default)]
pub struct Suggestions {
    pub all: Vec<Suggested>,
    /// Position of the selected suggestion.
    pub chosen: usize,
    /// True while the window is open, or covered by a question.
    pub reviewing: bool,
    /// True once the dialog of each suggestion has been searched for.
    pub placed: bool,
    /// The files of conflicts, from which those go that are decided.
    pub lists: Vec<ConflictList>,
    /// The side that is shown beside the dialog of a conflict.
    pub shown: ShownSide,
    /// The suggestions that were left, each with the number of steps that were applied then.
    pub left: Vec<(usize, usize)>,
}

/// The version of a dialog that is shown beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownSide {
    #[default]
    Theirs,
    Base,
    Both,
}

impl ShownSide {
    pub fn side(self) -> Side {
        match self {
            Self::Theirs => Side::Theirs,
            Self::Base => Side::Base,
            Self::Both => Side::Both,
        }
    }
}

/// The file beside a corpus file that lists its conflicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConflictList {
    /// The number of the corpus file.
    pub file: u32,
    pub lines: Vec<String>,
    /// The text of the list on the disk.
    pub on_disk: String,
}

/// The change that is suggested.
#[derive(Clone, Debug)]
pub enum SuggestedChange {
    Record(Box<Suggestion>),
    Conflict(Box<ConflictLine>),
}

/// A suggestion in the list.
#[derive(Clone, Debug)]
pub struct Suggested {
    /// Its line in its file, counted from 1.
    pub line: usize,
    pub change: SuggestedChange,
    /// The dialog to which the edits of a conflict fit; None for the one on the disk.
    pub basis: Option<Arc<Dialog>>,
    /// The files that it may be for; None for any file.
    pub files: Option<Vec<u32>>,
    pub place: SuggestionPlace,
    pub decision: Decision,
    /// The span that the user has moved it to.
    pub moved: Option<Span>,
    /// The edits in its dialog, or why they do not fit; None until it is on the screen.
    pub seen: Option<Result<SuggestedEdit, String>>,
    /// It tells a vote that the annotator must not see yet.
    pub hidden: bool,
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
    /// Both sides of a conflict stay.
    Both,
    /// The user edits the turn.
    ByHand,
}

impl Decision {
    /// True if its edits were made.
    pub fn is_made(self) -> bool {
        matches!(self, Self::Taken | Self::Both)
    }
}

/// A suggestion as edits of its dialog.
#[derive(Clone, Debug)]
pub struct SuggestedEdit {
    /// Made in this order. Once it is taken, those that changed something.
    pub edits: Vec<Edit>,
    /// Position of its turn in the dialog as it is.
    pub turn: usize,
    /// A short description: `add "ten": time`.
    pub title: String,
    /// The changed part of the turn, one line each; empty if the change does not show there.
    pub before: String,
    pub after: String,
}

impl Suggested {
    /// Returns a suggestion on `line` of its file, counted from 1, for a dialog of `files`, or of any file.
    pub fn new(line: usize, suggestion: Suggestion, files: Option<Vec<u32>>) -> Self {
        Self::of(line, SuggestedChange::Record(Box::new(suggestion)), files)
    }

    /// Returns a conflict on `line` of the list of `file`.
    pub fn conflict(line: usize, conflict: ConflictLine, file: u32) -> Self {
        let change = SuggestedChange::Conflict(Box::new(conflict));
        Self::of(line, change, Some(vec![file]))
    }

    fn of(line: usize, change: SuggestedChange, files: Option<Vec<u32>>) -> Self {
        Self {
            line,
            change,
            basis: None,
            files,
            place: SuggestionPlace::Unknown,
            decision: Decision::Open,
            moved: None,
            seen: None,
            hidden: false,
        }
    }

    pub fn as_conflict(&self) -> Option<&ConflictLine> {
        match &self.change {
            SuggestedChange::Conflict(conflict) => Some(conflict),
            SuggestedChange::Record(_) => None,
        }
    }

    pub fn as_record(&self) -> Option<&Suggestion> {
        match &self.change {
            SuggestedChange::Record(record) => Some(record),
            SuggestedChange::Conflict(_) => None,
        }
    }

    /// Returns its dialog as its line names it.
    pub fn dialog(&self) -> DialogRef {
        match &self.change {
            SuggestedChange::Record(record) => record.dialog.clone(),
            SuggestedChange::Conflict(conflict) => match conflict.dialog {
                Some(number) => DialogRef::Number(number),
                None => DialogRef::Id(conflict.dialog_id.clone()),
            },
        }
    }

    /// Returns the id of its dialog beside its number.
    pub fn dialog_id(&self) -> Option<&str> {
        match &self.change {
            SuggestedChange::Record(record) => record.dialog_id.as_deref(),
            SuggestedChange::Conflict(conflict) => {
                Some(conflict.dialog_id.as_str()).filter(|id| !id.is_empty())
            }
        }
    }

    /// Returns who suggests it, and why.
    pub fn origin(&self) -> Origin {
        match &self.change {
            SuggestedChange::Record(record) => record.origin.clone(),
            SuggestedChange::Conflict(_) => Origin::default(),
        }
    }

    /// Returns the kind of thing that it changes; None if no edit can.
    pub fn about(&self) -> Option<EditKind> {
        match &self.change {
            SuggestedChange::Record(record) => Some(match &record.proposal {
                Proposal::Edit(edit) => edit.about(),
                Proposal::Quoted(_) => EditKind::Segments,
            }),
            SuggestedChange::Conflict(conflict) => conflict.edits.first().map(Edit::about),
        }
    }

    /// False if it is a conflict about a whole dialog, or about something beside the dialogs.
    pub fn is_of_turn(&self) -> bool {
        match &self.change {
            SuggestedChange::Record(_) => true,
            SuggestedChange::Conflict(conflict) => conflict.turn.is_some(),
        }
    }

    /// Position of its turn.
    pub fn turn(&self) -> usize {
        if let Some(Ok(seen)) = &self.seen {
            return seen.turn;
        }
        match &self.change {
            SuggestedChange::Record(record) => match &record.proposal {
                Proposal::Edit(edit) => edit.turn(),
                Proposal::Quoted(quoted) => quoted.turn,
            },
            SuggestedChange::Conflict(conflict) => conflict.turn.unwrap_or_default(),
        }
    }

    /// Returns the dialog it is for, if that is known.
    pub fn at(&self) -> Option<DialogId> {
        match self.place {
            SuggestionPlace::At(at) => Some(at),
            SuggestionPlace::Unknown | SuggestionPlace::Nowhere(_) => None,
        }
    }

    /// True if nothing is decided about it and nothing is known against it. A conflict can always be decided for ours.
    pub fn is_open(&self) -> bool {
        let fits = !matches!(self.place, SuggestionPlace::Nowhere(_))
            && !matches!(self.seen, Some(Err(_)));
        self.decision == Decision::Open && (fits || self.as_conflict().is_some())
    }
}

impl Suggestions {
    pub fn new(all: Vec<Suggested>) -> Self {
        Self { reviewing: !all.is_empty(), all, ..Self::default() }
    }

    pub fn current(&self) -> Option<&Suggested> {
        self.all.get(self.chosen)
    }

    /// Returns the selected conflict while it is reviewed.
    pub fn conflict(&self) -> Option<&ConflictLine> {
        self.current().filter(|_| self.reviewing)?.as_conflict()
    }

    /// Counts the suggestions with this decision.
    pub fn count(&self, decision: Decision) -> usize {
        let all = self.all.iter();
        all.filter(|one| one.decision == decision).count()
    }

    /// Counts the suggestions whose edits were made.
    pub fn made(&self) -> usize {
        self.count(Decision::Taken) + self.count(Decision::Both)
    }

    /// Counts the suggestions that are still to be decided.
    pub fn open(&self) -> usize {
        self.all.iter().filter(|one| one.is_open()).count()
    }

    /// Returns the next suggestion to decide after the selected one, or else the first.
    pub fn next_open(&self) -> Option<usize> {
        let after = self.chosen + 1..self.all.len();
        let before = 0..(self.chosen + 1).min(self.all.len());
        after.chain(before).find(|&number| self.all[number].is_open())
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
            let is_applied = |seen: &SuggestedEdit| seen.edits.iter().all(|e| applied.contains(e));
            let is_made = matches!(&one.seen, Some(Ok(seen)) if is_applied(seen));
            if one.decision.is_made() && !is_made {
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
        let stale =
            |one: &&mut Suggested| !one.decision.is_made() && (at.is_none() || one.at() == at);
        for one in self.all.iter_mut().filter(stale) {
            one.seen = None;
        }
    }
}
