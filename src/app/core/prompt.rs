//! Prompts: lines to type into, with choices to pick from. Each prompt is a type in a file of its feature,
//! which defines its words, its choices, and what happens as the user types and accepts.

use crate::app::core::overlay::{LISTED, long_text_frame, long_text_rows};
use crate::app::core::{Action, App, Digits, Overlay, Prompt, PromptInput, PromptKind};
use crate::app::input::{Availability, Code, Command, Key, KeyLookup, Mouse, Scope, TextField};
use crate::app::pane::long_text::{MARGIN, text_columns};
use crate::app::pane::window_space::inside;

impl App {
    /// Opens a prompt that holds `text`.
    pub fn ask(&mut self, kind: impl PromptKind + 'static, text: &str) {
        let mut prompt = Prompt {
            kind: Box::new(kind),
            input: PromptInput {
                field: TextField::new(text),
                held: false,
                chosen: 0,
            },
        };
        prompt.changed(self);
        self.overlay.open = Some(Overlay::Prompt(Box::new(prompt)));
    }

    /// Applies `change` to the open prompt, which stays open.
    fn with_prompt(&mut self, change: impl FnOnce(&mut Prompt, &mut Self)) {
        match self.overlay.open.take() {
            Some(Overlay::Prompt(mut prompt)) => {
                change(&mut prompt, self);
                self.overlay.open = Some(Overlay::Prompt(prompt));
            }
            other => {
                self.overlay.open = other;
            }
        }
    }

    /// Accepts the prompt (Enter).
    pub fn prompt_accept(&mut self) {
        let Some(Overlay::Prompt(prompt)) = self.overlay.open.take() else {
            return;
        };
        let files = prompt.kind.edits(self, &prompt.input);
        self.overlay.open = Some(Overlay::Prompt(prompt));
        self.lock_for(files, Action::AcceptPrompt);
    }

    pub fn accept_now(&mut self) {
        match self.overlay.open.take() {
            Some(Overlay::Prompt(prompt)) => prompt.kind.accept(self, prompt.input),
            other => {
                self.overlay.open = other;
            }
        }
    }

    /// Cancels the prompt (Esc).
    pub fn prompt_cancel(&mut self) {
        if let Some(Overlay::Prompt(prompt)) = self.overlay.open.take() {
            prompt.kind.cancel(self);
        }
    }

    /// Selects the choice `by` places further; in a text of several lines, moves the cursor by rows.
    pub fn prompt_step(&mut self, by: isize) {
        let columns = self.panes.window_columns();
        self.with_prompt(|prompt, app| {
            if prompt.kind.is_long() {
                let columns = text_columns(columns);
                prompt.input.field.step_row(columns, by, false);
            } else {
                prompt.kind.step(app, &mut prompt.input, by);
            }
        });
    }

    /// Selects the choice `by` pages further; in a text of several lines, moves the cursor by pages.
    pub fn prompt_page(&mut self, by: isize) {
        if let Some(Overlay::Prompt(prompt)) = &self.overlay.open
            && prompt.kind.has_pages()
        {
            let rows = if prompt.kind.is_long() {
                usize::from(long_text_rows(self.panes.size).max(2)) - 1
            } else {
                LISTED
            };
            self.prompt_step(by * rows as isize);
        }
    }

    /// Handles a key while a prompt is open.
    pub fn prompt_key(&mut self, key: Key) {
        if let KeyLookup::Command(command) = self.input.find(&[Scope::Prompt], &[key]) {
            return self.run_now(command, None);
        }
        let Some(Overlay::Prompt(prompt)) = &self.overlay.open else {
            return;
        };
        let digits = prompt.kind.digits();
        let is_typed = matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
        if (!is_typed || digits == Digits::PickOnly)
            && let KeyLookup::Command(command) = self.input.find(&[Scope::Everywhere], &[key])
            && command.row().availability == Availability::Always
        {
            return self.run(command, None);
        }
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay.open else {
            return;
        };
        if let (Digits::Pick | Digits::PickOnly, Some(digit @ 1..)) = (digits, key.digit())
            && prompt.input.is_empty()
        {
            let choice = prompt.kind.choice_of_digit(digit);
            let Some(choice) = choice.filter(|choice| *choice < prompt.kind.count()) else {
                return;
            };
            prompt.input.chosen = choice;
            return self.prompt_accept();
        }
        if digits == Digits::PickOnly {
            return self.pick_key(key);
        }
        // Backspace closes a prompt that was empty from the start. A prompt that had text stays
        // open: a user who holds the key down to empty it must not run a command in the pane below.
        if key.code == Code::Backspace && prompt.input.is_empty() {
            return if prompt.input.held {
            } else {
                self.prompt_cancel();
            };
        }
        // Enter with a modifier would break the line.
        if key.breaks_line() && !prompt.kind.is_long() {
            return self.prompt_accept();
        }
        let columns = text_columns(self.panes.window_columns());
        self.with_prompt(|prompt, app| {
            let field = &mut prompt.input.field;
            let by = match key.code {
                Code::Up => -1,
                Code::Down => 1,
                _ => 0,
            };
            if by != 0 && prompt.kind.is_long() {
                field.step_row(columns, by, key.shift);
                return;
            }
            if field.input(key) {
                prompt.changed(app);
            }
        });
    }

    /// Handles a key in a prompt that takes no text: the keys that go from turn to turn go from choice to choice.
    fn pick_key(&mut self, key: Key) {
        match self.input.find(&[Scope::Transcript], &[key]) {
            KeyLookup::Command(Command::TurnNext) => self.prompt_step(1),
            KeyLookup::Command(Command::TurnPrevious) => self.prompt_step(-1),
            _ => self.prompt_cancel(),
        }
    }

    /// Pastes a text into the open prompt.
    pub fn prompt_paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.with_prompt(|prompt, app| {
            let text = if prompt.kind.is_long() {
                text
            } else {
                in_one_line(&text)
            };
            prompt.input.field.insert(&text);
            prompt.changed(app);
        });
    }

    /// Puts the cursor where the user clicks in a text of several lines. Other clicks do nothing, because
    /// the text that has been typed would be lost.
    fn click_long_text(&mut self, mouse: Mouse) {
        let space = self.panes.window();
        self.with_prompt(|prompt, _| {
            let shown = prompt.long_text(space);
            let area = inside(long_text_frame(space, &shown));
            if area.contains(mouse.place())
                && let Some(Some(row)) = shown.rows.get(usize::from(mouse.row - area.y))
            {
                let column = usize::from(mouse.column - area.x).saturating_sub(MARGIN);
                prompt.input.field.move_to_column(row, column);
            }
        });
    }

    /// Handles a click while a prompt is open: on a choice it picks that, elsewhere it closes the
    /// prompt.
    pub fn click_prompt(&mut self, mouse: Mouse) {
        let size = self.panes.size;
        let Some(Overlay::Prompt(prompt)) = &self.overlay.open else {
            return;
        };
        if prompt.kind.is_long() {
            return self.click_long_text(mouse);
        }
        let frame = self.overlay.prompt_frame(self.panes.window());
        let (area, is_on_window) = (inside(frame), frame.contains(mouse.place()));
        let is_choice = area.contains(mouse.place()) && prompt.kind.explained() == 0;
        if mouse.row + 1 >= size.height || is_on_window && !is_choice {
            // The prompt itself, or the border.
            return;
        }
        if !is_on_window {
            return self.prompt_cancel();
        }
        let place = prompt.listed(size).start + usize::from(mouse.row - area.y);
        let from = prompt.selected().map_or(-1, |selected| selected as isize);
        let accepts = prompt.kind.accepts_click();
        self.prompt_step(place as isize - from);
        if accepts {
            self.prompt_accept();
        }
    }
}

/// Returns a text for a field of one line: line breaks and other control characters become spaces.
fn in_one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.replace(breaks, " ")
}
