//! Overlays: the help, a question, a prompt, a list of fixes.

use std::collections::VecDeque;

use super::layout::WIDEST;
use super::question::Question;
use super::status::Status;
use super::{App, BulkFix, Effect, Help, Mouse, MouseAction, Prompt};

/// The overlay above the panes.
#[derive(Debug)]
pub enum Overlay {
    Help(Box<Help>),
    Prompt(Box<Prompt>),
    Question(Box<dyn Question>),
    /// A list of fixes to apply at once.
    Review(Box<BulkFix>),
}

/// The open overlay, and what comes after it.
#[derive(Debug, Default)]
pub struct Overlays {
    pub open: Option<Overlay>,
    /// Questions to ask as soon as nothing else is open.
    pub(super) questions: VecDeque<Box<dyn Question>>,
    /// The reports that a question covers; shown again after the answer, until the next key.
    pub(super) covered: Status,
    /// Number of bulk-fix lists opened so far.
    pub(super) lists: u64,
}

impl App {
    pub(super) fn overlay_mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        let by = match mouse.action {
            MouseAction::WheelUp => -3,
            MouseAction::WheelDown => 3,
            MouseAction::Press => {
                return match self.overlay.open {
                    Some(Overlay::Prompt(_)) => self.click_prompt(mouse),
                    Some(Overlay::Help(_)) => self.click_help(mouse),
                    Some(Overlay::Question(_) | Overlay::Review(_)) | None => Vec::new(),
                };
            }
            _ => return Vec::new(),
        };
        match &self.overlay.open {
            Some(Overlay::Help(_) | Overlay::Question(_)) => self.scroll_window(by),
            Some(Overlay::Review(_)) => self.step_bulk_fix(by.signum()),
            _ => self.prompt_step(by.signum()),
        }
        Vec::new()
    }

    /// Returns the number of fixes that fit on the screen.
    pub fn review_rows(&self) -> usize {
        (usize::from(self.panes.size.height).saturating_sub(4) / 3).max(1)
    }

    /// Scrolls the help, or the lines of a question.
    pub(super) fn scroll_window(&mut self, by: isize) {
        match &self.overlay.open {
            Some(Overlay::Question(_)) => self.scroll_question(by),
            _ => self.scroll_help(by),
        }
    }

    /// Returns the columns of a line in a window.
    pub(super) fn window_columns(&self) -> usize {
        usize::from(self.panes.size.width.min(WIDEST)).saturating_sub(1)
    }
}
