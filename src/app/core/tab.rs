//! The rows of the table of tabs.

use crate::app::core::App;
use crate::app::pane::parts::Rows;

/// A view of the current turn or dialog.
pub struct Tab {
    pub name: &'static str,
    /// The title above the pane.
    pub title: &'static str,
    /// The description for the help and the manual, one line.
    pub doc: &'static str,
    /// Returns whether there is something to show.
    pub has: fn(&App) -> bool,
    /// It shows nothing that tells which side of a pair is the dialog's own.
    pub tells_no_side: bool,
    /// Makes the rows of the tab, for a number of columns.
    pub rows: for<'a> fn(&'a App, usize) -> Rows<'a>,
}

impl Tab {
    /// True if there is something to show that the user may see.
    pub fn is_shown(&self, app: &App) -> bool {
        (self.tells_no_side || !app.hides_sides()) && (self.has)(app)
    }
}
