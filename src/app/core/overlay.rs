//! Overlays: the help, a question, a prompt, a list of fixes or of suggestions. Each prompt and each question is a type in a
//! file of its feature, which defines its words, its choices or answers, and what each answer does.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use ratatui::layout::{Rect, Size};

use crate::app::core::App;
use crate::app::input::{Command, TextField};
use crate::app::pane::long_text::{LongText, TextMarks, TypedText};
use crate::app::pane::window_space::WindowSpace;
use crate::app::pane::{Ink, Line};
use crate::app::state::{BulkFix, Help, Status};

/// The most choices to list at once.
pub const LISTED: usize = 14;

/// The overlay above the panes.
#[derive(Debug)]
pub enum Overlay {
    Help(Box<Help>),
    Prompt(Box<Prompt>),
    Question(Box<dyn Question>),
    /// A list of fixes to apply at once.
    Review(Box<BulkFix>),
    /// The list of suggested edits.
    Suggestions,
}

/// The open overlay, and what comes after it.
#[derive(Debug, Default)]
pub struct Overlays {
    pub open: Option<Overlay>,
    /// Questions to ask as soon as nothing else is open.
    pub questions: VecDeque<Box<dyn Question>>,
    /// The reports that a question covers; shown again after the answer, until the next key.
    pub covered: Status,
    /// Number of bulk-fix lists opened so far.
    pub lists: u64,
}

impl Overlays {
    /// Returns the area of the window of a prompt; empty if it has none.
    pub fn prompt_frame(&self, space: WindowSpace) -> Rect {
        match &self.open {
            Some(Overlay::Prompt(prompt)) if prompt.kind.is_long() => {
                long_text_frame(space, &prompt.long_text(space))
            }
            Some(Overlay::Prompt(prompt)) if prompt.kind.explained() > 0 => {
                space.frame(1 + prompt.kind.explained())
            }
            Some(Overlay::Prompt(prompt)) => prompt.list_frame(space),
            _ => Rect::default(),
        }
    }

    /// True if a prompt about the current turn is open.
    pub fn is_about_turn(&self) -> bool {
        matches!(&self.open, Some(Overlay::Prompt(prompt)) if prompt.kind.is_about_turn())
    }
}

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

    /// True if it is about the current turn; its window opens near that.
    fn is_about_turn(&self) -> bool {
        false
    }

    /// True if the text may have several lines.
    fn is_long(&self) -> bool {
        false
    }

    /// The number of lines under its text in a window of its own; 0 if the text is in the last row of the screen.
    fn explained(&self) -> usize {
        0
    }

    /// Returns the lines under its text, [`PromptKind::explained`] of them.
    fn explanation(&self, _app: &App) -> Vec<Line> {
        Vec::new()
    }

    /// Returns the marks under a text that may have several lines.
    fn marks(&self) -> Option<&TextMarks> {
        None
    }

    fn digits(&self) -> Digits {
        Digits::Type
    }

    /// Returns the choice that a digit from 1 picks.
    fn choice_of_digit(&self, digit: usize) -> Option<usize> {
        digit.checked_sub(1)
    }

    /// True if a click on a choice accepts it; otherwise it only selects it.
    fn accepts_click(&self) -> bool {
        true
    }

    /// Number of choices.
    fn count(&self) -> usize {
        0
    }

    /// Returns the line of the list if there are no choices.
    fn without_choices(&self) -> Line {
        Line::of(Ink::Dim, " no matching entry")
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
    fn changed(&mut self, _app: &mut App, _input: &mut PromptInput) {}

    /// Selects the choice `by` places further.
    fn step(&mut self, _app: &mut App, input: &mut PromptInput, by: isize) {
        let last = self.count().saturating_sub(1);
        input.chosen = input.chosen.saturating_add_signed(by).min(last);
    }

    /// True if the user can page through the choices.
    fn has_pages(&self) -> bool {
        true
    }

    /// Returns the files that are edited when the user accepts it; they are locked first.
    fn edits(&self, _app: &mut App, _input: &PromptInput) -> Vec<usize> {
        Vec::new()
    }

    /// Does what was asked for with the text and the selected choice. The prompt is closed by then.
    fn accept(self: Box<Self>, app: &mut App, input: PromptInput);

    /// Undoes what typing has changed. The prompt is closed by then.
    fn cancel(self: Box<Self>, _app: &mut App) {}
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

/// At least so many rows of the screen are for a text of several lines, so that its window seldom grows.
const TYPED: u16 = 8;

/// Returns the largest number of rows for a text of several lines.
pub fn long_text_rows(size: Size) -> u16 {
    (size.height * 3 / 5)
        .max(TYPED)
        .min(size.height.saturating_sub(4))
}

/// Returns the area of the window for a text of several lines, with its border.
pub fn long_text_frame(space: WindowSpace, shown: &LongText) -> Rect {
    space.frame(shown.lines.len().max(TYPED.into()))
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

    /// Returns the area of the list with its border; empty if there are no choices.
    pub fn list_frame(&self, space: WindowSpace) -> Rect {
        match self.listed(space.size).len() {
            0 => Rect::default(),
            rows => space.frame(rows),
        }
    }

    /// Lays out the text, which may have several lines.
    pub fn long_text(&self, space: WindowSpace) -> LongText {
        let marks = TextMarks::default();
        let field = &self.input.field;
        let typed = TypedText {
            text: &field.text(),
            cursor: field.cursor_byte(),
            selection: field.selection(),
            marks: self.kind.marks().unwrap_or(&marks),
        };
        let columns = space.columns().saturating_sub(1);
        LongText::new(&typed, columns, long_text_rows(space.size).into())
    }

    /// Updates the choices after the text has changed.
    pub fn changed(&mut self, app: &mut App) {
        self.input.held |= !self.input.is_empty();
        self.kind.changed(app, &mut self.input);
    }
}

/// An answer; each has a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
    /// Export the edits in question to a file.
    Export,
    /// Show what the question is about.
    Show,
    /// Decide later.
    Later,
}

impl Answer {
    pub const ALL: [Self; 5] = [Self::Yes, Self::No, Self::Export, Self::Show, Self::Later];

    /// The command that gives it.
    pub fn command(self) -> Command {
        match self {
            Self::Yes => Command::AnswerYes,
            Self::No => Command::AnswerNo,
            Self::Export => Command::AnswerKeep,
            Self::Show => Command::AnswerShow,
            Self::Later => Command::AnswerLater,
        }
    }
}

/// A question to the user.
pub trait Question: Any + fmt::Debug {
    fn text(&self, app: &App) -> String;

    /// The answers it offers, in the order on the screen, each with what it does.
    fn answers(&self, app: &App) -> Vec<(Answer, &'static str)>;

    /// Returns the files that an answer edits, which are locked first.
    fn edits(&self, _app: &mut App, _answer: Answer) -> Vec<usize> {
        Vec::new()
    }

    /// Does what an answer says. The question is closed by then.
    fn answer(self: Box<Self>, app: &mut App, answer: Answer);

    /// The answer that changes nothing. Enter gives it, because users press Enter out of habit.
    fn safe_answer(&self) -> Answer {
        Answer::Later
    }

    /// The file it is about. No two questions of one type about one file are asked at once.
    fn file(&self) -> Option<usize> {
        None
    }

    /// The lines shown with it.
    fn details(&self) -> Option<&QuestionDetails> {
        None
    }

    fn details_mut(&mut self) -> Option<&mut QuestionDetails> {
        None
    }
}

impl dyn Question {
    /// Returns the question if it is of this type.
    pub fn as_type<Q: Question>(&self) -> Option<&Q> {
        (self as &dyn Any).downcast_ref()
    }

    pub fn as_type_mut<Q: Question>(&mut self) -> Option<&mut Q> {
        (self as &mut dyn Any).downcast_mut()
    }

    /// True if `other` asks the same about the same file.
    pub fn is_same(&self, other: &dyn Question) -> bool {
        self.file().is_some() && self.file() == other.file() && self.type_id() == other.type_id()
    }

    pub fn offers(&self, app: &App, answer: Answer) -> bool {
        let answers = self.answers(app);
        answers.iter().any(|(offered, _)| *offered == answer)
    }

    /// Returns the keys of the answers, each with what it does here.
    pub fn keys(&self, app: &App) -> Vec<(String, &'static str)> {
        let key = |(answer, does): (Answer, _)| {
            let mut key = app.key(answer.command());
            if answer == self.safe_answer() {
                key = format!("{key} {}", app.key(Command::AnswerSafe));
            }
            (key, does)
        };
        self.answers(app).into_iter().map(key).collect()
    }
}

/// Lines shown with a question, and the number of the first visible one.
#[derive(Clone, Debug, Default)]
pub struct QuestionDetails {
    pub lines: Vec<Line>,
    pub top: usize,
}
