//! Two dialogs on the screen: pinning one, going to the other, and keeping the pinned one as its file is.

use crate::app::core::App;
use crate::app::core::navigate::source_of;
use crate::app::input::Command;
use crate::app::pane::{Pinned, PinnedContent};
use crate::compare::turn_marks;
use crate::dialog::Short;
use crate::lint::LintResult;
use crate::workspace::DialogId;

impl App {
    /// Pins a dialog beside the open one, at the same turn, on the other side.
    pub fn pin_beside(&mut self, at: DialogId) {
        let read = self.read(at);
        let (shown, judge) = (&self.panes.transcript, self.judge());
        let source = source_of(&self.workspace, &judge, at);
        // What is set for all dialogs holds for this one, too.
        let mut pinned = shown.clone();
        pinned.open(at, read, self.search.query.as_ref(), source);
        pinned.go(shown.turn);
        let id = pinned.dialog.id.clone();
        let first = self.panes.pinned.as_ref().is_some_and(|old| old.first);
        self.panes.pinned = Some(Pinned::new(pinned, first));
        self.session.changed.dialog = true;
        self.request_companions(at, id);
    }

    /// Goes to the pinned dialog; the one that was open is pinned in its place.
    pub fn swap_pinned(&mut self) {
        let Some(pinned) = self.panes.pinned.as_mut().filter(|pinned| pinned.is_dialog()) else {
            return;
        };
        pinned.swap(&mut self.panes.transcript);
        self.panes.details.forget();
        self.session.changed.dialog = true;
        if let Some(at) = self.panes.transcript.at {
            self.workspace.files.link(at);
            self.open_from_list(at);
        }
    }

    /// Returns the sides of the open dialog in the order in which the annotator sees them, if a question asks about it
    /// as a pair.
    pub fn sides_shown(&self) -> Option<[Short; 2]> {
        let (scheme, shown) = (self.scheme()?, &self.panes.transcript);
        let annotator = self.judging.by();
        let question = scheme.of_pair(&shown.dialog, annotator)?;
        let id = self.workspace.files.judged_id(shown.at?, &shown.dialog);
        let names = shown.dialog.sides.as_ref()?.names.clone();
        Some(question.order(names, &id, annotator))
    }

    /// True while nothing on the screen may tell which side of a pair is which.
    pub fn hides_sides(&self) -> bool {
        let pinned = self.panes.pinned.as_ref();
        pinned.is_some_and(Pinned::is_side)
    }

    /// True while questions are asked about pairs, whether or not the dialog on the screen is one.
    pub fn asks_about_pairs(&self) -> bool {
        let scheme = self.scheme();
        scheme.is_some_and(|scheme| scheme.is_of_pairs())
    }

    /// Returns why `what`, which tells the sides of pairs apart, is refused while these are asked about; None if they
    /// are not.
    pub fn would_tell_sides(&self, what: &str) -> Option<String> {
        self.asks_about_pairs().then(|| {
            let judge = self.key(Command::Judge);
            format!("{what} would reveal which side of a pair is which · {judge} ends judging")
        })
    }

    /// Returns the turn that is read, and the last one: of a pair, those of the longer side.
    pub fn turn_and_last(&self) -> (usize, usize) {
        let shown = &self.panes.transcript;
        let side = self.panes.pinned.as_ref().filter(|side| side.is_side());
        let (turn, len) = side.map_or((0, 0), |side| (side.transcript.turn, side.transcript.len()));
        (shown.turn.max(turn), shown.len().max(len).saturating_sub(1))
    }

    /// Goes to a turn, or to the last one if there are fewer; both sides of a pair do.
    pub fn go_to_turn(&mut self, turn: usize) {
        let panes = &mut self.panes;
        panes.transcript.go(turn);
        if let Some(side) = panes.pinned.as_mut().filter(|side| side.is_side()) {
            side.go_along(turn, &panes.transcript);
        }
    }

    /// Leaves out what only one side of a pair has: its problems, which rules find in one side at a time.
    fn hide_problems(&mut self) {
        for transcript in self.panes.transcripts_mut() {
            transcript.is_side = true;
            if transcript.problems.is_empty() && transcript.ignored.is_empty() {
                continue;
            }
            let excluded = transcript.excluded.take();
            transcript.take_found(LintResult { excluded, ..LintResult::default() });
        }
    }

    /// Makes the open dialog a pair with one of another file, now that more ids are known, or goes to the pair whose
    /// other side it is.
    fn find_other_side(&mut self) {
        let shown = &self.panes.transcript;
        let at = shown.at.filter(|_| shown.dialog.sides.is_none());
        let pair = at.and_then(|at| self.workspace.files.pair_with_side(at));
        match pair {
            Some(pair) if Some(pair) != at => self.open_from_list(pair),
            Some(_) => self.reread(),
            None => {}
        }
    }

    /// Shows the other side of the open dialog beside it, or below it, as long as a question asks about the pair.
    pub fn show_sides(&mut self) {
        if self.review().conflict().is_some() {
            return;
        }
        let at = self.panes.transcript.at;
        self.find_other_side();
        let sides = self.panes.transcript.dialog.sides.as_ref();
        let wanted = self.sides_shown().zip(sides);
        let wanted = wanted.map(|(order, sides)| (at, order[0] != sides.names[0]));
        let shown = self.panes.pinned.as_ref().and_then(|pinned| match pinned.content {
            PinnedContent::OtherSide(of) => Some((Some(of), pinned.first)),
            PinnedContent::Dialog | PinnedContent::OfConflict { .. } => None,
        });
        self.panes.transcript.is_side = wanted.is_some();
        if wanted == shown {
            if wanted.is_some() {
                self.hide_problems();
            }
            return;
        }
        if shown.is_some() {
            self.panes.pinned = None;
            self.reread();
        }
        if let Some((Some(at), first)) = wanted
            && let Some(side) = self.workspace.files.side_beside(at, &self.panes.transcript.dialog)
        {
            let judge = self.judge();
            let source = source_of(&self.workspace, &judge, side.at);
            let mut other = self.panes.transcript.clone();
            let read = Ok((side.dialog, side.found));
            other.open(side.at, read, self.search.query.as_ref(), source);
            other.go(self.panes.transcript.turn);
            let mut pinned = Pinned::new(other, first);
            pinned.content = PinnedContent::OtherSide(at);
            self.panes.pinned = Some(pinned);
            self.hide_problems();
        }
        self.session.changed.dialog = true;
        self.panes.details.forget();
    }

    /// Reads the pinned dialog again if it may have changed; one that cannot be read stays as it was.
    pub fn reread_pinned(&mut self) {
        let pinned = self.panes.pinned.as_mut();
        let stale = pinned.filter(|pinned| pinned.stale && !pinned.is_of_conflict());
        let Some(at) = stale.and_then(|pinned| {
            pinned.stale = false;
            pinned.transcript.at
        }) else {
            return;
        };
        let content = self.panes.pinned.as_ref().map(|pinned| pinned.content);
        let read = if let Some(PinnedContent::OtherSide(of)) = content {
            let side = self.workspace.files.side_beside(of, &self.panes.transcript.dialog);
            side.map(|side| (side.dialog, side.found))
        } else {
            self.read(at).ok()
        };
        let Some((dialog, found)) = read else {
            return;
        };
        let mut judge = self.judge();
        let Some(Pinned { transcript, .. }) = &mut self.panes.pinned else {
            return;
        };
        transcript.reread(dialog, found);
        transcript.choose(transcript.segment);
        judge.hidden = transcript.judge.hidden;
        let source = source_of(&self.workspace, &judge, at);
        transcript.mark(self.search.query.as_ref(), source);
    }
    /// Marks what differs between the two dialogs on the screen.
    pub fn mark_differences(&mut self) {
        let marks = match &self.panes.pinned {
            Some(pinned) if !pinned.is_side() => {
                turn_marks(&self.panes.transcript.dialog, &pinned.transcript.dialog)
            }
            _ => Default::default(),
        };
        for (transcript, marks) in self.panes.transcripts_mut().zip(marks) {
            transcript.set_marks(marks);
        }
    }
}
