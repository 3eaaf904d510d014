//! Writes several edits of one dialog into its text together.
//!
//! # Why
//! The cost of an edit grows with its dialog, which is read, changed, and read again to check the result. Edits that are
//! made together share that cost: each changes the model, and the text gets what differs in the end.

use std::collections::{BTreeMap, HashSet};

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
use crate::json::{Editor, Escapes, Parser, Patch, Splice, Tree, Value};

/// Edits that are applied all or none, each to the result of the one before.
#[derive(Clone, Copy, Debug)]
pub struct EditGroup<'e> {
    pub edits: &'e [Edit],
    /// The context of the first edit, if the group is to be refused once that has changed.
    pub on: Option<&'e EditContext>,
}

/// An edit that was made.
#[derive(Clone, Debug)]
pub struct AppliedEdit {
    /// The number of its group, and its own in the group.
    pub group: usize,
    pub edit: usize,
    /// The change of the text with the edits before it, and its inverse.
    pub patch: Patch,
    pub inverse: Patch,
    /// The context in which it was made.
    pub on: Option<EditContext>,
}

/// The outcome of several edits.
#[derive(Clone, Debug)]
pub struct EditedBatch {
    pub text: String,
    /// The dialog that the text now contains.
    pub dialog: Dialog,
    /// For each group, why it is refused if it is. Those that are missing cannot be written with these, or the first of them
    /// not at once.
    pub results: Vec<Result<(), EditError>>,
    /// In the order in which they were made.
    pub applied: Vec<AppliedEdit>,
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
    let mut batch = EditBatch::new(format, &tree, before, file)?.with_steps();
    let mut results = Vec::with_capacity(groups.len());
    for group in groups {
        let result = batch.take(*group);
        if batch.is_full {
            break;
        }
        results.push(result);
    }
    let EditedText { text, applied, intended } = batch.written()?;
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
    Ok(EditedBatch { text, dialog, results, applied })
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
    ways: Ways<'a>,
    slots: Option<&'a SlotKinds>,
    /// The dialog in the text, and with the edits.
    before: Dialog,
    after: Dialog,
    /// The dialog in the text with the turns that edits add and remove, if some do.
    moved: Option<Dialog>,
    written: Written,
    /// Some edit is in `written`.
    has_written: bool,
    steps: Option<Steps>,
    /// The number of groups that were tried.
    groups: usize,
    /// An edit cannot be written with those before it; it may fit their result.
    pub is_full: bool,
}

/// The splices that write the edits.
#[derive(Clone, Default)]
struct Written {
    /// Those of each turn that has changed; if `is_whole`, those of the whole dialog, as if it were its first turn.
    of_turns: BTreeMap<usize, Vec<Splice>>,
    is_whole: bool,
}

/// The edits that were made, with the patch of each.
#[derive(Clone, Default)]
struct Steps {
    made: Vec<AppliedEdit>,
    /// The change of the text by all of them.
    all: Patch,
    /// Two edits change the same bytes.
    overlap: Option<EditError>,
}

/// A text with all edits, and the dialog that it should contain.
pub struct EditedText {
    pub text: String,
    /// Empty unless steps were asked for.
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
            ways: Ways::default(),
            slots: file.slots,
            after: dialog.clone(),
            before: dialog,
            moved: None,
            written: Written::default(),
            has_written: false,
            steps: None,
            groups: 0,
            is_full: false,
        })
    }

    /// The same, with the patch and the context of each edit, which take time in proportion to all that has changed.
    #[must_use]
    pub fn with_steps(mut self) -> Self {
        self.steps = Some(Steps::default());
        self
    }

    /// Applies a group of edits after the earlier ones.
    ///
    /// # Errors
    /// If one is refused; nothing has changed then.
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
        let has_written = self.has_written;
        // A single edit that is refused changes nothing.
        let several = group.edits.len() > 1;
        let state = |batch: &Self| {
            let dialogs = (batch.after.clone(), batch.moved.clone());
            (dialogs, batch.written.clone(), batch.steps.clone())
        };
        let state = several.then(|| state(self));
        for (position, edit) in group.edits.iter().enumerate() {
            if let Err(refused) = self.make((number, position), edit) {
                if let Some(((after, moved), written, steps)) = state {
                    (self.after, self.moved) = (after, moved);
                    (self.written, self.steps) = (written, steps);
                }
                self.has_written = has_written;
                return Err(refused);
            }
        }
        Ok(())
    }

    /// Makes an edit, given by the numbers of its group and of itself.
    fn make(&mut self, (group, number): (usize, usize), edit: &Edit) -> Result<(), EditError> {
        let on = self.steps.is_some().then(|| EditContext::of(edit, &self.after)).flatten();
        let turn = self.after.turns.get(edit.turn());
        if self.has_written && turn.is_some_and(|turn| is_uncertain(edit, turn)) {
            self.is_full = true;
            return Err(not_editable("this", &"it is not yet in the text"));
        }
        if let (Edit::SetText { .. }, Some(turn)) = (edit, turn)
            && is_silent(self.format, *self.editor.tree(), turn)
        {
            let reason = format!("it is in members that are not read: {}", unread_members(turn));
            return Err(not_editable("the text", &reason));
        }
        let whole = changes_dialog(edit).then(|| self.after.clone());
        let turn = turn.cloned();
        self.format.apply(edit, &mut self.after)?;
        let is_same = |batch: &Self| match (&whole, &turn) {
            (Some(was), _) => *was == batch.after,
            (None, Some(was)) => *was == batch.after.turns[edit.turn()],
            (None, None) => true,
        };
        let written = match self.write(edit) {
            Ok(false) if !is_same(self) => {
                let now = self.after.turns.get(edit.turn());
                Err(unwritten(turn.as_ref().zip(now), edit.turn()))
            }
            written => written,
        };
        if let Err(refused) = written {
            self.is_full = self.has_written;
            match (whole, turn) {
                (Some(was), _) => self.after = was,
                (None, Some(was)) => self.after.turns[edit.turn()] = was,
                (None, None) => {}
            }
            let is_text = edit.about() == EditKind::Text;
            let asked = is_text.then(|| answered_call(&self.after.turns, edit.turn())).flatten();
            return Err(match (refused, asked) {
                (EditError::NotEditable { reason, .. }, _) if edit.about() == EditKind::Turns => {
                    EditError::of_turns(edit, reason)
                }
                (EditError::NoPlace { part, .. }, Some((asked, _))) => {
                    let why =
                        format!("it is the response of a call in turn {asked}; edit it there");
                    EditError::NoPlace { part, why }
                }
                (other, _) => other,
            });
        }
        self.has_written = true;
        if edit.about() == EditKind::Turns {
            // Its turns are compared with those of the result.
            edit.apply_to(self.moved.get_or_insert_with(|| self.before.clone()))?;
        }
        if let Some(mut steps) = self.steps.take() {
            match self.patch() {
                Ok(all) => {
                    let [patch, inverse] =
                        Patch::between(self.editor.tree().text(), &steps.all, &all);
                    steps.made.push(AppliedEdit { group, edit: number, patch, inverse, on });
                    steps.all = all;
                }
                Err(overlap) => steps.overlap = Some(overlap),
            }
            self.steps = Some(steps);
        }
        Ok(())
    }

    /// Writes what an edit has changed. Returns whether the text is another one by it.
    fn write(&mut self, edit: &Edit) -> Result<bool, EditError> {
        let is_whole = self.written.is_whole || changes_dialog(edit);
        let turn = (!is_whole).then(|| edit.turn());
        let edited =
            EditedDialog { before: &self.before, after: &self.after, turn, slots: self.slots };
        let splices = self.format.write(&self.editor, &edited, &self.ways)?;
        // No other turn changes the same lists.
        let new = self.patched(splices)?.splices().to_vec();
        if is_whole {
            let all = std::mem::take(&mut self.written.of_turns).into_values();
            let old: Vec<_> = all.flatten().collect();
            self.written = Written { of_turns: BTreeMap::from([(0, old)]), is_whole };
        }
        let old = self.written.of_turns.insert(turn.unwrap_or(0), new.clone());
        Ok(old.unwrap_or_default() != new)
    }

    /// Returns the change of the text by all edits.
    ///
    /// # Errors
    /// If two of them change the same bytes.
    pub fn patch(&self) -> Result<Patch, EditError> {
        self.patched(self.written.of_turns.values().flatten().cloned().collect())
    }

    fn patched(&self, splices: Vec<Splice>) -> Result<Patch, EditError> {
        self.editor.patch(splices).map_err(|error| not_editable("this", &error))
    }

    /// Returns the text with all edits.
    ///
    /// # Errors
    /// If two edits change the same bytes.
    pub fn written(self) -> Result<EditedText, EditError> {
        let text = self.patch()?.apply(self.editor.tree().text());
        let Steps { made, overlap, .. } = self.steps.unwrap_or_default();
        if let Some(overlap) = overlap {
            return Err(overlap);
        }
        let starts = self.before.turns.iter().map(|turn| turn.at.start).collect();
        let original = self.moved.unwrap_or(self.before);
        let is_chat = self.format.chat().is_some();
        let intended = IntendedDialog { dialog: self.after, is_chat, original, starts };
        Ok(EditedText { text, applied: made, intended })
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
            settle(&mut intended, read, &self.original);
            if intended != *read {
                return Err(explain(&intended, read, &self.original, &self.starts));
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
    format: &'static Family,
    text: &str,
    file: Escapes,
    edit: &Edit,
) -> Result<EditOutcome, EditError> {
    let group = EditGroup { edits: std::slice::from_ref(edit), on: None };
    let EditedBatch { text, dialog, results, mut applied } =
        edit_all(|_| format, |_, _| true, text, file.into(), &[group])?;
    results.into_iter().collect::<Result<(), _>>()?;
    let (patch, on) = applied.pop().map(|made| (made.patch, made.on)).unwrap_or_default();
    Ok(EditOutcome { patch, text, dialog, on })
}
