//! Prefetch: reads the dialog that the user is likely to open next while nothing else is to be
//! done.

use super::msg::DialogId;
use super::{App, Effect};

impl App {
    /// Reads the dialog that is likely to be opened next, so that it opens at once; a long one is
    /// left to the background.
    pub fn prefetch(&mut self) -> Option<Effect> {
        self.transcript.drop_retired();
        let at = self.likely_next()?;
        let is_long = self.files.prefetch(at);
        is_long.then_some(Effect::Prefetch { at })
    }

    /// Returns the next dialog of the queue while judging, and of the list otherwise.
    fn likely_next(&self) -> Option<DialogId> {
        let here = self.transcript.at?;
        let mut queue = self.in_queue_order(false);
        let next = queue.find(|item| !item.judged && item.at != here);
        next.map(|item| item.at).or_else(|| self.list.ahead())
    }
}
