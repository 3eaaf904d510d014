//! Two dialogs on the screen: pinning one, going to the other, and keeping the pinned one as its file is.

use crate::app::core::App;
use crate::app::core::navigate::source_of;
use crate::app::pane::Pinned;
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
        let Some(pinned) = &mut self.panes.pinned else {
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

    /// Reads the pinned dialog again if it may have changed; one that cannot be read stays as it was.
    pub fn reread_pinned(&mut self) {
        let pinned = self.panes.pinned.as_mut();
        let stale = pinned.filter(|pinned| pinned.stale);
        let Some(at) = stale.and_then(|pinned| {
            pinned.stale = false;
            pinned.transcript.at
        }) else {
            return;
        };
        let Ok((dialog, found)) = self.read(at) else {
            return;
        };
        let mut judge = self.judge();
        let Some(Pinned { transcript, .. }) = &mut self.panes.pinned else {
            return;
        };
        transcript.reread(dialog, found);
        transcript.choose(transcript.segment);
        judge.blind = transcript.judge.blind;
        let source = source_of(&self.workspace, &judge, at);
        transcript.mark(self.search.query.as_ref(), source);
    }
}
