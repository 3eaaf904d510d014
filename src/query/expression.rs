//! The parts of a query.

use super::asked::Asked;
use super::error::QueryProblem;
use super::keys::{About, ConditionKey, Found};
use super::places::TextKind;
use super::value::{FoundValue, NamePattern, Operator, RegexPattern, ValueTest};
use super::{NameKind, Pattern};

/// The keys of labels, of problems, and of answers to questions.
pub(super) const LABEL: &str = "label";
const PROBLEM: &str = "problem";
pub(super) const QUESTION: &str = "question";

/// A query: which turns to find. Positions of turns decide what "then", "next" and "before" mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// Matches the turns that meet a condition.
    Is(Condition),
    /// Matches the turns that all parts match; there are at least two.
    All(Vec<Query>),
    /// Matches the turns that any part matches; there are at least two.
    Any(Vec<Query>),
    Not(Box<Query>),
    /// Matches every turn of the dialogs in which some turn matches.
    InDialog(Box<Query>),
    /// Matches the turns that match `later` after a turn that matches `first`; at most `within` turns
    /// later, if that is given.
    Then {
        first: Box<Query>,
        later: Box<Query>,
        within: Option<u32>,
    },
    /// Matches the turns that match `turn` while no earlier turn matches `absent`.
    NotBefore {
        absent: Box<Query>,
        turn: Box<Query>,
    },
}

/// A condition on one turn, or on its whole dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A text that people read contains this one.
    Text(Pattern),
    /// A text that people read matches a regular expression.
    Regex(RegexPattern),
    /// There is a text of this kind; texts and regular expressions beside it are searched for there alone.
    In(TextKind),
    /// There is something under a key of the table.
    Has(Wanted),
}

/// Something that is asked for under a key of the table of conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    pub key: &'static ConditionKey,
    /// None for any.
    pub name: Option<NamePattern>,
    /// The test of its value, if there is one.
    pub test: Option<ValueTest>,
}

impl Wanted {
    /// Returns what is searched for.
    pub(super) fn asked(&self) -> Asked<'_> {
        let (key, name) = (self.key, self.name.as_ref());
        Asked { key, name, wants_values: self.test.is_some() }
    }

    /// True if something that was found is wanted; with a person, only what that one said.
    pub(super) fn is_met(&self, found: &Found<'_>, person: Option<&str>) -> bool {
        let test = self.test.as_ref();
        found.is_by(person) && test.is_none_or(|test| test.is_met(found.value))
    }
}

impl Condition {
    /// Returns what is asked for under a key; None for texts.
    pub fn wanted(&self) -> Option<&Wanted> {
        match self {
            Self::Has(wanted) => Some(wanted),
            _ => None,
        }
    }

    fn is_about(&self, is_it: impl Fn(About) -> bool) -> bool {
        self.wanted().is_some_and(|wanted| is_it(wanted.key.about))
    }

    /// True for a condition on the whole dialog, which all of its turns meet or none.
    pub fn is_about_dialog(&self) -> bool {
        self.is_about(|about| matches!(about, About::Dialog | About::Length))
    }

    /// True for a condition with this key.
    pub fn has_key(&self, key: &str) -> bool {
        self.wanted().is_some_and(|wanted| wanted.key.name == key)
    }

    /// Returns the name of the question whose answers it asks for.
    pub fn question(&self) -> Option<&NamePattern> {
        self.wanted().filter(|wanted| wanted.key.name == QUESTION)?.name.as_ref()
    }

    /// Returns the name it asks for, and the kinds of names in dialogs that it may be; None if it asks for none.
    pub fn named(&self) -> Option<(&'static [NameKind], &NamePattern)> {
        let wanted = self.wanted().filter(|wanted| !wanted.key.names.is_empty())?;
        Some((wanted.key.names, wanted.name.as_ref()?))
    }

    /// Returns the name of the variable that it compares with, and how it compares.
    pub(super) fn variable(&self) -> Option<(&str, Operator)> {
        match self.wanted()?.test.as_ref()? {
            ValueTest::Variable(operator, variable) => Some((variable.name.as_str(), *operator)),
            _ => None,
        }
    }

    /// Returns the condition without its comparison with a variable, which has no value in it alone.
    #[must_use]
    pub fn without_variable(&self) -> Self {
        match self {
            Self::Has(wanted) if self.variable().is_some() => {
                Self::Has(Wanted { test: None, ..wanted.clone() })
            }
            _ => self.clone(),
        }
    }

    /// Gives the variable that it compares with, if it does, a value.
    pub(super) fn set_value(&mut self, value: Option<FoundValue>) {
        if let Self::Has(Wanted { test: Some(ValueTest::Variable(_, variable)), .. }) = self {
            variable.value = value;
        }
    }

    fn is_about_judgements(&self) -> bool {
        let judged =
            |about| matches!(about, About::Votes | About::Judged | About::Said | About::Answered);
        *self == Self::In(TextKind::Comment) || self.is_about(judged)
    }

    /// True if it asks what somebody said in judgements or votes; a blind annotator finds only their own by it.
    pub(super) fn is_about_own(&self) -> bool {
        self.is_about(|about| matches!(about, About::Said | About::Answered))
    }

    /// True if it tells nothing about the turns of a dialog, nor what was answered.
    fn is_about_no_turns(&self) -> bool {
        self.is_about(|about| matches!(about, About::Dialog | About::Judged | About::Said))
    }

    /// True if its case must match because it contains capitals.
    pub fn is_exact(&self) -> bool {
        match self {
            Self::Text(text) => text.is_exact(),
            Self::Has(Wanted { key, name: Some(name), .. }) => {
                let is_shown = ["label", "api", "speaker"].contains(&key.name);
                is_shown && name.literal().chars().any(char::is_uppercase)
            }
            _ => false,
        }
    }
}

impl Query {
    /// Returns the query for a label, as a user would type it.
    ///
    /// # Errors
    /// If the name is too long.
    pub fn of_label(name: &str) -> Result<Self, QueryProblem> {
        let unknown = || QueryProblem::UnknownCondition { key: LABEL.to_owned(), nearest: None };
        let key = ConditionKey::named(LABEL).ok_or_else(unknown)?;
        let name = Some(NamePattern::new(name)?);
        Ok(Self::Is(Condition::Has(Wanted { key, name, test: None })))
    }

    /// True if it matches all turns of a dialog or none.
    pub fn is_about_dialog(&self) -> bool {
        self.is_about(&Condition::is_about_dialog)
    }

    /// True if it matches all turns of a dialog or none, because all of its conditions are about the dialog.
    pub(super) fn is_about(&self, is_of_dialog: &dyn Fn(&Condition) -> bool) -> bool {
        match self {
            Self::Is(condition) => is_of_dialog(condition),
            Self::All(_) | Self::Any(_) | Self::Not(_) => {
                self.parts().into_iter().all(|part| part.is_about(is_of_dialog))
            }
            Self::InDialog(_) => true,
            Self::Then { .. } | Self::NotBefore { .. } => false,
        }
    }

    /// True if some condition is about problems, which rules must find first.
    pub fn needs_problems(&self) -> bool {
        self.has(|condition| condition.has_key(PROBLEM))
    }

    /// True if some condition is about gold labels.
    pub fn needs_gold(&self) -> bool {
        self.has(|condition| condition.has_key("gold"))
    }

    /// True if some condition asks whether dialogs are excluded, so that these are not passed over.
    pub fn asks_for_excluded(&self) -> bool {
        self.has(|condition| condition.has_key("excluded"))
    }

    /// True if some condition is about votes, gold labels or other judgements, which may be in other files.
    pub fn needs_judgements(&self) -> bool {
        self.has(Condition::is_about_judgements)
    }

    /// Returns the first condition on votes, gold labels or other judgements that may be others': all but the user's
    /// own.
    pub fn on_others_judgements(&self) -> Option<Condition> {
        // Of comments, only one's own are searched then.
        let is_own = |condition: &Condition| {
            condition.is_about_own() || matches!(condition, Condition::In(TextKind::Comment))
        };
        let mut every = self.every().into_iter();
        every.find(|condition| condition.is_about_judgements() && !is_own(condition)).cloned()
    }

    /// Returns the first condition on the turns of a dialog, or on answers. Of a pair, such a condition may hold for one
    /// side alone.
    pub fn on_turns(&self) -> Option<Condition> {
        self.every().into_iter().find(|condition| !condition.is_about_no_turns()).cloned()
    }

    /// Returns the rule that it asks for, if it finds problems and nothing else.
    pub fn as_problem(&self) -> Option<&str> {
        match self {
            Self::Is(Condition::Has(wanted)) if wanted.key.name == PROBLEM => {
                Some(wanted.name.as_ref().map_or("", NamePattern::as_str))
            }
            _ => None,
        }
    }

    /// Returns the text to find, if it is one and nothing else.
    pub fn as_text(&self) -> Option<&Pattern> {
        match self {
            Self::Is(Condition::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the conditions that a turn must meet, of those side by side. Empty for alternatives and sequences.
    pub fn conditions(&self) -> Vec<&Condition> {
        match self {
            Self::Is(condition) => vec![condition],
            Self::All(parts) => parts.iter().flat_map(Self::conditions).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the conditions that ask for something, from left to right: all but negated ones.
    pub fn wanted(&self) -> Vec<&Condition> {
        match self {
            Self::Is(condition) => vec![condition],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::wanted).collect(),
            Self::Not(_) => Vec::new(),
            Self::InDialog(part) => part.wanted(),
            Self::Then { first, later, .. } => [first.wanted(), later.wanted()].concat(),
            Self::NotBefore { turn, .. } => turn.wanted(),
        }
    }

    /// Returns the queries of which it is made, from left to right.
    fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Is(_) => Vec::new(),
            Self::All(parts) | Self::Any(parts) => parts.iter().collect(),
            Self::Not(part) | Self::InDialog(part) => vec![part],
            Self::Then { first, later, .. } => vec![first, later],
            Self::NotBefore { absent, turn } => vec![absent, turn],
        }
    }

    /// Returns every condition, from left to right.
    pub fn every(&self) -> Vec<&Condition> {
        match self {
            Self::Is(condition) => vec![condition],
            _ => self.parts().into_iter().flat_map(Self::every).collect(),
        }
    }

    /// True if some condition is so.
    pub(super) fn has(&self, is_so: impl FnMut(&Condition) -> bool) -> bool {
        self.every().into_iter().any(is_so)
    }
}
