//! Proposed edits to review, and what the user has decided about each: the fixes of problems, the suggestions of a file,
//! and the conflicts of a merge.

use std::collections::HashSet;
use std::sync::Arc;

use crate::compare::{ConflictLine, Side};
use crate::corpus::{DialogRef, Origin, Proposal, Suggestion};
use crate::dialog::{Dialog, Edit, EditKind, Span};
use crate::lint::{Applicability, Diagnostic, Fix, LabelledText};
use crate::workspace::DialogId;

/// Proposals to review: the suggestions, which stay for the session, or the fixes that the user has asked for.
#[derive(Clone, Debug, Default)]
pub struct Review {
    pub all: Vec<Proposed>,
    /// Position of the selected proposal.
    pub chosen: usize,
    /// The search that finds the fixes; None for suggestions and conflicts.
    pub search: Option<FixSearch>,
    /// True while the window is open, or covered by a question.
    pub reviewing: bool,
    /// True once the dialog of each proposal has been searched for.
    pub placed: bool,
    /// The files of conflicts, from which those go that are decided.
    pub lists: Vec<ConflictList>,
    /// The side that is shown beside the dialog of a conflict. None: theirs.
    pub shown: Option<Side>,
    /// The proposals that were left, each with the number of steps that were applied then.
    pub left: Vec<(usize, usize)>,
}

/// The fixes to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixSource {
    /// The safe fixes of all rules.
    Safe,
    /// The fixes of a rule.
    Rule(&'static str),
    /// A segment on each mention of a text.
    Mentions(Arc<LabelledText>),
}

/// The dialogs whose fixes are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Dialog,
    File,
    All,
}

impl Reach {
    pub fn name(self) -> &'static str {
        match self {
            Self::Dialog => "in this dialog",
            Self::File => "in this file",
            Self::All => "in all files",
        }
    }
}

/// The search for fixes.
#[derive(Clone, Debug)]
pub struct FixSearch {
    pub source: FixSource,
    pub reach: Reach,
    /// Dialogs checked so far, and dialogs to check.
    pub checked: (usize, usize),
    /// The number of fixes left out of the list, because their dialogs are long and have many.
    pub more: usize,
    /// The number of this search, by which late results of an earlier one are recognized.
    pub number: u64,
}

impl FixSearch {
    /// True while dialogs are still being checked.
    pub fn is_going_on(&self) -> bool {
        self.checked.0 < self.checked.1
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

/// The change that is proposed.
#[derive(Clone, Debug)]
pub enum ProposedChange {
    Record(Box<Suggestion>),
    Conflict(Box<ConflictLine>),
    /// The first fix of a problem.
    Fix(Box<Diagnostic>),
}

/// An edit in the list.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// Its line in its file, counted from 1; 0 for one of no file.
    pub line: usize,
    pub change: ProposedChange,
    /// The dialog to which the edits of a conflict fit; None for the one on the disk.
    pub basis: Option<Arc<Dialog>>,
    /// The files that it may be for; None for any file.
    pub files: Option<Vec<u32>>,
    pub place: ProposalPlace,
    pub decision: Decision,
    /// It is made with all others that are ticked.
    pub ticked: bool,
    /// The span that the user has moved it to.
    pub moved: Option<Span>,
    /// The edits in its dialog, or why they do not fit; None until it is on the screen.
    pub seen: Option<Result<ProposedEdit, String>>,
    /// It tells a vote that the annotator must not see yet.
    pub hidden: bool,
}

/// The dialog of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposalPlace {
    /// The dialogs are still being read.
    Unknown,
    At(DialogId),
    /// The reason why there is no dialog for it.
    Nowhere(String),
}

/// The user's decision about a proposal.
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

/// A proposal as edits of its dialog.
#[derive(Clone, Debug, Default)]
pub struct ProposedEdit {
    /// Made in this order; none for a problem that is gone. Once it is taken, those that changed something.
    pub edits: Vec<Edit>,
    /// The dialog in which they were made, which may be that of a log; None before, and if it is not known.
    pub made_in: Option<DialogId>,
    /// Position of its turn in the dialog as it is.
    pub turn: usize,
    /// A short description: `add "ten": time`.
    pub title: String,
    /// The changed part of the turn, one line each; empty if the change does not show there.
    pub before: String,
    pub after: String,
}

impl Proposed {
    /// Returns a suggestion on `line` of its file, counted from 1, for a dialog of `files`, or of any file.
    pub fn new(line: usize, suggestion: Suggestion, files: Option<Vec<u32>>) -> Self {
        Self::of(line, ProposedChange::Record(Box::new(suggestion)), files)
    }

    /// Returns a conflict on `line` of the list of `file`.
    pub fn conflict(line: usize, conflict: ConflictLine, file: u32) -> Self {
        let change = ProposedChange::Conflict(Box::new(conflict));
        Self::of(line, change, Some(vec![file]))
    }

    /// Returns a segment for a mention of a text in the dialog at `at`.
    pub fn mention(at: DialogId, edit: Edit) -> Self {
        let suggestion = Suggestion {
            file: None,
            dialog: DialogRef::Number(at.dialog as usize),
            dialog_id: None,
            edit: Proposal::Edit(edit),
            on: None,
            origin: Origin::default(),
        };
        let place = ProposalPlace::At(at);
        Self { place, ticked: true, ..Self::new(0, suggestion, Some(vec![at.file])) }
    }

    /// Returns the fix of a problem in the dialog at `at`, with what it does there.
    pub fn fix(at: DialogId, problem: Diagnostic, seen: Result<ProposedEdit, String>) -> Self {
        let is_to_be_made = |fix: &Fix| fix.applicability > Applicability::Display;
        let ticked = seen.is_ok() && problem.fixes.first().is_some_and(is_to_be_made);
        let change = ProposedChange::Fix(Box::new(problem));
        let place = ProposalPlace::At(at);
        Self { place, ticked, seen: Some(seen), ..Self::of(0, change, Some(vec![at.file])) }
    }

    fn of(line: usize, change: ProposedChange, files: Option<Vec<u32>>) -> Self {
        Self {
            line,
            change,
            basis: None,
            files,
            place: ProposalPlace::Unknown,
            decision: Decision::Open,
            ticked: false,
            moved: None,
            seen: None,
            hidden: false,
        }
    }

    pub fn as_conflict(&self) -> Option<&ConflictLine> {
        match &self.change {
            ProposedChange::Conflict(conflict) => Some(conflict),
            _ => None,
        }
    }

    pub fn as_record(&self) -> Option<&Suggestion> {
        match &self.change {
            ProposedChange::Record(record) => Some(record),
            _ => None,
        }
    }

    pub fn as_fix(&self) -> Option<&Diagnostic> {
        match &self.change {
            ProposedChange::Fix(problem) => Some(problem),
            _ => None,
        }
    }

    /// Returns its dialog as its line names it.
    pub fn dialog(&self) -> DialogRef {
        match &self.change {
            ProposedChange::Record(record) => record.dialog.clone(),
            ProposedChange::Conflict(conflict) => match conflict.dialog {
                Some(number) => DialogRef::Number(number),
                None => DialogRef::Id(conflict.dialog_id.clone()),
            },
            ProposedChange::Fix(_) => {
                DialogRef::Number(self.at().map_or(0, |at| at.dialog as usize))
            }
        }
    }

    /// Returns the id of its dialog beside its number.
    pub fn dialog_id(&self) -> Option<&str> {
        let of_conflict = || Some(self.as_conflict()?.dialog_id.as_str());
        let id = self.as_record().map_or_else(of_conflict, |record| record.dialog_id.as_deref());
        id.filter(|id| self.as_record().is_some() || !id.is_empty())
    }

    /// Returns who suggests it, and why.
    pub fn origin(&self) -> Origin {
        self.as_record().map(|record| record.origin.clone()).unwrap_or_default()
    }

    /// Returns the kind of thing that it changes; None if no edit can.
    pub fn about(&self) -> Option<EditKind> {
        match &self.change {
            ProposedChange::Record(record) => Some(match &record.edit {
                Proposal::Edit(edit) => edit.about(),
                Proposal::Quoted(_) => EditKind::Segments,
            }),
            ProposedChange::Conflict(conflict) => conflict.edits.first().map(Edit::about),
            ProposedChange::Fix(problem) => Some(problem.fixes.first()?.edits.first()?.about()),
        }
    }

    /// False if it is a conflict or a problem of a whole dialog, or of something beside the dialogs.
    pub fn is_of_turn(&self) -> bool {
        match &self.change {
            ProposedChange::Record(_) => true,
            ProposedChange::Conflict(conflict) => conflict.turn.is_some(),
            ProposedChange::Fix(problem) => problem.location.turn.is_some(),
        }
    }

    /// Position of its turn.
    pub fn turn(&self) -> usize {
        match (&self.change, &self.seen) {
            (ProposedChange::Fix(problem), _) => problem.location.turn.unwrap_or_default(),
            (_, Some(Ok(seen))) => seen.turn,
            (ProposedChange::Record(record), _) => match &record.edit {
                Proposal::Edit(edit) => edit.turn(),
                Proposal::Quoted(quoted) => quoted.turn(),
            },
            (ProposedChange::Conflict(conflict), _) => conflict.turn.unwrap_or_default(),
        }
    }

    /// Returns the dialog it is for, if that is known.
    pub fn at(&self) -> Option<DialogId> {
        match self.place {
            ProposalPlace::At(at) => Some(at),
            ProposalPlace::Unknown | ProposalPlace::Nowhere(_) => None,
        }
    }

    /// True if nothing is decided about it and nothing is known against it. A conflict can always be decided for ours.
    pub fn is_open(&self) -> bool {
        let fits =
            !matches!(self.place, ProposalPlace::Nowhere(_)) && !matches!(self.seen, Some(Err(_)));
        self.decision == Decision::Open && (fits || self.as_conflict().is_some())
    }

    /// True if it is to be made with the others that are ticked.
    pub fn is_ticked(&self) -> bool {
        self.ticked && self.is_open()
    }
}

impl Review {
    pub fn new(all: Vec<Proposed>) -> Self {
        Self { reviewing: !all.is_empty(), all, ..Self::default() }
    }

    /// Returns the list of the fixes that are being searched for.
    pub fn of_fixes(search: FixSearch) -> Self {
        Self { reviewing: true, placed: true, search: Some(search), ..Self::default() }
    }

    pub fn current(&self) -> Option<&Proposed> {
        self.all.get(self.chosen)
    }

    /// Returns the selected conflict while it is reviewed.
    pub fn conflict(&self) -> Option<&ConflictLine> {
        self.current().filter(|_| self.reviewing)?.as_conflict()
    }

    /// Returns the side that is shown beside the dialog of a conflict.
    pub fn shown(&self) -> Side {
        self.shown.unwrap_or(Side::Theirs)
    }

    /// Counts the proposals that are ticked and open.
    pub fn ticked(&self) -> usize {
        self.all.iter().filter(|one| one.is_ticked()).count()
    }

    /// Counts the proposals with this decision.
    pub fn count(&self, decision: Decision) -> usize {
        let all = self.all.iter();
        all.filter(|one| one.decision == decision).count()
    }

    /// Counts the proposals whose edits were made.
    pub fn made(&self) -> usize {
        self.count(Decision::Taken) + self.count(Decision::Both)
    }

    /// Counts the proposals that are still to be decided.
    pub fn open(&self) -> usize {
        self.all.iter().filter(|one| one.is_open()).count()
    }

    /// Returns the next proposal to decide after the selected one, or else the first.
    pub fn next_open(&self) -> Option<usize> {
        let after = self.chosen + 1..self.all.len();
        let before = 0..(self.chosen + 1).min(self.all.len());
        after.chain(before).find(|&number| self.all[number].is_open())
    }

    /// Position of the first proposal on the screen if it lists `rows` at once.
    pub fn first_listed(&self, rows: usize) -> usize {
        let last = self.all.len().saturating_sub(rows);
        (self.chosen / rows.max(1) * rows).min(last)
    }

    /// Opens those again that were taken and undone since: their edits are not among those `applied` to their dialogs.
    /// Returns the position of the last of them.
    pub fn reopen_undone(&mut self, applied: &HashSet<(DialogId, &Edit)>) -> Option<usize> {
        let mut last = None;
        for (number, one) in self.all.iter_mut().enumerate() {
            let Some(Ok(seen)) = one.seen.as_ref().filter(|_| one.decision.is_made()) else {
                continue;
            };
            let is_applied = |at| seen.edits.iter().all(|edit| applied.contains(&(at, edit)));
            if !seen.made_in.is_some_and(is_applied) {
                // A problem that another fix has removed may be back.
                last = seen.made_in.map(|_| number).or(last);
                (one.decision, one.seen) = (Decision::Open, None);
            }
        }
        last
    }

    /// Drops what is known about the edits in some dialogs, which may have changed.
    pub fn forget(&mut self, may_have_changed: impl Fn(DialogId) -> bool) {
        // One that is taken keeps its description.
        let stale =
            |one: &&mut Proposed| !one.decision.is_made() && one.at().is_none_or(&may_have_changed);
        for one in self.all.iter_mut().filter(stale) {
            one.seen = None;
        }
    }
}
