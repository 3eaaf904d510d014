//! The parts of a query.

use super::error::QueryProblem;
use super::value::{
    Comparison, FoundValue, NamePattern, NamedValue, Operator, RegexPattern, ValueTest,
};
use super::{NameKind, Pattern};
use crate::dialog::Breakdown;

/// A kind of text that people read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Utterance,
    Argument,
    Answer,
    Reasoning,
    Instructions,
    Comment,
}

impl TextKind {
    /// All kinds, with their names in queries.
    pub const ALL: [(&str, Self); 6] = [
        ("utterance", Self::Utterance),
        ("argument", Self::Argument),
        ("answer", Self::Answer),
        ("reasoning", Self::Reasoning),
        ("instructions", Self::Instructions),
        ("comment", Self::Comment),
    ];

    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(known, _)| known.eq_ignore_ascii_case(name))?.1)
    }

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

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
    /// A segment, or an act of a turn without segments, has a label. The value is the text of the segment.
    Label(NamedValue),
    /// The turn calls an API.
    Api(NamePattern),
    /// The speaker has this name or role.
    Speaker(NamePattern),
    /// A rule with this in its name finds a problem; any error or warning if empty.
    Problem(String),
    Argument(NamedValue),
    Response(NamedValue),
    /// A call of an API failed, or of any.
    Failed(Option<NamePattern>),
    Slot(NamedValue),
    State(NamedValue),
    Act(NamePattern),
    Intent(NamePattern),
    /// A label, or a slot of the state, belongs to a service: the part of its name before a dot or hyphen.
    Service(NamePattern),
    /// Some other member of the turn or of the dialog has a value; dots separate nested names.
    Field(NamedValue),
    Annotator(NamePattern),
    Majority(Breakdown),
    /// The adjudicator's label.
    Gold(Breakdown),
    /// Several labels have the most votes.
    Tie,
    /// Somebody has voted on the turn, or made another judgement.
    Judged,
    /// The user has.
    Mine,
    Votes(Option<Breakdown>, Comparison),
    /// There is an answer to a question of a scheme.
    Question(NamedValue),
    Tag(NamePattern),
    Note(NamePattern),
    /// Somebody made a judgement.
    By(NamePattern),
    Entropy(Comparison),
    /// The number of the turn as the corpus counts it.
    Turn(Comparison),
    /// The number of words of the utterance.
    Words(Comparison),
    /// The number of turns of the dialog.
    Turns(Comparison),
    Id(NamePattern),
    File(NamePattern),
    Family(NamePattern),
    /// The dialog has unsaved edits.
    Edited,
    /// The dialog is excluded.
    Excluded,
}

impl Condition {
    /// True for a condition on the whole dialog, which all of its turns meet or none.
    pub fn is_about_dialog(&self) -> bool {
        matches!(
            self,
            Self::Turns(_)
                | Self::Id(_)
                | Self::File(_)
                | Self::Family(_)
                | Self::Edited
                | Self::Excluded
        )
    }
}

impl Condition {
    /// Returns the name it asks for, and the kinds of names in dialogs that it may be; None if it asks for none.
    pub fn named(&self) -> Option<(&'static [NameKind], &NamePattern)> {
        Some(match self {
            Self::Label(pair) => (&[NameKind::Label, NameKind::Slot, NameKind::Act], &pair.name),
            Self::Api(name) | Self::Failed(Some(name)) => (&[NameKind::Api], name),
            Self::Argument(pair) => (&[NameKind::Argument], &pair.name),
            Self::Response(pair) => (&[NameKind::Response], &pair.name),
            Self::Act(name) => (&[NameKind::Act], name),
            Self::Intent(name) => (&[NameKind::Intent], name),
            Self::Slot(pair) | Self::State(pair) => (&[NameKind::Slot], &pair.name),
            _ => return None,
        })
    }

    /// Returns the name and the test of its value, of a condition that may compare a value.
    pub(super) fn pair(&self) -> Option<&NamedValue> {
        match self {
            Self::Label(pair)
            | Self::Argument(pair)
            | Self::Response(pair)
            | Self::Slot(pair)
            | Self::State(pair)
            | Self::Question(pair)
            | Self::Field(pair) => Some(pair),
            _ => None,
        }
    }

    fn pair_mut(&mut self) -> Option<&mut NamedValue> {
        match self {
            Self::Label(pair)
            | Self::Argument(pair)
            | Self::Response(pair)
            | Self::Slot(pair)
            | Self::State(pair)
            | Self::Question(pair)
            | Self::Field(pair) => Some(pair),
            _ => None,
        }
    }

    /// Returns the name of the variable that it compares with, and how it compares.
    pub(super) fn variable(&self) -> Option<(&str, Operator)> {
        match &self.pair()?.value {
            Some(ValueTest::Variable(operator, variable)) => {
                Some((variable.name.as_str(), *operator))
            }
            _ => None,
        }
    }

    /// Returns the condition without its comparison with a variable, which has no value in it alone.
    #[must_use]
    pub fn without_variable(&self) -> Self {
        let mut condition = self.clone();
        if self.variable().is_some()
            && let Some(pair) = condition.pair_mut()
        {
            pair.value = None;
        }
        condition
    }

    /// Gives the variable that it compares with, if it does, a value.
    pub(super) fn set_value(&mut self, value: Option<FoundValue>) {
        if let Some(NamedValue { value: Some(ValueTest::Variable(_, variable)), .. }) =
            self.pair_mut()
        {
            variable.value = value;
        }
    }

    fn is_about_judgements(&self) -> bool {
        matches!(
            self,
            Self::Annotator(_)
                | Self::Majority(_)
                | Self::Gold(_)
                | Self::Tie
                | Self::Judged
                | Self::Mine
                | Self::Votes(..)
                | Self::Entropy(_)
                | Self::Question(_)
                | Self::Tag(_)
                | Self::Note(_)
                | Self::By(_)
                | Self::In(TextKind::Comment)
        )
    }

    /// True if it asks what somebody said in judgements; a blind annotator finds only their own by it.
    pub(super) fn is_about_own(&self) -> bool {
        matches!(self, Self::Mine | Self::Question(_) | Self::Tag(_) | Self::Note(_) | Self::By(_))
    }

    /// True if it tells nothing about the turns of a dialog, nor what was answered.
    fn is_about_no_turns(&self) -> bool {
        matches!(
            self,
            Self::Id(_)
                | Self::File(_)
                | Self::Family(_)
                | Self::Edited
                | Self::Excluded
                | Self::Judged
                | Self::Mine
                | Self::Tag(_)
                | Self::Note(_)
                | Self::By(_)
        )
    }

    /// True if its case must match because it contains capitals.
    pub fn is_exact(&self) -> bool {
        match self {
            Self::Text(text) => text.is_exact(),
            Self::Label(NamedValue { name, .. }) | Self::Api(name) | Self::Speaker(name) => {
                name.literal().chars().any(char::is_uppercase)
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
        NamePattern::new(name).map(|name| Self::Is(Condition::Label(NamedValue::any(name))))
    }

    /// True if it matches all turns of a dialog or none.
    pub fn is_about_dialog(&self) -> bool {
        match self {
            Self::Is(condition) => condition.is_about_dialog(),
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_about_dialog),
            Self::Not(part) => part.is_about_dialog(),
            Self::InDialog(_) => true,
            Self::Then { .. } | Self::NotBefore { .. } => false,
        }
    }

    /// True if some condition is about problems, which rules must find first.
    pub fn needs_problems(&self) -> bool {
        let mut needs = false;
        self.visit(&mut |condition| needs |= matches!(condition, Condition::Problem(_)));
        needs
    }

    /// True if some condition asks whether dialogs are excluded, so that these are not passed over.
    pub fn asks_for_excluded(&self) -> bool {
        let mut asks = false;
        self.visit(&mut |condition| asks |= *condition == Condition::Excluded);
        asks
    }

    /// True if some condition is about votes, gold labels or other judgements, which may be in other files.
    pub fn needs_judgements(&self) -> bool {
        let mut needs = false;
        self.visit(&mut |condition| needs |= condition.is_about_judgements());
        needs
    }

    /// Returns the first condition on votes, gold labels or other judgements that may be others': all but the user's
    /// own.
    pub fn on_others_judgements(&self) -> Option<Condition> {
        let mut first = None;
        self.visit(&mut |condition| {
            // Of comments, only one's own are searched then.
            let is_own =
                condition.is_about_own() || matches!(condition, Condition::In(TextKind::Comment));
            if condition.is_about_judgements() && !is_own {
                first.get_or_insert_with(|| condition.clone());
            }
        });
        first
    }

    /// Returns the first condition on the turns of a dialog, or on answers. Of a pair, such a condition may hold for one
    /// side alone.
    pub fn on_turns(&self) -> Option<Condition> {
        let mut first = None;
        self.visit(&mut |condition| {
            if !condition.is_about_no_turns() {
                first.get_or_insert_with(|| condition.clone());
            }
        });
        first
    }

    /// Returns the rule that it asks for, if it finds problems and nothing else.
    pub fn as_problem(&self) -> Option<&str> {
        match self {
            Self::Is(Condition::Problem(rule)) => Some(rule),
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

    /// Calls `see` with each condition, from left to right.
    pub fn visit<'q>(&'q self, see: &mut dyn FnMut(&'q Condition)) {
        match self {
            Self::Is(condition) => see(condition),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(see)),
            Self::Not(part) | Self::InDialog(part) => part.visit(see),
            Self::Then { first, later, .. } => {
                first.visit(see);
                later.visit(see);
            }
            Self::NotBefore { absent, turn } => {
                absent.visit(see);
                turn.visit(see);
            }
        }
    }
}
