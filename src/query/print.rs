//! Prints queries so that parsing the result gives the same query.

use std::borrow::Cow;
use std::fmt;

use super::expression::{Condition, Query};
use super::keys::{ConditionKey, ValueKind};
use super::value::{NamePattern, NamedValue, ValueTest};

/// How tightly the parts of a query hold together; looser parts inside tighter ones need parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sequence,
    NotBefore,
    Either,
    Both,
    Negated,
    Single,
}

impl Query {
    fn level(&self) -> Level {
        match self {
            Self::Then { .. } => Level::Sequence,
            Self::NotBefore { .. } => Level::NotBefore,
            Self::Any(_) => Level::Either,
            Self::All(_) => Level::Both,
            Self::Not(_) => Level::Negated,
            Self::Is(_) | Self::InDialog(_) => Level::Single,
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_read_as_this = |text: &str| text.parse().as_ref() == Ok(self);
        if let Self::Is(Condition::Text(pattern)) = self
            && is_read_as_this(pattern.as_str())
        {
            return f.write_str(pattern.as_str());
        }
        let text = Written(self, Level::Sequence).to_string();
        if is_read_as_this(&text) {
            f.write_str(&text)
        } else {
            // Words such as "not tie" alone would be read as a text.
            write!(f, "({text})")
        }
    }
}

/// A query inside another one of this level.
struct Written<'q>(&'q Query, Level);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self.0, self.1, f)
    }
}

/// Writes a query, in parentheses if it is looser than `level`.
fn write(query: &Query, level: Level, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if query.level() < level {
        f.write_str("(")?;
        write(query, Level::Sequence, f)?;
        return f.write_str(")");
    }
    match query {
        Query::Is(condition) => write!(f, "{condition}"),
        Query::All(parts) => separated(parts, " ", Level::Negated, f),
        Query::Any(parts) => separated(parts, " or ", Level::Both, f),
        Query::Not(part) => {
            f.write_str("not ")?;
            write(part, Level::Negated, f)
        }
        Query::InDialog(part) => {
            f.write_str("dialog(")?;
            write(part, Level::Sequence, f)?;
            f.write_str(")")
        }
        Query::Then { first, later, within } => {
            write(first, Level::Sequence, f)?;
            match within {
                None => f.write_str(" then ")?,
                Some(1) => f.write_str(" next ")?,
                Some(turns) => write!(f, " then within {turns} ")?,
            }
            write(later, Level::NotBefore, f)
        }
        Query::NotBefore { absent, turn } => {
            f.write_str("not ")?;
            write(absent, Level::Negated, f)?;
            f.write_str(" before ")?;
            write(turn, Level::Either, f)
        }
    }
}

fn separated(
    parts: &[Query],
    between: &str,
    level: Level,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            f.write_str(between)?;
        }
        write(part, level, f)?;
    }
    Ok(())
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(pattern) => f.write_str(&quoted(pattern.as_str())),
            Self::Regex(regex) => write!(f, "/{}/", regex.as_str().replace('/', "\\/")),
            Self::In(kind) => write!(f, "in:{}", kind.name()),
            Self::Label(pair) => write!(f, "label:{pair}"),
            Self::Api(name) => named(f, "api", name),
            Self::Speaker(name) => named(f, "speaker", name),
            Self::Act(name) => named(f, "act", name),
            Self::Intent(name) => named(f, "intent", name),
            Self::Service(name) => named(f, "service", name),
            Self::Annotator(name) => named(f, "annotator", name),
            Self::Id(name) => named(f, "id", name),
            Self::File(name) => named(f, "file", name),
            Self::Family(name) => named(f, "family", name),
            Self::Problem(rule) => write!(f, "problem:{}", value(rule)),
            Self::Argument(pair) => write!(f, "arg:{pair}"),
            Self::Response(pair) => write!(f, "response:{pair}"),
            Self::Failed(None) => f.write_str("failed:"),
            Self::Failed(Some(name)) => named(f, "failed", name),
            Self::Slot(pair) => write!(f, "slot:{pair}"),
            Self::State(pair) => write!(f, "state:{pair}"),
            Self::Field(pair) => write!(f, "field:{pair}"),
            Self::Question(pair) => match short(pair) {
                Some(short) => f.write_str(&short),
                None => write!(f, "question:{pair}"),
            },
            Self::Tag(name) => named(f, "tag", name),
            Self::Note(text) => named(f, "note", text),
            Self::By(name) => named(f, "by", name),
            Self::Majority(label) => write!(f, "majority:{}", label.letter()),
            Self::Gold(label) => write!(f, "gold:{}", label.letter()),
            Self::Tie => f.write_str("tie"),
            Self::Judged => f.write_str("judged"),
            Self::Mine => f.write_str("mine"),
            Self::Edited => f.write_str("edited"),
            Self::Excluded => f.write_str("excluded"),
            Self::Votes(None, number) => write!(f, "votes{number}"),
            Self::Votes(Some(label), number) => {
                write!(f, "votes.{}{number}", label.letter().to_ascii_lowercase())
            }
            Self::Entropy(number) => write!(f, "entropy{number}"),
            Self::Turn(number) => write!(f, "turn{number}"),
            Self::Words(number) => write!(f, "words{number}"),
            Self::Turns(number) => write!(f, "turns{number}"),
        }
    }
}

impl fmt::Display for NamedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name(&self.name))?;
        match &self.value {
            None => Ok(()),
            Some(ValueTest::Is(wanted)) => write!(f, "={}", literal(wanted.as_str())),
            Some(ValueTest::IsNot(wanted)) => write!(f, "!={}", literal(wanted.as_str())),
            Some(ValueTest::Variable(operator, variable)) => {
                write!(f, "{}${}", operator.sign(), variable.name)
            }
            Some(ValueTest::Number(comparison)) => write!(f, "{comparison}"),
        }
    }
}

/// Returns the short form of an answer to a question of a bundled scheme: `verdict=fail`.
pub(super) fn short(pair: &NamedValue) -> Option<String> {
    let key = ConditionKey::named(pair.name.as_str());
    let is_short = key.is_some_and(|key| matches!(key.value, ValueKind::Answer));
    let is_whole = pair.name.is_marked_whole() && pair.value.is_some();
    let short = (is_short && is_whole).then(|| pair.to_string().split_off(1));
    short.filter(|short| !short.ends_with('='))
}

fn named(f: &mut fmt::Formatter<'_>, key: &str, pattern: &NamePattern) -> fmt::Result {
    write!(f, "{key}:{}", name(pattern))
}

/// Returns a name as users type it: a whole one without wildcards has a sign before it.
pub(super) fn name(pattern: &NamePattern) -> String {
    let sign = if pattern.is_marked_whole() { "=" } else { "" };
    format!("{sign}{}", value(pattern.as_str()))
}

/// Returns a value as users type it, quoted if necessary.
pub(super) fn value(value: &str) -> Cow<'_, str> {
    let special = |c: char| c.is_whitespace() || "()=<>!".contains(c);
    if value.contains(special) || value.starts_with('"') {
        quoted(value).into()
    } else {
        value.into()
    }
}

/// Returns a value as users type it, so that it is not read as a variable.
fn literal(text: &str) -> Cow<'_, str> {
    if text.starts_with(['$', '\\']) { quoted(text).into() } else { value(text) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
