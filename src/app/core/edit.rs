//! Making edits: locks are checked, the edit becomes a step that undo goes back to, and its entry goes to
//! the journal.

use std::ops::Range;
use std::sync::Arc;

use crate::app::core::{App, Effect};
use crate::corpus::Revision;
use crate::dialog::{Edit, EditContext};
use crate::text::grouped;
use crate::workspace::{
    DialogAnalysis, DialogId, Grouping, JournalEntry, JournaledEdit, SegmentEdge, THIS_RUN,
    UndoStep,
};

/// An edit to make in the open dialog.
pub struct NewEdit<'e> {
    pub edit: &'e Edit,
    /// The words for it in the list of edits.
    pub title: String,
    pub kind: Grouping,
    /// The one who suggested it.
    pub by: Option<String>,
    /// The context in which it was suggested; the edit is refused if that has changed.
    pub on: Option<&'e EditContext>,
}

impl<'e> NewEdit<'e> {
    /// Returns an edit of the user's own.
    pub fn new(edit: &'e Edit, title: String, kind: Grouping) -> Self {
        Self {
            edit,
            title,
            kind,
            by: None,
            on: None,
        }
    }
}

impl App {
    /// Makes an edit of the open dialog. Returns false and reports why if it is refused. An edit
    /// without a change is not a step; that is reported too.
    pub fn edit(&mut self, edit: &Edit, title: String) -> bool {
        self.make(NewEdit::new(edit, title, Grouping::Alone))
    }

    /// Moves an edge of a segment; joins the step before if that moved the same edge.
    pub fn nudge(&mut self, edit: &Edit, edge: SegmentEdge, from: u32, to: u32) -> bool {
        let title = |from| {
            let (edge, turn) = (edge.name(), edit.turn());
            format!("{edge} {from} → {to} in turn {turn}")
        };
        let Some((at, from)) = self.continued_nudge(edge) else {
            let kind = Grouping::Nudge { edge, from };
            return self.make(NewEdit::new(edit, title(from), kind));
        };
        if !self.may_edit(at) {
            return false;
        }
        // Both moves become one step.
        let undone = self.workspace.files.undo(at.file);
        self.workspace.steps.undo(usize::from(undone.is_some()));
        if let Some(undone) = undone {
            self.journal(at, undone);
        }
        let before = self.workspace.steps.done();
        let kind = Grouping::Nudge { edge, from };
        let made = self.make(NewEdit::new(edit, title(from), kind));
        if !made {
            let redone = self.workspace.files.redo(at.file);
            self.workspace.steps.redo(usize::from(redone.is_some()));
            if let Some(redone) = redone {
                self.journal(at, redone);
            }
        } else if self.workspace.steps.done() == before {
            // The edge is back where it was.
            self.reread();
        }
        made
    }

    /// Returns the dialog of the last step, and where the edge was before it, if that step moved this
    /// edge of the current segment.
    fn continued_nudge(&self, edge: SegmentEdge) -> Option<(DialogId, u32)> {
        let last = &self.workspace.steps.all()[self.workspace.steps.done().checked_sub(1)?];
        let shown = &self.panes.transcript;
        let is_here =
            Some(last.at) == shown.at && (last.turn, last.segment) == (shown.turn, shown.segment);
        // A saved state stays a step of its own, so that undo can go back to it.
        let is_saved = self.workspace.files.corpus(last.at)?.history().ends_saved();
        match last.kind {
            Grouping::Nudge { edge: moved, from } if moved == edge && is_here && !is_saved => {
                Some((last.at, from))
            }
            _ => None,
        }
    }

    /// Makes an edit that belongs to the edit before it.
    pub fn edit_joined(&mut self, edit: &Edit, title: String) -> bool {
        self.make(NewEdit::new(edit, title, Grouping::Joined))
    }

    /// Makes an edit of the open dialog.
    pub fn make(&mut self, new: NewEdit<'_>) -> bool {
        let NewEdit {
            edit,
            title,
            kind,
            by,
            on,
        } = new;
        let Some(shown) = self.panes.transcript.at else {
            self.complain("no dialog to edit");
            return false;
        };
        let Some(at) = self.edited_at(shown, edit) else {
            return false;
        };
        let (turn, segment) = (self.panes.transcript.turn, self.panes.transcript.segment);
        let step = UndoStep {
            at,
            turn,
            segment,
            title,
            by,
            edit: edit.clone(),
            kind,
            when: THIS_RUN,
        };
        match self.workspace.files.edit_on(at, edit, on) {
            Ok(false) => {
                self.say("no change");
                true
            }
            Ok(true) => {
                self.push_step(step);
                true
            }
            Err(refused) => {
                self.complain(refused.to_string());
                false
            }
        }
    }

    /// Pushes the step of an edit that has just been made in its file.
    pub fn push_step(&mut self, step: UndoStep) {
        if let Some(entry) = self.journal_entry(&step) {
            self.journal(step.at, entry);
        }
        self.workspace.push_steps(vec![step]);
        self.reread();
    }

    /// Asks for an entry in the journal of a dialog's file.
    pub fn journal(&mut self, at: DialogId, entry: JournalEntry) {
        let file = at.file as usize;
        self.request(Effect::Journal { file, entry });
    }

    /// Returns the journal entry of the edit that has just been made in the step's file.
    pub fn journal_entry(&self, step: &UndoStep) -> Option<JournalEntry> {
        let revision = self.workspace.files.corpus(step.at)?.history().current()?;
        Some(self.entry_of(step, revision))
    }

    /// Returns the journal entry of a step and the revision that it made.
    pub fn entry_of(&self, step: &UndoStep, revision: &Revision) -> JournalEntry {
        let open =
            (self.panes.transcript.at == Some(step.at)).then_some(&self.panes.transcript.dialog);
        let listed = || {
            self.workspace
                .files
                .summary(step.at)
                .map(|summary| summary.id.to_string())
        };
        let id = open.map(|dialog| dialog.id.clone()).or_else(listed);
        JournalEntry::Edit(Arc::new(JournaledEdit {
            dialog: step.at.dialog,
            id: id.filter(|id| !id.is_empty()),
            edit: revision.edit.clone(),
            on: revision.on.clone(),
            turn: step.turn,
            segment: step.segment,
            title: step.title.clone(),
            by: step.by.clone(),
            kind: step.kind,
            patch: revision.patch.clone(),
            inverse: revision.inverse.clone(),
            when: if step.when == THIS_RUN { 0 } else { step.when },
        }))
    }

    /// True if all files of these steps can be edited; otherwise reports why.
    pub fn may_edit_all(&mut self, steps: Range<usize>) -> bool {
        let mut files: Vec<DialogId> = self.workspace.steps.all()[steps]
            .iter()
            .map(|step| step.at)
            .collect();
        files.dedup_by_key(|at| at.file);
        files.into_iter().all(|at| self.may_edit(at))
    }

    /// Reads the open dialog again after an edit; the position stays.
    pub fn reread(&mut self) {
        let Some(at) = self.panes.transcript.at else {
            return;
        };
        let analysis = self.workspace.files.analyse(at);
        if let Ok(Some(DialogAnalysis {
            mut dialog, found, ..
        })) = analysis
        {
            for (new, old) in dialog
                .turns
                .iter_mut()
                .zip(&mut self.panes.transcript.dialog.turns)
            {
                // The output of a detector comes from another file.
                if new.detections.is_empty() {
                    new.detections = std::mem::take(&mut old.detections);
                }
            }
            self.panes.transcript.take_dialog(dialog);
            self.panes.transcript.take_found(found);
        }
        self.session.changed.dialog = true;
        let segment = self.panes.transcript.segment;
        self.mark_hits();
        self.panes.transcript.choose(segment);
        self.panes.details.forget();
    }
}

/// Returns "and N more" for the steps joined to another.
pub fn and_n_more(more: usize) -> String {
    match more {
        0 => String::new(),
        n => format!(", and {} more", grouped(n)),
    }
}
