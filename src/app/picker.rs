//! The picker of a prompt: which of its choices are on the screen, and clicks on them.

use std::ops::Range;

use super::layout::{Area, Size, window};
use super::prompt_kind::PromptKind;
use super::{App, Effect, Mouse, Overlay, Prompt};

/// Most choices on the screen at once.
pub(super) const LISTED: usize = 14;

impl Prompt {
    /// Returns the choices on the screen: those around the selected one.
    pub fn listed(&self, size: Size) -> Range<usize> {
        let room = usize::from(size.rows).saturating_sub(4).min(LISTED);
        let marked = self.marked();
        let first = marked.map_or(0, |marked| (marked + 1).saturating_sub(room));
        first..(first + room).min(self.choices.len())
    }

    /// Returns the area of the list and the title above it; empty if there are no choices.
    fn list_area(&self, size: Size) -> Area {
        match self.listed(size).len() {
            0 => Area::default(),
            rows => window(size, rows),
        }
    }
}

impl App {
    /// Handles a click while a prompt is open: accepts the choice under it, or closes the prompt.
    pub(super) fn click_prompt(&mut self, mouse: Mouse) -> Vec<Effect> {
        let size = self.size;
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return Vec::new();
        };
        let area = prompt.list_area(size);
        if mouse.row + 1 >= size.rows || area.holds(mouse.column, mouse.row) && mouse.row == area.y
        {
            // On the prompt itself, or its title.
            return Vec::new();
        }
        if !area.holds(mouse.column, mouse.row) {
            return self.prompt_cancel();
        }
        let place = prompt.listed(size).start + usize::from(mouse.row - area.body().y);
        match prompt.purpose {
            PromptKind::Search => {
                let by = place as isize - prompt.marked().map_or(-1, |marked| marked as isize);
                self.prompt_step(by);
                Vec::new()
            }
            // The user may still type a reason.
            PromptKind::Ignore => {
                prompt.chosen = place;
                Vec::new()
            }
            _ => {
                prompt.chosen = place;
                self.prompt_accept()
            }
        }
    }
}
