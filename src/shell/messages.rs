//! What the background tells the main loop.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::browse::RuntimeEvent;
use crate::app::Msg;

/// Time between two reports of the same work, at the least.
const PACE: Duration = Duration::from_millis(40);

/// Of a work that takes long, the share of the time so far that passes between two reports: the list is
/// made again for each, and is the longer the more was done.
const SHARE: u32 = 8;

/// Sends messages to the main loop; false if it is gone.
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

/// When the next report of a work is due: the first at once, and then ever more seldom.
pub struct Pace {
    start: Instant,
    last: Option<Instant>,
}

impl Pace {
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            last: None,
        }
    }

    /// True if a report is due, which is then taken as sent.
    pub fn is_due(&mut self) -> bool {
        let pause = PACE.max(self.start.elapsed() / SHARE);
        let due = self.last.is_none_or(|last| last.elapsed() >= pause);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}

/// Messages that are sent together, for the screen is laid out once for all of them.
pub struct MessageBatch {
    reports: MessageSender,
    waiting: Vec<Msg>,
    pace: Pace,
}

impl MessageBatch {
    pub fn new(reports: MessageSender) -> Self {
        Self {
            reports,
            waiting: Vec::new(),
            pace: Pace::new(),
        }
    }

    /// Sends a message with those before it, or with later ones if none is due yet.
    pub fn send(&mut self, msg: Msg) -> bool {
        self.waiting.push(msg);
        !self.pace.is_due() || self.send_all()
    }

    /// Sends everything that waits.
    pub fn send_all(&mut self) -> bool {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.is_empty() || self.reports.send(Msg::Batch(waiting))
    }
}
