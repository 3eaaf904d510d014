//! What the reader is likely to ask for next, read while nothing else is to be done.

use super::msg::At;
use super::{App, Effect};

impl App {
    /// Reads the dialog that is likely to be opened next, so that it is there at once; a long one is to be
    /// read in the background.
    pub fn look_ahead(&mut self) -> Option<Effect> {
        self.transcript.let_gone_go();
        let at = self.likely_next()?;
        let is_long = self.files.look_ahead(at);
        is_long.then_some(Effect::LookAhead { at })
    }

    /// Whoever judges goes on to the next dialog of the queue, and whoever reads goes on in the list.
    fn likely_next(&self) -> Option<At> {
        let here = self.transcript.at?;
        let mut queue = self.in_queue_order(false);
        let next = queue.find(|item| !item.judged && item.at != here);
        next.map(|item| item.at).or_else(|| self.list.ahead())
    }
}
