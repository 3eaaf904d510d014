//! Parses queries as users type them.
//!
//! From loosest to tightest: `A then B`, `A or B`, `A B` (both), `not A`. Words that are not conditions
//! are a text. A query without any condition, quotes or parentheses is one text as a whole, so that a sentence
//! with "or" or "not" can be found as it is.

use std::ops::Range;
use std::str::FromStr;

use super::Pattern;
use super::error::{QueryError, QueryProblem};
use super::expression::{Condition, Query};
use super::keys::Takes;
use super::scan::{Token, TokenKind, tokens, unknown};

/// The most parentheses and negations inside each other.
const DEEPEST: usize = 64;

/// The most steps of the sequences of a query. Each is one level of the query, so that there is an end to how deep
/// it is.
const STEPS: usize = 64;

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let tokens = tokens(text)?;
        if !is_structured(text, &tokens)? {
            return Ok(Self::Is(Condition::Text(Pattern::new(text))));
        }
        let mut parser = Parser { text, tokens: &tokens, depth: 0, steps: 0 };
        let query = parser.sequence("here")?;
        match parser.tokens.first() {
            None => checked(query, tokens.iter()),
            Some(token) => Err(error(token.at.clone(), QueryProblem::NothingToClose)),
        }
    }
}

/// Returns a query if each of its variables has a value wherever it compares.
fn checked<'t>(query: Query, tokens: impl Iterator<Item = &'t Token>) -> Result<Query, QueryError> {
    let Some(misuse) = query.misused_variable() else {
        return Ok(query);
    };
    let mut ends = tokens.filter_map(|token| match &token.kind {
        TokenKind::Condition(condition) => Some((condition.variable()?.0.len(), token.at.end)),
        _ => None,
    });
    // A variable is the end of its condition.
    let (len, end) = ends.nth(misuse.number).unwrap_or_default();
    Err(error(end.saturating_sub(len + 1)..end, misuse.problem))
}

/// True if a text is more than words to find as they are.
///
/// # Errors
/// For a word like `lable:x` beside conditions, or with a name like that of a condition.
fn is_structured(text: &str, tokens: &[Token]) -> Result<bool, QueryError> {
    let is_flag = |token: &Token| match &token.kind {
        TokenKind::Condition(condition) => is_bare(condition),
        _ => false,
    };
    let is_operator = |token: &Token| match token.kind {
        TokenKind::Minus => true,
        TokenKind::Word => Operator::of(&text[token.at.clone()]).is_some(),
        _ => false,
    };
    let is_clear = |token: &Token| match &token.kind {
        TokenKind::Open
        | TokenKind::OpenDialog
        | TokenKind::Close
        | TokenKind::Quoted(_)
        | TokenKind::Regex(_) => true,
        TokenKind::Condition(condition) => !is_bare(condition),
        TokenKind::Minus | TokenKind::Word | TokenKind::Unknown(_) => false,
    };
    let flags_only = tokens.iter().any(is_flag)
        && tokens.iter().all(|token| is_flag(token) || is_operator(token));
    let structured = flags_only || tokens.iter().any(is_clear);
    for Token { kind, at } in tokens {
        if let TokenKind::Unknown(key) = kind {
            let end = at.start + key.len();
            let compares = !text[end..].starts_with(':');
            let error = unknown(key, at.start..end, compares);
            let is_misspelt =
                matches!(error.problem, QueryProblem::UnknownCondition { nearest: Some(_), .. });
            if structured || is_misspelt {
                return Err(error);
            }
        }
    }
    Ok(structured)
}

/// True for a condition that is written as a mere word.
fn is_bare(condition: &Condition) -> bool {
    condition.wanted().is_some_and(|wanted| wanted.key.takes == Takes::Nothing)
}

/// A word between conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    And,
    Or,
    Not,
    Then,
    Next,
    Before,
}

impl Operator {
    /// The operators, as they are written and printed.
    const ALL: [(&str, Self); 6] = [
        ("and", Self::And),
        ("or", Self::Or),
        ("not", Self::Not),
        ("then", Self::Then),
        ("next", Self::Next),
        ("before", Self::Before),
    ];

    fn of(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(name, _)| *name == word)?.1)
    }
}

fn error(at: Range<usize>, problem: QueryProblem) -> QueryError {
    QueryError { at, problem }
}

struct Parser<'t> {
    text: &'t str,
    /// The tokens that are not read yet.
    tokens: &'t [Token],
    depth: usize,
    /// The number of "then" and "next" so far.
    steps: usize,
}

impl Parser<'_> {
    fn operator(&self) -> Option<Operator> {
        let token = self.tokens.first()?;
        match token.kind {
            TokenKind::Word => Operator::of(&self.text[token.at.clone()]),
            _ => None,
        }
    }

    /// Skips the next token if it is this operator.
    fn takes(&mut self, operator: Operator) -> bool {
        let is_next = self.operator() == Some(operator);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    /// `A then B next C`. If nothing follows, the error says that it is missing `after` something.
    fn sequence(&mut self, after: &'static str) -> Result<Query, QueryError> {
        let mut query = self.not_before(after)?;
        loop {
            let here = self.tokens.first().map_or(0..0, |token| token.at.clone());
            let (within, after) = if self.takes(Operator::Then) {
                (self.within()?, "after \"then\"")
            } else if self.takes(Operator::Next) {
                (Some(1), "after \"next\"")
            } else {
                return Ok(query);
            };
            self.steps += 1;
            if self.steps > STEPS {
                return Err(error(here, QueryProblem::TooManySteps));
            }
            query = Query::Then {
                first: Box::new(query),
                later: Box::new(self.not_before(after)?),
                within,
            };
        }
    }

    /// Returns the `within 3` behind a "then".
    fn within(&mut self) -> Result<Option<u32>, QueryError> {
        let word = |token: &Token| &self.text[token.at.clone()];
        let [within, rest @ ..] = self.tokens else {
            return Ok(None);
        };
        if within.kind != TokenKind::Word || word(within) != "within" {
            return Ok(None);
        }
        let number = rest.first().and_then(|token| word(token).parse().ok());
        let number = number.filter(|turns| *turns > 0);
        if number.is_none() {
            return Err(error(within.at.clone(), QueryProblem::NoDistance));
        }
        self.tokens = &rest[1..];
        Ok(number)
    }

    /// `A or B`, or `not A before B`.
    fn not_before(&mut self, after: &'static str) -> Result<Query, QueryError> {
        let start = self.tokens.first().map_or(self.text.len(), |t| t.at.start);
        let query = self.either(after)?;
        let before = self.tokens.first().map(|token| token.at.clone());
        if !self.takes(Operator::Before) {
            return Ok(query);
        }
        let end = before.map_or(start, |at| at.end);
        let Query::Not(absent) = query else {
            return Err(error(start..end, QueryProblem::Before));
        };
        let turn = Box::new(self.either("after \"before\"")?);
        Ok(Query::NotBefore { absent, turn })
    }

    fn either(&mut self, after: &'static str) -> Result<Query, QueryError> {
        let mut parts = vec![self.both(after)?];
        while self.takes(Operator::Or) {
            parts.push(self.both("after \"or\"")?);
        }
        Ok(one_or(parts, Query::Any))
    }

    fn both(&mut self, after: &'static str) -> Result<Query, QueryError> {
        let place = |query: &Query| match query {
            Query::Is(Condition::In(kind)) => Some(*kind),
            _ => None,
        };
        let mut parts = vec![self.negated(after)?];
        loop {
            let and = self.takes(Operator::And);
            let ends = match self.tokens.first() {
                None => true,
                Some(token) if token.kind == TokenKind::Close => true,
                Some(_) => self.operator().is_some_and(|o| o != Operator::Not),
            };
            if ends && !and {
                return Ok(one_or(parts, Query::All));
            }
            let at = self.tokens.first().map_or(0..0, |token| token.at.clone());
            let part = self.negated("after \"and\"")?;
            let before = parts.iter().find_map(place);
            if place(&part).is_some_and(|kind| before.is_some_and(|before| before != kind)) {
                return Err(error(at, QueryProblem::TwoPlaces));
            }
            parts.push(part);
        }
    }

    fn negated(&mut self, after: &'static str) -> Result<Query, QueryError> {
        let minus = self.tokens.first().is_some_and(|t| t.kind == TokenKind::Minus);
        if minus {
            self.tokens = &self.tokens[1..];
        } else if !self.takes(Operator::Not) {
            return self.single(after);
        }
        let inside = self.deeper(|parser| parser.negated("after \"not\""))?;
        Ok(Query::Not(Box::new(inside)))
    }

    /// True if the next token continues or begins a text: a word other than an operator. A word such as "tie"
    /// is part of a text if a word is beside it.
    fn is_text(&self, at: usize, beside: bool) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return false;
        };
        match &token.kind {
            TokenKind::Word => Operator::of(&self.text[token.at.clone()]).is_none(),
            TokenKind::Condition(condition) if is_bare(condition) => {
                beside || self.is_text(at + 1, false)
            }
            _ => false,
        }
    }

    /// Returns a condition, a text, or a query in parentheses.
    fn single(&mut self, after: &'static str) -> Result<Query, QueryError> {
        let missing = |at| QueryError { at, problem: QueryProblem::Missing { after } };
        let Some((token, rest)) = self.tokens.split_first() else {
            return Err(missing(self.text.len()..self.text.len()));
        };
        if token.kind == TokenKind::Close || self.operator().is_some() {
            return Err(missing(token.at.clone()));
        }
        let is_text = self.is_text(0, false);
        self.tokens = rest;
        let condition = match &token.kind {
            TokenKind::Open => return self.in_parentheses(&token.at),
            TokenKind::OpenDialog => {
                let inside = self.in_parentheses(&token.at)?;
                return Ok(Query::InDialog(Box::new(inside)));
            }
            TokenKind::Quoted(text) => Condition::Text(Pattern::new(text)),
            TokenKind::Regex(regex) => Condition::Regex(regex.clone()),
            TokenKind::Condition(condition) if !is_text => condition.clone(),
            TokenKind::Condition(_)
            | TokenKind::Close
            | TokenKind::Minus
            | TokenKind::Word
            | TokenKind::Unknown(_) => {
                let end = self.end_of_text(token.at.end);
                Condition::Text(Pattern::new(&self.text[token.at.start..end]))
            }
        };
        Ok(Query::Is(condition))
    }

    /// Reads the other words of a text whose first word ends at `end`; returns the end of the last one.
    fn end_of_text(&mut self, mut end: usize) -> usize {
        while self.is_text(0, true)
            && let Some((token, rest)) = self.tokens.split_first()
        {
            end = token.at.end;
            self.tokens = rest;
        }
        end
    }

    fn in_parentheses(&mut self, open: &Range<usize>) -> Result<Query, QueryError> {
        let inside = self.deeper(|parser| parser.sequence("in the parentheses"))?;
        match self.tokens.split_first() {
            Some((token, rest)) if token.kind == TokenKind::Close => {
                self.tokens = rest;
                Ok(inside)
            }
            _ => Err(error(open.clone(), QueryProblem::Unclosed)),
        }
    }

    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Query, QueryError>,
    ) -> Result<Query, QueryError> {
        if self.depth == DEEPEST {
            let at = self.tokens.first().map_or(0..0, |token| token.at.clone());
            return Err(error(at, QueryProblem::TooDeep));
        }
        self.depth += 1;
        let query = read(self);
        self.depth -= 1;
        query
    }
}

/// Returns the only part, or all of them. Parts of the same kind are taken apart.
fn one_or(mut parts: Vec<Query>, several: fn(Vec<Query>) -> Query) -> Query {
    if parts.len() == 1 { parts.remove(0) } else { several(parts) }
}
