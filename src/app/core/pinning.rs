//! Two dialogs on the screen: pinning one, going to the other, and keeping the pinned one as its file is.

use crate::app::core::App;
use crate::app::core::navigate::source_of;
use crate::app::pane::{Pinned, PinnedContent};
use crate::compare::turn_marks;
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
        let Some(pinned) = self
            .panes
            .pinned
            .as_mut()
            .filter(|pinned| pinned.is_dialog())
        else {
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
    pub fn sides_shown(&self) -> Option<[&'static str; 2]> {
        let (scheme, shown) = (self.scheme()?, &self.panes.transcript);
        let annotator = &self.judging.annotator;
        let question = scheme.of_pair(&shown.dialog, annotator)?;
        let id = self.workspace.files.judged_id(shown.at?, &shown.dialog);
        Some(question.order(shown.dialog.sides?, &id, annotator))
    }

    /// True while nothing on the screen may tell which side of a pair is which.
    pub fn hides_sides(&self) -> bool {
        let pinned = self.panes.pinned.as_ref();
        pinned.is_some_and(Pinned::is_side)
    }

    /// Shows the other side of the open dialog beside it, or below it, as long as a question asks about the pair.
    pub fn show_sides(&mut self) {
        if self.suggestions.conflict().is_some() {
            return;
        }
        let at = self.panes.transcript.at;
        let wanted = self.sides_shown().zip(self.panes.transcript.dialog.sides);
        let wanted = wanted.map(|(order, [own, _])| (at, order[0] != own));
        let side = self.panes.pinned.as_ref().filter(|pinned| pinned.is_side());
        let shown = side.map(|pinned| (pinned.transcript.at, pinned.first));
        if wanted == shown {
            return;
        }
        if shown.is_some() {
            self.panes.pinned = None;
        }
        if let Some((Some(at), first)) = wanted
            && let Some(read) = self.workspace.files.other_side(at)
        {
            let judge = self.judge();
            let source = source_of(&self.workspace, &judge, at);
            let mut other = self.panes.transcript.clone();
            other.open(at, Ok(read), self.search.query.as_ref(), source);
            other.go(self.panes.transcript.turn);
            let mut pinned = Pinned::new(other, first);
            pinned.content = PinnedContent::OtherSide;
            self.panes.pinned = Some(pinned);
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
        let is_side = self.panes.pinned.as_ref().is_some_and(Pinned::is_side);
        let read = if is_side {
            self.workspace.files.other_side(at)
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
        judge.hidden = transcript.judge.hidden();
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
