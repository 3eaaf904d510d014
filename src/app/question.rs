//! Questions to the user. Each question is a type in the file of its subject: its text, its answers,
//! and what each of them does.

use std::any::Any;
use std::fmt;

use super::command::{self, Command};
use super::line::Line;
use super::locking::Action;
use super::{App, Effect, Overlay};

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
    fn command(self) -> &'static Command {
        match self {
            Self::Yes => &command::ANSWER_YES,
            Self::No => &command::ANSWER_NO,
            Self::Export => &command::ANSWER_KEEP,
            Self::Show => &command::ANSWER_SHOW,
            Self::Later => &command::ANSWER_LATER,
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
    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect>;

    /// The answer that changes nothing and that Enter therefore gives: users press Enter out of habit.
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

    pub(super) fn as_type_mut<Q: Question>(&mut self) -> Option<&mut Q> {
        (self as &mut dyn Any).downcast_mut()
    }

    /// True if `other` asks the same about the same file.
    fn is_same(&self, other: &dyn Question) -> bool {
        self.file().is_some() && self.file() == other.file() && self.type_id() == other.type_id()
    }

    /// Returns the keys of the answers, each with what it does here.
    pub fn keys(&self, app: &App) -> Vec<(String, &'static str)> {
        let key = |(answer, does): (Answer, _)| {
            let mut key = app.input.keymap.shown(answer.command());
            if answer == self.safe_answer() {
                key = format!("{key} {}", app.input.keymap.shown(&command::ANSWER_SAFE));
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

impl App {
    /// Asks a question now.
    pub(super) fn ask_now(&mut self, question: impl Question) {
        self.overlay.open = Some(Overlay::Question(Box::new(question)));
    }

    /// Asks a question as soon as nothing else is open, unless it is asked already.
    pub(super) fn ask_once(&mut self, question: impl Question) {
        if !self.asked().any(|asked| asked.is_same(&question)) {
            self.overlay.questions.push_back(Box::new(question));
        }
    }

    /// Returns the open question and the waiting ones.
    pub(super) fn asked(&self) -> impl Iterator<Item = &dyn Question> {
        let open = match &self.overlay.open {
            Some(Overlay::Question(question)) => Some(&**question),
            _ => None,
        };
        open.into_iter()
            .chain(self.overlay.questions.iter().map(|question| &**question))
    }

    /// Returns the question of this type, open or waiting.
    pub(super) fn asked_mut<Q: Question>(&mut self) -> Option<&mut Q> {
        let open = match &mut self.overlay.open {
            Some(Overlay::Question(question)) => Some(question),
            _ => None,
        };
        let mut asked = open.into_iter().chain(&mut self.overlay.questions);
        asked.find_map(|question| question.as_type_mut())
    }

    /// Answers the open question.
    pub(super) fn answer(&mut self, answer: Answer) -> Vec<Effect> {
        let Some(Overlay::Question(question)) = &self.overlay.open else {
            return Vec::new();
        };
        let offered = |answer| question.answers(self).iter().any(|(o, _)| *o == answer);
        let answer = match answer {
            Answer::No if !offered(answer) => Answer::Later,
            Answer::Export | Answer::Show if !offered(answer) => return Vec::new(),
            answer => answer,
        };
        let Some(Overlay::Question(question)) = self.overlay.open.take() else {
            return Vec::new();
        };
        let files = question.edits(self, answer);
        self.overlay.open = Some(Overlay::Question(question));
        self.lock_for(files, Action::Answer(answer))
    }

    pub(super) fn answer_now(&mut self, answer: Answer) -> Vec<Effect> {
        match self.overlay.open.take() {
            Some(Overlay::Question(question)) => question.answer(self, answer),
            other => {
                self.overlay.open = other;
                Vec::new()
            }
        }
    }

    /// Gives the open question the answer that changes nothing.
    pub(super) fn answer_safely(&mut self) -> Vec<Effect> {
        match &self.overlay.open {
            Some(Overlay::Question(question)) => self.answer(question.safe_answer()),
            _ => Vec::new(),
        }
    }

    /// Returns the largest number of rows for the lines of a question.
    pub fn question_rows(&self) -> usize {
        usize::from(self.panes.size.height).saturating_sub(8).max(1)
    }

    /// Scrolls the lines of the open question.
    pub(super) fn scroll_question(&mut self, by: isize) {
        let page = self.question_rows();
        if let Some(Overlay::Question(question)) = &mut self.overlay.open
            && let Some(QuestionDetails { lines, top }) = question.details_mut()
        {
            let last = lines.len().saturating_sub(page);
            *top = top.saturating_add_signed(by).min(last);
        }
    }
}
