//! Writes several edits of one dialog into its text together.
//!
//! # Why
//! The cost of an edit grows with its dialog, which is read, changed, and read again to check the result. Edits that are
//! made together share that cost: each changes the model, and the text gets what differs in the end.

use std::collections::{BTreeSet, HashSet};

use crate::dialog::{
    Dialog, Edit, EditContext, EditError, EditKind, Extent, Issue, IssueKind, LOST_ANSWER, Turn,
};
use crate::format::Family;
use crate::format::declared::Ways;
use crate::format::engine::edit::{EditedDialog, FileStyle, SlotKinds, not_editable};
use crate::format::engine::explain::{explain, unwritten};
use crate::format::engine::settle::settle;
use crate::format::engine::shape;
use crate::format::engine::silent::{is_silent, unread_members};
use crate::format::families::chat::answered_call;
use crate::json::{Editor, Escapes, Parser, Patch, Tree, Value};

/// Edits that are applied all or none, each to the result of the one before.
#[derive(Clone, Copy, Debug)]
pub struct EditGroup<'e> {
    pub edits: &'e [Edit],
    /// The context of the first edit, if the group is to be refused once that has changed.
    pub on: Option<&'e EditContext>,
}

/// An edit that changed the dialog.
#[derive(Clone, Debug)]
pub struct AppliedEdit {
    /// The number of its group, and its own in the group.
    pub group: usize,
    pub edit: usize,
    /// The context in which it was made.
    pub on: Option<EditContext>,
}

/// The outcome of several edits.
#[derive(Clone, Debug)]
pub struct EditedBatch {
    pub text: String,
    /// The dialog that the text now contains.
    pub dialog: Dialog,
    /// For each group, why it is refused if it is. Those that are missing cannot be written with these.
    pub results: Vec<Result<(), EditError>>,
    /// In the order in which they were made.
    pub applied: Vec<AppliedEdit>,
    /// The change of the text by all of them.
    pub patch: Patch,
}

/// Makes `groups` of edits in `text`, one dialog, one after the other. `family` finds the format of a dialog by its root.
/// `file` is the style of the rest of the file. `is_still` is true if a dialog, given by its root before and after the
/// edits, is recognized as before.
///
/// # Errors
/// If the changed text would not be read as exactly the intended dialog (in formats that are declared, apart from what
/// `settle` allows), would be recognized as another format, or would have more schema violations than before. A call
/// with fewer groups may still succeed.
pub fn edit_all(
    family: impl FnOnce(Value<'_>) -> &'static Family,
    is_still: impl FnOnce(Value<'_>, Value<'_>) -> bool,
    text: &str,
    file: FileStyle<'_>,
    groups: &[EditGroup<'_>],
) -> Result<EditedBatch, EditError> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).map_err(|error| not_editable("the dialog", &error))?;
    let format = family(tree.root());
    let (before, issues) = format.read(tree);
    let mut batch = EditBatch::new(format, &tree, before, file)?;
    let mut results = Vec::with_capacity(groups.len());
    for group in groups {
        let result = batch.take(*group);
        if batch.is_full {
            break;
        }
        results.push(result);
    }
    let mut edits = groups[..results.len()].iter().flat_map(|group| group.edits);
    let only = edits.next().filter(|_| edits.next().is_none());
    let written = batch.written();
    let EditedText { text, patch, applied, intended } =
        written.map_err(|error| named(error, only, &batch.before))?;
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
    let mut edits = applied.iter().map(|made| &groups[made.group].edits[made.edit]);
    let of_turns = edits.find(|edit| edit.about() == EditKind::Turns);
    let checked = intended.check(&dialog, &issues, &issues_after);
    checked.map_err(|error| match (error, of_turns) {
        (EditError::ReadsBackDifferently(reason), Some(edit)) => EditError::of_turns(edit, reason),
        (other, _) => other,
    })?;
    Ok(EditedBatch { text, dialog, results, applied, patch })
}

/// Returns why the only edit of a batch is refused, in words about that edit.
fn named(error: EditError, only: Option<&Edit>, before: &Dialog) -> EditError {
    let Some(edit) = only else {
        return error;
    };
    let is_text = edit.about() == EditKind::Text;
    let asked = is_text.then(|| answered_call(&before.turns, edit.turn())).flatten();
    match (error, asked) {
        (EditError::NotEditable { reason, .. }, _) if edit.about() == EditKind::Turns => {
            EditError::of_turns(edit, reason)
        }
        (EditError::NoPlace { part, .. }, Some((asked, _))) => {
            let why = format!("it is the result of a call in turn {asked}; edit it there");
            EditError::NoPlace { part, why }
        }
        (other, _) => other,
    }
}

/// True for edits of more than one turn that is there, such as those that insert and remove turns.
fn changes_dialog(edit: &Edit) -> bool {
    matches!(edit.about(), EditKind::Gold | EditKind::Turns | EditKind::Fields | EditKind::Speaker)
        || matches!(edit, Edit::AddCall { .. } | Edit::RemoveCall { .. })
}

/// True for an edit of a turn that is not yet in the text, or of one of its elements by a number which the reader may give to
/// another one, because some are not yet there.
fn is_uncertain(edit: &Edit, turn: &Turn) -> bool {
    let is_new = |at: Extent| !at.is_placed();
    let counts =
        !matches!(edit, Edit::AddSegment { .. } | Edit::AddAct { .. } | Edit::AddCall { .. });
    match edit.about() {
        EditKind::Turns => false,
        _ if is_new(turn.at) => true,
        EditKind::Segments => counts && turn.segments.iter().any(|segment| is_new(segment.at)),
        EditKind::Acts => counts && turn.acts.iter().any(|act| is_new(act.at)),
        EditKind::Calls => counts && turn.calls.iter().any(|call| is_new(call.at)),
        _ => false,
    }
}

/// Edits that are not yet in the text.
pub struct EditBatch<'a> {
    format: &'static Family,
    editor: Editor<'a>,
    slots: Option<&'a SlotKinds>,
    /// The dialog in the text, and with the edits.
    before: Dialog,
    after: Dialog,
    /// The dialog in the text with the turns that edits add and remove, if some do.
    moved: Option<Dialog>,
    /// The turns that differ; None if the dialog may differ elsewhere.
    turns: Option<BTreeSet<usize>>,
    applied: Vec<AppliedEdit>,
    /// The number of groups that were tried.
    groups: usize,
    /// An edit cannot be made with those before it; it may fit their result.
    pub is_full: bool,
}

/// A text with all edits, and the dialog that it should contain.
pub struct EditedText {
    pub text: String,
    /// The change of the text.
    pub patch: Patch,
    pub applied: Vec<AppliedEdit>,
    pub intended: IntendedDialog,
}

/// The dialog that an edited text should contain.
pub struct IntendedDialog {
    dialog: Dialog,
    /// Each of its turns may be a response by its speaker alone.
    is_chat: bool,
    /// The dialog before the edits, with the turns that they add and remove.
    original: Dialog,
    /// The first bytes of the turns in the text before the edits.
    starts: Vec<u32>,
}

impl<'a> EditBatch<'a> {
    /// Returns a batch for the dialog that was read from `tree`.
    ///
    /// # Errors
    /// If its turns do not have the form of the family.
    pub fn new(
        format: &'static Family,
        tree: &'a Tree<'a>,
        dialog: Dialog,
        file: FileStyle<'a>,
    ) -> Result<Self, EditError> {
        if let Some(lacks) = shape::lacks(format, tree.root()) {
            let reason = format!("it is missing {lacks}");
            return Err(not_editable("the dialog", &reason));
        }
        Ok(Self {
            format,
            editor: Editor::new(tree, file.escapes),
            slots: file.slots,
            after: dialog.clone(),
            before: dialog,
            moved: None,
            turns: Some(BTreeSet::new()),
            applied: Vec::new(),
            groups: 0,
            is_full: false,
        })
    }

    /// Applies a group of edits to the dialog, after the earlier ones.
    ///
    /// # Errors
    /// If one does not fit; nothing has changed then.
    pub fn take(&mut self, group: EditGroup<'_>) -> Result<(), EditError> {
        let number = self.groups;
        self.groups += 1;
        if let Some(edit) = group.edits.iter().find(|e| !self.format.has().contains(&e.about())) {
            let (family, what) = (self.format.title(), edit.about().name());
            return Err(EditError::NotInFamily { family, what });
        }
        if let (Some(was), Some(first)) = (group.on, group.edits.first()) {
            let now = EditContext::of(first, &self.after);
            if let Some(now) = now.filter(|now| !was.allows(first, now)) {
                return Err(was.refusal(first, &now));
            }
        }
        // A single edit that is refused changes nothing.
        let several = group.edits.len() > 1;
        let state = several.then(|| (self.after.clone(), self.moved.clone(), self.turns.clone()));
        let made = self.applied.len();
        for (position, edit) in group.edits.iter().enumerate() {
            if let Err(refused) = self.make((number, position), edit) {
                if let Some(state) = state {
                    (self.after, self.moved, self.turns) = state;
                }
                self.applied.truncate(made);
                return Err(refused);
            }
        }
        Ok(())
    }

    /// Makes an edit, given by the numbers of its group and of itself.
    fn make(&mut self, (group, number): (usize, usize), edit: &Edit) -> Result<(), EditError> {
        let on = EditContext::of(edit, &self.after);
        let turn = self.after.turns.get(edit.turn());
        if !self.applied.is_empty() && turn.is_some_and(|turn| is_uncertain(edit, turn)) {
            self.is_full = true;
            return Err(not_editable("this", &"it is not yet in the text"));
        }
        if let (Edit::SetText { .. }, Some(turn)) = (edit, turn)
            && is_silent(self.format, *self.editor.tree(), turn)
        {
            let reason =
                format!("turnwise does not read the fields that hold it: {}", unread_members(turn));
            return Err(not_editable("the text", &reason));
        }
        let whole = changes_dialog(edit).then(|| self.after.clone());
        let turn = turn.filter(|_| whole.is_none()).cloned();
        self.format.apply(edit, &mut self.after)?;
        let is_same = match (&whole, &turn) {
            (Some(was), _) => *was == self.after,
            (None, Some(was)) => *was == self.after.turns[edit.turn()],
            (None, None) => true,
        };
        if is_same {
            return Ok(());
        }
        self.turns = self.turns.take().filter(|_| whole.is_none());
        if let Some(turns) = &mut self.turns {
            turns.insert(edit.turn());
        }
        if edit.about() == EditKind::Turns {
            // Its turns are compared with those of the result.
            edit.apply_to(self.moved.get_or_insert_with(|| self.before.clone()))?;
        }
        self.applied.push(AppliedEdit { group, edit: number, on });
        Ok(())
    }

    /// Returns the change of the text by all edits.
    ///
    /// # Errors
    /// If something that differs has no place in the text.
    pub fn patch(&self) -> Result<Patch, EditError> {
        let ways = Ways::default();
        let of_turn = |turn: Option<usize>| {
            let (before, after) = (&self.before, &self.after);
            let edited = EditedDialog { before, after, turn, slots: self.slots };
            self.format.write(&self.editor, &edited, &ways)
        };
        let splices: Vec<_> = match &self.turns {
            None => of_turn(None)?,
            Some(turns) => {
                let of_turns: Result<Vec<_>, _> =
                    turns.iter().map(|turn| of_turn(Some(*turn))).collect();
                of_turns?.into_iter().flatten().collect()
            }
        };
        let patch = self.editor.patch(splices).map_err(|error| not_editable("this", &error))?;
        let is_unwritten = patch.splices().is_empty() && self.before != self.after;
        if is_unwritten {
            let number = self.turns.iter().flatten().next().copied();
            let number = number.or_else(|| first_difference(&self.before, &self.after));
            let turns =
                [&self.before, &self.after].map(|of| number.and_then(|at| of.turns.get(at)));
            let [was, now] = turns;
            return Err(unwritten(was.zip(now), number.unwrap_or_default()));
        }
        Ok(patch)
    }

    /// Returns the text with all edits.
    ///
    /// # Errors
    /// If something that differs has no place in the text.
    pub fn written(&mut self) -> Result<EditedText, EditError> {
        let patch = self.patch()?;
        let text = patch.apply(self.editor.tree().text());
        let starts = self.before.turns.iter().map(|turn| turn.at.start).collect();
        let original = self.moved.take().unwrap_or_else(|| self.before.clone());
        let is_chat = self.format.chat().is_some();
        let dialog = std::mem::take(&mut self.after);
        let intended = IntendedDialog { dialog, is_chat, original, starts };
        Ok(EditedText { text, patch, applied: std::mem::take(&mut self.applied), intended })
    }
}

/// Returns the first turn that differs.
fn first_difference(one: &Dialog, other: &Dialog) -> Option<usize> {
    one.turns.iter().zip(&other.turns).position(|(one, other)| one != other)
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
            settle(&mut intended, read, &self.original);
            if intended != *read {
                return Err(explain(&intended, read, &self.original, &self.starts));
            }
        }
        let is_lost = |turn: &Turn| turn.unread.has(LOST_ANSWER);
        let mut turns = read.turns.iter().zip(&self.dialog.turns);
        let lost = turns.position(|(found, meant)| is_lost(found) && !is_lost(meant));
        if let Some(turn) = lost.filter(|_| self.is_chat) {
            let reason = format!("turn {turn} would be a result without a call");
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

/// Applies `edit` to `text`, one dialog of the family `format`. `file` is the style of escapes in the
/// rest of the file.
///
/// # Errors
/// If the edit does not fit the dialog, or the changed text would not be read as exactly the intended
/// dialog, or would have more schema violations than before.
pub fn edit(
    format: &'static Family,
    text: &str,
    file: Escapes,
    edit: &Edit,
) -> Result<EditedBatch, EditError> {
    let group = EditGroup { edits: std::slice::from_ref(edit), on: None };
    let mut edited = edit_all(|_| format, |_, _| true, text, file.into(), &[group])?;
    std::mem::take(&mut edited.results).into_iter().collect::<Result<(), _>>()?;
    Ok(edited)
}
