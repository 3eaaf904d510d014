//! What the reader is likely to ask for next, read while nothing else is to be done.

use super::msg::DialogId;
use super::{App, Effect};

impl App {
    /// Reads the dialog that is likely to be opened next, so that it is there at once; a long one is to be
    /// read in the background.
    pub fn prefetch(&mut self) -> Option<Effect> {
        self.transcript.drop_retired();
        let at = self.likely_next()?;
        let is_long = self.files.prefetch(at);
        is_long.then_some(Effect::Prefetch { at })
    }

    /// Whoever judges goes on to the next dialog of the queue, and whoever reads goes on in the list.
    fn likely_next(&self) -> Option<DialogId> {
        let here = self.transcript.at?;
        let mut queue = self.in_queue_order(false);
        let next = queue.find(|item| !item.judged && item.at != here);
        next.map(|item| item.at).or_else(|| self.list.ahead())
    }
}
