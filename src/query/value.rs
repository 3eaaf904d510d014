//! Names and values in conditions: parts of names, wildcards, regular expressions, comparisons.

use std::fmt;

use regex::{Regex, RegexBuilder};

use super::Pattern;
use super::error::QueryProblem;

/// The most bytes of memory that a compiled regular expression may take.
const LARGEST: usize = 1 << 20;

/// A name to search for. With `*` (any text) or `?` (any character) it must match the whole name; otherwise
/// it may occur anywhere in it. Case matters only if it contains capitals.
#[derive(Clone, Debug)]
pub struct NamePattern {
    pattern: Pattern,
    whole: Option<Regex>,
}

impl PartialEq for NamePattern {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern && self.whole.is_some() == other.whole.is_some()
    }
}

impl NamePattern {
    /// A name, or a part of one.
    ///
    /// # Errors
    /// If it has wildcards and is too long.
    pub fn new(text: &str) -> Result<Self, QueryProblem> {
        if text.contains(['*', '?']) {
            return Self::whole(text);
        }
        Ok(Self {
            pattern: Pattern::new(text),
            whole: None,
        })
    }

    /// A value that must match as a whole even without wildcards.
    ///
    /// # Errors
    /// If it is too long.
    pub fn whole(text: &str) -> Result<Self, QueryProblem> {
        let pattern = Pattern::new(text);
        Ok(Self {
            whole: Some(wildcards(&pattern)?),
            pattern,
        })
    }

    pub fn matches(&self, name: &str) -> bool {
        match &self.whole {
            Some(whole) => whole.is_match(name),
            None => self.pattern.is_in(name),
        }
    }

    pub fn as_str(&self) -> &str {
        self.pattern.as_str()
    }

    pub fn is_empty(&self) -> bool {
        self.pattern.is_empty()
    }

    /// The longest part without wildcards, which a matching name contains.
    pub fn literal(&self) -> &str {
        if self.whole.is_none() {
            return self.as_str();
        }
        let parts = self.as_str().split(['*', '?']);
        parts.max_by_key(|part| part.len()).unwrap_or_default()
    }
}

/// The expression for a text with wildcards.
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
    RegexBuilder::new(source)
        .case_insensitive(any_case)
        .size_limit(LARGEST)
        .build()
}

/// A regular expression in the syntax of the `regex` crate, which takes linear time. Case matters only if
/// it contains capitals outside escapes.
#[derive(Clone, Debug)]
pub struct RegexPattern {
    source: String,
    pub regex: Regex,
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
        Ok(Self {
            source: source.to_owned(),
            regex,
        })
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

    /// The operator at the start of a text, and its length in bytes.
    pub fn at_start(text: &str) -> Option<(Self, usize)> {
        let mut all = Self::ALL.into_iter();
        let (sign, operator) = all.find(|(sign, _)| text.starts_with(sign))?;
        Some((operator, sign.len()))
    }

    pub fn sign(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, operator)| *operator == self)
            .map_or("", |(sign, _)| sign)
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

/// A name, and a test of its value if there is one: `num.tickets`, `date=tom*`, `price>10`.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    pub name: NamePattern,
    pub value: Option<ValueTest>,
}

/// A test of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueTest {
    /// Equals a text, which may have wildcards.
    Is(NamePattern),
    IsNot(NamePattern),
    /// Is a number that compares so.
    Number(Comparison),
}

impl NamedValue {
    /// True if a member with this name and value meets it.
    pub fn matches(&self, name: &str, value: &str) -> bool {
        self.name.matches(name)
            && match &self.value {
                None => true,
                Some(ValueTest::Is(wanted)) => wanted.matches(value),
                Some(ValueTest::IsNot(wanted)) => !wanted.matches(value),
                Some(ValueTest::Number(comparison)) => {
                    let number = value.trim().parse();
                    number.is_ok_and(|number| comparison.matches(number))
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_part_or_as_a_whole_with_wildcards() {
        let matches = |pattern: &str, name: &str| NamePattern::new(pattern).unwrap().matches(name);
        assert!(matches("date", "depart.Date"));
        assert!(!matches("Date", "depart.date"));
        assert!(matches("date.*", "date.movie"));
        assert!(!matches("date.*", "depart.date.movie"));
        assert!(matches("*.d?te", "depart.date"));
        assert!(matches("a+b*", "a+b+c"));
        assert!(matches("a***b*", "acbd"));
        assert!(!matches("a***b", "acbd"));
        assert!(matches(r"a.**", "a.b"));
        assert!(!matches(r"a.**", "ab"));
        let whole = NamePattern::whole("two").unwrap();
        assert!(whole.matches("Two"));
        assert!(!whole.matches("two tickets"));
    }

    #[test]
    fn capitals_in_escapes_do_not_make_case_matter() {
        let regex = |source| RegexPattern::new(source).unwrap().regex;
        assert!(regex(r"\Wtwo").is_match(" TWO"));
        assert!(!regex("Two").is_match("two"));
        let error = RegexPattern::new("a(").unwrap_err();
        assert_eq!(error, "unclosed group");
        assert!(RegexPattern::new("(a{1000}){1000}").is_err());
    }
}
