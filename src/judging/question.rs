//! A question, and the answers that it takes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::dialog::{Answer, Dialog, Place, Short};
use crate::query::{DialogSource, HiddenAnswers, Query, Target};
use crate::votes::judgeable::lot;

/// The part of a dialog that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    Dialog,
    Turn,
    Segment,
    Call,
    /// Both sides of a dialog that is a pair.
    Pair,
}

impl Subject {
    /// True if it is not a part of a dialog.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Dialog | Self::Pair)
    }

    /// The words for several.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Dialog => "dialogs",
            Self::Turn => "turns",
            Self::Segment => "segments",
            Self::Call => "calls",
            Self::Pair => "pairs",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Dialog => "dialog",
            Self::Turn => "turn",
            Self::Segment => "segment",
            Self::Call => "call",
            Self::Pair => "pair",
        }
    }
}

/// The level of measurement of an answer, by which agreement weighs disagreements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    #[default]
    Nominal,
    Ordinal,
    Interval,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Self::Nominal => "nominal",
            Self::Ordinal => "ordinal",
            Self::Interval => "interval",
        }
    }
}

/// One of the values of a question. Beside answers, it is stored as the answer alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Answer", into = "Answer")]
pub struct Choice {
    pub answer: Answer,
    /// The key that gives it, one character.
    pub key: Option<String>,
    /// A line of help.
    pub help: String,
    /// The answer also notes the turn at which it is given.
    pub marks_turn: bool,
}

impl From<Answer> for Choice {
    /// Returns a choice without a key.
    fn from(answer: Answer) -> Self {
        Self { answer, key: None, help: String::new(), marks_turn: false }
    }
}

impl From<Choice> for Answer {
    fn from(choice: Choice) -> Self {
        choice.answer
    }
}

/// The kind of a question's answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One of several values.
    Choice,
    /// One of several numbers.
    Scale(Level),
    YesNo,
    /// Any number of tags; others than the listed ones only if `open`.
    Tags {
        open: bool,
    },
    /// Free text.
    Text,
}

impl Kind {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Scale(_) => "scale",
            Self::YesNo => "yes-no",
            Self::Tags { .. } => "tags",
            Self::Text => "text",
        }
    }

    /// True if answers are typed.
    pub fn is_typed(&self) -> bool {
        matches!(self, Self::Tags { .. } | Self::Text)
    }
}

/// A question of a scheme. Beside answers, it is stored as far as their figures depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub name: String,
    pub text: String,
    pub of: Subject,
    /// The turns, or the dialogs, that it is about; None for all of them. Of turns, only those that annotators can
    /// judge count.
    #[serde(skip)]
    pub only: Option<Query>,
    pub kind: Kind,
    /// The values; for tags, those to offer.
    #[serde(rename = "values")]
    pub choices: Vec<Choice>,
    #[serde(skip)]
    pub required: bool,
    /// Of a pair: it is asked a second time, with the sides swapped.
    #[serde(skip)]
    pub again: bool,
    /// Of a pair: the seed by which the order of the sides is drawn.
    #[serde(skip)]
    pub seed: u32,
}

/// The answer that neither side of a pair is better, and that both are bad.
pub const TIE: &str = "tie";
pub const BOTH_BAD: &str = "both-bad";
/// The values of a question about a pair, with their keys: the sides as they are on the screen come first.
pub(super) const OF_PAIRS: [(&str, char); 4] =
    [("first", '1'), ("second", '2'), (TIE, '='), (BOTH_BAD, '-')];

impl Question {
    /// Returns the first stored member that differs from that of another; None if they are alike.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let answers = |of: &Self| -> Vec<Answer> {
            of.choices.iter().map(|choice| choice.answer.clone()).collect()
        };
        let differ = [
            ("name", self.name != other.name),
            ("text", self.text != other.text),
            ("of", self.of != other.of),
            ("kind", self.kind != other.kind),
            ("values", answers(self) != answers(other)),
        ];
        let mut differ = differ.into_iter();
        differ.find(|(_, differs)| *differs).map(|(name, _)| name)
    }

    /// True if one of its values notes the turn at which it is given.
    pub fn marks_turns(&self) -> bool {
        self.choices.iter().any(|choice| choice.marks_turn)
    }

    /// Returns the choice with this key.
    pub fn choice(&self, key: char) -> Option<&Choice> {
        let is_it = |choice: &&Choice| choice.key.as_ref().is_some_and(|own| own.starts_with(key));
        self.choices.iter().find(is_it)
    }

    /// Returns the places of a dialog that it is about, for `annotator`: earlier answers of theirs may decide that.
    pub fn places(&self, dialog: &Dialog, annotator: &str) -> Vec<Place> {
        self.places_in(0..dialog.turns.len(), dialog, annotator)
    }

    /// As [`Question::places`], but of the parts of the dialog only those of a turn.
    pub fn places_at(&self, turn: usize, dialog: &Dialog, annotator: &str) -> Vec<Place> {
        if self.of.is_whole() {
            return self.places(dialog, annotator);
        }
        let turns = turn..dialog.turns.len().min(turn + 1);
        self.places_in(turns, dialog, annotator)
    }

    fn places_in(&self, within: Range<usize>, dialog: &Dialog, annotator: &str) -> Vec<Place> {
        let turns: Vec<usize> = match &self.only {
            Some(query) => {
                let source = DialogSource {
                    annotator,
                    hidden: HiddenAnswers::Others,
                    ..DialogSource::default()
                };
                let target = Target { dialog, problems: &[], source };
                let found = query.matches(&target).turns.into_iter();
                let found = found.enumerate().filter(|(_, matches)| *matches);
                let found = found.map(|(turn, _)| turn);
                found.filter(|turn| within.contains(turn)).collect()
            }
            None => within.collect(),
        };
        if self.of.is_whole() {
            let is_there = self.of == Subject::Dialog || dialog.sides.is_some();
            return (is_there && !turns.is_empty()).then_some(Place::DIALOG).into_iter().collect();
        }
        let judged = turns
            .into_iter()
            .filter(|turn| self.of != Subject::Turn || dialog.turns[*turn].is_judgeable());
        let of_turn = |turn: usize| match self.of {
            Subject::Dialog | Subject::Pair | Subject::Turn => vec![Place::turn(turn)],
            Subject::Segment => {
                let segments = dialog.turns[turn].segments.iter();
                let spans = segments.filter_map(|segment| segment.span);
                let place = |span: crate::dialog::Span| Place {
                    span: Some([span.start, span.end]),
                    ..Place::turn(turn)
                };
                spans.map(place).collect()
            }
            Subject::Call => {
                let calls = 0..dialog.turns[turn].calls.len();
                let place = |call| Place { call: Some(call), ..Place::turn(turn) };
                calls.map(place).collect()
            }
        };
        judged.flat_map(of_turn).collect()
    }

    /// Returns the sides of a pair in the order in which `annotator` sees them; `id` is that of the dialog.
    pub fn order(&self, [one, other]: [Short; 2], id: &str, annotator: &str) -> [Short; 2] {
        let is_swapped = lot(self.seed, &format!("{id}\n{annotator}"), 0) % 2 == 1;
        if is_swapped == self.again { [one, other] } else { [other, one] }
    }

    /// Returns the answer that a choice is if the sides of a pair are in this order.
    pub fn answer_of(choice: &Choice, order: Option<&[Short; 2]>) -> Answer {
        let place = OF_PAIRS[..2]
            .iter()
            .position(|(name, _)| choice.answer == Answer::Text((*name).to_owned()));
        match order.zip(place) {
            Some((order, place)) => Answer::Text(order[place].to_string()),
            None => choice.answer.clone(),
        }
    }

    /// Checks that `answer` is one that it takes.
    ///
    /// # Errors
    /// What is expected instead.
    pub fn takes(&self, answer: &Answer) -> Result<(), String> {
        let listed = |answer: &Answer| self.choices.iter().any(|choice| choice.answer == *answer);
        let names = || {
            let names = self.choices.iter().map(|choice| choice.answer.to_string());
            names.collect::<Vec<_>>().join(", ")
        };
        match (&self.kind, answer) {
            // Its sides have names of their own in each corpus.
            (_, Answer::Text(side)) if self.of == Subject::Pair && !side.is_empty() => Ok(()),
            (Kind::Text, Answer::Text(_)) | (Kind::Tags { open: true }, Answer::Several(_)) => {
                Ok(())
            }
            (Kind::Text, _) => Err("a text".to_owned()),
            (Kind::Tags { .. }, Answer::Several(tags)) => {
                let known = |tag: &String| listed(&Answer::Text(tag.clone()));
                if tags.iter().all(known) { Ok(()) } else { Err(format!("tags of {}", names())) }
            }
            (Kind::Tags { .. }, _) => Err("a list of tags".to_owned()),
            _ if listed(answer) => Ok(()),
            _ => Err(format!("one of {}", names())),
        }
    }
}
