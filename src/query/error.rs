//! Errors of queries.

use std::ops::Range;

/// The reason why a text is not a query, and the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct QueryError {
    /// The place in the text, in bytes; empty where something is missing.
    pub at: Range<usize>,
    pub problem: QueryProblem,
}

/// The reason why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryProblem {
    #[error("this parenthesis is not closed")]
    Unclosed,
    #[error("this parenthesis closes nothing; to find the character itself, put it in quotes")]
    NothingToClose,
    #[error("expected a condition or a text {after}")]
    Missing { after: &'static str },
    #[error("unknown condition {key:?}; {}", advice(*nearest))]
    UnknownCondition { key: String, nearest: Option<&'static str> },
    #[error("type a name or part of a name after `{key}:`")]
    NoValue { key: &'static str },
    #[error("`{key}` needs a number, as in `{key}>2`")]
    NoNumber { key: &'static str },
    #[error("`{key}` needs one of O, T and X")]
    NoLabel { key: &'static str },
    #[error("`in:` needs one of utterance, argument, result, reasoning, instructions and comment")]
    NoPlace,
    #[error(
        "texts side by side must be in one place; to search several places, use parentheses, as in `(in:result sold) (in:utterance sorry)`"
    )]
    TwoPlaces,
    #[error("malformed regular expression: {0}")]
    Regex(String),
    #[error("this name or value is too long; give a part of it")]
    PatternTooLong,
    #[error("\"within\" needs a number of turns, as in \"A then within 3 B\"")]
    NoDistance,
    #[error(
        "\"before\" must come after a single \"not\", as in \"not (A) before B\"; for \"A before B\", write \"A then B\""
    )]
    Before,
    #[error(
        "nothing gives ${0} a value; add a condition such as `arg:movie=${0}`, or, to search for the text itself, put it in quotes"
    )]
    Unbound(String),
    #[error(
        "inside \"not\", `=${0}` only compares and sets no value; add a condition with `=${0}` outside \"not\""
    )]
    BoundInNot(String),
    #[error("${0} has a value only on another side of \"or\"; give it a value on this side, too")]
    BoundInOther(String),
    #[error(
        "the name of a variable consists of letters, digits and underscores; to search for the text itself, put it in quotes"
    )]
    NoVariable,
    #[error("a query has at most 16 variables")]
    TooManyVariables,
    #[error("the query is nested too deeply")]
    TooDeep,
    #[error("a query has at most 64 steps, each a \"then\" or a \"next\"")]
    TooManySteps,
}

fn advice(nearest: Option<&str>) -> String {
    const QUOTE: &str = "to search for the text itself, put it in quotes";
    nearest.map_or_else(|| QUOTE.to_owned(), |name| format!("did you mean {name:?}? ({QUOTE})"))
}

impl QueryError {
    /// Returns the error with the part of `text` that it is about, in one line.
    pub fn at_place(&self, text: &str) -> String {
        match text.get(self.at.clone()).unwrap_or_default() {
            "" => self.to_string(),
            part => format!("{part}: {self}"),
        }
    }
}
