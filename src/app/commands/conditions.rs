//! Conditions that several commands require.

use crate::app::core::{App, Unavailable};
use crate::dialog::EditKind;

/// Succeeds where the format of the open dialog has segments.
pub fn has_segments(app: &App) -> Result<(), Unavailable> {
    if app.panes.transcript.is_empty() {
        Err(Unavailable::Here("no dialog is open"))
    } else if app.holds(EditKind::Segments) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs have no segments"))
    }
}
