//! Chooses the dialog to prefetch while the program is idle: the one that is likely to be opened next.

use crate::app::core::{App, Effect};
use crate::app::feature::judging::queue;
use crate::workspace::DialogId;

/// Prefetches the dialog that the user is likely to open next; a long one is left to the
/// background.
pub fn prefetch(app: &mut App) {
    if let Some(at) = likely_next(app)
        && app.workspace.files.prefetch(at)
    {
        app.request(Effect::Prefetch { at });
    }
}

/// Returns the next dialog of the queue, or else of the list.
fn likely_next(app: &App) -> Option<DialogId> {
    let here = app.panes.transcript.at?;
    let mut queue = queue::in_queue_order(app, false);
    let next = queue.find(|item| !item.judged && item.at != here);
    next.map(|item| item.at).or_else(|| app.panes.list.ahead())
}
