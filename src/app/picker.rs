//! What a line that is typed into offers, as it is listed: which part of it is on the screen, and what a
//! click there does. How the rows look is for others.

use std::ops::Range;

use super::layout::{Area, Size, window};
use super::prompt_kind::PromptKind;
use super::{App, Effect, Mouse, Overlay, Prompt};

/// Choices that are listed at once, at the most.
pub(super) const LISTED: usize = 14;

impl Prompt {
    /// The choices that are on a screen: those around the chosen one.
    pub fn listed(&self, size: Size) -> Range<usize> {
        let room = usize::from(size.rows).saturating_sub(4).min(LISTED);
        let marked = self.marked();
        let first = marked.map_or(0, |marked| (marked + 1).saturating_sub(room));
        first..(first + room).min(self.choices.len())
    }

    /// Where they are listed, with the title above them; nowhere if there is nothing to choose from.
    fn list_area(&self, size: Size) -> Area {
        match self.listed(size).len() {
            0 => Area::default(),
            rows => window(size, rows),
        }
    }
}

impl App {
    /// A click while a line is typed into: it takes the choice that it is on, and elsewhere closes the line.
    pub(super) fn click_prompt(&mut self, mouse: Mouse) -> Vec<Effect> {
        let size = self.size;
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return Vec::new();
        };
        let area = prompt.list_area(size);
        if mouse.row + 1 >= size.rows || area.holds(mouse.column, mouse.row) && mouse.row == area.y
        {
            // The line itself, or the title.
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
            // A reason may still be typed.
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
