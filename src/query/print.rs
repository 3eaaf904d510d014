//! Prints queries so that parsing the result gives the same query.

use std::borrow::Cow;
use std::fmt;

use super::expression::{Condition, QUESTION, Query, Wanted};
use super::keys::{ConditionKey, Takes};
use super::value::{NamePattern, ValueTest};

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
            Self::Has(wanted) => match short(wanted) {
                Some(short) => f.write_str(&short),
                None => write!(f, "{wanted}"),
            },
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key.name)?;
        if self.key.has_colon() {
            f.write_str(":")?;
        }
        if let Some(pattern) = &self.name {
            f.write_str(&name(pattern))?;
        }
        self.test.as_ref().map_or(Ok(()), |test| write!(f, "{test}"))
    }
}

impl fmt::Display for ValueTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(wanted) => write!(f, "={}", literal(wanted.as_str())),
            Self::IsNot(wanted) => write!(f, "!={}", literal(wanted.as_str())),
            Self::Variable(operator, variable) => {
                write!(f, "{}${}", operator.sign(), variable.name)
            }
            Self::Number(comparison) => write!(f, "{comparison}"),
        }
    }
}

/// Returns the short form of an answer to a question of a bundled scheme: `verdict=fail`.
pub(super) fn short(wanted: &Wanted) -> Option<String> {
    let question = wanted.name.as_ref().filter(|_| wanted.key.name == QUESTION)?;
    let key = ConditionKey::named(question.as_str());
    let is_short = key.is_some_and(|key| key.takes == Takes::Answer);
    let test = wanted.test.as_ref().filter(|_| is_short && question.is_marked_whole())?;
    let short = format!("{}{test}", value(question.as_str()));
    Some(short).filter(|short| !short.ends_with('='))
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
