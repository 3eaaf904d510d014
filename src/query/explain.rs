//! Says in words how a query was understood.

use super::expression::{Condition, Query, Wanted};
use super::keys::Takes;
use super::places::TextKind;
use super::print::short;
use super::value::ValueTest;

impl Query {
    /// Returns the query in words: "turns by user with label date, followed in the same dialog by …".
    pub fn explained(&self) -> String {
        let query = self.in_words();
        let variables = self.variables();
        let names: Vec<_> = variables.iter().map(|name| format!("${name}")).collect();
        match names.len() {
            0 => query,
            1 => format!("{query}; {} has the same value throughout", names[0]),
            _ => format!("{query}; {} each have the same value throughout", names.join(", ")),
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
                "{} with no {} before them in the same dialog",
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
                format!("that end this sequence: {}", self.in_words())
            }
        }
    }

    /// True if a text or regular expression is among its conditions.
    fn has_text(&self) -> bool {
        self.has(|condition| matches!(condition, Condition::Text(_) | Condition::Regex(_)))
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
        TextKind::Result => "a result",
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
            Self::Has(wanted) => wanted.clause(),
        }
    }
}

impl Wanted {
    fn clause(&self) -> String {
        let Self { key, name, test } = self;
        if let Some(short) = short(self) {
            return format!("{} {short}", key.clause);
        }
        let mut clause = key.clause.to_owned();
        if let Some(name) = name {
            let of = if key.takes == Takes::NameOrAny { " of" } else { "" };
            let sign = if name.is_marked_whole() { "exactly " } else { "" };
            clause = format!("{clause}{of} {sign}{}", name.as_str());
        }
        match test {
            None => clause,
            Some(ValueTest::Is(value)) => format!("{clause}={}", value.as_str()),
            Some(ValueTest::IsNot(value)) => format!("{clause}!={}", value.as_str()),
            Some(other) => format!("{clause}{other}"),
        }
    }
}
