//! Taskmaster-1 (self-dialogs and two-person dialogs) and Taskmaster-2: one shape.
//!
//! The two corpora differ in their labels and in the names of their instructions, but not in form, so
//! they are one family here.

use crate::dialog::{Dialog, Edit, EditError, EditKind, Issue};
use crate::format::engine::shape::is_empty;
use crate::format::engine::turns;
use crate::format::families::taskmaster::{self, Variant};
use crate::format::{EditedDialog, Format, Sign};
use crate::json::{Editor, Splice, Tree, Value};

pub struct Taskmaster12;

static VARIANT: Variant = Variant {
    title: "Taskmaster-1 and -2",
    string_offsets: false,
    known: &[("instruction_id", false)],
    calls: None,
    read_calls: |_, _, _| {},
    write_calls: |_, _| Ok(Vec::new()),
};

impl Format for Taskmaster12 {
    fn name(&self) -> &'static str {
        "taskmaster-1-2"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["taskmaster-1", "taskmaster-2"]
    }

    fn title(&self) -> &'static str {
        VARIANT.title
    }

    fn holds(&self) -> &'static str {
        "utterances, segments (offsets in code points) with several labels each, instruction id"
    }

    fn id_key(&self) -> &'static str {
        taskmaster::ID
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../assets/schemas/taskmaster-1-2.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        taskmaster::signs(root)
    }

    fn has_turns(&self, root: Value<'_>) -> bool {
        !is_empty(root, taskmaster::TURNS)
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        taskmaster::read(&VARIANT, tree)
    }

    fn has(&self) -> &'static [EditKind] {
        &[EditKind::Text, EditKind::Speaker, EditKind::Turns, EditKind::Fields, EditKind::Segments]
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        turns::number_first(edit, after);
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        taskmaster::write(&VARIANT, editor, edited)
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        taskmaster::write_turns(editor, edited)
    }
}
