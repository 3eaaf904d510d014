//! Writes several edits of one dialog into its text together.
//!
//! # Why
//! The cost of an edit grows with its dialog, which is read, changed, and read again to check the result.
//! Edits of different parts share that cost. An edit that depends on another one must wait until the other
//! is in the text.

use std::collections::HashSet;

use crate::dialog::{
    Dialog, Edit, EditContext, EditError, EditKind, EditedPart, EditedParts, Issue, IssueKind,
    LOST_ANSWER, Turn,
};
use crate::format::Format;
use crate::format::engine::edit::{EditedDialog, FileStyle, SlotKinds, not_editable, write_field};
use crate::format::engine::edit_queue::{EditGroup, EditQueue};
use crate::format::engine::explain::explain;
use crate::format::engine::few_votes::VotePlaces;
use crate::format::engine::settle::settle;
use crate::format::engine::shape;
use crate::format::engine::silent::{is_silent, unread_members};
use crate::json::{BatchedPatch, Editor, Escapes, Parser, Patch, Splice, Tree, Value};

/// The outcome of a group.
#[derive(Clone, Debug, PartialEq)]
pub enum EditStatus {
    Applied,
    /// It changes the same part as another group, or follows one that does; apply it to the new text.
    Deferred,
    Refused(EditError),
}

/// An applied edit.
#[derive(Clone, Debug)]
pub struct AppliedEdit {
    /// Index of its group.
    pub group: usize,
    pub edit: usize,
    pub change: BatchedPatch,
    /// Its context, if requested.
    pub on: Option<EditContext>,
}

/// The outcome of several edits.
#[derive(Clone, Debug)]
pub struct EditedBatch {
    pub text: String,
    /// The dialog that the text now contains.
    pub dialog: Dialog,
    /// The number and the outcome of each group that was tried.
    pub status: Vec<(usize, EditStatus)>,
    /// The groups that were deferred because their edits depend on each other: each edit needs the text with
    /// the one before.
    pub dependent: Vec<usize>,
    /// In the order in which they were applied.
    pub applied: Vec<AppliedEdit>,
}

/// Writes those groups of edits in `queue` that can be applied at once into `text`, one dialog, as if one were
/// applied after the other. `family` finds the format of a dialog by its root. `file` is the style of the rest
/// of the file. `is_still` is true if a dialog, given by its root before and after the edits, is recognized as before.
///
/// # Errors
/// If the changed text would not be read as exactly the intended dialog (in formats that are declared, apart from what
/// `settle` allows), would be recognized as another format, or would have more schema violations than before. A call
/// with fewer groups may still succeed.
pub fn edit_all<'f>(
    family: impl FnOnce(Value<'_>) -> &'f dyn Format,
    is_still: impl FnOnce(Value<'_>, Value<'_>) -> bool,
    text: &str,
    file: FileStyle<'_>,
    queue: &mut EditQueue<'_>,
) -> Result<EditedBatch, EditError> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).map_err(|error| not_editable("the dialog", &error))?;
    let format = family(tree.root());
    let (before, issues) = format.read(tree);
    let mut batch = EditBatch::new(format, &tree, before, file, true)?;
    let (mut status, mut dependent) = (Vec::new(), Vec::new());
    while let Some((number, group)) = queue.next_group() {
        if batch.is_dependent(group) {
            dependent.push(number);
            queue.defer(number);
            continue;
        }
        let outcome = batch.take(group);
        match outcome {
            EditStatus::Deferred => queue.defer(number),
            EditStatus::Applied | EditStatus::Refused(_) => queue.settle(number),
        }
        status.push((number, outcome));
    }
    let EditedText { text, mut applied, intended } = batch.written()?;
    for applied in &mut applied {
        applied.group = status[applied.group].0;
    }
    let old_root = tree.root();
    let mut parser = Parser::new();
    let tree = parser
        .parse_piece_str(&text)
        .map_err(|e| EditError::ReadsBackDifferently(e.to_string()))?;
    if !is_still(old_root, tree.root()) {
        let reason = format!("it would no longer be recognized as {}", format.title());
        return Err(EditError::BreaksForm(reason));
    }
    if let Some(lacks) = shape::lacks(format, tree.root()) {
        return Err(EditError::BreaksForm(format!("it would be missing {lacks}")));
    }
    let (dialog, issues_after) = format.read(tree);
    // A member may have a role, such as that of an id where there is none, or be there twice.
    let mut edits = applied.iter().map(|made| &queue.edits(made.group)[made.edit]);
    let loose = edits.find(|edit| {
        matches!(
            edit,
            Edit::SetField { .. }
                | Edit::AddCall { .. }
                | Edit::RemoveCall { .. }
                | Edit::RemoveTurn { .. }
                | Edit::AddTurn { .. }
        )
    });
    let checked = intended.check(&dialog, &issues, &issues_after);
    checked.map_err(|error| match (error, loose) {
        (EditError::ReadsBackDifferently(reason), Some(edit)) => match edit.about() {
            EditKind::Turns => EditError::of_turns(edit, reason),
            about => not_editable(about.name(), &reason),
        },
        (other, _) => other,
    })?;
    Ok(EditedBatch { text, dialog, status, dependent, applied })
}

/// True for edits of more than one turn that is there, such as those that insert and remove turns.
fn changes_dialog(edit: &Edit) -> bool {
    matches!(edit.about(), EditKind::Gold | EditKind::Turns | EditKind::Fields)
}

/// Edits that are not yet in the text.
pub struct EditBatch<'a> {
    format: &'a dyn Format,
    editor: Editor<'a>,
    slots: Option<&'a SlotKinds>,
    /// Whether the context of each edit is noted.
    with_contexts: bool,
    /// The dialog before the current edit, and after it.
    before: Dialog,
    after: Dialog,
    touched: EditedParts,
    splices: Vec<(usize, Splice)>,
    made: Vec<PendingEdit>,
    groups: usize,
    votes: VotePlaces,
    /// The dialog before all edits, for families with a description.
    original: Option<Dialog>,
}

/// An edit whose splices are known.
struct PendingEdit {
    group: usize,
    edit: usize,
    on: Option<EditContext>,
}

/// A text with all edits, and the dialog that it should contain.
pub struct EditedText {
    pub text: String,
    pub applied: Vec<AppliedEdit>,
    pub intended: IntendedDialog,
}

/// The dialog that an edited text should contain.
pub struct IntendedDialog {
    dialog: Dialog,
    /// Each of its turns may be a response by its speaker alone.
    is_chat: bool,
    /// The dialog before all edits, for families with a description.
    original: Option<Dialog>,
}

impl<'a> EditBatch<'a> {
    /// Returns a batch for the dialog that was read from `tree`. `with_contexts` notes the context of each edit,
    /// which takes time in proportion to its turn.
    ///
    /// # Errors
    /// If its turns do not have the form of the family.
    pub fn new(
        format: &'a dyn Format,
        tree: &'a Tree<'a>,
        dialog: Dialog,
        file: FileStyle<'a>,
        with_contexts: bool,
    ) -> Result<Self, EditError> {
        if let Some(lacks) = shape::lacks(format, tree.root()) {
            let reason = format!("it is missing {lacks}");
            return Err(not_editable("the dialog", &reason));
        }
        Ok(Self {
            format,
            editor: Editor::new(tree, file.escapes),
            slots: file.slots,
            with_contexts,
            original: format.description().map(|_| dialog.clone()),
            after: dialog.clone(),
            before: dialog,
            touched: EditedParts::default(),
            splices: Vec::new(),
            made: Vec::new(),
            groups: 0,
            votes: VotePlaces::default(),
        })
    }

    /// True if two edits of a group change the same part, such as an element that the first one adds.
    fn is_dependent(&self, group: EditGroup<'_>) -> bool {
        let (mut parts, mut voters) = (EditedParts::default(), HashSet::new());
        group.edits.len() > 1
            && group.edits.iter().any(|edit| {
                let turn = self.before.turns.get(edit.turn());
                let part = turn.map_or(EditedPart::Turn, |turn| edit.touches(turn));
                let is_free = parts.is_free(edit.turn(), part);
                parts.add(edit.turn(), part);
                let is_same_voter = match edit {
                    Edit::CastVote { turn, annotator, .. } => !voters.insert((turn, annotator)),
                    _ => false,
                };
                !is_free || is_same_voter
            })
    }

    /// Applies a group of edits after the earlier ones.
    pub fn take(&mut self, group: EditGroup<'_>) -> EditStatus {
        let hidden = self.votes.hide(group, &mut self.before, &mut self.after);
        let status = self.take_group(group);
        if let Some(hidden) = hidden {
            self.votes.show(hidden, &mut self.before, &mut self.after);
        }
        status
    }

    fn take_group(&mut self, group: EditGroup<'_>) -> EditStatus {
        let number = self.groups;
        self.groups += 1;
        if let Some(edit) = group.edits.iter().find(|e| !self.format.has().contains(&e.about())) {
            let (family, what) = (self.format.title(), edit.about().name());
            return EditStatus::Refused(EditError::NotInFamily { family, what });
        }
        let part = |edit: &Edit| {
            if edit.about() == EditKind::Gold {
                return Some((edit.turn(), EditedPart::Turn));
            }
            if matches!(edit.about(), EditKind::Turns | EditKind::Fields) {
                return Some((0, EditedPart::Dialog));
            }
            let turn = self.before.turns.get(edit.turn());
            turn.map(|turn| (edit.turn(), edit.touches(turn)))
        };
        let parts: Vec<_> = group.edits.iter().filter_map(part).collect();
        if parts.iter().any(|(turn, part)| !self.touched.is_free(*turn, *part)) {
            // Later edits of the same turns may depend on it.
            for (turn, part) in &parts {
                self.touched.close(*turn, *part);
            }
            return EditStatus::Deferred;
        }
        match self.make_all(number, group) {
            Ok(()) => {
                for (turn, part) in parts {
                    self.touched.add(turn, part);
                }
                EditStatus::Applied
            }
            Err(refused) => EditStatus::Refused(refused),
        }
    }

    /// Applies the edits of a group; if one is refused, nothing changes.
    fn make_all(&mut self, group: usize, wanted: EditGroup<'_>) -> Result<(), EditError> {
        let EditGroup { edits, on } = wanted;
        if let (Some(was), Some(first)) = (on, edits.first()) {
            let now = EditContext::of(first, &self.before);
            if let Some(now) = now.filter(|now| !was.allows(first, now)) {
                return Err(was.refusal(first, &now));
            }
        }
        let (splices, made) = (self.splices.len(), self.made.len());
        // A single refused edit changes nothing anyway.
        let several = edits.len() > 1;
        let whole = several && edits.iter().any(changes_dialog);
        let whole = whole.then(|| self.before.clone());
        let saved = |edit: &Edit| Some((edit.turn(), self.before.turns.get(edit.turn())?.clone()));
        let saved: Vec<(usize, Turn)> =
            if several { edits.iter().filter_map(saved).collect() } else { Vec::new() };
        for (number, edit) in edits.iter().enumerate() {
            if let Err(refused) = self.make(group, number, edit) {
                self.splices.truncate(splices);
                self.made.truncate(made);
                if let Some(was) = whole {
                    self.after.clone_from(&was);
                    self.before = was;
                    return Err(refused);
                }
                for (turn, was) in saved {
                    self.after.turns[turn].clone_from(&was);
                    self.before.turns[turn] = was;
                }
                return Err(refused);
            }
        }
        Ok(())
    }

    fn make(&mut self, group: usize, number: usize, edit: &Edit) -> Result<(), EditError> {
        let on = self.with_contexts.then(|| EditContext::of(edit, &self.before));
        if let (Edit::SetText { .. }, Some(turn)) = (edit, self.before.turns.get(edit.turn()))
            && is_silent(self.format, *self.editor.tree(), turn)
        {
            let reason = format!("it is in members that are not read: {}", unread_members(turn));
            return Err(not_editable("the text", &reason));
        }
        self.format.apply(edit, &mut self.after)?;
        // A value in a JSON string is written as a change of the string.
        let own = self.before.turns.get(edit.turn());
        let in_string = own.and_then(|turn| edit.in_string(turn).ok().flatten());
        let edited = EditedDialog {
            edit: in_string.as_ref().unwrap_or(edit),
            before: &self.before,
            after: &self.after,
            slots: self.slots,
        };
        let written = match edit {
            Edit::SetField { name, text } => write_field(&self.editor, &self.before, name, text),
            _ if edit.about() == EditKind::Turns => {
                let written = self.format.write_turns(&self.editor, &edited);
                written.map_err(|refused| match refused {
                    EditError::NotEditable { reason, .. } => EditError::of_turns(edit, reason),
                    other => other,
                })
            }
            _ => self.format.write(&self.editor, &edited),
        };
        let (turn, place) = (edit.turn(), self.made.len());
        let splices = written.inspect_err(|_| {
            if changes_dialog(edit) {
                self.after.clone_from(&self.before);
            } else {
                self.after.turns[turn].clone_from(&self.before.turns[turn]);
            }
        })?;
        self.splices.extend(splices.into_iter().map(|splice| (place, splice)));
        self.made.push(PendingEdit { group, edit: number, on: on.flatten() });
        if edit.about() == EditKind::Turns
            && let Some(original) = &mut self.original
        {
            // Its turns are compared with those of the result.
            edit.apply_to(original)?;
        }
        // It fitted `after`, so it fits here.
        self.format.apply(edit, &mut self.before)
    }

    /// Returns the text with all edits.
    ///
    /// # Errors
    /// If two edits change the same bytes.
    pub fn written(self) -> Result<EditedText, EditError> {
        let text = self.editor.tree().text();
        let splices = self.editor.joined(self.splices);
        let several = Patch::several(text, splices, self.made.len());
        let (all, each) = several.map_err(|error| not_editable("this", &error))?;
        let applied = self.made.into_iter().zip(each);
        let applied = applied.map(|(PendingEdit { group, edit, on }, change)| AppliedEdit {
            group,
            edit,
            change,
            on,
        });
        Ok(EditedText {
            text: all.apply(text),
            applied: applied.collect(),
            intended: IntendedDialog {
                dialog: self.after,
                is_chat: self.format.chat().is_some(),
                original: self.original,
            },
        })
    }
}

impl IntendedDialog {
    /// Compares the dialog that was read from the edited text, and the issues before and after, with this
    /// one.
    ///
    /// # Errors
    /// If the dialog differs in more than `settle` allows, or has more schema violations.
    pub fn check(&self, read: &Dialog, before: &[Issue], after: &[Issue]) -> Result<(), EditError> {
        if *read != self.dialog {
            let mut intended = self.dialog.clone();
            if let Some(original) = &self.original {
                settle(&mut intended, read, original);
            }
            if intended != *read {
                return Err(explain(&intended, read, self.original.as_ref()));
            }
        }
        let is_lost = |turn: &Turn| turn.unread.has(LOST_ANSWER);
        let mut turns = read.turns.iter().zip(&self.dialog.turns);
        let lost = turns.position(|(found, meant)| is_lost(found) && !is_lost(meant));
        if let Some(turn) = lost.filter(|_| self.is_chat) {
            let reason = format!("turn {turn} would be the response of no call");
            return Err(EditError::ReadsBackDifferently(reason));
        }
        if after.len() > before.len() {
            let what = |issue: &'_ Issue| (issue.turn, issue.problem.clone());
            let known: HashSet<(Option<usize>, IssueKind)> = before.iter().map(what).collect();
            if let Some(new) = after.iter().find(|issue| !known.contains(&what(issue))) {
                return Err(EditError::BreaksForm(new.problem.to_string()));
            }
        }
        Ok(())
    }
}

/// The outcome of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct EditOutcome {
    /// The change to the old text.
    pub patch: Patch,
    /// The new text.
    pub text: String,
    /// The dialog in the new text.
    pub dialog: Dialog,
    /// The context of the edit.
    pub on: Option<EditContext>,
}

/// Applies `edit` to `text`, one dialog of the family `format`. `file` is the style of escapes in the
/// rest of the file.
///
/// # Errors
/// If the edit does not fit the dialog, or the changed text would not be read as exactly the intended
/// dialog, or would have more schema violations than before.
pub fn edit(
    format: &dyn Format,
    text: &str,
    file: Escapes,
    edit: &Edit,
) -> Result<EditOutcome, EditError> {
    let group = EditGroup { edits: std::slice::from_ref(edit), on: None };
    let groups = [group];
    let mut edited =
        edit_all(|_| format, |_, _| true, text, file.into(), &mut EditQueue::new(&groups))?;
    match (edited.applied.pop(), edited.status.pop()) {
        (Some(AppliedEdit { change, on, .. }), _) => {
            Ok(EditOutcome { patch: change.patch, text: edited.text, dialog: edited.dialog, on })
        }
        (None, Some((_, EditStatus::Refused(refused)))) => Err(refused),
        (None, _) => Err(not_editable("this", &"it was not applied")),
    }
}
