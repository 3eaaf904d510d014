//! Prefetch: reads the next likely dialog while the program is idle.

use super::{App, Effect};
use crate::workspace::DialogId;

impl App {
    /// Prefetches the dialog that the user is likely to open next; a long one is left to the
    /// background.
    pub fn prefetch(&mut self) -> Option<Effect> {
        let at = self.likely_next()?;
        let is_long = self.workspace.files.prefetch(at);
        is_long.then_some(Effect::Prefetch { at })
    }

    /// Returns the next dialog of the queue, or else of the list.
    fn likely_next(&self) -> Option<DialogId> {
        let here = self.panes.transcript.at?;
        let mut queue = self.in_queue_order(false);
        let next = queue.find(|item| !item.judged && item.at != here);
        next.map(|item| item.at).or_else(|| self.panes.list.ahead())
    }
}
