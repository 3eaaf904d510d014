//! The panes, and which of them are shown and focused.

use ratatui::layout::Size;

use super::details::Details;
use super::layout::Layout;
use super::list::DialogList;
use super::mouse::Drag;
use super::transcript::Transcript;

/// The focused pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Focus {
    Dialogs,
    #[default]
    Transcript,
    Details,
}

/// The panes.
pub struct Panes {
    pub size: Size,
    pub list: DialogList,
    pub transcript: Transcript,
    pub details: Details,
    pub focus: Focus,
    /// The pane beside the transcript where there is room for only one.
    pub side: Focus,
    /// True if the details are shown beside the transcript.
    pub with_details: bool,
    /// The mouse button that was pressed on a turn's text and is still down.
    pub(super) held: Option<Drag>,
}

impl Default for Panes {
    fn default() -> Self {
        Self {
            size: Size::default(),
            list: DialogList::default(),
            transcript: Transcript::default(),
            details: Details::default(),
            focus: Focus::default(),
            side: Focus::Dialogs,
            with_details: true,
            held: None,
        }
    }
}

impl Panes {
    /// Returns the areas of the panes; None if the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        Layout::new(self.size, self.focus, self.side, self.with_details)
    }

    /// Focuses a pane.
    pub fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        if focus != Focus::Transcript {
            self.side = focus;
        }
        if focus == Focus::Details {
            self.with_details = true;
        }
    }
}
