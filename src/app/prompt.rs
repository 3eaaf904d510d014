//! Prompts: lines to type into, with choices to pick from. Each prompt is a type in the file of its
//! subject: its words, its choices, and what happens as the user types and accepts.

use std::fmt;
use std::ops::Range;

use ratatui::layout::{Rect, Size};

use super::command::Availability;
use super::key::{Code, Key};
use super::keymap::{KeyLookup, Scope};
use super::layout::{body, window};
use super::line::Line;
use super::locking::Action;
use super::{App, Effect, Mouse, Overlay, TextField};

/// At most so many choices are listed at once.
const LISTED: usize = 14;

/// The meaning of a digit while nothing is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// It is typed.
    Type,
    /// It picks one of the first choices.
    Pick,
    /// As [`Digits::Pick`]; the prompt takes no text, and any other key closes it.
    PickOnly,
}

/// A kind of prompt.
pub trait PromptKind: fmt::Debug {
    /// The words before the text.
    fn prefix(&self) -> &'static str;

    /// The placeholder while nothing is typed.
    fn hint(&self) -> &'static str {
        ""
    }

    /// The title of its window; None while it has no window.
    fn title(&self, _app: &App, _input: &PromptInput) -> Option<String> {
        None
    }

    /// True if the text may have several lines.
    fn is_long(&self) -> bool {
        false
    }

    fn digits(&self) -> Digits {
        Digits::Type
    }

    /// True if a click on a choice accepts it; otherwise it only selects it.
    fn accepts_click(&self) -> bool {
        true
    }

    /// Number of choices.
    fn count(&self) -> usize {
        0
    }

    /// Returns choice `number` as it is listed.
    fn choice(&self, _app: &App, _number: usize, _input: &PromptInput) -> Line {
        Line::new()
    }

    /// The position of the selected choice.
    fn selected(&self, input: &PromptInput) -> Option<usize> {
        Some(input.chosen)
    }

    /// Updates the choices, and what the panes show, after the text has changed.
    fn changed(&mut self, _app: &mut App, _input: &mut PromptInput) -> Vec<Effect> {
        Vec::new()
    }

    /// Selects the choice `by` places further.
    fn step(&mut self, _app: &mut App, input: &mut PromptInput, by: isize) {
        let last = self.count().saturating_sub(1);
        input.chosen = input.chosen.saturating_add_signed(by).min(last);
    }

    /// True if the choices can be turned by pages.
    fn has_pages(&self) -> bool {
        true
    }

    /// Returns the files that accepting it edits, which are locked first.
    fn edits(&self, _app: &mut App, _input: &PromptInput) -> Vec<usize> {
        Vec::new()
    }

    /// Does what was asked for with the text and the selected choice. The prompt is closed by then.
    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect>;

    /// Undoes what typing has changed. The prompt is closed by then.
    fn cancel(self: Box<Self>, _app: &mut App) -> Vec<Effect> {
        Vec::new()
    }
}

/// The text typed into a prompt, and the selected choice.
#[derive(Clone, Debug)]
pub struct PromptInput {
    pub field: TextField,
    /// True if the field has held text at any time since the prompt was opened.
    held: bool,
    /// The position of the selected choice.
    pub chosen: usize,
}

impl PromptInput {
    pub fn text(&self) -> String {
        self.field.text()
    }

    pub fn is_empty(&self) -> bool {
        self.field.text().is_empty()
    }
}

/// An open prompt.
#[derive(Debug)]
pub struct Prompt {
    pub kind: Box<dyn PromptKind>,
    pub input: PromptInput,
}

impl Prompt {
    /// Returns the position of the selected choice.
    pub fn selected(&self) -> Option<usize> {
        self.kind.selected(&self.input)
    }

    /// Returns the choices that fit on the screen, around the selected one.
    pub fn listed(&self, size: Size) -> Range<usize> {
        let room = usize::from(size.height).saturating_sub(4).min(LISTED);
        let selected = self.selected();
        let first = selected.map_or(0, |selected| (selected + 1).saturating_sub(room));
        first..(first + room).min(self.kind.count())
    }

    /// Returns the area of the list with its title; empty if there are no choices.
    fn list_area(&self, size: Size) -> Rect {
        match self.listed(size).len() {
            0 => Rect::default(),
            rows => window(size, rows),
        }
    }

    /// Updates the choices after the text has changed.
    fn changed(&mut self, app: &mut App) -> Vec<Effect> {
        self.input.held |= !self.input.is_empty();
        self.kind.changed(app, &mut self.input)
    }
}

impl App {
    /// Opens a prompt that holds `text`.
    pub(super) fn ask(&mut self, kind: impl PromptKind + 'static, text: &str) -> Vec<Effect> {
        let mut prompt = Prompt {
            kind: Box::new(kind),
            input: PromptInput {
                field: TextField::new(text),
                held: false,
                chosen: 0,
            },
        };
        let effects = prompt.changed(self);
        self.overlay.open = Some(Overlay::Prompt(Box::new(prompt)));
        effects
    }

    /// Lets `change` change the open prompt. The prompt stays open.
    fn with_prompt(
        &mut self,
        change: impl FnOnce(&mut Prompt, &mut Self) -> Vec<Effect>,
    ) -> Vec<Effect> {
        match self.overlay.open.take() {
            Some(Overlay::Prompt(mut prompt)) => {
                let effects = change(&mut prompt, self);
                self.overlay.open = Some(Overlay::Prompt(prompt));
                effects
            }
            other => {
                self.overlay.open = other;
                Vec::new()
            }
        }
    }

    /// Accepts the prompt (Enter).
    pub(super) fn prompt_accept(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = self.overlay.open.take() else {
            return Vec::new();
        };
        let files = prompt.kind.edits(self, &prompt.input);
        self.overlay.open = Some(Overlay::Prompt(prompt));
        self.lock_for(files, Action::AcceptPrompt)
    }

    pub(super) fn accept_now(&mut self) -> Vec<Effect> {
        match self.overlay.open.take() {
            Some(Overlay::Prompt(prompt)) => prompt.kind.accept(self, prompt.input),
            other => {
                self.overlay.open = other;
                Vec::new()
            }
        }
    }

    /// Cancels the prompt (Esc).
    pub(super) fn prompt_cancel(&mut self) -> Vec<Effect> {
        match self.overlay.open.take() {
            Some(Overlay::Prompt(prompt)) => prompt.kind.cancel(self),
            _ => Vec::new(),
        }
    }

    /// Selects the choice `by` places further.
    pub(super) fn prompt_step(&mut self, by: isize) {
        self.with_prompt(|prompt, app| {
            prompt.kind.step(app, &mut prompt.input, by);
            Vec::new()
        });
    }

    /// Selects the choice `by` pages further.
    pub(super) fn prompt_page(&mut self, by: isize) {
        if let Some(Overlay::Prompt(prompt)) = &self.overlay.open
            && prompt.kind.has_pages()
        {
            self.prompt_step(by * LISTED as isize);
        }
    }

    /// Handles a key while a prompt is open.
    pub(super) fn prompt_key(&mut self, key: Key) -> Vec<Effect> {
        if let KeyLookup::Command(command) = self.input.keymap.find(&[Scope::Prompt], &[key]) {
            return (command.run)(self, None);
        }
        let Some(Overlay::Prompt(prompt)) = &self.overlay.open else {
            return Vec::new();
        };
        let digits = prompt.kind.digits();
        let is_typed = matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
        if (!is_typed || digits == Digits::PickOnly)
            && let KeyLookup::Command(command) =
                self.input.keymap.find(&[Scope::Everywhere], &[key])
            && command.availability == Availability::Always
        {
            return self.run(command, None);
        }
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay.open else {
            return Vec::new();
        };
        if let (Digits::Pick | Digits::PickOnly, Some(digit @ 1..)) = (digits, key.digit())
            && prompt.input.is_empty()
        {
            if digit > prompt.kind.count() {
                return Vec::new();
            }
            prompt.input.chosen = digit - 1;
            return self.prompt_accept();
        }
        if digits == Digits::PickOnly {
            return self.prompt_cancel();
        }
        // Backspace closes a prompt that was empty from the start. A prompt that had text stays
        // open: a user who holds the key down to empty it must not run a command in the pane below.
        if key.code == Code::Backspace && prompt.input.is_empty() {
            return if prompt.input.held {
                Vec::new()
            } else {
                self.prompt_cancel()
            };
        }
        // Enter with a modifier would break the line.
        if key.breaks_line() && !prompt.kind.is_long() {
            return self.prompt_accept();
        }
        self.with_prompt(|prompt, app| {
            if prompt.input.field.input(key) {
                prompt.changed(app)
            } else {
                Vec::new()
            }
        })
    }

    /// Pastes a text into the open prompt.
    pub(super) fn prompt_paste(&mut self, text: &str) -> Vec<Effect> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.with_prompt(|prompt, app| {
            let text = if prompt.kind.is_long() {
                text
            } else {
                in_one_line(&text)
            };
            prompt.input.field.insert(&text);
            prompt.changed(app)
        })
    }

    /// Handles a click while a prompt is open: on a choice it picks that, elsewhere it closes the
    /// prompt.
    pub(super) fn click_prompt(&mut self, mouse: Mouse) -> Vec<Effect> {
        let size = self.panes.size;
        let Some(Overlay::Prompt(prompt)) = &self.overlay.open else {
            return Vec::new();
        };
        let area = prompt.list_area(size);
        let is_inside = area.contains(mouse.place());
        if mouse.row + 1 >= size.height || is_inside && mouse.row == area.y {
            // The prompt itself, or the title.
            return Vec::new();
        }
        if !is_inside {
            return self.prompt_cancel();
        }
        let place = prompt.listed(size).start + usize::from(mouse.row - body(area).y);
        let from = prompt.selected().map_or(-1, |selected| selected as isize);
        let accepts = prompt.kind.accepts_click();
        self.prompt_step(place as isize - from);
        if accepts {
            self.prompt_accept()
        } else {
            Vec::new()
        }
    }
}

/// Returns a text for a field of one line: line breaks and other control characters become spaces.
fn in_one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.replace(breaks, " ")
}
