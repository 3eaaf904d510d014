//! Divides the text of a query into words, quoted texts, conditions and parentheses.

use std::borrow::Cow;
use std::ops::Range;

use super::error::{QueryError, QueryProblem};
use super::expression::{Condition, QUESTION, Wanted};
use super::keys::{ConditionKey, Takes};
use super::places::TextKind;
use super::value::{Comparison, NamePattern, Operator, RegexPattern, ValueTest, Variable};
use crate::dialog::Breakdown;
use crate::text::nearest;

/// A part of the text of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub kind: TokenKind,
    /// Its place, in bytes.
    pub at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `dialog(`
    OpenDialog,
    /// `)`
    Close,
    /// A minus sign before anything but a space.
    Minus,
    /// A text in quotes.
    Quoted(String),
    Regex(RegexPattern),
    Condition(Condition),
    /// Any other word; it may be an operator.
    Word,
    /// `key:value` or `key>2` with an unknown key, which is a text unless the query has conditions.
    Unknown(String),
}

/// Divides a text into tokens.
///
/// # Errors
/// For a condition with a malformed value.
pub fn tokens(text: &str) -> Result<Vec<Token>, QueryError> {
    let mut scanner = Scanner { text, at: 0, open: 0 };
    let mut tokens = Vec::new();
    loop {
        let rest = scanner.rest();
        scanner.at += rest.len() - rest.trim_start().len();
        if scanner.at == text.len() {
            return Ok(tokens);
        }
        let start = scanner.at;
        let kind = scanner.token()?;
        tokens.push(Token { kind, at: start..scanner.at });
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The number of open parentheses.
    open: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn token(&mut self) -> Result<TokenKind, QueryError> {
        let rest = self.rest();
        for (begins, kind) in [("dialog(", TokenKind::OpenDialog), ("(", TokenKind::Open)] {
            if rest.starts_with(begins) {
                self.at += begins.len();
                self.open += 1;
                return Ok(kind);
            }
        }
        if rest.starts_with(')') && self.open > 0 {
            self.at += 1;
            self.open -= 1;
            return Ok(TokenKind::Close);
        }
        if let Some((text, len)) = quoted(rest) {
            self.at += len;
            return Ok(TokenKind::Quoted(text.into_owned()));
        }
        if let Some((source, len)) = slashed(rest) {
            let at = self.at..self.at + len;
            self.at = at.end;
            let regex = RegexPattern::new(&source);
            let problem = |error| QueryError { at, problem: QueryProblem::Regex(error) };
            return regex.map(TokenKind::Regex).map_err(problem);
        }
        if rest.starts_with('-') && rest[1..].chars().next().is_some_and(|c| !c.is_whitespace()) {
            self.at += 1;
            return Ok(TokenKind::Minus);
        }
        self.word()
    }

    /// Returns the end of a run of characters without spaces, other than a parenthesis to close.
    fn end_of_word(&self, from: usize, stops: &[char]) -> usize {
        let ends = |c: char| c.is_whitespace() || c == ')' && self.open > 0 || stops.contains(&c);
        let rest = &self.text[from..];
        from + rest.find(ends).unwrap_or(rest.len())
    }

    fn word(&mut self) -> Result<TokenKind, QueryError> {
        let start = self.at;
        let name_len = self
            .rest()
            .find(|c: char| !c.is_ascii_alphabetic() && c != '.')
            .unwrap_or(self.rest().len());
        let (name, behind) = self.rest().split_at(name_len);
        let key = ConditionKey::named(name);
        if let Some(key) = key
            && let Some(condition) = self.condition(key, start + name_len)?
        {
            return Ok(TokenKind::Condition(condition));
        }
        self.at = self.end_of_word(start, &[]).max(start + 1);
        let compares = || {
            let operator = Operator::at_start(behind);
            operator.is_some_and(|(_, len)| behind[len..].starts_with(|c: char| c.is_ascii_digit()))
        };
        let is_valued = behind.starts_with(':') && self.at > start + name_len + 1 || compares();
        Ok(if key.is_none() && !name.is_empty() && is_valued {
            TokenKind::Unknown(name.to_owned())
        } else {
            TokenKind::Word
        })
    }

    /// Returns the condition with this key, whose name ends at `after`; None if the word is not a condition.
    fn condition(
        &mut self,
        key: &'static ConditionKey,
        after: usize,
    ) -> Result<Option<Condition>, QueryError> {
        let start = self.at;
        let behind = &self.text[after..];
        let fails = |at: Range<usize>, problem| Err(QueryError { at, problem });
        if key.has_colon() && !key.compares() && !behind.starts_with(':') {
            return Ok(None);
        }
        let value_at = after + 1;
        let (mut name, mut test) = (None, None);
        match key.takes {
            Takes::Nothing => {
                if after != self.end_of_word(start, &[]) {
                    return Ok(None);
                }
                self.at = after;
            }
            Takes::Number => {
                let Some((operator, len)) = Operator::at_start(behind) else {
                    return Ok(None);
                };
                self.at = self.end_of_word(after, &[]);
                let number = self.text[after + len..self.at].parse();
                let Ok(number) = number else {
                    let problem = QueryProblem::NoNumber { key: key.name };
                    return fails(after + len..self.at, problem);
                };
                test = Some(ValueTest::Number(Comparison { operator, number }));
            }
            Takes::Letter => {
                self.at = self.end_of_word(value_at, &[]);
                let letter = self.text[value_at..self.at].to_ascii_uppercase();
                if Breakdown::from_letter(&letter).is_none() {
                    return fails(value_at..self.at, QueryProblem::NoLabel { key: key.name });
                }
                name = Some(self.pattern(value_at, NamePattern::new(&letter))?);
            }
            Takes::Place => {
                self.at = self.end_of_word(value_at, &[]);
                return match TextKind::named(&self.text[value_at..self.at]) {
                    Some(kind) => Ok(Some(Condition::In(kind))),
                    None => fails(value_at..self.at, QueryProblem::NoPlace),
                };
            }
            Takes::Name => name = Some(self.name(key, value_at, &[])?),
            Takes::NameOrAny => {
                self.at = self.end_of_word(value_at, &[]);
                let has_name = self.at > value_at;
                name = has_name.then(|| self.name(key, value_at, &[])).transpose()?;
            }
            Takes::Pair => {
                name = Some(self.name(key, value_at, &['=', '<', '>', '!'])?);
                test = self.value_test()?;
            }
            Takes::Answer => return self.answer(key.name, after),
        }
        Ok(Some(Condition::Has(Wanted { key, name, test })))
    }

    /// Returns the condition on the answer to the question called `name`, which ends at `after`; None if no answer
    /// follows: `verdict:fail`, `quality<3`.
    fn answer(&mut self, name: &str, after: usize) -> Result<Option<Condition>, QueryError> {
        let behind = &self.text[after..];
        let colon = usize::from(behind.starts_with(':'));
        let (operator, len) = match Operator::at_start(&behind[colon..]) {
            Some((operator, len)) => (operator, colon + len),
            None if colon > 0 => (Operator::Equal, colon),
            None => return Ok(None),
        };
        if behind[len..].chars().next().is_none_or(char::is_whitespace) {
            return Ok(None);
        }
        let name = self.pattern(after, NamePattern::whole(name))?;
        let test = self.value_tested(operator, after + len)?;
        let key = ConditionKey::named(QUESTION);
        let wanted = key.map(|key| Wanted { key, name: Some(name), test: Some(test) });
        Ok(wanted.map(Condition::Has))
    }

    /// Reads the name of a condition, from byte `from` up to one of `stops`. Behind an equals sign, it is a whole one.
    fn name(
        &mut self,
        key: &'static ConditionKey,
        from: usize,
        stops: &[char],
    ) -> Result<NamePattern, QueryError> {
        let is_whole = self.text[from..].starts_with('=');
        let from = from + usize::from(is_whole);
        let name = self.value(from, stops);
        if name.is_empty() {
            let problem = QueryProblem::NoValue { key: key.name };
            let at = self.at..self.at;
            return Err(QueryError { at, problem });
        }
        let pattern = if is_whole { NamePattern::whole(&name) } else { NamePattern::new(&name) };
        self.pattern(from, pattern)
    }

    /// Returns the pattern of a value that is written from byte `from` on.
    fn pattern(
        &self,
        from: usize,
        pattern: Result<NamePattern, QueryProblem>,
    ) -> Result<NamePattern, QueryError> {
        let at = from..self.at;
        pattern.map_err(|problem| QueryError { at, problem })
    }

    /// Reads a value that may be quoted and otherwise ends at a space or one of `stops`.
    fn value(&mut self, from: usize, stops: &[char]) -> Cow<'t, str> {
        if let Some((value, len)) = quoted(&self.text[from..]) {
            self.at = from + len;
            return value;
        }
        self.at = self.end_of_word(from, stops);
        self.text[from..self.at].into()
    }

    /// Reads the comparison behind the name of a value, if there is one.
    fn value_test(&mut self) -> Result<Option<ValueTest>, QueryError> {
        let Some((operator, len)) = Operator::at_start(self.rest()) else {
            return Ok(None);
        };
        self.value_tested(operator, self.at + len).map(Some)
    }

    /// Reads the value that a comparison compares with, from byte `from` on.
    fn value_tested(&mut self, operator: Operator, from: usize) -> Result<ValueTest, QueryError> {
        let is_quoted = self.text[from..].starts_with('"');
        let mut value = self.value(from, &[]);
        if !is_quoted && let Some(name) = value.strip_prefix('$').filter(|n| Variable::begins(n)) {
            let variable = Variable::named(name)
                .ok_or(QueryError { at: from..self.at, problem: QueryProblem::NoVariable })?;
            return Ok(ValueTest::Variable(operator, variable));
        }
        if !is_quoted && value.starts_with("\\$") {
            value = value[1..].to_owned().into();
        }
        let whole = || self.pattern(from, NamePattern::whole(&value));
        Ok(match operator {
            Operator::Equal => ValueTest::Is(whole()?),
            Operator::Unequal => ValueTest::IsNot(whole()?),
            _ => {
                let number = value.parse().map_err(|_| QueryError {
                    at: from..self.at,
                    problem: QueryProblem::NoNumber { key: "the value" },
                })?;
                ValueTest::Number(Comparison { operator, number })
            }
        })
    }
}

/// Returns the error for a word like `lable:x` or, if it compares numbers, `wrds>2`.
pub fn unknown(key: &str, at: Range<usize>, compares: bool) -> QueryError {
    let fits = |key: &&ConditionKey| {
        if compares { key.compares() } else { key.has_colon() }
    };
    let names = super::keys::CONDITIONS.iter().filter(fits).map(|key| key.name);
    let problem =
        QueryProblem::UnknownCondition { key: key.to_owned(), nearest: nearest(key, names) };
    QueryError { at, problem }
}

/// Returns the quoted value at the start of `text`, and its length in bytes with the quotes. A quote inside is
/// doubled; the closing quote may not be typed yet.
pub(super) fn quoted(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let inside = text.strip_prefix('"')?;
    let mut from = 0;
    let (end, len) = loop {
        let Some(quote) = inside[from..].find('"').map(|quote| from + quote) else {
            break (inside.len(), text.len());
        };
        if !inside[quote + 1..].starts_with('"') {
            break (quote, quote + 2);
        }
        from = quote + 2;
    };
    let value = &inside[..end];
    let value = if value.contains('"') { value.replace("\"\"", "\"").into() } else { value.into() };
    Some((value, len))
}

/// Returns the regular expression between slashes at the start of `text`, and its length in bytes with the
/// slashes. A slash inside is written `\/`.
fn slashed(text: &str) -> Option<(String, usize)> {
    let inside = text.strip_prefix('/')?;
    let mut escaped = false;
    let is_end = |(_, char): &(usize, char)| {
        let is_plain = !std::mem::take(&mut escaped);
        escaped = is_plain && *char == '\\';
        is_plain && *char == '/'
    };
    let (end, _) = inside.char_indices().find(is_end)?;
    let behind = inside[end + 1..].chars().next();
    let ends = end > 0 && behind.is_none_or(|c| c.is_whitespace() || c == ')');
    ends.then(|| (inside[..end].replace("\\/", "/"), end + 2))
}
