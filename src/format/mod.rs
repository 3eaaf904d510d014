//! The dataset families and their ways of writing dialogs in JSON.
//!
//! A family is one file with one type that implements [`Format`], and one line in [`FORMATS`], or a
//! description in TOML, bundled or written by the user: see [`declared`] and [`Formats`]. It is recognized
//! by the shape of its dialogs, never by a file's name. Reading accepts bad data and reports its issues;
//! writing translates an edit into splices of the dialog's text. A family in Rust with a description of what is edited
//! ([`Format::description`]) is written as declared ones are, with hooks for what no description can say.
//!
//! This layer knows JSON and dialogs. It does not know which file a text is from.

mod answers;
pub mod declared;
pub mod embedded;
mod engine;
mod families;
mod media;
mod ontology_form;
mod registry;
mod texts;

pub use declared::BEFORE_BRANCH;
pub use engine::batch::{
    AppliedEdit, EditBatch, EditGroup, EditOutcome, EditedBatch, EditedText, edit, edit_all,
};
pub use engine::edit::{EditedDialog, FileStyle, SlotKinds};
pub use engine::shape::Sign;
pub use families::chat::{ChatForm, ChatRole, answer_place, answered_call, answering};
pub use families::dataset_info;
pub use families::dbdc_log::{
    CALLS_DIGEST, JUDGEMENTS_END, LOG_END, gold_name, is_log_stem, judgements_name, log_name,
    log_name_apart, log_speaker, log_text,
};
pub use families::gold::{GOLD_FOLDER, LABELS_END, gold_text};
pub use families::message_parts::LOST_FIELD;
pub use families::messages::{JOINED_TO_ID, call_id, is_empty_run};
pub use media::{media_lines, other_unread};
pub use ontology_form::{OntologyForm, state_slot};
pub use registry::detect::{FamilyHint, UnknownFamily, detect};
pub use registry::file_format::FileFormat;
pub use registry::formats::{FORMATS, Formats, all, bundled, descriptions, named};
pub use texts::reasoning::REASONING_FIELD;
pub use texts::tags::{tools_in_text, without_calls};

use crate::dialog::{Dialog, Edit, EditError, EditKind, Issue, IssueKind, Turn};
use crate::json::{Editor, Splice, Tree, Value};
use engine::read::extent;
use engine::silent::silent_turns;

/// One family of datasets.
pub trait Format: Sync {
    /// Short and stable, for flags and machine-readable output.
    fn name(&self) -> &'static str;

    /// Other names that people give it.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the name that its authors use.
    fn title(&self) -> &'static str;

    /// Returns the contents of its dialogs, in one line.
    fn holds(&self) -> &'static str;

    /// True if other files may be next to a file of this family and belong to it.
    fn has_companions(&self) -> bool {
        false
    }

    /// True if a file of this family only adds to the dialogs of another file and is not read by itself.
    fn is_companion(&self) -> bool {
        false
    }

    /// True if the lines of a file, or the elements of its array, are turns of its dialogs.
    fn lines_are_turns(&self) -> bool {
        false
    }

    /// True if its dialogs are sessions of an agent that calls tools. Such dialogs do not follow the rules on dialogs
    /// about tasks.
    fn is_session(&self) -> bool {
        self.chat().is_some()
    }

    /// Returns the member of a dialog that holds its id; empty if the id is elsewhere.
    fn id_key(&self) -> &'static str;

    /// False if dialogs without an id are as good as others.
    fn needs_id(&self) -> bool {
        true
    }

    /// Returns the names of roles and members, if its dialogs are chats with roles and tool calls. Such dialogs
    /// follow the rules on chats.
    fn chat(&self) -> Option<&'static ChatForm> {
        None
    }

    /// JSON Schema (draft 2020-12) of one dialog. A dialog validates if, and only if, `read` finds
    /// no issue.
    fn schema(&self) -> &'static str;

    /// Returns the elements that every dialog of this family has besides its id. A dialog that lacks one of them is
    /// never edited, even if the rest of its file is of this family.
    fn signs(&self, root: Value<'_>) -> Vec<Sign>;

    /// True if a dialog with all its signs has a turn. An empty list may be that of another format.
    fn has_turns(&self, _: Value<'_>) -> bool {
        true
    }

    /// Returns the signs that distinguish it from families with the same id key and signs. Single dialogs of a
    /// file may lack them.
    fn own_signs(&self, _: Value<'_>) -> Vec<Sign> {
        Vec::new()
    }

    /// True if a slot once in the dialogue state stays there.
    fn keeps_state(&self) -> bool {
        true
    }

    /// True if the values of acts and states are words of the dialog, not normalised.
    fn has_literal_values(&self) -> bool {
        true
    }

    /// True if speakers with this name are neither the user nor the system, and may be there.
    fn may_speak(&self, _name: &str) -> bool {
        false
    }

    /// Returns the declarations of APIs in a dialog: objects with a name and a JSON Schema of the arguments. Empty if
    /// the dialog has none, and for chats, whose declarations are at their [`ChatForm::tools_key`].
    fn api_declarations<'t>(&self, root: Value<'t>) -> Vec<Value<'t>> {
        let _ = root;
        Vec::new()
    }

    /// Returns the description that it was made from, if it was.
    fn declared(&self) -> Option<&'static declared::Declared> {
        None
    }

    /// Returns the description that its dialogs are written by, if it has one.
    fn description(&self) -> Option<&'static declared::Description> {
        None
    }

    /// Returns the dialog in `tree`, and its schema violations; see [`read`](#method.read) of all formats.
    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>);

    /// False if the element of a turn has none of the members that may hold its text.
    fn has_text(&self, _turn: Value<'_>) -> bool {
        true
    }

    /// Returns the other side of the dialog in `tree`, with its schema violations, if the dialog is a pair.
    fn other_side(&self, _tree: Tree<'_>) -> Option<(Dialog, Vec<Issue>)> {
        None
    }

    /// Returns the kinds of elements that its dialogs have and that can be edited.
    fn has(&self) -> &'static [EditKind];

    /// Completes an edited or new turn with what the form of the family decides, such as the role of a speaker and the
    /// calls in a text. `before` is the turn before the edit; empty for a new one. `turn` is None if it was removed.
    fn follow(&self, before: &Turn, after: &mut Dialog, turn: Option<usize>) {
        let _ = (before, after, turn);
    }

    /// Completes the dialog after an edit with what the form of the family decides: the role of a new speaker.
    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        let _ = (edit, after);
    }

    /// Returns the splices that add or remove a turn.
    ///
    /// # Errors
    /// If the dialog refers to turns in a way that cannot follow.
    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        let _ = (editor, edited);
        let (family, what) = (self.title(), EditKind::Turns.name());
        Err(EditError::NotInFamily { family, what })
    }

    /// Returns the splices that write an edit into the text, in a family without a description. Only for kinds of elements
    /// that [`Format::has`] lists.
    ///
    /// # Errors
    /// If the text has a form that cannot be edited.
    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        let _ = editor;
        let (family, what) = (self.title(), edited.edit.about().name());
        Err(EditError::NotInFamily { family, what })
    }
}

impl dyn Format + '_ {
    /// Returns the dialog in `tree`, and its issues: the violations of the schema, turns of which nothing is read, and the
    /// first number that JSON does not have.
    pub fn read(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        let (dialog, mut issues) = self.read_form(tree);
        issues.extend(silent_turns(self, tree, &dialog));
        issues.extend(tree.not_number().map(|value| Issue {
            at: extent(value),
            turn: dialog.turns.iter().position(|turn| turn.at.holds(extent(value))),
            problem: IssueKind::NotNumber(value.raw().to_owned()),
        }));
        (dialog, issues)
    }

    /// Applies an edit to a dialog of this family, which stays unchanged if the edit is refused.
    ///
    /// # Errors
    /// If the edit does not fit the dialog.
    pub fn apply(&self, edit: &Edit, dialog: &mut Dialog) -> Result<(), EditError> {
        let before = match edit {
            Edit::AddTurn { .. } => None,
            _ => dialog.turns.get(edit.turn()).cloned(),
        };
        edit.apply_to(dialog)?;
        self.complete(edit, dialog);
        let turn = Some(edit.turn()).filter(|_| !matches!(edit, Edit::RemoveTurn { .. }));
        self.follow(&before.unwrap_or_default(), dialog, turn);
        Ok(())
    }

    /// True if only a description says what its dialogs are: rules that need more than places do not know them.
    pub fn is_described(&self) -> bool {
        self.declared().is_some_and(|declared| !declared.is_strict())
    }

    /// True if a dialog may be in several parts of its file.
    pub fn may_be_parted(&self) -> bool {
        self.declared().is_some_and(|declared| declared.split().is_some())
    }

    /// True if annotators vote on the turns of its dialogs.
    pub fn has_votes(&self) -> bool {
        self.has().contains(&EditKind::Votes)
    }
}

impl std::fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for dyn Format + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn Format + '_ {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_everything_is_documented() {
        let mut names: Vec<_> = all().map(Format::name).collect();
        names.extend(all().flat_map(Format::aliases));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for format in all() {
            assert!(format.title().len() > 3 && format.holds().len() > 10, "{format:?}");
            assert!(format.schema().contains("2020-12"), "{format:?}");
            assert!(format.chat().is_none() || format.description().is_some(), "{format:?}");
            assert_eq!(named(format.name()).map(Format::name), Some(format.name()));
        }
    }
}
