//! Questions to the user. Each question is a type in a file of its feature, which defines its text, its
//! answers, and what each of them does.

use crate::app::core::{Action, Answer, App, Overlay, Question, QuestionDetails};
use crate::app::input::Command;

impl App {
    /// Asks a question now.
    pub fn ask_now(&mut self, question: impl Question) {
        self.overlay.open = Some(Overlay::Question(Box::new(question)));
    }

    /// Asks a question as soon as nothing else is open, unless it is asked already.
    pub fn ask_once(&mut self, question: impl Question) {
        if !self.asked().any(|asked| asked.is_same(&question)) {
            self.overlay.questions.push_back(Box::new(question));
        }
    }

    /// Returns the open question and the waiting ones.
    pub fn asked(&self) -> impl Iterator<Item = &dyn Question> {
        let open = match &self.overlay.open {
            Some(Overlay::Question(question)) => Some(&**question),
            _ => None,
        };
        open.into_iter()
            .chain(self.overlay.questions.iter().map(|question| &**question))
    }

    /// Returns the question of this type, open or waiting.
    pub fn asked_mut<Q: Question>(&mut self) -> Option<&mut Q> {
        let open = match &mut self.overlay.open {
            Some(Overlay::Question(question)) => Some(question),
            _ => None,
        };
        let mut asked = open.into_iter().chain(&mut self.overlay.questions);
        asked.find_map(|question| question.as_type_mut())
    }

    /// Answers the open question.
    pub fn answer(&mut self, answer: Answer) {
        let Some(Overlay::Question(question)) = &self.overlay.open else {
            return;
        };
        if !question.offers(self, answer) {
            return;
        }
        let Some(Overlay::Question(question)) = self.overlay.open.take() else {
            return;
        };
        let files = question.edits(self, answer);
        self.overlay.open = Some(Overlay::Question(question));
        self.lock_for(files, Action::Answer(answer));
    }

    /// True if a command is not an answer, or is one that the open question offers.
    pub fn is_offered(&self, command: Command) -> bool {
        let answer = Answer::ALL.into_iter();
        let mut answer = answer.filter(|answer| answer.command() == command);
        match (answer.next(), &self.overlay.open) {
            (Some(answer), Some(Overlay::Question(question))) => question.offers(self, answer),
            _ => true,
        }
    }

    pub fn answer_now(&mut self, answer: Answer) {
        match self.overlay.open.take() {
            Some(Overlay::Question(question)) => question.answer(self, answer),
            other => {
                self.overlay.open = other;
            }
        }
    }

    /// Gives the open question the answer that changes nothing.
    pub fn answer_safely(&mut self) {
        if let Some(Overlay::Question(question)) = &self.overlay.open {
            self.answer(question.safe_answer());
        }
    }

    /// Returns the largest number of rows for the lines of a question.
    pub fn question_rows(&self) -> usize {
        usize::from(self.panes.size.height).saturating_sub(9).max(1)
    }

    /// Scrolls the lines of the open question.
    pub fn scroll_question(&mut self, by: isize) {
        let page = self.question_rows();
        if let Some(Overlay::Question(question)) = &mut self.overlay.open
            && let Some(QuestionDetails { lines, top }) = question.details_mut()
        {
            let last = lines.len().saturating_sub(page);
            *top = top.saturating_add_signed(by).min(last);
        }
    }
}
