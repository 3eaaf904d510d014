//! Files and dialog summaries that background jobs deliver: noted one by one as they arrive, then taken
//! over once for the whole batch, as that takes time in proportion to the number of files.

use super::list::{ListRow, SortOrder};
use super::{App, Effect};
use crate::format::Format;
use crate::workspace::{DialogId, OpenFile, UndoStep};

/// Results that arrived since the panes were last laid out.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// More dialogs of some file are known.
    dialogs: bool,
    /// Dialog summaries arrived.
    pub outlines: bool,
    /// Edit histories of earlier runs: the file, its steps, and how many of those are applied.
    pub pasts: Vec<(usize, Vec<UndoStep>, usize)>,
}

impl App {
    /// Notes that more dialogs of a file are known; `complete` if the file is read to its end.
    pub(super) fn found_dialogs(&mut self, file: usize, complete: bool) -> Vec<Effect> {
        self.session.arrived.dialogs = true;
        let is_log = self.workspace.files.get(file).is_some_and(OpenFile::is_log);
        if is_log {
            self.on_vote_log_found();
        }
        let mut effects = Vec::new();
        if complete && self.workspace.files.is_listed(file) {
            self.take_past(file);
            if self.workspace.files.rules.is_some() && !is_log {
                effects.push(Effect::Summarize { file });
            }
            if let Some(why) = self.workspace.files.broken(file) {
                self.complain(why);
            }
        }
        effects
    }

    /// Takes over everything that arrived.
    pub(super) fn take_arrived(&mut self) -> Vec<Effect> {
        self.take_arrived_pasts();
        let Arrivals {
            dialogs, outlines, ..
        } = std::mem::take(&mut self.session.arrived);
        if !dialogs && !outlines {
            return Vec::new();
        }
        let mut effects = Vec::new();
        let in_file_order =
            self.panes.list.filter.is_empty() && self.panes.list.sort == SortOrder::File;
        if dialogs || outlines && !in_file_order {
            self.panes.list.rebuild(&self.workspace.files);
        }
        if dialogs {
            effects.extend(self.found_files());
        }
        // Vote logs with reapplied edits may now find their dialogs.
        self.find_judged();
        if outlines {
            self.compare_ids();
            if self.panes.details.tab().name == "problems" {
                self.panes.details.forget();
            }
            if !in_file_order && let Some(at) = self.panes.transcript.at {
                self.panes.list.choose(at);
            }
            effects.extend(self.count_problems());
        }
        effects
    }

    /// Merges the steps of earlier runs into the undo stack.
    pub(super) fn take_arrived_pasts(&mut self) {
        let pasts = std::mem::take(&mut self.session.arrived.pasts);
        if !pasts.is_empty() {
            self.set_steps(pasts);
        }
    }

    /// Opens the first dialog and builds the queue, once enough of the files is known.
    fn found_files(&mut self) -> Vec<Effect> {
        let mut effects = self.go_to_session_place();
        if self.panes.transcript.at.is_none()
            && let Some(first) = self.first_to_read()
        {
            effects.extend(self.open(first));
        }
        if self.workspace.files.progress().is_none()
            && self.judging.queue.is_none()
            && self.judges()
        {
            let wanted = self.judging.wanted;
            effects.extend(self.queue(wanted));
        }
        effects
    }

    /// Returns the dialog to show first: one that can be read on its own, if any; while files are still
    /// being read, None if there is no such dialog yet.
    fn first_to_read(&self) -> Option<DialogId> {
        let dialogs = || {
            self.panes.list.rows.iter().filter_map(|row| match row {
                ListRow::Dialog(at) => Some(*at),
                ListRow::File(_) => None,
            })
        };
        let by_itself = |at: &DialogId| {
            !self
                .workspace
                .files
                .format(*at)
                .is_some_and(Format::is_companion)
        };
        let rest = || {
            self.workspace
                .files
                .progress()
                .is_none()
                .then(|| dialogs().next())
                .flatten()
        };
        dialogs().find(by_itself).or_else(rest)
    }
}
