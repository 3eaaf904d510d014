//! Questions to the user. Each question is a type in a file of its feature, which defines its text, its
//! answers, and what each of them does.

use std::any::Any;
use std::fmt;

use crate::app::core::{App, RowMotion, Window, WindowContent};
use crate::app::input::{Command, Scope};
use crate::app::pane::{Ink, Line, wrapped};
use crate::text::width;

/// An answer; each has a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
    /// Export the edits in question to a file.
    Export,
    /// Show what the question is about.
    Show,
    /// Decide later: it changes nothing. Enter gives it, because users press Enter out of habit.
    Later,
}

impl Answer {
    pub const ALL: [Self; 5] = [Self::Yes, Self::No, Self::Export, Self::Show, Self::Later];

    /// Returns the command that gives it.
    pub fn command(self) -> Command {
        match self {
            Self::Yes => Command::AnswerYes,
            Self::No => Command::AnswerNo,
            Self::Export => Command::AnswerExport,
            Self::Show => Command::AnswerShow,
            Self::Later => Command::AnswerLater,
        }
    }
}

/// A question to the user.
pub trait Question: Any + fmt::Debug {
    fn text(&self, app: &App) -> String;

    /// Returns the answers it offers, in the order on the screen, each with what it does.
    fn answers(&self, app: &App) -> Vec<(Answer, &'static str)>;

    /// Does what an answer says. The question is closed by then.
    fn answer(self: Box<Self>, app: &mut App, answer: Answer);

    /// Returns the file it is about. No two questions of one type about one file are asked at once.
    fn file(&self) -> Option<usize> {
        None
    }

    /// Returns the lines shown with it.
    fn lines(&self) -> &[Line] {
        &[]
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
            let mut keys = app.input.keymap.keys_of(answer.command(), &[Scope::Question]);
            // Users press Enter out of habit, and see that they may.
            if let Some(other) = keys.nth(1).filter(|_| answer == Answer::Later) {
                key = format!("{key} {other}");
            }
            (key, does)
        };
        self.answers(app).into_iter().map(key).collect()
    }
}

/// The window of a question.
#[derive(Debug)]
pub struct QuestionWindow {
    pub question: Box<dyn Question>,
    /// The number of the first of its lines that is visible.
    top: usize,
}

impl From<Box<dyn Question>> for QuestionWindow {
    fn from(question: Box<dyn Question>) -> Self {
        Self { question, top: 0 }
    }
}

impl Window for QuestionWindow {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Question]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let question = &self.question;
        let columns = app.panes.window().columns();
        // A long name may need more than the row of the title.
        let asked =
            wrapped(Line::new(), Ink::Strong, &question.text(app), columns.saturating_sub(2));
        let mut asked = asked.into_iter();
        let title = asked.next().unwrap_or_default().text();
        let indent = |mut line: Line| {
            line.runs.splice(0..0, Line::of(Ink::Plain, " ").runs);
            line
        };
        let mut lines: Vec<_> = asked.map(indent).collect();
        let rows = app.question_rows();
        lines.extend(question.lines().iter().skip(self.top).take(rows).cloned());
        let mut line = Line::of(Ink::Plain, " ");
        for (key, answer) in question.keys(app) {
            if line.width() + width(&key) + width(answer) + 1 > columns {
                lines.push(std::mem::replace(&mut line, Line::of(Ink::Plain, " ")));
            }
            line.push(Ink::Key, &key);
            line.push(Ink::Plain, &format!(" {answer}   "));
        }
        lines.push(line);
        Some(WindowContent::new(app, lines.len(), title, lines))
    }

    fn on_motion(&self) -> fn(&mut App, RowMotion) {
        App::scroll_question
    }
}

impl App {
    /// Asks a question now.
    pub fn ask_now(&mut self, question: impl Question) {
        let question: Box<dyn Question> = Box::new(question);
        self.windows.open(QuestionWindow::from(question));
    }

    /// Asks a question as soon as nothing else is open, unless it is asked already.
    pub fn ask_once(&mut self, question: impl Question) {
        if !self.asked().any(|asked| asked.is_same(&question)) {
            self.windows.questions.push_back(Box::new(question));
        }
    }

    /// Returns the open question and the waiting ones.
    pub fn asked(&self) -> impl Iterator<Item = &dyn Question> {
        let open = self.windows.get::<QuestionWindow>();
        let open = open.map(|window| &*window.question);
        open.into_iter().chain(self.windows.questions.iter().map(|question| &**question))
    }

    /// Returns the question of this type, open or waiting.
    pub fn asked_mut<Q: Question>(&mut self) -> Option<&mut Q> {
        let is_open = self.windows.question::<Q>().is_some();
        if is_open {
            let window = self.windows.get_mut::<QuestionWindow>();
            return window.and_then(|window| window.question.as_type_mut());
        }
        let mut waiting = self.windows.questions.iter_mut();
        waiting.find_map(|question| question.as_type_mut())
    }

    /// Answers the open question.
    pub fn answer(&mut self, answer: Answer) {
        let Some(window) = self.windows.take::<QuestionWindow>() else {
            return;
        };
        if window.question.offers(self, answer) {
            window.question.answer(self, answer);
        } else {
            self.windows.put_back(window);
        }
    }

    /// True if a command is not an answer, or is one that the open question offers.
    pub fn is_answerable(&self, command: Command) -> bool {
        let answer = Answer::ALL.into_iter();
        let mut answer = answer.filter(|answer| answer.command() == command);
        match (answer.next(), self.windows.get::<QuestionWindow>()) {
            (Some(answer), Some(window)) => window.question.offers(self, answer),
            _ => true,
        }
    }

    /// Returns the largest number of rows for the lines of a question.
    pub fn question_rows(&self) -> usize {
        usize::from(self.panes.size.height).saturating_sub(9).max(1)
    }

    /// Scrolls the lines of the open question.
    fn scroll_question(&mut self, motion: RowMotion) {
        let page = self.question_rows();
        if let Some(QuestionWindow { question, top }) = self.windows.get_mut() {
            let last = question.lines().len().saturating_sub(page);
            *top = top.saturating_add_signed(motion.rows(page)).min(last);
        }
    }
}
