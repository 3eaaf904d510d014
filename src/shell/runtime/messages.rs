//! Sends messages from background work to the main loop.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::app::Msg;
use crate::shell::terminal::event::RuntimeEvent;

/// Shortest time between two reports of the same work.
const PACE: Duration = Duration::from_millis(40);

/// For long work, the fraction of the elapsed time between two reports: each report rebuilds the list,
/// which takes longer the more was done.
const SHARE: u32 = 8;

/// Sends messages to the main loop; `send` returns false if it is gone.
#[derive(Clone)]
pub struct MessageSender {
    to: Sender<RuntimeEvent>,
}

impl MessageSender {
    pub fn new(to: Sender<RuntimeEvent>) -> Self {
        Self { to }
    }

    pub fn send(&self, msg: Msg) -> bool {
        self.to.send(RuntimeEvent::Msg(msg)).is_ok()
    }
}

/// Decides when the next report is due.
pub struct Pace {
    start: Instant,
    last: Option<Instant>,
    is_steady: bool,
}

impl Pace {
    /// Returns the first report is due at once, later ones less and less often.
    pub fn slowing() -> Self {
        Self { start: Instant::now(), last: None, is_steady: false }
    }

    /// Reports are due at equal intervals, the first after one interval.
    pub fn steady() -> Self {
        let start = Instant::now();
        Self { start, last: Some(start), is_steady: true }
    }

    /// Returns true if a report is due, and counts it as sent.
    pub fn is_due(&mut self) -> bool {
        let pause = if self.is_steady { PACE } else { PACE.max(self.start.elapsed() / SHARE) };
        let due = self.last.is_none_or(|last| last.elapsed() >= pause);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}

/// Messages sent together, so that the screen is laid out once for all of them. Dropping it sends the rest.
pub struct MessageBatch {
    reports: MessageSender,
    waiting: Vec<Msg>,
    pace: Pace,
}

impl MessageBatch {
    pub fn new(reports: MessageSender) -> Self {
        Self { reports, waiting: Vec::new(), pace: Pace::slowing() }
    }

    /// Adds a message, and sends the batch if a report is due.
    pub fn send(&mut self, msg: Msg) -> bool {
        self.waiting.push(msg);
        !self.pace.is_due() || self.send_all()
    }

    /// Sends the whole batch.
    pub fn send_all(&mut self) -> bool {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.is_empty() || self.reports.send(Msg::Batch(waiting))
    }
}

impl Drop for MessageBatch {
    fn drop(&mut self) {
        self.send_all();
    }
}
