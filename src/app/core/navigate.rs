//! Going to a dialog.

use std::sync::Arc;
use std::time::Duration;

use crate::app::core::{App, Effect};
use crate::app::input::Command;
use crate::app::pane::transcript::Transcript;
use crate::app::state::TurnPlace;
use crate::dialog::Dialog;
use crate::format::Family;
use crate::lint::LintResult;
use crate::query::{DialogSource, Query};
use crate::text::Direction;
use crate::workspace::{DialogAnalysis, DialogId, LoadState, Outdated, QueueJudge, Workspace};

/// The least time between two checks for changes by other programs.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);

impl App {
    /// Opens a dialog, fetches its companion files and checks for external changes.
    pub fn open(&mut self, at: DialogId) {
        // The other side of a pair is not read alone.
        let at = self.workspace.files.pair_with_side(at).unwrap_or(at);
        if self.panes.transcript.at == Some(at) {
            return;
        }
        self.panes.transcript.set_caret(None);
        let known = self.workspace.files.summary(at).map(|summary| summary.id.clone());
        let read = self.read(at);
        // A dialog that cannot be read, or has another id, hints at an external change.
        let other = |(dialog, _): &(Dialog, _)| known.is_some_and(|id| *id != *dialog.id);
        let is_suspicious = read.as_ref().map_or(true, other);
        let judge = self.judge();
        let source = source_of(&self.workspace, &judge, at);
        self.panes.transcript.open(at, read, self.search.query.as_ref(), source);
        self.panes.list.choose(at);
        if self.workspace.files.link(at) {
            self.list_again();
        }
        self.go_to_first_judged();
        self.session.changed.dialog = true;
        if let Some(log) = self.workspace.files.stale_log(at) {
            self.complain(format!(
                "votes in {log} are not shown: the dialog was changed after judging"
            ));
        }
        let id = self.panes.transcript.dialog.id.clone();
        self.request_companions(at, id);
        if is_suspicious {
            self.check_files();
        } else {
            self.check_files_if_due();
        }
    }

    /// Reads a dialog and finds its problems.
    ///
    /// # Errors
    /// Why it cannot be read, for the user.
    pub fn read(&mut self, at: DialogId) -> Result<(Dialog, LintResult), String> {
        match self.workspace.files.analyse(at) {
            Ok(Some(DialogAnalysis { dialog, found, .. })) => Ok((dialog, found)),
            Ok(None) => Err("the dialog does not exist".to_owned()),
            Err(error) if self.workspace.files.outdated(at.file as usize) == Outdated::Reported => {
                Err(format!(
                    "the file was changed by another program, and this dialog has moved ({error}); {} reloads the file",
                    self.key(Command::Reload)
                ))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// Marks the hits of a query in the dialogs on the screen, or none.
    pub fn mark(&mut self, query: Option<&Query>) {
        let mut judge = self.judge();
        for transcript in self.panes.transcripts_mut() {
            let at = transcript.at.unwrap_or_default();
            judge.hidden = transcript.judge.hidden;
            let source = source_of(&self.workspace, &judge, at);
            // No search looks into an excluded dialog, unless it asks for that.
            let looks = |query: &&Query| transcript.excluded.is_none() || query.asks_for_excluded();
            let query = query.filter(looks);
            transcript.mark(query, source);
        }
    }

    /// Returns who judges, and how.
    pub fn judge(&self) -> QueueJudge {
        QueueJudge {
            annotator: self.judging.by().to_owned(),
            only: self.workspace.files.logs.judgements.only.clone(),
            hidden: self.panes.transcript.judge.hidden,
            scheme: self.judging.asks(),
            assignments: Arc::clone(&self.judging.assignments),
        }
    }

    /// Asks for the files beside a dialog's own that belong to it, if its format has such files.
    pub fn request_companions(&mut self, at: DialogId, id: String) {
        let format = self.workspace.files.format(at);
        if format.is_some_and(Family::has_companions) {
            self.request(Effect::Companions { at, id });
        }
    }

    /// Marks the hits of the search in the open dialog.
    pub fn mark_hits(&mut self) {
        let query = self.search.query.take();
        self.mark(query.as_ref());
        self.search.query = query;
    }

    /// Moves to the first turn to judge, if the dialog can be judged; the user turns before it stay visible
    /// above.
    fn go_to_first_judged(&mut self) {
        if let Some(scheme) = self.scheme() {
            let shown = &mut self.panes.transcript;
            let first = scheme.beginning(&shown.dialog, self.judging.by());
            shown.go(first.unwrap_or_default());
        }
    }

    /// Checks for changes by other programs when another dialog is shown, but not if the last check was
    /// moments ago: paging through many dialogs stays cheap.
    pub fn check_files_if_due(&mut self) {
        if self.session.now.saturating_sub(self.session.looked) >= BETWEEN_LOOKS {
            self.check_files();
        }
    }

    /// Rebuilds the list, with the dialog on the screen selected.
    pub fn list_again(&mut self) {
        self.panes.list.rebuild(&self.workspace.files);
        if let Some(at) = self.panes.transcript.at {
            self.panes.list.choose(at);
        }
    }

    /// Checks whether other programs have changed files.
    pub fn check_files(&mut self) {
        self.session.looked = self.session.now;
        self.request(Effect::CheckFiles);
    }

    /// Opens a dialog and selects it in the list; clears the filter if it hides the dialog.
    pub fn open_from_list(&mut self, at: DialogId) {
        self.open(at);
        if self.panes.list.unfold_around(at) {
            self.panes.list.rebuild(&self.workspace.files);
        }
        if !self.panes.list.choose(at) && self.panes.list.is_narrowed() {
            let filter = std::mem::take(&mut self.panes.list.filter);
            self.panes.list.dropped = Some(match self.panes.list.found.take() {
                Some(_) => "dialogs with hits".to_owned(),
                None => filter,
            });
            self.panes.list.rebuild(&self.workspace.files);
            self.panes.list.choose(at);
        }
    }

    /// Opens the dialog selected in the list; where only dialogs with hits are listed, at its first hit.
    pub fn open_chosen(&mut self) {
        let Some(at) = self.panes.list.chosen() else {
            return;
        };
        let is_open = self.panes.transcript.at == Some(at);
        self.open(at);
        let t = &mut self.panes.transcript;
        let first = t.hits.first().map(|hit| (hit.turn, hit.segment));
        if let Some((turn, segment)) = first
            && self.panes.list.found.is_some()
            && !is_open
        {
            t.go(turn);
            t.choose(segment);
            t.hit = Some(0);
        }
    }

    /// Opens a dialog at a turn.
    pub fn go_to(&mut self, at: DialogId, turn: usize, segment: Option<usize>) {
        self.open(at);
        self.panes.transcript.go(turn);
        self.panes.transcript.choose(segment);
    }

    /// Returns the current turn; None if no dialog is open.
    pub fn turn_place(&self) -> Option<TurnPlace> {
        let Transcript { at, turn, segment, .. } = self.panes.transcript;
        at.map(|at| TurnPlace { at, turn, segment })
    }

    /// Opens the first dialog of a file, or reports why there is none.
    pub fn go_to_file(&mut self, file: usize) {
        let Some(open) = self.workspace.files.get(file) else {
            return;
        };
        let name = &open.name;
        let why = match &open.state {
            LoadState::Failed(reason) => format!("{name} cannot be read: {reason}"),
            LoadState::Ontology(what) => format!("{name} is a {what} and contains no dialogs"),
            _ if open.dialogs() == 0 => format!("no dialog of {name} has been read yet"),
            _ => {
                self.open_from_list(DialogId::first_of(file));
                if let Some(why) = self.workspace.files.broken(file) {
                    self.complain(why);
                }
                return;
            }
        };
        self.complain(why);
    }
}

/// Returns what a query may ask about a dialog besides its content.
pub fn source_of<'a>(
    workspace: &'a Workspace,
    judge: &'a QueueJudge,
    at: DialogId,
) -> DialogSource<'a> {
    DialogSource {
        file: workspace.files.name(at.file as usize),
        family: workspace.files.format(at).map_or("", Family::name),
        edited: workspace.files.is_changed(at),
        excluded: workspace.files.summary(at).is_some_and(|summary| summary.excluded),
        annotator: &judge.annotator,
        hidden: judge.hidden,
    }
}

/// Returns the entry after or before a dialog in the order of the corpus, and whether it is around the end.
pub fn entry_beside<T>(
    found: &[(DialogId, T)],
    here: DialogId,
    direction: Direction,
) -> (Option<&(DialogId, T)>, bool) {
    if direction.is_forward() {
        let place = found.partition_point(|(at, _)| *at <= here);
        (found.get(place).or(found.first()), place >= found.len())
    } else {
        let place = found.partition_point(|(at, _)| *at < here);
        (found[..place].last().or(found.last()), place == 0)
    }
}
