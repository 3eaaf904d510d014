//! Prompts: lines to type into, with choices to pick from. Each is a [`Picker`](crate::app::core::Picker), made of data:
//! its words, its choices, and what happens as the user types and accepts.

use std::fmt;
use std::ops::Range;

use ratatui::layout::{Rect, Size};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::core::{App, RowMotion, Window, WindowContent};
use crate::app::input::{Availability, Code, Command, Key, KeyLookup, Mouse, Scope, TextField};
use crate::app::pane::long_text::{LongText, MARGIN, TextMarks, TypedText, text_columns};
use crate::app::pane::window_space::{WindowSpace, inside};
use crate::app::pane::{Ink, Line, truncated};
use crate::app::state::{Draft, DraftAbout};
use crate::text::{grouped, visible, width};

/// The most choices to list at once.
pub const LISTED: usize = 14;

/// The meaning of a digit while nothing is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// It is typed.
    Type,
    /// It picks one of the first choices.
    Pick,
    /// As [`Digits::Pick`]; the prompt takes no text, and a key without a meaning in it closes it.
    PickOnly,
}

/// The choices of a prompt, and what happens with them: those of a [`Picker`](crate::app::core::Picker), whatever it lists.
pub trait Choices: fmt::Debug {
    fn words(&self) -> &PromptWords;

    /// Returns the title of its window; None while it has no window.
    fn title(&self, app: &App, input: &PromptInput) -> Option<String>;

    /// Number of choices.
    fn count(&self) -> usize;

    /// Returns choice `number` as it is listed.
    fn choice(&self, app: &App, number: usize, input: &PromptInput) -> Line;

    /// Returns the choice that a digit from 1 picks.
    fn choice_of_digit(&self, digit: usize) -> Option<usize>;

    /// Returns the position of the selected choice.
    fn selected(&self, input: &PromptInput) -> Option<usize>;

    /// Updates the choices, and what the panes show, after the text has changed.
    fn changed(&mut self, app: &mut App, input: &mut PromptInput);

    /// Selects the choice `by` places further.
    fn step(&mut self, app: &mut App, input: &mut PromptInput, by: isize);

    /// Does what was asked for with the text and the selected choice. The prompt is closed by then.
    fn accept(self: Box<Self>, app: &mut App, input: PromptInput);

    /// Undoes what typing has changed. The prompt is closed by then.
    fn cancel(self: Box<Self>, app: &mut App);
}

/// The words of a prompt, and what kind of text it takes.
#[derive(Debug)]
pub struct PromptWords {
    /// Before the text.
    pub prefix: &'static str,
    /// The placeholder while nothing is typed.
    pub hint: &'static str,
    /// The title of its window, if it has one.
    pub title: Option<String>,
    pub digits: Digits,
    /// The text may have several lines.
    pub is_long: bool,
    /// The text is taken as it is, with the spaces around it.
    pub is_exact: bool,
    /// The marks under a text of several lines.
    pub marks: TextMarks,
    /// The line of the list if there are no choices.
    pub without_choices: Line,
    /// A click on a choice accepts it; otherwise it only selects it.
    pub accepts_click: bool,
}

impl PromptWords {
    /// Returns a typed text as it is taken.
    pub fn as_taken<'t>(&self, typed: &'t str) -> &'t str {
        if self.is_exact { typed } else { typed.trim() }
    }
}

/// The text typed into a prompt, and the selected choice.
#[derive(Clone, Debug)]
pub struct PromptInput {
    pub field: TextField,
    /// True if the field has held text at any time since the prompt was opened.
    pub held: bool,
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

/// The most choices below a text of several lines.
const BELOW_TEXT: usize = 4;

/// A text of several lines has at least so many rows, if the screen does.
const TYPED: u16 = 8;

/// Returns the largest number of rows for a text of several lines.
pub fn long_text_rows(size: Size) -> u16 {
    (size.height * 3 / 5).max(TYPED).min(size.height.saturating_sub(4))
}

/// An open prompt.
#[derive(Debug)]
pub struct Prompt {
    choices: Box<dyn Choices>,
    pub input: PromptInput,
    /// Identifies it, if its text is kept when the user cancels it.
    about: Option<DraftAbout>,
    /// The text of a draft that it began with.
    draft: Option<String>,
}

impl Prompt {
    /// Returns the position of the selected choice.
    pub fn selected(&self) -> Option<usize> {
        self.choices.selected(&self.input)
    }

    /// Returns the choices that fit on the screen, around the selected one.
    pub fn listed(&self, size: Size) -> Range<usize> {
        let room = usize::from(size.height).saturating_sub(4).min(LISTED);
        let selected = self.selected();
        let first = selected.map_or(0, |selected| (selected + 1).saturating_sub(room));
        first..(first + room).min(self.choices.count())
    }

    /// Returns the choices that are listed below a text of several lines.
    fn below_text(&self, size: Size) -> Range<usize> {
        let Range { start, end } = self.listed(size);
        start..end.min(start + BELOW_TEXT)
    }

    /// Returns the area of the list with its border; empty if there are no choices.
    pub fn list_frame(&self, space: WindowSpace) -> Rect {
        match self.listed(space.0).len() {
            0 => Rect::default(),
            rows => space.frame(rows),
        }
    }

    pub fn words(&self) -> &PromptWords {
        self.choices.words()
    }

    /// True if a step goes to a choice below a text of several lines: from the end of the text, and back.
    fn is_among_choices(&self, by: isize) -> bool {
        let field = &self.input.field;
        let is_at_end = field.cursor_byte() == field.text().len();
        self.choices.count() > 0 && is_at_end && (by > 0 || self.selected().is_some())
    }

    /// True if its text is in the last row of the screen.
    pub fn is_in_last_row(&self) -> bool {
        !self.words().is_long
    }

    /// Lays out the text, which may have several lines.
    pub fn long_text(&self, space: WindowSpace) -> LongText {
        let field = &self.input.field;
        let typed = TypedText {
            text: &field.text(),
            cursor: field.cursor_byte(),
            selection: field.selection(),
            marks: &self.words().marks,
        };
        let columns = space.columns().saturating_sub(1);
        LongText::new(&typed, columns, long_text_rows(space.0).into())
    }

    /// Returns the area of its window; empty if it has none.
    pub fn frame(&self, space: WindowSpace) -> Rect {
        if self.words().is_long {
            space.frame(self.long_text(space).lines.len() + self.below_text(space.0).len())
        } else {
            self.list_frame(space)
        }
    }

    /// Returns its words and the typed text in one row of `columns`, of which the last is for the cursor, and
    /// the column of the cursor. Of a long text, the part before the cursor is shown.
    pub fn line(&self, columns: usize) -> (Line, usize) {
        let line = Line::of(Ink::Key, self.words().prefix);
        let start = line.width();
        let room = columns.saturating_sub(start + 1);
        let text = self.input.field.text();
        if text.is_empty() {
            let hint = truncated(self.words().hint, room);
            return (line.with(Ink::Dim, &hint), start);
        }
        let before: String = text.chars().take(self.input.field.cursor().1).collect();
        let before = width(&visible(&before));
        let hidden = before.saturating_sub(room);
        let (mut shown, mut skipped, mut taken) = (String::new(), 0, 0);
        for grapheme in visible(&text).graphemes(true) {
            if skipped < hidden {
                skipped += width(grapheme);
            } else if taken + width(grapheme) <= room {
                taken += width(grapheme);
                shown.push_str(grapheme);
            } else {
                break;
            }
        }
        let column = start + before.saturating_sub(skipped);
        (line.with(Ink::Plain, &shown), column)
    }

    /// Returns these choices as they are listed, with a mark on the selected one.
    fn choice_lines(&self, app: &App, listed: Range<usize>) -> impl Iterator<Item = Line> {
        let selected = self.selected();
        listed.map(move |number| {
            let is_selected = Some(number) == selected;
            let mut line = Line::of(Ink::Strong, if is_selected { "▸ " } else { "  " });
            let choice = self.choices.choice(app, number, &self.input);
            line.runs.extend(choice.runs);
            line.selected = is_selected;
            line
        })
    }

    /// Returns the window of its choices, around the selected one.
    fn listing(&self, app: &App, title: String) -> WindowContent {
        let listed = self.listed(app.panes.size);
        let all = self.choices.count();
        let note = if listed.len() < all {
            format!(" {}–{} of {} ", listed.start + 1, listed.end, grouped(all))
        } else {
            String::new()
        };
        let rows = listed.len().max(1);
        let lines = if listed.is_empty() {
            vec![self.words().without_choices.clone()]
        } else {
            self.choice_lines(app, listed).collect()
        };
        let content = WindowContent::new(app, rows, title, lines);
        WindowContent { note, ..content }
    }

    /// Updates the choices after the text has changed.
    pub fn changed(&mut self, app: &mut App) {
        self.input.held |= !self.input.is_empty();
        self.choices.changed(app, &mut self.input);
    }
}

impl Window for Prompt {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Prompt]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let title = self.choices.title(app, &self.input)?;
        if !self.words().is_long {
            return Some(self.listing(app, title));
        }
        let space = app.panes.window();
        let LongText { mut lines, cursor, .. } = self.long_text(space);
        lines.extend(self.choice_lines(app, self.below_text(space.0)));
        let again = self.draft.as_ref().map(|_| {
            let cancel = app.key(Command::Cancel);
            format!(" your earlier text · {cancel} discards it ")
        });
        let (frame, note) = (self.frame(space), again.unwrap_or_default());
        Some(WindowContent { frame, title, note, lines, cursor: Some(cursor) })
    }

    fn frame_below_turn(&self, _: &App, space: WindowSpace) -> Rect {
        self.frame(space)
    }

    fn on_click(&self) -> fn(&mut App, Mouse) {
        App::click_prompt
    }

    fn on_motion(&self) -> fn(&mut App, RowMotion) {
        |app, motion| match motion {
            RowMotion::Steps(by) => app.prompt_step(by),
            RowMotion::Wheel(by) => app.prompt_step(by.signum()),
            RowMotion::Pages(by) => app.prompt_page(by),
            // Home and End are keys of the text.
            RowMotion::First | RowMotion::Last => {}
        }
    }
}

impl App {
    /// Opens a prompt that holds `text`.
    pub fn ask(&mut self, choices: impl Choices + 'static, text: &str) {
        self.ask_again(choices, text, None);
    }

    /// Opens a prompt for `text` that holds what was typed before, if there is something.
    pub fn ask_again(&mut self, choices: impl Choices + 'static, text: &str, typed: Option<&str>) {
        let mut prompt = Prompt {
            choices: Box::new(choices),
            input: PromptInput { field: TextField::new(text), held: false, chosen: 0 },
            about: None,
            draft: None,
        };
        prompt.changed(self);
        if prompt.words().is_long {
            let title = prompt.choices.title(self, &prompt.input).unwrap_or_default();
            let about = DraftAbout { title, place: self.place(), text: text.to_owned() };
            let draft = self.session.draft.as_ref();
            if let Some(typed) = typed {
                prompt.input.field = TextField::new(typed);
                prompt.changed(self);
            } else if let Some(draft) = draft.filter(|draft| draft.about == about) {
                prompt.input.field = TextField::new(&draft.text);
                prompt.draft = Some(draft.text.clone());
                prompt.changed(self);
            }
            prompt.about = Some(about);
        }
        self.windows.open(prompt);
    }

    /// Applies `change` to the open prompt, which stays open.
    fn with_prompt(&mut self, change: impl FnOnce(&mut Prompt, &mut Self)) {
        if let Some(mut prompt) = self.windows.take::<Prompt>() {
            change(&mut prompt, self);
            self.windows.put_back(prompt);
        }
    }

    /// Accepts the prompt (Enter).
    pub fn prompt_accept(&mut self) {
        if let Some(prompt) = self.windows.take::<Prompt>() {
            if prompt.draft.is_some() {
                self.session.draft = None;
            }
            let text = prompt.input.text();
            let steps = self.workspace.steps.applied().len();
            prompt.choices.accept(self, prompt.input);
            // The text of an edit that is refused is not lost.
            let is_stopped = self.status.bad || !self.windows.questions.is_empty();
            let is_refused = is_stopped && self.workspace.steps.applied().len() == steps;
            let is_lost = is_refused && self.windows.get::<Prompt>().is_none();
            let about = prompt.about.filter(|about| is_lost && about.text != text);
            if let Some(about) = about {
                self.session.draft = Some(Draft { about, text });
            }
        }
    }

    /// Cancels the prompt (Esc).
    pub fn prompt_cancel(&mut self) {
        let Some(prompt) = self.windows.take::<Prompt>() else {
            return;
        };
        let text = prompt.input.text();
        if prompt.draft.as_ref() == Some(&text) {
            self.session.draft = None;
        } else if let Some(about) = prompt.about.filter(|about| about.text != text) {
            self.say("not saved · reopen the prompt to get your text back");
            self.session.draft = Some(Draft { about, text });
        }
        prompt.choices.cancel(self);
    }

    /// Selects the choice `by` places further; in a text of several lines, moves the cursor by rows.
    fn prompt_step(&mut self, by: isize) {
        let columns = self.panes.window_columns();
        self.with_prompt(|prompt, app| {
            if prompt.words().is_long && !prompt.is_among_choices(by) {
                let columns = text_columns(columns);
                prompt.input.field.step_row(columns, by, false);
            } else {
                prompt.choices.step(app, &mut prompt.input, by);
            }
        });
    }

    /// Selects the choice `by` pages further; in a text of several lines, moves the cursor by pages.
    fn prompt_page(&mut self, by: isize) {
        if let Some(prompt) = self.windows.get::<Prompt>() {
            let rows = if prompt.words().is_long {
                usize::from(long_text_rows(self.panes.size).max(2)) - 1
            } else {
                LISTED
            };
            self.prompt_step(by * rows as isize);
        }
    }

    /// Handles a key while a prompt is open.
    pub fn prompt_key(&mut self, key: Key) {
        if let KeyLookup::Command(command) = self.input.keymap.find(&[Scope::Prompt], &[key]) {
            return self.run_now(command, None);
        }
        let Some(prompt) = self.windows.get::<Prompt>() else {
            return;
        };
        let digits = prompt.words().digits;
        if (!key.types() || digits == Digits::PickOnly)
            && let KeyLookup::Command(command) =
                self.input.keymap.find(&[Scope::Everywhere], &[key])
            && command.row().availability == Availability::Always
        {
            return self.run(command, None);
        }
        let Some(prompt) = self.windows.get_mut::<Prompt>() else {
            return;
        };
        if let (Digits::Pick | Digits::PickOnly, Some(digit @ 1..)) = (digits, key.digit())
            && prompt.input.is_empty()
        {
            let choice = prompt.choices.choice_of_digit(digit);
            let Some(choice) = choice.filter(|choice| *choice < prompt.choices.count()) else {
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
        if key.breaks_line() && !prompt.words().is_long {
            return self.prompt_accept();
        }
        let columns = text_columns(self.panes.window_columns());
        self.with_prompt(|prompt, app| {
            let is_long = prompt.words().is_long;
            let field = &mut prompt.input.field;
            let by = match key.code {
                Code::Up => -1,
                Code::Down => 1,
                _ => 0,
            };
            if by != 0 && is_long {
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
        match self.input.keymap.find(&[Scope::Transcript], &[key]) {
            KeyLookup::Command(Command::TurnNext) => self.prompt_step(1),
            KeyLookup::Command(Command::TurnPrevious) => self.prompt_step(-1),
            _ => self.prompt_cancel(),
        }
    }

    /// Pastes a text into the open prompt.
    pub fn prompt_paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.with_prompt(|prompt, app| {
            let text = if prompt.words().is_long { text } else { in_one_line(&text) };
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
            let area = inside(space.frame(shown.lines.len()));
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
        let Some(prompt) = self.windows.get::<Prompt>() else {
            return;
        };
        if prompt.words().is_long {
            return self.click_long_text(mouse);
        }
        let frame = prompt.frame(self.panes.window());
        let (area, is_on_window) = (inside(frame), frame.contains(mouse.place()));
        let is_choice = area.contains(mouse.place());
        if mouse.row + 1 >= size.height || is_on_window && !is_choice {
            // The prompt itself, or the border.
            return;
        }
        if !is_on_window {
            return self.prompt_cancel();
        }
        let place = prompt.listed(size).start + usize::from(mouse.row - area.y);
        let from = prompt.selected().map_or(-1, |selected| selected as isize);
        let accepts = prompt.words().accepts_click;
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
