//! Parses queries as users type them: words that are conditions, and text.
//!
//! `speaker:user label:"two words" movie` is two conditions and a text. A value with spaces is in quotes;
//! a quote inside it is doubled. Without a condition, the whole input is the text, including spaces.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::{KINDS, Pattern, Query};

/// A word that is a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition<'a> {
    /// One of [`KINDS`].
    pub kind: &'static str,
    pub value: Cow<'a, str>,
    /// The range of the whole condition in the input, in bytes.
    pub range: Range<usize>,
}

impl<'a> Condition<'a> {
    /// The condition at the end of the input, which the user is still typing.
    pub fn last_of(text: &'a str) -> Option<Self> {
        let last = conditions(text).pop()?;
        (last.range.end == text.len()).then_some(last)
    }

    /// The input with another value in this condition.
    pub fn replaced(&self, text: &str, by: &str) -> String {
        let Range { start, end } = self.range;
        let (kind, by) = (self.kind, value(by));
        format!("{}{kind}{by}{}", &text[..start], &text[end..])
    }

    fn query(&self) -> Query {
        let pattern = || Pattern::new(&self.value);
        match self.kind {
            "label:" => Query::Label(pattern()),
            "api:" => Query::Api(pattern()),
            "speaker:" => Query::Speaker(pattern()),
            _ => Query::Problem(self.value.clone().into_owned()),
        }
    }
}

/// The conditions of an input, in order.
fn conditions(text: &str) -> Vec<Condition<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let kind = KINDS.iter().find(|(kind, _)| rest.starts_with(kind));
        let len = match kind {
            Some((kind, _)) => {
                let (value, len) = quoted(&rest[kind.len()..])
                    .unwrap_or_else(|| (rest[kind.len()..word].into(), word - kind.len()));
                let len = kind.len() + len;
                found.push(Condition {
                    kind,
                    value,
                    range: at..at + len,
                });
                len
            }
            None => word,
        };
        at += len;
        at += text[at..].len() - text[at..].trim_start().len();
    }
    found
}

/// The quoted value at the start of `text`, and its length in bytes with the quotes. The closing quote may
/// not be typed yet.
fn quoted(text: &str) -> Option<(Cow<'_, str>, usize)> {
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
    let value = if value.contains('"') {
        value.replace("\"\"", "\"").into()
    } else {
        value.into()
    };
    Some((value, len))
}

/// A value as users type it, quoted if necessary.
fn value(value: &str) -> Cow<'_, str> {
    if value.contains(char::is_whitespace) || value.starts_with('"') {
        format!("\"{}\"", value.replace('"', "\"\"")).into()
    } else {
        value.into()
    }
}

impl FromStr for Query {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let conditions = conditions(text);
        if conditions.is_empty() {
            return Ok(Self::Text(Pattern::new(text)));
        }
        let mut rest = Vec::new();
        let mut from = 0;
        for Condition { range, .. } in &conditions {
            rest.push(&text[from..range.start]);
            from = range.end;
        }
        rest.push(&text[from..]);
        let words: Vec<_> = rest.into_iter().map(str::trim).collect();
        let words: Vec<_> = words.into_iter().filter(|part| !part.is_empty()).collect();
        let mut all: Vec<_> = conditions.iter().map(Condition::query).collect();
        if !words.is_empty() {
            all.push(Self::Text(Pattern::new(&words.join(" "))));
        }
        Ok(match <[Self; 1]>::try_from(all) {
            Ok([one]) => one,
            Err(all) => Self::All(all),
        })
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(pattern) => write!(f, "{pattern}"),
            Self::Label(pattern) => write!(f, "label:{}", value(pattern.as_str())),
            Self::Api(pattern) => write!(f, "api:{}", value(pattern.as_str())),
            Self::Speaker(pattern) => write!(f, "speaker:{}", value(pattern.as_str())),
            Self::Problem(rule) => write!(f, "problem:{}", value(rule)),
            Self::All(all) => {
                for (number, query) in all.iter().enumerate() {
                    let space = if number > 0 { " " } else { "" };
                    write!(f, "{space}{query}")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Query {
        let Ok(query) = text.parse();
        query
    }

    #[test]
    fn queries_round_trip() {
        for text in [
            "two tickets",
            " two  tickets ",
            "label:name.theater",
            "api:find_movies",
            "speaker:user",
            "problem:",
            "problem:span",
            "",
            "a:b",
            "a:b c",
            "x label",
            "speaker:user two  tickets",
            "speaker:user label:\"two words\" problem: amc",
            "label:\"say \"\"no\"\" twice\"",
            "label:\"\"\"a\"",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(
            read(" movie  speaker:user ticket").to_string(),
            "speaker:user movie ticket"
        );
        assert_eq!(read("label:\"two words"), read("label:\"two words\""));
    }

    #[test]
    fn word_with_a_key_is_a_condition_and_the_others_are_text() {
        let label = Query::Label(Pattern::new("two words"));
        assert_eq!(read("label:\"two words\""), label);
        assert_eq!(
            read("a label:\"two words\" b"),
            Query::All(vec![label, Query::Text(Pattern::new("a b"))])
        );
        assert_eq!(
            read("xlabel:a \"b c\""),
            Query::Text(Pattern::new("xlabel:a \"b c\""))
        );
    }

    #[test]
    fn condition_at_the_end_is_the_one_that_is_typed() {
        let last = |text| Condition::last_of(text).map(|last| (last.kind, last.value));
        assert_eq!(last("amc api:fi"), Some(("api:", "fi".into())));
        assert_eq!(last("label:\"a b"), Some(("label:", "a b".into())));
        assert_eq!(last("label:a amc"), None);
        assert_eq!(last("label:a "), None);
        assert_eq!(last("amc"), None);
    }
}
