//! Making edits: locks are checked, the edit becomes a step that undo goes back to, and its entry goes to
//! the journal.

use std::ops::Range;
use std::sync::Arc;

use crate::app::core::{App, Effect};
use crate::corpus::Change;
use crate::dialog::{Edit, EditContext, EditError, Judgement};
use crate::format::EditGroup;
use crate::text::{SpanEdge, counted, grouped, moment};
use crate::workspace::{DialogId, Grouping, JournalEntry, JournalOp, MadeEdit, UndoStep};

/// An entry of the list of edits.
pub struct StepWords {
    /// The place at which it was made.
    pub turn: usize,
    pub segment: Option<usize>,
    pub title: String,
    /// The one who suggested it.
    pub by: Option<String>,
}

/// A judgement that takes the place of another in a file of judgements.
pub struct JudgementChange {
    /// The file.
    pub at: DialogId,
    /// The judgement there; None if there is none. The change is refused if it is another one now.
    pub before: Option<Judgement>,
    pub after: Judgement,
}

impl App {
    /// Makes an edit of the open dialog. Returns false and reports why if it is refused. If it changes
    /// nothing, it is not a step, reports that, and returns true.
    pub fn edit(&mut self, edit: &Edit, title: String) -> bool {
        self.edit_as(std::slice::from_ref(edit), title, Grouping::Alone)
    }

    /// As [`App::edit`], for several edits that are made as one step, all or none.
    pub fn edit_as_one(&mut self, edits: &[Edit], title: String) -> bool {
        self.edit_as(edits, title, Grouping::Alone)
    }

    /// Makes an edit that belongs to the edit before it.
    pub fn edit_joined(&mut self, edit: &Edit, title: String) -> bool {
        self.edit_as(std::slice::from_ref(edit), title, Grouping::Joined)
    }

    fn edit_as(&mut self, edits: &[Edit], title: String, grouping: Grouping) -> bool {
        self.make(edits, &move |_: &Edit| title.clone(), grouping)
    }

    /// Moves an edge of a segment; joins the step before if that moved the same edge.
    pub fn nudge(&mut self, edit: &Edit, edge: SpanEdge, from: u32, to: u32) -> bool {
        if self.panes.transcript.at.is_some_and(|at| !self.may_edit(at)) {
            return false;
        }
        let continued = self.continued_nudge(edge);
        let from = continued.unwrap_or(from);
        let steps = self.workspace.steps.applied().len();
        if continued.is_some() {
            // Both moves become one step.
            self.step_to(steps - 1);
        }
        let before = self.workspace.steps.applied().len();
        let (edges, turn) = (edge.name(), edit.turn());
        let title = format!("{edges} {from} → {to} in turn {turn}");
        let made = self.edit_as(std::slice::from_ref(edit), title, Grouping::Nudge { edge, from });
        if !made {
            self.step_to(steps);
        } else if self.workspace.steps.applied().len() == before && continued.is_some() {
            // The edge is back where it was.
            self.reread();
        }
        made
    }

    /// Returns where the edge was before the last step, if that step moved this edge of the current segment.
    fn continued_nudge(&self, edge: SpanEdge) -> Option<u32> {
        let steps = &self.workspace.steps;
        let last = steps.applied().last()?;
        let (made, shown) = (&last.made, &self.panes.transcript);
        let is_here =
            Some(last.at) == shown.at && (made.turn, made.segment) == (shown.turn, shown.segment);
        // A saved state stays a step of its own, so that undo can go back to it.
        let unsaved = steps.unsaved_of(last.at.file).added;
        let is_saved = unsaved.last() != Some(&(steps.applied().len() - 1));
        match made.grouping {
            Grouping::Nudge { edge: moved, from } if moved == edge && is_here && !is_saved => {
                Some(from)
            }
            _ => None,
        }
    }

    /// As [`App::edit`], for several edits that are made as one step, all or none. `title` returns the words for each in
    /// the list of edits; `grouping` says how the first belongs to the step before, and the others are joined to it.
    pub fn make(
        &mut self,
        edits: &[Edit],
        title: &dyn Fn(&Edit) -> String,
        grouping: Grouping,
    ) -> bool {
        let Some(shown) = self.panes.transcript.at else {
            self.complain("no dialog to edit");
            return false;
        };
        let edits: Vec<_> = edits.iter().map(|edit| self.timed(edit)).collect();
        let Some(at) = edits.first().and_then(|first| self.prepare_edit(shown, first)) else {
            return false;
        };
        let made = self.workspace.files.edit_all(at, &[EditGroup { edits: &edits, on: None }]);
        if let Some(Err(refused)) = made.results.first() {
            self.complain(refused.to_string());
            self.session.changed.refused = Some(at.file as usize);
            return false;
        }
        if made.changes.is_empty() {
            self.say("no change");
            return true;
        }
        let corpus = self.workspace.files.corpus(at);
        let changes = made.changes.iter().map(|(_, change)| change);
        let copies = corpus.and_then(|c| c.copies(at.dialog as usize, changes));
        let (turn, segment) = (self.panes.transcript.turn, self.panes.transcript.segment);
        let words =
            |_: usize, edit: &Edit| StepWords { turn, segment, title: title(edit), by: None };
        self.push_all(at, made.changes, grouping, words);
        self.reread();
        if let Some(copies) = copies {
            self.say_also(copies);
        }
        true
    }

    /// Returns an edit; a judgement of the open dialog with the time at which it was made, unless it has one.
    pub fn timed(&mut self, edit: &Edit) -> Edit {
        let Edit::Judge { judgement } = edit else {
            return edit.clone();
        };
        let Some(utc) = self.session.utc.filter(|_| judgement.when.is_empty()) else {
            return edit.clone();
        };
        let key = judgement.key();
        let mut known = self.panes.transcript.dialog.all_judgements();
        // Who answers the same again changes nothing.
        let known = known.find(|known| known.key() == key && judgement.repeats(known));
        let mut judgement = judgement.clone();
        if let Some(known) = known {
            (judgement.when, judgement.seconds) = (known.when.clone(), known.seconds);
        } else if !judgement.is_empty() {
            judgement.when = moment(utc);
            if judgement.value.is_some() && judgement.by == self.judging.by() {
                let is_of_dialog = judgement.place.turn.is_none();
                let taken = self.session.on_screen.seconds(is_of_dialog, self.session.now);
                judgement.seconds = taken;
            }
        }
        Edit::Judge { judgement }
    }

    /// Adds edits that have just been made in a dialog as steps, the first of which is grouped as `first` says and the
    /// others with it.
    fn push_all(
        &mut self,
        at: DialogId,
        changes: Vec<(usize, Change)>,
        first: Grouping,
        words: impl Fn(usize, &Edit) -> StepWords,
    ) {
        let (mut grouping, id) = (first, self.id_of(at));
        for (group, change) in changes {
            let StepWords { turn, segment, title, by } = words(group, &change.edit);
            let id = id.clone();
            self.follow_turns(at, &change.edit, true);
            self.push(at, MadeEdit { change, id, turn, segment, title, by, grouping, when: 0 });
            grouping = Grouping::Joined;
        }
    }

    /// Adds an edit that has just been made in its file as a step to undo, and writes it to the journal.
    pub fn push(&mut self, at: DialogId, made: MadeEdit) {
        let made = Arc::new(made);
        // A later run may open this file alone, so in its journal no step joins one of another file.
        let before = self.workspace.steps.applied().last();
        let written = if before.is_some_and(|before| before.at.file == at.file) {
            Arc::clone(&made)
        } else {
            Arc::new(MadeEdit { grouping: Grouping::Alone, ..MadeEdit::clone(&made) })
        };
        self.journal(at, JournalEntry::Edit(written));
        self.workspace.steps.push(UndoStep::new(at.file as usize, made));
    }

    /// Undoes or redoes steps until so many are applied. Returns false and reports why if a dialog cannot be read.
    pub fn step_to(&mut self, target: usize) -> bool {
        loop {
            let here = self.workspace.steps.applied().len();
            let is_back = target < here;
            let steps = &self.workspace.steps.all()[target.min(here)..target.max(here)];
            let next = if is_back { steps.last() } else { steps.first() };
            let Some(DialogId { file, .. }) = next.map(|step| step.at) else {
                return true;
            };
            let is_of_file = |step: &&UndoStep| step.at.file == file;
            let (count, done, entry) = if is_back {
                let count = steps.iter().rev().take_while(is_of_file).count();
                (count, self.workspace.undo_last(count), JournalEntry::Undo)
            } else {
                let count = steps.iter().take_while(is_of_file).count();
                (count, self.workspace.redo_next(count), JournalEntry::Redo)
            };
            let now = self.workspace.steps.applied().len();
            let mut moved = self.workspace.steps.all()[now.min(here)..now.max(here)].to_vec();
            if is_back {
                moved.reverse();
            }
            for UndoStep { at, made } in moved {
                self.journal(at, entry.clone());
                self.follow_turns(at, made.edit(), !is_back);
            }
            if done < count {
                let what = if is_back { "undone" } else { "redone" };
                self.complain(format!("not {what}: the dialog cannot be read"));
                return false;
            }
        }
    }

    /// Makes groups of edits of a dialog at once, each of them or none, as parts of the step before if `joined`, and else as
    /// one step. Returns the edits of each group that changed something, or why it is refused. The dialog on the screen stays
    /// as it is.
    pub fn edit_together(
        &mut self,
        at: DialogId,
        groups: &[EditGroup<'_>],
        joined: bool,
        words: impl Fn(usize, &Edit) -> StepWords,
    ) -> Vec<Result<Vec<Edit>, EditError>> {
        let made = self.workspace.files.edit_all(at, groups);
        let none = |result: Result<bool, EditError>| result.map(|_| Vec::new());
        let mut results: Vec<_> = made.results.into_iter().map(none).collect();
        for (group, change) in &made.changes {
            if let Some(Ok(edits)) = results.get_mut(*group) {
                edits.push(change.edit.clone());
            }
        }
        let grouping = if joined { Grouping::Joined } else { Grouping::Alone };
        self.push_all(at, made.changes, grouping, words);
        results
    }

    /// Adds the turns to a vote log by which its dialog, a session, has grown since the last vote, as one step.
    pub fn lengthen_log(&mut self, at: DialogId, log: DialogId) {
        let edits = self.workspace.files.growth_since(at, log);
        if let Some(last) = edits.last() {
            let (title, turn) = (counted(edits.len() as u64, "new turn"), last.turn());
            let group = EditGroup { edits: &edits, on: None };
            let words = |_: usize, _: &Edit| StepWords {
                turn,
                segment: None,
                title: title.clone(),
                by: None,
            };
            self.edit_together(log, &[group], false, words);
        }
    }

    /// Changes judgements in files of the annotator's own, as one step. Returns how many were refused.
    pub fn judge_together(&mut self, changes: &[JudgementChange], title: &str) -> usize {
        let mut refused = 0;
        let mut joined = false;
        for of_file in changes.chunk_by(|one, other| one.at == other.at) {
            let at = of_file[0].at;
            if !self.may_edit(at) {
                return refused + of_file.len();
            }
            let edit = |change: &JudgementChange| {
                let edit = Edit::Judge { judgement: Box::new(change.after.clone()) };
                (edit, EditContext::of_judgement(change.before.as_ref()))
            };
            let edits: Vec<_> = of_file.iter().map(edit).collect();
            let groups = edits.iter().map(|(edit, before)| EditGroup {
                edits: std::slice::from_ref(edit),
                on: Some(before),
            });
            let words = |number: usize, _: &Edit| {
                let turn = of_file[number].after.found_at();
                StepWords { turn, segment: None, title: title.to_owned(), by: None }
            };
            let made = self.edit_together(at, &groups.collect::<Vec<_>>(), joined, words);
            refused += made.iter().filter(|made| made.is_err()).count();
            joined |= made.iter().any(Result::is_ok);
        }
        self.reread();
        refused
    }

    /// Asks for an entry in the journal of a dialog's file.
    pub fn journal(&mut self, at: DialogId, entry: JournalEntry) {
        let (file, what) = (at.file as usize, JournalOp::Did(entry));
        self.request(Effect::Journal { file, what });
    }

    /// Returns the id of a dialog, if it is known and not empty.
    pub fn id_of(&self, at: DialogId) -> Option<String> {
        let shown = &self.panes.transcript;
        let open = (shown.at == Some(at)).then(|| shown.dialog.id.clone());
        let listed = || Some(self.workspace.files.summary(at)?.id.to_string());
        // A log that was begun for a vote is in no list.
        let written = || Some(self.workspace.files.dialog(at).ok()??.0.id);
        let known = open.or_else(listed).filter(|id| !id.is_empty());
        known.or_else(written).filter(|id| !id.is_empty())
    }

    /// True if all files of these steps can be edited; otherwise reports why.
    pub fn may_edit_all(&mut self, steps: Range<usize>) -> bool {
        let mut files: Vec<DialogId> =
            self.workspace.steps.all()[steps].iter().map(|step| step.at).collect();
        files.dedup_by_key(|at| at.file);
        files.into_iter().all(|at| self.may_edit(at))
    }

    /// Reads the open dialog again after an edit; the position stays.
    pub fn reread(&mut self) {
        let Some(at) = self.panes.transcript.at else {
            return;
        };
        if let Ok((dialog, found)) = self.read(at) {
            self.panes.transcript.reread(dialog, found);
        }
        self.session.changed.dialog = true;
        self.panes.outdate_pinned();
        let (segment, hit) = {
            let shown = &self.panes.transcript;
            (shown.segment, shown.current_hit().cloned())
        };
        self.mark_hits();
        let shown = &mut self.panes.transcript;
        shown.choose(segment);
        // The search goes on from there.
        shown.hit = hit.and_then(|hit| shown.hits.iter().position(|other| *other == hit));
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
