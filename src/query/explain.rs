//! Says in words how a query was understood.

use super::expression::{Condition, Query, TextKind};
use super::print::short;
use super::value::{NamePattern, NamedValue, ValueTest};

impl Query {
    /// Returns the query in words: "turns by user with label date, followed in the same dialog by …".
    pub fn explained(&self) -> String {
        let query = self.in_words();
        let variables = self.variables();
        let names: Vec<_> = variables.iter().map(|name| format!("${name}")).collect();
        match names.len() {
            0 => query,
            1 => format!("{query}; {} is the same value throughout", names[0]),
            _ => format!("{query}; {} each are one value throughout", names.join(", ")),
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Then { first, later, within } => {
                let how = match within {
                    None => "followed in the same dialog by".to_owned(),
                    Some(1) => "directly followed by".to_owned(),
                    Some(turns) => format!("followed within {turns} turns by"),
                };
                format!("{}, {how} {}", first.in_words(), later.in_words())
            }
            Self::NotBefore { absent, turn } => format!(
                "{} that no {} come before in the same dialog",
                turn.in_words(),
                absent.in_words()
            ),
            Self::InDialog(inside) => format!("dialogs with {}", inside.in_words()),
            _ if self.is_about_dialog() => format!("dialogs {}", self.clause(None)),
            _ => format!("turns {}", self.clause(None)),
        }
    }

    /// Returns the query as a clause behind "turns". Texts are searched for in texts of one kind, if that is given.
    fn clause(&self, within: Option<TextKind>) -> String {
        let listed = |parts: &mut dyn Iterator<Item = &Self>, within, between: &str| {
            let parts: Vec<_> = parts.map(|part| part.part(within)).collect();
            parts.join(between)
        };
        match self {
            Self::Is(condition) => condition.clause(within),
            Self::All(parts) => {
                let is_place = |part: &&Self| matches!(part, Self::Is(Condition::In(_)));
                let within = Self::restricted(parts, within);
                // A text says where it is.
                let has_text = self.has_text();
                let shown = &mut parts.iter().filter(|part| !has_text || !is_place(part));
                listed(shown, within, " ")
            }
            Self::Any(parts) => listed(&mut parts.iter(), within, " or "),
            Self::Not(part) => format!("not {}", part.part(within)),
            Self::InDialog(inside) => format!("of dialogs with {}", inside.in_words()),
            Self::Then { .. } | Self::NotBefore { .. } => {
                format!("that are the last of: {}", self.in_words())
            }
        }
    }

    /// True if a text or regular expression is among its conditions.
    fn has_text(&self) -> bool {
        let mut has = false;
        self.visit(&mut |condition| {
            has |= matches!(condition, Condition::Text(_) | Condition::Regex(_));
        });
        has
    }

    /// Returns the clause, in parentheses if its end would not be clear inside another one.
    fn part(&self, within: Option<TextKind>) -> String {
        match self {
            Self::Is(_) | Self::Not(_) => self.clause(within),
            _ => format!("({})", self.clause(within)),
        }
    }
}

/// Returns a kind of text, behind "with" or "in".
fn kind(kind: TextKind) -> &'static str {
    match kind {
        TextKind::Utterance => "an utterance",
        TextKind::Argument => "arguments",
        TextKind::Answer => "an answer",
        TextKind::Reasoning => "reasoning",
        TextKind::Instructions => "instructions",
        TextKind::Comment => "a comment",
    }
}

impl Condition {
    /// Returns the condition as a clause behind "turns" or "dialogs".
    fn clause(&self, within: Option<TextKind>) -> String {
        let place = within.map_or(String::new(), |within| format!(" in {}", kind(within)));
        match self {
            Self::Text(text) => format!("that contain {:?}{place}", text.as_str()),
            Self::Regex(regex) => format!("that match /{}/{place}", regex.as_str()),
            Self::In(within) => format!("with {}", kind(*within)),
            Self::Label(pair) => valued("with label", pair),
            Self::Api(name) => named("with a call of", name),
            Self::Speaker(name) => named("by", name),
            Self::Problem(rule) if rule.is_empty() => "with a problem".to_owned(),
            Self::Problem(rule) => format!("with a problem of rule {rule}"),
            Self::Argument(pair) => valued("with argument", pair),
            Self::Response(pair) => valued("with response", pair),
            Self::Failed(None) => "with a failed call".to_owned(),
            Self::Failed(Some(name)) => named("with a failed call of", name),
            Self::Slot(pair) => valued("with an act's slot", pair),
            Self::State(pair) => valued("with state", pair),
            Self::Act(name) => named("with act", name),
            Self::Intent(name) => named("with intent", name),
            Self::Service(name) => named("about service", name),
            Self::Field(pair) => valued("with field", pair),
            Self::Annotator(name) => named("with a vote by", name),
            Self::Question(pair) => match short(pair) {
                Some(short) => format!("with answer {short}"),
                None => valued("with answer", pair),
            },
            Self::Tag(name) => named("with tag", name),
            Self::Note(text) => format!("with a note {:?}", text.as_str()),
            Self::By(name) => named("with a judgement by", name),
            Self::Majority(label) => format!("with majority {}", label.letter()),
            Self::Gold(label) => format!("with gold label {}", label.letter()),
            Self::Tie => "with a tie".to_owned(),
            Self::Judged => "that somebody has judged".to_owned(),
            Self::Mine => "that you have judged".to_owned(),
            Self::Votes(None, number) => format!("with votes{number}"),
            Self::Votes(Some(label), number) => {
                format!("with votes for {}{number}", label.letter())
            }
            Self::Entropy(number) => format!("with entropy{number}"),
            Self::Turn(number) => format!("with turn number{number}"),
            Self::Words(number) => format!("with words{number}"),
            Self::Turns(number) => format!("with turns{number}"),
            Self::Id(name) => named("with id", name),
            Self::File(name) => named("in file", name),
            Self::Family(name) => named("of family", name),
            Self::Edited => "with unsaved edits".to_owned(),
            Self::Excluded => "in an excluded dialog".to_owned(),
        }
    }
}

fn named(what: &str, name: &NamePattern) -> String {
    let sign = if name.is_marked_whole() { "exactly " } else { "" };
    format!("{what} {sign}{}", name.as_str())
}

fn valued(what: &str, pair: &NamedValue) -> String {
    let sign = if pair.name.is_marked_whole() { "exactly " } else { "" };
    let name = format!("{sign}{}", pair.name.as_str());
    match &pair.value {
        None => format!("{what} {name}"),
        Some(ValueTest::Is(value)) => format!("{what} {name}={}", value.as_str()),
        Some(ValueTest::IsNot(value)) => format!("{what} {name}!={}", value.as_str()),
        Some(ValueTest::Number(number)) => format!("{what} {name}{number}"),
        Some(ValueTest::Variable(operator, variable)) => {
            format!("{what} {name}{}${}", operator.sign(), variable.name)
        }
    }
}
