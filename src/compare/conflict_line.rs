//! A conflict as a line of a file: what each side says, and the edits that take theirs.

use serde::{Deserialize, Serialize};

use super::files::FileConflict;
use crate::corpus::{DialogRef, Origin, Proposal, Suggestion};
use crate::dialog::Edit;

/// A conflict in a merged file, as `FILE.conflicts.jsonl` lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictLine {
    /// The kind of thing that both sides have changed.
    pub conflict: String,
    /// The position of the dialog in the merged file; None if that does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dialog_id: String,
    /// None if it is about the whole dialog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The value of each side, in short; null where it has nothing.
    pub base: Option<String>,
    pub ours: Option<String>,
    pub theirs: Option<String>,
    /// The edits of the merged file that take their side; none if no edit can.
    pub edits: Vec<Edit>,
}

impl From<FileConflict> for ConflictLine {
    fn from(of: FileConflict) -> Self {
        Self {
            conflict: of.conflict.part.to_owned(),
            dialog: of.is_ours.then_some(of.dialog.position),
            dialog_id: of.dialog.id,
            turn: of.conflict.turn,
            base: of.conflict.base,
            ours: of.conflict.ours,
            theirs: of.conflict.theirs,
            edits: of.theirs,
        }
    }
}

impl ConflictLine {
    /// Returns what both sides say.
    pub fn said(&self) -> String {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
        let (ours, theirs) = (side(&self.ours), side(&self.theirs));
        match &self.base {
            Some(base) => format!("ours {ours}, theirs {theirs}, before {base}"),
            None => format!("ours {ours}, theirs {theirs}"),
        }
    }

    /// Returns the edits that take their side, as suggestions to review.
    pub fn suggestions(&self) -> Vec<Suggestion> {
        let Some(dialog) = self.dialog else {
            return Vec::new();
        };
        let suggestion = |edit: &Edit| Suggestion {
            file: None,
            dialog: DialogRef::Number(dialog),
            dialog_id: Some(self.dialog_id.clone()).filter(|id| !id.is_empty()),
            proposal: Proposal::Edit(edit.clone()),
            on: None,
            origin: Origin {
                by: Some("theirs".to_owned()),
                score: None,
                why: Some(format!("{}: {}", self.conflict, self.said())),
            },
        };
        self.edits.iter().map(suggestion).collect()
    }
}
