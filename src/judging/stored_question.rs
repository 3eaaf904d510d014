//! Questions in a form that can be stored beside their answers.

use serde::{Deserialize, Serialize};

use super::question::{Choice, Kind, Question, Subject};
use crate::dialog::Answer;

/// A question as far as its figures depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredQuestion {
    pub name: String,
    pub text: String,
    pub of: Subject,
    pub kind: Kind,
    pub values: Vec<Answer>,
}

impl StoredQuestion {
    /// Returns the first member that differs from that of another; None if they are alike.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differ = [
            ("name", self.name != other.name),
            ("text", self.text != other.text),
            ("of", self.of != other.of),
            ("kind", self.kind != other.kind),
            ("values", self.values != other.values),
        ];
        let mut differ = differ.into_iter();
        differ.find(|(_, differs)| *differs).map(|(name, _)| name)
    }
}

impl From<&Question> for StoredQuestion {
    fn from(question: &Question) -> Self {
        let values = question.choices.iter();
        Self {
            name: question.name.clone(),
            text: question.text.clone(),
            of: question.of,
            kind: question.kind.clone(),
            values: values.map(|choice| choice.answer.clone()).collect(),
        }
    }
}

impl From<StoredQuestion> for Question {
    fn from(part: StoredQuestion) -> Self {
        let choice = |answer| Choice { answer, key: None, help: String::new(), marks_turn: false };
        Self {
            name: part.name,
            text: part.text,
            of: part.of,
            only: None,
            kind: part.kind,
            choices: part.values.into_iter().map(choice).collect(),
            required: false,
            again: false,
            seed: 0,
        }
    }
}
