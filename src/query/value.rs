//! Names and values in conditions: parts of names, wildcards, regular expressions, comparisons.

use std::fmt;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use super::Pattern;
use super::error::QueryProblem;
use super::text::folded;
use crate::json::is_number;

/// The most bytes of memory that a compiled regular expression may take.
const LARGEST: usize = 1 << 20;

/// A name to search for. With `*` (any text) or `?` (any character) it must match the whole name; otherwise
/// it may occur anywhere in it. Case matters only if it contains capitals.
#[derive(Clone, Debug)]
pub struct NamePattern {
    pattern: Pattern,
    /// Shared, as queries with variables are copied for each value: a copy of an expression has memory of its own.
    whole: Option<Arc<Regex>>,
}

impl PartialEq for NamePattern {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern && self.whole.is_some() == other.whole.is_some()
    }
}

impl NamePattern {
    /// Returns a name, or a part of one.
    ///
    /// # Errors
    /// If it has wildcards and is too long.
    pub fn new(text: &str) -> Result<Self, QueryProblem> {
        if text.contains(['*', '?']) {
            return Self::whole(text);
        }
        Ok(Self { pattern: Pattern::new(text), whole: None })
    }

    /// Returns a value that must match as a whole even without wildcards.
    ///
    /// # Errors
    /// If it is too long.
    pub fn whole(text: &str) -> Result<Self, QueryProblem> {
        let pattern = Pattern::new(text);
        Ok(Self { whole: Some(Arc::new(wildcards(&pattern)?)), pattern })
    }

    pub fn matches(&self, name: &str) -> bool {
        match &self.whole {
            Some(whole) => whole.is_match(name),
            None => self.pattern.is_in(name),
        }
    }

    /// How closely it names the member with a path; None if not at all.
    pub fn closeness(&self, path: &str) -> Option<Closeness> {
        if !self.matches(path) {
            return None;
        }
        let is_all = |part: &str| self.whole.is_some() || self.pattern.is_all(part);
        let mut ends = path.match_indices(['.', '-']).map(|(at, _)| &path[at + 1..]);
        Some(if is_all(path) {
            Closeness::Exact
        } else if ends.any(is_all) {
            Closeness::End
        } else {
            Closeness::Part
        })
    }

    pub fn as_str(&self) -> &str {
        self.pattern.as_str()
    }

    pub fn is_empty(&self) -> bool {
        self.pattern.is_empty()
    }

    /// True if it must match the whole of a name.
    pub fn has_wildcards(&self) -> bool {
        self.whole.is_some()
    }

    /// True if it must match the whole of a name and says so by a sign before it, for it has no wildcards.
    pub(super) fn is_marked_whole(&self) -> bool {
        self.whole.is_some() && !self.as_str().contains(['*', '?'])
    }

    /// Returns the longest part without wildcards, which a matching name contains.
    pub fn literal(&self) -> &str {
        if self.whole.is_none() {
            return self.as_str();
        }
        let parts = self.as_str().split(['*', '?']);
        parts.max_by_key(|part| part.len()).unwrap_or_default()
    }
}

/// How closely a name in a query names a member. The closest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closeness {
    /// By its whole path, or with wildcards.
    Exact,
    /// By the end of its path, behind a dot or hyphen.
    End,
    /// By any part of its path.
    Part,
}

/// Returns the expression for a text with wildcards.
fn wildcards(pattern: &Pattern) -> Result<Regex, QueryProblem> {
    let mut source = String::from("(?s)^");
    for char in pattern.as_str().chars() {
        match char {
            // Several asterisks in a row mean the same as one.
            '*' if source.ends_with(".*") => {}
            '*' => source.push_str(".*"),
            '?' => source.push('.'),
            char => source.push_str(&regex::escape(char.encode_utf8(&mut [0; 4]))),
        }
    }
    source.push('$');
    built(&source, !pattern.is_exact()).map_err(|_| QueryProblem::PatternTooLong)
}

fn built(source: &str, any_case: bool) -> Result<Regex, regex::Error> {
    RegexBuilder::new(source).case_insensitive(any_case).size_limit(LARGEST).build()
}

/// A regular expression in the syntax of the `regex` crate, which takes linear time. Case matters only if
/// it contains capitals outside escapes.
#[derive(Clone, Debug)]
pub struct RegexPattern {
    source: String,
    pub regex: Arc<Regex>,
}

impl PartialEq for RegexPattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl RegexPattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// The reason, in one line, if it is malformed or too large.
    pub fn new(source: &str) -> Result<Self, String> {
        let mut escaped = false;
        let has_capital = source.chars().any(|char| {
            let is_plain = !std::mem::take(&mut escaped);
            escaped = is_plain && char == '\\';
            is_plain && char.is_uppercase()
        });
        let regex = built(source, !has_capital).map_err(|error| {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        })?;
        Ok(Self { source: source.to_owned(), regex: Arc::new(regex) })
    }

    pub fn as_str(&self) -> &str {
        &self.source
    }
}

/// How a comparison compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Operator {
    /// All operators as they are written; a longer one precedes its beginning.
    pub const ALL: [(&str, Self); 6] = [
        ("!=", Self::Unequal),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    /// Returns the operator at the start of a text, and its length in bytes.
    pub fn at_start(text: &str) -> Option<(Self, usize)> {
        let mut all = Self::ALL.into_iter();
        let (sign, operator) = all.find(|(sign, _)| text.starts_with(sign))?;
        Some((operator, sign.len()))
    }

    pub fn sign(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, operator)| *operator == self).map_or("", |(sign, _)| sign)
    }
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub operator: Operator,
    pub number: f64,
}

impl Comparison {
    pub fn matches(self, value: f64) -> bool {
        match self.operator {
            // Compares as the order does, so that a number equals itself however it was read.
            Operator::Equal => value.total_cmp(&self.number).is_eq(),
            Operator::Unequal => value.total_cmp(&self.number).is_ne(),
            Operator::Less => value < self.number,
            Operator::AtMost => value <= self.number,
            Operator::Greater => value > self.number,
            Operator::AtLeast => value >= self.number,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.operator.sign(), self.number)
    }
}

/// A test of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueTest {
    /// Equals a text, which may have wildcards.
    Is(NamePattern),
    IsNot(NamePattern),
    /// Is a number that compares so.
    Number(Comparison),
    /// Compares so with the value of a variable.
    Variable(Operator, Variable),
}

/// A variable of a query: `$m`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name, without the dollar sign.
    pub name: String,
    /// The value that is tried; None before there is one. Nothing compares with no value.
    pub value: Option<FoundValue>,
}

impl Variable {
    /// Returns the variable with this name, if it is a name: letters, digits and underscores, and no digit first.
    pub fn named(name: &str) -> Option<Self> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        (Self::begins(name) && name.chars().all(is_name))
            .then(|| Self { name: name.to_owned(), value: None })
    }

    /// True if a text begins as the name of a variable does. A price such as `$20` does not.
    pub fn begins(text: &str) -> bool {
        text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// A value that a dialog has under a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'v> {
    Text(&'v str),
    /// An object or a list, whose members and elements have values of their own.
    Open(&'v str),
    Number(f64),
    /// A text in place of members; a name is found in it, but no value.
    Plain(&'v str),
    /// A member without a value, which compares as an empty text does.
    Nothing,
}

impl ValueTest {
    /// True if a value is wanted.
    pub(super) fn is_met(&self, value: Value<'_>) -> bool {
        let (text, is_open) = match value {
            Value::Text(text) => (text, false),
            Value::Open(text) => (text, true),
            Value::Nothing => ("", false),
            Value::Plain(_) => return false,
            Value::Number(number) => {
                return matches!(self, Self::Number(comparison) if comparison.matches(number));
            }
        };
        match self {
            Self::Is(wanted) => is_equal(wanted, text),
            Self::IsNot(wanted) => !is_open && !is_equal(wanted, text),
            Self::Number(comparison) => {
                let number = as_number(text).and_then(|number| number.parse().ok());
                number.is_some_and(|number| comparison.matches(number))
            }
            Self::Variable(operator, variable) => {
                let wanted = variable.value.as_ref();
                wanted.is_some_and(|wanted| {
                    !is_open && FoundValue::of(text).compares(*operator, wanted)
                })
            }
        }
    }
}

/// A value of a member other than an object or a list, as variables compare values: numbers by their size, texts
/// without regard to case.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundValue {
    text: String,
    key: ValueKey,
    number: Option<f64>,
}

/// The part of a value that equal values share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ValueKey {
    Number(Decimal),
    /// A text in lower case.
    Text(String),
}

impl FoundValue {
    pub(super) fn of(text: &str) -> Self {
        let key = match Decimal::of(text) {
            Some(number) => ValueKey::Number(number),
            None => ValueKey::Text(folded(text)),
        };
        Self {
            number: as_number(text).and_then(|number| number.parse().ok()),
            text: text.to_owned(),
            key,
        }
    }

    /// Returns the value as the file has it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn key(&self) -> &ValueKey {
        &self.key
    }

    /// True if it compares so with another value.
    pub(super) fn compares(&self, operator: Operator, other: &Self) -> bool {
        match operator {
            Operator::Equal => self.key == other.key,
            Operator::Unequal => self.key != other.key,
            _ => self
                .number
                .zip(other.number)
                .is_some_and(|(own, number)| Comparison { operator, number }.matches(own)),
        }
    }
}

/// True if a value matches as a whole, or is the same number in another spelling.
pub fn is_equal(wanted: &NamePattern, value: &str) -> bool {
    wanted.matches(value)
        || Decimal::of(wanted.as_str())
            .is_some_and(|wanted| Decimal::of(value).is_some_and(|value| value == wanted))
}

/// Returns the number that a value is or, as a text, looks like: spelled as in JSON, with spaces around it at most.
fn as_number(value: &str) -> Option<&str> {
    let number = value.trim();
    is_number(number).then_some(number)
}

/// A number by its digits, so that numbers of any size are compared exactly: `1.50` and `15e-1` are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Decimal {
    negative: bool,
    /// Without zeros at its ends; empty for zero.
    digits: String,
    /// The power of ten of the last digit.
    power: i64,
}

impl Decimal {
    fn of(value: &str) -> Option<Self> {
        let number = as_number(value)?;
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole.trim_start_matches('-'), fraction].concat();
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        let zeros = all.len() - all.trim_end_matches('0').len();
        let exponent: i64 = exponent.parse().ok()?;
        let power = exponent.checked_add(zeros as i64 - fraction.len() as i64)?;
        let is_zero = digits.is_empty();
        Some(Self {
            negative: !is_zero && number.starts_with('-'),
            digits: digits.to_owned(),
            power: if is_zero { 0 } else { power },
        })
    }
}
